/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A mini cluster with random jobs: gives events that make sense, one at a time,
 * and takes decisions, holding them to what the hosts have.
 */
#ifndef LXFW_TESTS_MINI_H
#define LXFW_TESTS_MINI_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/event.h"

#define MINI_HOSTS 6
#define MINI_JOBS 200

/* Immediate service, and how it ends. */
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
	bool reserved;		/* by what it was told */
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
	struct lxfw_job_classes classes;	/* of the policy of that name */
	struct lxfw_host_rules rules[2];
	int32_t rules_of[MINI_HOSTS];
	struct lxfw_share block;
	struct lxfw_share moved[MINI_HOSTS];
	int started;		/* index of a job just started, or -1 */
	const char *wrong;	/* first thing a decision did wrong, or NULL */
};

/* JOBS_MOST jobs at most; POLICY is only for events that change parameters. */
void mini_begin(struct mini *mini, uint64_t seed, int jobs_most,
		enum lxfw_policy policy, enum mini_service service);

/*
 * The next event; false when every job has ended. What it points at lies in
 * MINI and lasts until the next call. It is entered in MINI's own books at once:
 * it is to be applied before the next decision is taken.
 */
bool mini_next(struct mini *mini, struct lxfw_event *event);

/* Enter what was decided at mini->now. False and mini->wrong if it cannot be: a
   host gives more than it has, a job starts that does not wait, the counts of
   jobs are not MINI's. */
bool mini_take(struct mini *mini, const struct lxfw_decision *decision);

#endif
