/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A random cluster and workload with a separate account of resources, for checking the
 * scheduler's decisions. It shares only types with the scheduler. Whether a job fits is
 * computed by adding up, job by job.
 */
#ifndef LXFW_TESTS_WORLD_H
#define LXFW_TESTS_WORLD_H

#include "common/sched.h"
#include "tests/unit/unit.h"

#define WORLD_HOSTS 8
#define WORLD_POOLS 2	/* after the hosts */
#define WORLD_ALL (WORLD_HOSTS + WORLD_POOLS)
#define WORLD_JOBS 48
#define WORLD_BLOCKS 3

enum world_job_state { WORLD_FUTURE, WORLD_WAITING, WORLD_RUNNING, WORLD_ENDED };

struct world_job {
	struct lxfw_request request;
	enum world_job_state state;
	int64_t run;		/* real run time; at most the estimate if estimates are
	            		 * upper bounds */
	int64_t start, end, due, expected_end;
	int64_t reserved;	/* start of its reservation in the latest decision */
	int64_t promised;	/* the earliest announced start, or NEVER */
	int64_t refused_until;
	struct lxfw_share shares[WORLD_ALL];	/* while it runs */
	int32_t share_count;
	struct lxfw_share held[WORLD_ALL];	/* according to its reservation */
	int32_t held_count;
	bool started_in_this_pass;
	bool announced;		/* the latest decision announced a reservation */
	bool announced_before;	/* it had a reservation before the latest decision */
};

struct world_block {	/* a whole host, from begin to end; end 0 = none */
	int32_t host;
	int64_t start, end;
};

struct world {
	uint64_t random;
	struct lxfw_sched *sched;
	struct lxfw_params params;
	struct lxfw_resources total[WORLD_ALL];
	bool up[WORLD_ALL];
	int32_t host_count;
	int32_t pool_count;	/* 0, or WORLD_POOLS */
	uint32_t set_members[2];	/* bits */
	struct world_block blocks[WORLD_BLOCKS];
	struct world_job jobs[WORLD_JOBS];
	int32_t job_count;
	int64_t now;
	int32_t reserved;		/* job with the reservation (k = 1) */
	uint64_t digest;		/* digest of all actions */
	int64_t actions;
	struct lxfw_decision decision;	/* the latest one */
};

struct world_options {
	bool overruns;		/* jobs may run longer than estimated */
	bool compress;		/* reservations move to earlier times only */
	bool pools;		/* many jobs need amounts of pools */
	bool spread;		/* jobs have many small pieces, on any hosts */
	bool procs_alone;	/* jobs need neither memory nor extras */
};

/* Make a world from a seed. The policy is random too, unless it is given. */
void world_make(struct world *world, uint64_t seed, enum lxfw_policy policy,
		const struct world_options *options);
void world_free(struct world *world);

/* Apply an event that must be accepted. */
void world_apply(struct world *world, struct lxfw_event *event);

/* Make a decision at world->now, apply it and check it: only waiting jobs start, in the
   requested shape, on hosts of their sets that are up, and no host is overcommitted. */
void world_decide(struct world *world);

/* True if JOB fits for its estimate from START on with the running jobs, by their
   expected ends. Jobs that started in this pass count, or do not. */
bool world_fits(const struct world *world, const struct world_job *job,
		int64_t start, bool count_new);

/* Return the earliest start of JOB, computed by trying all ends. */
int64_t world_earliest(const struct world *world, const struct world_job *job,
		       bool count_new);

/* True if no job is ever scheduled before one with a reservation. */
bool world_keeps_promises(const struct world *world);

/* Return a waiting job that could start now on one host without delaying the job with
   the only reservation. The result must be NULL. */
const struct world_job *world_idler(struct world *world);

/* Apply a random disturbance of a real cluster: hosts fail and return, starts just
   decided are refused, limits and requests change, jobs are cancelled or started by
   others, hosts are blocked, parameters change. */
void world_trouble(struct world *world);

/* Bring all hosts up and remove all blocks. */
void world_repair(struct world *world);

/* Advance to the next submission or end and apply its events. Return false at the end. */
bool world_step(struct world *world);

#endif
