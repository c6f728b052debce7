/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload of Batsim in JSON: jobs, each with the name of a profile, and the profiles
 * (batsim_profiles.h), which may follow the jobs. The jobs have not run: they have no start, and
 * their run time is that of their profile. Their times are seconds since the beginning of a
 * simulation, which becomes 2000-01-01.
 *
 * The whole text is read before the first job is returned, of which only numbers and names are
 * kept. A job is identified by the path of the file and its id, since several workloads have
 * different jobs.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/batsim_profiles.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/json_stream.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/util/text.h"

#define TIME_MAX (LXFW_ACCOUNT_TIME_MAX - LXFW_ACCOUNT_FIRST_DAY)

struct job {
	int64_t number;			/* in the id; -1: none */
	int64_t submit, limit;		/* seconds; limit -1: none */
	size_t id;			/* position of its text */
	const char *wrong;		/* what is wrong with it, or NULL */
	long line;
	int32_t procs;
	int32_t profile;
};

struct batsim {
	struct lxfw_input *input;
	struct lxfw_json_stream *stream;
	struct lxfw_batsim_profiles profiles;
	struct job *jobs;
	size_t count, size, next;
	char *ids;			/* texts, each with a byte 0 at its end */
	size_t ids_length, ids_size;
	int64_t resources;		/* nb_res; 0: not stated */
	bool read;
	char *id;			/* of the job that was returned, with the path */
};

/* --- a job ---------------------------------------------------------------------- */

static int keep_id(struct batsim *batsim, struct job *job, struct lxfw_slice id)
{
	if (LXFW_GROW(batsim->ids, batsim->ids_size, batsim->ids_length + id.length + 1))
		return -1;
	job->id = batsim->ids_length;
	if (id.length > 0)
		memcpy(batsim->ids + batsim->ids_length, id.at, id.length);
	batsim->ids_length += id.length;
	batsim->ids[batsim->ids_length++] = '\0';
	return 0;
}

/* Reads an id such as 3, "3" or "w0!3". */
static int read_id(struct batsim *batsim, json_object *object, struct job *job)
{
	json_object *value = lxfw_json_member(object, "id");
	struct lxfw_slice id = { 0 }, number;
	const char *mark;

	job->number = -1;
	if (json_object_is_type(value, json_type_string) ||
	    json_object_is_type(value, json_type_int)) {
		id.at = json_object_get_string(value);
		id.length = id.at ? strlen(id.at) : 0;
	}
	if (id.length == 0) {
		job->wrong = "a job without an id, expected a text or a number";
		return keep_id(batsim, job, id);
	}
	mark = memrchr(id.at, '!', id.length);
	number = mark ? (struct lxfw_slice) { mark + 1,
					      (size_t)(id.at + id.length - mark - 1) } : id;
	if (!lxfw_slice_integer(number, 0, INT64_MAX, &job->number))
		job->number = -1;
	return keep_id(batsim, job, id);
}

/* Reads a number of seconds from 0 to TIME_MAX; -1: it is no such number. */
static double seconds_of(json_object *object, const char *key)
{
	json_object *value = lxfw_json_member(object, key);
	double seconds = json_object_is_type(value, json_type_double) ||
			 json_object_is_type(value, json_type_int) ?
			 json_object_get_double(value) : -1;

	return seconds >= 0 && seconds <= (double)TIME_MAX ? seconds : -1;
}

static void read_members(json_object *object, struct job *job)
{
	double submit = seconds_of(object, "subtime"), limit = seconds_of(object, "walltime");
	int64_t procs = lxfw_json_number(object, "res");

	/* as in the Standard Workload Format: a time is cut, a duration is rounded up */
	job->submit = (int64_t)submit;
	job->limit = limit > 0 ? (int64_t)ceil(limit) : -1;
	job->procs = procs >= 0 && procs <= INT32_MAX ? (int32_t)procs : 0;
	if (job->wrong)
		return;
	if (submit < 0)
		job->wrong = "a job without subtime, expected seconds of 0 or more";
	else if (procs < 0 || procs > INT32_MAX)
		job->wrong = "a job without res, expected a number of resources";
	else if (job->profile < 0)
		job->wrong = "a job without a profile, expected its name";
}

static int add_job(struct batsim *batsim, json_object *object, long line)
{
	struct lxfw_slice profile = lxfw_json_text(object, "profile");
	struct job *job;

	if (LXFW_GROW(batsim->jobs, batsim->size, batsim->count + 1))
		return -1;
	job = &batsim->jobs[batsim->count];
	*job = (struct job) { .line = line, .profile = -1 };
	if (profile.length > 0)
		job->profile = lxfw_batsim_profile(&batsim->profiles, profile);
	if (profile.length > 0 && job->profile < 0)
		return -1;
	if (read_id(batsim, object, job))
		return -1;
	read_members(object, job);
	batsim->count++;
	return 0;
}

/* --- the text ------------------------------------------------------------------- */

static int bad(const struct batsim *batsim, const char *what, struct lxfw_error *error)
{
	return lxfw_json_stream_bad(batsim->stream, what, error);
}

/* Consumes SIGN, which is to follow. */
static int enter(struct batsim *batsim, char sign, const char *what, struct lxfw_error *error)
{
	int next = lxfw_json_stream_sign(batsim->stream, error);

	if (next < 0)
		return -1;
	if (next != sign)
		return bad(batsim, what, error);
	lxfw_json_stream_skip(batsim->stream);
	return 0;
}

