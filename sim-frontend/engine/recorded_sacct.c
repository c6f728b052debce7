/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A recorded run from accounting records: what `sacct --parsable2` prints, with
 * its header line. Columns in any order; JobID, Submit, Start, End and NCPUS are
 * needed, Eligible, Elapsed, Timelimit, NNodes, ReqMem, Partition and State are
 * used where they are. Job steps are passed over.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/util/text.h"

/* Longest limit, for jobs that have none. */
#define NO_LIMIT (INT64_C(365) * 86400)
/* Slurm's flag for "per processor" in a memory that was not taken apart. */
#define PER_CPU_FLAG (INT64_C(1) << 31)
/* Sums of times stay far below 2^63. */
#define TIME_MAX INT64_C(1000000000000)
/* More than any machine has. */
#define MEMORY_MAX_KB (INT64_C(1) << 50)

enum column {
	JOB_ID, SUBMIT, ELIGIBLE, START, END, NCPUS, TIMELIMIT, NNODES, REQ_MEM,
	PARTITION, STATE, JOB_NAME, COLUMNS
};

static const char *const column_names[COLUMNS] = {
	"JobID", "Submit", "Eligible", "Start", "End", "NCPUS", "Timelimit",
	"NNodes", "ReqMem", "Partition", "State", "JobName",
};

struct field {
	const char *at;
	size_t length;
};

struct reader {
	struct lxfw_recorded *recorded;
	const struct lxfw_cluster *cluster;
	bool one_host;
	int columns[COLUMNS];	/* position in a line, -1 = not there */
	int count;		/* columns in the header */
	struct field fields[COLUMNS];
	struct lxfw_error wrong;
};

/* Days since 1970-01-01 (the proleptic Gregorian calendar). */
static int64_t days(int64_t year, int month, int day)
{
	int64_t era, of_era;
	int of_year;

	year -= month <= 2;
	era = (year >= 0 ? year : year - 399) / 400;
	of_era = year - era * 400;
	of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
	return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 +
	       of_year - 719468;
}

/* Numbers separated as in FORMAT ('0' stands for a number); how many. */
static bool scan_numbers(const struct field *field, const char *format,
			 int64_t *numbers)
{
	const char *at = field->at, *end = at + field->length;
	int count = 0;

	for (; *format; format++) {
		const char *digits = at;

		if (*format != '0') {
			if (at == end || *at++ != *format)
				return false;
			continue;
		}
		while (at < end && *at >= '0' && *at <= '9')
			at++;
		if (lxfw_text_integer(digits, (size_t)(at - digits), 0,
				      INT32_MAX, &numbers[count++]))
			return false;
	}
	return at == end;
}

/* "2021-12-10T14:23:28" or seconds; LXFW_UNKNOWN for anything else. */
static int64_t read_time(const struct field *field)
{
	int64_t n[6];

	if (!field->at)
		return LXFW_UNKNOWN;
	if (scan_numbers(field, "0-0-0T0:0:0", n) && n[1] >= 1 && n[1] <= 12 &&
	    n[2] >= 1 && n[2] <= 31 && n[0] <= 9999)
		return days(n[0], (int)n[1], (int)n[2]) * 86400 + n[3] * 3600 +
		       n[4] * 60 + n[5];
	if (lxfw_text_integer(field->at, field->length, 0, TIME_MAX, n) == 0)
		return n[0];
	return LXFW_UNKNOWN;
}

/* "[D-]HH:MM:SS", "MM:SS"; LXFW_UNKNOWN for anything else. */
static int64_t read_span(const struct field *field)
{
	int64_t n[4];

	if (!field->at)
		return LXFW_UNKNOWN;
	if (scan_numbers(field, "0-0:0:0", n))
		return n[0] * 86400 + n[1] * 3600 + n[2] * 60 + n[3];
	if (scan_numbers(field, "0:0:0", n))
		return n[0] * 3600 + n[1] * 60 + n[2];
	if (scan_numbers(field, "0:0", n))
		return n[0] * 60 + n[1];
	if (field->length >= 9 && strncasecmp(field->at, "UNLIMITED", 9) == 0)
		return NO_LIMIT;
	return LXFW_UNKNOWN;
}

static bool read_count(const struct field *field, int64_t *count)
{
	return field->at && !lxfw_text_integer(field->at, field->length, 0,
					       INT32_MAX, count);
}

