/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes the search round by round: generates settings, evaluates them and stores their
 * values. The result does not depend on where settings are evaluated, nor on whether some
 * were evaluated in an earlier run.
 */
#ifndef LXFW_TUNE_TUNING_H
#define LXFW_TUNE_TUNING_H

#include "sim-frontend/tune/array.h"
#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/state.h"
#include "sim-frontend/tune/trial.h"

struct lxfw_tuning {
	/* Set by the caller. */
	const struct lxfw_trials *trials;
	struct lxfw_search *search;
	size_t most;			/* number of settings of the search; those that are
					   tried after it are added when it is over */
	int threads;
	bool (*stop)(void);		/* returns whether to end with the results so
					   far */
	/* Numbers of settings; FRESH of those done were evaluated in this run. May be
	   NULL. */
	void (*progress)(size_t done, size_t fresh, size_t all);
	struct lxfw_tune_state *state;	/* NULL: results are not stored */
	struct lxfw_tune_array *array;	/* NULL: evaluate on local threads */

	/* Results. */
	size_t done, fresh;

	/* Private. */
	size_t *unknown;		/* settings to be evaluated in this round */
	double *values;			/* their values, if an array evaluates them */
	bool failed;			/* the state could not be written */
	struct lxfw_error error;
};

/* Returns 0, 1 if stopped, or -1 with errno and ERROR set. */
int lxfw_tuning_run(struct lxfw_tuning *tuning, struct lxfw_error *error);

#endif
