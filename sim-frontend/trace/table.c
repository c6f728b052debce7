/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of jobs: a header line with the names of columns, and a line for each job, as data
 * sets of clusters and simulators have them. Fields are separated by commas, tabs, semicolons or
 * bars and may be quoted, with "" for a quote (table_columns.h).
 *
 * Times are dates, or seconds with or without a fraction, since 1970 or, if the first submission
 * is small, since an unknown time, which becomes 2000-01-01.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/local_times.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/sacct.h"
#include "sim-frontend/trace/slurm_lines.h"
#include "sim-frontend/trace/table_columns.h"
#include "sim-frontend/util/text.h"

/* Times before this one, in 1973, are not since 1970. */
#define EARLIEST INT64_C(100000000)

struct table {
	struct lxfw_input *input;
	bool in_zone, opened;
	bool relative;		/* seconds are not since 1970 */
	bool dated;		/* `relative` is known */
	const char *wanted;	/* columns that the caller names; or NULL */
	struct lxfw_table_columns columns;
	struct lxfw_slice fields[LXFW_TABLE_FIELDS];
	size_t field_count;
	int64_t records;
	char time[64];		/* without a fraction of a second */
	char gres[40];
};

/* --- fields --------------------------------------------------------------------- */

static struct lxfw_slice field(const struct table *table, enum lxfw_table_column role)
{
	int at = table->columns.of[role];

	return at >= 0 && (size_t)at < table->field_count ? table->fields[at] :
							    (struct lxfw_slice) { 0 };
}

static bool is_none(struct lxfw_slice text)
{
	static const char *const words[] = { "", "NULL", "None", "NaN", "N/A", "Unknown", "-1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words) && text.at; i++) {
		if (lxfw_slurm_is(text, words[i]))
			return true;
	}
	return !text.at;
}

/* Returns TEXT without its fraction, which has digits only. */
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
	static const enum lxfw_table_column roles[] = { LXFW_OF_SUBMIT, LXFW_OF_LAUNCH,
							LXFW_OF_START, LXFW_OF_END };
	int64_t most = -1;

	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles) && !table->dated; i++) {
		int64_t seconds = number(field(table, roles[i]), LXFW_ACCOUNT_TIME_MAX);

		most = seconds > most ? seconds : most;
	}
	if (table->dated || most < 0)
		return;
	/* a record without any time says nothing, and has none that is set */
	table->relative = most < EARLIEST && (most > 0 || table->columns.of[LXFW_OF_END] < 0);
	table->dated = most > 0;
}

/* Returns the time of SECONDS, -1 if it is not set. */
static int64_t time_of(const struct table *table, int64_t seconds)
{
	if (table->columns.slurm && seconds >= LXFW_SLURM_NO_VAL)
		return -1;
	/* 0 is not set, except in a log that begins with it */
	if (table->relative)
		return seconds + LXFW_ACCOUNT_FIRST_DAY;
	return seconds > 0 ? seconds : -1;
}

/* Reads a time; -1: not given. LOCAL tells that it is local. Returns false if it is none. */
static bool read_time(struct table *table, enum lxfw_table_column role, int64_t *time,
		      bool *local)
{
	struct lxfw_slice text = without_fraction(table, field(table, role));
	int64_t seconds;

	*time = -1;
	*local = false;
	if (is_none(text))
		return true;
	if (lxfw_slice_integer(text, 0, LXFW_ACCOUNT_TIME_MAX, &seconds)) {
		*time = time_of(table, seconds);
		return true;
	}
	return lxfw_sacct_time(text, time, local);
}

