/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Statistics by hour of the week. If the weekdays of a log are unknown, weeks are counted
 * from second 0.
 */
#ifndef LXFW_WORKLOAD_WEEK_MAP_H
#define LXFW_WORKLOAD_WEEK_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/util/calendar.h"

#define LXFW_WEEK_DAYS 7
#define LXFW_DAY_HOURS 24

struct lxfw_week_hour {
	size_t count;		/* number of events */
	double sum;		/* of their values */
	int64_t hours;		/* number of occurrences of this hour */
};

/* {0} is empty. Monday is first. */
struct lxfw_week_map {
	bool named;		/* weekdays are known */
	struct lxfw_week_hour hours[LXFW_WEEK_DAYS][LXFW_DAY_HOURS];
};

void lxfw_week_map_add(struct lxfw_week_map *map,
		       const struct lxfw_calendar *calendar, int64_t time,
		       double value);

/* Adds the period that was examined, from BEGIN to END. Call once for all events. */
void lxfw_week_map_span(struct lxfw_week_map *map,
			const struct lxfw_calendar *calendar, int64_t begin,
			int64_t end);

/* Returns "Mon", or "day 1". A SIZE of 16 is sufficient. */
const char *lxfw_week_map_day(const struct lxfw_week_map *map, int day, char *text,
			      size_t size);

#endif
