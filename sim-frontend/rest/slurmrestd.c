/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/rest/slurmrestd.h"

#include <errno.h>
#include <inttypes.h>
#include <json-c/json.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/trace/cluster_extras.h"
#include "sim-frontend/trace/json_members.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/util/text.h"

/* Supported versions v0.0.N: from Slurm 20.11, the first with the jobs of slurmdbd, to
   the latest version that was tested. */
#define VERSION_MIN 36
#define VERSION_MAX 45

/* Limits of a response with jobs, in bytes. After a longer response, the slice is
   halved, down to SLICE_LEAST. */
#define ANSWER_USUAL ((size_t)32 << 20)
#define ANSWER_MOST ((size_t)1 << 30)
#define SLICE_FIRST 86400
#define SLICE_LEAST 60
#define SLICE_MOST (INT64_C(32) * 86400)

struct lxfw_slurmrestd {
	struct lxfw_http *http;
	struct lxfw_token *token;
	char *url;
	char version[16];
};

/* --- requests --------------------------------------------------------------------- */

/* Extracts the server's error message from a response that is an error. */
static void read_reason(const struct lxfw_http_answer *answer, char *out,
			size_t size)
{
	json_object *parsed = json_tokener_parse(answer->bytes);

	if (!lxfw_json_error(lxfw_json_member(parsed, "errors"), out, size))
		lxfw_text_quote(out, size, answer->bytes, answer->length);
	json_object_put(parsed);
	for (char *c = out; *c; c++) {
		if (*c == '?')
			*c = ' ';
	}
}

/*
 * Returns whether a token was rejected. slurmrestd up to 22.05 responds with status 500;
 * only the text distinguishes this from other errors.
 */
static bool is_refusal(long status, const char *reason)
{
	return status == 401 || status == 403 ||
	       strcasestr(reason, "authentication") ||
	       strcasestr(reason, "access/permission denied");
}

static int tell_refusal(const struct lxfw_slurmrestd *rest, long status,
			const char *reason, struct lxfw_error *error)
{
	char why[160];

	lxfw_error_format(error, "%s: refused (HTTP %ld, %s): %s", rest->url,
			  status, reason,
			  lxfw_token_explain(rest->token, time(NULL), why,
					     sizeof(why)));
	errno = EIO;
	return -1;
}

static int refuse(const struct lxfw_slurmrestd *rest, const char *path,
		  const struct lxfw_http_answer *answer,
		  struct lxfw_error *error)
{
	char reason[160];

	read_reason(answer, reason, sizeof(reason));
	if (is_refusal(answer->status, reason))
		return tell_refusal(rest, answer->status, reason, error);
	if (answer->status == 404)
		lxfw_error_format(error, "%s: has no %.*s, expected a "
			"slurmrestd", rest->url, (int)strcspn(path, "?"), path);
	else
		lxfw_error_format(error, "%s: %.*s: HTTP %ld: %s", rest->url,
			(int)strcspn(path, "?"), path, answer->status, reason);
	errno = EIO;
	return -1;
}

/* Sends a request and requires status 200. Fails as lxfw_http_get(). */
static int ask(struct lxfw_slurmrestd *rest, const char *path, size_t limit,
	       struct lxfw_http_answer *answer, struct lxfw_error *error)
{
	char *user = NULL, *secret = NULL;
	const char *token, *headers[] = { "Accept: application/json", NULL,
					  NULL, NULL };
	int result = lxfw_token_text(rest->token, time(NULL), &token, error);

	if (result)
		return -1;
	if (token) {
		if (asprintf(&user, "X-SLURM-USER-NAME: %s",
			     lxfw_token_user(rest->token)) < 0 ||
		    asprintf(&secret, "X-SLURM-USER-TOKEN: %s", token) < 0)
			result = lxfw_error_system(error, rest->url);
		headers[1] = user;
		headers[2] = secret;
	}
	if (result == 0)
		result = lxfw_http_get(rest->http, path, headers, limit, answer,
				       error);
	if (secret)
		explicit_bzero(secret, strlen(secret));
	free(secret);
	free(user);
	if (result)
		return -1;
	if (answer->status == 200)
		return 0;
	refuse(rest, path, answer, error);
	lxfw_http_answer_clear(answer);
	errno = EIO;
	return -1;
}

