/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/start_delay.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/metrics/metrics.h"

/* Limit of outliers above the upper quartile, in interquartile ranges, and the maximum
   fraction of outliers. */
#define FENCE 3
#define FAR_SHARE 0.1

/* Quantile of the normal distribution for a 95 % interval. */
#define NORMAL_95 1.96

/* Returns whether the queue was empty when the job arrived, or (with BESIDE) all
   waiting jobs fitted, no other job arrived at the same time, and the job fitted. */
static bool had_nothing_to_wait_for(const struct lxfw_timeline *timeline,
				    int64_t procs, bool beside,
				    const struct lxfw_stay *stay)
{
	size_t at = lxfw_timeline_at(timeline, stay->submit);
	const struct lxfw_stretch *stretch = &timeline->stretches[at];

	if (stretch->came > 1)
		return false;
	if (at == 0)
		return stay->procs <= procs;
	return (beside || stretch[-1].waiting == 0) &&
	       stretch[-1].held + stretch[-1].wanted + stay->procs <= procs;
}

static size_t list_delays(const struct lxfw_stay *stays, size_t count,
			  const struct lxfw_timeline *timeline, int64_t procs,
			  bool beside, int64_t *delays)
{
	size_t jobs = 0;

	for (size_t i = 0; i < count; i++) {
		const struct lxfw_stay *stay = &stays[i];

		if (stay->start != LXFW_STAY_NEVER &&
		    had_nothing_to_wait_for(timeline, procs, beside, stay))
			delays[jobs++] = stay->start - stay->submit;
	}
	return jobs;
}

/* Computes the mean of the delays that are not outliers, and its interval. */
static void take_mean(const int64_t *delays, int64_t fence,
		      struct lxfw_start_delay *delay)
{
	double count = (double)(delay->jobs - delay->far), sum = 0, squares = 0;
	double mean, half;

	for (size_t i = 0; i < delay->jobs; i++) {
		if (delays[i] > fence)
			continue;
		sum += (double)delays[i];
		if (delays[i] > delay->longest)
			delay->longest = delays[i];
	}
	mean = sum / count;
	for (size_t i = 0; i < delay->jobs; i++) {
		double off = (double)delays[i] - mean;

		squares += delays[i] > fence ? 0 : off * off;
	}
	half = NORMAL_95 * sqrt(squares / (count - 1) / count);
	delay->seconds = llround(mean);
	delay->low = llround(mean - half < 0 ? 0 : mean - half);
	delay->high = llround(mean + half);
}

static void conclude(int64_t *delays, struct lxfw_start_delay *delay)
{
	int64_t upper, width, fence;

	delay->known = delay->jobs >= LXFW_START_DELAY_LEAST;
	if (!delay->known)
		return;
	upper = lxfw_percentile(delays, delay->jobs, 75);
	width = upper - lxfw_percentile(delays, delay->jobs, 25);
	fence = upper + FENCE * (width > 1 ? width : 1);
	for (size_t i = 0; i < delay->jobs; i++)
		delay->far += delays[i] > fence;
	delay->clean = (double)delay->far <= FAR_SHARE * (double)delay->jobs &&
		       upper <= LXFW_START_DELAY_MOST;
	if (delay->clean) {
		take_mean(delays, fence, delay);
		return;
	}
	delay->seconds = lxfw_percentile(delays, delay->jobs,
					 LXFW_START_DELAY_PERCENT);
	delay->low = delay->high = delay->longest = delay->seconds;
}

int lxfw_start_delay_find(const struct lxfw_stay *stays, size_t count,
			  int64_t procs, struct lxfw_start_delay *delay)
{
	int64_t *delays = malloc((count + 1) * sizeof(*delays));
	struct lxfw_timeline timeline;

	*delay = (struct lxfw_start_delay) { 0 };
	if (!delays || lxfw_timeline_make(&timeline, stays, count)) {
		free(delays);
		errno = ENOMEM;
		return -1;
	}
	delay->jobs = list_delays(stays, count, &timeline, procs, false, delays);
	if (delay->jobs < LXFW_START_DELAY_LEAST) {
		size_t few = delay->jobs;

		delay->jobs = list_delays(stays, count, &timeline, procs, true,
					  delays);
		delay->beside = delay->jobs >= LXFW_START_DELAY_LEAST;
		if (!delay->beside)
			delay->jobs = few;
	}
	conclude(delays, delay);
	lxfw_timeline_clear(&timeline);
	free(delays);
	return 0;
}
