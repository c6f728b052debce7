/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The jobs of Microsoft's Philly clusters, cluster_job_log: an array of objects. A job has
 * attempts, each on GPUs of some hosts. It starts with the first and ends with the last. Its GPUs
 * and hosts are those of the first attempt that names any; each GPU counts as a processor. Times
 * are local, those of California, and may be missing: null, empty or "None".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/json_stream.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/trace/sacct.h"
#include "sim-frontend/util/text.h"
#include "sim-frontend/util/zone.h"

struct philly {
	struct lxfw_input *input;
	struct lxfw_json_stream *stream;
	bool in_zone, opened;
	size_t jobs;
	long line;			/* of the beginning of the job */
	json_object *job;		/* owns the strings of the account */
	char gres[40];
	/* of the present job */
	bool local, skipped, unclear;
	json_object *details;		/* its hosts and their GPUs; NULL: none */
	int64_t from, to;		/* of the attempt with these; -1: unknown */
};

/* --- times ---------------------------------------------------------------------- */

/* Reads a time that is not before another one, if local time leaves a choice; -1: it is missing.
   Returns false if it is none. */
static bool read_time(struct philly *philly, json_object *object, const char *key, int64_t after,
		      int64_t *time)
{
	struct lxfw_slice text = lxfw_json_text(object, key);
	json_object *value = lxfw_json_member(object, key);
	struct lxfw_zone_moments moments;
	bool local;

	*time = -1;
	if (!value || (text.at && (text.length == 0 || lxfw_slice_is(text, "None"))))
		return true;
	if (!lxfw_sacct_time(text, time, &local) || *time < 0)
		return false;
	lxfw_zone_moments(local && philly->in_zone, *time, &moments);
	*time = moments.at[moments.count > 1 && moments.at[0] < after];
	philly->local |= local;
	philly->skipped |= moments.skipped;
	philly->unclear |= moments.count > 1 && moments.at[0] >= after;
	return true;
}

/* --- a job ---------------------------------------------------------------------- */

/* Takes the GPUs and hosts of an attempt from START to END, if it has any. */
static void take_gpus(struct philly *philly, struct lxfw_account *account, json_object *attempt,
		      int64_t start, int64_t end)
{
	json_object *details = lxfw_json_member(attempt, "detail");
	int64_t gpus = 0, hosts = 0;

	for (size_t i = 0; i < lxfw_json_length(details); i++) {
		json_object *detail = json_object_array_get_idx(details, i);
		size_t count = lxfw_json_length(lxfw_json_member(detail, "gpus"));

		gpus += (int64_t)count;
		hosts += count > 0;
	}
	if (gpus == 0)
		return;
	philly->details = details;
	philly->from = start;
	philly->to = end;
	account->procs = gpus < INT32_MAX ? gpus : INT32_MAX;
	account->hosts = hosts;
	snprintf(philly->gres, sizeof(philly->gres), "gres/gpu=%d", (int)account->procs);
	account->gres = (struct lxfw_slice) { philly->gres, strlen(philly->gres) };
	/* each_host() enumerates them */
	account->host_list = (struct lxfw_slice) { (const char *)philly, 1 };
}

/* Returns what is wrong with the attempts, or NULL. */
static const char *read_attempts(struct philly *philly, struct lxfw_account *account)
{
	json_object *attempts = lxfw_json_member(philly->job, "attempts");
	size_t count = lxfw_json_length(attempts);
	int64_t start, end = -1, before = account->submit;

	for (size_t i = 0; i < count; i++) {
		json_object *attempt = json_object_array_get_idx(attempts, i);

		if (!read_time(philly, attempt, "start_time", before, &start) ||
		    !read_time(philly, attempt, "end_time", start >= 0 ? start : before, &end))
			return "a time of an attempt is no date, expected 2017-10-07 01:11:45 "
			       "or None";
		if (account->start < 0)
			account->start = start;
		if (!philly->details)
			take_gpus(philly, account, attempt, start, end);
		before = end >= 0 ? end : start >= 0 ? start : before;
	}
	/* without an end of the last attempt, the job was still running */
	account->end = end;
	account->over = count == 0 || end >= 0;
	if (account->over && count > 0 && account->start < 0)
		return "an end, but no start_time of an attempt, expected both";
	return NULL;
}

static void read_status(const struct philly *philly, struct lxfw_account *account)
{
	struct lxfw_slice status = lxfw_json_text(philly->job, "status");

	account->status = lxfw_slice_is(status, "Pass") ? LXFW_ACCOUNT_COMPLETED :
			  lxfw_slice_is(status, "Killed") ? LXFW_ACCOUNT_CANCELLED :
							    LXFW_ACCOUNT_FAILED;
}

/* Reads "application_1506638472019_14199": the number is what follows the last '_'. */
static void read_id(const struct philly *philly, struct lxfw_account *account)
{
	struct lxfw_slice id = lxfw_json_text(philly->job, "jobid"), number = id;
	const char *mark = id.length ? memrchr(id.at, '_', id.length) : NULL;

	if (mark)
		number = (struct lxfw_slice) { mark + 1,
					       (size_t)(id.at + id.length - mark - 1) };
	if (!lxfw_slice_integer(number, 0, INT64_MAX, &account->number))
		account->number = (int64_t)philly->jobs;
	account->id = id;
}

