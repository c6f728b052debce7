/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Judges the simulation of a comparison. */
#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/report/comparison.h"

static struct lxfw_verdict_job job_of(const struct lxfw_recorded_job *job)
{
	return (struct lxfw_verdict_job) {
		.submit = job->request.submit,
		.run = lxfw_recorded_job_run(job),
		.measured = job->start - job->request.submit,
		.simulated = job->simulated - job->request.submit,
		.procs = lxfw_recorded_job_procs(job), .queue = job->queue,
	};
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
		.unexplained = lxfw_verdict_unexplained(&sides[LXFW_MEASURED],
							&sides[LXFW_SIMULATED]),
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
