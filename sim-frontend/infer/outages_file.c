/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/outages_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/text.h"

/* The contents of a line. */
struct line {
	int64_t from, until;
	int64_t procs;			/* number missing on unspecified hosts */
	int32_t *hosts;			/* hosts that are missing */
	int32_t host_count;
	size_t hosts_size;
};

/* Positions of sacctmgr's columns. */
struct columns {
	int node, from, until;
};

struct reader {
	const char *path;
	struct lxfw_input *input;
	const struct lxfw_cluster *cluster;
	const struct lxfw_recorded *recorded;
	struct lxfw_outages *outages;
	struct line *lines;
	size_t count, size;
	bool events;			/* the file is output of sacctmgr */
	struct columns columns;
	struct lxfw_error *error;
};

static int64_t begin_of(const struct reader *reader)
{
	return reader->recorded->count > 0 ? reader->recorded->jobs[0].seen : 0;
}

static int bad(const struct reader *reader, const char *what, const char *text,
	       const char *expected)
{
	char quoted[60];

	return lxfw_error_at(reader->error, reader->path,
		lxfw_input_line_number(reader->input), "%s '%s', expected %s",
		what, lxfw_text_quote(quoted, sizeof(quoted), text,
				      strlen(text)), expected);
}

static int take_time(const struct reader *reader, const char *text, int64_t *time)
{
	if (lxfw_calendar_parse(&reader->recorded->calendar, text,
				begin_of(reader), time) == 0)
		return 0;
	if (!reader->events && lxfw_text_duration(text, time) == 0) {
		*time += begin_of(reader);
		return 0;
	}
	if (reader->events)
		return bad(reader, "time", text, "2026-01-31T12:00:00, and a "
			   "log with known dates");
	return bad(reader, "time", text, "2026-01-31T12:00 (if the dates of "
		   "the log are known), or a duration after its first "
		   "submission");
}

/* --- hosts ---------------------------------------------------------------------- */

static int take_host(void *context, const char *name)
{
	struct reader *reader = context;
	struct line *line = &reader->lines[reader->count];
	int32_t host = lxfw_cluster_find(reader->cluster, name);

	if (host < 0 && reader->events)
		return 0;
	if (host < 0) {
		bad(reader, "host", name, "one of the --cluster");
		errno = ENOENT;
		return -1;
	}
	if (LXFW_GROW(line->hosts, line->hosts_size, (size_t)line->host_count + 1))
		return -1;
	line->hosts[line->host_count++] = host;
	return 0;
}

static int take_hosts(struct reader *reader, const char *text)
{
	if (lxfw_hostlist_expand(text, strlen(text), take_host, reader,
				 reader->error) == 0)
		return 0;
	if (errno == ENOMEM)
		return lxfw_error_system(reader->error, reader->path);
	return errno == ENOENT ? -1 :
	       bad(reader, "hosts", text, "a number of processors, or hosts as "
		   "n[1-4]");
}

static int take_missing(struct reader *reader, const char *text)
{
	struct line *line = &reader->lines[reader->count];

	if (!*text) {
		line->procs = reader->recorded->procs;
		return 0;
	}
	if (lxfw_text_integer(text, strlen(text), 1, INT32_MAX,
			      &line->procs) == 0)
		return 0;
	line->procs = 0;
	return take_hosts(reader, text);
}

/* --- lines ---------------------------------------------------------------------- */

static int finish_line(struct reader *reader)
{
	const struct line *line = &reader->lines[reader->count];

	if (line->until <= line->from)
		return lxfw_error_at(reader->error, reader->path,
			lxfw_input_line_number(reader->input),
			"it ends before it begins, expected FROM before TO");
	if (line->from < reader->outages->from)
		reader->outages->from = line->from;
	if (line->until != INT64_MAX && line->until > reader->outages->until)
		reader->outages->until = line->until;
	if (line->from > reader->outages->until)
		reader->outages->until = line->from;
	reader->count++;
	return 0;
}

