/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which settings to try next: first the presets and a Latin hypercube (McKay,
 * Beckman, Conover 1979), then offspring of the best so far, by how many
 * beat them and how far apart they lie (see rank.h), closer to their parents from round
 * to round. What is asked for depends on the seed and
 * on the values told, not on who found them or when.
 *
 * With folds, a setting and all its forebears were bred without having seen one of
 * them, so that it can be judged on that one.
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
	double *values;		/* of the goals, in their order, in view after view */
	bool known;		/* the values are */
	int fold;		/* bred without having seen this one; -1 = any */

	/* private */
	double violation;	/* how far beyond limits, by parts of them; 0 = within */
	int rank;		/* how many beat it */
	double crowding;	/* of an unbeaten one: how far apart it lies */
};

struct lxfw_search {
	/* given */
	const struct lxfw_tune_space *space;
	const struct lxfw_goals *goals;
	uint64_t seed;
	size_t round_size;	/* settings tried before the next are chosen */
	size_t numbers;		/* values of a setting; 0 = one of each goal */
	double margin;		/* by which what is to be kept may be above what it is
				   now, as a part of it */
	int folds;		/* each round of offspring is bred without having seen
				   one of them, by view 1 + fold; 0 = by view 0 */

	/* all settings so far, the first what the site has */
	struct lxfw_setting *settings;
	size_t count, size;
	int round;
	size_t ranked;		/* private: of the settings */
	size_t view;		/* private: the first of the values looked at */
};

/* Append the settings of the next round, MOST at most; the values of all before must
   be known. Their number, 0 where there is nothing new to try; -1 with errno
   ENOMEM. */
int64_t lxfw_search_ask(struct lxfw_search *search, size_t most);

/* Whether it keeps all limits, and what is to be kept within the margin; and whether A is at least as good as B in every
   objective and better in one. Values are known. */
bool lxfw_search_feasible(const struct lxfw_search *search, const double *values);
bool lxfw_search_dominates(const struct lxfw_search *search, const double *a,
			   const double *b);

/*
 * The settings with known values that keep the limits and that no other of them
 * dominates, in the order of the first objective, equal ones once; their positions to
 * FRONT, which has room for all. Their number. The second chooses MOST of them that
 * lie apart, the extremes among them.
 */
size_t lxfw_search_front(const struct lxfw_search *search, size_t *front);
size_t lxfw_search_spread(const struct lxfw_search *search, size_t *front,
			  size_t count, size_t most);

void lxfw_search_clear(struct lxfw_search *search);

#endif
