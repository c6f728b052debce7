/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/dump.h"

#include <string.h>

#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/util/text.h"

/* Maximum number of values in a line. */
#define VALUES_MAX 128

struct dump {
	const struct lxfw_dump_column *columns;
	int count;
	const char *what;
	int place[LXFW_DUMP_COLUMNS_MAX];	/* position in a line; -1: absent */
	int width;				/* number of values in a line */
};

/* Splits a line into values. Returns their number, or -1 if there are too many. */
static int split(const char *line, size_t length, struct lxfw_slice *values)
{
	int count = 0;
	size_t from = 0;

	for (size_t i = 0; i <= length; i++) {
		if (i < length && line[i] != '|')
			continue;
		if (count == VALUES_MAX)
			return -1;
		values[count++] = (struct lxfw_slice) { line + from, i - from };
		from = i + 1;
	}
	return count;
}

static int find_columns(struct dump *dump, const struct lxfw_slice *names, int count,
			struct lxfw_error *wrong)
{
	for (int i = 0; i < dump->count; i++) {
		const struct lxfw_dump_column *column = &dump->columns[i];

		dump->place[i] = -1;
		for (int j = 0; j < count; j++) {
			for (int k = 0; k < 3 && column->names[k]; k++) {
				if (lxfw_slurm_is(names[j], column->names[k]))
					dump->place[i] = j;
			}
		}
		if (column->needed && dump->place[i] < 0)
			return lxfw_error_format(wrong, "no column %s, expected %s",
						 column->names[0], dump->what);
	}
	dump->width = count;
	return 0;
}

static int take_line(struct dump *dump, const char *line, size_t length,
		     lxfw_dump_row_fn *row, void *context, struct lxfw_error *wrong)
{
	struct lxfw_slice values[VALUES_MAX], chosen[LXFW_DUMP_COLUMNS_MAX];
	int count = split(line, length, values);

	if (count < 0)
		return lxfw_error_format(wrong, "more than %d values, expected %s",
					 VALUES_MAX, dump->what);
	if (dump->width == 0)
		return find_columns(dump, values, count, wrong);
	if (count != dump->width)
		return lxfw_error_format(wrong,
			"%d values separated by '|', expected %d as in the first line",
			count, dump->width);
	for (int i = 0; i < dump->count; i++)
		chosen[i] = dump->place[i] < 0 ? (struct lxfw_slice) { NULL, 0 } :
						 values[dump->place[i]];
	return row(context, chosen, wrong);
}

int lxfw_dump_read(const char *path, const struct lxfw_dump_column *columns, int count,
		   const char *what, lxfw_dump_row_fn *row, void *context,
		   struct lxfw_error *error)
{
	struct dump dump = { .columns = columns, .count = count, .what = what };
	struct lxfw_input *input = lxfw_input_open(path, error);
	struct lxfw_error wrong = { "" };
	size_t length;
	char *line;
	int result;

	if (!input)
		return -1;
	while ((result = lxfw_input_line(input, &line, &length, error)) > 0) {
		if (length == 0)
			continue;
		if (take_line(&dump, line, length, row, context, &wrong)) {
			result = lxfw_error_at(error, path,
					       lxfw_input_line_number(input), "%s",
					       wrong.text);
			break;
		}
	}
	if (result == 0 && dump.width == 0)
		result = lxfw_error_at(error, path, 0, "empty, expected %s", what);
	lxfw_input_close(input);
	return result;
}
