/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preemption by priority: which running jobs are suspended so that a waiting job of higher
 * priority can start (Balasubramanian, Sussman and Sadeh 2013, section 5.1, algorithm 1).
 *
 * Running jobs of lower priority are examined from the lowest priority on, until what they
 * release, together with what is free, is enough. The last one of them is needed. It is
 * preempted
 *   alone, if that is enough (FindJobstoPreempt, line 8);
 *   otherwise with one other, the smallest that is enough (FindOptimal, lines 2 to 4);
 *   otherwise with those that remain when the widest jobs that are not needed have been
 *   released, one after the other. The paper does not define
 *   searchCombinationsforOptimalPreemption.
 *
 * "Enough" is decided by the search for hosts (place/place.h) with the claims of these jobs
 * reduced. It therefore covers all resources of a request: processors, memory, extras, the
 * number of hosts, host sets, placement rules and blocks.
 *
 * Preemption by tier (policy/site.c) takes jobs in the same way, only of lower levels.
 */
#ifndef LXFW_PASS_PREEMPTION_H
#define LXFW_PASS_PREEMPTION_H

#include "common/books/books.h"

/* A running job that may be preempted. */
struct lxfw_preemptable {
	double priority;
	int64_t submit;
	uint64_t id;
	int64_t memory_mb;
	int32_t job, procs;
	int32_t tier;			/* or its level, if jobs are preempted by tier */
	bool young;			/* it may be preempted later */
	bool out;			/* its claim is reduced during a search */
	size_t shares;			/* index of its first share, during a search */
	int32_t share_count;
};

/* A waiting job that may preempt others. */
struct lxfw_preempter {
	double priority;
	int32_t job, tier;		/* tier as of struct lxfw_preemptable */
	bool may_start;
};

/* The jobs that may be preempted in a pass, and scratch arrays. All 0 at first. */
struct lxfw_preemption {
	struct lxfw_preemptable *jobs;	/* lowest priority first */
	size_t jobs_size, job_count;
	struct lxfw_share *shares;
	size_t shares_size;
	struct lxfw_preempter *waiting;
	size_t waiting_size, waiting_count;
	int32_t *by_size;		/* indices into `jobs` */
	size_t by_size_size;
	/* Something other than priorities may keep, or has kept, a job from preempting: a
	   running job that is an obstacle, or a block. */
	bool obstacles;
	/* What each host would have if all jobs that may be preempted were, in pass `most_pass`
	   after `most_actions` actions. */
	struct lxfw_resources *most;
	size_t most_size, most_actions;
	uint64_t most_pass;
	struct lxfw_share *scratch;
	size_t scratch_size;
	/* Of the jobs that have not run for the least time yet: the time at which the
	   first of them may be preempted, or LXFW_NEVER, and their lowest tier (or level) and
	   priority. */
	int64_t young_until;
	int32_t young_tier;
	double young_priority;
};

/* Collect the running jobs, with PRIORITY of each. Exclusive jobs, components of groups, and
   jobs whose request is unknown or that others have suspended are left out. Returns 0, or -1
   with errno ENOMEM. */
int lxfw_preemption_collect(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			 double (*priority)(const struct lxfw_sched *sched,
					    const struct lxfw_job *job));

/* Start or resume the waiting JOB, which has PRIORITY and does not fit, by suspending jobs
   of a lower tier, or of its tier and a lower priority; if jobs are preempted by tier, levels
   count instead of tiers. They keep what lxfw_rem_frees does
   not release, and wait in the queue. None of them keeps what the reservation of a job
   before JOB needs. Returns 1, 0 if that is not possible, or -1 with
   errno ENOMEM. */
int32_t lxfw_preemption_for(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			 int32_t job, double priority);

/* Set `may_start` of the jobs in `waiting` that may be able to start in the rest of the pass:
   they would fit if all jobs that may be preempted for them released their processors, suspended
   jobs kept nothing, and all reservations but the first RESERVED were given up. The other jobs do
   not fit, and lxfw_preemption_for() would return 0 for them, now and after any start in the pass
   that preempts none. That is so if the rule of placement finds hosts for a job wherever it finds
   some in less room; `stock`, which only simulations have, may not, with max_hosts.
   The jobs are possible (pass/possible.h), have no reservation, are not suspended and do not need
   empty hosts; the order of the list changes. Returns 0, or -1 with errno ENOMEM. */
int lxfw_preemption_examine(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			    int32_t reserved);

/* Whether preemption does not release all that the running JOB has, with any parameters. */
bool lxfw_preemption_is_obstacle(const struct lxfw_sched *sched, int32_t job);

/* Whether the waiting JOB, which is not exclusive and in no group, would fit if all jobs that
   may be preempted, now or later, were preempted, whatever their priority. In a pass for
   which lxfw_preemption_collect() was called. Returns 1, 0, or -1 with errno ENOMEM. */
int lxfw_preemption_suffices(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			     int32_t job);

/* Whether running jobs have more processors of the host than it has. Blocks do not count. */
bool lxfw_preemption_is_overcommitted(const struct lxfw_sched *sched, int32_t host);

/* Suspend collected jobs, the lowest priority first, on hosts with more processors in use
   than they have: a job that was suspended for others is reported as running after a restart
   of the workload manager's scheduler or a change of policy. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_preemption_settle(struct lxfw_sched *sched, struct lxfw_preemption *preemption);

/* The earliest time at which jobs that are too young now may be preempted for a job of TIER
   (or level, lxfw_preemption_tier()) and PRIORITY, or LXFW_NEVER. */
int64_t lxfw_preemption_later(const struct lxfw_preemption *preemption, int32_t tier,
			      double priority);

/* The tier of the job, or its level if jobs are preempted by tier. */
static inline int32_t lxfw_preemption_tier(const struct lxfw_sched *sched,
					   const struct lxfw_job *job)
{
	return sched->policy->backfill.by_tier ?
		       lxfw_params_level(&sched->params, job->request.tier) :
		       job->request.tier;
}

/* Release the arrays. */
void lxfw_preemption_clear(struct lxfw_preemption *preemption);

#endif
