/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The simulations of Yahyapour 2002: tables 2.4 to 2.7 (thirteen algorithms, two
 * objectives, four workloads) and tables 4.3 to 4.6 with figures 4.1 to 4.5 (PFCFS on the
 * months of a log). yahyapour_table.c has the experiments, the figures of the thesis and
 * the claims as data.
 */
#ifndef LXFW_EXPERIMENT_YAHYAPOUR_H
#define LXFW_EXPERIMENT_YAHYAPOUR_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "common/util/error.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/experiment/cell_claims.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/format.h"

#define LXFW_YAHYAPOUR_PROCS 256	/* of the machine of chapter 2 */
#define LXFW_YAHYAPOUR_MADE 50000	/* jobs of a synthetic workload, table 2.1 */
#define LXFW_YAHYAPOUR_MONTHS 24	/* maximum number of months */
#define LXFW_YAHYAPOUR_THESIS_MONTHS 11	/* July 1996 to May 1997, tables 4.3 to 4.5 */
#define LXFW_YAHYAPOUR_LIMIT 64800	/* seconds: the longest limit of the CTC */

/* Tables 2.4 to 2.7, and those of PFCFS on two machines. */
enum lxfw_yahyapour_table {
	LXFW_YAHYAPOUR_EXACT,		/* 2.4: the log, exact estimates */
	LXFW_YAHYAPOUR_LOG,		/* 2.5: the log, requested times */
	LXFW_YAHYAPOUR_BINNED,		/* 2.6: probability distributions */
	LXFW_YAHYAPOUR_UNIFORM,		/* 2.7: randomized */
	LXFW_YAHYAPOUR_128,		/* 4.3 to 4.6, months on 128 processors */
	LXFW_YAHYAPOUR_256,		/* 4.6, months on 256 */
	LXFW_YAHYAPOUR_TABLES,
};

/* Rows of tables 2.4 to 2.7: mean response time, then mean weighted response time. */
enum {
	LXFW_Y_FCFS, LXFW_Y_PSRS, LXFW_Y_FFIA, LXFW_Y_NFIW, LXFW_Y_LIST,
	LXFW_Y_WEIGHTED,		/* added to the first five */
	LXFW_Y_ROWS = 10,
};

/* Their columns. */
enum { LXFW_Y_ALONE, LXFW_Y_CONSERVATIVE, LXFW_Y_EASY, LXFW_Y_COLUMNS };

/* Rows of PFCFS. Parameters that the name does not state: x 50 %, n 1, delay 60 s, gang
   length 60 s. T_1 to T_3 are the strategies by table 3.1, the others by section 4.1 (see
   yahyapour_table.c). */
enum {
	LXFW_P_FCFS, LXFW_P_EASY, LXFW_P_CONSERVATIVE, LXFW_P_EASY_EXACT,
	LXFW_P_EASY_UNIFORM, LXFW_P_CONSERVATIVE_UNIFORM,
	LXFW_P_T_1, LXFW_P_T_2, LXFW_P_T_3, LXFW_P_1, LXFW_P_2, LXFW_P_3, LXFW_P_X40,
	LXFW_P_X45, LXFW_P_X50, LXFW_P_X55, LXFW_P_X60, LXFW_P_N3, LXFW_P_N10,
	LXFW_P_N11, LXFW_P_N3_120, LXFW_P_N3_600, LXFW_P_N3_3600,
	LXFW_P_N2_3600, LXFW_P_DELAY1, LXFW_P_ROWS,
};

/* Their columns, the criteria of a schedule. Weights are processors times run time. */
enum {
	LXFW_P_MAKESPAN, LXFW_P_COMPLETION, LXFW_P_FLOW, LXFW_P_PLAIN_FLOW,
	LXFW_P_COLUMNS,
	/* Added to a criterion: share of the months in which it is at most that of
	   FCFS. */
	LXFW_P_SHARE = LXFW_P_COLUMNS,
	/* Added to one of the first three, for rows P_1 to P_3: share of the thesis' months
	   in which it is within 7 points of the thesis, with the columns of P_2 and P_3
	   exchanged. */
	LXFW_P_NEAR = 2 * LXFW_P_COLUMNS,
};

