/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's books, shared by the files of the policy: jobs, the waiting
 * ones grouped into classes, host sets, reservations, blocks, and the
 * availability profile.
 *
 * Waiting jobs with equal requests form a *class*. Their priorities are parallel
 * lines in time, so within a class the order changes only when the workload
 * manager gives a job another priority, and when one of them cannot start the
 * others cannot either. A pass looks at the head of each class, not at each job.
 */
#ifndef LXFW_BOOKS_BOOKS_H
#define LXFW_BOOKS_BOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/books/class.h"
#include "common/books/job.h"
#include "common/books/ranks.h"
#include "common/books/reservation.h"
#include "common/model/action.h"
#include "common/model/event.h"
#include "common/model/request.h"
#include "common/params/params.h"
#include "common/params/policy.h"
#include "common/profile/profile.h"
#include "common/util/id_map.h"

struct lxfw_host_set {
	uint64_t *members;	/* one bit a host */
	size_t words;
	int32_t count;
};

/* An observer (observer.h) and its state. */
struct lxfw_attached {
	const struct lxfw_observer *observer;
	const char *name;	/* of the observer: its address finds the state */
	void *state;
};

#define LXFW_ARRIVED_MAX 16

/* Immediate service, and each policy that keeps account of its own. */
#define LXFW_OBSERVERS_MAX 8

struct lxfw_sched {
	struct lxfw_params params;
	const struct lxfw_policy_type *policy;	/* that of `params` */
	const char *problem;	/* why a policy from a file failed, until the next
				   decision; the policy's */
	const struct lxfw_placement_rule *placement;	/* place/rule.h */
	int64_t now;		/* time of the last event or decision */
	struct lxfw_profile profile;

	struct lxfw_job *jobs;
	size_t jobs_size, jobs_used;
	int32_t jobs_free;
	struct lxfw_id_map job_by_id;
	size_t waiting, running;	/* waiting includes refused */
	int32_t refused;		/* list */

	struct lxfw_class *classes;
	size_t classes_size, classes_used;
	int32_t classes_free;
	int32_t *class_chains;		/* hash heads */
	size_t class_chain_count;	/* a power of two */
	struct lxfw_head *heads;	/* of the classes, which all have jobs */
	size_t heads_size, head_count;
	size_t kept_classes;	/* of these, of suspended jobs */
	struct lxfw_ranks ranks;	/* of them, where time does not change their
					   order */
	size_t sloped;		/* of these, with a priority that grows with time */
	bool priorities_stale;	/* hosts or parameters changed */
	bool unordered;		/* some class is */
	double site;		/* weight of a point of a job's own priority */
	struct lxfw_class_place *places;	/* scratch of putting a class in order */
	size_t places_size;
	double mean_memory;	/* MB per processor of the hosts */

	struct lxfw_host_set *host_sets;
	size_t host_sets_size, host_set_count;

	struct lxfw_job_classes *job_classes;	/* NULL: none were given */

	struct lxfw_block *blocks;
	size_t blocks_size, block_count;

	struct lxfw_expiry *expiries;	/* binary heap by time, then id */
	size_t expiries_size, expiry_count;
	size_t expiries_kept;	/* when those that had moved were last removed */

	/* Reserved jobs in the order of their priority. */
	struct lxfw_reservation *reservations;
	size_t reservations_size, reservation_count;
	uint64_t *dropped;	/* jobs that lost theirs, to be told */
	size_t dropped_size, dropped_count;

	uint64_t gains;		/* counts what may let a blocked job start */
	uint64_t machine;	/* counts changes of hosts and host sets */
	/* What has come free, when it was not expected to, may let a reservation move
	   up to a start before this time; INT64_MIN: nothing has. And the same of what
	   came free in the pass under way, or the last one. */
	int64_t improved_until, freed_until;
	bool sooner;		/* a running job was resized and is now expected
				   to end sooner: it has, for the next pass */
	bool disturbed;		/* a reservation may not hold any more */
	bool settled;		/* after the last pass every waiting job had its
				   reservation, in an order that time does not change */
	int32_t arrived[LXFW_ARRIVED_MAX];	/* jobs that have entered the queue
				   since; some may have left it */
	int arrived_count;	/* more than LXFW_ARRIVED_MAX: not all are there */
	size_t suspended;	/* classes of waiting jobs that are on their
				   hosts and may be made to leave them */
	int32_t stuck;		/* the job for which the last pass was broken
				   off, so that they do, or -1 */

	struct lxfw_attached observers[LXFW_OBSERVERS_MAX];
	int observer_count;

	bool suspends;		/* one of them may suspend running jobs: these keep
				   memory that was to come free, and end later */

	/* Scratch of a pass. */
	struct lxfw_candidate *heap;
	size_t heap_size, heap_count;
	struct lxfw_share *found;	/* shares of a placement */
	size_t found_size;
	struct lxfw_ranked_host *ranked;
	size_t ranked_size;
	int32_t *order;			/* hosts, by the placement rule */
	size_t order_size;
	int32_t *room;			/* of each host, for a placement rule */
	size_t room_size;
	int64_t *times;
	size_t times_size;
	struct lxfw_host_change *steps;
	size_t steps_size;

	/* What the last decision returned. */
	struct lxfw_action *actions;
	size_t actions_size, action_count;
	struct lxfw_share *shares;	/* of the actions, by offset until done */
	size_t shares_size, share_count;
};

static inline struct lxfw_head *lxfw_head_of(const struct lxfw_sched *sched,
					     const struct lxfw_class *class)
{
	return &sched->heads[class->position];
}

/* What the workload manager's own priority of a job adds to that of its class. */
static inline double lxfw_site_term(const struct lxfw_sched *sched,
				    const struct lxfw_job *job)
{
	return sched->site * (double)job->priority;
}

/* Whether of two waiting jobs always the same one comes first. */
static inline bool lxfw_order_is_fixed(const struct lxfw_sched *sched)
{
	return sched->sloped == 0 && sched->params.wbypass == 0 &&
	       !sched->policy->order.rank;
}

/* Something has come free that was not expected to be before UNTIL. */
static inline void lxfw_improved(struct lxfw_sched *sched, int64_t until)
{
	if (sched->freed_until < until)
		sched->freed_until = until;
	if (sched->improved_until < sched->freed_until)
		sched->improved_until = sched->freed_until;
}

/* Whether the pass of pass/backfill.h leaves jobs with this request to the policy. */
static inline bool lxfw_is_shared(const struct lxfw_sched *sched,
				  const struct lxfw_request *request)
{
	const struct lxfw_backfill *backfill = &sched->policy->backfill;

	return backfill->considers && !backfill->considers(request);
}

#endif