static int take_line(struct reader *reader, char *text, size_t length)
{
	struct line *line = &reader->lines[reader->count];
	char *words[4], *rest, *comment = memchr(text, '#', length);
	int count = 0;

	text[comment ? (size_t)(comment - text) : length] = '\0';
	for (char *word = strtok_r(text, " \t", &rest); word && count < 4;
	     word = strtok_r(NULL, " \t", &rest))
		words[count++] = word;
	if (count == 0)
		return 0;
	if (count == 1 || count == 4)
		return lxfw_error_at(reader->error, reader->path,
			lxfw_input_line_number(reader->input), "%s words, expected FROM "
			"TO and optionally a number of processors or hosts", count == 1 ? "too few" : "too many");
	if (take_time(reader, words[0], &line->from) ||
	    take_time(reader, words[1], &line->until) ||
	    take_missing(reader, count == 3 ? words[2] : ""))
		return -1;
	return finish_line(reader);
}

/* Returns the next field, terminated by NUL; NULL after the last. Bars separate
   fields. */
static char *next_field(char **text)
{
	char *field = *text;

	if (field) {
		*text = strchr(field, '|');
		if (*text)
			*(*text)++ = '\0';
	}
	return field;
}

static int take_event(struct reader *reader, char *text)
{
	struct line *line = &reader->lines[reader->count];
	const struct columns *columns = &reader->columns;
	char *node = NULL, *from = NULL, *until = NULL, *field;

	for (int i = 0; (field = next_field(&text)) != NULL; i++) {
		if (i == columns->node)
			node = field;
		if (i == columns->from)
			from = field;
		if (i == columns->until)
			until = field;
	}
	if (!node || !from || !until)
		return lxfw_error_at(reader->error, reader->path,
			lxfw_input_line_number(reader->input),
			"too few columns, expected those of the first line");
	if (!*node)
		return 0;
	if (take_time(reader, from, &line->from) || take_hosts(reader, node))
		return -1;
	line->until = INT64_MAX;
	if (strcmp(until, "Unknown") != 0 && take_time(reader, until, &line->until))
		return -1;
	if (line->host_count == 0) {
		reader->outages->unknown++;
		return 0;
	}
	if (line->until <= line->from) {	/* zero length, which occurs in Slurm */
		line->host_count = 0;
		return 0;
	}
	return finish_line(reader);
}

/* Returns whether the line is a header of sacctmgr. */
static bool take_columns(struct reader *reader, char *text, size_t length)
{
	struct columns columns = { -1, -1, -1 };
	char *at = text, *field;

	text[length] = '\0';
	if (!strchr(text, '|') || !strstr(text, "TimeStart"))
		return false;
	for (int i = 0; (field = next_field(&at)) != NULL; i++) {
		if (strcmp(field, "NodeName") == 0)
			columns.node = i;
		else if (strcmp(field, "TimeStart") == 0)
			columns.from = i;
		else if (strcmp(field, "TimeEnd") == 0)
			columns.until = i;
	}
	reader->columns = columns;
	reader->events = true;
	return true;
}

static int read_lines(struct reader *reader)
{
	char *text;
	size_t length;
	int got;

	while ((got = lxfw_input_line(reader->input, &text, &length,
				      reader->error)) > 0) {
		if (LXFW_GROW(reader->lines, reader->size, reader->count + 1))
			return lxfw_error_system(reader->error, reader->path);
		free(reader->lines[reader->count].hosts);
		reader->lines[reader->count] = (struct line) { 0 };
		text[length] = '\0';
		if (lxfw_input_line_number(reader->input) == 1 &&
		    take_columns(reader, text, length)) {
			if (reader->columns.node < 0 || reader->columns.until < 0)
				return lxfw_error_at(reader->error, reader->path,
					1, "expected the columns NodeName, "
					"TimeStart and TimeEnd");
			continue;
		}
		if (reader->events ? take_event(reader, text) :
				     take_line(reader, text, length))
			return -1;
	}
	return got;
}

