/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of jobs according to the records of a journal: the request and the allocation
 * of each job. It is used to correct the model of a scheduler that made a different
 * decision.
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
	uint64_t id;			/* 0: unused */
	struct lxfw_request request;	/* id 0: never seen pending */
	enum lxfw_replay_state state;
	int64_t priority, delay;	/* set by the workload manager */
	int64_t expected_end;
	int64_t suspended;		/* time of suspension */
	struct lxfw_share *shares;	/* except while the job waits */
	int32_t count;
	bool dropped;			/* the job waits, and the resources that it
					   held while suspended were released */
	int32_t next;			/* free list */
};

/* Initialize to {0}; release with lxfw_replay_jobs_clear(). */
struct lxfw_replay_jobs {
	struct lxfw_replay_job *jobs;
	size_t count, size;
	int32_t free;			/* head of the free list, index + 1; 0: empty */
	struct lxfw_id_map by_id;
};

/* Returns a job, valid until the next record is processed, or NULL. */
const struct lxfw_replay_job *lxfw_replay_jobs_find(const struct lxfw_replay_jobs *jobs,
						    uint64_t id);

void lxfw_replay_jobs_clear(struct lxfw_replay_jobs *jobs);

/* Process the records in their order. Return 0, or -1 with errno ENOMEM. */
int lxfw_replay_jobs_event(struct lxfw_replay_jobs *jobs,
			   const struct lxfw_event *event);
int lxfw_replay_jobs_action(struct lxfw_replay_jobs *jobs,
			    const struct lxfw_action *action);

/* Sends SCHED, which made a different decision about JOB at NOW, the events that
   establish the recorded state. Returns 0, or -1 with errno ENOMEM. */
int lxfw_replay_jobs_tell(const struct lxfw_replay_jobs *jobs, uint64_t job,
			  int64_t now, struct lxfw_sched *sched);

#endif
