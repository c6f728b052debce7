/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of jobs: a header line with the names of columns, and a line for each job, as data
 * sets of clusters and simulators have them. Fields are separated by commas, tabs, semicolons or
 * bars and may be quoted, with "" for a quote. Columns are found by their names, such as those
 * of Helios, of the jobs in Slurm's data base (the MIT Supercloud data set), of Batsim and of the
 * Grid Workload Format, whose header is a comment; the caller may name others, by their number
 * if there is no header line. Lines before the header that begin with '#' are comments.
 *
 * Times are dates, or seconds with or without a fraction, since 1970 or, if the first submission
 * is small, since an unknown time, which becomes 2000-01-01.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/nearest.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/sacct.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/util/zone.h"

#define FIELDS_MOST 256
#define HEADER_MOST 10000

/* Times before this one, in 1973, are not since 1970. */
#define EARLIEST INT64_C(100000000)
#define FIRST_DAY INT64_C(946684800)

/* Values of Slurm's data base for a limit: NO_VAL, INFINITE. */
#define SLURM_NO_VAL INT64_C(4294967294)

enum role {
	OF_JOB, OF_SUBMIT, OF_ELIGIBLE, OF_START, OF_END, OF_WAIT, OF_RUN, OF_LIMIT,
	OF_LIMIT_MINUTES, OF_PROCS, OF_NODES, OF_GPUS, OF_MEMORY_MB, OF_MEMORY_GB, OF_USER,
	OF_GROUP, OF_QUEUE, OF_STATE, OF_TRES, ROLES,
};

/* What a column may be of: the names in --columns, and the known columns, of which the first is
   the best. */
static const char *const role_names[ROLES + 1] = {
	"job", "submit", "eligible", "start", "end", "wait", "run", "limit", "limit_minutes",
	"procs", "nodes", "gpus", "memory_mb", "memory_gb", "user", "group", "queue", "state",
	"tres", NULL,
};
static const char *const known_columns[ROLES] = {
	[OF_JOB] = "job_id jobid id_job job id",
	[OF_SUBMIT] = "submit submit_time time_submit submitted_time submission_time submitted_at "
		      "submittime",
	[OF_ELIGIBLE] = "eligible eligible_time time_eligible",
	[OF_START] = "start start_time time_start starting_time started_at",
	[OF_END] = "end end_time time_end finish_time finished_at ended_at",
	[OF_WAIT] = "wait wait_time waiting_time waittime",
	[OF_RUN] = "run run_time runtime duration execution_time elapsed",
	[OF_LIMIT] = "limit time_limit timelimit requested_time walltime reqtime",
	[OF_LIMIT_MINUTES] = "limit_minutes timelimit_minutes",
	[OF_PROCS] = "procs cpu_num cpus ncpus num_cpus cpus_alloc cpus_req num_cores cores "
		  "requested_number_of_resources nprocs",
	[OF_NODES] = "nodes node_num nodes_alloc num_nodes num_hosts",
	[OF_GPUS] = "gpus gpu_num num_gpus gpus_alloc",
	[OF_MEMORY_MB] = "memory_mb mem_mb",
	[OF_MEMORY_GB] = "memory_gb mem_gb max_mem_gb",
	[OF_USER] = "user user_id id_user username userid",
	[OF_GROUP] = "group id_group account groupid",
	[OF_QUEUE] = "partition vc queue queue_name queueid",
	[OF_STATE] = "state status final_state",
	[OF_TRES] = "tres_alloc",
};

struct table {
	struct lxfw_input *input;
	bool in_zone, opened;
	bool slurm;		/* the columns of Slurm's data base: numbers of states */
	bool minutes;		/* its limit is in minutes */
	bool grid;		/* those of the Grid Workload Format: states as in SWF */
	bool relative;		/* seconds are not since 1970 */
	bool dated;		/* `relative` is known */
	const char *columns;	/* of the caller: names or numbers, "submit=5,start=6"; or NULL */
	char delimiter;
	int of[ROLES];		/* positions; -1: none */
	size_t count;		/* columns in the header; 0: no header */
	struct lxfw_slice fields[FIELDS_MOST];
	size_t field_count;
	int64_t records;
	char time[64];		/* without a fraction of a second */
	char gres[40];
};

/* --- lines ---------------------------------------------------------------------- */

