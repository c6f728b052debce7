/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The claims of Balasubramanian, Sussman and Sadeh 2013, section 6.2, about scheduling between
 * neighbours, as tests with bounds that were fixed before the simulations: better, a ratio
 * below 1; significantly better, at most 0.9; little difference, 0.9 to 1.1. The bounds of
 * numbers of preemptions are those of balasubramanian.c.
 */
#include <math.h>

#include "sim-frontend/experiment/balasubramanian_grid.h"

#define R15 0
#define R25 1
#define R40 2
#define TEN (LXFW_B_TEN * LXFW_B_INTERVALS)	/* added to a row: the best of ten nodes */

#define CELL(table, row, column) { LXFW_B_##table, row, LXFW_B_##column }
#define RATIO(table, row, one, other, low, high) \
	{ CELL(table, row, one), CELL(table, row, other), low, high }
#define RATIOS(table, one, other, low, high) \
	RATIO(table, R15, one, other, low, high), RATIO(table, R25, one, other, low, high), \
	RATIO(table, R40, one, other, low, high)
#define BELOW 0.999

const struct lxfw_cell_claim lxfw_b_claims[] = {
	{ "6.2, figure 3", "local_fcfs",
	  "local scheduling has significantly lower median waits than FCFS",
	  { RATIOS(MEDIAN, LOCAL, FCFS, 0, 0.9) }, false },
	{ "6.2, figure 3", "between_local",
	  "scheduling between nodes has significantly lower median waits than local "
	  "scheduling",
	  { RATIOS(MEDIAN, CAN, LOCAL, 0, 0.9), RATIOS(MEDIAN, NN, LOCAL, 0, BELOW) }, false },
	{ "6.2, figure 3", "all_order",
	  "the same for mean waits since the submission, also with the best of ten nodes",
	  { RATIOS(ALL_MEAN, LOCAL, FCFS, 0, BELOW), RATIOS(ALL_MEAN, NN, LOCAL, 0, BELOW),
	    RATIOS(ALL_MEAN, CAN, LOCAL, 0, BELOW),
	    RATIO(ALL_MEAN, TEN + R15, CAN, LOCAL, 0, BELOW),
	    RATIO(ALL_MEAN, TEN + R25, CAN, LOCAL, 0, BELOW),
	    RATIO(ALL_MEAN, TEN + R40, CAN, LOCAL, 0, BELOW) }, false },
	{ "6.2, figure 3", "can_nn_low",
	  "CAN' and 2-NN differ little at short intervals (1.5 s)",
	  { RATIO(MEDIAN, R15, CAN, NN, 0.9, 1.1) }, false },
	{ "6.2, figure 3", "can_nn_high",
	  "CAN' is better than 2-NN at long intervals (4 s)",
	  { RATIO(MEDIAN, R40, CAN, NN, 0, 0.9) }, false },
	{ "6.2, figure 3", "fall",
	  "median waits fall as the interval grows (4 s / 1.5 s)",
	  { { CELL(MEDIAN, R40, FCFS), CELL(MEDIAN, R15, FCFS), 0, 0.9 },
	    { CELL(MEDIAN, R40, LOCAL), CELL(MEDIAN, R15, LOCAL), 0, 0.9 },
	    { CELL(MEDIAN, R40, NN), CELL(MEDIAN, R15, NN), 0, 0.9 },
	    { CELL(MEDIAN, R40, CAN), CELL(MEDIAN, R15, CAN), 0, 0.9 } }, false },
	{ "6.2", "alpha_0",
	  "alpha 0 has the lowest median waits (alpha 0.5 / alpha 0)",
	  { RATIOS(MEDIAN, LOCAL05, LOCAL, 1, INFINITY), RATIOS(MEDIAN, NN05, NN, 1, INFINITY),
	    RATIOS(MEDIAN, CAN05, CAN, 1, INFINITY) }, false },
	{ "6.2, figure 4", "longest_tenth",
	  "alpha 0.5 reduces the waits of the tenth of the jobs that waits longest",
	  { RATIOS(TENTH, CAN05, CAN, 0, BELOW), RATIOS(TENTH, NN05, NN, 0, BELOW),
	    RATIOS(TENTH, LOCAL05, LOCAL, 0, BELOW) }, false },
	{ "6.2, figure 4", "all_longest_tenth",
	  "the same since the submission",
	  { RATIOS(ALL_TENTH, CAN05, CAN, 0, BELOW), RATIOS(ALL_TENTH, NN05, NN, 0, BELOW) },
	  false },
	{ "6.2, figure 5", "can_fcfs",
	  "CAN' performs significantly better than FCFS, most at 4 s",
	  { RATIO(MEDIAN, R15, CAN, FCFS, 0, 0.9), RATIO(MEDIAN, R40, CAN, FCFS, 0, 0.5) },
	  false },
	{ "6.2, figure 5a", "overlap",
	  "local scheduling and 2-NN nearly overlap at 1.5 s",
	  { RATIO(MEDIAN, R15, NN, LOCAL, 0.9, 1.1), RATIO(MEAN, R15, NN, LOCAL, 0.9, 1.1) },
	  false },
	{ "6.2", "delta_can",
	  "with delta 2.5 s the median of CAN' at 4 s falls by almost a half",
	  { RATIO(MEDIAN, R40, CAN25, CAN, 0.4, 0.7) }, false },
	{ "6.2", "delta_others",
	  "other median and average waits change almost not at all",
	  { RATIOS(MEDIAN, LOCAL25, LOCAL, 0.9, 1.1), RATIOS(MEAN, NN25, NN, 0.9, 1.1),
	    RATIO(MEAN, R15, CAN25, CAN, 0.9, 1.1), RATIO(MEAN, R25, CAN25, CAN, 0.9, 1.1) },
	  false },
	{ "6.2, figure 6a", "tail_15",
	  "at 1.5 s the longest waits are shorter with local scheduling than between nodes",
	  { RATIO(TAIL, R15, LOCAL, CAN, 0, BELOW), RATIO(TAIL, R15, LOCAL, NN, 0, BELOW) },
	  false },
	{ "6.2, figure 6c", "tail_4",
	  "at 4 s the longest waits are shortest with 2-NN",
	  { RATIO(TAIL, R40, NN, LOCAL, 0, BELOW), RATIO(TAIL, R40, NN, CAN, 0, BELOW) },
	  false },
	{ "6.2", "preemptions_local",
	  "556 preemptions at 1.5 s and 471 at 4 s with local scheduling",
	  { { CELL(PREEMPTIONS, R15, LOCAL), LXFW_NO_CELL, 417, 833 },
	    { CELL(PREEMPTIONS, R40, LOCAL), LXFW_NO_CELL, 313, 714 },
	    { CELL(PREEMPTIONS, R40, LOCAL), CELL(PREEMPTIONS, R15, LOCAL), 0.6, BELOW } },
	  false },
	{ "6.2", "preemptions_between",
	  "570 to 480 between nodes",
	  { { CELL(PREEMPTIONS, R15, CAN), LXFW_NO_CELL, 417, 833 },
	    { CELL(PREEMPTIONS, R40, CAN), LXFW_NO_CELL, 313, 714 },
	    { CELL(PREEMPTIONS, R15, NN), LXFW_NO_CELL, 417, 833 },
	    { CELL(PREEMPTIONS, R40, NN), LXFW_NO_CELL, 313, 714 } }, false },
	{ "6.2", "preemptions_more",
	  "slightly more between nodes than with local scheduling (paper 1.02)",
	  { RATIO(PREEMPTIONS, R15, CAN, LOCAL, 0.9, 1.2),
	    RATIO(PREEMPTIONS, R40, CAN, LOCAL, 0.9, 1.2),
	    RATIO(PREEMPTIONS, R15, NN, LOCAL, 0.9, 1.2),
	    RATIO(PREEMPTIONS, R40, NN, LOCAL, 0.9, 1.2) }, false },
	{ "8", "balancing",
	  "queue balancing may further reduce waits (mean since the submission)",
	  { RATIOS(ALL_MEAN, NNQ, NN, 0, BELOW), RATIOS(ALL_MEAN, CANQ, CAN, 0, BELOW) },
	  false },
};

const int lxfw_b_claim_count = sizeof(lxfw_b_claims) / sizeof(*lxfw_b_claims);
