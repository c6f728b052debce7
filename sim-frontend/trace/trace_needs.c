/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Requirements of the jobs of a trace on a cluster, from its header comments. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/trace/cluster_extras.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/text.h"

struct lxfw_slice lxfw_trace_name(const struct lxfw_trace *trace, const char *key,
				  int64_t number)
{
	char text[24];
	size_t length = (size_t)lxfw_text_put_integer(text, number);

	for (size_t i = 0; i < trace->header_count; i++) {
		const char *value = trace->headers[i].value;

		if (strcasecmp(trace->headers[i].key, key) != 0 ||
		    strncmp(value, text, length) != 0)
			continue;
		value += length;
		if (*value != ' ' && *value != '\t')
			continue;
		value += strspn(value, " \t");
		return (struct lxfw_slice) { value, strlen(value) };
	}
	return (struct lxfw_slice) { "", 0 };
}

/* Returns the first word of a name; the rest is a remark. */
static struct lxfw_slice first_word(struct lxfw_slice name)
{
	name.length = strcspn(name.at, " \t");
	return name;
}

static bool knows(const struct lxfw_cluster *cluster, struct lxfw_slice list)
{
	size_t length = lxfw_hostlist_item(list.at, list.length);

	return lxfw_cluster_find_set(cluster, list.at, length) >= 0;
}

/* Returns the partitions of a job, by their names in the cluster. */
static struct lxfw_slice partitions_of(const struct lxfw_trace *trace,
				       const struct lxfw_cluster *cluster,
				       const struct lxfw_trace_owner *owner)
{
	struct lxfw_slice queue = first_word(lxfw_trace_name(trace, "Queue",
							     owner->queue));
	struct lxfw_slice partition;

	if (cluster->set_count == 0 || knows(cluster, queue))
		return queue;
	partition = first_word(lxfw_trace_name(trace, "Partition",
					       owner->partition));
	return knows(cluster, partition) ? partition : queue;
}

/* The numbers of a job, and its position in the trace as `need`. Jobs with the same
   numbers have the same requirements. */
struct found {
	int32_t queue, partition, request;
	uint32_t need;
};

static int by_numbers(const void *left, const void *right)
{
	const struct found *a = left, *b = right;

	if (a->queue != b->queue)
		return a->queue < b->queue ? -1 : 1;
	if (a->partition != b->partition)
		return a->partition < b->partition ? -1 : 1;
	if (a->request != b->request)
		return a->request < b->request ? -1 : 1;
	return (a->need > b->need) - (a->need < b->need);
}

static int32_t find_need(const struct lxfw_trace *trace,
			 const struct lxfw_cluster *cluster,
			 const struct lxfw_trace_owner *owner)
{
	return lxfw_needs_find(trace->needs, cluster,
			       partitions_of(trace, cluster, owner),
			       first_word(lxfw_trace_name(trace, "Request",
							  owner->request)));
}

int lxfw_trace_copy(struct lxfw_trace *copy, const struct lxfw_trace *trace)
{
	size_t jobs = trace->count * sizeof(*copy->jobs);

	*copy = (struct lxfw_trace) {
		.jobs = malloc(jobs + 1), .count = trace->count, .size = trace->count,
	};
	if (copy->jobs && jobs > 0)
		memcpy(copy->jobs, trace->jobs, jobs);
	if (!copy->jobs || lxfw_trace_copy_needs(copy, trace) || lxfw_trace_sort(copy)) {
		lxfw_trace_clear(copy);
		errno = ENOMEM;
		return -1;
	}
	return 0;
}

const struct lxfw_need *lxfw_trace_need_of(const struct lxfw_trace *trace,
					   const struct lxfw_cluster *cluster,
					   const struct lxfw_trace_owner *owner)
{
	int32_t need = trace->needs ? find_need(trace, cluster, owner) : -1;

	return need < 0 ? NULL : &trace->needs->needs[need];
}

/* Looks up each combination of numbers once. FOUND has an entry for each job. */
static int look_up(struct lxfw_trace *trace, const struct lxfw_cluster *cluster,
		   struct found *found)
{
	int32_t need = -1;