static struct lxfw_slice trimmed(const char *at, const char *end)
{
	while (at < end && (*at == ' ' || *at == '\t'))
		at++;
	while (at < end && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	return (struct lxfw_slice) { at, (size_t)(end - at) };
}

/* Returns the end of what the quote before AT begins: the next quote that is not doubled, or
   STOP. */
static const char *end_of_quote(const char *at, const char *stop)
{
	while (at < stop && (*at != '"' || (at + 1 < stop && at[1] == '"')))
		at += *at == '"' ? 2 : 1;
	return at < stop ? at : stop;
}

/* Returns the number of fields, of which at most FIELDS_MOST are stored, without the quotes
   around them. */
static size_t split(const char *line, size_t length, char delimiter, struct lxfw_slice *fields)
{
	const char *at = line, *stop = line + length;

	for (size_t count = 0;; at++) {
		const char *first = at, *end = NULL;

		if (at < stop && *at == '"')
			at = end = end_of_quote(++first, stop);
		while (at < stop && *at != delimiter)
			at++;
		if (count < FIELDS_MOST)
			fields[count] = trimmed(first, end ? end : at);
		count++;
		if (at == stop)
			return count;
	}
}

/* Makes one quote of two in the fields of LINE, in place. */
static void undouble(char *line, struct lxfw_slice *fields, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		char *field = line + (fields[i].at - line);
		size_t to = 0;

		for (size_t from = 0; from < fields[i].length; from++) {
			from += field[from] == '"' && from + 1 < fields[i].length &&
				field[from + 1] == '"';
			field[to++] = field[from];
		}
		fields[i].length = to;
	}
}

/* --- columns -------------------------------------------------------------------- */

static bool is_name(struct lxfw_slice field, const char *name, size_t length)
{
	return field.length == length && strncasecmp(field.at, name, length) == 0;
}

static int find(const struct lxfw_slice *fields, size_t count, const char *name, size_t length)
{
	for (size_t i = 0; i < count && i < FIELDS_MOST; i++) {
		if (is_name(fields[i], name, length))
			return (int)i;
	}
	return -1;
}

/* Returns the position of the best of the known columns of a role, or -1. */
static int find_known(const struct lxfw_slice *fields, size_t count, enum role role)
{
	int found = -1;

	for (const char *at = known_columns[role]; *at && found < 0;) {
		size_t length = strcspn(at, " ");

		found = find(fields, count, at, length);
		at += length;
		at += strspn(at, " ");
	}
	return found;
}

static void find_all(const struct lxfw_slice *fields, size_t count, int of[ROLES])
{
	for (int role = 0; role < ROLES; role++)
		of[role] = find_known(fields, count, role);
}

/* Returns what a table of jobs lacks, or NULL. */
static const char *lack(const int of[ROLES])
{
	if (of[OF_SUBMIT] < 0)
		return "submit";
	if (of[OF_START] < 0 && of[OF_WAIT] < 0 && (of[OF_END] < 0 || of[OF_RUN] < 0))
		return "start";
	if (of[OF_END] < 0 && of[OF_RUN] < 0)
		return "end";
	return of[OF_PROCS] < 0 && of[OF_GPUS] < 0 && of[OF_NODES] < 0 && of[OF_TRES] < 0 ?
		       "procs" : NULL;
}

/* Returns the delimiter with which the line has the most known columns, or the most fields. */
static char delimiter_of(const char *line, size_t length, struct lxfw_slice *fields,
			 size_t *count, int of[ROLES])
{
	static const char delimiters[] = ",\t;|";
	size_t most = 0;
	char best = ',';

	for (const char *delimiter = delimiters;; delimiter++) {
		bool last = !*delimiter;
		size_t known = 0;

		*count = split(line, length, last ? best : *delimiter, fields);
		find_all(fields, *count, of);
		for (int role = 0; role < ROLES; role++)
			known += of[role] >= 0;
		if (last)
			return best;
		known = known * FIELDS_MOST + *count;
		if (known > most) {
			most = known;
			best = *delimiter;
		}
	}
}

static int column_error(const struct table *table, struct lxfw_error *error, const char *item,
			size_t length, const char *what)
{
	char quoted[80];

	return lxfw_error_at(error, lxfw_input_path(table->input),
			     lxfw_input_line_number(table->input) + 1, "--columns: %s %s",
			     lxfw_text_quote(quoted, sizeof(quoted), item, length), what);
}

