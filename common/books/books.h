/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of the scheduler (its "books"), shared by the files of the policy library:
 * jobs, classes of waiting jobs, host sets, reservations, blocks, and the availability
 * profile.
 *
 * Waiting jobs with equal requests form a *class*. Their priorities are parallel lines in
 * time, so the order within a class changes only when the workload manager changes the
 * priority of a job. If one job of a class cannot start, no other one can. A pass
 * therefore examines the head of each class and not every job.
 */
#ifndef LXFW_BOOKS_BOOKS_H
#define LXFW_BOOKS_BOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/books/class.h"
#include "common/books/group.h"
#include "common/books/job.h"
#include "common/books/ranks.h"
#include "common/books/reservation.h"
#include "common/books/weights.h"
#include "common/model/action.h"
#include "common/model/event.h"
#include "common/model/request.h"
#include "common/params/params.h"
#include "common/params/policy.h"
#include "common/profile/profile.h"
#include "common/util/id_map.h"

struct lxfw_host_set {
	uint64_t *members;	/* one bit for each host */
	size_t words;
	int32_t count;
};

/* An observer (observer.h) with its state. */
struct lxfw_attached {
	const struct lxfw_observer *observer;
	const char *name;	/* of the observer; its address identifies the state */
	void *state;
};

/* Private to pass/periods.c. */
struct lxfw_periods {
	struct lxfw_period {
		int64_t begin, end;
		size_t at;	/* number of its set of hosts */
	} *periods;
	size_t periods_size, count;
	uint64_t *hosts;	/* of each period, one bit for each host */
	size_t hosts_size, sets;
	uint64_t *freed;	/* scratch: a set of hosts */
	size_t freed_size;
};

/* Private to pass/whole.c: the running jobs by expected end, and their shares; and, one bit for
   each host, those with free processors and those that the job which is considered may use. */
struct lxfw_ends {
	struct lxfw_end {
		int64_t time;
		uint64_t id;	/* lxfw_id_key() of the job: equal ends are in its order */
		size_t at;	/* of its first share */
		int32_t count;
	} *ends;
	size_t ends_size, count;
	bool known;
	struct lxfw_share *shares;
	size_t shares_size;
	uint64_t *idle, *usable;
	size_t idle_size, usable_size;
};

/* Private to books/oldest.c: jobs that were queued, a binary heap by time of submission. */
struct lxfw_oldest {
	struct lxfw_oldest_entry {
		int64_t submit;
		int32_t job;
	} *queued;
	size_t size, count;
	bool known;
};

#define LXFW_ARRIVED_MAX 16

/* Immediate service, and the policies that observe jobs. */
#define LXFW_OBSERVERS_MAX 8

struct lxfw_sched {
	struct lxfw_params params;
	const struct lxfw_policy_type *policy;	/* the policy of `params` */
	const char *problem;	/* why a policy from a file failed, until the next
				   decision; memory of the policy */
	const struct lxfw_placement_rule *placement;	/* see place/rule.h */
	uint8_t gpus;	/* mask of the extras that are GPUs */
	int64_t now;		/* time of the last event or decision */
	struct lxfw_profile profile;
	struct lxfw_weights weights;	/* of its hosts */

	struct lxfw_job *jobs;
	size_t jobs_size, jobs_used;
	int32_t jobs_free;
	struct lxfw_id_map job_by_id;
	size_t waiting, running;	/* `waiting` includes refused jobs */
	struct lxfw_job_groups groups;
	int32_t refused;		/* list of refused jobs */

