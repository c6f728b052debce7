/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/json_members.h"

#include <stdio.h>
#include <string.h>

#include "sim-frontend/util/text.h"

json_object *lxfw_json_member(json_object *object, const char *path)
{
	char key[32];

	while (*path) {
		size_t length = strcspn(path, ".");

		if (!json_object_is_type(object, json_type_object) ||
		    length >= sizeof(key))
			return NULL;
		memcpy(key, path, length);
		key[length] = '\0';
		if (!json_object_object_get_ex(object, key, &object))
			return NULL;
		path += length + (path[length] == '.');
	}
	return object;
}

int64_t lxfw_json_number(json_object *object, const char *path)
{
	json_object *value = lxfw_json_member(object, path), *flag;
	int64_t found;

	if (json_object_is_type(value, json_type_object)) {
		flag = lxfw_json_member(value, "infinite");
		if (flag && json_object_get_boolean(flag))
			return INT64_MAX;
		flag = lxfw_json_member(value, "set");
		if (flag && !json_object_get_boolean(flag))
			return -1;
		value = lxfw_json_member(value, "number");
	}
	if (!json_object_is_type(value, json_type_int))
		return -1;
	found = json_object_get_int64(value);
	return found < 0 ? -1 : found;
}

struct lxfw_slice lxfw_json_text(json_object *object, const char *path)
{
	json_object *value = lxfw_json_member(object, path);

	if (!json_object_is_type(value, json_type_string))
		return (struct lxfw_slice) { 0 };
	return (struct lxfw_slice) {
		json_object_get_string(value),
		strlen(json_object_get_string(value)) };
}

int64_t lxfw_json_time(json_object *object, const char *path)
{
	int64_t time = lxfw_json_number(object, path);

	return time > 0 && time < LXFW_SLURM_NO_VAL ? time : -1;
}

int64_t lxfw_json_first_count(int64_t first, int64_t second, int64_t third)
{
	int64_t count = first > 0 ? first : second > 0 ? second : third;

	return count < 0 ? 0 : count > INT32_MAX ? INT32_MAX : count;
}

struct lxfw_slice lxfw_json_state(json_object *states)
{
	struct lxfw_slice state = lxfw_json_text(states, "");
	size_t count = lxfw_json_length(states);

	/* the states of a run that was requeued are "PENDING", "REQUEUED" */
	for (size_t i = 0; i < count; i++) {
		struct lxfw_slice word = lxfw_json_text(
			json_object_array_get_idx(states, i), "");

		if (i == 0 || lxfw_slice_is(word, "REQUEUED"))
			state = word;
	}
	return state;
}

bool lxfw_json_error(json_object *errors, char *out, size_t size)
{
	struct lxfw_slice text, more;
	json_object *first;

	if (!json_object_is_type(errors, json_type_array) ||
	    json_object_array_length(errors) == 0)
		return false;
	first = json_object_array_get_idx(errors, 0);
	text = lxfw_json_text(first, "description");
	more = lxfw_json_text(first, "error");
	if (text.length == 0)
		text = more;
	if (text.length == 0)
		text = (struct lxfw_slice) { "an error without a text", 23 };
	lxfw_text_quote(out, size, text.at, text.length);
	return true;
}
