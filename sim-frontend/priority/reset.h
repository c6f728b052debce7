/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When usage is reset (PriorityUsageResetPeriod). */
#ifndef LXFW_PRIORITY_RESET_H
#define LXFW_PRIORITY_RESET_H

#include <stdint.h>

#include "sim-frontend/priority/params.h"
#include "sim-frontend/util/calendar.h"

/*
 * When usage is to be reset after LAST, as seen at NOW, both in s since 1970: by days and
 * months of CALENDAR, whose second 0 is such a second. INT64_MIN: at once (NOW);
 * INT64_MAX: never.
 */
int64_t lxfw_multifactor_next_reset(enum lxfw_multifactor_reset period,
				    const struct lxfw_calendar *calendar, int64_t last,
				    int64_t now);

#endif
