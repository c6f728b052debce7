/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Huang, Shih and Chung 2009, tables 6 and 7: the jobs of the five queues of the SDSC SP2 at
 * five sites of different speeds, independent of each other or with a broker that chooses the
 * site and the processors of each job (common/grid/adaptive.c).
 *
 * From the paper: the sites have the processors of table 2; the run time of each job is
 * multiplied by a load of 10; speeds are the permutations of 1, 3, 5, 7 and 9. Table 6 has the
 * worst of the ranges of errors of 10, 20, ... 100 %. Assumed here: independent sites use
 * FCFS; the thresholds are the best ones of the paper's table 3; errors are drawn as in
 * huang.h; in table 7 they have a range of 100 %. The first seed is that of table 7.
 *
 * Table 6 is simulated with its speeds as printed and with (1,3,7,9,5), with which independent
 * sites have the printed mean (doc/huang.md).
 */
#ifndef LXFW_EXPERIMENT_HUANG_GRID_H
#define LXFW_EXPERIMENT_HUANG_GRID_H

#include "sim-frontend/experiment/huang.h"

#define LXFW_HG_SITES 5
#define LXFW_HG_CASES 120	/* permutations of the speeds, in lexicographic order */

/* Rows: independent sites; then for each rule without estimates, with exact ones, and with
   uniform and normal errors. */
enum { LXFW_HG_POWER, LXFW_HG_PROCS, LXFW_HG_RULES };	/* adaptive, adaptive_procs */
enum { LXFW_HG_NONE, LXFW_HG_EXACT, LXFW_HG_UNIFORM, LXFW_HG_NORMAL, LXFW_HG_ESTIMATES };
enum {
	LXFW_HG_LOCAL,
	LXFW_HG_ROWS = 1 + LXFW_HG_RULES * LXFW_HG_ESTIMATES,
};
#define LXFW_HG_ROW(rule, estimates) (1 + (rule) * LXFW_HG_ESTIMATES + (estimates))

/* Columns of table 6. */
enum { LXFW_HG_PRINTED, LXFW_HG_MATCHING, LXFW_HG_VECTORS };

/* Tables as a cell names them; the paper's have LXFW_HG_PAPER added. The second one has the
   mean over all cases, the third one the number of cases in which exact estimates have a
   shorter mean turnaround time than none, by rule. */
enum { LXFW_HG_TABLE6, LXFW_HG_TABLE7, LXFW_HG_BETTER, LXFW_HG_PAPER };

struct lxfw_huang_grid {
	/* Set by the caller. The log has owners; jobs that are not used are removed. */
	struct lxfw_trace *log;
	const char *path;		/* of the log, for messages */
	int seeds;			/* 1 to LXFW_HUANG_SEEDS, of errors */
	uint64_t first_seed;

	/* Results. Mean turnaround times in seconds. */
	size_t not_completed, no_site;	/* numbers of removed jobs */
	double cases[LXFW_HG_CASES][LXFW_HG_ROWS];
	/* The worst range of each seed, for the rows with errors. */
	double worst[LXFW_HG_VECTORS][LXFW_HG_ROWS][LXFW_HUANG_SEEDS];
};

extern const int lxfw_hg_vectors[LXFW_HG_VECTORS];	/* cases */
extern const struct lxfw_cell_claim lxfw_hg_claims[];
extern const int lxfw_hg_claim_count;

/* Sets SPEEDS to those of a case. */
void lxfw_hg_speeds(int number, int speeds[LXFW_HG_SITES]);

/* Runs the simulations. Returns 0, or -1 with errno and ERROR set. */
int lxfw_huang_grid_run(struct lxfw_huang_grid *experiment, int threads,
			void (*progress)(size_t done, size_t all), struct lxfw_error *error);

/* Returns the value of a cell with seed number SEED, from 0. */
double lxfw_huang_grid_value(const struct lxfw_huang_grid *experiment,
			     const struct lxfw_cell *cell, int seed);

/* Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_huang_grid_print(const struct lxfw_huang_grid *experiment, enum lxfw_format format,
			  FILE *out);

#endif