/* --- versions ------------------------------------------------------------------- */

/* Returns the version N of "/slurmdb/v0.0.N/jobs", with or without a trailing '/'; 0
   for another path. */
static int version_of(const char *path)
{
	int version = 0, end = 0;

	if (sscanf(path, "/slurmdb/v0.0.%d/jobs%n", &version, &end) != 1 ||
	    end == 0 || (path[end] && strcmp(path + end, "/") != 0))
		return 0;
	return version;
}

/* Selects the latest supported version of those offered, otherwise the first later
   one. */
static int choose_version(json_object *paths)
{
	int known = 0, unknown = 0;

	json_object_object_foreach(paths, path, value) {
		int version = version_of(path);

		(void)value;
		if (version >= VERSION_MIN && version <= VERSION_MAX &&
		    version > known)
			known = version;
		if (version > VERSION_MAX && (!unknown || version < unknown))
			unknown = version;
	}
	return known ? known : unknown;
}

static int negotiate(struct lxfw_slurmrestd *rest, struct lxfw_error *error)
{
	struct lxfw_http_answer answer;
	json_object *parsed, *paths;
	int version = 0;

	if (ask(rest, "/openapi/v3", ANSWER_USUAL, &answer, error))
		return -1;
	parsed = json_tokener_parse(answer.bytes);
	lxfw_http_answer_clear(&answer);
	paths = lxfw_json_member(parsed, "paths");
	if (!json_object_is_type(paths, json_type_object)) {
		lxfw_error_format(error, "%s: no OpenAPI description, "
				  "expected a slurmrestd", rest->url);
	} else {
		version = choose_version(paths);
		if (!version)
			lxfw_error_format(error, "%s: offers no slurmdbd "
				"jobs, expected /slurmdb/v0.0.%d/jobs or newer", rest->url, VERSION_MIN);
	}
	json_object_put(parsed);
	if (!version) {
		errno = EIO;
		return -1;
	}
	snprintf(rest->version, sizeof(rest->version), "v0.0.%d", version);
	return 0;
}

struct lxfw_slurmrestd *
lxfw_slurmrestd_open(const struct lxfw_http_options *options,
		     struct lxfw_token *token, struct lxfw_error *error)
{
	struct lxfw_slurmrestd *rest = calloc(1, sizeof(*rest));

	if (!rest) {
		lxfw_error_format(error, "out of memory");
		return NULL;
	}
	rest->token = token;
	rest->http = lxfw_http_open(options, error);
	if (rest->http) {
		rest->url = strdup(options->url);
		if (!rest->url)
			lxfw_error_system(error, "slurmrestd");
	}
	if (!rest->url || negotiate(rest, error)) {
		lxfw_slurmrestd_close(rest);
		return NULL;
	}
	return rest;
}

const char *lxfw_slurmrestd_version(const struct lxfw_slurmrestd *rest)
{
	return rest->version;
}

/* --- jobs ----------------------------------------------------------------------- */

/* Handles a response of status 200 that reports an error. The error that there are no
   jobs is ignored. */
static int judge_answer(const struct lxfw_slurmrestd *rest,
			struct lxfw_error *error)
{
	static const char before[] = "reports an error: ";
	const char *reason = strstr(error->text, before);
	char copy[160];

	if (reason && strcasestr(reason, "nothing found"))
		return 0;
	if (reason && is_refusal(200, reason)) {
		reason += sizeof(before) - 1;
		lxfw_text_quote(copy, sizeof(copy), reason, strlen(reason));
		tell_refusal(rest, 200, copy, error);
	}
	errno = EIO;
	return -1;
}

