/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accounting of Grid Engine and its successors, accounting(5): one line for each ended
 * job or array task, with fields separated by colons: 43, or 45 from release 6.2 on, or
 * more.
 *
 * Univa Grid Engine writes times in milliseconds. A job whose parallel environment
 * accounts for its tasks has a line for each of them as well, which is treated as a step.
 * A failed start has a line without times, which is not the end of a job: the job waits
 * again or never runs. The category holds the job's request and may contain colons, and so
 * may the name of a job.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/util/text.h"

/* Positions of fields. Those after the category are relative to its end. */
enum {
	QUEUE = 0, HOST = 1, GROUP = 2, OWNER = 3, NAME = 4, NUMBER = 5, PRIORITY = 7,
	SUBMIT = 8,
	START = 9, END = 10, FAILED = 11, EXIT_STATUS = 12, ENVIRONMENT = 33,
	SLOTS = 34, TASK = 35, CATEGORY = 39, FIELDS = 43
};
enum { IO_WAIT = 1, TASK_ID = 2, MAX_MEMORY = 3, RESERVATION = 4, RESERVED = 5 };

/* Maximum number of fields. Categories with colons and later releases have more than
   45. */
#define FIELDS_MOST 128

/* Larger times are in milliseconds. Seconds since 1970 reach this value in the year
   5138. */
#define MILLISECONDS INT64_C(100000000000)

/* Grid Engine is not as old as this time, in 1973; its priorities are -1023 to 1024. */
#define EARLIEST INT64_C(100000000)
#define PRIORITY_MOST 100000

struct sge {
	struct lxfw_input *input;
	struct lxfw_slice fields[FIELDS_MOST];
	size_t count;
	char id[64];
};

static void split(struct sge *sge, const char *line, size_t length)
{
	const char *at = line, *end = line + length;

	for (sge->count = 0; sge->count < FIELDS_MOST; at++) {
		const char *colon = memchr(at, ':', (size_t)(end - at));
		const char *stop = colon ? colon : end;

		sge->fields[sge->count++] = (struct lxfw_slice) {
			at, (size_t)(stop - at) };
		at = stop;
		if (!colon)
			break;
	}
}

/* Returns the integer part of "189153280.000000"; -1 if it is not a number. */
static int64_t number(struct lxfw_slice field)
{
	const char *point = field.at ? memchr(field.at, '.', field.length) : NULL;
	int64_t value;

	if (point)
		field.length = (size_t)(point - field.at);
	return lxfw_slice_integer(field, 0, INT64_MAX, &value) ? value : -1;
}

/* Returns a time in seconds; -1 if it is not set (0). */
static int64_t moment(struct lxfw_slice field)
{
	int64_t time = number(field);

	if (time > MILLISECONDS)
		time /= 1000;
	return time > 0 && time <= LXFW_ACCOUNT_TIME_MAX ? time : -1;
}

/* Returns whether the fields after a job name that extends over COLONS more fields are those
   of a record: a job number, a priority, times of which some may be 0, and numbers. */
static bool is_name(const struct sge *sge, size_t colons)
{
	const struct lxfw_slice *fields = sge->fields + colons;
	bool any_time = false;
	int64_t priority;

	for (size_t i = SUBMIT; i <= END; i++) {
		int64_t time = number(fields[i]);

		if (time < 0 || (time > 0 && time < EARLIEST))
			return false;
		any_time |= time > 0;
	}
	return any_time && number(fields[NUMBER]) > 0 && number(fields[FAILED]) >= 0 &&
	       number(fields[EXIT_STATUS]) >= 0 &&
	       lxfw_slice_integer(fields[PRIORITY], -PRIORITY_MOST, PRIORITY_MOST, &priority);
}

/* Joins the parts of a job name that contains colons, which Grid Engine does not escape: the
   fewest after which the fields are those of a record. */
static void join_name(struct sge *sge)
{
	for (size_t colons = 0; sge->count >= FIELDS + colons; colons++) {
		struct lxfw_slice *name = &sge->fields[NAME];

		if (!is_name(sge, colons))
			continue;
		name->length = (size_t)(name[colons].at + name[colons].length - name->at);
		sge->count -= colons;
		memmove(name + 1, name + 1 + colons,
			(sge->count - NAME - 1) * sizeof(*name));
		return;
	}
}

