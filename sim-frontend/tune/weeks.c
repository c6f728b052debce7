/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/weeks.h"

#include "sim-frontend/util/text.h"

#define WEEKS_MOST 100000

int lxfw_tune_weeks_of(struct lxfw_tune_weeks *weeks,
		       const struct lxfw_trace *trace, int64_t warmup,
		       int64_t length, bool alternating,
		       struct lxfw_error *error)
{
	int64_t first = trace->jobs[lxfw_trace_at(trace, 0)].submit;
	int64_t last = trace->jobs[lxfw_trace_at(trace,
						 trace->count - 1)].submit;
	int64_t left = last - first - warmup, count;

	if (left < 0)
		left = 0;
	count = left / length + (left % length >= (length + 1) / 2);
	*weeks = (struct lxfw_tune_weeks) {
		.begin = first + warmup, .length = length,
		.alternating = alternating,
	};
	if (count < LXFW_TUNE_WEEKS_LEAST)
		return lxfw_error_format(error, "%lld periods of %.6g days "
			"after a warm-up of %.6g days, expected %d or more: "
			"a longer log, or a shorter --period", (long long)count,
			(double)length / 86400, (double)warmup / 86400,
			LXFW_TUNE_WEEKS_LEAST);
	if (count > WEEKS_MOST)
		return lxfw_error_format(error, "%lld periods of %lld s, "
			"expected at most %d", (long long)count,
			(long long)length, WEEKS_MOST);
	weeks->count = (int)count;
	return 0;
}

int lxfw_tune_week_at(const struct lxfw_tune_weeks *weeks, int64_t submit)
{
	int64_t week;

	if (submit < weeks->begin)
		return -1;
	week = (submit - weeks->begin) / weeks->length;
	return week < weeks->count ? (int)week : -1;
}
