/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/start_delay.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/metrics/metrics.h"

/* Whether nobody waited when the job came, nobody came with it, and there was room. */
static bool had_nothing_to_wait_for(const struct lxfw_timeline *timeline,
				    int64_t procs, const struct lxfw_stay *stay)
{
	size_t at = lxfw_timeline_at(timeline, stay->submit);
	const struct lxfw_stretch *stretch = &timeline->stretches[at];

	if (stretch->came > 1)
		return false;
	if (at == 0)
		return stay->procs <= procs;
	return stretch[-1].waiting == 0 &&
	       stretch[-1].held + stay->procs <= procs;
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
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_stay *stay = &stays[i];

		if (stay->start != LXFW_STAY_NEVER &&
		    had_nothing_to_wait_for(&timeline, procs, stay))
			delays[delay->jobs++] = stay->start - stay->submit;
	}
	delay->known = delay->jobs >= LXFW_START_DELAY_LEAST;
	if (delay->known)
		delay->seconds = lxfw_percentile(delays, delay->jobs,
						 LXFW_START_DELAY_PERCENT);
	lxfw_timeline_clear(&timeline);
	free(delays);
	return 0;
}
