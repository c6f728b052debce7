/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/owners.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/predict/squeue.h"

void lxfw_owners_clear(struct lxfw_owners *owners)
{
	free(owners->list);
	lxfw_id_map_clear(&owners->by_id);
	*owners = (struct lxfw_owners) { 0 };
}

int lxfw_owners_add(struct lxfw_owners *owners, uint64_t id, const char *user, const char *group,
		    const char *partitions)
{
	if (lxfw_id_map_get(&owners->by_id, id) >= 0)
		return 0;
	if (LXFW_GROW(owners->list, owners->size, owners->count + 1) ||
	    lxfw_id_map_add(&owners->by_id, id, (int32_t)owners->count))
		return -1;
	/* Of several partitions, the first one. */
	owners->list[owners->count++] = (struct lxfw_traits) {
		.user = lxfw_trait_of_name(user, strlen(user)),
		.account = lxfw_trait_of_name(group, strlen(group)),
		.partition = lxfw_trait_of_name(partitions, strcspn(partitions, ",")),
	};
	return 0;
}

int lxfw_owners_take(struct lxfw_owners *owners, char *output)
{
	char *rest = NULL;

	for (char *line = strtok_r(output, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *fields[5], *at = line;
		uint64_t id = 0;
		int i = 0;

		while (i < 5 && (fields[i] = lxfw_squeue_field(&at)))
			i++;
		if (i == 5 && !*at)
			id = lxfw_squeue_id(fields[0], fields[1]);
		if (id != 0 && lxfw_owners_add(owners, id, fields[2], fields[3], fields[4]))
			return -1;
	}
	return 0;
}

int lxfw_owners_read(struct lxfw_owners *owners, struct lxfw_error *error)
{
	char *output = lxfw_squeue_run("PENDING,RUNNING,SUSPENDED", "jobid:|,jobarrayid:|,"
				       "username:|,groupname:|,partition:|", error);
	int result = output ? lxfw_owners_take(owners, output) : -1;

	if (output && result)
		lxfw_error_set(error, "out of memory");
	free(output);
	return result;
}

void lxfw_owners_complete(const struct lxfw_owners *owners, uint64_t id,
			  struct lxfw_traits *traits)
{
	int32_t index = lxfw_squeue_find(&owners->by_id, id);

	if (index < 0)
		return;
	traits->user = owners->list[index].user;
	traits->account = owners->list[index].account;
	traits->partition = owners->list[index].partition;
}