/* Returns the end of the category: the first position after which all numeric fields
   are numeric. */
static size_t category_end(const struct sge *sge)
{
	static const size_t numbers[] = {
		IO_WAIT, MAX_MEMORY, RESERVATION, RESERVED,
	};

	for (size_t at = CATEGORY; at + MAX_MEMORY < sge->count; at++) {
		bool all = true;

		for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
			all &= at + numbers[i] >= sge->count ||
			       number(sge->fields[at + numbers[i]]) >= 0;
		if (all)
			return at;
	}
	return CATEGORY;
}

/* Returns the value of NAME= in "-l h_rt=36000,h_vmem=2G -pe mype 8". */
static struct lxfw_slice asked(struct lxfw_slice category, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i + length < category.length; i++) {
		const char *at = category.at + i;
		struct lxfw_slice value = { at + length + 1, 0 };

		if ((i > 0 && at[-1] != ',' && at[-1] != ' ') ||
		    memcmp(at, name, length) != 0 || at[length] != '=')
			continue;
		while (value.at + value.length < category.at + category.length &&
		       value.at[value.length] != ',' &&
		       value.at[value.length] != ' ')
			value.length++;
		return value;
	}
	return (struct lxfw_slice) { 0 };
}

/* Returns the KB of "1.5G". Lower-case suffixes are powers of 1000 (sge_types(1)).
   Returns 0 if there is none. */
static int64_t memory(struct lxfw_slice size)
{
	const char *letter = size.length > 0 ?
		strchr("kmgt", size.at[size.length - 1]) : NULL;
	double small = 1;
	int64_t kb;

	if (!lxfw_slice_size(size, 1, &kb))
		return 0;
	if (letter && *letter) {
		for (const char *at = "kmgt"; at <= letter; at++)
			small *= 1000.0 / 1024;
	}
	return (int64_t)((double)kb * small);
}

static void read_asked(struct lxfw_account *account, struct lxfw_slice category)
{
	static const char *const sizes[] = {
		"h_vmem", "mem_free", "virtual_free", "s_vmem",
	};
	struct lxfw_slice limit = asked(category, "h_rt");
	int64_t kb = 0;

	if (!lxfw_slice_span(limit, &account->limit) &&
	    !lxfw_slice_integer(limit, 1, LXFW_ACCOUNT_TIME_MAX,
				&account->limit))
		account->limit = lxfw_slice_begins(limit, "INFINITY") ?
				 LXFW_ACCOUNT_NO_LIMIT : -1;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes) && kb == 0; i++)
		kb = memory(asked(category, sizes[i]));
	account->memory_kb = lxfw_account_memory(kb, account->procs);
}

/* Sets the id of an array task: "7.12". Task 0 means no task. */
static void read_id(struct sge *sge, struct lxfw_account *account)
{
	const struct lxfw_slice *task = &sge->fields[TASK];
	int length = snprintf(sge->id, sizeof(sge->id), "%.*s",
			      (int)task->length, task->at);

	account->id = (struct lxfw_slice) { sge->id, (size_t)length <
		sizeof(sge->id) ? (size_t)length : sizeof(sge->id) - 1 };
}

static void read_job(struct sge *sge, struct lxfw_account *account, size_t end)
{
	const struct lxfw_slice *fields = sge->fields;
	struct lxfw_slice category = fields[CATEGORY];
	int64_t bytes = number(fields[end + MAX_MEMORY]);

	category.length = (size_t)(fields[end].at + fields[end].length -
				   category.at);
	account->over = true;
	account->run = account->end - account->start;
	account->procs = number(fields[SLOTS]);
	if (account->procs < 0 || account->procs > INT32_MAX)
		account->procs = 0;
	read_asked(account, category);
	if (bytes / 1024 > LXFW_ACCOUNT_MEMORY_MAX_KB)
		bytes = LXFW_ACCOUNT_MEMORY_MAX_KB * 1024;
	account->used_memory_kb = bytes > 0 ? (bytes + 1023) / 1024 : -1;
	account->status = number(fields[FAILED]) == 0 &&
			  number(fields[EXIT_STATUS]) == 0 ?
			  LXFW_ACCOUNT_COMPLETED : LXFW_ACCOUNT_FAILED;
	account->user = fields[OWNER];
	account->group = fields[GROUP];
	account->queue = fields[QUEUE];
	/* the record of a parallel job names only the first host */
	if (lxfw_slice_is(fields[ENVIRONMENT], "NONE") || account->procs == 1)
		account->host_list = fields[HOST];
	read_id(sge, account);
}

