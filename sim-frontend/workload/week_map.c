/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/workload/week_map.h"

#include <stdio.h>

static struct lxfw_week_hour *hour_of(struct lxfw_week_map *map,
				      const struct lxfw_calendar *calendar,
				      int64_t time)
{
	struct lxfw_moment moment;
	int64_t day;

	lxfw_calendar_moment(calendar, time, &moment);
	day = moment.weekday < 0 ? moment.day : moment.weekday + 6;
	map->named = moment.weekday >= 0;
	day = (day % LXFW_WEEK_DAYS + LXFW_WEEK_DAYS) % LXFW_WEEK_DAYS;
	return &map->hours[day][moment.second / 3600];
}

void lxfw_week_map_add(struct lxfw_week_map *map,
		       const struct lxfw_calendar *calendar, int64_t time,
		       double value)
{
	struct lxfw_week_hour *hour = hour_of(map, calendar, time);

	hour->count++;
	hour->sum += value;
}

void lxfw_week_map_span(struct lxfw_week_map *map,
			const struct lxfw_calendar *calendar, int64_t begin,
			int64_t end)
{
	for (int64_t time = begin; time < end; time += 3600)
		hour_of(map, calendar, time)->hours++;
}

const char *lxfw_week_map_day(const struct lxfw_week_map *map, int day, char *text,
			      size_t size)
{
	static const char *const names[LXFW_WEEK_DAYS] = {
		"Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun",
	};

	if (map->named)
		return names[day];
	snprintf(text, size, "day %d", day + 1);
	return text;
}
