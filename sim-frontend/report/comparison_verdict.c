/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges the simulation of a comparison. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/report/comparison.h"

static struct lxfw_verdict_job job_of(const struct lxfw_recorded_job *job)
{
	return (struct lxfw_verdict_job) {
		.submit = lxfw_recorded_since(job),
		.run = lxfw_recorded_job_run(job),
		.measured = job->start - lxfw_recorded_since(job),
		.simulated = job->simulated - lxfw_recorded_since(job),
		.procs = lxfw_recorded_job_procs(job), .queue = job->queue,
	};
}

/* The mean difference of groups, as a fraction of the measured mean. That of a group is 0 if its
   measured mean is in its range. */
static double miss_beyond(const struct lxfw_comparison_report *report,
			  enum lxfw_comparison_by by)
{
	const struct lxfw_comparison_rows *rows = &report->by[by];
	double sum = 0, jobs = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const struct lxfw_comparison_row *row = &rows->rows[i];
		const struct lxfw_shaken_range *range = &row->ranges[LXFW_FIGURE_MEAN];
		const struct lxfw_metrics *measured = &row->side[LXFW_MEASURED];

		jobs += (double)measured->jobs;
		if (measured->mean_wait < range->low || measured->mean_wait > range->high)
			sum += (double)measured->jobs *
			       fabs(row->side[LXFW_SIMULATED].mean_wait - measured->mean_wait);
	}
	return jobs > 0 ? sum / jobs / fmax(report->measured.mean, 60) : 0;
}

static struct lxfw_verdict_noise noise_of(const struct lxfw_comparison_report *report)
{
	const struct lxfw_shaken_range *mean = &report->ranges[LXFW_FIGURE_MEAN];
	const struct lxfw_shaken_range *p95 = &report->ranges[LXFW_FIGURE_P95];

	return (struct lxfw_verdict_noise) {
		.copies = mean->copies, .low = mean->low, .high = mean->high,
		.p95_low = p95->low, .p95_high = p95->high,
		.weeks = miss_beyond(report, LXFW_BY_WEEK),
		.sizes = miss_beyond(report, LXFW_BY_SIZE),
		.run_times = miss_beyond(report, LXFW_BY_RUN),
		.queues = miss_beyond(report, LXFW_BY_QUEUE),
	};
}

/* The part of the measured wait, 0 to 1, that the log does not explain, and that the simulated
   schedule and its copies do not have. */
static double unexplained_beyond(const struct lxfw_comparison_report *report)
{
	const struct lxfw_unexplained *measured = &report->unexplained[LXFW_MEASURED];
	double seconds = 0;

	if (report->ranges[LXFW_FIGURE_MEAN].copies == 0 || measured->jobs == 0)
		return lxfw_verdict_unexplained(measured, &report->unexplained[LXFW_SIMULATED]);
	for (int part = LXFW_WAIT_PASSED; part < LXFW_WAIT_PARTS; part++)
		seconds += measured->parts[part].seconds -
			   report->part_ranges[part].high * (double)measured->jobs;
	return seconds > 0 && measured->wait_seconds > 0 ? seconds / measured->wait_seconds : 0;
}

int lxfw_comparison_judge(const struct lxfw_comparison_report *report,
			  struct lxfw_verdict *verdict)
{
	const struct lxfw_recorded *recorded = report->recorded;
	const struct lxfw_unexplained *sides = report->unexplained;
	struct lxfw_verdict_job *jobs =
		malloc((recorded->count + 1) * sizeof(*jobs));
	struct lxfw_verdict_input input = {
		.jobs = jobs, .over_share = sides[LXFW_MEASURED].over_share,
		.procs = recorded->procs, .most_held = sides[LXFW_MEASURED].most_held,
		.hosts_named = recorded->hosts_named, .given = recorded->given,
		.gpus_hidden = lxfw_needs_hide_gpus(&recorded->told),
		.unexplained = lxfw_comparison_unexplained(report),
		.unexplained_more = unexplained_beyond(report), .noise = noise_of(report),
	};
	int failed;

	if (!jobs)
		return -1;
	if (sides[LXFW_MEASURED].days > 0)
		input.level_share = (double)sides[LXFW_MEASURED].level_days /
				    (double)sides[LXFW_MEASURED].days;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (lxfw_recorded_in_both(job))
			jobs[input.count++] = job_of(job);
		else if (job->start != LXFW_UNKNOWN &&
			 job->simulated == LXFW_UNKNOWN)
			input.not_started++;
	}
	failed = lxfw_verdict_make(verdict, &input);
	free(jobs);
	return failed;
}
