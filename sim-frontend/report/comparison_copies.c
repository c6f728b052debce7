/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/comparison_copies.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t count_figures(const struct lxfw_comparison_report *report)
{
	size_t count = LXFW_FIGURES + LXFW_WAIT_PARTS;

	for (int i = 0; i < LXFW_BYS; i++)
		count += report->by[i].count * LXFW_ROW_FIGURES;
	return count;
}

int lxfw_comparison_copies_begin(struct lxfw_comparison_copies *copies,
				 const struct lxfw_comparison_report *report, int most)
{
	size_t count = report->recorded->count;

	*copies = (struct lxfw_comparison_copies) {
		.report = report, .figures = count_figures(report), .most = most,
		.jobs = malloc((count + 1) * sizeof(*copies->jobs)),
	};
	copies->values = calloc((size_t)most * copies->figures + 1, sizeof(*copies->values));
	if (copies->jobs && copies->values)
		return 0;
	free(copies->jobs);
	free(copies->values);
	*copies = (struct lxfw_comparison_copies) { .report = NULL };
	errno = ENOMEM;
	return -1;
}

/* Returns the row of the same group. Rows have the same order, unless one has no job. */
static const struct lxfw_comparison_row *same_row(const struct lxfw_comparison_rows *rows,
						  const struct lxfw_comparison_row *row,
						  size_t at)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct lxfw_comparison_row *other = &rows->rows[(at + i) % rows->count];

		if (other->begin == row->begin && strcmp(other->key, row->key) == 0)
			return other;
	}
	return NULL;
}

static double *take_rows(const struct lxfw_comparison_rows *rows,
			 const struct lxfw_comparison_rows *copy, double *values)
{
	for (size_t i = 0; i < rows->count; i++) {
		const struct lxfw_comparison_row *row = same_row(copy, &rows->rows[i], i);

		for (int k = 0; k < LXFW_ROW_FIGURES; k++)
			*values++ = row ? lxfw_comparison_row_figure(row,
					(enum lxfw_comparison_figure)k) : NAN;
	}
	return values;
}

/* The figures of jobs, with the waits of the copy. */
static int take_jobs(struct lxfw_comparison_copies *copies, const int64_t *waits,
		     double *values)
{
	const struct lxfw_comparison_report *report = copies->report;
	struct lxfw_recorded shadow = *report->recorded;
	struct lxfw_comparison_report of;

	memcpy(copies->jobs, shadow.jobs, shadow.count * sizeof(*copies->jobs));
	for (size_t i = 0; i < shadow.count; i++) {
		struct lxfw_recorded_job *job = &copies->jobs[i];

		job->simulated = waits[i] == LXFW_UNKNOWN ? LXFW_UNKNOWN :
				 lxfw_recorded_since(job) + waits[i];
	}
	shadow.jobs = copies->jobs;
	if (lxfw_comparison_measure_jobs(&shadow, report->bound, &of))
		return -1;
	for (int i = 0; i < LXFW_FIGURE_UTILIZATION; i++)
		values[i] = lxfw_comparison_figure(&of, (enum lxfw_comparison_figure)i);
	values += LXFW_FIGURES + LXFW_WAIT_PARTS;
	for (int i = 0; i < LXFW_BYS; i++)
		values = take_rows(&report->by[i], &of.by[i], values);
	lxfw_comparison_clear(&of);
	return 0;
}

/* What jobs waited for in the schedule of the copy. */
static int take_parts(const struct lxfw_comparison_copies *copies,
		      const struct lxfw_recorded *copy, double *values)
{
	struct lxfw_comparison_report of;

	if (lxfw_comparison_measure_parts(copy, &copies->report->overhead, &of))
		return -1;
	values[LXFW_FIGURE_UTILIZATION] = of.utilization[LXFW_SIMULATED];
	for (int i = 0; i < LXFW_WAIT_PARTS; i++)
		values[LXFW_FIGURES + i] = lxfw_comparison_part(&of, LXFW_SIMULATED,
							(enum lxfw_wait_part)i);
	lxfw_comparison_clear(&of);
	return 0;
}

int lxfw_comparison_copies_look(void *context, const struct lxfw_recorded *copy,
				const int64_t *waits)
{
	struct lxfw_comparison_copies *copies = context;
	double *values = copies->values + (size_t)copies->count * copies->figures;

	if (copies->count == copies->most)
		return 0;
	copies->count++;
	return take_jobs(copies, waits, values) || take_parts(copies, copy, values) ? -1 : 0;
}

/* The range of the figure at INDEX, which is VALUE for the log itself. */
static void find_range(const struct lxfw_comparison_copies *copies, size_t index, double value,
		       struct lxfw_shaken_range *range)
{
	double values[LXFW_SHAKEN_MOST];
	int count = 0;

	for (int i = 0; i < copies->count; i++) {
		double one = copies->values[(size_t)i * copies->figures + index];

		if (isfinite(one))
			values[count++] = one;
	}
	lxfw_shaken_range_of(values, count, range);
	lxfw_shaken_include(range, value);
}

void lxfw_comparison_copies_end(struct lxfw_comparison_copies *copies,
				struct lxfw_comparison_report *report)
{
	size_t index = LXFW_FIGURES + LXFW_WAIT_PARTS;

	for (int i = 0; i < LXFW_FIGURES && copies->count > 0; i++)
		find_range(copies, (size_t)i, lxfw_comparison_figure(report,
				(enum lxfw_comparison_figure)i), &report->ranges[i]);
	for (int i = 0; i < LXFW_WAIT_PARTS && copies->count > 0; i++)
		find_range(copies, (size_t)(LXFW_FIGURES + i), lxfw_comparison_part(report,
				LXFW_SIMULATED, (enum lxfw_wait_part)i), &report->part_ranges[i]);
	for (int by = 0; by < LXFW_BYS && copies->count > 0; by++) {
		for (size_t i = 0; i < report->by[by].count; i++) {
			struct lxfw_comparison_row *row = &report->by[by].rows[i];

			for (int k = 0; k < LXFW_ROW_FIGURES; k++)
				find_range(copies, index++, lxfw_comparison_row_figure(row,
						(enum lxfw_comparison_figure)k), &row->ranges[k]);
		}
	}
	free(copies->jobs);
	free(copies->values);
	*copies = (struct lxfw_comparison_copies) { .report = NULL };
}
