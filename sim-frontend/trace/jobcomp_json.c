/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Records of Slurm's plugins jobcomp/elasticsearch and jobcomp/kafka in JSON: each an object on a
 * line of its own; one after another on any lines; in an array; or in what Elasticsearch and its
 * tools return:
 *
 *   {"hits": {"hits": [{"_source": RECORD}, ...]}}
 *   {"_index": ..., "_source": RECORD}
 *
 * Of lines, one that is cut is an odd record. Other texts must be complete.
 *
 * Times are UTC. The limit, time_limit, is in seconds, and has that of the partition for a job
 * without one. Releases before 21.08 write gres_alloc or nothing instead of tres_alloc, and
 * "(null)" for hosts of a job that had none. A job that is resized has a record for each size,
 * in the state RESIZING except for the last. A record of a start, with enable_job_start, has no
 * end.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/json_stream.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/sacct.h"
#include "sim-frontend/trace/tres.h"
#include "sim-frontend/util/text.h"

/* Slurm's NO_VAL in minutes is above this in seconds, with 64 and with 32 bits. */
#define LIMIT_MAX INT64_C(4000000000)

/* Slurm writes fewer than a hundred. */
#define MEMBERS_MAX 1000

struct jobcomp {
	struct lxfw_input *input;
	bool opened;
	struct json_tokener *tokener;	/* of a line */
	struct lxfw_json_stream *stream;	/* NULL: each record is on a line */
	bool in_array, first;		/* the next record is the first of an array */
	int depth;			/* objects that the position is in */
	long line;			/* of the beginning of the record */
	json_object *object;		/* the record, or what it is in */
	char id[48];			/* of a task of an array, as in sacct: "17_4" */
};

/* --- a record --------------------------------------------------------------------- */

/* Reads a text, empty if Slurm had none. */
static struct lxfw_slice text_of(json_object *record, const char *key)
{
	struct lxfw_slice text = lxfw_json_text(record, key);

	return lxfw_slice_is(text, "(null)") ? (struct lxfw_slice) { 0 } : text;
}

/* Reads a time, -1: not given. Returns false if it is none. */
static bool read_time(json_object *record, const char *key, int64_t *time)
{
	struct lxfw_slice text = text_of(record, key);
	bool local;

	*time = -1;
	return text.length == 0 || lxfw_sacct_time(text, time, &local);
}

static const char *read_times(json_object *record, struct lxfw_account *account)
{
	if (!read_time(record, "@submit", &account->submit) ||
	    !read_time(record, "@eligible", &account->eligible) ||
	    !read_time(record, "@start", &account->start) ||
	    !read_time(record, "@end", &account->end))
		return "a time is no date, expected 2025-01-31T12:00:00";
	if (account->submit < 0)
		return "a record without @submit, expected a time such as 2025-01-31T12:00:00";
	return lxfw_account_check_times(account);
}

static void read_amounts(json_object *record, struct lxfw_account *account)
{
	struct lxfw_slice had = text_of(record, "tres_alloc");
	struct lxfw_slice asked = text_of(record, "tres_req");

	account->asked_hosts = lxfw_tres_count(asked, "node");
	if (had.length == 0)
		had = asked;
	account->memory_kb = lxfw_tres_memory(had);
	account->procs = lxfw_json_first_count(lxfw_json_number(record, "total_cpus"),
					       lxfw_tres_count(had, "cpu"), 0);
	account->hosts = lxfw_json_first_count(lxfw_json_number(record, "total_nodes"),
					       lxfw_tres_count(had, "node"), 0);
	account->gres = had;
	if (account->gres.length == 0)
		account->gres = text_of(record, "gres_alloc");
	if (account->gres.length == 0)
		account->gres = text_of(record, "gres_req");
}

static void read_run(json_object *record, struct lxfw_account *account)
{
	if (account->start < 0 || account->end < account->start)
		return;
	account->run = lxfw_json_number(record, "elapsed");
	if (account->run < 0 || account->run > account->end - account->start)
		account->run = account->end - account->start;
}

