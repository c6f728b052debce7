/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A random cluster and workload with books of their own, to hold the scheduler's
 * decisions against. Nothing here is shared with the scheduler's code but the
 * types: what fits is found out by adding up, job by job.
 */
#ifndef LXFW_TESTS_WORLD_H
#define LXFW_TESTS_WORLD_H

#include "common/sched.h"
#include "tests/unit/unit.h"

#define WORLD_HOSTS 8
#define WORLD_JOBS 48
#define WORLD_BLOCKS 3

enum world_job_state { WORLD_FUTURE, WORLD_WAITING, WORLD_RUNNING, WORLD_ENDED };

struct world_job {
	struct lxfw_request request;
	enum world_job_state state;
	int64_t run;		/* real run time, at most the estimate if estimates
				   are upper bounds */
	int64_t start, end, due, expected_end;
	int64_t reserved;	/* start of its reservation, as last told */
	int64_t promised;	/* the earliest it was told, or NEVER */
	int64_t refused_until;
	struct lxfw_share shares[WORLD_HOSTS];	/* while it runs */
	int32_t share_count;
	struct lxfw_share held[WORLD_HOSTS];	/* by its reservation */
	int32_t held_count;
	bool started_in_this_pass;
	bool announced;		/* was told of a reservation last */
};

struct world_block {	/* a whole host, from when to when; end 0 = none */
	int32_t host;
	int64_t start, end;
};

struct world {
	uint64_t random;
	struct lxfw_sched *sched;
	struct lxfw_params params;
	struct lxfw_resources total[WORLD_HOSTS];
	bool up[WORLD_HOSTS];
	int32_t host_count;
	uint32_t set_members[2];	/* bits */
	struct world_block blocks[WORLD_BLOCKS];
	struct world_job jobs[WORLD_JOBS];
	int32_t job_count;
	int64_t now;
	int32_t reserved;		/* job that holds the reservation (k = 1) */
	uint64_t digest;		/* of all actions */
	int64_t actions;
	struct lxfw_decision decision;	/* the last one */
};

struct world_options {
	bool overruns;		/* jobs may run longer than estimated */
	bool compress;		/* reservations move to earlier times only */
};

/* A world from a seed; the policy is drawn, too, unless it is given. */
void world_make(struct world *world, uint64_t seed, enum lxfw_policy policy,
		const struct world_options *options);
void world_free(struct world *world);

/* Apply an event that must be accepted. */
void world_apply(struct world *world, struct lxfw_event *event);

/* Ask for a decision at world->now, carry it out and check what must hold of any
   decision: starts are of waiting jobs, in the shape asked for, on hosts of the
   set that are up, and no host is over its resources. */
void world_decide(struct world *world);

/* Whether JOB fits for its estimate from START on beside the jobs that run, by
   their expected ends. Jobs that started in this pass count or not. */
bool world_fits(const struct world *world, const struct world_job *job,
		int64_t start, bool count_new);

/* The earliest start of JOB, tried out over all ends. */
int64_t world_earliest(const struct world *world, const struct world_job *job,
		       bool count_new);

/* Whether no job ever gets before one that has a reservation. */
bool world_keeps_promises(const struct world *world);

/* A waiting job that could start now on one host without delaying the job that
   holds the only reservation; NULL if there is none, as there must not be. */
const struct world_job *world_idler(struct world *world);

/* Something that a real cluster does to a scheduler, drawn at random: hosts fail
   and return, starts just decided are refused, limits and requests change, jobs
   are cancelled or started by other hands, parts are blocked, parameters change. */
void world_trouble(struct world *world);

/* Put all hosts in order and lift all blocks. */
void world_repair(struct world *world);

/* Move to the next submission or end and feed its events; false at the end. */
bool world_step(struct world *world);

#endif
