/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of Slurm's items of SchedulerParameters, its functions, and sched_lxfw(8),
   which contains the table. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/keys.h"
#include "plugins/slurm/parameters/parameters.h"
#include "tests/unit/unit.h"

#define LINE_MAX_LENGTH 300

/* --- the table -------------------------------------------------------------------- */

static void test_rows(void **state)
{
	(void)state;
	for (size_t i = 0; i < lxfw_parameter_count; i++) {
		const struct lxfw_parameter *row = &lxfw_parameters[i];

		assert_ptr_equal(lxfw_parameter_find(row->name, strlen(row->name)), row);
		if (i > 0)
			assert_true(strcasecmp(row[-1].name, row->name) < 0);
		if (row->key)
			assert_non_null(lxfw_key_find(row->key, strlen(row->key)));
		assert_int_equal(row->use == LXFW_PARAMETER_READ && row->key,
				 row->key && row->unit > 0);
		if (row->use == LXFW_PARAMETER_NONE)
			assert_non_null(row->why);
	}
	assert_null(lxfw_parameter_find("bf_", 3));
	assert_null(lxfw_parameter_find("bf_window_", 10));
	assert_non_null(lxfw_parameter_find("BF_Window=2", 9));
}

/* A row in the form of the page. */
static void render(const struct lxfw_parameter *row, char *line)
{
	static const char *const uses[] = { "Slurm", "read", "always", "none" };
	int length = snprintf(line, LINE_MAX_LENGTH, ".It Li %s Ta %s", row->name,
			      uses[row->use]);

	if (row->key && row->use == LXFW_PARAMETER_READ && row->unit > 1)
		length += snprintf(line + length, (size_t)(LINE_MAX_LENGTH - length),
				   ", as %s of %" PRId64 " times the value", row->key,
				   row->unit);
	else if (row->key && row->use == LXFW_PARAMETER_READ)
		length += snprintf(line + length, (size_t)(LINE_MAX_LENGTH - length),
				   ", as %s", row->key);
	if (row->why)
		length += snprintf(line + length, (size_t)(LINE_MAX_LENGTH - length),
				   "%s%s", row->use == LXFW_PARAMETER_NONE ? ": " : ", ",
				   row->why);
	if (row->key && row->use == LXFW_PARAMETER_NONE)
		length += snprintf(line + length, (size_t)(LINE_MAX_LENGTH - length),
				   "; similar: %s", row->key);
	assert_in_range(length, 1, LINE_MAX_LENGTH - 1);
}

/* The rows of the page are those of the table. LXFW_PRINT_TABLE prints the table for the
   page. */
static void test_page(void **state)
{
	const char *top = getenv("LXFW_TOP_SRCDIR");
	char path[4096], line[LINE_MAX_LENGTH], expected[LINE_MAX_LENGTH];
	size_t next = 0;
	FILE *page;

	(void)state;
	if (getenv("LXFW_PRINT_TABLE")) {
		for (size_t i = 0; i < lxfw_parameter_count; i++) {
			render(&lxfw_parameters[i], expected);
			puts(expected);
		}
	}
	snprintf(path, sizeof(path), "%s/doc/sched_lxfw.8", top ? top : ".");
	page = fopen(path, "r");
	assert_non_null(page);
	while (fgets(line, sizeof(line), page) &&
	       strcmp(line, ".It Em item Ta Em effect\n") != 0)
		;
	while (fgets(line, sizeof(line), page) && strcmp(line, ".El\n") != 0) {
		line[strcspn(line, "\n")] = '\0';
		assert_true(next < lxfw_parameter_count);
		render(&lxfw_parameters[next++], expected);
		assert_string_equal(line, expected);
	}
	assert_int_equal(next, lxfw_parameter_count);
	fclose(page);
}

/* --- items ------------------------------------------------------------------------ */

