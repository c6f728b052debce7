/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/now_request.h"

#include <stdio.h>
#include <string.h>

#include "sim-frontend/cmd/now.h"
#include "sim-frontend/util/text.h"

/* The partition with this name; "": the one of jobs that name none. NULL: there is none. */
static const struct lxfw_watch_partition *find(const char *name)
{
	size_t count;
	const struct lxfw_watch_partition *partitions = lxfw_now_partitions(&count);

	for (size_t i = 0; i < count; i++) {
		if (*name ? strcmp(partitions[i].name, name) == 0 : partitions[i].usual)
			return &partitions[i];
	}
	return NULL;
}

static int refuse(const char *name, struct lxfw_error *error)
{
	char list[160] = "";
	size_t count, length = 0;
	const struct lxfw_watch_partition *partitions = lxfw_now_partitions(&count);

	for (size_t i = 0; i < count && length + sizeof(partitions->name) + 2 < sizeof(list); i++)
		length += (size_t)sprintf(list + length, "%s%s", i > 0 ? ", " : "",
					  partitions[i].name);
	return lxfw_error_format(error, "request: no partition '%.40s', expected one of %s", name,
				 list);
}

static int take_limit(struct lxfw_request_text *to, const struct lxfw_watch_partition *partition,
		      struct lxfw_error *error)
{
	if (to->limit == 0 && partition)
		to->limit = partition->default_time > 0 ? partition->default_time :
							  partition->max_time;
	if (to->limit == 0)
		return lxfw_error_format(error, "request without a time limit, expected -t TIME");
	if (partition && partition->max_time > 0 && to->limit > partition->max_time)
		return lxfw_error_format(error, "request: its time limit is longer than that of "
					 "partition %s, expected at most %lld minutes",
					 partition->name, (long long)partition->max_time / 60);
	return 0;
}

int lxfw_now_request(struct lxfw_request_text *to, const char *text, struct lxfw_error *error)
{
	const struct lxfw_watch_partition *partition;

	if (lxfw_request_read(to, text, error))
		return -1;
	/* -p 3 is the number of a host set in a journal, and a name here. */
	if (to->host_set >= 0)
		snprintf(to->partition, sizeof(to->partition), "%d", (int)to->host_set);
	partition = find(to->partition);
	if (!partition && *to->partition)
		return refuse(to->partition, error);
	if (partition && partition->closed)
		return lxfw_error_format(error, "request: partition %s does not start jobs that are "
					 "submitted now (its State is not UP)", partition->name);
	if (take_limit(to, partition, error))
		return -1;
	if (!partition)
		return 0;
	to->host_set = partition->set;
	to->found = true;
	to->tier = partition->tier;
	to->threads = partition->threads;
	to->exclusive |= partition->exclusive;
	return 0;
}
