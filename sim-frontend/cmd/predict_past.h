/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a journal contains of a scheduler: its state at a time, its past, and what would have been
   predicted at earlier moments. */
#ifndef LXFW_CMD_PREDICT_PAST_H
#define LXFW_CMD_PREDICT_PAST_H

#include "sim-frontend/cmd/journals.h"
#include "sim-frontend/cmd/replayer.h"
#include "sim-frontend/predict/moments.h"
#include "sim-frontend/predict/starts_grid.h"

struct lxfw_predict_past {
	/* Set by the caller. */
	const char *journal;
	bool alone;		/* without its rotated files */
	int64_t until;		/* LXFW_NEVER: all of it */
	/* Results. */
	bool trial;		/* another scheduler starts the jobs */
	struct lxfw_replayer replay;
	struct lxfw_past past;
	struct lxfw_known_hosts hosts;
	/* Moments at which the starts are predicted, see lxfw_predict_plan(). */
	struct lxfw_moments moments;
	/* Private. */
	struct lxfw_journals journals;
	struct lxfw_error error;
};

/* Where past moments are. */
struct lxfw_predict_plan {
	size_t count;		/* moments */
	double begin;		/* share of the time of the journal before the first one */
	int64_t last;		/* moments are in this time before the end, seconds; 0: all of it */
	double budget;		/* processor time, estimated, seconds; fewer moments are chosen
				   for it. INFINITY: no limit */
};

/*
 * Find the files of the journal and choose random moments in equal parts of its time, up to the
 * last submission. Sets `times` and `count` of PAST->moments. Returns 0, or an exit status after
 * a message.
 */
int lxfw_predict_find(struct lxfw_predict_past *past, const struct lxfw_predict_plan *plan);

/* Read the journal, and predict at the moments. Returns 0, or an exit status after a
   message. */
int lxfw_predict_read(struct lxfw_predict_past *past);

/* Estimated processor time of a prediction in a future if WAITING jobs wait, seconds. */
double lxfw_predict_cost(double waiting);

void lxfw_predict_past_clear(struct lxfw_predict_past *past);

#endif
