/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The experiment of Balasubramanian, Sussman and Sadeh 2013, section 6, with scheduling
 * between neighbours: FCFS with backfill, local scheduling, and PUSH and PULL on 2-NN and on
 * CAN', for each mean time between submissions and two kinds of matchmaking.
 *
 * Times are simulated in tenths of a second. The neighbours in 2-NN are arbitrary, those in
 * CAN' have similar resources (graph.h). balasubramanian_claims.c has the claims.
 */
#ifndef LXFW_EXPERIMENT_BALASUBRAMANIAN_GRID_H
#define LXFW_EXPERIMENT_BALASUBRAMANIAN_GRID_H

#include <stdint.h>
#include <stdio.h>

#include "common/util/error.h"
#include "sim-frontend/experiment/balasubramanian_workload.h"
#include "sim-frontend/experiment/cell_claims.h"
#include "sim-frontend/util/format.h"

/* Columns. A suffix 05 is alpha 0.5, otherwise it is 0; 25 is a scheduling interval of
   2.5 s, otherwise it is 5 s; Q is with queue balancing. */
enum {
	LXFW_B_FCFS, LXFW_B_LOCAL, LXFW_B_NN, LXFW_B_CAN,
	LXFW_B_LOCAL05, LXFW_B_NN05, LXFW_B_CAN05,
	LXFW_B_LOCAL25, LXFW_B_NN25, LXFW_B_CAN25,
	LXFW_B_NNQ, LXFW_B_CANQ, LXFW_B_COLUMNS,
};

/* Matchmaking: the node with the least work of one or of ten random capable ones. */
enum { LXFW_B_ONE, LXFW_B_TEN, LXFW_B_MATCHES };

/* Rows: mean time between submissions and matchmaking. */
#define LXFW_B_ROWS (LXFW_B_INTERVALS * LXFW_B_MATCHES)

/* Tables. Waits are in seconds; those of the paper begin when the job arrives at its last
   node, those of ALL at the submission. A second is added to medians, so that their ratios
   exist. TENTH and TAIL are the medians of the longest 10 and 3 per cent. */
enum {
	LXFW_B_MEDIAN, LXFW_B_MEAN, LXFW_B_TENTH, LXFW_B_TAIL,
	LXFW_B_ALL_MEDIAN, LXFW_B_ALL_MEAN, LXFW_B_ALL_TENTH,
	LXFW_B_PREEMPTIONS, LXFW_B_MOVES, LXFW_B_MESSAGES, LXFW_B_TABLES,
};

struct lxfw_b_cell {
	double values[LXFW_B_TABLES];
};

struct lxfw_balasubramanian_grid {
	int64_t seeds, first_seed;	/* set by the caller; 1 to 100 */
	/* Results, by seed, row and column. */
	struct lxfw_b_cell *cells;
};

extern const struct lxfw_cell_claim lxfw_b_claims[];
extern const int lxfw_b_claim_count;

/* Returns 0, or -1 with errno and ERROR set. Release the results with ..._clear() in both
   cases. */
int lxfw_balasubramanian_grid_run(struct lxfw_balasubramanian_grid *experiment, int threads,
				  struct lxfw_error *error);
void lxfw_balasubramanian_grid_clear(struct lxfw_balasubramanian_grid *experiment);

/* Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_balasubramanian_grid_print(const struct lxfw_balasubramanian_grid *experiment,
				    enum lxfw_format format, FILE *out);

#endif