/* --- division of outages ---------------------------------------------------------- */

static int by_time(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Adds the outage from FROM to UNTIL, between which nothing changes. */
static int add_outage(struct reader *reader, int64_t from, int64_t until,
		      bool *missing)
{
	struct lxfw_outages *to = reader->outages;
	int32_t count = reader->cluster->count, named = 0;
	struct lxfw_outage outage = {
		.begin = from, .known = from, .known_end = until, .end = until,
		.procs = reader->recorded->procs, .given = true,
	};
	bool any = false;

	memset(missing, 0, (size_t)count + 1);
	for (size_t i = 0; i < reader->count; i++) {
		const struct line *line = &reader->lines[i];

		if (line->from >= until || line->until <= from)
			continue;
		any = true;
		outage.procs -= line->procs;
		for (int32_t k = 0; k < line->host_count; k++)
			missing[line->hosts[k]] = true;
	}
	if (!any)
		return 0;
	if (LXFW_GROW(to->outages, to->size, to->count + 1))
		return -1;
	outage.hosts = malloc(((size_t)count + 1) * sizeof(*outage.hosts));
	if (!outage.hosts)
		return -1;
	for (int32_t i = 0; i < count; i++) {
		if (!missing[i])
			continue;
		outage.hosts[named++] = i;
		outage.procs -= reader->cluster->hosts[i].total.procs;
	}
	outage.host_count = named;
	if (outage.procs < 0)
		outage.procs = 0;
	to->outages[to->count++] = outage;
	return 0;
}

static int flatten(struct reader *reader)
{
	int64_t *times = malloc((2 * reader->count + 1) * sizeof(*times));
	bool *missing = malloc((size_t)reader->cluster->count + 1);
	size_t count = 0;
	int failed = !times || !missing;

	for (size_t i = 0; !failed && i < reader->count; i++) {
		times[count++] = reader->lines[i].from;
		times[count++] = reader->lines[i].until;
	}
	if (count > 1)
		qsort(times, count, sizeof(*times), by_time);
	for (size_t i = 1; i < count && !failed; i++) {
		if (times[i] > times[i - 1])
			failed = add_outage(reader, times[i - 1], times[i],
					    missing);
	}
	free(times);
	free(missing);
	return failed ? lxfw_error_system(reader->error, reader->path) : 0;
}

int lxfw_outages_read(struct lxfw_outages *outages, const char *path,
		      const struct lxfw_cluster *cluster,
		      const struct lxfw_recorded *recorded,
		      struct lxfw_error *error)
{
	struct reader reader = {
		.path = path, .cluster = cluster, .recorded = recorded,
		.outages = outages, .error = error,
		.input = lxfw_input_open(path, error),
	};
	int failed;

	*outages = (struct lxfw_outages) { .from = INT64_MAX, .until = INT64_MIN };
	if (!reader.input)
		return -1;
	failed = read_lines(&reader) || flatten(&reader);
	/* only sacctmgr's header: there was no outage */
	if (!failed && reader.count == 0 &&
	    !(reader.events && outages->unknown == 0))
		failed = lxfw_error_at(error, path, 0, outages->unknown > 0 ?
			"no record concerns a node of the --cluster" :
			"no outage in it, expected lines FROM TO");
	/* including the line being parsed */
	for (size_t i = 0; i < reader.size; i++)
		free(reader.lines[i].hosts);
	free(reader.lines);
	lxfw_input_close(reader.input);
	if (failed)
		lxfw_outages_clear(outages);
	return failed ? -1 : 0;
}

void lxfw_outages_clear(struct lxfw_outages *outages)
{
	int saved = errno;

	for (size_t i = 0; i < outages->count; i++)
		free(outages->outages[i].hosts);
	free(outages->outages);
	*outages = (struct lxfw_outages) { 0 };
	errno = saved;
}
