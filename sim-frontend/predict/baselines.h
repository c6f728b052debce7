/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predictions from the waits of earlier jobs alone, to which others are compared.
 *
 *   median of the last jobs   The median wait of the last LXFW_HISTORY_LAST jobs of the
 *                             same partition and size that have started. Sizes are the same
 *                             up to the next power of two.
 *   QBETS                     Bounds of quantiles with a confidence of 95 %: of N earlier
 *                             waits in ascending order, the K-th is an upper bound of the
 *                             quantile Q if a binomial variable of N trials with
 *                             probability Q is below K with that confidence. The history is
 *                             that of the same partition and size. It is cut to its end
 *                             when LXFW_HISTORY_MISSES consecutive waits exceed the upper
 *                             bound of the 95 % quantile. (Nurmi, Brevik and Wolski, QBETS:
 *                             Queue Bounds Estimation from Time Series, 2007.)
 */
#ifndef LXFW_PREDICT_BASELINES_H
#define LXFW_PREDICT_BASELINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"
#include "sim-frontend/history/experience.h"

#define LXFW_HISTORY_LAST 50
#define LXFW_HISTORY_MISSES 3
#define LXFW_HISTORY_KEPT 1000

/* Waits in seconds. */
struct lxfw_history_guess {
	bool known;		/* some job of the same kind has started */
	int64_t median;		/* of the last jobs */
	int64_t quantiles[5];	/* QBETS: lower bounds of the 5 and 25 % quantiles, upper
				   bounds of the 50, 75 and 95 % quantiles */
};

/* The last waits of one partition and size. */
struct lxfw_history_kind {
	int64_t *waits;		/* in order of start */
	size_t count, size;
	int misses;
};

/* {0} is empty. */
struct lxfw_history {
	struct lxfw_id_map by_kind;
	struct lxfw_history_kind *kinds;
	size_t count, size;
	uint16_t tail_ranks[2 * LXFW_HISTORY_KEPT + 1];	/* by number of waits: rank of
							   the upper bound of the 95 %
							   quantile; 0: not computed */
};

void lxfw_history_clear(struct lxfw_history *history);

/* A job has started after WAIT seconds. Returns 0, or -1 with errno ENOMEM. */
int lxfw_history_add(struct lxfw_history *history, const struct lxfw_traits *traits,
		     int64_t wait);

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_history_guess(const struct lxfw_history *history,
		       const struct lxfw_traits *traits, struct lxfw_history_guess *guess);

/*
 * The position from 1 in COUNT ascending waits that is an upper bound of the quantile with
 * 95 % confidence, or a lower bound; COUNT or 1 if there are too few for that confidence.
 */
size_t lxfw_history_rank(size_t count, double quantile, bool upper);

#endif
