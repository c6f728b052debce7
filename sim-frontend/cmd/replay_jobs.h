/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of a journal as its records tell of them, so that a scheduler's books in
 * which another decision was made can be put right: what each job asked for, and
 * what it holds now.
 */
#ifndef LXFW_CMD_REPLAY_JOBS_H
#define LXFW_CMD_REPLAY_JOBS_H

#include "common/sched.h"
#include "common/util/id_map.h"

enum lxfw_replay_state {
	LXFW_REPLAY_WAITING,
	LXFW_REPLAY_RUNNING,
	LXFW_REPLAY_SUSPENDED,
};

struct lxfw_replay_job {
	struct lxfw_request request;	/* id 0: never seen waiting */
	enum lxfw_replay_state state;
	int64_t priority, delay;	/* the workload manager's */
	int64_t expected_end;
	int64_t suspended;		/* since when */
	struct lxfw_share *shares;	/* while it does not wait */
	int32_t count;
	bool dropped;			/* waits, and lost what it kept on hosts
					   while it was suspended */
	int32_t next;			/* free slots */
};

/* {0} is empty; lxfw_replay_jobs_clear() frees. */
struct lxfw_replay_jobs {
	struct lxfw_replay_job *jobs;
	size_t count, size;
	int32_t free;			/* list, counted from 1; 0 = none */
	struct lxfw_id_map by_id;
};

void lxfw_replay_jobs_clear(struct lxfw_replay_jobs *jobs);

/* What was recorded, in its order. 0, or -1 with errno ENOMEM. */
int lxfw_replay_jobs_event(struct lxfw_replay_jobs *jobs,
			   const struct lxfw_event *event);
int lxfw_replay_jobs_action(struct lxfw_replay_jobs *jobs,
			    const struct lxfw_action *action);

/* Tell SCHED of JOB, about which it decided otherwise at NOW, as it was recorded. 0,
   or -1 with errno ENOMEM. */
int lxfw_replay_jobs_tell(const struct lxfw_replay_jobs *jobs, uint64_t job,
			  int64_t now, struct lxfw_sched *sched);

#endif
