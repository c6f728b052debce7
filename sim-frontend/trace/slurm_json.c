/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs in the JSON of slurmrestd's /slurmdb/vX/jobs and `sacct --json`: an object with
 * the array "jobs", or several, or only the arrays. It is parsed job by job, so that memory is
 * that of a job, and a message can state the line. A state is a word or, from v0.0.40 on, an
 * array of words. The jobs of /slurm/vX/jobs and `squeue --json` have other members
 * (slurm_ctld.h).
 */
#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/dependency.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/json_stream.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/slurm_ctld.h"
#include "sim-frontend/util/text.h"

struct slurm_json {
	struct lxfw_input *input;
	struct lxfw_json_stream *stream;
	bool in_jobs, in_object;	/* of the present response */
	bool any;			/* a response has begun */
	size_t jobs;			/* of the present array */
	long line;			/* of the beginning of the job */
	json_object *job;		/* the current job; owns the strings of the
					   account */
	char id[48];			/* of a task of an array, as in sacct: "17_4" */
	char gres[200];			/* GRES of the job, in sacct's format */
};

static int bad(struct slurm_json *json, struct lxfw_error *error, const char *what)
{
	return lxfw_json_stream_bad(json->stream, what, error);
}

/* --- the text ------------------------------------------------------------------- */

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

static int read_errors(struct slurm_json *json, struct lxfw_error *error)
{
	json_object *errors;
	int result;

	if (lxfw_json_stream_value(json->stream, &errors, error))
		return -1;
	result = judge_errors(json, errors, error);
	json_object_put(errors);
	return result;
}

/* Reads the members of an object. Returns 1 at the array of jobs, 0 at the end of the
   object, or -1. */
static int next_jobs(struct slurm_json *json, bool first, struct lxfw_error *error)
{
	char key[16];
	int got, sign;

	while ((got = lxfw_json_stream_member(json->stream, first, key, sizeof(key),
					      error)) > 0) {
		first = false;
		if (strcmp(key, "jobs") == 0) {
			sign = lxfw_json_stream_sign(json->stream, error);
			if (sign < 0)
				return -1;
			if (sign == '[') {
				lxfw_json_stream_skip(json->stream);
				return 1;
			}
		}
		got = strcmp(key, "errors") == 0 ? read_errors(json, error) :
						   lxfw_json_stream_pass(json->stream, error);
		if (got)
			return -1;
	}
	return got;
}

/* Finds the next response, or array of jobs. Skips lines before it, such as messages of sacct.
   Returns its first character, 0 at the end of the text, or -1. */
static int next_response(struct slurm_json *json, struct lxfw_odd *odd,
			 struct lxfw_error *error)
{
	int sign;

	for (int lines = 0;; lines++) {
		long line;

		sign = lxfw_json_stream_sign(json->stream, error);
		if (sign == '{' || sign == '[' || sign < 0)
			return sign;
		if ((sign == 0 && json->any) || (sign == 0 && lines == 0))
			return 0;
		if (sign == 0 || lines == LXFW_ODD_BEFORE)
			return bad(json, error, "not a JSON object, expected '{'");
		line = lxfw_json_stream_line(json->stream);
		if (lxfw_json_stream_skip_line(json->stream, error))
			return -1;
		lxfw_odd_add(odd, json->input, line,
			     "not JSON, expected the output of slurmrestd or sacct --json");
	}
}

/* Reads up to the next jobs. Returns 1, 0 at the end of the text, or -1. */
static int find_jobs(struct slurm_json *json, struct lxfw_odd *odd, struct lxfw_error *error)
{
	int sign = next_response(json, odd, error);

	if (sign <= 0)
		return sign;
	json->any = true;
	json->jobs = 0;
	json->in_object = sign == '{';
	lxfw_json_stream_skip(json->stream);
	if (!json->in_object)
		return 1;
	sign = next_jobs(json, true, error);
	if (sign == 0)
		return bad(json, error, "no \"jobs\", expected an array of jobs");
	return sign;
}

/* Reads the rest of a response after its jobs. Returns 0 or -1. */
static int find_end(struct slurm_json *json, struct lxfw_error *error)
{
	int got = json->in_object ? next_jobs(json, false, error) : 0;

	if (got > 0)
		return bad(json, error, "\"jobs\" twice");
	return got;
}

/* Reads the next job into `job`. Returns 1, 0 after the last one, or -1. */
static int next_object(struct slurm_json *json, struct lxfw_error *error)
{
	int got = lxfw_json_stream_item(json->stream, json->jobs == 0, error);

	json_object_put(json->job);
	json->job = NULL;
	if (got == 0)
		return find_end(json, error);
	if (got > 0)
		got = lxfw_json_stream_sign(json->stream, error);
	if (got < 0)
		return -1;
	if (got != '{')
		return bad(json, error, "not a job, expected '{'");
	json->jobs++;
	json->line = lxfw_json_stream_line(json->stream);
	return lxfw_json_stream_value(json->stream, &json->job, error) ? -1 : 1;
}

