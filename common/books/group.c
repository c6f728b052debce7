/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/books/group.h"

#include <stdlib.h>

#include "common/books/books.h"
#include "common/util/grow.h"

static void clear_plan(struct lxfw_plan *plan)
{
	free(plan->jobs);
	free(plan->shares);
	*plan = (struct lxfw_plan){ 0 };
}

void lxfw_job_groups_clear(struct lxfw_job_groups *groups)
{
	for (size_t i = 0; i < groups->used; i++)
		clear_plan(&groups->groups[i].plan);
	clear_plan(&groups->trial);
	lxfw_id_map_clear(&groups->by_id);
	free(groups->groups);
	free(groups->taken);
	free(groups->untaken);
	*groups = (struct lxfw_job_groups){ 0 };
}

void lxfw_job_groups_begin(struct lxfw_job_groups *groups)
{
	groups->placements = groups->counted = 0;
	groups->decision++;
	if (!groups->unfinished)
		groups->round = groups->decision;
	groups->unfinished = false;
}

/* The index of the group, which is created if necessary, or -1 with errno ENOMEM. */
static int32_t enter(struct lxfw_job_groups *groups, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&groups->by_id, id);

	if (index >= 0)
		return index;
	if (groups->free == 0 &&
	    LXFW_GROW(groups->groups, groups->size, groups->used + 1))
		return -1;
	index = groups->free > 0 ? groups->free - 1 : (int32_t)groups->used;
	if (lxfw_id_map_add(&groups->by_id, id, index) < 0)
		return -1;
	if (groups->free > 0)
		groups->free = groups->groups[index].first;
	else
		groups->used++;
	groups->groups[index] = (struct lxfw_job_group){ .id = id, .first = -1 };
	return index;
}

int lxfw_group_join(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_job_group *group;
	int32_t *link;

	job->group = enter(&sched->groups, job->request.group);
	if (job->group < 0)
		return -1;
	group = &sched->groups.groups[job->group];
	link = &group->first;
	while (*link >= 0 && sched->jobs[*link].request.id < job->request.id)
		link = &sched->jobs[*link].group_next;
	job->group_next = *link;
	*link = index;
	group->count++;
	sched->groups.jobs++;
	return 0;
}

void lxfw_group_leave(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job_groups *groups = &sched->groups;
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_job_group *group;
	int32_t *link;

	group = &groups->groups[job->group];
	link = &group->first;
	while (*link != index)
		link = &sched->jobs[*link].group_next;
	*link = job->group_next;
	groups->jobs--;
	if (--group->count == 0) {
		lxfw_id_map_remove(&groups->by_id, group->id);
		clear_plan(&group->plan);
		group->first = groups->free;
		groups->free = job->group + 1;
	}
	job->group = job->group_next = -1;
}

int32_t lxfw_group_first(const struct lxfw_sched *sched, int32_t index)
{
	int32_t group = sched->jobs[index].group;

	return group < 0 ? index : sched->groups.groups[group].first;
}

bool lxfw_group_is_complete(const struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job_group *group =
		&sched->groups.groups[sched->jobs[index].group];

	for (int32_t i = group->first; i >= 0; i = sched->jobs[i].group_next) {
		if (sched->jobs[i].state != LXFW_JOB_MEMBER ||
		    sched->jobs[i].request.group_count != group->count)
			return false;
	}
	return true;
}

/* Add AMOUNT to *SUM. A sum that is too large for its type is the largest number. */
static void add_bounded(struct lxfw_resources *sum, const struct lxfw_resources *amount)
{
	sum->procs = sum->procs > INT32_MAX - amount->procs ?
		     INT32_MAX : sum->procs + amount->procs;
	sum->memory_mb = sum->memory_mb > INT64_MAX - amount->memory_mb ?
			 INT64_MAX : sum->memory_mb + amount->memory_mb;
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		sum->extras[i] = sum->extras[i] > INT32_MAX - amount->extras[i] ?
				 INT32_MAX : sum->extras[i] + amount->extras[i];
}

void lxfw_group_sum(const struct lxfw_sched *sched, int32_t index,
		    struct lxfw_resources *sum, int64_t *shortest)
{
	*sum = (struct lxfw_resources){ 0 };
	*shortest = LXFW_TIME_MAX;
	for (int32_t i = lxfw_group_first(sched, index); i >= 0;
	     i = sched->jobs[i].group_next) {
		const struct lxfw_request *request = &sched->jobs[i].request;
		struct lxfw_resources own = lxfw_request_sum(request);

		add_bounded(sum, &own);
		if (request->estimate < *shortest)
			*shortest = request->estimate;
	}
}
