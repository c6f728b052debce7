/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/weeks.h"

#include "sim-frontend/util/text.h"

#define WEEKS_MOST 10000

/* The default length of blocks is the longest that gives this many blocks. */
#define DAY 86400
#define ENOUGH 12

static int64_t count_of(int64_t left, int64_t length)
{
	return left / length + (left % length >= (length + 1) / 2);
}

static int64_t usual_length(int64_t left)
{
	static const int days[] = { 7, 4, 2 };

	for (size_t i = 0; i < sizeof(days) / sizeof(*days); i++) {
		if (count_of(left, (int64_t)days[i] * DAY) >= ENOUGH)
			return (int64_t)days[i] * DAY;
	}
	return DAY;
}

static int divide(struct lxfw_tune_weeks *weeks, int64_t first, int64_t last,
		  int64_t warmup, int64_t length, int folds, struct lxfw_error *error)
{
	int64_t left = last - first - warmup, count;

	if (left < 0)
		left = 0;
	if (length == 0)
		length = usual_length(left);
	count = count_of(left, length);
	*weeks = (struct lxfw_tune_weeks) {
		.begin = first + warmup, .length = length, .folds = folds,
	};
	if (count < LXFW_TUNE_WEEKS_LEAST || count < folds)
		return lxfw_error_format(error, "%lld periods of %.6g days "
			"after a warm-up of %.6g days, expected %d or more: "
			"a longer log, or a shorter --period", (long long)count,
			(double)length / DAY, (double)warmup / DAY,
			folds > LXFW_TUNE_WEEKS_LEAST ? folds :
			LXFW_TUNE_WEEKS_LEAST);
	if (count > WEEKS_MOST)
		return lxfw_error_format(error, "%lld periods of %lld s, "
			"expected at most %d", (long long)count,
			(long long)length, WEEKS_MOST);
	weeks->count = (int)count;
	return 0;
}

int lxfw_tune_weeks_of(struct lxfw_tune_weeks *weeks,
		       const struct lxfw_trace *trace, int64_t warmup,
		       int64_t length, int folds, struct lxfw_error *error)
{
	int64_t first = trace->jobs[lxfw_trace_at(trace, 0)].submit;
	int64_t last = trace->jobs[lxfw_trace_at(trace,
						 trace->count - 1)].submit;

	return divide(weeks, first, last, warmup, length, folds, error);
}

int lxfw_tune_weeks_between(struct lxfw_tune_weeks *weeks, int64_t first, int64_t last,
			    struct lxfw_error *error)
{
	return divide(weeks, first, last, 0, 0, 2, error);
}

int lxfw_tune_week_at(const struct lxfw_tune_weeks *weeks, int64_t submit)
{
	int64_t week;

	if (submit < weeks->begin)
		return -1;
	week = (submit - weeks->begin) / weeks->length;
	return week < weeks->count ? (int)week : -1;
}

bool lxfw_tune_week_seen(const struct lxfw_tune_weeks *weeks, int fold, int week)
{
	for (int i = week - 1; i <= week + 1; i++) {
		if (i >= 0 && i < weeks->count &&
		    lxfw_tune_week_fold(weeks, i) == fold)
			return false;
	}
	return true;
}
