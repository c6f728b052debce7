/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/json_file.h"

#include <stdbool.h>
#include <string.h>

#include "sim-frontend/util/text.h"

struct reading {
	struct json_tokener *tokener;
	lxfw_json_object_fn *take;
	void *context;
	bool open;		/* an object has begun and is incomplete */
	bool bad;		/* the input is not JSON */
};

/* Parses the objects in LINE. WRONG is set by the callback; it is unset if the line is
   not JSON. */
static int take_line(struct reading *reading, const char *line, size_t length,
		     struct lxfw_error *wrong)
{
	size_t at = 0;

	while (at < length) {
		json_object *object;
		int result = 0;

		at += reading->open ? 0 : strspn(line + at, " \t");
		if (at >= length)
			break;
		object = json_tokener_parse_ex(reading->tokener, line + at,
					       (int)(length - at));
		at += json_tokener_get_parse_end(reading->tokener);
		switch (json_tokener_get_error(reading->tokener)) {
		case json_tokener_continue:
			reading->open = true;
			return 0;
		case json_tokener_success:
			reading->open = false;
			result = reading->take(reading->context, object, wrong);
			json_object_put(object);
			json_tokener_reset(reading->tokener);
			break;
		default:
			reading->bad = true;
			return -1;
		}
		if (result)
			return result;
	}
	/* the end of a line separates tokens as a blank does */
	if (reading->open)
		json_tokener_parse_ex(reading->tokener, "\n", 1);
	return 0;
}

int lxfw_json_objects(struct lxfw_input *input, const char *expected,
		      lxfw_json_object_fn *take, void *context,
		      struct lxfw_error *error)
{
	struct reading reading = {
		.tokener = json_tokener_new(), .take = take, .context = context,
	};
	const char *path = lxfw_input_path(input);
	struct lxfw_error wrong;
	char *line;
	size_t length;
	int got;

	if (!reading.tokener)
		return lxfw_error_system(error, path);
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		if (take_line(&reading, line, length, &wrong))
			break;
	}
	json_tokener_free(reading.tokener);
	if (got < 0)
		return -1;
	if (reading.bad || (got == 0 && reading.open))
		return lxfw_error_at(error, path, lxfw_input_line_number(input),
			"the text is not JSON or truncated, expected the "
				"output of %s",
			expected);
	return got > 0 ? lxfw_error_at(error, path, 0, "%s", wrong.text) : 0;
}

int lxfw_json_begins(struct lxfw_input *input, struct lxfw_error *error)
{
	char *line;
	size_t length = 0;
	int got;

	while ((got = lxfw_input_peek(input, &line, &length, error)) > 0 &&
	       strspn(line, " \t") >= length)
		lxfw_input_line(input, &line, &length, error);
	return got > 0 ? line[strspn(line, " \t")] == '{' : got;
}
