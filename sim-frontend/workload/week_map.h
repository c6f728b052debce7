/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What happens in which hour of the week. Where the days of a log have no names, its
 * weeks are counted from second 0.
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
	size_t count;		/* of events */
	double sum;		/* of their values */
	int64_t hours;		/* how often this hour came by */
};

/* {0} is empty. Monday comes first. */
struct lxfw_week_map {
	bool named;		/* days have names */
	struct lxfw_week_hour hours[LXFW_WEEK_DAYS][LXFW_DAY_HOURS];
};

void lxfw_week_map_add(struct lxfw_week_map *map,
		       const struct lxfw_calendar *calendar, int64_t time,
		       double value);

/* The time that was looked at, from BEGIN until END, once for all events. */
void lxfw_week_map_span(struct lxfw_week_map *map,
			const struct lxfw_calendar *calendar, int64_t begin,
			int64_t end);

/* "Mon", or "day 1". SIZE 16 is enough. */
const char *lxfw_week_map_day(const struct lxfw_week_map *map, int day, char *text,
			      size_t size);

#endif
