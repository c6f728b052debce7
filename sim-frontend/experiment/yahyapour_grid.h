/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulations of Yahyapour 2002, chapter 5: seven configurations of 512 processors at one
 * to eighteen sites (table 5.1), four workloads of 10,000 jobs with four treatments of wide
 * jobs (5.7.2), and local scheduling, job sharing and multi-site computing with an overhead
 * of 0 to 60 %. yahyapour_grid_claims.c has the claims and the figures of the thesis.
 */
#ifndef LXFW_EXPERIMENT_YAHYAPOUR_GRID_H
#define LXFW_EXPERIMENT_YAHYAPOUR_GRID_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/util/error.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/experiment/cell_claims.h"
#include "sim-frontend/experiment/yahyapour_market.h"
#include "sim-frontend/experiment/yahyapour_workloads.h"
#include "sim-frontend/util/format.h"

/* Wide jobs in parts of the own site, of the largest site, of 64 processors, unchanged. */
enum { LXFW_G_OWN, LXFW_G_LARGEST, LXFW_G_MAX64, LXFW_G_ORG, LXFW_G_SPLITS };

/* Rows: job sharing with queues at the sites (best_fit) and with one queue (central), and
   multi-site computing with an overhead of 0, 5, ... 60 %. */
enum {
	LXFW_G_LOCAL, LXFW_G_SHARING, LXFW_G_CENTRAL, LXFW_G_MULTI,
	LXFW_G_OVERHEADS = 13,
	LXFW_G_ROWS = LXFW_G_MULTI + LXFW_G_OVERHEADS,
};

/* Average weighted response time and wait in seconds, and the shares of the jobs at several
   sites in all jobs and in all work. */
enum { LXFW_G_AWRT, LXFW_G_AWWT, LXFW_G_SEVERAL, LXFW_G_WORK, LXFW_G_METRICS };

struct lxfw_yahyapour_grid {
	/* Set by the caller. */
	const struct lxfw_trace *log;
	uint64_t seed;			/* of the synthetic workload */
	int64_t base;			/* of its ranges of time, see remade.h */
	enum lxfw_overrun overrun;

	/* Results; NAN: not simulated, or not possible. */
	double values[LXFW_G_WORKLOADS][LXFW_G_SPLITS][LXFW_G_ROWS][LXFW_G_CONFIGS]
		     [LXFW_G_METRICS];
	size_t counts[LXFW_G_WORKLOADS];	/* jobs before wide ones are split */
};

extern const char *const lxfw_g_splits[LXFW_G_SPLITS];
extern const struct lxfw_cell_claim lxfw_g_claims[];
extern const int lxfw_g_claim_count;

/* Tables 5.3 and 5.4: jobs at several sites, and their share of the work in per cent, by
   overhead and workload; m128 with unchanged jobs. */
extern const int lxfw_g_thesis_several[LXFW_G_OVERHEADS][LXFW_G_WORKLOADS];
extern const double lxfw_g_thesis_work[LXFW_G_OVERHEADS][LXFW_G_WORKLOADS];

/* Cells of claims: table is workload * LXFW_G_SPLITS + split, column is configuration *
   LXFW_G_METRICS + metric. */

/* Runs the simulations. Returns 0, or -1 with errno and ERROR set. */
int lxfw_yahyapour_grid_run(struct lxfw_yahyapour_grid *experiment, int threads,
			    void (*progress)(size_t done, size_t all),
			    struct lxfw_error *error);

/* Prints both. Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_yahyapour_grid_print(const struct lxfw_yahyapour_grid *experiment,
			      const struct lxfw_yahyapour_market *market,
			      enum lxfw_format format, FILE *out);

#endif
