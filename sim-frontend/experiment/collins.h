/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The case studies of D. E. Collins and A. D. George, "Parallel and Sequential Job Scheduling in
 * Heterogeneous Clusters: A Simulation Study using Software in the Loop", SIMULATION 77(5-6),
 * 2001, with the brokers olb, sjs and pjs: cost of a plan (figure 4), all jobs at time 0 (figure
 * 5), with priorities (figures 6 and 7), and Poisson arrivals with preemption (figures 8 and 9,
 * table 1).
 *
 * From the paper: 142 machines in 18 clusters of 8, one of 6; several varieties of SPARC and
 * Pentium; five classes of jobs in equal shares, four of which can run in parallel, one of
 * these with a modest gain; expected run times are exact. The run times are not published:
 * those of collins_site.c are made.
 */
#ifndef LXFW_EXPERIMENT_COLLINS_H
#define LXFW_EXPERIMENT_COLLINS_H

#include <stdint.h>
#include <stdio.h>

#include "common/util/error.h"
#include "sim-frontend/experiment/cell_claims.h"
#include "sim-frontend/grid/times.h"
#include "sim-frontend/util/format.h"

#define LXFW_C_KINDS 5
#define LXFW_C_JOBS 500		/* of the study of arrivals */
#define LXFW_C_QUANTUM 10	/* seconds */
#define LXFW_C_SEEDS 100	/* maximum */

/* Brokers, and what is computed from them: 1 - PJS / SJS, PJS / SJS. */
enum { LXFW_C_OLB, LXFW_C_SJS, LXFW_C_PJS, LXFW_C_BROKERS, LXFW_C_SAVED = LXFW_C_BROKERS,
       LXFW_C_RATIO, LXFW_C_COLUMNS };

/* Shares of high, medium and low priority; in the last one all are equal. */
enum { LXFW_C_10, LXFW_C_25, LXFW_C_50, LXFW_C_EQUAL, LXFW_C_MIXES };
enum { LXFW_C_HIGH, LXFW_C_MEDIUM, LXFW_C_LOW, LXFW_C_ALL, LXFW_C_LEVELS };

/* 5, 10, ... 100 jobs; 20, 40, ... 500 jobs; 5 to 1000 jobs for the cost of a plan. */
enum { LXFW_C_LIGHT = 20, LXFW_C_COUNTS = 25, LXFW_C_PLANS = 6 };
enum { LXFW_C_SHARES = 6 };	/* of jobs that may run in parallel */
enum { LXFW_C_RATES = 6 };	/* 1, 2, 4, ... 32 arrivals in a quantum */

/* Of arrivals: mean job time in s, share of jobs that ran on a cluster, stops per job. */
enum { LXFW_C_TIME, LXFW_C_PARALLEL, LXFW_C_STOPS, LXFW_C_METRICS };

/*
 * Cells. Jobs at time 0: row = count, column = LXFW_C_OLB to LXFW_C_RATIO; the row LXFW_C_LIGHT
 * has the largest values. Priorities: row = mix * LEVELS + level, column = count * COLUMNS + the
 * same; the counts COUNTS and COUNTS + 1 are the mean and the largest value. Arrivals: row the
 * same, column = rate * METRICS + metric. Plans: row = share, column = count, PLANS is the mean;
 * the value is the number of sequential plans of PJS over that of SJS.
 */
enum { LXFW_C_FIGURE5, LXFW_C_FIGURE6, LXFW_C_FIGURE8, LXFW_C_FIGURE4 };

struct lxfw_collins {
	/* Set by the caller. */
	int seeds;		/* 1 to LXFW_C_SEEDS, of priorities, classes, arrivals and
				   the times of figure 4 */
	uint64_t first_seed;

	/* Results: sums of job times in s; see LXFW_C_METRICS. */
	double light[LXFW_C_LIGHT][LXFW_C_BROKERS];
	double priorities[LXFW_C_MIXES][LXFW_C_COUNTS][LXFW_C_BROKERS][LXFW_C_LEVELS]
			 [LXFW_C_SEEDS];
	double arrivals[LXFW_C_MIXES][LXFW_C_RATES][LXFW_C_LEVELS][LXFW_C_METRICS]
		       [LXFW_C_SEEDS];
	double plans[LXFW_C_SHARES][LXFW_C_PLANS][LXFW_C_SEEDS];
};

/* A kind of machines; the last one has no name. */
struct lxfw_c_machine {
	const char *name;
	int clusters;		/* of 8 machines */
	double speeds[3];	/* floating point, integer, memory */
	double network;		/* factor of speedups */
};

struct lxfw_c_class {
	const char *name;
	double seconds;		/* on a machine of speed 1 */
	double shares[3];	/* of the run time that each speed limits */
	double speedup;		/* on 8 machines with network 1; 0: sequential only */
};

extern const struct lxfw_c_machine lxfw_c_machines[];
extern const struct lxfw_c_class lxfw_c_classes[LXFW_C_KINDS];
extern const char *const lxfw_c_mixes[LXFW_C_MIXES], *const lxfw_c_levels[LXFW_C_LEVELS];
extern const int lxfw_c_shares[LXFW_C_SHARES];	/* per cent */
extern const int lxfw_c_plan_jobs[LXFW_C_PLANS];
extern const struct lxfw_cell_claim lxfw_c_claims[];
extern const int lxfw_c_claim_count;

/* Makes the machines, clusters and run times. Returns 0, or -1 with errno and ERROR set. */
int lxfw_collins_site(struct lxfw_sites *sites, struct lxfw_grid_times *times,
		      struct lxfw_error *error);

/* Makes the plan of SJS, or of PJS, for jobs of which PERCENT may run in parallel, on the 40
   machines of figure 4. Returns the number of sequential plans that were made, or -1 with errno
   ENOMEM. */
double lxfw_collins_plans(int jobs, int percent, bool parallel, uint64_t seed);

/* Runs the simulations. Returns 0, or -1 with errno and ERROR set. */
int lxfw_collins_run(struct lxfw_collins *experiment, int threads,
		     void (*progress)(size_t done, size_t all), struct lxfw_error *error);

/* Returns the value of a cell with seed number SEED, from 0. */
double lxfw_collins_value(const struct lxfw_collins *experiment, const struct lxfw_cell *cell,
			  int seed);

/* Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_collins_print(const struct lxfw_collins *experiment, enum lxfw_format format,
		       FILE *out);

#endif