static const char *read_job(struct philly *philly, struct lxfw_account *account)
{
	const char *wrong;

	philly->local = philly->skipped = philly->unclear = false;
	philly->details = NULL;
	if (!json_object_is_type(philly->job, json_type_object))
		return "not a job, expected '{'";
	if (!read_time(philly, philly->job, "submitted_time", -1, &account->submit))
		return "submitted_time is no date, expected 2017-10-07 01:11:39";
	if (account->submit < 0)
		return "a job without submitted_time, expected 2017-10-07 01:11:39";
	wrong = read_attempts(philly, account);
	if (wrong)
		return wrong;
	wrong = lxfw_account_check_times(account);
	if (wrong)
		return wrong;
	read_id(philly, account);
	read_status(philly, account);
	if (account->start >= 0 && account->end >= account->start)
		account->run = account->end - account->start;
	account->user = lxfw_json_text(philly->job, "user");
	account->queue = lxfw_json_text(philly->job, "vc");
	return NULL;
}

/* Calls HOST for the hosts of the present job, if it is known when it had them. */
static int each_host(const struct lxfw_account *account, lxfw_account_host_fn *host,
		     void *context)
{
	const struct philly *philly = (const void *)account->host_list.at;
	int result = 0;

	if (philly->from < 0 || philly->to < philly->from)
		return 0;
	for (size_t i = 0; i < lxfw_json_length(philly->details) && result == 0; i++) {
		json_object *detail = json_object_array_get_idx(philly->details, i);
		size_t gpus = lxfw_json_length(lxfw_json_member(detail, "gpus"));
		struct lxfw_slice name = lxfw_json_text(detail, "ip");

		if (name.length > 0 && gpus > 0)
			result = host(context, &(struct lxfw_account_host) {
				.name = name.at, .procs = (int64_t)gpus, .gpus = (int64_t)gpus,
				.memory_kb = -1, .start = philly->from, .end = philly->to });
	}
	return result;
}

/* --- the reader ------------------------------------------------------------------- */

/* Reads the next job. Returns 1, 0 at the end, or -1. */
static int next_job(struct philly *philly, struct lxfw_error *error)
{
	int got, sign;

	if (!philly->opened) {
		got = lxfw_json_stream_sign(philly->stream, error);
		if (got < 0)
			return -1;
		if (got != '[')
			return lxfw_json_stream_bad(philly->stream, "not an array, expected the "
						    "jobs of Philly", error);
		lxfw_json_stream_skip(philly->stream);
		philly->opened = true;
	}
	json_object_put(philly->job);
	philly->job = NULL;
	got = lxfw_json_stream_item(philly->stream, philly->jobs == 0, error);
	if (got < 0)
		return -1;
	sign = lxfw_json_stream_sign(philly->stream, error);
	if (got == 0 && sign > 0)
		return lxfw_json_stream_bad(philly->stream, "text after the jobs, expected the "
					    "end", error);
	if (got == 0 || sign < 0)
		return sign;
	philly->jobs++;
	philly->line = lxfw_json_stream_line(philly->stream);
	return lxfw_json_stream_value(philly->stream, &philly->job, error) ? -1 : 1;
}

static int next(void *state, struct lxfw_account *account, struct lxfw_account_counts *counts,
		struct lxfw_error *error)
{
	struct philly *philly = state;
	int got = next_job(philly, error);
	const char *wrong;

	if (got <= 0)
		return got;
	wrong = read_job(philly, account);
	if (wrong)
		return lxfw_odd_add(&counts->odd, philly->input, philly->line, "%s", wrong);
	counts->local += philly->local;
	counts->skipped += philly->skipped;
	counts->unclear += philly->unclear;
	*(account->over ? &counts->jobs : &counts->not_over) += 1;
	counts->records++;
	return 1;
}

static void close_reader(void *state)
{
	struct philly *philly = state;

	json_object_put(philly->job);
	lxfw_json_stream_close(philly->stream);
	free(philly);
}

static void *open_reader(struct lxfw_input *input, const struct lxfw_account_options *options,
			 struct lxfw_error *error)
{
	struct philly *philly = calloc(1, sizeof(*philly));

	if (!philly) {
		lxfw_error_system(error, lxfw_input_path(input));
		return NULL;
	}
	philly->input = input;
	philly->in_zone = options->in_zone;
	philly->stream = lxfw_json_stream_open(input, "the jobs of Philly", error);
	if (!philly->stream) {
		free(philly);
		return NULL;
	}
	return philly;
}

static bool is_philly(const char *text, size_t length)
{
	static const char *const keys[] = { "attempts", "submitted_time", NULL };

	return *text == '[' && lxfw_json_has_key(text, length, keys, 2);
}

const struct lxfw_log_format lxfw_log_philly = {
	.name = "philly",
	.recognizes_text = is_philly,
	.open = open_reader,
	.close = close_reader,
	.next = next,
	.hosts = each_host,
};
