/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/lines.h"

#include <string.h>

#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/text.h"

static int take_line(const struct lxfw_input *input, char *text, size_t length,
		     lxfw_line_function *take, void *context, struct lxfw_error *error)
{
	long line = lxfw_input_line_number(input);

	text[length] = '\0';
	if (strlen(text) != length)
		return lxfw_error_at(error, lxfw_input_path(input), line,
				     "a byte 0, expected text");
	text[strcspn(text, "#")] = '\0';
	return text[strspn(text, " \t\r")] ? take(context, line, text) : 0;
}

int lxfw_lines_read(const char *path, lxfw_line_function *take, void *context,
		    struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	size_t length;
	char *text;
	int got;

	if (!input)
		return -1;
	while ((got = lxfw_input_line(input, &text, &length, error)) > 0) {
		if (take_line(input, text, length, take, context, error)) {
			got = -1;
			break;
		}
	}
	lxfw_input_close(input);
	return got;
}
