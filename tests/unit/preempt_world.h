/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A random cluster and workload for policies that preempt running jobs. It has an account
 * of its own of resources and work, computed from the actions alone, and fails if
 *   - more processors, memory or GPUs of a host are used than it has, after any action (a
 *   suspended job keeps its memory and GPUs, unless lxfw_rem_frees=all),
 *   - an action does not fit the state of the job, or changes its hosts or processors,
 *   - a job is requeued, does not end, or waits while nothing will change.
 */
#ifndef LXFW_TESTS_PREEMPT_WORLD_H
#define LXFW_TESTS_PREEMPT_WORLD_H

#include "common/sched.h"
#include "tests/unit/unit.h"

#define PREEMPT_HOSTS 4
#define PREEMPT_JOBS 40

enum preempt_state {
	PREEMPT_FUTURE, PREEMPT_WAITING, PREEMPT_RUNNING, PREEMPT_SUSPENDED,
	PREEMPT_ENDED
};

struct preempt_job {
	struct lxfw_request request;
	enum preempt_state state;
	int64_t left;		/* work as of `since`, seconds on its processors */
	int64_t since;		/* running: its last start or resumption */
	int64_t start, end;
	int64_t suspended_at;
	int suspensions;
	struct lxfw_share shares[PREEMPT_HOSTS];
	int32_t count;
};

struct preempt_world {
	uint64_t seed, random;
	struct lxfw_params params;
	struct lxfw_sched *sched;
	struct lxfw_resources total[PREEMPT_HOSTS];
	int32_t host_count;
	struct preempt_job jobs[PREEMPT_JOBS];	/* by id, less 1; by submit time */
	int job_count;
	int64_t now, wake;
	bool every_interval;	/* a pass follows lxfw_interval seconds after each one */
	struct lxfw_decision decision;	/* the last one */
};

/* POLICY with PARAMS, which may be "". SINGLE: one host, and every job is submitted before
   the last one has ended. */
void preempt_world_make(struct preempt_world *world, uint64_t seed, const char *params,
			bool single);
void preempt_world_free(struct preempt_world *world);

/* Advance to the next event, apply all events of that time and make a decision. Returns
   false when all jobs have ended. */
bool preempt_world_step(struct preempt_world *world);

/* Processors that a job requests, and those of all hosts. */
int32_t preempt_procs(const struct preempt_job *job);
int32_t preempt_total(const struct preempt_world *world);

#endif
