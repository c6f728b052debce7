/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

const char *lxfw_format_double(double value, char *text, size_t size)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, size, "%.*g", digits, value);
		if (strtod(text, NULL) == value)
			break;
	}
	return text;
}

const char *lxfw_format_span(double seconds, char *text, size_t size)
{
	static const struct {
		double most, unit;
		const char *format;
	} units[] = {
		{ 99.5, 1, "%.0fs" },
		{ 99.95 * 60, 60, "%.1fm" },
		{ 99.95 * 3600, 3600, "%.1fh" },
		{ INFINITY, 86400, "%.1fd" },
	};
	int i = 0;

	while (i < 3 && fabs(seconds) >= units[i].most)
		i++;
	snprintf(text, size, units[i].format, seconds / units[i].unit);
	return text;
}
