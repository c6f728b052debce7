/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulations of Yahyapour 2002, section 6.3: the market at the configurations and with the
 * workloads of chapter 5, wide jobs unchanged, and the conventional system, multi-site computing
 * without overhead. yahyapour_market_claims.c has the claims.
 */
#ifndef LXFW_EXPERIMENT_YAHYAPOUR_MARKET_H
#define LXFW_EXPERIMENT_YAHYAPOUR_MARKET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/experiment/cell_claims.h"
#include "sim-frontend/experiment/yahyapour_workloads.h"

/*
 * Readings. The thesis states neither whether run times are known, nor when a job runs at
 * several sites but for wide ones.
 *   EXACT      they are known; wide jobs
 *   ALWAYS     they are known; any job, if the offer is better
 *   REQUESTED  the requested times are known; wide jobs
 *   MOVED      the same, and allocations are exchanged when jobs end early
 */
enum {
	LXFW_M_EXACT, LXFW_M_ALWAYS, LXFW_M_REQUESTED, LXFW_M_MOVED, LXFW_M_READINGS,
};

/* Rows: the conventional system, pairs of machine and user functions, and the best of these. */
enum {
	LXFW_M_CONVENTIONAL, LXFW_M_MF1_UF1, LXFW_M_MF2_UF1, LXFW_M_MF1_UF2, LXFW_M_MF2_UF2,
	LXFW_M_MF1_UF3, LXFW_M_MF2_UF3, LXFW_M_MF3_UF3, LXFW_M_MF4_UF3, LXFW_M_MF5_UF3,
	LXFW_M_MF6_UF3, LXFW_M_MF2_UF4, LXFW_M_MF2_UF5, LXFW_M_BEST, LXFW_M_ROWS,
};

/* AWRT and AWWT in seconds. Of configurations with four sites or more: how much less work the
   site with the least has than that with the most; the share of the two with the most; the
   utilization of the first, second and third most used site and of the least used one. */
enum {
	LXFW_M_AWRT, LXFW_M_AWWT, LXFW_M_SPREAD, LXFW_M_TWO, LXFW_M_USED_1, LXFW_M_USED_2,
	LXFW_M_USED_3, LXFW_M_USED_LAST, LXFW_M_METRICS,
};

struct lxfw_yahyapour_market {
	/* Set by the caller. */
	const struct lxfw_trace *log;
	uint64_t seed;			/* of the synthetic workload */
	int64_t base;			/* of its ranges of time, see remade.h */
	enum lxfw_overrun overrun;

	/* Results; NAN: not simulated. */
	double values[LXFW_G_WORKLOADS][LXFW_M_READINGS][LXFW_M_ROWS][LXFW_G_CONFIGS]
		     [LXFW_M_METRICS];
};

extern const char *const lxfw_m_readings[LXFW_M_READINGS];
extern const struct lxfw_cell_claim lxfw_m_claims[];
extern const int lxfw_m_claim_count;

/* Cells of claims: table is workload * LXFW_M_READINGS + reading, column is configuration *
   LXFW_M_METRICS + metric. */

/* Returns "MF1/UF1". */
const char *lxfw_m_row_name(int row);

/* Runs the simulations. Returns 0, or -1 with errno and ERROR set. */
int lxfw_yahyapour_market_run(struct lxfw_yahyapour_market *experiment, int threads,
			      void (*progress)(size_t done, size_t all),
			      struct lxfw_error *error);

/* Prints tables and claims as text. */
void lxfw_yahyapour_market_print(const struct lxfw_yahyapour_market *experiment, FILE *out);

/* Returns an object with cells and claims, or one that is incomplete, with *FAILED set. */
struct json_object *lxfw_yahyapour_market_json(const struct lxfw_yahyapour_market *experiment,
					       bool *failed);

#endif