	struct lxfw_class *classes;
	size_t classes_size, classes_used;
	struct lxfw_opened *opened;	/* of each class */
	size_t opened_size;
	int32_t classes_free;
	int32_t *class_chains;		/* heads of the chains of a hash table */
	size_t class_chain_count;	/* a power of two */
	struct lxfw_head *heads;	/* of all classes; every class has jobs */
	size_t heads_size, head_count;
	size_t kept_classes;	/* classes of suspended jobs */
	struct lxfw_ranks ranks;	/* classes in order, if time does not change the
					   order */
	size_t sloped;		/* classes with a priority that grows with time */
	bool priorities_stale;	/* hosts or parameters changed */
	bool unordered;		/* some class has `unordered` set */
	double site;		/* weight of a point of the workload manager's priority */
	struct lxfw_class_place *places;	/* scratch array for sorting a class */
	size_t places_size;
	double mean_memory;	/* MB per processor */

	size_t listed, unlisted;	/* jobs in classes with a place in the list
					   (order/list.h), and without */
	bool list_stale;	/* hosts or parameters changed */
	struct lxfw_listed *list;	/* scratch array */
	size_t list_size;

	struct lxfw_host_set *host_sets;
	size_t host_sets_size, host_set_count;

	struct lxfw_job_classes *job_classes;	/* NULL: none */

	struct lxfw_block *blocks;
	size_t blocks_size, block_count;

	struct lxfw_expiry *expiries;	/* binary heap by time, then id */
	size_t expiries_size, expiry_count;
	size_t expiries_kept;	/* number of expiries after outdated ones were last
				   removed */

	/* Reservations in the order of priority. */
	struct lxfw_reservation *reservations;
	size_t reservations_size, reservation_count;
	size_t reserved_for_pools;	/* reservations that only pools delayed */
	uint64_t *dropped;	/* jobs that lost their reservation, to be reported */
	size_t dropped_size, dropped_count;

	uint64_t gains;		/* number of changes after which a blocked job may be able
				   to start */
	uint64_t passes;	/* number of passes */
	uint64_t opened_in, opened_before;	/* the last pass that examined reservations
						   for openings, and the one before */
	uint64_t machine;	/* number of changes of hosts and host sets */
	struct lxfw_judgement *judgements;	/* private to pass/possible.c */
	/* Resources became free earlier than expected. A reservation may therefore move
	   to an earlier start, before `improved_until`; INT64_MIN: none may.
	   `freed_until` is the same for resources that became free in the present or last
	   pass. */
	int64_t improved_until, freed_until;
	/* Dynamic reservations are set aside if there are more kinds of hosts than that
	   (pass/unchanged.h): to search for them on fewer costs less. */
	int32_t aside_kinds;
	bool sooner;		/* a running job was resized and is expected to end
				   earlier; applies to the next pass */
	bool disturbed;		/* a reservation may no longer be valid */
	bool settled;		/* after the last pass every waiting job had a
				   reservation, in an order that time does not change */
	int32_t arrived[LXFW_ARRIVED_MAX];	/* jobs that were queued since the last
						   pass; some may have left the queue */
	int arrived_count;	/* more than LXFW_ARRIVED_MAX: `arrived` is incomplete */
	bool aside;		/* claims of suspended jobs are not in the profile now
				   (pass/suspended.h) */
	uint64_t *shut;		/* scratch of pass/cycle.c, one bit for each host */
	size_t shut_size;
	struct lxfw_periods periods;
	struct lxfw_ends ends;
	bool uncycled;		/* a main pass followed the last backfill pass
				   (pass/cycle.h) */
	int64_t reservable_at;	/* time at which a job considered by the last pass may
				   have a reservation that it could not have then;
				   LXFW_NEVER: none */
	struct lxfw_oldest oldest;
	size_t suspended;	/* classes of waiting jobs that are suspended on hosts and
				   may be requeued */
	size_t probed;		/* number of times that a probe would have started or got a
				   reservation (pass/probe.h) */
	int32_t stuck;		/* the job for which the last pass was interrupted so that
				   they are requeued, or -1 */

	struct lxfw_attached observers[LXFW_OBSERVERS_MAX];
	int observer_count;

	bool suspends;		/* an observer may suspend running jobs, which then keep
				   memory that was expected to become free, and end
				   later */

