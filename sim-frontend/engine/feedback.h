/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of a trace that are submitted after the end of others: by their think time (columns 17 and
 * 18 of the Standard Workload Format), or by their dependencies.
 *
 * A job follows all jobs with the numbers that it names. It is submitted when they have ended,
 * plus its think time. Without a think time, it is submitted at its recorded time or, if that is
 * later, when they have ended. It follows only jobs whose recorded submissions are before its
 * own, in the order of the trace, so that there are no cycles. A job that follows none has its
 * recorded submission.
 */
#ifndef LXFW_ENGINE_FEEDBACK_H
#define LXFW_ENGINE_FEEDBACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"

/* In `earliest`: the recorded submission. */
#define LXFW_FEEDBACK_RECORDED INT64_MAX

struct lxfw_feedback_job {
	int64_t earliest;	/* not submitted before, seconds; INT64_MIN: at any time */
	int64_t think;		/* seconds, 0 or more */
	uint32_t waits;		/* number of groups that it follows; 0: recorded submission */
	int32_t group;		/* its own group; -1: no job follows it */
};

/* Jobs with the same number, and the jobs that follow them. */
struct lxfw_feedback_group {
	uint32_t members;
	uint32_t first, count;	/* in `links` */
};

struct lxfw_feedback_link {
	int64_t number;		/* of the preceding jobs */
	uint32_t position;	/* of the job that follows them */
};

/* {0} has no jobs that follow others. */
struct lxfw_feedback {
	struct lxfw_feedback_job *jobs;		/* parallel to those of the trace; NULL: no job
						   follows another */
	struct lxfw_feedback_group *groups;
	size_t group_count;
	struct lxfw_feedback_link *links;
	size_t link_count, links_size;
	/* Numbers of jobs that name a preceding job, and of these, that follow one; and of preceding
	   jobs, each for each job that names it, that are not in the trace, and that are the job
	   itself or were submitted later. */
	size_t stated, followers, missing, not_earlier;
};

/* Finds what the jobs of TRACE follow. Positions are those of the trace, which must not change
   afterwards. Returns 0, or -1 with errno ENOMEM and *FEEDBACK empty. */
int lxfw_feedback_make(struct lxfw_feedback *feedback, const struct lxfw_trace *trace);

/* Preserves errno. */
void lxfw_feedback_clear(struct lxfw_feedback *feedback);

/*
 * A run of a trace with feedback: which submission is the next one.
 */
struct lxfw_feedback_run {
	const struct lxfw_feedback *of;
	const struct lxfw_trace *trace;
	size_t next;			/* in the order of the trace */
	uint32_t *waits;		/* by position: groups that have not ended */
	uint32_t *members;		/* by group: jobs that have not ended */
	int64_t *ended;			/* by group: the last end so far */
	int64_t *submits;		/* by position: the submission. For a job that is not
					   submitted yet, the last end that is known, or
					   INT64_MIN */
	struct lxfw_feedback_due {
		int64_t time;
		uint32_t position;
	} *due;				/* a heap of jobs whose preceding jobs have ended */
	size_t due_count, due_size;
	struct lxfw_feedback_due held;	/* the submission that was returned last */
	bool holds, held_due;		/* there is one; it was taken from `due` */
	bool sooner;			/* `held` is not the next one any more */
};

/* TRACE has the jobs of the trace of FEEDBACK in the same positions; times may differ. Returns 0,
   or -1 with errno ENOMEM. Clear the run in both cases. */
int lxfw_feedback_begin(struct lxfw_feedback_run *run, const struct lxfw_feedback *feedback,
			const struct lxfw_trace *trace);

/* Returns the next submission, in order of time and then of the position: sets *POSITION and
   *TIME and returns true, or returns false if no job can be submitted now. */
bool lxfw_feedback_next(struct lxfw_feedback_run *run, size_t *position, int64_t *time);

/* The job at POSITION ended at END, which became known at NOW. */
void lxfw_feedback_ended(struct lxfw_feedback_run *run, size_t position, int64_t end, int64_t now);

/* Returns whether the submission that lxfw_feedback_next() returned last is not the next one any
   more. It is then returned again, after others. */
bool lxfw_feedback_sooner(struct lxfw_feedback_run *run);

/* Preserves errno. */
void lxfw_feedback_run_clear(struct lxfw_feedback_run *run);

#endif
