/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Partitions of Slurm differ if any of their properties does. */
#include "sim-frontend/predict/slurm_partitions.h"
#include "tests/unit/unit.h"

static char batch[] = "batch", other[] = "other", nodes[] = "n[1-4]", none[] = "";
static struct lxfw_slurm_partition lists[2][2];
static struct lxfw_slurm_partitions sides[2];

static void make(void)
{
	for (int i = 0; i < 2; i++) {
		for (int k = 0; k < 2; k++)
			lists[i][k] = (struct lxfw_slurm_partition) {
				.name = k ? other : batch, .nodes = nodes, .tier = 1,
				.default_time = 60, .max_time = 3600, .memory = 100 };
		sides[i] = (struct lxfw_slurm_partitions) {
			.list = lists[i], .count = 2, .cluster = batch, .slurm_user = 5 };
	}
}

static void differ(void)
{
	assert_false(lxfw_slurm_partitions_same(&sides[0], &sides[1]));
	assert_false(lxfw_slurm_partitions_same(&sides[1], &sides[0]));
	make();
	assert_true(lxfw_slurm_partitions_same(&sides[0], &sides[1]));
}

static void differ_in_each_property(void **state)
{
	(void)state;
	make();
	sides[1].count = 1;
	differ();
	sides[1].memory = true;
	differ();
	sides[1].slurm_user = 6;
	differ();
	sides[1].cluster = other;
	differ();
	sides[1].cluster = NULL;
	differ();
	for (int k = 0; k < 2; k++) {
		struct lxfw_slurm_partition *one = &lists[1][k];

		one->name = none;
		differ();
		one->nodes = none;
		differ();
		one->is_default = true;
		differ();
		one->exclusive = true;
		differ();
		one->limited = true;
		differ();
		one->tier = 2;
		differ();
		one->default_time = 0;
		differ();
		one->max_time = 0;
		differ();
		one->memory = 0;
		differ();
	}
	/* an unknown name is none */
	sides[0].cluster = none;
	sides[1].cluster = NULL;
	assert_true(lxfw_slurm_partitions_same(&sides[0], &sides[1]));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(differ_in_each_property),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