/* Other tasks of its array have other numbers. */
static void set_task(struct jobcomp *jobcomp, json_object *record, struct lxfw_account *account)
{
	int64_t array = lxfw_json_number(record, "array_job_id");
	int64_t task = lxfw_json_number(record, "array_task_id");
	int length;

	if (array <= 0 || array >= LXFW_SLURM_NO_VAL || task < 0 || task >= LXFW_SLURM_NO_VAL)
		return;
	length = snprintf(jobcomp->id, sizeof(jobcomp->id), "%" PRId64 "_%" PRId64, array, task);
	account->id = (struct lxfw_slice) { jobcomp->id, (size_t)length };
}

/* Returns what is wrong with the record, or NULL. */
static const char *read_record(struct jobcomp *jobcomp, json_object *record,
			       struct lxfw_account *account)
{
	struct lxfw_slice state = text_of(record, "state");
	int64_t limit = lxfw_json_number(record, "time_limit");
	const char *wrong;

	account->number = lxfw_json_number(record, "jobid");
	if (account->number < 0 || account->number == INT64_MAX)
		return "no record of a job, expected an object with jobid";
	wrong = read_times(record, account);
	if (wrong)
		return wrong;
	if (state.length > 0)
		lxfw_account_slurm_state(account, state.at, state.length);
	account->over &= account->end >= 0;
	if (!account->over)
		account->end = -1;
	read_run(record, account);
	account->limit = limit < 0 ? LXFW_ACCOUNT_NO_LIMIT :
			 limit > 0 && limit <= LIMIT_MAX ? limit : -1;
	read_amounts(record, account);
	set_task(jobcomp, record, account);
	account->dependency = text_of(record, "orig_dependency");
	account->het = lxfw_json_first_count(lxfw_json_number(record, "het_job_id"),
					     lxfw_json_number(record, "pack_job_id"), 0);
	account->part = account->het > 0;
	account->user = text_of(record, "username");
	account->group = text_of(record, "groupname");
	account->queue = text_of(record, "partition");
	account->cluster = text_of(record, "cluster");
	account->account = text_of(record, "account");
	account->qos = text_of(record, "qos");
	account->reservation = text_of(record, "reservation_name");
	account->host_list = text_of(record, "nodes");
	return NULL;
}

/* --- the text --------------------------------------------------------------------- */

/* Enters the value of "hits". Returns 1 if it is an array, 0 if it is an object, or -1. */
static int enter_hits(struct jobcomp *jobcomp, struct lxfw_error *error)
{
	int sign = lxfw_json_stream_sign(jobcomp->stream, error);

	if (sign < 0)
		return -1;
	if (sign != '[' && (sign != '{' || jobcomp->depth == 2))
		return lxfw_json_stream_bad(jobcomp->stream, "\"hits\" is no array, expected '['",
					    error);
	lxfw_json_stream_skip(jobcomp->stream);
	jobcomp->in_array = jobcomp->first = sign == '[';
	jobcomp->depth += sign == '{';
	return sign == '[';
}

static int add_member(struct jobcomp *jobcomp, const char *key, struct lxfw_error *error)
{
	json_object *value;

	if (json_object_object_length(jobcomp->object) >= MEMBERS_MAX)
		return lxfw_json_stream_bad(jobcomp->stream, "an object with more than 1000 "
					    "members, expected a record of a job", error);
	if (lxfw_json_stream_value(jobcomp->stream, &value, error))
		return -1;
	if (json_object_object_add(jobcomp->object, key, value) == 0)
		return 0;
	json_object_put(value);
	return lxfw_error_system(error, lxfw_input_path(jobcomp->input));
}

/* Reads an object whose '{' is consumed. Returns 1 with `object` set, 0 if an array of records
   in it was entered instead, or -1. */
