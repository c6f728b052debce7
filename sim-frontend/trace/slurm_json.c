/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs in the JSON of slurmrestd's /slurmdb/vX/jobs and `sacct --json`: an object with
 * the array "jobs". It is parsed job by job, so that a message can state the line. A
 * state is a word or, from v0.0.40 on, an array of words.
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/dependency.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/util/text.h"

/* 32-bit numbers in Slurm for "no limit" and "not set". */
#define INFINITE INT64_C(0xffffffff)
#define NO_VALUE INT64_C(0xfffffffe)

#define CUT_OFF "the text is not JSON or truncated, expected the output of slurmrestd or " \
		"sacct --json"

struct slurm_json {
	struct lxfw_input *input;
	char *text;
	size_t length, size;
	size_t at, counted;		/* position `counted` is on line `line` */
	long line;
	bool in_jobs;
	size_t jobs;
	struct json_tokener *tokener;
	json_object *job;		/* the current job; owns the strings of the
					   account */
	char id[48];			/* of a task of an array, as in sacct: "17_4" */
	char gres[200];			/* GRES of the job, in sacct's format */
};

/* Returns the line of the present position. */
static long line_of(struct slurm_json *json)
{
	while (json->counted < json->at && json->counted + 1 < json->length)
		json->line += json->text[json->counted++] == '\n';
	return json->line;
}

static int bad(struct slurm_json *json, struct lxfw_error *error,
	       const char *what)
{
	return lxfw_error_at(error, lxfw_input_path(json->input), line_of(json),
			     "%s", what);
}

static int system_error(struct slurm_json *json, struct lxfw_error *error)
{
	return lxfw_error_system(error, lxfw_input_path(json->input));
}

static int read_all(struct slurm_json *json, struct lxfw_error *error)
{
	char *line;
	size_t length;
	int got;

	while ((got = lxfw_input_line(json->input, &line, &length, error)) > 0) {
		char *text;

		if (LXFW_GROW(json->text, json->size, json->length + length + 2))
			return system_error(json, error);
		text = json->text;
		memcpy(text + json->length, line, length);
		json->length += length;
		text[json->length++] = '\n';
		text[json->length] = '\0';
	}
	json->line = 1;
	return got;
}

/* --- the text ------------------------------------------------------------------- */

/* Skips blanks and returns the next character; '\0' at the end. */
static char next_sign(struct slurm_json *json)
{
	while (json->at < json->length &&
	       strchr(" \t\r\n", json->text[json->at]) && json->text[json->at])
		json->at++;
	return json->at < json->length ? json->text[json->at] : '\0';
}

/* Parses the next value, which the caller releases with json_object_put(). Returns 0,
   or -1 with ERROR set. */
static int next_value(struct slurm_json *json, json_object **value,
		      struct lxfw_error *error)
{
	size_t length = json->length - json->at;

	json_tokener_reset(json->tokener);
	*value = json_tokener_parse_ex(json->tokener, json->text + json->at,
				       length > INT32_MAX ? INT32_MAX :
				       (int)length);
	if (json_tokener_get_error(json->tokener) != json_tokener_success) {
		json_object_put(*value);
		*value = NULL;
		json->at += json_tokener_get_parse_end(json->tokener);
		return bad(json, error, CUT_OFF);
	}
	json->at += json_tokener_get_parse_end(json->tokener);
	return 0;
}

/* Reports errors in the response, which may also contain jobs: errno EPROTO. */
static int judge_errors(struct slurm_json *json, json_object *errors,
			struct lxfw_error *error)
{
	char text[200], message[240];

	if (!lxfw_json_error(errors, text, sizeof(text)))
		return 0;
	snprintf(message, sizeof(message), "Slurm reports an error: %s", text);
	bad(json, error, message);
	errno = EPROTO;
	return -1;
}

/* Reads the members of an object. Returns 1 at the array of jobs, 0 at the end of the
   object, or -1. */
static int next_jobs(struct slurm_json *json, struct lxfw_error *error)
{
	json_object *key, *value;
	bool jobs, errors;

	while (next_sign(json) == '"') {
		if (next_value(json, &key, error))
			return -1;
		jobs = json_object_is_type(key, json_type_string) &&
		       strcmp(json_object_get_string(key), "jobs") == 0;
		errors = json_object_is_type(key, json_type_string) &&
			 strcmp(json_object_get_string(key), "errors") == 0;
		json_object_put(key);
		if (next_sign(json) != ':')
			return bad(json, error, "missing value, expected ':'");
		json->at++;
		if (jobs && next_sign(json) == '[') {
			json->at++;
			json->in_jobs = true;
			return 1;
		}
		if (next_value(json, &value, error))
			return -1;
		if (errors && judge_errors(json, value, error)) {
			json_object_put(value);
			return -1;
		}
		json_object_put(value);
		if (next_sign(json) == ',')
			json->at++;
	}
	if (next_sign(json) != '}')
		return bad(json, error, CUT_OFF);
	return 0;
}

