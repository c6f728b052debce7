/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/elsewhere.h"

#include <math.h>
#include <stdlib.h>

/* Added to waits before the logarithm, seconds. */
#define OFFSET 60.0

/* Errors are as large as on other machines, unless those of this one differ: as many moments as this would
   have to say the same. With 5 and 20 the shares in doc/validation-watch.md differ by up to 3 points. */
#define ALIKE_MOMENTS 10.0

/* Spreads below this do not differ, in logarithms. */
#define SPREAD_LEAST 0.02

double lxfw_elsewhere_error(const struct lxfw_elsewhere_job *job)
{
	return log((double)job->wait + OFFSET) - log((double)job->expected + OFFSET);
}

static int ascending(const void *left, const void *right)
{
	const struct lxfw_weighted *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->weight > b->weight) - (a->weight < b->weight);
}

/* Returns the mean distance of the values from their median, which *MIDDLE is set to, and sorts them. COUNT is
   1 or more. */
static double spread(struct lxfw_weighted *values, size_t count, double *middle)
{
	double all = 0, sum = 0, distance = 0;
	size_t at = 0;

	qsort(values, count, sizeof(*values), ascending);
	for (size_t i = 0; i < count; i++)
		all += values[i].weight;
	while (at + 1 < count && sum + values[at].weight < all / 2)
		sum += values[at++].weight;
	*middle = values[at].value;
	for (size_t i = 0; i < count; i++)
		distance += values[i].weight * fabs(values[i].value - *middle);
	return distance / all;
}

/* All moments have the same weight. */
static void collect(const struct lxfw_elsewhere *elsewhere, struct lxfw_weighted *values)
{
	const struct lxfw_elsewhere_job *jobs = elsewhere->jobs;

	for (size_t i = 0, end; i < elsewhere->count; i = end) {
		for (end = i; end < elsewhere->count && jobs[end].moment == jobs[i].moment; end++)
			values[end].value = lxfw_elsewhere_error(&jobs[end]);
		for (size_t j = i; j < end; j++)
			values[j].weight = 1.0 / (double)(end - i);
	}
}

int lxfw_elsewhere_measure(const struct lxfw_elsewhere *elsewhere, struct lxfw_weighted *own,
			   size_t count, double number, struct lxfw_elsewhere_size *measure)
{
	struct lxfw_weighted *values;
	double here, there, middle;

	*measure = (struct lxfw_elsewhere_size) { 0, 1 };
	if (count == 0 || elsewhere->count == 0)
		return 0;
	values = calloc(elsewhere->count, sizeof(*values));
	if (!values)
		return -1;
	collect(elsewhere, values);
	there = spread(values, elsewhere->count, &measure->middle);
	here = spread(own, count, &middle);
	measure->ratio = exp(log((here + SPREAD_LEAST) / (there + SPREAD_LEAST)) * number /
			     (number + ALIKE_MOMENTS));
	free(values);
	return 0;
}
