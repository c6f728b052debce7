/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of simulated grids: one row per broker, and the sites of each. */
#ifndef LXFW_REPORT_GRID_H
#define LXFW_REPORT_GRID_H

#include <stdio.h>

#include "sim-frontend/grid/measure.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/output.h"

struct lxfw_grid_result {
	const struct lxfw_broker *broker;
	struct lxfw_grid_metrics metrics;
	const struct lxfw_sites *sites;
	bool learned;			/* estimates are learned */
	struct lxfw_accuracy accuracy;	/* of them */
};

/* Prints COUNT results of the same sites as text (one row per broker, and the sites of a
   single one), JSON or CSV. Returns 0, or -1 with errno ENOMEM. The caller checks OUT for
   write errors. */
int lxfw_grid_print(const struct lxfw_grid_result *results, size_t count,
		    enum lxfw_format format, FILE *out);

/* Writes a page. PATH is that of the log. */
void lxfw_grid_page(const struct lxfw_grid_result *results, size_t count, const char *path,
		    struct lxfw_output *output);

/* Writes the jobs of a run as CSV, in the order of the trace:
   job_id,submit,start,end,wait,run,procs,home,sites with sites as "a:64+b:32". */
void lxfw_grid_jobs_csv(const struct lxfw_grid_run *run, struct lxfw_output *output);

#endif