/* Skips lines before the object, such as messages of sacct. */
static void skip_lines(struct slurm_json *json, struct lxfw_odd *odd)
{
	for (int lines = 0; lines < LXFW_ODD_BEFORE && next_sign(json) && next_sign(json) != '{';
	     lines++) {
		const char *from = json->text + json->at;
		const char *newline = memchr(from, '\n', json->length - json->at);

		if (!newline || newline + 1 == json->text + json->length)
			return;
		lxfw_odd_add(odd, json->input, line_of(json),
			     "not JSON, expected the output of slurmrestd or sacct --json");
		json->at += (size_t)(newline + 1 - from);
	}
}

/* Reads up to the jobs. Returns 1 or -1. */
static int find_jobs(struct slurm_json *json, struct lxfw_error *error)
{
	int got;

	if (next_sign(json) != '{')
		return bad(json, error, "not a JSON object, expected '{'");
	json->at++;
	got = next_jobs(json, error);
	if (got == 0)
		return bad(json, error, "no \"jobs\", expected an array of jobs");
	return got;
}

/* Reads the rest after the jobs and checks that the text is complete. Returns 0 or -1. */
static int find_end(struct slurm_json *json, struct lxfw_error *error)
{
	int got;

	json->at++;
	if (next_sign(json) == ',')
		json->at++;
	got = next_jobs(json, error);
	if (got > 0)
		return bad(json, error, "\"jobs\" twice");
	return got;
}

/* Reads the next job into `job`. Returns 1, 0 after the last one, or -1. */
static int next_object(struct slurm_json *json, struct lxfw_error *error)
{
	char sign = next_sign(json);

	json_object_put(json->job);
	json->job = NULL;
	if (sign == ',' && json->jobs > 0) {
		json->at++;
		sign = next_sign(json);
	} else if (sign == ']') {
		return find_end(json, error);
	} else if (json->jobs > 0) {
		return bad(json, error, "the list of jobs is not continued, "
			   "expected ',' or ']'");
	}
	if (sign != '{')
		return bad(json, error, "not a job, expected '{'");
	json->jobs++;
	return next_value(json, &json->job, error) ? -1 : 1;
}

/* --- members -------------------------------------------------------------------- */

/* Returns a time; -1 if it is 0 or, in v0.0.41, NO_VALUE. */
static int64_t moment(json_object *object, const char *path)
{
	int64_t time = lxfw_json_number(object, path);

	return time > 0 && time < NO_VALUE ? time : -1;
}

/* Returns the count of a trackable resource such as "mem" in the array at PATH. */
static int64_t resource(json_object *object, const char *path, const char *type)
{
	json_object *array = lxfw_json_member(object, path);

	if (!json_object_is_type(array, json_type_array))
		return -1;
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		json_object *item = json_object_array_get_idx(array, i);

		if (lxfw_slice_is(lxfw_json_text(item, "type"), type))
			return lxfw_json_number(item, "count");
	}
	return -1;
}

static int64_t first_count(int64_t first, int64_t second, int64_t third)
{
	int64_t count = first > 0 ? first : second > 0 ? second : third;

	return count < 0 ? 0 : count > INT32_MAX ? INT32_MAX : count;
}

/* Writes "gres/gpu=4,gres/gpu:a100=4" from the array at PATH. Entries that do not fit
   are omitted. */
static size_t put_gres(json_object *job, const char *path, char *text, size_t size)
{
	json_object *array = lxfw_json_member(job, path);
	size_t used = 0;

	for (size_t i = 0; i < lxfw_json_length(array); i++) {
		json_object *item = json_object_array_get_idx(array, i);
		struct lxfw_slice name = lxfw_json_text(item, "name");
		int64_t count = lxfw_json_number(item, "count");
		int length;

		if (!lxfw_slice_is(lxfw_json_text(item, "type"), "gres") ||
		    name.length == 0 || name.length > 60 || count <= 0 ||
		    count > INT32_MAX)
			continue;
		length = snprintf(text + used, size - used, "%sgres/%.*s=%d",
				  used ? "," : "", (int)name.length, name.at,
				  (int)count);
		if (length < 0 || (size_t)length >= size - used)
			break;
		used += (size_t)length;
	}
	return used;
}