static int read_jobs(struct batsim *batsim, struct lxfw_error *error)
{
	bool first = true;
	int got;

	if (enter(batsim, '[', "\"jobs\" is no array, expected '['", error))
		return -1;
	while ((got = lxfw_json_stream_item(batsim->stream, first, error)) > 0) {
		json_object *object;
		long line;
		int failed;

		first = false;
		if (lxfw_json_stream_sign(batsim->stream, error) < 0)
			return -1;
		line = lxfw_json_stream_line(batsim->stream);
		if (lxfw_json_stream_value(batsim->stream, &object, error))
			return -1;
		failed = add_job(batsim, object, line);
		json_object_put(object);
		if (failed)
			return lxfw_error_system(error, lxfw_input_path(batsim->input));
	}
	return got;
}

static int read_resources(struct batsim *batsim, struct lxfw_error *error)
{
	json_object *value;

	if (lxfw_json_stream_value(batsim->stream, &value, error))
		return -1;
	batsim->resources = lxfw_json_first_count(lxfw_json_number(value, ""), 0, 0);
	json_object_put(value);
	return 0;
}

static int read_profiles(struct batsim *batsim, struct lxfw_error *error)
{
	if (enter(batsim, '{', "\"profiles\" is no object, expected '{'", error))
		return -1;
	return lxfw_batsim_profiles_read(&batsim->profiles, batsim->stream,
					 lxfw_input_path(batsim->input), error);
}

static int read_text(struct batsim *batsim, struct lxfw_error *error)
{
	bool first = true;
	char key[16];
	int got;

	if (enter(batsim, '{', "not a JSON object, expected a workload of Batsim", error))
		return -1;
	while ((got = lxfw_json_stream_member(batsim->stream, first, key, sizeof(key),
					      error)) > 0) {
		first = false;
		got = strcmp(key, "jobs") == 0 ? read_jobs(batsim, error) :
		      strcmp(key, "nb_res") == 0 ? read_resources(batsim, error) :
		      strcmp(key, "profiles") == 0 ? read_profiles(batsim, error) :
						     lxfw_json_stream_pass(batsim->stream, error);
		if (got < 0)
			return -1;
	}
	if (got == 0)
		got = lxfw_json_stream_sign(batsim->stream, error);
	return got > 0 ? bad(batsim, "text after the workload, expected the end", error) : got;
}

/* --- the reader ------------------------------------------------------------------- */

static int return_job(struct batsim *batsim, const struct job *job,
		      struct lxfw_account *account, struct lxfw_account_counts *counts)
{
	const char *wrong = job->wrong;
	char text[300];
	int length;

	if (!wrong)
		wrong = lxfw_batsim_profile_run(&batsim->profiles, job->profile, &account->run,
						text, sizeof(text));
	if (wrong)
		return lxfw_odd_add(&counts->odd, batsim->input, job->line, "%s", wrong);
	free(batsim->id);
	length = asprintf(&batsim->id, "%s!%s", lxfw_input_path(batsim->input),
			  batsim->ids + job->id);
	if (length < 0) {
		batsim->id = NULL;
		return -1;
	}
	account->id = (struct lxfw_slice) { batsim->id, (size_t)length };
	account->number = job->number >= 0 ? job->number : (int64_t)batsim->next;
	account->submit = LXFW_ACCOUNT_FIRST_DAY + job->submit;
	account->limit = job->limit;
	account->procs = job->procs;
	account->planned = account->over = true;
	account->status = LXFW_ACCOUNT_COMPLETED;
	counts->jobs++;
	counts->records++;
	return 1;
}

static int next(void *state, struct lxfw_account *account, struct lxfw_account_counts *counts,
		struct lxfw_error *error)
{
	struct batsim *batsim = state;
	int got;

	if (!batsim->read) {
		batsim->read = true;
		if (read_text(batsim, error))
			return -1;
		counts->machine_procs = batsim->resources;
	}
	if (batsim->next == batsim->count)
		return 0;
	batsim->next++;
	got = return_job(batsim, &batsim->jobs[batsim->next - 1], account, counts);
	return got < 0 ? lxfw_error_system(error, lxfw_input_path(batsim->input)) : got;
}

static void close_reader(void *state)
{
	struct batsim *batsim = state;

	lxfw_batsim_profiles_clear(&batsim->profiles);
	lxfw_json_stream_close(batsim->stream);
	free(batsim->jobs);
	free(batsim->ids);
	free(batsim->id);
	free(batsim);
}

static void *open_reader(struct lxfw_input *input, const struct lxfw_account_options *options,
			 struct lxfw_error *error)
{
	struct batsim *batsim = calloc(1, sizeof(*batsim));

	(void)options;		/* no times are local */
	if (!batsim) {
		lxfw_error_system(error, lxfw_input_path(input));
		return NULL;
	}
	batsim->input = input;
	batsim->stream = lxfw_json_stream_open(input, "a workload of Batsim", error);
	if (!batsim->stream) {
		free(batsim);
		return NULL;
	}
	return batsim;
}

static bool is_batsim(const char *text, size_t length)
{
	static const char *const keys[] = { "nb_res", "profiles", NULL };
	static const char *const job_keys[] = { "subtime", NULL };

	return *text == '{' && (lxfw_json_has_key(text, length, keys, 1) ||
				lxfw_json_has_key(text, length, job_keys, 3));
}

const struct lxfw_log_format lxfw_log_batsim = {
	.name = "batsim",
	.recognizes_text = is_batsim,
	.open = open_reader,
	.close = close_reader,
	.next = next,
	.hosts = lxfw_account_even_hosts,
};
