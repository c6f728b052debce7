/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The order of the workload manager: its priority of each job, which
 * LXFW_EVENT_JOB_PRIORITY reports. Jobs of equal priority are ordered by submit time.
 *
 * With lxfw_preempt_tiers = n, jobs are preempted by tier, as workload managers do that have
 * levels of jobs. Each n tiers are a level (lxfw_params_level()). A job that does not fit
 * beside the reservations before it preempts running jobs of lower levels, if it can start
 * then (pass/preemption.h): the lowest level first, of a level the jobs that started last,
 * and none that is not needed.
 *
 * - A job preempts only jobs of lower levels. Thus no two jobs preempt each other, and a
 *   resumed job is preempted only by one that could have preempted it before.
 * - A preempted job waits in the queue and resumes where it was suspended. It comes before the
 *   other jobs of its level, if the level has tiers below its last one; otherwise it has its
 *   place by priority.
 * - Reservations of suspended jobs are beyond lxfw_reservations, so that jobs that are
 *   backfilled do not keep them from resuming.
 * - Other jobs have reservations as without preemption, as if suspended jobs kept nothing;
 *   suspended jobs that keep what a reservation needs resume without regard to it.
 * - A preempted job releases its processors. It is not preempted in the first
 *   lxfw_preempt_min_run seconds after its start or its resumption.
 * - Exclusive jobs and jobs of several components neither preempt nor are preempted; jobs with
 *   a minimum time limit do not preempt.
 */
#include <math.h>

#include "common/books/books.h"
#include "common/pass/preempting.h"
#include "common/policy/registry.h"

static double one(const struct lxfw_params *params)
{
	(void)params;
	return 1;
}

/* The job that started last is the first one to be preempted. */
static double minus_start(const struct lxfw_sched *sched, const struct lxfw_job *job)
{
	(void)sched;
	return -(double)job->start;
}

/* Priorities of waiting jobs do not depend on time, and are set already. */
static int collect(struct lxfw_sched *sched)
{
	return lxfw_preempting_collect(sched, minus_start);
}

/* The priority of a waiting job: no running job of its level has a lower one. */
static double lowest(const struct lxfw_sched *sched, const struct lxfw_job *job)
{
	(void)sched;
	(void)job;
	return -INFINITY;
}

static int32_t make_room(struct lxfw_sched *sched, int32_t index, bool due)
{
	(void)due;
	return lxfw_preempting_make_room(sched, index, -INFINITY);
}

static int sift(struct lxfw_sched *sched, int32_t reserved)
{
	return lxfw_preempting_sift(sched, reserved, lowest);
}

static bool is_sifted(struct lxfw_sched *sched, int32_t index)
{
	return lxfw_preempting_is_sifted(sched, index, -INFINITY);
}

#define NAME "the workload manager's priority"

static const struct lxfw_policy_type by_tier = {
	.name = "site",
	.code = 10,
	.keys = LXFW_KEYS_BACKFILL | LXFW_KEYS_TIERS,
	.traits = LXFW_TRAIT_INTERRUPTS | LXFW_TRAIT_SUSPENDS |
		  LXFW_TRAIT_QUEUES_SUSPENDED,
	.order = { .name = NAME, .site = one, .rank = collect },
	.backfill = { .preempts = true, .by_tier = true, .make_room = make_room,
		      .sift = sift, .is_sifted = is_sifted },
	.begin = lxfw_preempting_begin,
	.end = lxfw_preempting_end,
};

const struct lxfw_policy_type lxfw_policy_site = {
	.name = "site",
	.code = 10,
	.keys = LXFW_KEYS_BACKFILL | LXFW_KEYS_TIERS,
	.by_tier = &by_tier,
	.order = { .name = NAME, .site = one },
};
