/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/request_jobs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/util/grow.h"
#include "sim-frontend/grid/lines.h"
#include "sim-frontend/util/text.h"

#define FIELDS 9
#define TIME_MOST (INT64_C(1) << 50)

/* A part of a job. */
struct part {
	int64_t start, end;
	int32_t site, procs;
	long line;
};

struct reader {
	const char *path;
	int64_t at;
	const struct lxfw_sites *sites;
	struct part *parts;
	size_t count, size;
	struct lxfw_error *error;
};

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

static int bad(const struct reader *reader, long line)
{
	return lxfw_error_at(reader->error, reader->path, line, "expected a line of lxfw grid "
			     "--jobs-out, job_id,submit,start,end,wait,run,procs,home,"
			     "SITE:PROCS+...");
}

/* "s1:4+s2:8", which is changed. */
static int take_parts(struct reader *reader, long line, char *text, const int64_t times[2])
{
	char *rest = NULL;

	for (char *word = strtok_r(text, "+", &rest); word; word = strtok_r(NULL, "+", &rest)) {
		char *colon = strchr(word, ':');
		int64_t procs;
		int32_t site;

		if (!colon || lxfw_text_integer(colon + 1, strlen(colon + 1), 1, INT32_MAX,
						&procs))
			return bad(reader, line);
		*colon = '\0';
		site = lxfw_sites_find(reader->sites, word);
		if (site < 0 || procs > reader->sites->list[site].cluster.procs)
			return lxfw_error_at(reader->error, reader->path, line, "%lld processors "
					     "at '%.64s', expected a site with as many",
					     (long long)procs, word);
		if (LXFW_GROW(reader->parts, reader->size, reader->count + 1))
			return out_of_memory(reader->error);
		reader->parts[reader->count++] = (struct part){
			times[0], times[1], site, (int32_t)procs, line,
		};
	}
	return 0;
}

static int read_line(void *context, long line, char *text)
{
	struct reader *reader = context;
	char *fields[FIELDS], *rest = NULL;
	int64_t numbers[4];
	size_t count = 0;

	text[strcspn(text, "\r\n")] = '\0';
	if (line == 1 && strncmp(text, "job_id,", 7) == 0)
		return 0;
	for (char *field = strtok_r(text, ",", &rest); field && count < FIELDS;
	     field = strtok_r(NULL, ",", &rest))
		fields[count++] = field;
	if (count < FIELDS || rest[0] != '\0')
		return bad(reader, line);
	for (int i = 0; i < 4; i++) {
		if (lxfw_text_integer(fields[i], strlen(fields[i]), -TIME_MOST, TIME_MOST,
				      &numbers[i]))
			return bad(reader, line);
	}
	if (numbers[1] > reader->at || numbers[3] <= reader->at || numbers[3] <= numbers[2])
		return 0;
	return take_parts(reader, line, fields[8], &numbers[2]);
}

static int by_start(const void *one, const void *other)
{
	const struct part *a = one, *b = other;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

/* When a processor is free at the end of its row. */
static int64_t free_from(const struct lxfw_timetable *table, int32_t proc)
{
	const struct lxfw_timetable_row *row = &table->rows[proc];

	return row->count ? row->uses[row->count - 1].end : -TIME_MOST;
}

static int place(const struct reader *reader, const struct part *part,
		 struct lxfw_timetable *table)
{
	const struct lxfw_timetable_use use = { part->start, part->end, (uint64_t)part->line };

	for (int32_t i = 0; i < part->procs; i++) {
		int32_t best = -1;

		for (int32_t j = 0; j < table->procs; j++) {
			int64_t free = free_from(table, j);

			if (free <= part->start &&
			    (best < 0 || free > free_from(table, best)))
				best = j;
		}
		if (best < 0)
			return lxfw_error_at(reader->error, reader->path, part->line, "more "
					     "processors than site '%s' has are in use at %lld, "
					     "expected at most %d",
					     reader->sites->list[part->site].name,
					     (long long)part->start, (int)table->procs);
		if (lxfw_timetable_add(table, best, &use))
			return out_of_memory(reader->error);
	}
	return 0;
}

int lxfw_request_jobs_read(const char *path, int64_t at, const struct lxfw_sites *sites,
			   struct lxfw_allocations *allocations, struct lxfw_error *error)
{
	struct reader reader = { .path = path, .at = at, .sites = sites, .error = error };
	int failed = lxfw_lines_read(path, read_line, &reader, error);

	if (!failed && reader.count > 0)
		qsort(reader.parts, reader.count, sizeof(*reader.parts), by_start);
	for (size_t i = 0; i < reader.count && !failed; i++)
		failed = place(&reader, &reader.parts[i],
			       &allocations->tables[reader.parts[i].site]);
	free(reader.parts);
	return failed;
}
