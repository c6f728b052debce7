/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulations of K.-C. Huang, P.-C. Shih and Y.-C. Chung, "Adaptive Processor Allocation
 * for Moldable Jobs in Computational Grid", International Journal of Grid and High Performance
 * Computing 1(1), 2009, on a homogeneous parallel computer: table 3 (processor allocation
 * with exact estimates, with a search for the threshold), tables 4 and 5 (estimates with
 * errors). Tables 6 and 7, on grids of several sites, are those of huang_grid.h.
 *
 * From the paper: the jobs of the five queues of the SDSC SP2 share 128 processors, in the
 * order of submission; run times are inversely proportional to processors; an error is
 * relative to the run time and has a uniform or a normal distribution within a range. Table
 * 1 shows that its log has the completed jobs only. Assumed here: errors are symmetric about
 * 0; the standard deviation of the normal distribution is a third of the range, and errors
 * beyond the range are drawn again; the threshold found with exact estimates is used with all
 * errors; a job that runs longer than estimated runs on.
 */
#ifndef LXFW_EXPERIMENT_HUANG_H
#define LXFW_EXPERIMENT_HUANG_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "common/util/error.h"
#include "sim-frontend/experiment/cell_claims.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/format.h"

#define LXFW_HUANG_PROCS 128
#define LXFW_HUANG_QUEUES 5
#define LXFW_HUANG_SEEDS 100		/* maximum */
#define LXFW_HUANG_THRESHOLDS 35

/* Rows of table 3. */
enum {
	LXFW_H_NONE, LXFW_H_DOWN, LXFW_H_DOWN_EST, LXFW_H_BOTH, LXFW_H_BOTH_EST,
	LXFW_H_ROWS,
};

/* The two policies with estimates: rows of tables 4 and 5. */
enum { LXFW_HE_DOWN, LXFW_HE_BOTH, LXFW_HE_ROWS };

/* Columns of tables 4 and 5: ranges of errors, then what is computed from them. */
enum {
	LXFW_H_RANGES = 6,
	LXFW_H_SPREAD = LXFW_H_RANGES,	/* largest value over the smallest */
	LXFW_H_STEP,			/* smallest value over that of the range before */
	LXFW_H_RELATIVE,		/* added to a range: value over that without
					   errors */
};

/* Tables as a cell names them. The paper's own have LXFW_H_PAPER added. */
enum {
	LXFW_H_TABLE3, LXFW_H_UNIFORM, LXFW_H_NORMAL,
	LXFW_H_THRESHOLD,		/* the best one, by LXFW_HE_* */
	LXFW_H_PAPER,
};

/* A row of table 1. */
struct lxfw_huang_queue {
	double jobs, longest_run, mean_run, most_procs, mean_procs;
};

struct lxfw_huang {
	/* Set by the caller. The log has owners; jobs that are not used are removed. */
	struct lxfw_trace *log;
	const char *path;		/* of the log, for messages */
	int seeds;			/* 1 to LXFW_HUANG_SEEDS, of errors */
	uint64_t first_seed;

	/* Results. Mean turnaround times in seconds. */
	size_t not_completed, too_large;	/* numbers of removed jobs */
	struct lxfw_huang_queue queues[LXFW_HUANG_QUEUES];
	double table3[LXFW_H_ROWS];
	double searched[LXFW_HE_ROWS][LXFW_HUANG_THRESHOLDS];
	int best[LXFW_HE_ROWS];		/* index of the threshold */
	double errors[2][LXFW_HE_ROWS][LXFW_H_RANGES][LXFW_HUANG_SEEDS];
};

extern const int lxfw_huang_thresholds[LXFW_HUANG_THRESHOLDS];	/* per cent */
extern const int lxfw_huang_ranges[2][LXFW_H_RANGES];		/* per cent */
extern const char *const lxfw_huang_names[LXFW_H_ROWS];
extern const struct lxfw_huang_queue lxfw_huang_paper_queues[LXFW_HUANG_QUEUES];
extern const struct lxfw_cell_claim lxfw_huang_claims[];
extern const int lxfw_huang_claim_count;

/* Runs the simulations. Returns 0, or -1 with errno and ERROR set. */
int lxfw_huang_run(struct lxfw_huang *experiment, int threads,
		   void (*progress)(size_t done, size_t all), struct lxfw_error *error);

/* Makes COPY the log with estimates, as requested times, which have errors of a DISTRIBUTION, 0
   uniform or 1 normal. An error is proportional to the range, RANGE per cent, and otherwise the
   same in all ranges. Returns 0, or -1 with errno ENOMEM. */
int lxfw_huang_errors(const struct lxfw_trace *log, uint64_t seed, int distribution, int range,
		      struct lxfw_trace *copy);

/* Returns the value of a cell with seed number SEED, from 0. */
double lxfw_huang_value(const struct lxfw_huang *experiment, const struct lxfw_cell *cell,
			int seed);

/* Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_huang_print(const struct lxfw_huang *experiment, enum lxfw_format format,
		     FILE *out);

#endif
