/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/reset.h"

#define DAY INT64_C(86400)

/* Returns the beginning of a month. MIDNIGHT is that of a day near it. The result is
   corrected by the calendar for changes of daylight saving time in between. */
static int64_t begin_of_month(const struct lxfw_calendar *calendar, int64_t month,
			      int64_t midnight, int64_t day)
{
	int64_t time = midnight + (lxfw_calendar_first_day(calendar, month) - day) * DAY;
	struct lxfw_moment moment;

	lxfw_calendar_moment(calendar, time, &moment);
	return moment.second > DAY / 2 ? time + DAY - moment.second :
					 time - moment.second;
}

/* Returns TIME or the first multiple of PERIOD after it that is at most PERIOD before
   NOW. */
static int64_t skip(int64_t time, int64_t period, int64_t now)
{
	return time + period < now ? time + (now - time - 1) / period * period : time;
}

int64_t lxfw_multifactor_next_reset(enum lxfw_multifactor_reset period,
				    const struct lxfw_calendar *calendar, int64_t last,
				    int64_t now)
{
	struct lxfw_moment moment;
	int64_t midnight;

	lxfw_calendar_moment(calendar, last, &moment);
	midnight = last - moment.second;
	switch (period) {
	case LXFW_MULTIFACTOR_RESET_NONE:
		break;
	case LXFW_MULTIFACTOR_RESET_NOW:
		return INT64_MIN;
	case LXFW_MULTIFACTOR_RESET_DAILY:
		return skip(midnight + DAY, DAY, now);
	case LXFW_MULTIFACTOR_RESET_WEEKLY:
		/* on Sundays; without a calendar, weekdays are unknown */
		return skip(midnight + DAY * (moment.weekday > 0 ? 7 - moment.weekday : 7),
			    7 * DAY, now);
	case LXFW_MULTIFACTOR_RESET_MONTHLY:
		return begin_of_month(calendar, moment.month + 1, midnight,
				      moment.day);
	case LXFW_MULTIFACTOR_RESET_QUARTERLY:
		return begin_of_month(calendar, (moment.month / 3 + 1) * 3,
				      midnight, moment.day);
	case LXFW_MULTIFACTOR_RESET_YEARLY:
		return begin_of_month(calendar, (moment.month / 12 + 1) * 12,
				      midnight, moment.day);
	}
	return INT64_MAX;
}
