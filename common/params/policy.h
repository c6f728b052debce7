/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a policy is: its place in the order of jobs, how it backfills, and what it does
 * besides. One file or folder of common/policy/ defines each, and policy/registry.c has
 * the list of all. Whoever has to treat some policies otherwise asks for a trait, never
 * for a policy.
 */
#ifndef LXFW_PARAMS_POLICY_H
#define LXFW_PARAMS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#include "common/params/keys.h"
#include "common/params/params.h"

struct lxfw_class;
struct lxfw_request;
struct lxfw_sched;

/* What adapters, the simulator and the reports ask. */
enum lxfw_policy_trait {
	LXFW_TRAIT_INTERRUPTS = 1 << 0,	/* resizes, suspends or requeues jobs that
					   run, without immediate service too */
	LXFW_TRAIT_ADAPTIVE = 1 << 1,	/* a job gets some of the processors that it
					   asks for, on one host, unless it is
					   `rigid`; `least` means something */
	LXFW_TRAIT_ONE_HOST = 1 << 2,	/* every job is on one host */
	LXFW_TRAIT_OWN_PLACING = 1 << 3,	/* no placement rule but its own */
	LXFW_TRAIT_CLASSES = 1 << 4,	/* needs LXFW_EVENT_JOB_CLASSES */
	LXFW_TRAIT_WEIGHTS = 1 << 5,	/* by the weights of table 3; under
					   an adaptive policy only rigid jobs */
	LXFW_TRAIT_SHORTEST = 1 << 6,	/* by requested time */
	LXFW_TRAIT_IN_ORDER = 1 << 7,	/* nobody overtakes the first */
	LXFW_TRAIT_RESERVES_ALL = 1 << 8,	/* every waiting job has a reservation */
	LXFW_TRAIT_OFFLINE = 1 << 9,	/* for simulations: the plugins refuse it */
	LXFW_TRAIT_DEFAULT = 1 << 10,	/* in force where nothing else is said; one
					   policy has it */
	LXFW_TRAIT_SCRIPT = 1 << 11,	/* from a file, which `digest` of the
					   parameters names */
};

/* An order of waiting jobs: of each class of equal requests a line in time. Jobs with the
   same priority go by submit time, then id. */
struct lxfw_order {
	const char *name;
	/* Set *INTERCEPT and *SLOPE, which are 0: priority = intercept + slope *
	   seconds waited. Called when a class is made, and for all when hosts or
	   parameters have changed. NULL: by submit time. */
	void (*line)(const struct lxfw_sched *sched, const struct lxfw_class *class,
		     double *intercept, double *slope);
	/* What a point of the priority weighs that the workload manager gives a job
	   (LXFW_EVENT_JOB_PRIORITY); it is added to the line. NULL: nothing. */
	double (*site)(const struct lxfw_params *params);
	/* Equal requests are not of equal priority: every waiting job is a class of its
	   own. A pass then costs what waits. It cannot change while jobs wait. */
	bool alone;
	/* Before each pass: set the priorities of the present time, `intercept` of the
	   heads (books/class.h), where they are no lines in time; `slope` stays 0. NULL:
	   lines. 0, or -1 with errno ENOMEM, or with sched->problem set. */
	int (*rank)(struct lxfw_sched *sched);
};

#define LXFW_NO_RESERVATIONS (-1)

/* How a pass (pass/backfill.h) goes over the queue. */
struct lxfw_backfill {
	int32_t reservations;	/* how many jobs have one; 0: as parameters say;
				   LXFW_NO_RESERVATIONS */
	bool in_order;		/* nobody overtakes a job with a reservation */
	bool keeps;		/* a start time once given is kept */
	bool announces_later;	/* jobs that lost their reservation are told so by
				   the policy's own pass, since they may start yet */
	/* Whether the pass starts jobs with such a request; NULL: all. */
	bool (*considers)(const struct lxfw_request *request);
	/* JOB does not fit. Make room for it, more than usual where it was to start by
	   now (DUE). 1: it has started; 0; -1 with errno ENOMEM. NULL: there is none
	   to be made. */
	int32_t (*make_room)(struct lxfw_sched *sched, int32_t job, bool due);
};

struct lxfw_policy_type {
	const char *name;	/* that of lxfw_policy */
	enum lxfw_policy code;	/* in parameters and journals of format 2: from 1 on,
				   in the order of the list, never given anew */
	unsigned keys;		/* LXFW_KEYS_*: the keys that mean something to it */
	const char *preset;	/* what of its preset is not that of the table of keys,
				   as items "lxfw_wx=1,..."; NULL: nothing */
	const char *no_reservations;	/* where the keys of reservations mean nothing:
					   why, after its name */
	const char *no_mode;	/* the same of lxfw_reservation_mode, where that is
				   another reason */
	const char *excludes;	/* an item of its keys that it has no use for, such as
				   "lxfw_quantum_end=suspend"; NULL: there is none */
	const char *why_not;	/* why, after its name */
	unsigned traits;	/* enum lxfw_policy_trait */
	struct lxfw_order order;
	struct lxfw_backfill backfill;

	/* It is in force from now on, or another is; may be NULL. The first returns 0,
	   or -1 with errno ENOMEM, nothing changed. */
	int (*begin)(struct lxfw_sched *sched);
	void (*end)(struct lxfw_sched *sched);

	/* A pass of its own. 0, or -1 with errno ENOMEM, what was decided standing.
	   NULL: that of pass/backfill.h. */
	int (*pass)(struct lxfw_sched *sched);
};

/* All policies, by their code; NULL ends them. */
extern const struct lxfw_policy_type *const lxfw_policies[];
extern const int lxfw_policy_count;

/* That of a code; NULL if there is none. */
const struct lxfw_policy_type *lxfw_policy_type(enum lxfw_policy code);

/* The policy that parameters name; NULL if there is none, or if it is from a file that was
   not given. */
const struct lxfw_policy_type *lxfw_params_policy(const struct lxfw_params *params);

/* Whether a policy has a trait; false of what is no policy. */
bool lxfw_policy_has(enum lxfw_policy code, enum lxfw_policy_trait trait);

/* What a point of the workload manager's own priority of a job weighs under these
   parameters; 0: nothing, so that nobody need tell of it. */
double lxfw_params_site(const struct lxfw_params *params);

/* The first policy with a trait, 0 if there is none. */
enum lxfw_policy lxfw_policy_with(enum lxfw_policy_trait trait);

/* The preset of the policy that is in force where nothing else is said. */
void lxfw_params_default(struct lxfw_params *params);

#endif
