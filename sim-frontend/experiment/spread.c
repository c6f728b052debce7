/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/spread.h"

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;

	return (left > right) - (left < right);
}

struct lxfw_spread lxfw_spread_of(double *values, int count)
{
	struct lxfw_spread spread = { NAN, NAN, NAN, 0 };
	int known = 0;

	for (int i = 0; i < count; i++) {
		if (!isnan(values[i]))
			values[known++] = values[i];
	}
	if (known == 0)
		return spread;
	qsort(values, (size_t)known, sizeof(*values), compare);
	spread.count = known;
	spread.least = values[0];
	spread.most = values[known - 1];
	spread.median = known % 2 ? values[known / 2] :
			(values[known / 2 - 1] + values[known / 2]) / 2;
	return spread;
}
