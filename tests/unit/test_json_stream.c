/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON texts in pieces, of which only a part is in memory; and names in UTF-8. */
#include <errno.h>

#include "sim-frontend/trace/json_stream.h"
#include "sim-frontend/util/text.h"
#include "tests/unit/file.h"

#define EXPECTED "a test"

static struct lxfw_error error;
static struct lxfw_input *input;
static struct lxfw_json_stream *stream;

static void begin(const char *text)
{
	input = lxfw_input_open(unit_file("text", text), &error);
	assert_non_null(input);
	stream = lxfw_json_stream_open(input, EXPECTED, &error);
	assert_non_null(stream);
}

static void end(void)
{
	lxfw_json_stream_close(stream);
	lxfw_input_close(input);
}

static void is_cut_off(int result, const char *line)
{
	char message[100];

	assert_int_equal(result, -1);
	snprintf(message, sizeof(message),
		 "text:%s: the text is not JSON or truncated, expected " EXPECTED, line);
	assert_string_equal(unit_message(error.text), message);
}

static void expect_sign(int sign)
{
	assert_int_equal(lxfw_json_stream_sign(stream, &error), sign);
}

/* An array of COUNT objects, which is longer than what is read at a time. */
static char *long_array(int count, const char *separator)
{
	char *text = malloc((size_t)count * 80 + 10), *at = text;

	assert_non_null(text);
	at += sprintf(at, "[");
	for (int i = 0; i < count; i++)
		at += sprintf(at, "%s%s{\"n\": %d, \"t\": \"\\\"]}%d\", \"d\": 1.5e1}",
			      i > 0 ? "," : "", separator, i, i);
	strcpy(at, "]");
	return text;
}

static void reads_items_of_any_number(void **state)
{
	const int count = 20000;
	char *text = long_array(count, "\n");
	json_object *item;

	(void)state;
	assert_true(strlen(text) > 3 * (size_t)LXFW_INPUT_LOOK);
	begin(text);
	expect_sign('[');
	lxfw_json_stream_skip(stream);
	for (int i = 0; i < count; i++) {
		assert_int_equal(lxfw_json_stream_item(stream, i == 0, &error), 1);
		/* every third is passed over */
		if (i % 3 == 2) {
			assert_int_equal(lxfw_json_stream_pass(stream, &error), 0);
			continue;
		}
		expect_sign('{');
		assert_int_equal(lxfw_json_stream_line(stream), i + 2);
		assert_int_equal(lxfw_json_stream_value(stream, &item, &error), 0);
		assert_int_equal(json_object_get_int(json_object_object_get(item, "n")), i);
		assert_int_equal(json_object_get_int(json_object_object_get(item, "d")), 15);
		json_object_put(item);
	}
	assert_int_equal(lxfw_json_stream_item(stream, false, &error), 0);
	expect_sign(0);
	end();
	free(text);
}

/* Only a value that is read as a whole has a limit. */
static void passes_values_of_any_length(void **state)
{
	char *text = long_array(20000, "");
	char *both = malloc(2 * strlen(text) + 10);
	json_object *value;

	(void)state;
	assert_non_null(both);
	sprintf(both, "%s %s 12", text, text);
	begin(both);
	assert_int_equal(lxfw_json_stream_pass(stream, &error), 0);
	assert_int_equal(lxfw_json_stream_value(stream, &value, &error), 0);
	assert_int_equal(json_object_array_length(value), 20000);
	json_object_put(value);
	/* a number ends with the text */
	assert_int_equal(lxfw_json_stream_value(stream, &value, &error), 0);
	assert_int_equal(json_object_get_int(value), 12);
	json_object_put(value);
	expect_sign(0);
	end();
	free(both);
	free(text);
}

static void limits_a_value(void **state)
{
	size_t length = LXFW_JSON_VALUE_MAX + 2 * (size_t)LXFW_INPUT_LOOK;
	char *text = malloc(length + 1);
	json_object *value;

	(void)state;
	assert_non_null(text);
	memset(text, 'x', length);
	text[0] = '"';
	text[length] = '\0';
	begin(text);
	assert_int_equal(lxfw_json_stream_value(stream, &value, &error), -1);
	assert_null(value);
	assert_string_equal(unit_message(error.text), "text:1: a value of more than 64 MB, "
			    "expected a record of a job");
	end();
	free(text);
}