/* Reads the times that are given. Returns false if one of them is none. */
static bool read_given(struct table *table, struct lxfw_account *account, int64_t wait,
		       int64_t run, struct lxfw_local_times *times)
{
	static const enum lxfw_table_column roles[LXFW_TIMES] = {
		LXFW_OF_SUBMIT, LXFW_OF_ELIGIBLE, LXFW_OF_START, LXFW_OF_END,
	};

	*times = (struct lxfw_local_times) { .in_zone = table->in_zone, .last = -1,
					     .waited = wait, .held = run };
	for (int i = 0; i < LXFW_TIMES; i++) {
		if (!read_time(table, roles[i], &times->at[i], &times->local[i]))
			return false;
	}
	lxfw_local_times_convert(times);
	account->submit = times->at[0];
	account->eligible = times->at[1];
	account->start = times->at[2];
	account->end = times->at[3];
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
				account->memory_kb = lxfw_account_memory(1024, pair[1]);
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
	struct lxfw_slice state = field(table, LXFW_OF_STATE);
	int64_t code = table->columns.slurm ? number(state, INT32_MAX) & 0xff : -1;

	account->over = account->end >= 0;
	account->status = LXFW_ACCOUNT_COMPLETED;
	if (is_none(state))
		return;
	if (table->columns.pods) {	/* the last phase before the deletion */
		account->status = lxfw_slice_begins(state, "Pending") ? LXFW_ACCOUNT_CANCELLED :
				  lxfw_slice_begins(state, "Failed") ? LXFW_ACCOUNT_FAILED :
								       LXFW_ACCOUNT_COMPLETED;
		return;
	}
	if (table->columns.slurm && number(state, INT32_MAX) >= 0) {
		account->over = code > SLURM_SUSPENDED && account->end >= 0;
		account->status = code == SLURM_COMPLETE ? LXFW_ACCOUNT_COMPLETED :
				  code == SLURM_CANCELLED ? LXFW_ACCOUNT_CANCELLED :
							    LXFW_ACCOUNT_FAILED;
		return;
	}
	if (table->columns.grid) {
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
	/* Batsim: COMPLETED_FAILED, COMPLETED_WALLTIME_REACHED, COMPLETED_KILLED */
	if (memmem(state.at, state.length, "FAILED", 6) ||
	    memmem(state.at, state.length, "WALLTIME", 8))
		account->status = LXFW_ACCOUNT_FAILED;
	else if (lxfw_slice_begins(state, "KILLED") || lxfw_slice_begins(state, "COMPLETED_KILLED"))
		account->status = LXFW_ACCOUNT_CANCELLED;
}

/* Reads the times of a job whose wait is unknown: its submission, which may be the start, and its
   run time. They are -1 if the job has not run. Returns what is wrong, or NULL. */
static const char *read_planned(struct table *table, struct lxfw_account *account,
				struct lxfw_local_times *times)
{
	bool launched = table->columns.of[LXFW_OF_LAUNCH] >= 0;
	int64_t end;

	if (launched && !field(table, LXFW_OF_LAUNCH).at)
		return "the line has no column of the start";
	find_dates(table);
	account->run = span(field(table, LXFW_OF_RUN));
	*times = (struct lxfw_local_times) { .at = { -1, -1, -1, -1 }, .in_zone = table->in_zone,
					     .held = -1, .waited = -1, .last = -1 };
	if (!read_time(table, launched ? LXFW_OF_LAUNCH : LXFW_OF_SUBMIT, &times->at[0],
		       &times->local[0]) ||
	    !read_time(table, LXFW_OF_END, &times->at[3], &times->local[3]))
		return "a time is not a date and no number of seconds";
	if (account->run == -2)
		return "a duration is not a number of seconds and not D-HH:MM:SS";
	lxfw_local_times_convert(times);
	account->submit = times->at[0];
	end = times->at[3];
	if (table->relative && account->submit == LXFW_ACCOUNT_FIRST_DAY && end == LXFW_ACCOUNT_FIRST_DAY)
		end = -1;	/* both are not set */
	if (account->run < 0 && account->submit >= 0 && end >= account->submit)
		account->run = end - account->submit;
	account->over = account->planned = true;
	return account->submit >= 0 || launched ? NULL : "no time of submission";
}

/* Of start, end and run time, two are enough. Returns what is wrong, or NULL. */
static const char *read_times(struct table *table, struct lxfw_account *account,
			      struct lxfw_local_times *times)
{
	int64_t wait = span(field(table, LXFW_OF_WAIT)), run = span(field(table, LXFW_OF_RUN));

	if (table->columns.planned)
		return read_planned(table, account, times);
	find_dates(table);
	if (!read_given(table, account, wait, run, times))
		return "a time is not a date and no number of seconds";
	if (account->submit < 0)
		return "no time of submission";
	if (table->relative && account->start == LXFW_ACCOUNT_FIRST_DAY &&
	    account->submit > LXFW_ACCOUNT_FIRST_DAY)
		account->start = -1;
	if (table->relative && account->end == LXFW_ACCOUNT_FIRST_DAY &&
	    account->submit > LXFW_ACCOUNT_FIRST_DAY)
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
	int64_t minutes = number(field(table, LXFW_OF_LIMIT_MINUTES), LXFW_ACCOUNT_TIME_MAX / 60);
	struct lxfw_slice text = field(table, LXFW_OF_LIMIT);

	if (lxfw_slice_begins(text, "UNLIMITED") || lxfw_slice_begins(text, "INFINITE"))
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	else if (!table->columns.minutes)
		account->limit = span(text);
	else
		minutes = number(text, LXFW_ACCOUNT_TIME_MAX / 60);
	if (account->limit == -2 || minutes == -2)
		return "the limit is not a number and not D-HH:MM:SS";
	if (account->limit == 0)
		account->limit = -1;
	if (table->columns.minutes && minutes >= LXFW_SLURM_NO_VAL)
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	else if (minutes >= 0)
		account->limit = minutes * 60;
	return NULL;
}

/* Reads an amount in units of 1 / UNIT, rounded up; -1: not given, -2: not a number. *PART is set
   if it was rounded. */
static int64_t parts(const struct table *table, enum lxfw_table_column role, int64_t unit,
		     bool *part)
{
	struct lxfw_slice text = field(table, role);
	int64_t amount = number(text, INT32_MAX), rest;

	if (amount < 0)
		return amount;
	rest = amount % unit;
	for (size_t i = whole(text).length; i < text.length; i++)
		rest += text.at[i] > '0';
	*part |= rest > 0;
	return amount / unit + (rest > 0);
}

/* Returns the processors; -1: not given, -2: not a number. */
static int64_t read_procs(const struct table *table)
{
	int64_t procs = number(field(table, LXFW_OF_PROCS), INT32_MAX);
	bool part = false;

	if (procs == -1)
		procs = parts(table, LXFW_OF_PROCS_PERCENT, 100, &part);
	return procs == -1 ? parts(table, LXFW_OF_PROCS_MILLI, 1000, &part) : procs;
}

/* As read_procs(), the GPUs. A share of a GPU is a whole one, and sets *PART. */
static int64_t read_gpus(const struct table *table, bool *part)
{
	int64_t gpus = number(field(table, LXFW_OF_GPUS), INT32_MAX), share;

	share = parts(table, LXFW_OF_GPUS_PERCENT, 100, part);
	if (share == -1)
		share = parts(table, LXFW_OF_GPUS_MILLI, 1000, part);
	*part &= gpus != 0;
	return share == -2 || gpus == -1 ? share : gpus;
}

/* Multiplies the amounts of a job of several instances. */
static void take_instances(struct lxfw_account *account, int64_t instances, int64_t *gpus)
{
	if (instances <= 1)
		return;
	account->procs = account->procs > INT32_MAX / instances ? INT32_MAX :
			 account->procs * instances;
	if (*gpus > 0)
		*gpus = *gpus > INT32_MAX / instances ? INT32_MAX : *gpus * instances;
	account->memory_kb = lxfw_account_memory(account->memory_kb, instances);
}

static const char *read_amounts(struct table *table, struct lxfw_account *account,
				struct lxfw_account_counts *counts)
{
	bool part = false;
	int64_t procs = read_procs(table), gpus = read_gpus(table, &part);
	int64_t nodes = number(field(table, LXFW_OF_NODES), INT32_MAX);
	int64_t instances = number(field(table, LXFW_OF_INSTANCES), INT32_MAX);
	int64_t mb = number(field(table, LXFW_OF_MEMORY_MB), LXFW_ACCOUNT_MEMORY_MAX_KB / 1024);
	struct lxfw_slice gb = field(table, LXFW_OF_MEMORY_GB);
	int64_t kb = 0;

	if (procs == -2 || nodes == -2 || gpus == -2 || mb == -2 || instances == -2 ||
	    (!is_none(gb) && !lxfw_slice_size(gb, 1 << 30, &kb)))
		return "an amount is not a number of 0 or more";
	if (mb > 0)
		account->memory_kb = mb * 1024;
	else
		account->memory_kb = kb;
	account->procs = -1;
	read_tres(field(table, LXFW_OF_TRES), account, &gpus);
	if (account->procs < 0)
		account->procs = procs > 0 ? procs : gpus > 0 ? gpus : nodes > 0 ? nodes : 0;
	if (account->hosts == 0 && nodes > 0)
		account->hosts = nodes;
	take_instances(account, instances, &gpus);
	counts->gpu_parts += part;
	if (gpus > 0) {
		snprintf(table->gres, sizeof(table->gres), "gres/gpu=%d", (int)gpus);
		account->gres = (struct lxfw_slice) { table->gres, strlen(table->gres) };
	}
	return NULL;
}

/* Checks the state in a table of a data set, which has no header line: nothing else shows that it
   is another table. Returns 0 or LXFW_ODD_RECORD. */
static int check_state(const struct table *table, struct lxfw_odd *odd)
{
	struct lxfw_slice state = field(table, LXFW_OF_STATE);
	char quoted[80];

	if (!table->columns.states || lxfw_table_is_state(state))
		return 0;
	return lxfw_odd_add(odd, table->input, 0, "the state '%s' is none of the data set, "
			    "expected " LXFW_TABLE_STATES,
			    lxfw_text_quote(quoted, sizeof(quoted), state.at, state.length));
}

/* Returns 1, 0 if the job of a table without waits has not run, or LXFW_ODD_RECORD. */
static int read_record(struct table *table, struct lxfw_account *account,
		       struct lxfw_account_counts *counts)
{
	struct lxfw_slice job = field(table, LXFW_OF_JOB);
	struct lxfw_local_times times;
	const char *wrong = NULL;

	if (table->columns.count > 0 && table->field_count != table->columns.count)
		return lxfw_odd_add(&counts->odd, table->input, 0, "%zu fields, expected the %zu "
				    "of the header", table->field_count, table->columns.count);
	table->records++;
	if (check_state(table, &counts->odd))
		return LXFW_ODD_RECORD;
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
	wrong = read_times(table, account, &times);
	if (!wrong && account->planned && (account->submit < 0 || account->run < 0)) {
		counts->notes++;
		counts->records++;
		return 0;
	}
	if (!wrong)
		wrong = read_limit(table, account);
	if (!wrong)
		wrong = read_amounts(table, account, counts);
	if (wrong)
		return lxfw_odd_add(&counts->odd, table->input, 0, "%s", wrong);
	if (!account->planned)
		read_state(table, account);
	if (account->start >= 0 && account->end >= account->start)
		account->run = account->end - account->start;
	account->user = field(table, LXFW_OF_USER);
	account->group = field(table, LXFW_OF_GROUP);
	account->queue = field(table, LXFW_OF_QUEUE);
	account->cluster = field(table, LXFW_OF_CLUSTER);
	*(account->over ? &counts->jobs : &counts->not_over) += 1;
	counts->local += times.any_local;
	counts->skipped += times.skipped;
	counts->unclear += times.unclear;
	counts->records++;
	return 1;
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

static int next(void *state, struct lxfw_account *account, struct lxfw_account_counts *counts,
		struct lxfw_error *error)
{
	struct table *table = state;
	char *line;
	size_t length;
	int got = 1;

	if (!table->opened) {
		size_t odd = counts->odd.count;

		got = lxfw_table_columns_read(&table->columns, table->input, table->wanted,
					      &counts->odd, error);
		counts->records += counts->odd.count - odd;
		table->opened = true;
	}
	while (got > 0) {
		got = lxfw_input_line(table->input, &line, &length, error);
		if (got <= 0)
			break;
		if (length == 0)
			continue;
		table->field_count = lxfw_table_split(line, length, table->columns.delimiter,
						      table->fields);
		if (table->field_count > LXFW_TABLE_FIELDS)
			return lxfw_odd_add(&counts->odd, table->input, 0,
					    "more than %d fields", LXFW_TABLE_FIELDS);
		if (memchr(line, '"', length))
			undouble(line, table->fields, table->field_count);
		lxfw_account_clear(account);
		got = read_record(table, account, counts);
		if (got)
			return got;
		got = 1;
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
					  .wanted = options->columns };
	return table;
}

static void close_reader(void *state)
{
	free(state);
}

/* Matches a header line that has all columns of a table of jobs under known names. Those of
   sacct have a reader of their own. */
static bool is_table(const char *line, size_t length)
{
	return lxfw_table_is_header(line, length) && !lxfw_table_is_sacct(line, length);
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
