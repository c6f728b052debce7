/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The last round. The differences between blocks of a schedule are largely random: a job
 * that arrives a minute later changes all later starts. A search on one log prefers
 * settings that profit from its random properties. Therefore the best settings are
 * evaluated again, on perturbed copies of the log that the search has not used
 * (trace/shake.h). Their values are means over the copies, which vary less from block to
 * block and are free of this bias.
 */
#ifndef LXFW_TUNE_FINALS_H
#define LXFW_TUNE_FINALS_H

#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

/* Number of settings for each view that a selection may use. */
#define LXFW_FINALS_EACH 8

/* Default number of copies. A log of many jobs has fewer, at least two, so that a
   setting stores no more than LXFW_FINALS_JOBS jobs. */
#define LXFW_FINALS_COPIES 8
#define LXFW_FINALS_JOBS 250000

/* Noise of the copies (shake.h): the factor of run times, and the seconds by which the
   submissions of TRACE move. */
#define LXFW_FINALS_RUNS 0.1
int64_t lxfw_finals_arrivals(const struct lxfw_trace *trace);

struct lxfw_finals {
	/* Set by the caller. */
	const struct lxfw_trials *trials;
	const struct lxfw_search *search;
	int threads;
	uint64_t seed;
	size_t wanted;		/* number of copies; 0: use the log itself only */
	bool (*stop)(void);	/* may be NULL */
	/* Called after each simulation with the numbers of those done and of all in this
	   step; may be NULL. */
	void (*progress)(size_t done, size_t all);

	/* Results. */
	struct lxfw_trials *copies;	/* the same blocks, on each copy */
	size_t count;			/* 1 or more */
	/* The current setting and the best ones, with the lines and folds of the
	   search and the values of the copies. */
	struct lxfw_search best;
	size_t *positions;		/* position of each in the search */

	/* Private. */
	struct lxfw_trace *traces;
	size_t done;
	double *values;			/* of each task */
};

/* Returns the number of copies of a log of JOBS jobs, at most WANTED. */
size_t lxfw_finals_copies(size_t wanted, size_t jobs);

/* Returns 0, 1 if stopped, or -1 with errno and ERROR set. The caller clears FINALS in
   any case. */
int lxfw_finals_run(struct lxfw_finals *finals, struct lxfw_error *error);

void lxfw_finals_clear(struct lxfw_finals *finals);

#endif
