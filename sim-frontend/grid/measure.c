/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/measure.h"

#include <stdlib.h>

/* Flows are stored up to this number of sites. */
#define FLOWS_MAX 64

struct sums {
	double weights, waits, several;
	double *site_weights, *site_responses, *site_busy;	/* by site */
};

static void add_parts(const struct lxfw_grid_run *run, size_t position,
		      struct lxfw_grid_metrics *metrics, struct sums *sums)
{
	int32_t home = run->homes[position], count = run->part_counts[position];
	bool moved = count > 1;

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_grid_part *part =
			&run->parts[run->parts_at[position] + (uint32_t)i];
		struct lxfw_site_metrics *site = &metrics->sites[part->site];

		site->ran++;
		site->foreign += part->site != home;
		moved |= part->site != home;
		if (metrics->flows)
			metrics->flows[home * metrics->site_count + part->site]++;
		sums->site_busy[part->site] += (double)part->procs *
			(double)run->part_seconds[run->parts_at[position] + (uint32_t)i];
	}
	metrics->moved += moved;
}

/* The run time of the longest part. A job that was suspended stays longer. */
static int64_t ran(const struct lxfw_grid_run *run, size_t position, int32_t *procs)
{
	int64_t most = 0;

	*procs = 0;
	for (int32_t i = 0; i < run->part_counts[position]; i++) {
		uint32_t at = run->parts_at[position] + (uint32_t)i;

		*procs += run->parts[at].procs;
		if (run->part_seconds[at] > most)
			most = run->part_seconds[at];
	}
	return most;
}

static int add(const struct lxfw_grid_run *run, size_t position,
	       struct lxfw_grid_metrics *metrics, struct lxfw_measure *measure,
	       struct sums *sums)
{
	const struct lxfw_trace_job *job = &run->trace->jobs[position];
	int32_t home = run->homes[position], procs;
	int64_t seconds = ran(run, position, &procs);
	const struct lxfw_outcome outcome = {
		.submit = job->submit, .end = run->ends[position], .procs = procs,
		.run = seconds,
	};
	double weight = (double)job->procs * (double)lxfw_grid_run_time(run, position);
	double wait = (double)(run->ends[position] - job->submit - seconds);
	double response = (double)(run->ends[position] - job->submit);

	sums->weights += weight;
	sums->waits += weight * wait;
	if (run->part_counts[position] > 1) {
		metrics->several++;
		sums->several += weight;
	}
	metrics->sites[home].submitted++;
	metrics->sites[home].mean_wait += wait;
	sums->site_weights[home] += weight;
	sums->site_responses[home] += weight * response;
	metrics->all.awrt += weight * response;
	add_parts(run, position, metrics, sums);
	return lxfw_measure_add(measure, &outcome);
}

static void finish_site(struct lxfw_grid_metrics *metrics, const struct lxfw_grid_run *run,
			int32_t i, const struct sums *sums)
{
	struct lxfw_site_metrics *site = &metrics->sites[i];
	double all = (double)run->sites->list[i].cluster.procs *
		     (double)metrics->all.makespan;

	if (site->submitted > 0)
		site->mean_wait /= (double)site->submitted;
	if (sums->site_weights[i] > 0)
		site->awrt = sums->site_responses[i] / sums->site_weights[i];
	if (all > 0)
		site->utilization = sums->site_busy[i] / all;
}

/* The response times are weighted by the run times at one site, also of jobs that ran at
   several or at another speed. */
static void finish(struct lxfw_grid_metrics *metrics, const struct lxfw_grid_run *run,
		   struct lxfw_measure *measure, const struct sums *sums)
{
	double responses = metrics->all.awrt;

	lxfw_measure_end(measure, lxfw_sites_procs(run->sites), &metrics->all);
	metrics->all.awrt = sums->weights > 0 ? responses / sums->weights : 0;
	metrics->awwt = sums->weights > 0 ? sums->waits / sums->weights : 0;
	metrics->several_work = sums->weights > 0 ? sums->several / sums->weights : 0;
	for (int32_t i = 0; i < metrics->site_count; i++)
		finish_site(metrics, run, i, sums);
}

int lxfw_grid_measure(const struct lxfw_grid_run *run, struct lxfw_grid_metrics *metrics)
{
	const struct lxfw_trace *trace = run->trace;
	size_t sites = (size_t)run->sites->count;
	struct sums sums = {
		.site_weights = calloc(sites, sizeof(double)),
		.site_responses = calloc(sites, sizeof(double)),
		.site_busy = calloc(sites, sizeof(double)),
	};
	struct lxfw_measure measure = { 0 };
	int result = -1;

	*metrics = (struct lxfw_grid_metrics){
		.sites = calloc(sites, sizeof(*metrics->sites)),
		.site_count = run->sites->count,
		.flows = sites <= FLOWS_MAX ? calloc(sites * sites, sizeof(size_t)) : NULL,
	};
	lxfw_measure_begin(&measure, trace->count ?
			   trace->jobs[lxfw_trace_at(trace, 0)].submit : 0);
	if (sums.site_weights && sums.site_responses && sums.site_busy && metrics->sites &&
	    (metrics->flows || sites > FLOWS_MAX))
		result = 0;
	for (size_t i = 0; i < trace->count && result == 0; i++)
		result = add(run, i, metrics, &measure, &sums);
	if (result == 0)
		finish(metrics, run, &measure, &sums);
	else
		free(measure.waits);
	free(sums.site_weights);
	free(sums.site_responses);
	free(sums.site_busy);
	return result;
}

void lxfw_grid_metrics_clear(struct lxfw_grid_metrics *metrics)
{
	free(metrics->sites);
	free(metrics->flows);
	*metrics = (struct lxfw_grid_metrics){ 0 };
}
