/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs as squeue shows them: lines of its output. */
#include "sim-frontend/publish/shown.h"

#include <stdlib.h>
#include <string.h>

#include "tests/unit/unit.h"

static void take(struct lxfw_shown *shown, const char *text)
{
	char *output = strdup(text);

	assert_non_null(output);
	assert_int_equal(lxfw_shown_take(shown, output), 0);
	free(output);
}

static void lines_are_read(void **state)
{
	struct lxfw_shown shown = { NULL };

	(void)state;
	take(&shown, "17|anna|p,q|PENDING|1000|2000|8|Resources|\n"
	     "7_[4-9]|bob|q|PENDING|1001|N/A|1|a|b|\n"
	     "15+1|eve|p|RUNNING|900|950|4|None|\n");
	assert_int_equal(shown.count, 3);
	assert_string_equal(shown.list[0].name, "17");
	assert_string_equal(shown.list[0].user, "anna");
	assert_string_equal(shown.list[0].partition, "p");
	assert_string_equal(shown.list[0].state, "PENDING");
	assert_string_equal(shown.list[0].reason, "Resources");
	assert_int_equal(shown.list[0].submit, 1000);
	assert_int_equal(shown.list[0].start, 2000);
	assert_int_equal(shown.list[0].procs, 8);
	assert_string_equal(shown.list[1].reason, "a|b");
	assert_int_equal(shown.list[1].start, 0);
	assert_string_equal(shown.list[2].name, "15+1");
	lxfw_shown_clear(&shown);
	assert_null(shown.list);
}

/* Warnings, cut lines and names that are none of a job. */
static void other_lines_are_left_out(void **state)
{
	static const char *const lines[] = {
		"", "\n\n", "slurm_load_jobs error", "17|anna|p|PENDING|1|2|3|", "17|anna|p|PENDING|1|2|3|None",
		"x|anna|p|PENDING|1|2|3|None|", "-17|anna|p|PENDING|1|2|3|None|", "|||||||||",
		"17;rm|anna|p|PENDING|1|2|3|None|",
	};
	struct lxfw_shown shown = { NULL };

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		take(&shown, lines[i]);
	assert_int_equal(shown.count, 0);
	lxfw_shown_clear(&shown);
}

static void what_users_choose_is_not_written_as_it_is(void **state)
{
	struct lxfw_shown shown = { NULL };
	char line[2000];

	(void)state;
	snprintf(line, sizeof(line), "17|%0300d|\033[2J|\033c|-5|x|99999999999999999999|%0900d|", 0, 0);
	take(&shown, line);
	assert_int_equal(shown.count, 1);
	assert_int_equal(shown.list[0].submit, 0);
	assert_int_equal(shown.list[0].procs, 0);
	assert_null(strchr(shown.list[0].partition, '\033'));
	assert_null(strchr(shown.list[0].state, '\033'));
	lxfw_shown_clear(&shown);
}

/* A name with a comma would be two users. It is asked for by no program. */
static void a_name_with_a_comma_is_no_user(void **state)
{
	struct lxfw_shown shown = { NULL };
	struct lxfw_error error;

	(void)state;
	assert_int_equal(lxfw_shown_user(&shown, "anna,bob", &error), 0);
	assert_int_equal(shown.count, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_read),
		cmocka_unit_test(other_lines_are_left_out),
		cmocka_unit_test(what_users_choose_is_not_written_as_it_is),
		cmocka_unit_test(a_name_with_a_comma_is_no_user),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
