/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/unit.h"

#include <string.h>

#include "common/util/error.h"

static void assembles_parts(void **state)
{
	struct lxfw_error error;

	(void)state;
	memset(&error, 'x', sizeof(error));
	lxfw_error_set(&error, "host ");
	lxfw_error_add_number(&error, 7);
	lxfw_error_add(&error, ": ");
	lxfw_error_add_bytes(&error, "n7abc", 2);
	assert_string_equal(error.text, "host 7: n7");
	lxfw_error_set(&error, "again");
	assert_string_equal(error.text, "again");
	lxfw_error_add_bytes(&error, "never", 0);
	lxfw_error_add_bytes(&error, "never", -1);
	assert_string_equal(error.text, "again");
}

static void writes_every_number(void **state)
{
	static const struct {
		int64_t number;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 9, "9" },
		{ 10, "10" },
		{ -1, "-1" },
		{ 1234567890123, "1234567890123" },
		{ INT64_MAX, "9223372036854775807" },
		{ INT64_MIN, "-9223372036854775808" },
	};
	struct lxfw_error error;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		lxfw_error_set(&error, "");
		lxfw_error_add_number(&error, cases[i].number);
		assert_string_equal(error.text, cases[i].text);
	}
}

static void cuts_off_at_the_buffer(void **state)
{
	struct {
		struct lxfw_error error;
		char behind;
	} box = { .behind = '!' };

	(void)state;
	lxfw_error_set(&box.error, "");
	for (size_t i = 0; i < sizeof(box.error.text) / 7; i++)
		lxfw_error_add(&box.error, "abcdefg");
	lxfw_error_add_number(&box.error, INT64_MIN);
	assert_int_equal(strlen(box.error.text), sizeof(box.error.text) - 1);
	assert_memory_equal(box.error.text, "abcdefgabc", 10);
	assert_int_equal(box.error.text[254], 'c');
	assert_int_equal(box.behind, '!');
}

static void stays_one_printable_line(void **state)
{
	struct lxfw_error error;

	(void)state;
	lxfw_error_set(&error, "a\nb\tc\033[2Jd\177\xc3\xa4");
	assert_string_equal(error.text, "a?b?c?[2Jd?\xc3\xa4");
}

static void takes_null(void **state)
{
	(void)state;
	lxfw_error_set(NULL, "ignored");
	lxfw_error_add(NULL, "wants");
	lxfw_error_add_bytes(NULL, "to", 2);
	lxfw_error_add_number(NULL, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(assembles_parts),
		cmocka_unit_test(writes_every_number),
		cmocka_unit_test(cuts_off_at_the_buffer),
		cmocka_unit_test(stays_one_printable_line),
		cmocka_unit_test(takes_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