/* Returns whether the caller's columns are numbers: "submit=5". */
static bool is_numbered(const char *columns)
{
	const char *equals = columns ? strchr(columns, '=') : NULL;
	size_t digits = equals ? strspn(equals + 1, "0123456789") : 0;

	return digits > 0 && (!equals[1 + digits] || equals[1 + digits] == ',');
}

/* Takes "submit=submitted_at", or without a header the number of a column, from 1. */
static int take_column(struct table *table, const struct lxfw_slice *header, size_t count,
		       const char *item, size_t length, struct lxfw_error *error)
{
	const char *equals = memchr(item, '=', length), *near;
	size_t name = equals ? (size_t)(equals - item) : length;
	struct lxfw_slice column = { item + name + 1, equals ? length - name - 1 : 0 };
	int64_t number;
	int role = 0;

	while (role < ROLES && !is_name((struct lxfw_slice) { item, name }, role_names[role],
					strlen(role_names[role])))
		role++;
	if (role == ROLES) {
		char what[120];

		near = lxfw_nearest(item, name, role_names);
		snprintf(what, sizeof(what), "is not known%s%s, expected job, submit, start, end, "
			 "procs or another of lxfw-import(1)", near ? ", perhaps " : "",
			 near ? near : "");
		return column_error(table, error, item, name, what);
	}
	if (column.length == 0)
		return column_error(table, error, item, length,
				    "has no column, expected for example submit=submitted_at");
	if (!header) {
		if (!lxfw_slice_integer(column, 1, FIELDS_MOST, &number))
			return column_error(table, error, column.at, column.length,
					    "beside numbers, expected names or numbers from 1");
		table->of[role] = (int)number - 1;
		return 0;
	}
	table->minutes &= role != OF_LIMIT;
	table->of[role] = find(header, count, column.at, column.length);
	return table->of[role] >= 0 ? 0 :
	       column_error(table, error, column.at, column.length,
			    "is no column of the header");
}

/* Returns the length of what makes a header line a comment: "# " */
static size_t comment_of(const char *line, size_t length)
{
	size_t mark = length > 0 && *line == '#';

	while (mark > 0 && mark < length && line[mark] == ' ')
		mark++;
	return mark;
}

/* Whether a line is a header with all columns of a table of jobs. */
static bool is_header(const char *line, size_t length)
{
	struct lxfw_slice fields[FIELDS_MOST];
	size_t mark = comment_of(line, length), count;
	int of[ROLES];

	/* JSON has quoted names as well */
	if (length > HEADER_MOST || mark == length || line[mark] == '{' || line[mark] == '[')
		return false;
	delimiter_of(line + mark, length - mark, fields, &count, of);
	return !lack(of) && count <= FIELDS_MOST;
}

/* Returns whether one of the next lines is a header. */
static bool is_ahead(struct table *table, int lines)
{
	size_t offset = 0, length;
	char *line;

	for (; lines <= LXFW_ODD_BEFORE &&
	       lxfw_input_ahead(table->input, &offset, &line, &length, NULL) > 0; lines++) {
		if (is_header(line, length))
			return true;
	}
	return false;
}

/* Reports what the first line, which is no header, lacks. Returns -1. */
static int no_header(struct table *table, const char *line, size_t length,
		     struct lxfw_error *error)
{
	size_t count;
	const char *without;

	delimiter_of(line, length, table->fields, &count, table->of);
	without = lack(table->of);
	return lxfw_error_at(error, lxfw_input_path(table->input),
			     lxfw_input_line_number(table->input),
			     "no column is known to be that of '%s', expected --columns %s=NAME",
			     without ? without : "submit", without ? without : "submit");
}

/* Leaves out what precedes the header: comments, empty lines, and a few odd lines. */
static int find_header(struct table *table, struct lxfw_odd *odd, struct lxfw_error *error)
{
	char *line;
	size_t length;
	int got;

	for (int lines = 0; lines <= LXFW_ODD_BEFORE; lines++) {
		got = lxfw_input_peek(table->input, &line, &length, error);
		if (got <= 0 || is_header(line, length) || (table->columns && length > 0 &&
							    *line != '#'))
			return got;
		lxfw_input_line(table->input, &line, &length, error);
		if (length > 0 && *line != '#' && !is_ahead(table, lines))
			return no_header(table, line, length, error);
		if (length > 0 && *line != '#')
			lxfw_odd_add(odd, table->input, 0, "the line precedes the header");
	}
	return lxfw_input_peek(table->input, &line, &length, error);
}

