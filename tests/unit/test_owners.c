/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Owners of jobs from the output of squeue: ids, array tasks, and lines that are none. */
#include <string.h>

#include "sim-frontend/predict/owners.h"
#include "sim-frontend/predict/squeue.h"
#include "tests/unit/unit.h"

static struct lxfw_owners owners;

static void take(const char *text)
{
	char output[400];

	assert_true(strlen(text) < sizeof(output));
	strcpy(output, text);
	assert_int_equal(lxfw_owners_take(&owners, output), 0);
}

/* The job with ID belongs to USER, GROUP and PARTITION. */
static void belongs(uint64_t id, const char *user, const char *group, const char *partition)
{
	struct lxfw_traits traits = { .user = 77, .account = 78, .partition = 79 };

	lxfw_owners_complete(&owners, id, &traits);
	assert_int_equal(traits.user, lxfw_trait_of_name(user, strlen(user)));
	assert_int_equal(traits.account, lxfw_trait_of_name(group, strlen(group)));
	assert_int_equal(traits.partition, lxfw_trait_of_name(partition, strlen(partition)));
}

static void is_unknown(uint64_t id)
{
	struct lxfw_traits traits = { .user = 77, .account = 78, .partition = 79 };

	lxfw_owners_complete(&owners, id, &traits);
	assert_true(traits.user == 77 && traits.account == 78 && traits.partition == 79);
}

static void takes_jobs(void **state)
{
	(void)state;
	take("7|7|ann|physics|batch,long|\n8|8|bob|staff|long|\n");
	/* a job that is named again keeps its owner */
	take("7|7|eve|staff|long|\n9|9|cy|staff|batch|\n8|8|eve|x|y|\n");
	assert_int_equal(owners.count, 3);
	belongs(7, "ann", "physics", "batch");
	belongs(8, "bob", "staff", "long");
	belongs(9, "cy", "staff", "batch");
	is_unknown(10);
	lxfw_owners_clear(&owners);
	is_unknown(7);
}

/* A task that runs has an id of its own, those that wait have one entry. */
static void takes_arrays(void **state)
{
	(void)state;
	take("21|20_3|ann|physics|batch|\n20|20_[4-9]|bob|staff|batch|\n");
	belongs(20 | UINT64_C(4) << 32, "ann", "physics", "batch");
	belongs(20 | UINT64_C(5) << 32, "bob", "staff", "batch");
	belongs(20 | UINT64_C(1) << 32, "bob", "staff", "batch");
	belongs(20, "bob", "staff", "batch");
	is_unknown(21);
	lxfw_owners_clear(&owners);
}

static void leaves_out_lines(void **state)
{
	(void)state;
	take("7|7|ann|physics|batch\n8|8|bob|staff|long|x|\n0|0|cy|staff|batch|\n\n"
	     "squeue: error\n9|9;reboot|cy|staff|batch|\nx|9|cy|staff|batch|\n"
	     "5|5_x|cy|staff|batch|\n6|0_1|cy|staff|batch|\n4294967295|1|max|staff|batch|\n"
	     "4294967296|1|cy|staff|batch|\n");
	assert_int_equal(owners.count, 1);
	belongs(UINT32_MAX, "max", "staff", "batch");
	for (uint64_t id = 0; id < 10; id++)
		is_unknown(id);
	lxfw_owners_clear(&owners);
}

static void splits_fields(void **state)
{
	char line[] = "a||bc|d", *at = line;

	(void)state;
	assert_string_equal(lxfw_squeue_field(&at), "a");
	assert_string_equal(lxfw_squeue_field(&at), "");
	assert_string_equal(lxfw_squeue_field(&at), "bc");
	assert_null(lxfw_squeue_field(&at));
	assert_string_equal(at, "d");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(takes_jobs),
		cmocka_unit_test(takes_arrays),
		cmocka_unit_test(leaves_out_lines),
		cmocka_unit_test(splits_fields),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
