/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of sacct without --parsable2: columns of fixed width. A line of dashes under
 * the header marks the columns. A longer value is truncated and ends with '+'. A
 * truncated state is still unambiguous, and a truncated JobID still shows that the record
 * is a step or a pending array. A truncated list of hosts is ignored and counted. A
 * truncated value of any other required column makes a record odd.
 */
#include "sim-frontend/trace/sacct.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

bool lxfw_sacct_is_fixed(const char *line, size_t length)
{
	static const char name[] = "JobID";
	const char *found = memmem(line, length, name, sizeof(name) - 1);

	/* JobID or JobIDRaw */
	return found && *line != '#' && !lxfw_sacct_delimiter(line, length) &&
	       (found == line || is_blank(found[-1]));
}

/* Stores the position of each run of dashes. The line may contain only dashes and
   blanks. */
static int read_ruler(struct sacct *sacct, const char *line, size_t length)
{
	static const char no_ruler[] = "columns without '|' and no line of dashes "
		"below, expected what sacct --parsable2 prints";

	sacct->piece_count = 0;
	for (size_t i = 0; i < length; i++) {
		size_t *pieces;

		if (is_blank(line[i]))
			continue;
		if (line[i] != '-')
			return lxfw_error_format(&sacct->wrong, "%s", no_ruler);
		if (LXFW_GROW(sacct->pieces, sacct->pieces_size,
			      2 * sacct->piece_count + 2))
			return lxfw_error_format(&sacct->wrong, "out of memory");
		pieces = &sacct->pieces[2 * sacct->piece_count++];
		pieces[0] = i;
		while (i < length && line[i] == '-')
			i++;
		pieces[1] = i;
	}
	if (sacct->piece_count == 0)
		return lxfw_error_format(&sacct->wrong, "%s", no_ruler);
	return 0;
}

/* Returns the text of column AT of LINE without surrounding blanks. */
static struct lxfw_slice cell(const struct sacct *sacct, size_t at,
			      const char *line, size_t length)
{
	size_t begin = sacct->pieces[2 * at], end = sacct->pieces[2 * at + 1];

	/* the last column extends to the end of the line */
	if (at + 1 == sacct->piece_count || end > length)
		end = length;
	while (begin < end && is_blank(line[begin]))
		begin++;
	while (begin < end && is_blank(line[end - 1]))
		end--;
	return begin < end ? (struct lxfw_slice) { line + begin, end - begin } :
			     (struct lxfw_slice) { "", 0 };
}

int lxfw_sacct_fixed_header(struct sacct *sacct, const char *names, size_t length,
			    const char *ruler, size_t ruler_length)
{
	if (read_ruler(sacct, ruler, ruler_length))
		return -1;
	sacct->fixed = true;
	sacct->count = sacct->text_count = 0;
	for (size_t i = 0; i < sacct->piece_count; i++)
		lxfw_sacct_column(sacct, cell(sacct, i, names, length));
	return 0;
}

/* Returns whether a value was truncated: it fills its column and ends with '+'. */
static bool is_cut(const struct sacct *sacct, size_t at, struct lxfw_slice value)
{
	return value.length > 0 && value.at[value.length - 1] == '+' &&
	       value.length >= sacct->pieces[2 * at + 1] - sacct->pieces[2 * at];
}

/* Returns whether a truncated value contains all that is needed. */
static bool says_enough(enum column column, struct lxfw_slice value)
{
	return column == STATE ||
	       (column == JOB_ID && (memchr(value.at, '.', value.length) ||
				     memchr(value.at, '[', value.length)));
}

int lxfw_sacct_fixed_record(struct sacct *sacct, const char *line, size_t length)
{
	sacct->hosts_cut = false;
	for (int i = 0; i < COLUMNS; i++) {
		struct lxfw_slice *field = &sacct->fields[i];
		size_t at = (size_t)sacct->columns[i];

		*field = (struct lxfw_slice) { "", 0 };
		if (sacct->columns[i] < 0)
			continue;
		*field = cell(sacct, at, line, length);
		if (is_cut(sacct, at, *field) && i == NODE_LIST) {
			sacct->hosts_cut = true;
			field->length = 0;
		} else if (is_cut(sacct, at, *field) &&
			   !says_enough((enum column)i, *field)) {
			return lxfw_error_format(&sacct->wrong, "%s is truncated "
				"('%.*s'), expected the output of sacct "
				"--parsable2", lxfw_sacct_column_name((enum column)i),
				(int)(field->length < 40 ? field->length : 40),
				field->at);
		}
		if (!lxfw_sacct_plausible(sacct, (enum column)i))
			return -1;
	}
	return 0;
}
