/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last round. Of a schedule on one log half of what differs from block to block is
 * chance: a job that comes a minute later moves all that follow. The search cannot but
 * prefer settings of which this log's chance is fond. Therefore the best of its settings
 * are tried once more, on shaken copies of the log that it has not seen
 * (trace/shake.h), and their values are the means over the copies: they differ less
 * from block to block, and what the search was lucky with is gone.
 */
#ifndef LXFW_TUNE_FINALS_H
#define LXFW_TUNE_FINALS_H

#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

/* So many of the settings by each of the views that a choice may have. */
#define LXFW_FINALS_EACH 8

/* Copies unless told otherwise; fewer, but two at least, of a log of many jobs, so that
   no more than LXFW_FINALS_JOBS of them are kept for a setting. */
#define LXFW_FINALS_COPIES 8
#define LXFW_FINALS_JOBS 250000

struct lxfw_finals {
	/* given */
	const struct lxfw_trials *trials;
	const struct lxfw_search *search;
	int threads;
	uint64_t seed;
	size_t wanted;		/* copies; 0 = none, the log itself is the only one */
	bool (*stop)(void);	/* may be NULL */

	/* results */
	struct lxfw_trials *copies;	/* the same blocks, on each copy */
	size_t count;			/* 1 or more */
	/* What the site has, and the best: lines and folds as in the search, values of
	   the copies. */
	struct lxfw_search best;
	size_t *positions;		/* of each in the search */

	/* private */
	struct lxfw_trace *traces;
	double *values;			/* of each task */
};

/* As many copies of a log of JOBS jobs as are WANTED, or the fewer that are kept. */
size_t lxfw_finals_copies(size_t wanted, size_t jobs);

/* 0; 1 if stopped before; -1 with errno and ERROR set; clear it in any case. */
int lxfw_finals_run(struct lxfw_finals *finals, struct lxfw_error *error);

void lxfw_finals_clear(struct lxfw_finals *finals);

#endif
