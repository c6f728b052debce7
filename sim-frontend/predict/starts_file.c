/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/predict/starts.h"
#include "sim-frontend/util/guarded.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/text.h"

#define HEAD "lxfw-starts 1"
#define NAME_MAX_LENGTH 255

/* --- writing ---------------------------------------------------------------------- */

static void write_cell(struct lxfw_output *out, const struct lxfw_starts_cell *cell)
{
	lxfw_output_format(out, "%c %lld %lld", cell->nodes ? 'N' : 'n',
			   (long long)cell->size, (long long)cell->limit);
	for (int i = 0; i < LXFW_TOLD_TIMES; i++)
		lxfw_output_format(out, " %lld", cell->times[i] == LXFW_NEVER ? -1LL :
				   (long long)cell->times[i]);
	lxfw_output_text(out, "\n");
}

/* OUT may be NULL, with ERROR set. */
static int write_table(const struct lxfw_starts *starts, struct lxfw_output *out,
		       struct lxfw_error *error)
{
	if (!out)
		return -1;
	lxfw_output_format(out, HEAD " %lld %lld %d\n", (long long)starts->time,
			   (long long)starts->until, starts->corrected);
	for (size_t i = 0; i < starts->count; i++) {
		const struct lxfw_starts_partition *of = &starts->list[i];

		lxfw_output_format(out, "partition %s %d %d %lld %lld %d %lld\n", of->name,
				   of->is_default, of->exclusive, (long long)of->procs,
				   (long long)of->memory, of->memory_given,
				   (long long)of->limit);
		for (size_t j = 0; j < of->count; j++)
			write_cell(out, &of->cells[j]);
	}
	lxfw_output_text(out, "end\n");
	lxfw_output_mode(out, 0644);	/* users read the file */
	return lxfw_output_commit(out, error);
}

int lxfw_starts_write(const struct lxfw_starts *starts, const char *path,
		      struct lxfw_error *error)
{
	return write_table(starts, lxfw_output_open(path, error), error);
}

int lxfw_starts_replace(const struct lxfw_starts *starts, const char *path,
			struct lxfw_error *error)
{
	return write_table(starts, lxfw_output_replace(path, error), error);
}

/* --- reading ---------------------------------------------------------------------- */

/* Takes COUNT numbers of MIN or more, and nothing else. */
static bool take_numbers(const char *text, int64_t *const *numbers, int count, int64_t min)
{
	for (int i = 0; i < count; i++) {
		size_t length;

		text += *text == ' ';
		length = strcspn(text, " ");
		if (lxfw_text_integer(text, length, min, INT64_C(1) << 40, numbers[i]))
			return false;
		text += length;
	}
	return !*text;
}

static int take_head(struct lxfw_starts *starts, const char *line)
{
	int64_t corrected;

	if (strncmp(line, HEAD " ", sizeof(HEAD)) != 0 ||
	    !take_numbers(line + sizeof(HEAD), (int64_t *[]) { &starts->time,
			  &starts->until, &corrected }, 3, 0))
		return -1;
	starts->corrected = corrected;
	return 0;
}

static int take_partition(struct lxfw_starts *starts, char *text)
{
	char *blank = strchr(text, ' ');
	struct lxfw_starts_partition *partition;
	int64_t is_default, exclusive, given;

	if (!blank || blank == text || blank - text > NAME_MAX_LENGTH)
		return -1;
	*blank = '\0';
	partition = lxfw_starts_add(starts, text);
	if (!partition || !take_numbers(blank + 1, (int64_t *[]) { &is_default,
					&exclusive, &partition->procs, &partition->memory,
					&given, &partition->limit }, 6, 0))
		return -1;
	partition->is_default = is_default;
	partition->exclusive = exclusive;
	partition->memory_given = given;
	return 0;
}

static int take_cell(struct lxfw_starts *starts, const char *line)
{
	struct lxfw_starts_cell cell = { .nodes = *line == 'N' };

	if (starts->count == 0 || line[1] != ' ' ||
	    !take_numbers(line + 2, (int64_t *[]) { &cell.size, &cell.limit, &cell.times[0],
			  &cell.times[1], &cell.times[2], &cell.times[3], &cell.times[4] },
			  2 + LXFW_TOLD_TIMES, -1))
		return -1;
	for (int i = 0; i < LXFW_TOLD_TIMES; i++) {
		if (cell.times[i] < 0)
			cell.times[i] = LXFW_NEVER;
	}
	return lxfw_starts_add_cell(&starts->list[starts->count - 1], &cell);
}

static int take_line(struct lxfw_starts *starts, char *line, long number)
{
	static const char partition[] = "partition ";

	if (number == 1)
		return take_head(starts, line);
	if (strncmp(line, partition, sizeof(partition) - 1) == 0)
		return take_partition(starts, line + sizeof(partition) - 1);
	if (*line == 'n' || *line == 'N')
		return take_cell(starts, line);
	return -1;
}

int lxfw_starts_parse(struct lxfw_starts *starts, char *text, const char *path,
		      struct lxfw_error *error)
{
	long number = 0;

	for (char *line = text, *end; *line; line = end + 1) {
		end = strchr(line, '\n');
		number++;
		if (!end)
			break;
		*end = '\0';
		if (strcmp(line, "end") == 0 && number > 1)
			return 0;
		errno = 0;
		if (take_line(starts, line, number))
			return errno == ENOMEM ? lxfw_error_system(error, path) :
			       lxfw_error_at(error, path, number, number == 1 ?
					     "not a table of starts, expected a file written "
					     "by 'lxfw predict --starts-out'" : "not a line "
					     "of a table of starts, see lxfw-predict(1)");
	}
	return lxfw_error_at(error, path, number, "truncated, expected a last line 'end'");
}

int lxfw_starts_read(struct lxfw_starts *starts, const char *path, struct lxfw_error *error)
{
	size_t length;
	char *text = lxfw_guarded_read(path, LXFW_STARTS_MAX, &length, error);
	int result = text ? lxfw_starts_parse(starts, text, path, error) : -1;

	free(text);
	return result;
}
