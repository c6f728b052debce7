/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/history/accuracy.h"

#include <math.h>
#include <stdlib.h>

#include "common/util/grow.h"

void lxfw_accuracies_clear(struct lxfw_accuracies *list)
{
	free(list->rows);
	*list = (struct lxfw_accuracies) { 0 };
}

int lxfw_accuracies_add(struct lxfw_accuracies *list, const struct lxfw_expected_run *expected,
		   int64_t seconds, int64_t limit, int64_t run)
{
	if (LXFW_GROW(list->rows, list->size, list->count + 1))
		return -1;
	list->rows[list->count++] = (struct lxfw_accuracy_row) {
		.estimate = (double)seconds, .limit = (double)limit, .run = (double)run,
		.spread = expected->work > 0 ?
			  (expected->high - expected->low) / expected->work : 0,
		.jobs = expected->jobs,
	};
	return 0;
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Sorts VALUES. Returns 0 if there are none. */
static double rank(double *values, size_t count, size_t percent)
{
	if (count == 0)
		return 0;
	qsort(values, count, sizeof(*values), by_value);
	return values[(count * percent + 99) / 100 - 1];
}

static double error_of(double estimate, const struct lxfw_accuracy_row *row)
{
	return fabs(estimate - row->run) / row->run;
}

static void judge_all(const struct lxfw_accuracies *list, bool limits, double *scratch,
		      struct lxfw_accuracy_of *judged)
{
	size_t under = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct lxfw_accuracy_row *row = &list->rows[i];
		double estimate = limits ? row->limit : row->estimate;

		scratch[i] = error_of(estimate, row);
		under += estimate < row->run;
	}
	judged->median = rank(scratch, list->count, 50);
	judged->p90 = rank(scratch, list->count, 90);
	judged->under = list->count ? (double)under / (double)list->count : 0;
}

static void judge_class(const struct lxfw_accuracies *list, int class, double *scratch,
			struct lxfw_accuracy *accuracy)
{
	static const int32_t most[LXFW_ACCURACY_CLASSES] = { 0, 3, 15, INT32_MAX };
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		const struct lxfw_accuracy_row *row = &list->rows[i];

		if (row->jobs <= most[class] && (class == 0 || row->jobs > most[class - 1]))
			scratch[count++] = error_of(row->estimate, row);
	}
	accuracy->classes[class].jobs = count;
	accuracy->classes[class].median = rank(scratch, count, 50);
}

static double median_spread(const struct lxfw_accuracies *list, double *scratch)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++) {
		if (list->rows[i].jobs > 0)
			scratch[count++] = list->rows[i].spread;
	}
	return rank(scratch, count, 50);
}

int lxfw_accuracies_end(struct lxfw_accuracies *list, struct lxfw_accuracy *accuracy)
{
	double *scratch = malloc((list->count + 1) * sizeof(*scratch));

	*accuracy = (struct lxfw_accuracy) { .jobs = list->count };
	if (scratch) {
		judge_all(list, false, scratch, &accuracy->estimates);
		judge_all(list, true, scratch, &accuracy->limits);
		for (int i = 0; i < LXFW_ACCURACY_CLASSES; i++)
			judge_class(list, i, scratch, accuracy);
		accuracy->spread = median_spread(list, scratch);
	}
	free(scratch);
	lxfw_accuracies_clear(list);
	return scratch ? 0 : -1;
}
