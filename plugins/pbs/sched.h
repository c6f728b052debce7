/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler as the server has it: attributes of an object `sched`.
 *
 * preempt_prio lists levels of jobs, the first ones before the others: "express_queue,
 * normal_jobs, server_softlimits+queue_softlimits, server_softlimits". A job has the level with
 * the most conditions that all apply to it, and of several of these the first one.
 */
#ifndef LXFW_PBS_SCHED_H
#define LXFW_PBS_SCHED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The partition of the default scheduler has this name, and its queues and vnodes none. */
#define LXFW_PBS_DEFAULT_PARTITION "pbs-default"

/* Conditions of jobs. */
enum {
	LXFW_PBS_EXPRESS = 1,		/* the priority of its queue is preempt_queue_prio or
					   more */
	LXFW_PBS_OVER_SERVER = 2,	/* a soft limit of the server is exceeded */
	LXFW_PBS_OVER_QUEUE = 4,	/* one of its queue is */
	LXFW_PBS_OVER_SHARE = 8,	/* its group has used more than its share */
	LXFW_PBS_NORMAL = 16,		/* none of these */
};

/* The order of jobs of the same level (below) and of different queues: by_queue and round_robin of
   sched_config. */
enum lxfw_pbs_queue_order {
	LXFW_PBS_QUEUES_BY_PRIORITY,	/* all jobs of the queues of a higher priority first */
	LXFW_PBS_QUEUES_IN_TURN,	/* all jobs of a queue, then all those of the next one:
					   queues by priority, then as the server lists them */
	LXFW_PBS_QUEUES_TOGETHER,	/* as if all jobs were in one queue */
};

#define LXFW_PBS_LEVELS_MAX 20

/* What a scheduler waits for when it starts a job. */
enum lxfw_pbs_run_wait {
	LXFW_PBS_WAIT_HOOK,	/* hooks of the server, if it has any; also if it is not set */
	LXFW_PBS_WAIT_NONE,
	LXFW_PBS_WAIT_MORE,	/* hooks of the node as well */
};

struct lxfw_pbs_sched {
	bool scheduling;
	char *partition;	/* NULL: that of the default scheduler */
	unsigned level[LXFW_PBS_LEVELS_MAX];	/* conditions, in the order of preempt_prio */
	int level_count;
	int64_t express;	/* preempt_queue_prio */
	char *folder;		/* sched_priv; NULL: unknown */
	char *formula;		/* job_sort_formula; NULL: none */
	double threshold;	/* job_sort_formula_threshold: jobs with no larger value do
				   not run; -INFINITY: any do */
	int64_t script_limit;	/* server_dyn_res_alarm, in seconds */
	bool do_not_span_psets, only_explicit_psets;
	enum lxfw_pbs_run_wait run_wait;	/* job_run_wait */
	bool failed;		/* memory ran out */
};

/* Sets all to what holds without attributes. */
void lxfw_pbs_sched_begin(struct lxfw_pbs_sched *sched);
/* Sets an attribute. Others, and values that cannot be read, are ignored. */
void lxfw_pbs_sched_set(struct lxfw_pbs_sched *sched, const char *name, const char *value);
void lxfw_pbs_sched_clear(struct lxfw_pbs_sched *sched);

/* Returns true if a level has the CONDITION. */
bool lxfw_pbs_has_condition(const struct lxfw_pbs_sched *sched, unsigned condition);

/* Returns how many levels a job with these CONDITIONS is before normal jobs; less than 0:
   after them. */
int lxfw_pbs_level(const struct lxfw_pbs_sched *sched, unsigned conditions);

#endif
