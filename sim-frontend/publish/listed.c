/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/publish/listed.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/text.h"

#define FIELDS 5

void lxfw_listed_clear(struct lxfw_listed *listed)
{
	free(listed->list);
	lxfw_id_map_clear(&listed->by_id);
	*listed = (struct lxfw_listed) { 0 };
}

/* Returns the place of a job, which is empty, or NULL with errno ENOMEM. */
static struct lxfw_listed_job *add(struct lxfw_listed *listed, uint64_t id)
{
	struct lxfw_listed_job *job;

	if (LXFW_GROW(listed->list, listed->size, listed->count + 1) ||
	    lxfw_id_map_add(&listed->by_id, id, (int32_t)listed->count))
		return NULL;
	job = &listed->list[listed->count++];
	*job = (struct lxfw_listed_job) { 0 };
	return job;
}

static int add_line(struct lxfw_listed *listed, uint64_t id, char *const *fields)
{
	struct lxfw_listed_job *job = add(listed, id);

	if (!job)
		return -1;
	lxfw_text_quote(job->user, sizeof(job->user), fields[2], strlen(fields[2]));
	if (strchr(fields[1], '+'))
		lxfw_text_quote(job->component, sizeof(job->component), fields[1],
				strlen(fields[1]));
	/* Of several partitions, the first one. */
	lxfw_text_quote(job->partition, sizeof(job->partition), fields[3],
			strcspn(fields[3], ","));
	if (lxfw_text_integer(fields[4], strlen(fields[4]), 0, INT64_C(1) << 40, &job->start))
		job->start = 0;
	return 0;
}

int lxfw_listed_published(struct lxfw_listed *listed, const struct lxfw_publication *from)
{
	for (size_t i = 0; i < from->count; i++) {
		const struct lxfw_publication_job *of = &from->jobs[i];
		uint64_t id = lxfw_publication_id(of->name);
		struct lxfw_listed_job *job;

		if (id == 0 || lxfw_id_map_get(&listed->by_id, id) >= 0)
			continue;
		job = add(listed, id);
		if (!job)
			return -1;
		memcpy(job->user, of->user, sizeof(job->user));
		memcpy(job->partition, of->partition, sizeof(job->partition));
		if (strchr(of->name, '+'))
			memcpy(job->component, of->name, sizeof(job->component));
	}
	return 0;
}

int lxfw_listed_take(struct lxfw_listed *listed, char *output)
{
	char *rest = NULL;

	for (char *line = strtok_r(output, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char *fields[FIELDS], *at = line;
		uint64_t id = 0;
		int i = 0;

		while (i < FIELDS && (fields[i] = lxfw_squeue_field(&at)))
			i++;
		if (i == FIELDS && !*at)
			id = lxfw_squeue_id(fields[0], fields[1]);
		if (id != 0 && lxfw_id_map_get(&listed->by_id, id) < 0 &&
		    add_line(listed, id, fields))
			return -1;
	}
	return 0;
}

int lxfw_listed_read(struct lxfw_listed *listed, struct lxfw_error *error)
{
	char *output = lxfw_squeue_run("PENDING,RUNNING,SUSPENDED", "jobid:|,jobarrayid:|,"
				       "username:|,partition:|,starttime:|", error);
	int result = output ? lxfw_listed_take(listed, output) : -1;

	if (output && result)
		lxfw_error_set(error, "out of memory");
	free(output);
	return result;
}

bool lxfw_listed_of_several(const struct lxfw_listed *listed)
{
	for (size_t i = 1; i < listed->count; i++) {
		if (strcmp(listed->list[i].user, listed->list[0].user) != 0)
			return true;
	}
	return false;
}

bool lxfw_sight_take(struct lxfw_sight *sight, bool hides, bool several)
{
	sight->all = hides && !sight->shown && (sight->all || several);
	sight->shown = !hides;
	return !hides || sight->all;
}

const struct lxfw_listed_job *lxfw_listed_find(const struct lxfw_listed *listed, uint64_t id)
{
	int32_t index = lxfw_squeue_find(&listed->by_id, id);

	return index < 0 ? NULL : &listed->list[index];
}

const struct lxfw_listed_job *lxfw_listed_named(const struct lxfw_listed *listed,
						const char *name)
{
	/* Of a task only the number of the array is in its name, which is sufficient. */
	uint64_t id = lxfw_squeue_id("1", name);
	int64_t number;

	if (id != 0 && !strchr(name, '_') &&
	    lxfw_text_integer(name, strspn(name, "0123456789"), 1, UINT32_MAX, &number) == 0)
		id = (uint64_t)number;
	return id != 0 ? lxfw_listed_find(listed, id) : NULL;
}