static void test_items(void **state)
{
	const char *text = " defer ,,bf_window= 5\t, Max_RPC_Cnt=150,bf_max_job_user=x,"
			   "bf_max_job_part=3,bf_max_job_part=4,";
	const char *rest = text;
	struct lxfw_parameter_item item;
	int count = 0;

	(void)state;
	while (lxfw_parameters_next(&rest, &item)) {
		assert_true(item.name > 0 && item.name <= item.length);
		count++;
	}
	assert_int_equal(count, 6);
	assert_true(lxfw_parameters_has(text, "defer"));
	assert_true(lxfw_parameters_has(text, "DEFER"));
	assert_false(lxfw_parameters_has(text, "defer_batch"));
	assert_false(lxfw_parameters_has(text, "bf_max_job_user_part"));
	assert_int_equal(lxfw_parameters_number(text, "max_rpc_cnt", 7), 150);
	assert_int_equal(lxfw_parameters_number(text, "bf_max_job_part", 7), 3);
	assert_int_equal(lxfw_parameters_number(text, "bf_max_job_user", 7), 7);
	assert_int_equal(lxfw_parameters_number(text, "defer", 7), 7);
	assert_int_equal(lxfw_parameters_number(text, "none", 7), 7);
	assert_int_equal(lxfw_parameters_number("a=999999999999999999", "a", 7),
			 INT64_C(999999999999999999));
	assert_int_equal(lxfw_parameters_number("a=9999999999999999999", "a", 7), 7);
	assert_int_equal(lxfw_parameters_number("a=-1", "a", 7), 7);
	assert_int_equal(lxfw_parameters_number("a=", "a", 7), 7);
}

/* --- keys and messages ------------------------------------------------------------ */

static void translates(const char *text, const char *expected)
{
	char *translated = lxfw_parameters_translate(text);

	assert_string_equal(translated, expected);
	free(translated);
}

static void test_keys(void **state)
{
	(void)state;
	translates("", "");
	translates("defer,bf_interval=30", "defer,bf_interval=30");
	translates("bf_window=1440", "bf_window=1440,lxfw_reservation_window=86400");
	translates("BF_MIN_AGE_RESERVE=60,bf_min_prio_reserve=7",
		   "BF_MIN_AGE_RESERVE=60,bf_min_prio_reserve=7,"
		   "lxfw_reservation_age=60,lxfw_reservation_priority=7");
	/* a key that is given, a policy without the key, invalid values */
	translates("bf_window=5,lxfw_reservation_window=9",
		   "bf_window=5,lxfw_reservation_window=9");
	translates("bf_window=5,lxfw_policy=fcfs", "bf_window=5,lxfw_policy=fcfs");
	translates("bf_window=5,lxfw_policy=nonsense", "bf_window=5,lxfw_policy=nonsense");
	translates("bf_window=day", "bf_window=day");
	translates("bf_window=525601", "bf_window=525601");
	translates("bf_window=999999999999999999", "bf_window=999999999999999999");
}

static void is_idle(const char *text, const char *expected)
{
	char *idle = lxfw_parameters_idle(text);

	assert_string_equal(idle, expected);
	free(idle);
}

static void test_idle(void **state)
{
	(void)state;
	is_idle("", "");
	is_idle("defer,bf_continue,bf_window=5,bf_max_job_user=3,unknown,lxfw_wx=1", "");
	is_idle("bf_interval=30,bf_resolution=60",
		"bf_interval=30 (a pass follows each change; similar: lxfw_interval), "
		"bf_resolution=60 (times are exact to the second)");
	is_idle("bf_max_job_user=x,bf_window=5,lxfw_policy=fcfs,bf_min_age_reserve=1000000000",
		"bf_max_job_user=x (expected a whole number), "
		"bf_window=5 (not with this policy), "
		"bf_min_age_reserve=1000000000 (not with this policy)");
	is_idle("bf_window=5,lxfw_reservation_window=9,bf_min_age_reserve=1000000000",
		"bf_window=5 (the lxfw_* key is given), "
		"bf_min_age_reserve=1000000000 (too large)");
}

static void is_unknown(const char *text, const char *expected)
{
	char *unknown = lxfw_parameters_unknown(text);

	assert_string_equal(unknown, expected);
	free(unknown);
}

static void test_unknown(void **state)
{
	(void)state;
	is_unknown("", "");
	/* Slurm's, with and without effect, and from other keys; those of the plugin, which
	   are checked elsewhere */
	is_unknown("defer,bf_window=5,BF_Continue,kill_invalid_depend,lxfw_wx=1,lxfw_nothing=2",
		   "");
	is_unknown("ww=300,policy=sjf,bf_windw=3, colour = red ,x",
		   "ww=300 (did you mean lxfw_ww?), policy=sjf (did you mean lxfw_policy?), "
		   "bf_windw=3 (did you mean bf_window?), colour = red, x");
	assert_string_equal(lxfw_parameter_elsewhere("Cloud_dns", 9), "SlurmctldParameters");
	assert_null(lxfw_parameter_elsewhere("cloud_dn", 8));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rows),
		cmocka_unit_test(test_page),
		cmocka_unit_test(test_items),
		cmocka_unit_test(test_keys),
		cmocka_unit_test(test_idle),
		cmocka_unit_test(test_unknown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