	/* Scratch arrays of a pass. */
	struct lxfw_candidate *heap;
	size_t heap_size, heap_count;
	uint64_t collections;	/* of candidates, by pass/backfill.c */
	bool any_blocked;	/* a head may be marked `blocked` */
	struct lxfw_share *found;	/* shares of a placement */
	size_t found_size;
	struct lxfw_ranked_host *ranked;
	size_t ranked_size;
	int32_t *order;			/* hosts, for the placement rule */
	size_t order_size;
	int32_t *room;			/* per host, for a placement rule */
	size_t room_size;
	int64_t *times;
	size_t times_size;
	int32_t turn;			/* the host at which the paper's rule found that the
					   rest of the pieces fits on one host */
	uint64_t *marks;		/* per host: the last `mark` that it got */
	size_t marks_size;
	uint64_t mark;
	struct lxfw_host_change *steps;
	size_t steps_size;

	/* The last decision. */
	struct lxfw_action *actions;
	size_t actions_size, action_count;
	struct lxfw_share *shares;	/* shares of the actions, one after the other */
	size_t shares_size, share_count;
};

static inline struct lxfw_head *lxfw_head_of(const struct lxfw_sched *sched,
					     const struct lxfw_class *class)
{
	return &sched->heads[class->position];
}

/* The same as lxfw_weights_boot_of(), without a look at the shares if all hosts are up. */
static inline int64_t lxfw_boot_of(const struct lxfw_sched *sched,
				   const struct lxfw_share *shares, int32_t count)
{
	return sched->weights.most_boot == 0 ? 0 :
	       lxfw_weights_boot_of(&sched->weights, shares, count);
}

/* Length of groups.taken and groups.untaken. */
static inline size_t lxfw_job_groups_words(const struct lxfw_sched *sched)
{
	return ((size_t)sched->profile.host_count + 63) / 64;
}

/* What a job adds to the priority of its class: the workload manager's priority, and its
   place in the list. */
static inline double lxfw_own_term(const struct lxfw_sched *sched,
				   const struct lxfw_job *job)
{
	return sched->site * (double)job->priority + (double)job->place;
}

/* The tier by which a waiting job is ordered. If jobs are preempted by tier, that of a
   suspended job is the last one of its level. */
static inline int32_t lxfw_tier_in_order(const struct lxfw_sched *sched, int32_t tier,
					 bool suspended)
{
	return suspended && sched->policy->backfill.by_tier ?
		       lxfw_params_level_end(&sched->params, tier) : tier;
}

/* The wait after which a job comes before the others of its tier, seconds; 0: none. */
static inline int64_t lxfw_age_first(const struct lxfw_sched *sched)
{
	return sched->policy->order.ages ? sched->params.age_first : 0;
}

/* Whether the order of any two waiting jobs never changes with time. */
static inline bool lxfw_order_is_fixed(const struct lxfw_sched *sched)
{
	return sched->sloped == 0 && sched->params.wbypass == 0 &&
	       !sched->policy->order.rank && lxfw_age_first(sched) == 0;
}

/* Record that resources became free that were not expected to be before UNTIL. */
static inline void lxfw_improved(struct lxfw_sched *sched, int64_t until)
{
	if (sched->freed_until < until)
		sched->freed_until = until;
	if (sched->improved_until < sched->freed_until)
		sched->improved_until = sched->freed_until;
}

/* Whether a job may start on fewer processors than it requests. Then jobs of the same class
   may differ in whether they can start, and what a job can do depends on the time. */
static inline bool lxfw_molds(const struct lxfw_sched *sched)
{
	return sched->policy->traits & LXFW_TRAIT_MOLDABLE;
}

/* Whether the pass of pass/backfill.h leaves jobs with this request to the policy. */
static inline bool lxfw_is_shared(const struct lxfw_sched *sched,
				  const struct lxfw_request *request)
{
	const struct lxfw_backfill *backfill = &sched->policy->backfill;

	return backfill->considers && !backfill->considers(request);
}

#endif
