/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that another scheduler passes over. sched/backfill of Slurm considers a number of jobs in each
 * pass: of all, of each user, of each partition. A job behind these does not start before its turn,
 * although there is room for it, and no start is planned for it. When it is considered depends on the
 * jobs before it, and on those that will be submitted, which is not modelled.
 *
 * The first job of a partition that waits is always considered: by Slurm's other pass.
 */
#ifndef LXFW_PREDICT_SKIPPED_H
#define LXFW_PREDICT_SKIPPED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is counted, in the order in which it is named if there are several. */
enum lxfw_skipped_by {
	LXFW_SKIPPED_NOT,	/* it is considered */
	LXFW_SKIPPED_USER,	/* the jobs of a user: bf_max_job_user, and bf_max_job_assoc, which
				   counts those of the user's accounts apart */
	LXFW_SKIPPED_USER_PART,	/* bf_max_job_user_part */
	LXFW_SKIPPED_PART,	/* bf_max_job_part */
	LXFW_SKIPPED_ALL,	/* bf_max_job_test */
	LXFW_SKIPPED_BOUNDS,
	LXFW_SKIPPED_UNPLANNED = LXFW_SKIPPED_BOUNDS,	/* none of these, but no start is planned for it
							   although one is for a job before it */
};

/* Which running jobs Slurm preempts for others. */
enum {
	LXFW_PREEMPTS_NONE,
	LXFW_PREEMPTS_TIER,	/* those of partitions with a lower PriorityTier */
	LXFW_PREEMPTS_QOS,	/* those of some QOS, which are not known of jobs */
};

/* How the Slurm that runs chooses jobs. {0}: it considers all, and preempts none. */
struct lxfw_scheduling {
	int64_t most[LXFW_SKIPPED_BOUNDS];	/* of enum lxfw_skipped_by; 0: any number */
	int64_t interval;			/* seconds between two passes of backfill */
	int64_t preempts;			/* LXFW_PREEMPTS_NONE... */
};

/* Reads the output of `scontrol show config`. */
void lxfw_scheduling_read(struct lxfw_scheduling *scheduling, const char *config);

/* A job that waits. */
struct lxfw_skipped_job {
	uint64_t id;
	int64_t user, partition;	/* lxfw_trait_of_name(); -1: not known */
	int64_t since;			/* when it became eligible */
	int64_t planned;		/* its start, as Slurm plans it; 0: none is; -1: not known */
	enum lxfw_skipped_by by;		/* result */
};

/* Sets BY of all jobs that wait at NOW, which are in the order of the queue. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_skipped_find(const struct lxfw_scheduling *scheduling, int64_t now,
		     struct lxfw_skipped_job *jobs, size_t count);

/* Sets *BY of a job that is submitted after them. Returns as above. */
int lxfw_skipped_request(const struct lxfw_scheduling *scheduling,
			const struct lxfw_skipped_job *jobs, size_t count, int64_t user,
			int64_t partition, enum lxfw_skipped_by *by);

/* Sets TEXT to why such a job has no expected start: "Slurm plans only for 2 jobs of a user at a
   time"; to "" if it is considered. */
#define LXFW_SKIPPED_TEXT 64
void lxfw_skipped_text(const struct lxfw_scheduling *scheduling, enum lxfw_skipped_by by,
		      char text[LXFW_SKIPPED_TEXT]);

#endif