	qsort(found, trace->count, sizeof(*found), by_numbers);
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_owner *owner =
			&trace->owners[found[i].need];

		if (i == 0 || found[i].queue != found[i - 1].queue ||
		    found[i].partition != found[i - 1].partition ||
		    found[i].request != found[i - 1].request)
			need = find_need(trace, cluster, owner);
		if (need < 0)
			return -1;
		trace->need_of[found[i].need] = (uint32_t)need;
	}
	return 0;
}

static bool is_not_reserved(void *context, const struct lxfw_trace_job *job)
{
	const struct lxfw_trace *trace = context;

	return !lxfw_trace_need(trace, (size_t)(job - trace->jobs))->reserved;
}

/* Applies the requirements to each job. */
static int take_all(struct lxfw_trace *trace)
{
	size_t reserved;

	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_need *need = lxfw_trace_need(trace, i);
		struct lxfw_trace_job *job = &trace->jobs[i];

		if (trace->owners[i].no_limit)
			job->limit = lxfw_need_limit(need, job->run);
		lxfw_needs_count(trace->needs, need, job->limit);
	}
	return trace->needs->told.reserved > 0 ?
		lxfw_trace_filter(trace, is_not_reserved, trace, &reserved) : 0;
}

int lxfw_trace_choose_gres(const struct lxfw_trace *trace, struct lxfw_cluster *cluster)
{
	bool *wanted;
	int failed;

	if (cluster->extras_left_out == 0)
		return 0;
	wanted = calloc((size_t)cluster->gres.count + 1, sizeof(*wanted));
	if (!wanted)
		return -1;
	for (size_t i = 0; i < trace->header_count; i++) {
		const struct lxfw_trace_header *header = &trace->headers[i];
		const char *text = header->value + strcspn(header->value, " \t");

		/* "Request: 3 nodes=2,gres/gpu=8" */
		text += strspn(text, " \t");
		if (strcasecmp(header->key, "Request") == 0)
			lxfw_needs_want(&cluster->gres, (struct lxfw_slice) {
				text, strcspn(text, " \t") }, wanted);
	}
	failed = lxfw_cluster_settle_wanted(cluster, wanted);
	free(wanted);
	return failed;
}

int lxfw_trace_take_needs(struct lxfw_trace *trace,
			  const struct lxfw_cluster *cluster)
{
	struct found *found;
	int result;

	if (!lxfw_needs_matter(cluster) || !trace->owners ||
	    (cluster->set_count == 0 && cluster->gres.count == 0 &&
	     !lxfw_trace_header(trace, "Request")))
		return 0;
	trace->needs = calloc(1, sizeof(*trace->needs));
	trace->need_of = calloc(trace->count + 1, sizeof(*trace->need_of));
	found = calloc(trace->count + 1, sizeof(*found));
	if (!trace->needs || !trace->need_of || !found) {
		free(found);
		return -1;
	}
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_owner *owner = &trace->owners[i];

		found[i] = (struct found) { owner->queue, owner->partition,
					    owner->request, (uint32_t)i };
	}
	result = look_up(trace, cluster, found);
	free(found);
	return result ? -1 : take_all(trace);
}

int lxfw_trace_copy_needs(struct lxfw_trace *copy, const struct lxfw_trace *trace)
{
	size_t kinds, jobs = trace->count * sizeof(*copy->need_of);

	if (!trace->need_of)
		return 0;
	kinds = trace->needs->keys.count * sizeof(*trace->needs->needs);
	copy->needs = calloc(1, sizeof(*copy->needs));
	copy->need_of = malloc(jobs + 1);
	if (!copy->needs || !copy->need_of)
		return -1;
	copy->needs->needs = malloc(kinds + 1);
	if (!copy->needs->needs)
		return -1;
	memcpy(copy->needs->needs, trace->needs->needs, kinds);
	memcpy(copy->need_of, trace->need_of, jobs);
	return 0;
}