static int read_object(struct jobcomp *jobcomp, struct lxfw_error *error)
{
	bool first = true;
	char key[64];
	int got;

	jobcomp->object = json_object_new_object();
	if (!jobcomp->object)
		return lxfw_error_system(error, lxfw_input_path(jobcomp->input));
	for (jobcomp->depth = 1; jobcomp->depth > 0;) {
		got = lxfw_json_stream_member(jobcomp->stream, first, key, sizeof(key), error);
		if (got < 0)
			return -1;
		first = false;
		if (got == 0) {
			jobcomp->depth--;
		} else if (strcmp(key, "hits") == 0) {
			got = enter_hits(jobcomp, error);
			if (got != 0)
				return got < 0 ? -1 : 0;
			/* the members of the object that was entered */
			first = true;
		} else if (add_member(jobcomp, key, error)) {
			return -1;
		}
	}
	return 1;
}

/* Consumes the rest of the objects that an array of records was in. */
static int leave_array(struct jobcomp *jobcomp, struct lxfw_error *error)
{
	char key[2];
	int got = 0;

	for (jobcomp->in_array = false; jobcomp->depth > 0; jobcomp->depth--) {
		while ((got = lxfw_json_stream_member(jobcomp->stream, false, key, sizeof(key),
						      error)) > 0) {
			if (lxfw_json_stream_pass(jobcomp->stream, error))
				return -1;
		}
		if (got < 0)
			return -1;
	}
	return 0;
}

/* Reads the next item of an array. Returns 1, 0 after the last one, or -1. */
static int next_item(struct jobcomp *jobcomp, struct lxfw_error *error)
{
	int got = lxfw_json_stream_item(jobcomp->stream, jobcomp->first, error);

	jobcomp->first = false;
	if (got == 0)
		return leave_array(jobcomp, error);
	if (got < 0 || lxfw_json_stream_sign(jobcomp->stream, error) < 0)
		return -1;
	jobcomp->line = lxfw_json_stream_line(jobcomp->stream);
	return lxfw_json_stream_value(jobcomp->stream, &jobcomp->object, error) ? -1 : 1;
}

/* Reads the next object of a stream. Returns 1, 0 at the end, or -1. */
static int next_object(struct jobcomp *jobcomp, struct lxfw_error *error)
{
	int got = 0;

	while (got == 0) {
		int sign;

		json_object_put(jobcomp->object);
		jobcomp->object = NULL;
		if (jobcomp->in_array) {
			got = next_item(jobcomp, error);
			continue;
		}
		sign = lxfw_json_stream_sign(jobcomp->stream, error);
		if (sign <= 0)
			return sign;
		jobcomp->line = lxfw_json_stream_line(jobcomp->stream);
		lxfw_json_stream_skip(jobcomp->stream);
		if (sign == '[')
			jobcomp->in_array = jobcomp->first = true;
		else if (sign == '{')
			got = read_object(jobcomp, error);
		else
			return lxfw_json_stream_bad(jobcomp->stream, "not a JSON object, expected "
						    "'{'", error);
	}
	return got;
}

/* Reads the object on the next line. Returns 1, 0 at the end, LXFW_ODD_RECORD, or -1. */
static int next_line(struct jobcomp *jobcomp, struct lxfw_odd *odd, struct lxfw_error *error)
{
	char *line;
	size_t length, blank, end;
	int got;

	do {
		got = lxfw_input_line(jobcomp->input, &line, &length, error);
		if (got <= 0)
			return got;
		blank = strspn(line, " \t");
	} while (blank >= length);
	json_object_put(jobcomp->object);
	json_tokener_reset(jobcomp->tokener);
	jobcomp->line = lxfw_input_line_number(jobcomp->input);
	jobcomp->object = json_tokener_parse_ex(jobcomp->tokener, line, (int)length);
	end = json_tokener_get_parse_end(jobcomp->tokener);
	end += end < length ? strspn(line + end, " \t") : 0;
	if (json_tokener_get_error(jobcomp->tokener) == json_tokener_success && end >= length)
		return 1;
	return lxfw_odd_add(odd, jobcomp->input, jobcomp->line, "not JSON or cut, expected a "
			    "record of jobcomp/elasticsearch");
}

