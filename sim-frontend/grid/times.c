/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/times.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "sim-frontend/grid/lines.h"
#include "sim-frontend/util/text.h"

struct reader {
	const char *path;
	long line;
	const struct lxfw_sites *sites;
	struct lxfw_grid_times *times;
	struct lxfw_error *error;
};

/* The words of a line; NULL: not given. */
struct words {
	char *kind, *place, *seconds;
};

void lxfw_grid_times_clear(struct lxfw_grid_times *times)
{
	free(times->seconds);
	*times = (struct lxfw_grid_times){ 0 };
}

int64_t lxfw_grid_times_at(const struct lxfw_grid_times *times, int32_t kind, int32_t place)
{
	return kind < times->kinds ? times->seconds[(size_t)kind * (size_t)times->places +
						    (size_t)place] : 0;
}

int lxfw_grid_times_set(struct lxfw_grid_times *times, int32_t kind, int32_t places,
			int32_t place, int64_t seconds)
{
	size_t width = (size_t)places, had = (size_t)times->kinds * width;

	if (kind >= times->kinds) {
		size_t need = (size_t)(kind + 1) * width;
		int64_t *more = realloc(times->seconds, need * sizeof(*more));

		if (!more)
			return -1;
		memset(more + had, 0, (need - had) * sizeof(*more));
		times->seconds = more;
		times->kinds = kind + 1;
		times->places = places;
	}
	times->seconds[(size_t)kind * width + (size_t)place] = seconds;
	return 0;
}

int lxfw_grid_times_tell(const struct lxfw_grid_times *times,
			 struct lxfw_grid_history *history)
{
	for (int32_t i = 0; i < times->kinds; i++) {
		for (int32_t j = 0; j < times->places; j++) {
			int64_t seconds = lxfw_grid_times_at(times, i, j);

			if (seconds > 0 && lxfw_grid_history_know(history, i, j, seconds))
				return -1;
		}
	}
	return 0;
}

/* --- a line ------------------------------------------------------------------------------ */

static int bad_value(struct reader *reader, const char *key, const char *value,
		     const char *expected)
{
	char quoted[48];

	return lxfw_error_at(reader->error, reader->path, reader->line, "%s='%s', expected %s",
			     key, lxfw_text_quote(quoted, sizeof(quoted), value, strlen(value)),
			     expected);
}

/* Splits TEXT, which is changed. */
static int split(struct reader *reader, char *text, struct words *words)
{
	char quoted[48], *rest = NULL;

	for (char *word = strtok_r(text, " \t\r\n", &rest); word;
	     word = strtok_r(NULL, " \t\r\n", &rest)) {
		char **place = strncmp(word, "kind=", 5) == 0 ? &words->kind :
			       strncmp(word, "place=", 6) == 0 ? &words->place :
			       strncmp(word, "seconds=", 8) == 0 ? &words->seconds : NULL;

		lxfw_text_quote(quoted, sizeof(quoted), word, strlen(word));
		if (!place || *place)
			return lxfw_error_at(reader->error, reader->path, reader->line, "'%s', "
					     "expected kind=NUMBER, place=NAME,... and "
					     "seconds=NUMBER, each once", quoted);
		*place = strchr(word, '=') + 1;
	}
	if (words->kind && words->place && words->seconds)
		return 0;
	return lxfw_error_at(reader->error, reader->path, reader->line, "expected kind=NUMBER, "
			     "place=NAME,... and seconds=NUMBER");
}

static int take_place(struct reader *reader, const char *name, int64_t kind, int64_t seconds)
{
	int32_t places = reader->sites->count + reader->sites->cluster_count;
	int32_t place = lxfw_sites_place(reader->sites, name);

	if (place < 0)
		return bad_value(reader, "place", name, "a site or a cluster of the sites");
	if (lxfw_grid_times_at(reader->times, (int32_t)kind, place) > 0)
		return bad_value(reader, "place", name, "one that has no time for this kind on "
				 "a line above");
	if (lxfw_grid_times_set(reader->times, (int32_t)kind, places, place, seconds) == 0)
		return 0;
	lxfw_error_set(reader->error, "out of memory");
	return -1;
}

static int read_line(void *context, long line, char *text)
{
	struct reader *reader = context;
	struct words words = { 0 };
	int64_t kind, seconds;
	char *rest = NULL;

	reader->line = line;
	if (split(reader, text, &words))
		return -1;
	if (lxfw_text_integer(words.kind, strlen(words.kind), 0, LXFW_GRID_KINDS - 1, &kind))
		return bad_value(reader, "kind", words.kind, "a whole number from 0 to 9999");
	if (lxfw_text_integer(words.seconds, strlen(words.seconds), 1, INT32_MAX, &seconds))
		return bad_value(reader, "seconds", words.seconds,
				 "a whole number from 1 to 2147483647");
	for (char *name = strtok_r(words.place, ",", &rest); name;
	     name = strtok_r(NULL, ",", &rest)) {
		if (take_place(reader, name, kind, seconds))
			return -1;
	}
	return 0;
}

int lxfw_grid_times_read(struct lxfw_grid_times *times, const char *path,
			 const struct lxfw_sites *sites, struct lxfw_error *error)
{
	struct reader reader = {
		.path = path, .sites = sites, .times = times, .error = error,
	};
	int result;

	*times = (struct lxfw_grid_times){ 0 };
	result = lxfw_lines_read(path, read_line, &reader, error);
	if (result == 0 && times->kinds == 0)
		result = lxfw_error_at(error, path, 0, "no times, expected lines kind=NUMBER "
				       "place=NAME seconds=NUMBER");
	if (result)
		lxfw_grid_times_clear(times);
	return result;
}
