/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Forecasts in the admin comments of Slurm's pending jobs. squeue(1) reads the comments,
 * and scontrol(1) writes them: both belong to the Slurm that runs, whatever its release.
 *
 * A comment is written only if the job has none or one of lxfw_told_format(). Comments of
 * others are not changed.
 *
 * The pending tasks of an array share a record and therefore a comment: the forecast of the
 * first of them to start.
 */
#ifndef LXFW_PREDICT_COMMENTS_H
#define LXFW_PREDICT_COMMENTS_H

#include "common/util/error.h"
#include "common/util/id_map.h"
#include "sim-frontend/predict/told.h"

struct lxfw_comment {
	char *name;		/* of the job, as in scontrol update jobid= */
	char *text;		/* present comment, "" if none */
	bool twice;		/* the name was listed twice, so that a text is in doubt */
	bool foreign;		/* text of others */
	bool expected;		/* `told` is the forecast */
	struct lxfw_told told;
};

/* The pending jobs. {0} is empty. */
struct lxfw_comments {
	struct lxfw_comment *jobs;
	size_t count, size;
	struct lxfw_id_map by_id;	/* see squeue.h */
};

struct lxfw_comments_done {
	size_t written, removed, kept, foreign, refused, left;
};

void lxfw_comments_clear(struct lxfw_comments *comments);

/* Takes the output of squeue. Lines in another form are ignored. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_comments_take(struct lxfw_comments *comments, char *output);

/* Runs squeue. Returns 0, or -1 with errno and ERROR set. */
int lxfw_comments_read(struct lxfw_comments *comments, struct lxfw_error *error);

/* Sets the forecast of the job with ID in the journal. Of several tasks of an array, the
   earliest one counts. Returns false if it is not pending. */
bool lxfw_comments_expect(struct lxfw_comments *comments, uint64_t id,
			  const struct lxfw_told *told);

/*
 * Writes at most MOST comments that have to change, those of the earliest starts first, and
 * removes old forecasts of jobs that have none now. A job that scontrol refuses is counted,
 * and after three consecutive ones nothing more is written. Returns 0, or -1 with errno and
 * ERROR set if scontrol cannot be run or refused the last ones.
 */
int lxfw_comments_write(struct lxfw_comments *comments, size_t most,
			struct lxfw_comments_done *done, struct lxfw_error *error);

#endif
