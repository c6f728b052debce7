/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Definition of a policy: its order of jobs, its kind of backfill, and its further
 * functions. Each policy is defined in a file or folder of common/policy/;
 * policy/registry.c has the list. Code that treats some policies differently tests a
 * trait, never the policy itself.
 */
#ifndef LXFW_PARAMS_POLICY_H
#define LXFW_PARAMS_POLICY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/params/keys.h"
#include "common/params/params.h"

struct lxfw_class;
struct lxfw_listed;
struct lxfw_request;
struct lxfw_sched;

/* Properties that adapters, the simulator and reports test. */
enum lxfw_policy_trait {
	LXFW_TRAIT_INTERRUPTS = 1 << 0,	/* resizes, suspends or requeues running jobs,
					   even without immediate service */
	LXFW_TRAIT_ADAPTIVE = 1 << 1,	/* a job that is not `rigid` may get fewer
					   processors than requested, on one host;
					   `min_procs` is used */
	LXFW_TRAIT_ONE_HOST = 1 << 2,	/* every job runs on one host */
	LXFW_TRAIT_OWN_PLACING = 1 << 3,	/* ignores the placement rules */
	LXFW_TRAIT_CLASSES = 1 << 4,	/* needs LXFW_EVENT_JOB_CLASSES */
	LXFW_TRAIT_WEIGHTS = 1 << 5,	/* orders jobs by the weights of table 3; if
					   adaptive, rigid jobs only */
	LXFW_TRAIT_SHORTEST = 1 << 6,	/* orders jobs by requested time */
	LXFW_TRAIT_IN_ORDER = 1 << 7,	/* no job overtakes the first one */
	LXFW_TRAIT_RESERVES_ALL = 1 << 8,	/* every waiting job has a reservation */
	LXFW_TRAIT_OFFLINE = 1 << 9,	/* for simulations only: the plugins refuse it */
	LXFW_TRAIT_DEFAULT = 1 << 10,	/* the default; one policy has it */
	LXFW_TRAIT_SCRIPT = 1 << 11,	/* from a file, identified by `digest` of the
					   parameters */
	LXFW_TRAIT_MOLDABLE = 1 << 12,	/* a job may start on fewer or more processors
					   than requested (pass/mold.h), which also
					   changes its run time */
	LXFW_TRAIT_SUSPENDS = 1 << 13,	/* suspends running jobs for others and resumes
					   them, without immediate service */
	LXFW_TRAIT_QUEUES_SUSPENDED = 1 << 14,	/* backfill.preempts: a suspended job waits
					   in the queue, and others may use its
					   processors. Adapters report the requests of
					   running jobs */
};

/* An order of waiting jobs. Each class of equal requests has a priority that is linear in
   time. Jobs of equal priority are ordered by submit time, then id. */
struct lxfw_order {
	const char *name;
	/* Set *INTERCEPT and *SLOPE, which are 0 before: priority = intercept + slope *
	   seconds waited. Called when a class is created, and for all classes when hosts
	   or parameters have changed. NULL: order by submit time. */
	void (*line)(const struct lxfw_sched *sched, const struct lxfw_class *class,
		     double *intercept, double *slope);
	/* The weight of a point of the workload manager's priority of a job
	   (LXFW_EVENT_JOB_PRIORITY), which is added to the line. NULL: 0. */
	double (*site)(const struct lxfw_params *params);
	/* Jobs that have waited longer than lxfw_age_first come before the others. */
	bool ages;
	/* Jobs with equal requests can have different priorities. Every waiting job is
	   then a class of its own, and the cost of a pass grows with the number of
	   waiting jobs. This cannot change while jobs wait. */
	bool alone;
	/* Called before each pass if priorities are not linear in time: sets `intercept`
	   of the heads (books/class.h) to the present priorities; `slope` stays 0.
	   Returns 0, or -1 with errno ENOMEM or with sched->problem set. NULL: priorities
	   are linear. */
	int (*rank)(struct lxfw_sched *sched);
	/* Computes the order of all waiting jobs as a list (order/list.h), from time to
	   time; lines are 0 then. NULL: there is no list. */
	int (*list)(struct lxfw_listed *jobs, size_t count, int64_t procs,
		    enum lxfw_job_weight weight);
};

#define LXFW_NO_RESERVATIONS (-1)