/* --- the reader ------------------------------------------------------------------- */

/* Returns whether each record is on a line of its own. A text whose first line is not complete is
   printed on several, unless the second does not continue it. */
static bool is_lines(const char *text, size_t length)
{
	static const char *const keys[] = { "hits", NULL };
	const char *newline = memchr(text, '\n', length);
	size_t first = newline ? (size_t)(newline - text) : length;

	if (*text == '[' || lxfw_json_has_key(text, length, keys, 1))
		return false;
	return *text != '{' || first + 1 >= length || lxfw_json_is_closed(text, first) ||
	       !strchr(" \t\r\n\"}]", newline[1]);
}

/* Finds out which form the text has. Returns 1, 0 at the end, or -1. */
static int open_text(struct jobcomp *jobcomp, struct lxfw_error *error)
{
	const char *text;
	size_t length;
	int got = lxfw_input_look(jobcomp->input, &text, &length, error);

	if (got <= 0)
		return got;
	jobcomp->opened = true;
	while (length > 1 && strchr(" \t\r\n", *text) && *text)
		text++, length--;
	if (is_lines(text, length))
		return 1;
	jobcomp->stream = lxfw_json_stream_open(jobcomp->input, "records of "
						"jobcomp/elasticsearch", error);
	return jobcomp->stream ? 1 : -1;
}

static int next(void *state, struct lxfw_account *account, struct lxfw_account_counts *counts,
		struct lxfw_error *error)
{
	struct jobcomp *jobcomp = state;
	int got = jobcomp->opened ? 1 : open_text(jobcomp, error);
	json_object *source;
	const char *wrong;

	if (got > 0)
		got = jobcomp->stream ? next_object(jobcomp, error) :
					next_line(jobcomp, &counts->odd, error);
	if (got != 1)
		return got;
	source = lxfw_json_member(jobcomp->object, "_source");
	wrong = read_record(jobcomp, source ? source : jobcomp->object, account);
	if (wrong)
		return lxfw_odd_add(&counts->odd, jobcomp->input, jobcomp->line, "%s", wrong);
	counts->records++;
	counts->parts += account->part && account->over;
	*(account->over ? &counts->jobs : &counts->not_over) += 1;
	return 1;
}

static void close_reader(void *state)
{
	struct jobcomp *jobcomp = state;

	json_object_put(jobcomp->object);
	json_tokener_free(jobcomp->tokener);
	lxfw_json_stream_close(jobcomp->stream);
	free(jobcomp);
}

static void *open_reader(struct lxfw_input *input, const struct lxfw_account_options *options,
			 struct lxfw_error *error)
{
	struct jobcomp *jobcomp = calloc(1, sizeof(*jobcomp));

	(void)options;		/* times are UTC */
	if (jobcomp) {
		jobcomp->input = input;
		jobcomp->tokener = json_tokener_new();
	}
	if (!jobcomp || !jobcomp->tokener) {
		lxfw_error_system(error, lxfw_input_path(input));
		free(jobcomp);
		return NULL;
	}
	return jobcomp;
}

static bool is_jobcomp(const char *text, size_t length)
{
	static const char *const keys[] = {
		"@submit", "@start", "@end", "@eligible", "_source", "hits", "total_cpus", NULL
	};

	return (*text == '{' || *text == '[') && lxfw_json_has_key(text, length, keys, 5);
}

const struct lxfw_log_format lxfw_log_jobcomp = {
	.name = "jobcomp",
	.recognizes_text = is_jobcomp,
	.partitions = true,
	.open = open_reader,
	.close = close_reader,
	.next = next,
	.hosts = lxfw_account_even_hosts,
};
