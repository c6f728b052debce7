/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/feedback.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/trace/log_dependencies.h"
#include "sim-frontend/util/text.h"

/* What making the groups needs for a while. */
struct making {
	struct lxfw_feedback *feedback;
	const struct lxfw_trace *trace;
	struct lxfw_id_map groups;	/* by number of jobs */
	uint32_t *ranks;		/* of jobs in order of submission */
	uint32_t *last;			/* the last rank of a group */
	struct dependency {
		int64_t number, submit;		/* of the job that waited */
		size_t order;			/* of the comment */
		const char *list;		/* of numbers, "12,13" */
	} *dependencies;
	size_t dependency_count, dependencies_size;
};

static int add_link(struct lxfw_feedback *feedback, int64_t number, size_t position)
{
	if (LXFW_GROW(feedback->links, feedback->links_size, feedback->link_count + 1))
		return -1;
	feedback->links[feedback->link_count++] = (struct lxfw_feedback_link) {
		number, (uint32_t)position,
	};
	return 0;
}

/* --- dependencies of accounting logs (trace/log_dependencies.h) ---------------------- */

static int by_dependent(const void *left, const void *right)
{
	const struct dependency *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->order > b->order) - (a->order < b->order);
}

/* Reads the number at *AT and the SIGN after it. Returns whether they are there. */
static bool read_number(const char **at, char sign, int64_t *number)
{
	size_t digits = strspn(*at, "-0123456789");

	if (digits == 0 || lxfw_text_integer(*at, digits, INT64_MIN / 4, INT64_MAX / 4, number))
		return false;
	*at += digits;
	if (**at != sign)
		return false;
	++*at;
	return true;
}

/* Reads the header comments "Dependency: 17 40 12,13". Others of that name are ignored. */
static int read_dependencies(struct making *making)
{
	const struct lxfw_trace *trace = making->trace;

	for (size_t i = 0; i < trace->header_count; i++) {
		const char *at = trace->headers[i].value;
		struct dependency one;

		if (strcmp(trace->headers[i].key, "Dependency") != 0 ||
		    !read_number(&at, ' ', &one.number) || !read_number(&at, ' ', &one.submit))
			continue;
		one.list = at;
		one.order = making->dependency_count;
		if (LXFW_GROW(making->dependencies, making->dependencies_size,
			      making->dependency_count + 1))
			return -1;
		making->dependencies[making->dependency_count++] = one;
	}
	if (making->dependency_count > 1)
		qsort(making->dependencies, making->dependency_count,
		      sizeof(*making->dependencies), by_dependent);
	return 0;
}

/* Adds the jobs of a list to those that the job at POSITION follows, LEFT at most. */
static int add_list(struct lxfw_feedback *feedback, const char *list, size_t position,
		    size_t *left)
{
	for (; *list && *left > 0; --*left) {
		size_t digits = strspn(list, "0123456789");
		int64_t number;

		if (!lxfw_text_integer(list, digits, 1, INT64_MAX, &number) &&
		    add_link(feedback, number, position))
			return -1;
		list += digits;
		list += *list != '\0';
	}
	return 0;
}

/* Adds what the header comments say of the job at POSITION. Returns 1, 0 if they say nothing, or
   -1. */
static int take_dependency(struct making *making, size_t position)
{
	struct lxfw_feedback *feedback = making->feedback;
	const int64_t number = making->trace->jobs[position].number;
	const struct dependency *all = making->dependencies;
	size_t low = 0, high = making->dependency_count, left = LXFW_DEPENDENCIES_MOST;
	bool thinks = making->trace->preceding[position].think >= 0;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (all[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == making->dependency_count || all[low].number != number)
		return 0;
	if (thinks)
		feedback->jobs[position].earliest = all[low].submit;
	for (size_t i = low; i < making->dependency_count && all[i].number == number &&
	     left > 0; i++) {
		if (add_list(feedback, all[i].list, position, &left))
			return -1;
	}
	return 1;
}

/* --- columns 17 and 18 ---------------------------------------------------------------- */

static int take_columns(struct making *making)
{
	const struct lxfw_trace *trace = making->trace;
	struct lxfw_feedback *feedback = making->feedback;

	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_preceding *preceding = &trace->preceding[i];
		bool thinks = preceding->think >= 0;
		int took;

		feedback->jobs[i] = (struct lxfw_feedback_job) {
			.earliest = thinks ? INT64_MIN : LXFW_FEEDBACK_RECORDED,
			.think = thinks ? preceding->think : 0, .group = -1,
		};
		if (preceding->number <= 0)
			continue;
		took = take_dependency(making, i);
		if (took < 0 || (took == 0 && add_link(feedback, preceding->number, i)))
			return -1;
		feedback->stated++;
	}
	return 0;
}

