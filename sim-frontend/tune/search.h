/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Generates settings to evaluate. The first rounds consist of the presets and a Latin
 * hypercube (McKay, Beckman, Conover 1979). Later rounds consist of offspring of the best
 * settings (see rank.h), closer to their parents from round to round. The sequence
 * depends on the seed and on the values only, not on how or when they were computed.
 *
 * With folds, a setting and all its ancestors were bred without one of them, so that the
 * setting can be judged on it.
 */
#ifndef LXFW_TUNE_SEARCH_H
#define LXFW_TUNE_SEARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/goal.h"
#include "sim-frontend/tune/space.h"

struct lxfw_setting {
	char *line;
	double genes[LXFW_GENES_MAX];
	double *values;		/* of the goals, in order, view by view */
	bool known;		/* `values` is set */
	int fold;		/* bred without this fold; -1: without any fold */
	bool after;		/* of lxfw_search_ask_after() */

	/* Private. */
	double violation;	/* excess over limits, relative to them; 0: within */
	int rank;		/* number of settings that dominate it */
	double crowding;	/* distance from others, if it is not dominated */
};

struct lxfw_search {
	/* Set by the caller. */
	const struct lxfw_tune_space *space;
	const struct lxfw_goals *goals;
	uint64_t seed;
	size_t round_size;	/* number of settings per round */
	size_t numbers;		/* number of values of a setting; 0: one per goal */
	double margin;		/* by which constraints may exceed their current value,
				   as a fraction of it */
	int folds;		/* each round of offspring is bred without one of them,
				   using view 1 + fold; 0: no folds, using view 0 */

	/* All settings so far. The first is the current one. */
	struct lxfw_setting *settings;
	size_t count, size;
	int round;
	size_t ranked;		/* private: number of settings that are ranked */
	size_t view;		/* private: index of the first value that is used */
};

/* Appends at most MOST settings of the next round. The values of all earlier ones must
   be known. Returns their number, 0 if there are no new settings, or -1 with errno
   ENOMEM. */
int64_t lxfw_search_ask(struct lxfw_search *search, size_t most);

/* Appends the settings that are tried after the search (lxfw_tune_space_after()). They depend on
   no values, so that they can be judged on every fold. Returns their number, or -1 with errno
   ENOMEM. */
int64_t lxfw_search_ask_after(struct lxfw_search *search);

/* Return whether a setting keeps all limits, and constraints within the margin; and
   whether A dominates B: it is at least as good in every objective and better in one.
   Values must be known. */
bool lxfw_search_feasible(const struct lxfw_search *search, const double *values);
bool lxfw_search_dominates(const struct lxfw_search *search, const double *a,
			   const double *b);

/*
 * Write the positions of the settings that keep the limits and are not dominated to
 * FRONT, which has space for all, in the order of the first objective and without
 * duplicates. Return their number. The second function selects MOST of them with large
 * distances, including the extremes.
 */
size_t lxfw_search_front(const struct lxfw_search *search, size_t *front);
size_t lxfw_search_spread(const struct lxfw_search *search, size_t *front,
			  size_t count, size_t most);

void lxfw_search_clear(struct lxfw_search *search);

#endif