static void reads_members(void **state)
{
	char key[4];

	(void)state;
	begin("\n{\"a\\\"\": 1, \"longer\" :\n[{}, 2],\"\":{}}x");
	expect_sign('{');
	assert_int_equal(lxfw_json_stream_line(stream), 2);
	lxfw_json_stream_skip(stream);
	assert_int_equal(lxfw_json_stream_member(stream, true, key, sizeof(key), &error), 1);
	assert_string_equal(key, "a\"");
	assert_int_equal(lxfw_json_stream_pass(stream, &error), 0);
	assert_int_equal(lxfw_json_stream_member(stream, false, key, sizeof(key), &error), 1);
	assert_string_equal(key, "lon");
	assert_int_equal(lxfw_json_stream_pass(stream, &error), 0);
	assert_int_equal(lxfw_json_stream_member(stream, false, key, sizeof(key), &error), 1);
	assert_string_equal(key, "");
	assert_int_equal(lxfw_json_stream_pass(stream, &error), 0);
	assert_int_equal(lxfw_json_stream_member(stream, false, key, sizeof(key), &error), 0);
	expect_sign('x');
	end();
}

static void refuses_what_is_no_json(void **state)
{
	static const char *const values[] = {
		"", "{", "[1", "\"a", "\"a\\\"", "}", "{\"a\":}", "[1}x", ",", ":", "1", "nul",
	};
	static const char *const members[] = { "1", "\"a\" 1", "\"a", "\"a\":1 \"b\":", "" };
	json_object *value;
	char key[4];

	(void)state;
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++) {
		bool word = i >= 10;
		int result;

		begin(values[i]);
		result = lxfw_json_stream_pass(stream, &error);
		/* words and the kinds of brackets are not checked */
		if (word || i == 6 || i == 7)
			assert_int_equal(result, 0);
		else
			is_cut_off(result, "1");
		end();
		if (i == 10)
			continue;
		begin(values[i]);
		is_cut_off(lxfw_json_stream_value(stream, &value, &error), "1");
		assert_null(value);
		end();
	}
	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		int got;

		begin(members[i]);
		got = lxfw_json_stream_member(stream, true, key, sizeof(key), &error);
		if (got > 0 && lxfw_json_stream_pass(stream, &error) == 0)
			got = lxfw_json_stream_member(stream, false, key, sizeof(key), &error);
		is_cut_off(got, "1");
		end();
	}
	begin("[1 2]\n");
	expect_sign('[');
	lxfw_json_stream_skip(stream);
	assert_int_equal(lxfw_json_stream_item(stream, true, &error), 1);
	assert_int_equal(lxfw_json_stream_pass(stream, &error), 0);
	is_cut_off(lxfw_json_stream_item(stream, false, &error), "1");
	end();
	/* at the end, the line is the last one */
	begin("[1,\n2\n\n");
	is_cut_off(lxfw_json_stream_value(stream, &value, &error), "3");
	end();
}

static void skips_lines(void **state)
{
	(void)state;
	begin("a message\n{}\nlast");
	expect_sign('a');
	assert_int_equal(lxfw_json_stream_skip_line(stream, &error), 0);
	expect_sign('{');
	assert_int_equal(lxfw_json_stream_line(stream), 2);
	assert_int_equal(lxfw_json_stream_skip_line(stream, &error), 0);
	assert_int_equal(lxfw_json_stream_skip_line(stream, &error), 0);
	expect_sign(0);
	end();
}

static void finds_keys(void **state)
{
	static const char *const keys[] = { "jobs", "hits", NULL };
	static const char text[] = "{\"a\": \"jobs:\\\"\", \"b\": [{\"c\": {\"hits\" :1}}]}";

	(void)state;
	assert_false(lxfw_json_has_key(text, sizeof(text) - 1, keys, 3));
	assert_true(lxfw_json_has_key(text, sizeof(text) - 1, keys, 4));
	for (size_t i = 0; i < 34; i++)
		assert_false(lxfw_json_has_key(text, i, keys, 4));
	assert_false(lxfw_json_has_key("[\"jobs\", 1:", 11, keys, 4));
	assert_false(lxfw_json_has_key("{\"jobs\\", 7, keys, 4));
	assert_true(lxfw_json_is_closed(text, sizeof(text) - 1));
	for (size_t i = 1; i < sizeof(text) - 1; i++)
		assert_false(lxfw_json_is_closed(text, i));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_items_of_any_number),
		cmocka_unit_test(passes_values_of_any_length),
		cmocka_unit_test(limits_a_value),
		cmocka_unit_test(reads_members),
		cmocka_unit_test(refuses_what_is_no_json),
		cmocka_unit_test(skips_lines),
		cmocka_unit_test(finds_keys),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