/* Takes the caller's columns, and checks that the table has what a job needs. HEADER is NULL if
   they are numbers. */
static int take_columns(struct table *table, const struct lxfw_slice *header, size_t count,
			struct lxfw_error *error)
{
	const char *without;

	for (const char *at = table->columns; at && *at;) {
		size_t item = strcspn(at, ",");

		if (take_column(table, header, count, at, item, error))
			return -1;
		at += item;
		at += *at == ',';
	}
	without = lack(table->of);
	if (!without)
		return 0;
	return lxfw_error_at(error, lxfw_input_path(table->input),
			     lxfw_input_line_number(table->input) + 1,
			     "no column is known to be that of '%s', expected --columns %s=NAME",
			     without, without);
}

/* Reads the header, unless the caller's columns are numbers. */
static int open_table(struct table *table, struct lxfw_odd *odd, struct lxfw_error *error)
{
	struct lxfw_slice *header = table->fields;
	size_t length, count, mark;
	char *line;
	int got = find_header(table, odd, error);

	table->opened = true;
	if (got > 0)
		got = lxfw_input_peek(table->input, &line, &length, error);
	if (got <= 0)
		return got;
	mark = comment_of(line, length);
	line += mark;
	length -= mark;
	table->delimiter = delimiter_of(line, length, header, &count, table->of);
	if (is_numbered(table->columns)) {
		for (int role = 0; role < ROLES; role++)
			table->of[role] = -1;
		return take_columns(table, NULL, 0, error) ? -1 : 1;
	}
	table->slurm = table->of[OF_SUBMIT] >= 0 && find(header, count, "id_job", 6) >= 0 &&
		       find(header, count, "time_submit", 11) >= 0;
	table->minutes = table->slurm &&
			 find(header, count, "timelimit", 9) == table->of[OF_LIMIT];
	table->grid = find(header, count, "OrigSiteID", 10) >= 0;
	table->count = count;
	if (take_columns(table, header, count, error))
		return -1;
	return lxfw_input_line(table->input, &line, &length, error);
}

/* --- fields --------------------------------------------------------------------- */

static struct lxfw_slice field(const struct table *table, enum role role)
{
	int at = table->of[role];

	return at >= 0 && (size_t)at < table->field_count ? table->fields[at] :
							    (struct lxfw_slice) { 0 };
}

static bool is_none(struct lxfw_slice text)
{
	static const char *const words[] = { "", "NULL", "None", "NaN", "N/A", "Unknown", "-1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (is_name(text, words[i], strlen(words[i])))
			return true;
	}
	return !text.at;
}

/* Returns TEXT without the fraction of a second, which has digits only. */
static struct lxfw_slice whole(struct lxfw_slice text)
{
	const char *point = text.length ? memchr(text.at, '.', text.length) : NULL;
	size_t rest = point ? text.length - (size_t)(point + 1 - text.at) : 0;

	if (point && strspn(point + 1, "0123456789") >= rest)
		text.length -= rest + 1;
	return text;
}

/* Reads a number of 0 or more; -1: not given, -2: not a number. */
static int64_t number(struct lxfw_slice text, int64_t most)
{
	int64_t value;

	if (is_none(text))
		return -1;
	return lxfw_slice_integer(whole(text), 0, most, &value) ? value : -2;
}

/* Reads a span, in seconds or as D-HH:MM:SS; -1: not given, -2: not a span. */
static int64_t span(struct lxfw_slice text)
{
	int64_t seconds;

	if (!is_none(text) && lxfw_slice_span(text, &seconds))
		return seconds;
	return number(text, LXFW_ACCOUNT_TIME_MAX);
}

/* Returns a time without the fraction of a second, which an offset may follow. */
static struct lxfw_slice without_fraction(struct table *table, struct lxfw_slice text)
{
	const char *point = text.length ? memchr(text.at, '.', text.length) : NULL;
	size_t before = point ? (size_t)(point - text.at) : text.length, digits = 1;

	if (!point || text.length >= sizeof(table->time))
		return text;
	while (before + digits < text.length && point[digits] >= '0' && point[digits] <= '9')
		digits++;
	memcpy(table->time, text.at, before);
	memcpy(table->time + before, point + digits, text.length - before - digits);
	return (struct lxfw_slice) { table->time, text.length - digits };
}