/* Returns 1, 0 if the record is not the end of a job, or LXFW_ODD_RECORD. */
static int read_record(struct sge *sge, struct lxfw_account *account,
		       struct lxfw_account_counts *counts)
{
	struct lxfw_odd *odd = &counts->odd;
	const char *wrong;
	size_t end;

	if (sge->count < FIELDS)
		return lxfw_odd_add(odd, sge->input, 0, "%zu fields, expected 43 or more as in "
				    "accounting(5) of Grid Engine", sge->count);
	join_name(sge);
	end = category_end(sge);
	account->number = number(sge->fields[NUMBER]);
	if (account->number < 0)
		return lxfw_odd_add(odd, sge->input, 0, "field 6 (job number) is not a number, "
			   "expected 0 or more");
	account->step = !lxfw_slice_is(sge->fields[end + TASK_ID], "NONE") &&
			sge->fields[end + TASK_ID].length > 0;
	if (account->step) {
		counts->steps++;
		return 1;
	}
	account->submit = moment(sge->fields[SUBMIT]);
	account->start = moment(sge->fields[START]);
	account->end = moment(sge->fields[END]);
	if (account->submit < 0)
		return lxfw_odd_add(odd, sge->input, 0, "field 9 (submission) is not a time, "
			   "expected seconds since 1970");
	wrong = lxfw_account_check_times(account);
	if (wrong)
		return lxfw_odd_add(odd, sge->input, 0, "%s", wrong);
	if (account->start < 0 || account->end < account->start) {
		counts->notes++;
		return 0;
	}
	counts->jobs++;
	read_job(sge, account, end);
	return 1;
}

static int next(void *state, struct lxfw_account *account,
		struct lxfw_account_counts *counts, struct lxfw_error *error)
{
	struct sge *sge = state;
	char *line;
	size_t length;
	int got;

	for (;;) {
		got = lxfw_input_line(sge->input, &line, &length, error);
		if (got <= 0)
			return got;
		/* as Grid Engine's own reader does */
		if (length <= 1 || *line == '#')
			continue;
		split(sge, line, length);
		lxfw_account_clear(account);
		got = read_record(sge, account, counts);
		counts->records += got != LXFW_ODD_RECORD;
		if (got)
			return got;
	}
}

static int hosts(const struct lxfw_account *account, lxfw_account_host_fn *host,
		 void *context)
{
	char name[256];

	if (account->host_list.length >= sizeof(name))
		return 0;
	memcpy(name, account->host_list.at, account->host_list.length);
	name[account->host_list.length] = '\0';
	return host(context, &(struct lxfw_account_host) {
		.name = name, .procs = account->procs, .memory_kb = -1, .gpus = -1 });
}

static void *open_sge(struct lxfw_input *input,
		      const struct lxfw_account_options *options,
		      struct lxfw_error *error)
{
	struct sge *sge = calloc(1, sizeof(*sge));

	(void)options;		/* times are seconds since 1970 */
	if (!sge)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		sge->input = input;
	return sge;
}

static void close_sge(void *state)
{
	free(state);
}

/* Matches a line with as many colons as accounting(5) requires, or the comment at the
   top of the file. */
static bool is_sge(const char *line, size_t length)
{
	static const char comment[] = "# Version:";
	size_t colons = 0, bars = 0;

	if (length >= sizeof(comment) - 1 &&
	    memcmp(line, comment, sizeof(comment) - 1) == 0)
		return true;
	for (size_t i = 0; i < length; i++) {
		colons += line[i] == ':';
		bars += line[i] == '|';
	}
	/* a category may contain '|': "-l h=n1|n2" */
	return colons >= 42 && colons > bars;
}

const struct lxfw_log_format lxfw_log_sge = {
	.name = "sge",
	.recognizes = is_sge,
	.open = open_sge,
	.close = close_sge,
	.next = next,
	.hosts = hosts,
};