/* Requests PATH and returns the response as a file, or NULL with errno and ERROR set. */
static struct lxfw_input *ask_for_input(struct lxfw_slurmrestd *rest,
					const char *path, size_t limit,
					struct lxfw_error *error)
{
	struct lxfw_http_answer answer;
	struct lxfw_input *input;

	if (ask(rest, path, limit, &answer, error))
		return NULL;
	input = lxfw_input_bytes(rest->url, answer.bytes, answer.length, error);
	lxfw_http_answer_clear(&answer);
	return input;
}

/* Reads the jobs of a slice; `window` selects those that are added. */
static int take_slice(struct lxfw_slurmrestd *rest,
		      const struct lxfw_slurmrestd_period *period,
		      int64_t from, int64_t to, size_t limit,
		      const struct lxfw_log_window *window,
		      struct lxfw_log *log, struct lxfw_error *error)
{
	struct lxfw_input *input;
	char *path;
	int result;

	if (asprintf(&path, "/slurmdb/%s/jobs?start_time=uts%" PRId64
		     "&end_time=uts%" PRId64 "%s%s", rest->version, from, to,
		     period->cluster ? "&cluster=" : "",
		     period->cluster ? period->cluster : "") < 0)
		return lxfw_error_system(error, rest->url);
	input = ask_for_input(rest, path, limit, error);
	free(path);
	if (!input)
		return -1;
	result = lxfw_log_add_part(log, input, &lxfw_log_slurm_json, window,
				   error);
	if (result && errno == EPROTO)
		result = judge_answer(rest, error);
	lxfw_input_close(input);
	return result;
}

int lxfw_slurmrestd_jobs(struct lxfw_slurmrestd *rest,
			 const struct lxfw_slurmrestd_period *period,
			 lxfw_slurmrestd_progress_fn *progress,
			 struct lxfw_log *log, struct lxfw_error *error)
{
	int64_t slice = period->slice ? period->slice : SLICE_FIRST;
	int64_t from = period->since;

	while (from < period->until) {
		int64_t to = slice < period->until - from ? from + slice :
							    period->until;
		bool least = period->slice || to - from <= SLICE_LEAST;
		/* the first and the last slice also take the jobs outside of the
		   period */
		const struct lxfw_log_window window = {
			.from = from == period->since ? INT64_MIN : from,
			.to = to == period->until ? INT64_MAX : to,
		};

		progress(from);
		if (take_slice(rest, period, from, to, least ? ANSWER_MOST :
			       ANSWER_USUAL, &window, log, error)) {
			if (errno != EFBIG || least)
				return -1;
			slice = (to - from) / 2;
			continue;
		}
		from = to;
		if (!period->slice && slice < SLICE_MOST)
			slice *= 2;
	}
	return lxfw_account_judge(&log->counts, error);
}

int lxfw_slurmrestd_nodes(struct lxfw_slurmrestd *rest,
			  struct lxfw_cluster *cluster,
			  struct lxfw_error *error)
{
	static const char *const whats[] = { "nodes", "partitions" };
	int result = 0;

	for (size_t i = 0; i < 2 && result == 0; i++) {
		struct lxfw_input *input;
		char path[50];

		snprintf(path, sizeof(path), "/slurm/%s/%s", rest->version,
			 whats[i]);
		input = ask_for_input(rest, path, ANSWER_MOST, error);
		result = input ? lxfw_cluster_read_nodes(cluster, input, error) :
				 -1;
		lxfw_input_close(input);
	}
	if (result == 0 && lxfw_cluster_settle(cluster))
		result = lxfw_error_system(error, rest->url);
	if (result)
		lxfw_cluster_clear(cluster);
	return result;
}

void lxfw_slurmrestd_close(struct lxfw_slurmrestd *rest)
{
	int saved = errno;

	if (!rest)
		return;
	lxfw_http_close(rest->http);
	free(rest->url);
	free(rest);
	errno = saved;
}