/* Finds out whether seconds are since 1970, from the first record with a number above 0. */
static void find_dates(struct table *table)
{
	static const enum role roles[] = { OF_SUBMIT, OF_START, OF_END };
	int64_t most = -1;

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles) && !table->dated; i++) {
		int64_t seconds = number(field(table, roles[i]), LXFW_ACCOUNT_TIME_MAX);

		most = seconds > most ? seconds : most;
	}
	if (table->dated || most < 0)
		return;
	/* a record without any time says nothing, and has none that is set */
	table->relative = most < EARLIEST && (most > 0 || table->of[OF_END] < 0);
	table->dated = most > 0;
}

/* Returns the time of SECONDS, -1 if it is not set. */
static int64_t time_of(const struct table *table, int64_t seconds)
{
	if (table->slurm && seconds >= SLURM_NO_VAL)
		return -1;
	/* 0 is not set, except in a log that begins with it */
	if (table->relative)
		return seconds + FIRST_DAY;
	return seconds > 0 ? seconds : -1;
}

/* Reads a time; -1: not given. Returns false if it is none. */
static bool read_time(struct table *table, enum role role, int64_t *time)
{
	struct lxfw_slice text = without_fraction(table, field(table, role));
	struct lxfw_zone_moments moments;
	int64_t seconds;
	bool local;

	*time = -1;
	if (is_none(text))
		return true;
	if (lxfw_slice_integer(text, 0, LXFW_ACCOUNT_TIME_MAX, &seconds)) {
		*time = time_of(table, seconds);
		return true;
	}
	if (!lxfw_sacct_time(text, time, &local))
		return false;
	if (*time >= 0 && local && table->in_zone) {
		lxfw_zone_moments(true, *time, &moments);
		*time = lxfw_zone_nearest(&moments, -1);
	}
	return true;
}

/* The kinds of resources in Slurm's data base; those from the last on are GRES of the site. */
enum { TRES_CPU = 1, TRES_MEMORY = 2, TRES_NODE = 4, TRES_GRES = 1001 };

/* Reads "1=4,2=8192,4=1,1002=1". Of GRES the largest number counts, as GPUs. */
static void read_tres(struct lxfw_slice text, struct lxfw_account *account, int64_t *gpus)
{
	while (text.length > 0) {
		size_t item = lxfw_slice_until(text, ',');
		int64_t pair[2];

		if (lxfw_slice_numbers((struct lxfw_slice) { text.at, item }, "0=0", pair)) {
			if (pair[0] == TRES_CPU)
				account->procs = pair[1];
			else if (pair[0] == TRES_MEMORY)
				account->memory_kb = pair[1] * 1024;
			else if (pair[0] == TRES_NODE)
				account->hosts = pair[1];
			else if (pair[0] >= TRES_GRES && pair[1] > *gpus)
				*gpus = pair[1];
		}
		text.at += item;
		text.length -= item;
		if (text.length > 0)
			text.at++, text.length--;
	}
}

/* --- records -------------------------------------------------------------------- */

/* The states of jobs in Slurm's data base. */
enum { SLURM_PENDING, SLURM_RUNNING, SLURM_SUSPENDED, SLURM_COMPLETE, SLURM_CANCELLED };

