/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/history/learned.h"

#include <errno.h>
#include <stdlib.h>

#include "sim-frontend/trace/trace_calendar.h"

void lxfw_learned_clear(struct lxfw_learned *learned)
{
	lxfw_estimator_clear(&learned->before);
	free(learned->jobs);
	*learned = (struct lxfw_learned) { 0 };
}

int64_t lxfw_learned_begin(const struct lxfw_trace *trace)
{
	struct lxfw_calendar calendar;

	if (trace->count == 0)
		return INT64_MIN;
	lxfw_trace_calendar(trace, &calendar);
	return calendar.begin + trace->jobs[lxfw_trace_at(trace, 0)].submit;
}

int lxfw_learned_make(struct lxfw_learned *learned, const struct lxfw_trace *trace,
		      const struct lxfw_rans *rans, int32_t machine, const int32_t *numbers)
{
	*learned = (struct lxfw_learned) {
		.jobs = lxfw_estimate_of_trace(trace),
		.speed = machine < 0 ? LXFW_RAN_SPEED : rans->machines[machine].speed,
	};
	if (!learned->jobs || (rans && lxfw_estimator_rans(&learned->before, rans, numbers,
							   lxfw_learned_begin(trace)))) {
		lxfw_learned_clear(learned);
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < trace->count; i++) {
		learned->jobs[i].machine = machine;
		learned->jobs[i].speed = learned->speed;
		if (!trace->owners[i].no_limit)
			continue;
		learned->jobs[i].traits.limit = 0;
		learned->unknown++;
	}
	return 0;
}

int64_t lxfw_learned_seconds(const struct lxfw_expected_run *expected, int64_t limit,
			     int32_t speed)
{
	double work = expected->work < (double)limit ? expected->work : (double)limit;

	return lxfw_estimate_seconds(work, speed);
}
