/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The workloads and configurations of Yahyapour 2002, tables 5.1 and 5.2. */
#ifndef LXFW_EXPERIMENT_YAHYAPOUR_WORKLOADS_H
#define LXFW_EXPERIMENT_YAHYAPOUR_WORKLOADS_H

#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/grid/sites.h"
#include "sim-frontend/trace/trace.h"

#define LXFW_G_JOBS 10000	/* of a workload */

/* Table 5.2: jobs of the log from the one with this number on, and a synthetic workload. */
enum { LXFW_G_10K, LXFW_G_30K, LXFW_G_60K, LXFW_G_SYN, LXFW_G_WORKLOADS };

/* Table 5.1. */
enum {
	LXFW_G_M64, LXFW_G_M64_8, LXFW_G_M128, LXFW_G_M256, LXFW_G_M256_5, LXFW_G_M384,
	LXFW_G_M512, LXFW_G_CONFIGS,
};

/* A configuration: numbers of sites and their processors; 0 ends the list. */
struct lxfw_g_config {
	const char *name;
	struct { int count, procs; } sites[4];
};

extern const struct lxfw_g_config lxfw_g_configs[LXFW_G_CONFIGS];
extern const char *const lxfw_g_workloads[LXFW_G_WORKLOADS];

/* Copies COUNT jobs of the log in the order of submission, from position FIRST on. Returns 0,
   or -1 with errno ENOMEM. */
int lxfw_g_copy_jobs(const struct lxfw_trace *log, size_t first, size_t count,
		     struct lxfw_trace *to);

/* Makes the workloads. SEED is that of the synthetic one, BASE that of its ranges of time
   (remade.h). Returns 0, or -1 with errno and ERROR set; clear the traces in both cases. */
int lxfw_g_make_workloads(const struct lxfw_trace *log, uint64_t seed, int64_t base,
			  struct lxfw_trace traces[LXFW_G_WORKLOADS],
			  struct lxfw_error *error);

/* Adds the sites of a configuration. Returns 0, or -1 with errno and ERROR set. */
int lxfw_g_make_sites(struct lxfw_sites *sites, int config, struct lxfw_error *error);

/* An experiment of COUNT tasks, which several threads carry out with the workloads. */
struct lxfw_g_plan {
	/* Set by the caller. WORK does a task, TASK of CONTEXT, a plan. */
	void *of;			/* the experiment */
	size_t count;
	int (*work)(void *context, size_t task, struct lxfw_error *error);
	void (*progress)(size_t done, size_t all);	/* NULL: none */
	const struct lxfw_trace *log;
	uint64_t seed;
	int64_t base;
	double *values;			/* results; set to NAN before the tasks */
	size_t value_count;

	struct lxfw_trace traces[LXFW_G_WORKLOADS];
	size_t sizes[LXFW_G_WORKLOADS];	/* numbers of jobs, also after the end */
	size_t done;
};

/* Makes the workloads and carries out all tasks. Returns 0, or -1 with errno and ERROR set. */
int lxfw_g_carry_out(struct lxfw_g_plan *plan, int threads, struct lxfw_error *error);

#endif
