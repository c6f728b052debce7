/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic with times and durations in seconds that does not overflow. */
#ifndef LXFW_PROFILE_DURATION_H
#define LXFW_PROFILE_DURATION_H

#include <stdint.h>

#include "common/model/event.h"

/* START + DURATION; LXFW_NEVER if the sum is not below it. */
static inline int64_t lxfw_time_add(int64_t start, int64_t duration)
{
	return start > 0 && duration >= LXFW_NEVER - start ? LXFW_NEVER :
							     start + duration;
}

/* The duration on TO processors of work that takes DURATION seconds (0 or more) on FROM
   processors, rounded up. FROM and TO are 1 or more. At most LXFW_TIME_MAX. */
int64_t lxfw_time_scale(int64_t duration, int32_t from, int32_t to);

#endif
