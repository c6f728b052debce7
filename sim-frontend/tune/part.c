/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/tune/part.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "sim-frontend/trace/bytes.h"
#include "sim-frontend/tune/space.h"
#include "sim-frontend/util/output.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"

#define FIRST_LINE "lxfw-tune-2"

void lxfw_round_mark(const struct lxfw_tune_about *about, char *mark, size_t size)
{
	uLong sum = crc32(0, NULL, 0);

	for (int i = 0; i < LXFW_TUNE_ABOUT; i++)
		sum = crc32(sum, (const unsigned char *)about->texts[i],
			    (uInt)strlen(about->texts[i]) + 1);
	snprintf(mark, size, "%08lx", (unsigned long)sum);
}

char *lxfw_part_path(const char *folder, const char *name, int number)
{
	size_t size = strlen(folder) + strlen(name) + 16;
	char *path = malloc(size);

	if (path && number > 0)
		snprintf(path, size, "%s/%s-%d", folder, name, number);
	else if (path)
		snprintf(path, size, "%s/%s", folder, name);
	return path;
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* ---- the settings ---------------------------------------------------------------- */

int lxfw_round_write(const char *folder, const char *const *lines, size_t count,
		     const char *mark, struct lxfw_error *error)
{
	char *path = lxfw_part_path(folder, "settings", 0);
	struct lxfw_output *output = path ? lxfw_output_open(path, error) : NULL;
	int failed = -1;

	if (!path)
		out_of_memory(error);
	if (output) {
		lxfw_output_text(output, FIRST_LINE " ");
		lxfw_output_text(output, mark);
		for (size_t i = 0; i < count; i++) {
			lxfw_output_text(output, "\n");
			lxfw_output_text(output, lines[i]);
		}
		lxfw_output_text(output, "\n");
		failed = lxfw_output_commit(output, error);
	}
	free(path);
	return failed;
}

/* Returns the next line of TEXT, which is modified; NULL at the end. */
static char *next_line(char **text)
{
	char *line = *text, *end;

	if (!line || *line == '\0')
		return NULL;
	end = strchr(line, '\n');
	if (end)
		*end++ = '\0';
	*text = end;
	return line;
}

/* Reads the file as text. */
static char *read_text(const char *path, struct lxfw_error *error)
{
	struct lxfw_bytes file;
	char *text;

	if (lxfw_bytes_read(&file, path, error))
		return NULL;
	text = realloc(file.bytes, file.length + 1);
	if (!text) {
		free(file.bytes);
		out_of_memory(error);
		return NULL;
	}
	text[file.length] = '\0';
	return text;
}

static int take_lines(struct lxfw_round *round, char *rest, const char *path,
		      struct lxfw_error *error)
{
	char *line = next_line(&rest);
	size_t count = 0;

	if (!line || strncmp(line, FIRST_LINE " ", sizeof(FIRST_LINE)) != 0 ||
	    strlen(line) >= sizeof(FIRST_LINE) + sizeof(round->mark))
		return lxfw_error_at(error, path, 1, "not a file of settings, "
				     "expected " FIRST_LINE);
	strcpy(round->mark, line + sizeof(FIRST_LINE));
	for (const char *at = rest; at && *at; at++)
		count += *at == '\n';
	round->lines = calloc(count + 1, sizeof(*round->lines));
	if (!round->lines)
		return out_of_memory(error);
	while ((line = next_line(&rest))) {
		struct lxfw_params params;
		struct lxfw_error reason;

		if (lxfw_tune_read_line(line, &params, &reason))
			return lxfw_error_at(error, path, (long)round->count + 2,
					     "%.300s", reason.text);
		round->lines[round->count] = strdup(line);
		if (!round->lines[round->count++])
			return out_of_memory(error);
	}
	return 0;
}

int lxfw_round_read(struct lxfw_round *round, const char *folder,
		    struct lxfw_error *error)
{
	char *path = lxfw_part_path(folder, "settings", 0), *text;
	int failed = -1;

	*round = (struct lxfw_round) { .lines = NULL };
	if (!path)
		return out_of_memory(error);
	text = read_text(path, error);
	if (text)
		failed = take_lines(round, text, path, error);
	if (failed)
		lxfw_round_clear(round);
	free(text);
	free(path);
	return failed;
}

void lxfw_round_clear(struct lxfw_round *round)
{
	for (size_t i = 0; i < round->count; i++)
		free(round->lines[i]);
	free(round->lines);
	*round = (struct lxfw_round) { .lines = NULL };
}

/* --- the part of a task ----------------------------------------------------------- */

struct task {
	const struct lxfw_trials *trials;
	const struct lxfw_round *round;
	size_t first, step, numbers;
	double *values;		/* of the settings of this part, in order */
};

static int try_one(void *context, size_t i, struct lxfw_error *error)
{
	const struct task *task = context;
	const char *line = task->round->lines[task->first + i * task->step];

	return lxfw_trial_values(task->trials, line,
				 task->values + i * task->numbers, error);
}

static int write_part(const struct task *task, const char *folder, int part,
		      int parts, size_t count, struct lxfw_error *error)
{
	char *path = lxfw_part_path(folder, "part", part), text[64];
	struct lxfw_output *output = path ? lxfw_output_open(path, error) : NULL;
	int failed = -1;

	if (!path)
		out_of_memory(error);
	if (output) {
		snprintf(text, sizeof(text), FIRST_LINE " %s %d/%d\n",
			 task->round->mark, part, parts);
		lxfw_output_text(output, text);
		for (size_t i = 0; i < count * task->numbers; i++) {
			snprintf(text, sizeof(text), "%.17g%c", task->values[i],
				 (i + 1) % task->numbers ? ' ' : '\n');
			lxfw_output_text(output, text);
		}
		failed = lxfw_output_commit(output, error);
	}
	free(path);
	return failed;
}

static size_t part_size(size_t count, int part, int parts)
{
	size_t first = (size_t)part - 1;

	return count > first ? (count - first - 1) / (size_t)parts + 1 : 0;
}

int lxfw_part_try(const struct lxfw_trials *trials, const char *folder, int part,
		  int parts, int threads, struct lxfw_error *error)
{
	struct lxfw_tune_about about;
	struct lxfw_round round;
	struct task task = {
		.trials = trials, .round = &round, .first = (size_t)part - 1,
		.step = (size_t)parts, .numbers = lxfw_trials_numbers(trials),
	};
	struct lxfw_pool pool = {
		.context = &task, .threads = threads, .work = try_one,
	};
	char mark[sizeof(round.mark)];
	int failed = -1;

	if (lxfw_round_read(&round, folder, error))
		return -1;
	lxfw_tune_about(trials, &about);
	lxfw_round_mark(&about, mark, sizeof(mark));
	pool.count = part_size(round.count, part, parts);
	task.values = calloc(pool.count * task.numbers + 1,
			     sizeof(*task.values));
	if (!task.values)
		out_of_memory(error);
	else if (strcmp(mark, round.mark) != 0)
		lxfw_error_at(error, folder, 0, "the settings belong to "
			      "another trace, machine, set of blocks or goals");
	else if (lxfw_pool_carry_out(&pool, error) == 0)
		failed = write_part(&task, folder, part, parts, pool.count,
				    error);
	free(task.values);
	lxfw_round_clear(&round);
	return failed;
}

/* Parses exactly NUMBERS numbers. */
static bool take_values(const char *line, size_t numbers, double *values)
{
	for (size_t i = 0; i < numbers; i++) {
		char *end;

		values[i] = strtod(line, &end);
		if (end == line)
			return false;
		line = end;
	}
	return *line == '\0';
}

static int take_text(char *text, const char *path, int part, int parts,
		     size_t count, size_t numbers, const char *mark, double *values,
		     struct lxfw_error *error)
{
	size_t size = part_size(count, part, parts), done = 0;
	char first[64], *line = next_line(&text);

	snprintf(first, sizeof(first), FIRST_LINE " %s %d/%d", mark, part, parts);
	if (!line || strcmp(line, first) != 0)
		return lxfw_error_at(error, path, 1, "begins with '%.60s', "
				     "expected '%s'", line ? line : "", first);
	while ((line = next_line(&text)) && done < size) {
		size_t at = (size_t)part - 1 + done++ * (size_t)parts;

		if (!take_values(line, numbers, values + at * numbers))
			return lxfw_error_at(error, path, (long)done + 1,
					     "'%.60s', expected %zu numbers", line,
					     numbers);
	}
	if (done < size || line)
		return lxfw_error_at(error, path, 0, "values of %s than %zu "
				     "settings", line ? "more" : "fewer", size);
	return 1;
}

int lxfw_part_take(const char *folder, int part, int parts, size_t count,
		   size_t numbers, const char *mark, double *values,
		   struct lxfw_error *error)
{
	char *path = lxfw_part_path(folder, "part", part), *text;
	int result;

	if (!path)
		return out_of_memory(error);
	text = read_text(path, error);
	if (text)
		result = take_text(text, path, part, parts, count, numbers, mark,
				   values, error);
	else
		result = errno == ENOENT ? 0 : -1;
	free(text);
	free(path);
	return result;
}
