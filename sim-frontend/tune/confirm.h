/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the search found, on the weeks that it did not see: each choice beside what the
 * site has, for all and by class, and how sure that is.
 */
#ifndef LXFW_TUNE_CONFIRM_H
#define LXFW_TUNE_CONFIRM_H

#include "sim-frontend/tune/resample.h"
#include "sim-frontend/tune/search.h"
#include "sim-frontend/tune/trial.h"

enum lxfw_change_verdict {
	LXFW_CHANGE_UNSURE,
	LXFW_CHANGE_BETTER,
	LXFW_CHANGE_WORSE,
};

/* An objective of a choice against what the site has. */
struct lxfw_change {
	double now, then;
	bool interval;		/* whether it has one */
	double low, high;	/* of the change by what it is now, 95 % */
	int better, worse, weeks;	/* in how many of the weeks */
	enum lxfw_change_verdict verdict;	/* by the interval, else by the
						   weeks (sign test) */
};

struct lxfw_choice {
	const struct lxfw_setting *setting;
	double score;		/* on the weeks searched on: mean logarithm of the
				   objectives by those of now */
	double values[2 * LXFW_GOALS_MAX];	/* of the goals, weeks not seen */
	struct lxfw_change changes[LXFW_GOALS_MAX];	/* of the objectives */
	bool keeps_limits;	/* on the weeks not seen too */
	bool confirmed;		/* better in one, worse in none, keeps limits */
	struct lxfw_metrics classes[LXFW_TUNE_NAMED];	/* weeks not seen */
	struct lxfw_metrics whole;	/* all from the end of the warm-up on */

	/* private */
	struct lxfw_simulation_options options;
	struct lxfw_simulation sim;
	struct lxfw_outcome *outcomes;	/* of the jobs of the weeks not seen */
};

struct lxfw_confirmation {
	/* given */
	const struct lxfw_trials *trials;
	const struct lxfw_search *search;
	int threads;
	uint64_t seed;

	/* The first is what the site has; then the front, in the order of the first
	   objective. */
	struct lxfw_choice *choices;
	int count;
	size_t front;		/* settings on the front, shown or not */
	int recommended;	/* of those confirmed the best by score; else 0 */
	bool by_day;		/* days were drawn: there are few weeks */
	size_t jobs;		/* of the weeks not seen */

	/* private */
	size_t *positions;	/* their positions in the trace */
	int32_t *clusters, *weeks;	/* of each */
	int cluster_count;
};

/* Choose MOST of the front at most, simulate and measure them. 0, or -1 with errno and
   ERROR set; clear it in either case. */
int lxfw_confirm(struct lxfw_confirmation *confirmation, int most,
		 struct lxfw_error *error);

void lxfw_confirmation_clear(struct lxfw_confirmation *confirmation);

#endif