static void read_state(const struct table *table, struct lxfw_account *account)
{
	static const char *const completed[] = { "COMPLETED", "Pass", "Success", "Terminated",
						 "Finished" };
	struct lxfw_slice state = field(table, OF_STATE);
	int64_t code = table->slurm ? number(state, INT32_MAX) & 0xff : -1;

	account->over = account->end >= 0;
	account->status = LXFW_ACCOUNT_COMPLETED;
	if (is_none(state))
		return;
	if (table->slurm && number(state, INT32_MAX) >= 0) {
		account->over = code > SLURM_SUSPENDED && account->end >= 0;
		account->status = code == SLURM_COMPLETE ? LXFW_ACCOUNT_COMPLETED :
				  code == SLURM_CANCELLED ? LXFW_ACCOUNT_CANCELLED :
							    LXFW_ACCOUNT_FAILED;
		return;
	}
	if (table->grid) {
		account->status = number(state, INT32_MAX) == 1 ? LXFW_ACCOUNT_COMPLETED :
				  number(state, INT32_MAX) == 5 ? LXFW_ACCOUNT_CANCELLED :
								  LXFW_ACCOUNT_FAILED;
		return;
	}
	account->status = LXFW_ACCOUNT_FAILED;
	lxfw_account_slurm_state(account, state.at, state.length);
	account->over &= account->end >= 0;
	for (size_t i = 0; i < sizeof(completed) / sizeof(*completed); i++) {
		if (lxfw_slice_begins(state, completed[i]))
			account->status = LXFW_ACCOUNT_COMPLETED;
	}
	/* Batsim: COMPLETED_FAILED, COMPLETED_WALLTIME_REACHED */
	if (memmem(state.at, state.length, "FAILED", 6) ||
	    memmem(state.at, state.length, "WALLTIME", 8))
		account->status = LXFW_ACCOUNT_FAILED;
	else if (lxfw_slice_begins(state, "KILLED"))
		account->status = LXFW_ACCOUNT_CANCELLED;
}

/* Of start, end and run time, two are enough. Returns what is wrong, or NULL. */
static const char *read_times(struct table *table, struct lxfw_account *account)
{
	int64_t wait = span(field(table, OF_WAIT)), run = span(field(table, OF_RUN));

	find_dates(table);
	if (!read_time(table, OF_SUBMIT, &account->submit) ||
	    !read_time(table, OF_ELIGIBLE, &account->eligible) ||
	    !read_time(table, OF_START, &account->start) || !read_time(table, OF_END, &account->end))
		return "a time is not a date and no number of seconds";
	if (account->submit < 0)
		return "no time of submission";
	if (table->relative && account->start == FIRST_DAY && account->submit > FIRST_DAY)
		account->start = -1;
	if (table->relative && account->end == FIRST_DAY && account->submit > FIRST_DAY)
		account->end = -1;
	if (wait == -2 || run == -2)
		return "a duration is not a number of seconds and not D-HH:MM:SS";
	if (account->start < 0 && wait >= 0 && (run >= 0 || account->end >= 0))
		account->start = account->submit + wait;
	else if (account->start < 0 && account->end < 0 && wait >= 0)	/* it never ran */
		account->end = account->submit + wait;
	if (account->start < 0 && account->end >= 0 && run >= 0 && run <= account->end)
		account->start = account->end - run;
	/* clocks were set back between start and end */
	if (account->end < account->start && account->start >= 0 && run >= 0)
		account->end = account->start + run;
	return lxfw_account_check_times(account);
}

static const char *read_limit(const struct table *table, struct lxfw_account *account)
{
	int64_t minutes = number(field(table, OF_LIMIT_MINUTES), LXFW_ACCOUNT_TIME_MAX / 60);
	struct lxfw_slice text = field(table, OF_LIMIT);

	if (lxfw_slice_begins(text, "UNLIMITED") || lxfw_slice_begins(text, "INFINITE"))
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	else if (!table->minutes)
		account->limit = span(text);
	else
		minutes = number(text, LXFW_ACCOUNT_TIME_MAX / 60);
	if (account->limit == -2 || minutes == -2)
		return "the limit is not a number and not D-HH:MM:SS";
	if (account->limit == 0)
		account->limit = -1;
	if (table->minutes && minutes >= SLURM_NO_VAL)
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	else if (minutes >= 0)
		account->limit = minutes * 60;
	return NULL;
}

static const char *read_amounts(struct table *table, struct lxfw_account *account)
{
	int64_t procs = number(field(table, OF_PROCS), INT32_MAX);
	int64_t nodes = number(field(table, OF_NODES), INT32_MAX);
	int64_t gpus = number(field(table, OF_GPUS), INT32_MAX);
	int64_t mb = number(field(table, OF_MEMORY_MB), LXFW_ACCOUNT_MEMORY_MAX_KB / 1024);
	struct lxfw_slice gb = field(table, OF_MEMORY_GB);
	int64_t kb = 0;

	if (procs == -2 || nodes == -2 || gpus == -2 || mb == -2 ||
	    (!is_none(gb) && !lxfw_slice_size(gb, 1 << 30, &kb)))
		return "an amount is not a number of 0 or more";
	if (mb > 0)
		account->memory_kb = mb * 1024;
	else
		account->memory_kb = kb;
	account->procs = -1;
	read_tres(field(table, OF_TRES), account, &gpus);
	if (account->procs < 0)
		account->procs = procs > 0 ? procs : gpus > 0 ? gpus : nodes > 0 ? nodes : 0;
	if (account->hosts == 0 && nodes > 0)
		account->hosts = nodes;
	if (gpus > 0) {
		snprintf(table->gres, sizeof(table->gres), "gres/gpu=%d", (int)gpus);
		account->gres = (struct lxfw_slice) { table->gres, strlen(table->gres) };
	}
	return NULL;
}

