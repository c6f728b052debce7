/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A small simulated cluster with random jobs. It generates consistent events, one at a
 * time, and checks decisions against the capacity of the hosts.
 */
#ifndef LXFW_TESTS_MINI_H
#define LXFW_TESTS_MINI_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/event.h"

#define MINI_HOSTS 6
#define MINI_JOBS 200

/* Immediate service, and what happens at the end of a quantum. */
enum mini_service {
	MINI_NO_SERVICE, MINI_SOON, MINI_REQUEUE, MINI_SUSPEND, MINI_SERVICES
};

enum mini_state { MINI_NONE, MINI_WAITING, MINI_RUNNING, MINI_GONE };

struct mini_job {
	enum mini_state state;
	struct lxfw_request request;
	struct lxfw_share shares[MINI_HOSTS];
	int32_t count;
	int64_t until;		/* end of its quantum, or LXFW_NEVER */
	bool reserved;		/* by its expected end */
};

struct mini {
	uint64_t random;
	int64_t now;
	int jobs_most;
	int step, job_count;
	int32_t host_set[MINI_HOSTS];
	bool up[MINI_HOSTS];
	struct lxfw_resources total[MINI_HOSTS], free[MINI_HOSTS];
	struct mini_job jobs[MINI_JOBS];
	struct lxfw_params params;
	bool gpus;		/* the extras of hosts are GPUs */
	bool priorities;	/* mini_digest() gives jobs priorities of their own */
	struct lxfw_job_classes classes;	/* for the policy "classes" */
	struct lxfw_host_rules rules[2];
	int32_t rules_of[MINI_HOSTS];
	struct lxfw_share block;
	struct lxfw_share moved[MINI_HOSTS];
	int started;		/* index of the job just started, or -1 */
	const char *wrong;	/* first error of a decision, or NULL */
};

/* At most JOBS_MOST jobs. POLICY is used only for events that change parameters. */
void mini_begin(struct mini *mini, uint64_t seed, int jobs_most,
		enum lxfw_policy policy, enum mini_service service);

/*
 * Get the next event. Return false when every job has ended. The event's pointers refer
 * to MINI and are valid until the next call. MINI records the event immediately, so it
 * must be applied before the next decision.
 */
bool mini_next(struct mini *mini, struct lxfw_event *event);

/* Record the decision made at mini->now. If it is not valid, return false and set
   mini->wrong: a host is overcommitted, a job starts that is not waiting, or the counts
   of jobs differ from those of MINI. */
bool mini_take(struct mini *mini, const struct lxfw_decision *decision);

#endif