/* A policy of tables 2.4 to 2.7. */
struct lxfw_yahyapour_policy {
	const char *name, *params;
	int row, column;
	bool both;	/* weights do not change the schedule: also row + WEIGHTED */
};

struct lxfw_yahyapour_setting {
	const char *name, *params;
	enum {
		LXFW_P_REQUESTED, LXFW_P_EXACT,
		LXFW_P_UNIFORM,	/* all jobs request LXFW_YAHYAPOUR_LIMIT */
	} times;		/* what the policy knows of the run times */
};

extern const struct lxfw_yahyapour_policy lxfw_yahyapour_policies[];
extern const int lxfw_yahyapour_policy_count;
extern const struct lxfw_yahyapour_setting lxfw_yahyapour_settings[LXFW_P_ROWS];
extern const struct lxfw_cell_claim lxfw_yahyapour_claims[];
extern const int lxfw_yahyapour_claim_count;

extern const char *const lxfw_yahyapour_row_names[LXFW_Y_WEIGHTED];
extern const char *const lxfw_yahyapour_column_names[LXFW_Y_COLUMNS];
extern const char *const lxfw_yahyapour_table_names[LXFW_YAHYAPOUR_TABLES];

/* Seconds, or seconds times the processor seconds of a job; 0: no such cell. */
extern const double lxfw_yahyapour_thesis[4][LXFW_Y_ROWS][LXFW_Y_COLUMNS];

/* Tables 4.3 to 4.5, sums: change against FCFS, per cent, by strategy and criterion. */
extern const double lxfw_yahyapour_sums[3][3];

/* The same by month, by criterion, month and strategy. */
extern const double lxfw_yahyapour_changes[3][LXFW_YAHYAPOUR_THESIS_MONTHS][3];

/* Returns the index of a month in the thesis by its name, or -1. */
int lxfw_yahyapour_thesis_month(const char *name);

struct lxfw_yahyapour {
	/* Set by the caller. */
	const struct lxfw_trace *log;
	size_t jobs;		/* of the log and of synthetic workloads; 0: all of the
				   log, and LXFW_YAHYAPOUR_MADE */
	uint64_t seed;		/* of synthetic workloads */
	int64_t base;		/* of the ranges of time in table 2.6, see remade.h */
	enum lxfw_overrun overrun;	/* jobs that exceed their requested time */
	bool wanted[LXFW_YAHYAPOUR_TABLES];

	/* Results. */
	size_t counts[LXFW_YAHYAPOUR_TABLES];	/* numbers of jobs */
	double values[4][LXFW_Y_ROWS][LXFW_Y_COLUMNS];
	int months;
	char month_names[LXFW_YAHYAPOUR_MONTHS][32];
	double criteria[2][LXFW_P_ROWS][LXFW_YAHYAPOUR_MONTHS][LXFW_P_COLUMNS];
};

/* Runs the simulations of the wanted tables. Returns 0, or -1 with errno and ERROR set. */
int lxfw_yahyapour_run(struct lxfw_yahyapour *experiment, int threads,
		       void (*progress)(size_t done, size_t all),
		       struct lxfw_error *error);

/* Returns the value of a cell, in tables of PFCFS relative to FCFS; NAN if it was not
   simulated. */
double lxfw_yahyapour_value(const struct lxfw_yahyapour *experiment,
			    const struct lxfw_cell *cell);

/* Returns 0, or -1 with errno ENOMEM. The caller checks OUT for write errors. */
int lxfw_yahyapour_print(const struct lxfw_yahyapour *experiment,
			 enum lxfw_format format, FILE *out);

#endif
