/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

double lxfw_median(double *values, size_t count)
{
	if (count == 0)
		return 0;
	qsort(values, count, sizeof(*values), by_value);
	return values[(count - 1) / 2];
}

/* A value and its index in the sample. */
struct place {
	double value;
	size_t index;
};

static int by_place(const void *left, const void *right)
{
	const struct place *a = left, *b = right;

	return (a->value > b->value) - (a->value < b->value);
}

static void rank(const double *values, size_t count, struct place *places,
		 double *ranks)
{
	for (size_t i = 0; i < count; i++)
		places[i] = (struct place) { values[i], i };
	qsort(places, count, sizeof(*places), by_place);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count &&
				  places[end].value == places[i].value; end++)
			;
		for (size_t j = i; j < end; j++)
			ranks[places[j].index] = (double)(i + end - 1) / 2;
	}
}

static double correlate(const double *x, const double *y, size_t count)
{
	/* ranks 0 to count - 1 have this mean, with or without ties */
	double mean = (double)(count - 1) / 2, xx = 0, yy = 0, xy = 0;

	for (size_t i = 0; i < count; i++) {
		xx += (x[i] - mean) * (x[i] - mean);
		yy += (y[i] - mean) * (y[i] - mean);
		xy += (x[i] - mean) * (y[i] - mean);
	}
	return xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : 0;
}

int lxfw_rank_correlation(const double *x, const double *y, size_t count,
			  double *correlation)
{
	struct place *places = malloc((count + 1) * sizeof(*places));
	double *ranks = malloc((2 * count + 1) * sizeof(*ranks));
	int result = -1;

	*correlation = 0;
	if (places && ranks) {
		rank(x, count, places, ranks);
		rank(y, count, places, ranks + count);
		*correlation = correlate(ranks, ranks + count, count);
		result = 0;
	}
	free(places);
	free(ranks);
	if (result)
		errno = ENOMEM;
	return result;
}
