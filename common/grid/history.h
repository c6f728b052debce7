/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long jobs of a kind take at a place: the experiential database of Collins and George
 * 2001, section 3. A job class, here a kind, is a number that jobs with similar run times
 * share. A place is a site or a cluster of sites, see grid.h.
 *
 * Run times are either known beforehand, or learned from jobs that have ended: mean and
 * variance. The confidence of N learned run times is N / (N + 1). A broker gives the
 * mean this weight, and the rest to what the user requested.
 */
#ifndef LXFW_GRID_HISTORY_H
#define LXFW_GRID_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"

struct lxfw_expected {
	double mean;		/* seconds */
	double variance;	/* square of the standard deviation; 0 below 2 run times */
	double confidence;	/* 0: nothing is known, 1: known */
};

struct lxfw_grid_history_entry {
	int32_t kind, place;
	bool known;		/* beforehand: nothing is learned */
	int64_t count;		/* learned run times */
	double mean, squares;	/* squares: sum of squared differences from the mean */
};

/* {0} is empty. */
struct lxfw_grid_history {
	struct lxfw_id_map by_key;
	struct lxfw_grid_history_entry *entries;	/* in the order of the first run time */
	size_t count, size;
	/* How wrong it was: run times that were learned when an earlier one was known,
	   the sum of their differences from the mean then, and their sum. */
	size_t judged;
	double errors, runs;
};

void lxfw_grid_history_clear(struct lxfw_grid_history *history);

/* KIND and PLACE are 0 or more. */
struct lxfw_expected lxfw_grid_history_expect(const struct lxfw_grid_history *history,
					      int32_t kind, int32_t place);

/* A job of KIND took RUN seconds at PLACE. Returns 0, or -1 with errno ENOMEM. */
int lxfw_grid_history_learn(struct lxfw_grid_history *history, int32_t kind, int32_t place,
			    int64_t run);

/* Jobs of KIND take MEAN seconds at PLACE. Returns as above. */
int lxfw_grid_history_know(struct lxfw_grid_history *history, int32_t kind, int32_t place,
			   int64_t mean);

/* Adds an entry that was learned earlier. Returns as above. */
int lxfw_grid_history_add(struct lxfw_grid_history *history,
			  const struct lxfw_grid_history_entry *entry);

#endif