/* How a pass (pass/backfill.h) goes through the queue. */
struct lxfw_backfill {
	int32_t reservations;	/* number of reservations; 0: as in the parameters;
				   LXFW_NO_RESERVATIONS: none */
	bool in_order;		/* no job overtakes one that has a reservation */
	bool keeps;		/* a start time, once given, is kept */
	bool dynamic;		/* reservations are made again in the order of priority,
				   whatever lxfw_reservation_mode is */
	bool cycles;		/* jobs are backfilled at multiples of lxfw_backfill_interval
				   (pass/cycle.h) */
	bool announces_later;	/* the policy's own pass reports lost reservations, since
				   their jobs may still start */
	/* Jobs of any size may make room by preempting others (pass/preemption.h), and a
	   suspended job resumes on its hosts; it starts elsewhere, with the loss of its
	   work, only if one of them is down. Reservations are made as if suspended jobs
	   kept nothing (pass/suspended.h). */
	bool preempts;
	/* With `preempts`: jobs of a higher level preempt those of lower ones
	   (lxfw_params_level()). A suspended job comes before the other jobs of its level
	   in tiers below the last one of the level, and has a reservation beyond the
	   number of those. */
	bool by_tier;
	/* Whether JOB, which cannot start now, may have a reservation: 1, 0, or -1 with
	   errno ENOMEM. NULL: every job. */
	int (*may_reserve)(struct lxfw_sched *sched, int32_t job);
	/* Whether the pass considers jobs with this request. NULL: all jobs. */
	bool (*considers)(const struct lxfw_request *request);
	/* JOB does not fit. Make room for it, and more than usual if its reservation has
	   begun (DUE). Returns 1 if the job has started, 0, or -1 with errno ENOMEM.
	   NULL: no room can be made. */
	int32_t (*make_room)(struct lxfw_sched *sched, int32_t job, bool due);
	/* Find the candidates (sched->heap, in any order) that cannot start until resources are
	   released, even with all the room that can be made for each of them. The first RESERVED
	   reservations are final. Returns 0, or -1 with errno ENOMEM. NULL: none is found. */
	int (*sift)(struct lxfw_sched *sched, int32_t reserved);
	/* Whether `sift` found JOB, and nothing was released since. It is not considered then, and
	   this notes that it waits. Not NULL if `sift` is not. */
	bool (*is_sifted)(struct lxfw_sched *sched, int32_t job);
	/* Start JOB on more than it requests. Returns 1 if it has started, 0 if it is to
	   be started as requested, or -1 with errno ENOMEM. NULL: never. */
	int32_t (*grow)(struct lxfw_sched *sched, int32_t job);
};

struct lxfw_policy_type {
	const char *name;	/* value of lxfw_policy */
	enum lxfw_policy code;	/* in parameters, and in journals of format 2: 1, 2, ...,
				   each once; never reused */
	unsigned keys;		/* LXFW_KEYS_*: the keys that apply to the policy */
	const char *preset;	/* values that differ from the presets of the table of
				   keys, as items "lxfw_wx=1,..."; NULL: none */
	const char *no_reservations;	/* why the keys of reservations do not apply;
					   follows the name in messages; NULL:
					   the policy reserves nothing */
	const char *no_mode;	/* the same for lxfw_reservation_mode, if the reason
				   differs */
	const char *excludes;	/* an item with one of its keys that the policy does not
				   support, such as "lxfw_quantum_end=suspend"; NULL:
				   none */
	const char *why_not;	/* the reason; follows the name in messages */
	unsigned traits;	/* enum lxfw_policy_trait */
	const struct lxfw_policy_type *by_tier;	/* takes effect instead of this one with
						   lxfw_preempt_tiers; NULL: none */
	const struct lxfw_policy_type *by_age;	/* the same with lxfw_age_first */
	struct lxfw_order order;
	struct lxfw_backfill backfill;

	/* Called when the policy, or another one, takes effect; may be NULL. `begin`
	   returns 0, or -1 with errno ENOMEM and nothing changed. */
	int (*begin)(struct lxfw_sched *sched);
	void (*end)(struct lxfw_sched *sched);

	/* The earliest time at which a pass that follows only from lxfw_interval can make a
	   decision, if no event comes before it. Called after a pass. NULL: any time. */
	int64_t (*next_change)(const struct lxfw_sched *sched);

	/* The policy's own pass. Returns 0, or -1 with errno ENOMEM; decisions made
	   before the error are valid. NULL: the pass of pass/backfill.h. */
	int (*pass)(struct lxfw_sched *sched);
};

/* All policies, in the order of policy/registry.h. The last element is NULL. */
extern const struct lxfw_policy_type *const lxfw_policies[];
extern const int lxfw_policy_count;

/* The policy with this code, or NULL. */
const struct lxfw_policy_type *lxfw_policy_type(enum lxfw_policy code);

/* The policy that parameters name, or its variant by tier or by age. NULL if there is none,
   or if it is from a file that was not given. */
const struct lxfw_policy_type *lxfw_params_policy(const struct lxfw_params *params);

/* Whether a policy has a trait; false for an unknown code. */
bool lxfw_policy_has(enum lxfw_policy code, enum lxfw_policy_trait trait);

/* The same for the policy that parameters name, and the variant of it that they select. */
bool lxfw_params_has(const struct lxfw_params *params, enum lxfw_policy_trait trait);

/* Whether groups of jobs, and jobs with pools, can be started under a policy: by the pass of
   pass/backfill.h, if it considers all jobs. */
static inline bool lxfw_policy_type_groups(const struct lxfw_policy_type *type)
{
	return !type->pass && !type->backfill.considers;
}
bool lxfw_policy_groups(enum lxfw_policy code);

/* The weight of a point of the workload manager's priority of a job under these
   parameters. 0: priorities do not change the order of jobs. */
double lxfw_params_site(const struct lxfw_params *params);

/* Whether decisions depend on the workload manager's priorities of jobs, as weights or
   otherwise. */
bool lxfw_params_read_priority(const struct lxfw_params *params);

/* The first policy with a trait, or 0. */
enum lxfw_policy lxfw_policy_with(enum lxfw_policy_trait trait);

/* Set PARAMS to the preset of the default policy. */
void lxfw_params_default(struct lxfw_params *params);

#endif