/* Returns 1 or LXFW_ODD_RECORD. */
static int read_record(struct table *table, struct lxfw_account *account,
		       struct lxfw_account_counts *counts)
{
	struct lxfw_slice job = field(table, OF_JOB);
	const char *wrong = NULL;

	if (table->count > 0 && table->field_count != table->count)
		return lxfw_odd_add(&counts->odd, table->input, 0, "%zu fields, expected the %zu "
				    "of the header", table->field_count, table->count);
	table->records++;
	if (!lxfw_slice_integer(job, 0, INT64_MAX, &account->number)) {
		account->number = table->records;
		account->id = job;
		/* the rows of several tables are not the same jobs */
		if (job.length == 0)
			account->id = (struct lxfw_slice) {
				lxfw_input_path(table->input),
				strlen(lxfw_input_path(table->input)),
			};
	}
	wrong = read_times(table, account);
	if (!wrong)
		wrong = read_limit(table, account);
	if (!wrong)
		wrong = read_amounts(table, account);
	if (wrong)
		return lxfw_odd_add(&counts->odd, table->input, 0, "%s", wrong);
	read_state(table, account);
	if (account->start >= 0 && account->end >= account->start)
		account->run = account->end - account->start;
	account->user = field(table, OF_USER);
	account->group = field(table, OF_GROUP);
	account->queue = field(table, OF_QUEUE);
	*(account->over ? &counts->jobs : &counts->not_over) += 1;
	counts->records++;
	return 1;
}

static int next(void *state, struct lxfw_account *account, struct lxfw_account_counts *counts,
		struct lxfw_error *error)
{
	struct table *table = state;
	char *line;
	size_t length;
	int got = table->opened ? 1 : open_table(table, &counts->odd, error);

	while (got > 0) {
		got = lxfw_input_line(table->input, &line, &length, error);
		if (got <= 0)
			break;
		if (length == 0)
			continue;
		table->field_count = split(line, length, table->delimiter, table->fields);
		if (table->field_count > FIELDS_MOST)
			return lxfw_odd_add(&counts->odd, table->input, 0,
					    "more than %d fields", FIELDS_MOST);
		if (memchr(line, '"', length))
			undouble(line, table->fields, table->field_count);
		return read_record(table, account, counts);
	}
	return got;
}

static void *open_reader(struct lxfw_input *input, const struct lxfw_account_options *options,
		  struct lxfw_error *error)
{
	struct table *table = calloc(1, sizeof(*table));

	if (!table)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		*table = (struct table) { .input = input, .in_zone = options->in_zone,
					  .columns = options->columns };
	return table;
}

static void close_reader(void *state)
{
	free(state);
}

/* Returns whether a header has the columns that sacct's own reader needs besides JobID, which
   may be damaged. */
static bool is_sacct(const char *line, size_t length)
{
	static const char *const names[] = { "Submit", "Start", "End" };
	struct lxfw_slice fields[FIELDS_MOST];
	int of[ROLES];
	size_t count;
	bool all = true;

	delimiter_of(line, length, fields, &count, of);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		all &= find(fields, count, names[i], strlen(names[i])) >= 0;
	all &= find(fields, count, "NCPUS", 5) >= 0 || find(fields, count, "AllocCPUS", 9) >= 0 ||
	       find(fields, count, "ReqCPUS", 7) >= 0;
	return all;
}

/* Matches a header line that has all columns of a table of jobs under known names. Those of
   sacct have a reader of their own. */
static bool is_table(const char *line, size_t length)
{
	return is_header(line, length) && !is_sacct(line, length);
}

const struct lxfw_log_format lxfw_log_table = {
	.name = "table",
	.recognizes = is_table,
	.partitions = true,
	.open = open_reader,
	.close = close_reader,
	.next = next,
	.hosts = lxfw_account_even_hosts,
};