/* --- groups ------------------------------------------------------------------------------ */

static int by_number(const void *left, const void *right)
{
	const struct lxfw_feedback_link *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

/* Sorts the links and makes a group of each number, without members. */
static int make_groups(struct making *making)
{
	struct lxfw_feedback *feedback = making->feedback;
	struct lxfw_feedback_link *links = feedback->links;

	if (feedback->link_count > 1)
		qsort(links, feedback->link_count, sizeof(*links), by_number);
	feedback->groups = calloc(feedback->link_count + 1, sizeof(*feedback->groups));
	if (!feedback->groups)
		return -1;
	for (size_t i = 0; i < feedback->link_count; i++) {
		if (i > 0 && links[i].number == links[i - 1].number)
			continue;
		if (lxfw_id_map_add(&making->groups, (uint64_t)links[i].number,
				    (int32_t)feedback->group_count))
			return -1;
		feedback->groups[feedback->group_count++].first = (uint32_t)i;
	}
	return 0;
}

static int rank_jobs(struct making *making)
{
	const struct lxfw_trace *trace = making->trace;

	making->ranks = malloc((trace->count + 1) * sizeof(*making->ranks));
	making->last = calloc(making->feedback->group_count + 1, sizeof(*making->last));
	if (!making->ranks || !making->last)
		return -1;
	for (size_t i = 0; i < trace->count; i++)
		making->ranks[lxfw_trace_at(trace, i)] = (uint32_t)i;
	return 0;
}

static void add_members(struct making *making)
{
	const struct lxfw_trace *trace = making->trace;
	struct lxfw_feedback *feedback = making->feedback;

	for (size_t i = 0; i < trace->count; i++) {
		int64_t number = trace->jobs[i].number;
		int32_t group = number > 0 ?
			lxfw_id_map_get(&making->groups, (uint64_t)number) : -1;

		feedback->jobs[i].group = group;
		if (group < 0)
			continue;
		feedback->groups[group].members++;
		if (making->ranks[i] > making->last[group])
			making->last[group] = making->ranks[i];
	}
}

/* Keeps the links to jobs that the trace has and that were submitted earlier. */
static void keep_links(struct making *making)
{
	struct lxfw_feedback *feedback = making->feedback;
	size_t kept = 0, at = 0;

	for (size_t i = 0; i < feedback->group_count; i++) {
		struct lxfw_feedback_group *group = &feedback->groups[i];
		int64_t number = feedback->links[at].number;
		size_t begin = at;

		group->first = (uint32_t)kept;
		for (; at < feedback->link_count && feedback->links[at].number == number; at++) {
			uint32_t position = feedback->links[at].position;

			if (at > begin && feedback->links[at - 1].position == position)
				continue;	/* named twice */
			if (group->members == 0) {
				feedback->missing++;
			} else if (making->last[i] >= making->ranks[position]) {
				feedback->not_earlier++;
			} else {
				feedback->jobs[position].waits++;
				feedback->links[kept++] = feedback->links[at];
			}
		}
		group->count = (uint32_t)(kept - group->first);
	}
	feedback->link_count = kept;
	for (size_t i = 0; i < making->trace->count; i++)
		feedback->followers += feedback->jobs[i].waits > 0;
}

int lxfw_feedback_make(struct lxfw_feedback *feedback, const struct lxfw_trace *trace)
{
	struct making making = { .feedback = feedback, .trace = trace };
	int failed;

	*feedback = (struct lxfw_feedback) { 0 };
	if (!trace->preceding)
		return 0;
	feedback->jobs = calloc(trace->count + 1, sizeof(*feedback->jobs));
	failed = !feedback->jobs || read_dependencies(&making) || take_columns(&making) ||
		 make_groups(&making) || rank_jobs(&making);
	if (!failed) {
		add_members(&making);
		keep_links(&making);
	}
	lxfw_id_map_clear(&making.groups);
	free(making.ranks);
	free(making.last);
	free(making.dependencies);
	if (!failed && feedback->followers > 0)
		return 0;
	free(feedback->jobs);
	feedback->jobs = NULL;
	if (!failed)
		return 0;
	lxfw_feedback_clear(feedback);
	errno = ENOMEM;
	return -1;
}

void lxfw_feedback_clear(struct lxfw_feedback *feedback)
{
	int saved = errno;

	free(feedback->jobs);
	free(feedback->groups);
	free(feedback->links);
	*feedback = (struct lxfw_feedback) { 0 };
	errno = saved;
}
