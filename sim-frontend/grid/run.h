/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulates a trace on the sites of a grid: one engine per site, all at the same time, and a
 * broker of common/grid that sends the jobs to them.
 *
 * At one time the sites process their events and decide, in the order of the sites; then the
 * broker receives the jobs that ended and those that were submitted, and decides. A site
 * to which a job is sent decides at once. A blind broker sends the jobs before the sites
 * decide: each site decides then as `lxfw simulate` does for the jobs of the site.
 */
#ifndef LXFW_GRID_RUN_H
#define LXFW_GRID_RUN_H

#include "common/grid/grid.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/grid/expect.h"
#include "sim-frontend/grid/sites.h"
#include "sim-frontend/grid/times.h"
#include "sim-frontend/history/accuracy.h"

struct lxfw_grid_run {
	/* Set by the caller. */
	const struct lxfw_trace *trace;
	const int32_t *homes;		/* site of each job, by its position in the trace */
	const struct lxfw_sites *sites;
	const struct lxfw_broker *broker;
	struct lxfw_grid_params params;
	/* Kind and priority of each job, by its position; NULL: all 0, all
	   LXFW_GRID_MEDIUM. */
	const int32_t *kinds, *priorities;
	const struct lxfw_grid_times *times;	/* NULL: run times are those of the trace */
	/* For the broker; learns from each job at one site or on a cluster. NULL: none. */
	struct lxfw_grid_history *history;
	/* Estimates that are learned, and the sites that are machines of the data base. Jobs
	   whose requested time is unknown have that of the options. NULL: all have. */
	const struct lxfw_learned *learned;
	const int32_t *machines;
	int32_t machine_count;
	/* Estimates, overruns and passes; the other members are not used. */
	const struct lxfw_simulation_options *options;
	/* Of each site; NULL: none. Ids are positions in the trace plus one. */
	struct lxfw_journal_writer *journals;
	struct lxfw_output *decisions;	/* those of the broker (decisions.h); NULL: none */
	void (*progress)(size_t done, size_t all);	/* may be NULL */

	/* Results, by position in the trace. */
	int64_t *starts;		/* LXFW_NEVER: never */
	int64_t *ends;			/* of the last part; LXFW_NEVER: never */
	uint32_t *parts_at;		/* first one of the job in `parts` */
	int32_t *part_counts;		/* 0: it was not sent */
	struct lxfw_grid_part *parts;
	int64_t *part_seconds;		/* run time of each part at its site */
	size_t part_count, part_size, seconds_size;
	int32_t *places;		/* of a job that the broker sent to a place; -1 */
	int32_t *recalls;		/* number of times that the broker stopped it */
	struct lxfw_engine_result *results;	/* by site */
	struct lxfw_accuracies accuracies;	/* of jobs at one site whose estimates were learned */
};

/* Returns 0, or -1 with errno and ERROR set. Release the results with lxfw_grid_run_clear()
   in both cases. */
int lxfw_grid_simulate(struct lxfw_grid_run *run, struct lxfw_error *error);
void lxfw_grid_run_clear(struct lxfw_grid_run *run);

/* Returns the run time of the job at the usual speed at one site, seconds. */
int64_t lxfw_grid_run_time(const struct lxfw_grid_run *run, size_t position);

#endif
