/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hours of a week as a heat map: darker hours have larger values. */
#ifndef LXFW_REPORT_HEAT_MAP_H
#define LXFW_REPORT_HEAT_MAP_H

#include "sim-frontend/util/output.h"
#include "sim-frontend/workload/week_map.h"

enum lxfw_heat {
	LXFW_HEAT_RATE,		/* events per hour */
	LXFW_HEAT_MEAN,		/* mean of the values, seconds */
};

/* Returns the 95th percentile of the hours with events. With the maximum as the scale,
   a few outliers would make all other hours pale. */
double lxfw_heat_most(const struct lxfw_week_map *map, enum lxfw_heat heat);

/* Draws a figure. CAPTION is written without escaping. The darkest shade means MOST or
   more, so that several figures can share a scale. SERIES selects the colour. */
void lxfw_heat_map(struct lxfw_output *output, const struct lxfw_week_map *map,
		   enum lxfw_heat heat, double most, int series,
		   const char *caption);

#endif