/* Reads what the job was allocated, otherwise what it requested. */
static void read_needs(struct slurm_json *json, struct lxfw_account *account)
{
	json_object *job = json->job;
	size_t length = put_gres(job, "tres.allocated", json->gres,
				 sizeof(json->gres));

	if (length == 0)
		length = put_gres(job, "tres.requested", json->gres,
				  sizeof(json->gres));
	account->gres = (struct lxfw_slice) { json->gres, length };
	account->asked_hosts = first_count(resource(job, "tres.requested",
						    "node"), 0, 0);
	/* as in sacct for a job that was never allocated hosts */
	if (account->hosts == 0)
		account->hosts = account->asked_hosts;
	account->qos = lxfw_json_text(job, "qos");
	account->account = lxfw_json_text(job, "account");
	account->reservation = lxfw_json_text(job, "reservation.name");
	/* from v0.0.39 on */
	account->host_memory = lxfw_json_number(job, "required.memory_per_node") > 0;
	account->dependency = lxfw_dependency_option(lxfw_json_text(job, "submit_line"));
	account->limited = lxfw_dependency_limits(lxfw_json_text(job, "submit_line"));
}

static void read_state(json_object *job, struct lxfw_account *account)
{
	json_object *states = lxfw_json_member(job, "state.current");
	struct lxfw_slice state = lxfw_json_text(states, "");
	size_t count = json_object_is_type(states, json_type_array) ?
		       json_object_array_length(states) : 0;

	/* the states of a run that was requeued are "PENDING", "REQUEUED" */
	for (size_t i = 0; i < count; i++) {
		struct lxfw_slice word = lxfw_json_text(
			json_object_array_get_idx(states, i), "");

		if (i == 0 || lxfw_slice_is(word, "REQUEUED"))
			state = word;
	}
	if (state.length > 0)
		lxfw_account_slurm_state(account, state.at, state.length);
}

/* Reads the allocated memory in MB, otherwise the requested one, and the used memory in bytes, the maximum over the
   steps. */
static void read_memory(json_object *job, struct lxfw_account *account)
{
	json_object *steps = lxfw_json_member(job, "steps");
	int64_t asked = first_count(resource(job, "tres.allocated", "mem"),
				    resource(job, "tres.requested", "mem"), 0);
	int64_t most = -1;

	if (asked > LXFW_ACCOUNT_MEMORY_MAX_KB / 1024)
		asked = LXFW_ACCOUNT_MEMORY_MAX_KB / 1024;
	account->memory_kb = asked > 0 ? asked * 1024 : 0;
	if (!json_object_is_type(steps, json_type_array))
		return;
	for (size_t i = 0; i < json_object_array_length(steps); i++) {
		int64_t used = resource(json_object_array_get_idx(steps, i),
					"tres.requested.total", "mem");

		most = used > most ? used : most;
	}
	if (most > 0)
		account->used_memory_kb =
			most / 1024 < LXFW_ACCOUNT_MEMORY_MAX_KB ?
			(most + 1023) / 1024 : LXFW_ACCOUNT_MEMORY_MAX_KB;
}

/* Adds the current job to the odd ones. */
static int odd_job(struct slurm_json *json, struct lxfw_odd *odd, const char *what)
{
	return lxfw_odd_add(odd, json->input, line_of(json), "%s", what);
}

/* Other tasks of its array have other numbers. */
static void set_task(struct slurm_json *json, struct lxfw_account *account)
{
	int64_t array = lxfw_json_number(json->job, "array.job_id");
	int64_t task = lxfw_json_number(json->job, "array.task_id");
	int length;

	if (array <= 0 || array >= NO_VALUE || task < 0 || task >= NO_VALUE)
		return;
	length = snprintf(json->id, sizeof(json->id), "%" PRId64 "_%" PRId64, array, task);
	account->id = (struct lxfw_slice) { json->id, (size_t)length };
}

/* Returns 1, or LXFW_ODD_RECORD. */
static int read_job(struct slurm_json *json, struct lxfw_account *account,
		    struct lxfw_odd *odd)
{
	json_object *job = json->job;
	int64_t limit = lxfw_json_number(job, "time.limit");
	const char *wrong;

