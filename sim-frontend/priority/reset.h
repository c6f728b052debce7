/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times of usage resets (PriorityUsageResetPeriod). */
#ifndef LXFW_PRIORITY_RESET_H
#define LXFW_PRIORITY_RESET_H

#include <stdint.h>

#include "sim-frontend/priority/params.h"
#include "sim-frontend/util/calendar.h"

/*
 * Returns the time of the next reset after LAST, computed at NOW, both in seconds since
 * 1970, by days and months of CALENDAR, whose second 0 is 1970. INT64_MIN: immediately
 * (NOW); INT64_MAX: never.
 */
int64_t lxfw_multifactor_next_reset(enum lxfw_multifactor_reset period,
				    const struct lxfw_calendar *calendar, int64_t last,
				    int64_t now);

#endif