/* --- members -------------------------------------------------------------------- */

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
	account->asked_hosts = lxfw_json_first_count(resource(job, "tres.requested",
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

/* Reads the allocated memory in MB, otherwise the requested one, and the used memory in bytes,
   the maximum over the steps. */
static void read_memory(json_object *job, struct lxfw_account *account)
{
	json_object *steps = lxfw_json_member(job, "steps");
	int64_t asked = lxfw_json_first_count(resource(job, "tres.allocated", "mem"),
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
	return lxfw_odd_add(odd, json->input, json->line, "%s", what);
}

/* Other tasks of its array have other numbers. */
static void set_task(struct slurm_json *json, struct lxfw_account *account, const char *of_array,
		     const char *of_task)
{
	int64_t array = lxfw_json_number(json->job, of_array);
	int64_t task = lxfw_json_number(json->job, of_task);
	int length;

	if (array <= 0 || array >= LXFW_SLURM_NO_VAL || task < 0 || task >= LXFW_SLURM_NO_VAL)
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
	struct lxfw_slice state;
	const char *wrong;

	account->number = lxfw_json_number(job, "job_id");
	if (account->number < 0 || account->number == INT64_MAX)
		return odd_job(json, odd, "a job without job_id, expected a number");
	if (lxfw_slurm_ctld_is(job)) {
		wrong = lxfw_slurm_ctld_job(job, account);
		set_task(json, account, "array_job_id", "array_task_id");
		return wrong ? odd_job(json, odd, wrong) : 1;
	}
	account->submit = lxfw_json_time(job, "time.submission");
	if (account->submit < 0)
		return odd_job(json, odd, "a job without time.submission, "
			       "expected seconds as in the jobs of slurmdb");
	account->eligible = lxfw_json_time(job, "time.eligible");
	account->start = lxfw_json_time(job, "time.start");
	account->end = lxfw_json_time(job, "time.end");
	wrong = lxfw_account_check_times(account);
	if (wrong)
		return odd_job(json, odd, wrong);
	account->suspended = lxfw_json_number(job, "time.suspended");
	if (account->suspended < 0 || account->suspended > LXFW_ACCOUNT_TIME_MAX)
		account->suspended = 0;
	state = lxfw_json_state(lxfw_json_member(job, "state.current"));
	if (state.length > 0)
		lxfw_account_slurm_state(account, state.at, state.length);
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
	if (limit == INT64_MAX || limit == LXFW_SLURM_INFINITE)
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	else if (limit > 0 && limit < LXFW_SLURM_NO_VAL)
		account->limit = limit * 60;
	account->procs = lxfw_json_first_count(resource(job, "tres.allocated", "cpu"),
				     lxfw_json_number(job, "required.CPUs"),
				     resource(job, "tres.requested", "cpu"));
	account->hosts = lxfw_json_first_count(resource(job, "tres.allocated", "node"),
				     lxfw_json_number(job, "allocation_nodes"), 0);
	read_memory(job, account);
	set_task(json, account, "array.job_id", "array.task_id");
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
	int got = 0;

	while (got == 0) {
		if (!json->in_jobs) {
			size_t odd = counts->odd.count;

			got = find_jobs(json, &counts->odd, error);
			counts->records += counts->odd.count - odd;
			if (got <= 0)
				return got;
			json->in_jobs = true;
		}
		got = next_object(json, error);
		json->in_jobs = got > 0;
	}
	if (got < 0)
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
	lxfw_json_stream_close(json->stream);
	free(json);
}

/* Reports the JSON of HTCondor, which detection takes for that of Slurm. Returns 0 or -1. */
static int refuse_condor(struct lxfw_input *input, struct lxfw_error *error)
{
	static const char *const keys[] = { "ClusterId", "ProcId", "GlobalJobId", NULL };
	const char *text;
	size_t length;

	if (lxfw_input_look(input, &text, &length, error) <= 0 ||
	    !lxfw_json_has_key(text, length, keys, 2))
		return 0;
	return lxfw_error_at(error, lxfw_input_path(input), lxfw_input_line_number(input) + 1,
			     "the JSON of condor_history or condor_q, expected the output of "
			     "condor_history -long");
}

static void *open_json(struct lxfw_input *input,
		      const struct lxfw_account_options *options,
		      struct lxfw_error *error)
{
	struct slurm_json *json = calloc(1, sizeof(*json));

	(void)options;		/* times are seconds since 1970 */
	if (!json) {
		lxfw_error_system(error, lxfw_input_path(input));
		return NULL;
	}
	json->input = input;
	if (refuse_condor(input, error) == 0)
		json->stream = lxfw_json_stream_open(input, "the output of slurmrestd or sacct "
						     "--json", error);
	if (!json->stream) {
		free(json);
		return NULL;
	}
	return json;
}

/* Matches an object, and an array of jobs. */
static bool is_json(const char *text, size_t length)
{
	static const char *const keys[] = { "job_id", NULL };

	return *text == '{' || (*text == '[' && lxfw_json_has_key(text, length, keys, 2));
}

const struct lxfw_log_format lxfw_log_slurm_json = {
	.name = "slurmrestd",
	.recognizes_text = is_json,
	.partitions = true,
	.open = open_json,
	.close = close_json,
	.next = next,
	.hosts = lxfw_account_even_hosts,
};
