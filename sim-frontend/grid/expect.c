/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/expect.h"

#include <stdlib.h>

int lxfw_grid_expect_begin(struct lxfw_grid_expect *expect, const struct lxfw_learned *learned,
			   size_t jobs, int32_t sites, const int32_t *machines, int32_t count)
{
	*expect = (struct lxfw_grid_expect) {
		.learned = learned, .machines = machines, .columns = 1 + count,
		.column = calloc((size_t)sites + 1, sizeof(*expect->column)),
		.expected = calloc(jobs + 1, (size_t)(1 + count) * sizeof(*expect->expected)),
	};
	if (!expect->column || !expect->expected)
		return -1;
	for (int32_t i = 0; i < count; i++)
		expect->column[machines[i]] = 1 + i;
	return lxfw_estimator_copy(&expect->estimator, &learned->before);
}

void lxfw_grid_expect_end(struct lxfw_grid_expect *expect)
{
	lxfw_estimator_clear(&expect->estimator);
	free(expect->column);
	free(expect->expected);
	*expect = (struct lxfw_grid_expect) { 0 };
}

bool lxfw_grid_expect_knows(const struct lxfw_grid_expect *expect, size_t position)
{
	return expect->learned && expect->learned->jobs[position].traits.limit > 0;
}

/* What is known of a job for its estimate at a column. */
static struct lxfw_estimate_of of_column(const struct lxfw_grid_expect *expect,
					 size_t position, int32_t column)
{
	struct lxfw_estimate_of of = expect->learned->jobs[position];

	of.machine = column > 0 ? expect->machines[column - 1] : -1;
	return of;
}

void lxfw_grid_expect_submit(struct lxfw_grid_expect *expect, size_t position)
{
	for (int32_t i = 0; i < expect->columns; i++) {
		struct lxfw_estimate_of of = of_column(expect, position, i);

		lxfw_estimator_expect(&expect->estimator, &of,
			&expect->expected[position * (size_t)expect->columns + (size_t)i]);
	}
}

const struct lxfw_expected_run *lxfw_grid_expect_at(const struct lxfw_grid_expect *expect,
						    size_t position, int32_t site)
{
	int32_t column = site < 0 ? 0 : expect->column[site];

	return &expect->expected[position * (size_t)expect->columns + (size_t)column];
}

int lxfw_grid_expect_learn(struct lxfw_grid_expect *expect, size_t position, int32_t site,
			   double work)
{
	struct lxfw_estimate_of of = of_column(expect, position, expect->column[site]);

	return lxfw_estimator_learn(&expect->estimator, &of, work);
}
