/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Converts a recorded run to stays in the system, and estimates properties of the
   machine from them. */
#include <stdlib.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/metrics/metrics.h"

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int64_t lxfw_recorded_job_run(const struct lxfw_recorded_job *job)
{
	if (job->start == LXFW_UNKNOWN || job->end == LXFW_UNKNOWN)
		return 0;
	return job->end > job->start ? job->end - job->start : 1;
}

bool lxfw_recorded_no_end(const struct lxfw_recorded_job *job)
{
	return job->start != LXFW_UNKNOWN && job->end == LXFW_UNKNOWN;
}

bool lxfw_recorded_in_both(const struct lxfw_recorded_job *job)
{
	return job->start != LXFW_UNKNOWN && job->end != LXFW_UNKNOWN &&
	       job->simulated != LXFW_UNKNOWN;
}

int32_t lxfw_recorded_job_procs(const struct lxfw_recorded_job *job)
{
	int64_t procs = (int64_t)job->request.unit.procs * job->request.count;

	return procs > INT32_MAX ? INT32_MAX : procs < 1 ? 1 : (int32_t)procs;
}

int64_t lxfw_recorded_end(const struct lxfw_recorded *recorded)
{
	int64_t end = LXFW_UNKNOWN;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		end = later(later(end, job->request.submit),
			    later(job->start, job->end));
	}
	return end;
}

/* Sets the stay of the job. Returns false if it has none or it is unknown. */
static bool stay_of(const struct lxfw_recorded *recorded,
		    const struct lxfw_recorded_job *job, bool simulated,
		    int64_t end, struct lxfw_stay *stay)
{
	int64_t start = simulated ? job->simulated : job->start;
	int64_t left = lxfw_recorded_cancelled(job) ? job->end : end;
	int64_t run = lxfw_recorded_job_run(job);

	*stay = (struct lxfw_stay) {
		.submit = lxfw_recorded_since(job), .start = LXFW_STAY_NEVER,
		.procs = lxfw_recorded_job_procs(job),
		.user = job->user, .queue = job->queue,
		.limit = job->request.estimate,
		.memory_mb = job->request.unit.memory_mb * job->request.count,
		.request = &job->request,
		.not_compared = !lxfw_recorded_in_both(job),
	};
	if (!simulated && job->share_count > 0) {
		stay->shares = &recorded->shares[job->first_share];
		stay->share_count = job->share_count;
	}
	if (simulated && lxfw_recorded_left_out(recorded, job))
		return false;
	if (start == LXFW_UNKNOWN) {
		/* cancelled, or waiting at the end of the record */
		stay->end = later(stay->submit, left);
		return simulated || job->end != LXFW_UNKNOWN ||
		       job->run == LXFW_UNKNOWN;
	}
	stay->start = later(start, stay->submit);
	stay->end = run > 0 ? stay->start + run : later(stay->start, left);
	return true;
}

size_t lxfw_recorded_stays(const struct lxfw_recorded *recorded, bool simulated,
			   struct lxfw_stay *stays)
{
	int64_t end = lxfw_recorded_end(recorded);
	size_t count = 0;

	for (size_t i = 0; i < recorded->count; i++)
		count += stay_of(recorded, &recorded->jobs[i], simulated, end,
				 &stays[count]);
	return count;
}

/* Excludes jobs with zero run time and jobs delayed by other causes, which do not show
   system overhead. */
static int start_overhead(const struct lxfw_recorded *recorded,
			  struct lxfw_stay *stays,
			  struct lxfw_start_delay *delay)
{
	int64_t end = lxfw_recorded_end(recorded);
	size_t count = 0;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (!job->interrupted &&
		    (job->start == LXFW_UNKNOWN || job->end != job->start))
			count += stay_of(recorded, job, false, end,
					 &stays[count]);
	}
	return lxfw_start_delay_find(stays, count, recorded->procs, delay);
}

static void end_overhead(const struct lxfw_recorded *recorded,
			 int64_t *excesses, struct lxfw_overhead *overhead)
{
	size_t count = 0;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (job->run != LXFW_UNKNOWN && job->start != LXFW_UNKNOWN &&
		    job->end != LXFW_UNKNOWN)
			excesses[count++] = job->end - job->start - job->run;
	}
	if (count == 0)
		return;
	overhead->end_known = true;
	overhead->end = lxfw_percentile(excesses, count, 50);
	if (!recorded->delayed_starts)
		overhead->end -= overhead->start;
	if (overhead->end < 0)
		overhead->end = 0;
}

int64_t lxfw_overhead_longest(const struct lxfw_overhead *overhead)
{
	/* `start` is then only the tenth percentile of the delays */
	return overhead->estimate.clean ? overhead->estimate.longest :
					  2 * overhead->start;
}

int lxfw_recorded_overhead(const struct lxfw_recorded *recorded,
			   struct lxfw_overhead *overhead)
{
	struct lxfw_stay *stays = malloc((recorded->count + 1) * sizeof(*stays));
	int64_t *excesses = malloc((recorded->count + 1) * sizeof(*excesses));
	int failed = -1;

	*overhead = (struct lxfw_overhead) { 0 };
	if (stays && excesses)
		failed = start_overhead(recorded, stays, &overhead->estimate);
	if (!failed) {
		overhead->start = overhead->estimate.seconds;
		end_overhead(recorded, excesses, overhead);
	}
	free(stays);
	free(excesses);
	return failed;
}
