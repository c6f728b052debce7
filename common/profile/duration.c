/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/duration.h"

int64_t lxfw_time_scale(int64_t duration, int32_t from, int32_t to)
{
	int64_t most = LXFW_TIME_MAX;

	if (from == to || duration <= 0)
		return duration;
	if (duration <= most / from)
		return (duration * from - 1) / to + 1;
	/* The product would overflow. The result is then not exact to the second. */
	if (from > to)
		return duration / to < most / from ? duration / to * from : most;
	return duration / to * from;
}