/* KB of the whole job: "4G", "2800Mc" (per processor), "64Gn" (per node). */
static int64_t read_memory(const struct field *field, int64_t procs,
			   int64_t nodes)
{
	static const char units[] = "KMGTP";
	const char *at = field->at;
	size_t length = field->length, digits = 0;
	int64_t value = 0, times = 1;
	const char *unit;
	int shift;

	if (!at || length == 0)
		return 0;
	if (at[length - 1] == 'n' || at[length - 1] == 'c')
		times = at[--length] == 'n' ? nodes : procs;
	while (digits < length && at[digits] >= '0' && at[digits] <= '9')
		digits++;
	if (lxfw_text_integer(at, digits, 0, INT64_C(1) << 40, &value))
		return 0;
	unit = digits < length ? strchr(units, at[length - 1] & ~0x20) : NULL;
	if (value >= PER_CPU_FLAG) {
		value -= PER_CPU_FLAG;
		times = procs;
	}
	shift = unit && *unit ? 10 * (int)(unit - units) : 10;
	if (value > (MEMORY_MAX_KB >> shift) / (times ? times : 1))
		return MEMORY_MAX_KB;
	return (value << shift) * times;
}

/* Split a line at '|'. A job's name may hold that sign: what follows the name is
   counted from the end of the line. */
static int split(struct reader *reader, const char *line, size_t length)
{
	const char *end = line + length;
	int count = 1, name = reader->columns[JOB_NAME], excess, position = 0;

	for (const char *c = line; c < end; c++)
		count += *c == '|';
	if (count == reader->count + 1 && length > 0 && end[-1] == '|')
		count--;
	if (count < reader->count)
		return lxfw_error_format(&reader->wrong,
			"%d fields, expected %d as in the header", count,
			reader->count);
	excess = count - reader->count;
	memset(reader->fields, 0, sizeof(reader->fields));
	for (const char *c = line; c <= end && position < count; position++) {
		const char *bar = memchr(c, '|', (size_t)(end - c));
		int column = position;

		if (name >= 0 && position > name)
			column = position - excess > name ? position - excess :
							    -1;
		for (int i = 0; i < COLUMNS; i++) {
			if (reader->columns[i] == column)
				reader->fields[i] = (struct field) {
					c, (size_t)((bar ? bar : end) - c) };
		}
		c = bar ? bar + 1 : end + 1;
	}
	return 0;
}

static int take_header(struct reader *reader, const char *line, size_t length)
{
	static const enum column needed[] = { JOB_ID, SUBMIT, START, END, NCPUS };
	const char *end = line + length, *at = line;

	for (int i = 0; i < COLUMNS; i++)
		reader->columns[i] = -1;
	while (at <= end) {
		const char *bar = memchr(at, '|', (size_t)(end - at));
		size_t size = (size_t)((bar ? bar : end) - at);

		for (int i = 0; i < COLUMNS; i++) {
			if (strlen(column_names[i]) == size && size > 0 &&
			    strncasecmp(column_names[i], at, size) == 0)
				reader->columns[i] = reader->count;
		}
		if (!bar && size == 0)
			break;
		reader->count++;
		at = bar ? bar + 1 : end + 1;
	}
	for (size_t i = 0; i < sizeof(needed) / sizeof(*needed); i++) {
		if (reader->columns[needed[i]] < 0)
			return lxfw_error_format(&reader->wrong,
				"no column %s in the header, expected at least "
				"JobID|Submit|Start|End|NCPUS",
				column_names[needed[i]]);
	}
	return 0;
}

static void fill_request(const struct reader *reader,
			 struct lxfw_recorded_job *job, int64_t procs)
{
	const struct field *fields = reader->fields;
	struct lxfw_request *request = &job->request;
	struct lxfw_trace_job like = { .procs = (int32_t)procs };
	int64_t nodes = 1, limit = read_span(&fields[TIMELIMIT]);
	size_t comma;
	int32_t set;

	read_count(&fields[NNODES], &nodes);
	like.memory_kb = read_memory(&fields[REQ_MEM], procs, nodes);
	lxfw_simulation_request(reader->cluster, reader->one_host, &like,
				request);
	if (request->shape == LXFW_SHAPE_ANYWHERE && nodes > 0)
		request->max_hosts = (int32_t)nodes;
	request->submit = job->seen;
	if (limit <= 0 && job->start != LXFW_UNKNOWN && job->end != LXFW_UNKNOWN)
		limit = job->end - job->start;
	request->estimate = limit > 0 ? limit : NO_LIMIT;
	if (!fields[PARTITION].at)
		return;
	comma = lxfw_hostlist_item(fields[PARTITION].at,
				   fields[PARTITION].length);
	set = lxfw_cluster_find_set(reader->cluster, fields[PARTITION].at,
				    comma);
	if (set >= 0) {
		request->host_set_count = 1;
		request->host_sets[0] = set;
	}
}

static bool is_step(const struct field *id)
{
	return memchr(id->at, '.', id->length) != NULL;
}

/* A job that was cancelled while it waited has an end but never started. */
static bool never_started(const struct reader *reader,
			  const struct lxfw_recorded_job *job)
{
	const struct field *state = &reader->fields[STATE];

	return job->start == LXFW_UNKNOWN ||
	       (job->end == job->start && state->at && state->length >= 9 &&
		strncasecmp(state->at, "CANCELLED", 9) == 0);
}

