/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Results as JSON and CSV: complete, or an error. */
#include "tests/unit/unit.h"

#include <errno.h>
#include <string.h>

#include "sim-frontend/util/json_out.h"

static int left = -1;	/* number of texts of values that json-c still makes; -1: any */

const char *__real_json_object_to_json_string(struct json_object *object);
const char *__wrap_json_object_to_json_string(struct json_object *object);

const char *__wrap_json_object_to_json_string(struct json_object *object)
{
	if (left == 0)
		return NULL;
	left -= left > 0;
	return __real_json_object_to_json_string(object);
}

static struct json_object *random_text(uint64_t *random)
{
	char text[12];
	int length = (int)unit_between(random, 0, 12);

	for (int i = 0; i < length; i++)
		text[i] = (char)unit_between(random, 0, 127);
	return json_object_new_string_len(text, length);
}

static struct json_object *random_value(uint64_t *random, int depth)
{
	struct json_object *value;
	char key[8];
	int64_t kind = unit_between(random, 0, depth > 0 ? 6 : 4);

	switch (kind) {
	case 0:
		return NULL;
	case 1:
		return json_object_new_boolean((int)unit_between(random, 0, 1));
	case 2:
		return json_object_new_int64(unit_between(random, INT64_MIN, INT64_MAX));
	case 3:
		return json_object_new_double_s(2.5, "2.500");
	case 4:
		return random_text(random);
	}
	value = kind == 5 ? json_object_new_array() : json_object_new_object();
	for (int64_t i = unit_between(random, 0, 4); i > 0; i--) {
		if (kind == 5) {
			json_object_array_add(value, random_value(random, depth - 1));
			continue;
		}
		snprintf(key, sizeof(key), "k\n%d\"", (int)i);
		json_object_object_add(value, key, random_value(random, depth - 1));
	}
	return value;
}

/* Returns what lxfw_json_out() writes, or NULL if it reports an error. */
static char *written(struct json_object *object, enum lxfw_format format)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);
	int result = lxfw_json_out(json_object_get(object), format, out);

	assert_int_equal(fclose(out), 0);
	if (result) {
		assert_int_equal(errno, ENOMEM);
		free(text);
		return NULL;
	}
	return text;
}

/* json-c reads what is written as the same values with the same digits. */
static void test_is_read_back(void **state)
{
	uint64_t random = unit_seed("json");

	(void)state;
	for (uint64_t i = unit_cases(2000, 200000); i > 0; i--) {
		struct json_object *object = json_object_new_object(), *back;
		char *text;

		json_object_object_add(object, "all", random_value(&random, 4));
		text = written(object, LXFW_FORMAT_JSON);
		assert_non_null(text);
		back = json_tokener_parse(text);
		assert_non_null(back);
		assert_string_equal(
			json_object_to_json_string_ext(back, JSON_C_TO_STRING_PLAIN),
			json_object_to_json_string_ext(object, JSON_C_TO_STRING_PLAIN));
		json_object_put(back);
		json_object_put(object);
		free(text);
	}
}

/* The form does not depend on the version of json-c. */
static void test_form(void **state)
{
	struct json_object *object = json_tokener_parse(
		"{\"a\":[],\"b\":{},\"c\":[1,[2.50,null]],\"d\":\"\\u0001\\n/\"}");
	char *text = written(object, LXFW_FORMAT_JSON);

	(void)state;
	assert_string_equal(text, "{\n  \"a\": [],\n  \"b\": {},\n  \"c\": [\n    1,\n"
			    "    [\n      2.50,\n      null\n    ]\n  ],\n"
			    "  \"d\": \"\\u0001\\n/\"\n}\n");
	free(text);
	json_object_put(object);
}

/* When memory runs out for one of the numbers, the result is an error in both formats. */
static void test_out_of_memory(void **state)
{
	static const enum lxfw_format formats[] = { LXFW_FORMAT_JSON, LXFW_FORMAT_CSV };
	struct json_object *object = json_tokener_parse("{\"a\":[1,2],\"b\":{\"c\":3}}");

	(void)state;
	for (int i = 0; i < 2; i++) {
		char *text;

		for (int made = 0; made < 3; made++) {
			left = made;
			assert_null(written(object, formats[i]));
		}
		left = -1;
		text = written(object, formats[i]);
		assert_non_null(text);
		free(text);
	}
	json_object_put(object);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_read_back),
		cmocka_unit_test(test_form),
		cmocka_unit_test(test_out_of_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
