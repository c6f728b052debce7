/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The search carried out, round by round: settings asked for, tried, their values
 * told. What comes out does not depend on who tries them, nor on whether some were
 * tried in a run before.
 */
#ifndef LXFW_TUNE_TUNING_H
#define LXFW_TUNE_TUNING_H

#include "sim-frontend/tune/array.h"
#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/state.h"
#include "sim-frontend/tune/trial.h"

struct lxfw_tuning {
	/* given */
	const struct lxfw_trials *trials;
	struct lxfw_search *search;
	size_t most;			/* settings to try in all */
	int threads;
	bool (*stop)(void);		/* whether to end with what there is */
	/* In settings; FRESH of those done were tried by this run. May be NULL. */
	void (*progress)(size_t done, size_t fresh, size_t all);
	struct lxfw_tune_state *state;	/* NULL = nothing is kept */
	struct lxfw_tune_array *array;	/* NULL = tried here, on threads */

	/* results */
	size_t done, fresh;

	/* private */
	size_t *unknown;		/* settings to be tried in this round */
	double *values;			/* of these, where an array tries them */
	bool failed;			/* the state did */
	struct lxfw_error error;
};

/* 0; 1 if stopped before; -1 with errno and ERROR set. */
int lxfw_tuning_run(struct lxfw_tuning *tuning, struct lxfw_error *error);

#endif