static int take_job(struct reader *reader)
{
	const struct field *fields = reader->fields;
	int64_t procs = 0, eligible = read_time(&fields[ELIGIBLE]), number = 0;
	int64_t submit = read_time(&fields[SUBMIT]);
	struct lxfw_recorded_job *job;
	size_t digits = 0;

	if (is_step(&fields[JOB_ID]))
		return 0;
	if (submit == LXFW_UNKNOWN)
		return lxfw_error_format(&reader->wrong, "Submit is not a time, "
			"expected 2025-01-31T12:00:00 or seconds");
	if (!read_count(&fields[NCPUS], &procs))
		return lxfw_error_format(&reader->wrong,
			"NCPUS is not a number from 0 to %d", INT32_MAX);
	if (procs == 0 || procs > reader->cluster->procs) {
		reader->recorded->passed_over++;
		return 0;
	}
	while (digits < fields[JOB_ID].length &&
	       fields[JOB_ID].at[digits] >= '0' &&
	       fields[JOB_ID].at[digits] <= '9')
		digits++;
	if (lxfw_text_integer(fields[JOB_ID].at, digits, 1, INT64_MAX, &number))
		return lxfw_error_format(&reader->wrong,
					 "JobID is not a number");
	job = lxfw_recorded_add(reader->recorded);
	if (!job)
		return lxfw_error_format(&reader->wrong, "out of memory");
	job->number = number;
	/* with a begin time or dependencies a job waits from there on */
	job->seen = eligible > submit ? eligible : submit;
	job->start = read_time(&fields[START]);
	job->end = read_time(&fields[END]);
	if (never_started(reader, job))
		job->start = LXFW_UNKNOWN;
	if (job->start != LXFW_UNKNOWN && job->start < job->seen)
		job->seen = job->start;
	fill_request(reader, job, procs);
	return 0;
}

/* Ids follow the order of submission; the cancelled leave as they did. */
static int finish(struct reader *reader)
{
	struct lxfw_recorded *recorded = reader->recorded;

	for (size_t i = 0; i < recorded->count; i++)
		recorded->jobs[i].request.id = i + 1;
	lxfw_recorded_sort(recorded);
	if (lxfw_recorded_add_cluster(recorded, reader->cluster,
				      recorded->jobs[0].seen))
		return -1;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_END, .time = job->end,
			.end.id = job->request.id,
		};

		if (job->start == LXFW_UNKNOWN && job->end != LXFW_UNKNOWN &&
		    lxfw_recorded_add_event(recorded, &event))
			return -1;
	}
	return 0;
}

static int event_order(const void *left, const void *right)
{
	const struct lxfw_recorded_event *a = left, *b = right;

	return (a->event.time > b->event.time) - (a->event.time < b->event.time);
}

/* Only the cancellations, which stand behind the cluster's events. */
static void sort_cancellations(struct lxfw_recorded *recorded)
{
	size_t first = 0;

	while (first < recorded->event_count &&
	       recorded->events[first].event.type != LXFW_EVENT_JOB_END)
		first++;
	if (recorded->event_count - first > 1)
		qsort(recorded->events + first, recorded->event_count - first,
		      sizeof(*recorded->events), event_order);
}

int lxfw_recorded_from_sacct(struct lxfw_recorded *recorded, const char *path,
			     const struct lxfw_cluster *cluster, bool one_host,
			     struct lxfw_error *error)
{
	struct reader reader = {
		.recorded = recorded, .cluster = cluster, .one_host = one_host,
	};
	struct lxfw_input *input;
	char *line;
	size_t length;
	int got, wrong = 0;

	*recorded = (struct lxfw_recorded) { .delayed_starts = true };
	input = lxfw_input_open(path, error);
	if (!input)
		return -1;
	while ((got = lxfw_input_line(input, &line, &length, error)) > 0) {
		if (length == 0)
			continue;
		if (reader.count == 0)
			wrong = take_header(&reader, line, length);
		else if (!(wrong = split(&reader, line, length)))
			wrong = take_job(&reader);
		if (wrong) {
			got = lxfw_error_at(error, path,
				lxfw_input_line_number(input), "%s",
				reader.wrong.text);
			break;
		}
	}
	if (got == 0 && recorded->count == 0)
		got = lxfw_error_at(error, path, lxfw_input_line_number(input),
			"no job that fits the cluster in these records");
	if (got == 0 && finish(&reader))
		got = lxfw_error_system(error, path);
	lxfw_input_close(input);
	if (got)
		lxfw_recorded_clear(recorded);
	else
		sort_cancellations(recorded);
	return got;
}
