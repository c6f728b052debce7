/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The hours of a week as a picture: the darker an hour, the more of it. */
#ifndef LXFW_REPORT_HEAT_MAP_H
#define LXFW_REPORT_HEAT_MAP_H

#include "sim-frontend/util/output.h"
#include "sim-frontend/workload/week_map.h"

enum lxfw_heat {
	LXFW_HEAT_RATE,		/* events an hour */
	LXFW_HEAT_MEAN,		/* mean of the values, s */
};

/* What nineteen in twenty of the hours with events do not exceed: a few that do would
   make all others pale. */
double lxfw_heat_most(const struct lxfw_week_map *map, enum lxfw_heat heat);

/* A figure, whose CAPTION is our own; The darkest shade stands for MOST and more, so
   that several can be on one scale. SERIES is its colour. */
void lxfw_heat_map(struct lxfw_output *output, const struct lxfw_week_map *map,
		   enum lxfw_heat heat, double most, int series,
		   const char *caption);

#endif
