/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/local_times.h"

#include <limits.h>
#include <string.h>

#include "sim-frontend/util/zone.h"

enum { SUBMITTED, ELIGIBLE_FROM, STARTED, ENDED };

static bool is_other(int64_t from, int64_t to, int64_t span)
{
	return span >= 0 && from >= 0 && to >= 0 && to - from != span;
}

/* Returns the number of inconsistencies in AT. Times are expected in ascending order. Durations,
   which no clock changes, are believed before that. */
static int wrong_with(const struct lxfw_local_times *times, const int64_t *at)
{
	int64_t before = -1;
	int wrong = 0;

	for (int i = 0; i < LXFW_TIMES; i++) {
		if (at[i] < 0)
			continue;
		wrong += at[i] < before ? 2 : 0;
		before = at[i];
	}
	wrong += is_other(at[STARTED], at[ENDED], times->held) ? 4 : 0;
	wrong += is_other(at[SUBMITTED], at[STARTED], times->waited) ? 4 : 0;
	return wrong + (at[SUBMITTED] < times->last);
}

/* Selects one of the two moments that each time may stand for, such that inconsistencies are
   minimal. */
static void choose(struct lxfw_local_times *times, const struct lxfw_zone_moments *moments)
{
	int64_t tried[LXFW_TIMES];
	int least = INT_MAX;

	for (unsigned int way = 0; way < 1U << LXFW_TIMES; way++) {
		bool is_way = true;
		int wrong;

		for (int i = 0; i < LXFW_TIMES; i++) {
			int which = way >> i & 1;

			is_way &= which < moments[i].count;
			tried[i] = moments[i].at[which];
		}
		if (!is_way)
			continue;
		wrong = wrong_with(times, tried);
		times->unclear = wrong == least || (times->unclear && wrong > least);
		if (wrong < least) {
			least = wrong;
			memcpy(times->at, tried, sizeof(tried));
		}
	}
}

void lxfw_local_times_convert(struct lxfw_local_times *times)
{
	struct lxfw_zone_moments moments[LXFW_TIMES];

	for (int i = 0; i < LXFW_TIMES; i++) {
		lxfw_zone_moments(times->local[i] && times->in_zone, times->at[i], &moments[i]);
		times->any_local |= times->local[i];
		times->skipped |= moments[i].skipped;
	}
	choose(times, moments);
}
