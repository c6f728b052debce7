/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The results of simulated neighbours: one row per way to exchange jobs. */
#ifndef LXFW_REPORT_NEIGHBOURS_H
#define LXFW_REPORT_NEIGHBOURS_H

#include <stdio.h>

#include "sim-frontend/grid/exchange_measure.h"
#include "sim-frontend/grid/sites.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/output.h"

struct lxfw_neighbours_result {
	char moves[32];		/* "push+pull" */
	struct lxfw_exchange_metrics metrics;
};

/* What the results have in common. */
struct lxfw_neighbours_about {
	const char *graph;
	const struct lxfw_sites *sites;
	uint32_t edges;		/* in one direction each */
	const struct lxfw_graph *links;
};

/* Prints COUNT results as text, JSON or CSV. Returns 0, or -1 with errno ENOMEM. The caller
   checks OUT for write errors. */
int lxfw_neighbours_print(const struct lxfw_neighbours_about *about,
			  const struct lxfw_neighbours_result *results, size_t count,
			  enum lxfw_format format, FILE *out);

/* Writes a page with the sites, their neighbours, who ran whose jobs, and the messages. PATH is
   that of the log. */
void lxfw_neighbours_page(const struct lxfw_neighbours_about *about,
			  const struct lxfw_neighbours_result *results, size_t count,
			  const char *path, struct lxfw_output *output);

/* Writes the jobs as CSV, in the order of the trace:
   job_id,submit,start,end,wait,wait_there,run,procs,home,site,moves,preemptions. The run
   time is that at the usual speed. */
void lxfw_neighbours_jobs_csv(const struct lxfw_exchange *exchange,
			      const struct lxfw_trace *trace, const struct lxfw_sites *sites,
			      const int64_t *runs, struct lxfw_output *output);

#endif