	account->number = lxfw_json_number(job, "job_id");
	account->submit = moment(job, "time.submission");
	if (account->number < 0 || account->number == INT64_MAX)
		return odd_job(json, odd, "a job without job_id, expected a number");
	if (account->submit < 0 && lxfw_json_member(job, "submit_time"))
		return odd_job(json, odd, "a job of slurmctld (squeue --json, /slurm/vX/jobs), "
			       "expected those of slurmdbd (sacct --json, /slurmdb/vX/jobs)");
	if (account->submit < 0)
		return odd_job(json, odd, "a job without time.submission, "
			       "expected seconds as in the jobs of slurmdb");
	account->eligible = moment(job, "time.eligible");
	account->start = moment(job, "time.start");
	account->end = moment(job, "time.end");
	wrong = lxfw_account_check_times(account);
	if (wrong)
		return odd_job(json, odd, wrong);
	account->suspended = lxfw_json_number(job, "time.suspended");
	if (account->suspended < 0 || account->suspended > LXFW_ACCOUNT_TIME_MAX)
		account->suspended = 0;
	read_state(job, account);
	account->over &= account->end >= 0;
	if (!account->over)
		account->end = -1;
	if (account->start >= 0 && account->end >= account->start) {
		account->run = lxfw_json_number(job, "time.elapsed");
		if (account->run < 0 || account->run > LXFW_ACCOUNT_TIME_MAX)
			account->run = account->end - account->start -
				       account->suspended;
		if (account->run < 0)
			account->run = 0;
	}
	if (limit == INT64_MAX || limit == INFINITE)
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	else if (limit > 0 && limit < NO_VALUE)
		account->limit = limit * 60;
	account->procs = first_count(resource(job, "tres.allocated", "cpu"),
				     lxfw_json_number(job, "required.CPUs"),
				     resource(job, "tres.requested", "cpu"));
	account->hosts = first_count(resource(job, "tres.allocated", "node"),
				     lxfw_json_number(job, "allocation_nodes"), 0);
	read_memory(job, account);
	set_task(json, account);
	account->het = lxfw_json_number(job, "het.job_id");
	account->part = account->het > 0;
	account->user = lxfw_json_text(job, "user").length ? lxfw_json_text(job, "user") :
						    lxfw_json_text(job, "association.user");
	account->group = lxfw_json_text(job, "group");
	account->queue = lxfw_json_text(job, "partition");
	account->cluster = lxfw_json_text(job, "cluster");
	account->host_list = lxfw_json_text(job, "nodes");
	read_needs(json, account);
	return 1;
}

static int next(void *state, struct lxfw_account *account,
		struct lxfw_account_counts *counts, struct lxfw_error *error)
{
	struct slurm_json *json = state;
	int got;

	if (!json->text) {
		got = read_all(json, error);
		if (got == 0) {
			skip_lines(json, &counts->odd);
			counts->records += counts->odd.count;
			got = find_jobs(json, error);
		}
		if (got <= 0)
			return got;
	}
	if (!json->in_jobs)
		return 0;
	got = next_object(json, error);
	json->in_jobs = got > 0;
	if (got <= 0)
		return got;
	got = read_job(json, account, &counts->odd);
	if (got != 1)
		return got;
	counts->records++;
	counts->parts += account->part && account->over;
	*(account->over ? &counts->jobs : &counts->not_over) += 1;
	return 1;
}

static void close_json(void *state)
{
	struct slurm_json *json = state;

	json_object_put(json->job);
	if (json->tokener)
		json_tokener_free(json->tokener);
	free(json->text);
	free(json);
}

static void *open_json(struct lxfw_input *input,
		      const struct lxfw_account_options *options,
		      struct lxfw_error *error)
{
	struct slurm_json *json = calloc(1, sizeof(*json));

	(void)options;		/* times are seconds since 1970 */
	if (json) {
		json->input = input;
		json->tokener = json_tokener_new();
	}
	if (!json || !json->tokener) {
		lxfw_error_system(error, lxfw_input_path(input));
		free(json);
		return NULL;
	}
	return json;
}

static bool is_json(const char *line, size_t length)
{
	return *line == '{' && !memmem(line, length, "\"nb_res\"", 8);
}

const struct lxfw_log_format lxfw_log_slurm_json = {
	.name = "slurmrestd",
	.recognizes = is_json,
	.partitions = true,
	.open = open_json,
	.close = close_json,
	.next = next,
	.hosts = lxfw_account_even_hosts,
};
