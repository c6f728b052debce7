/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/import_live.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/rest/slurmrestd.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/util/text.h"

#define TIMEOUT_USUAL 300

/* Parses local time as Slurm's tools do, "2026-01-31", "2026-01-31T12:00" or
   "2026-01-31T12:00:00", or seconds since 1970. */
static bool read_date(const char *text, int64_t *moment)
{
	static const char *const formats[] = {
		"0-0-0", "0-0-0T0:0", "0-0-0T0:0:0",
	};
	const struct lxfw_slice slice = { text, strlen(text) };
	const size_t count = sizeof(formats) / sizeof(*formats);
	int64_t number[6];
	struct tm tm = { .tm_isdst = -1 }, there;
	time_t seconds;

	if (lxfw_slice_integer(slice, 1000000, LXFW_ACCOUNT_TIME_MAX, moment))
		return true;
	for (size_t i = 0; ; i++) {
		if (i == count)
			return false;
		memset(number, 0, sizeof(number));
		if (lxfw_slice_numbers(slice, formats[i], number))
			break;
	}
	if (number[0] < 1970 || number[0] > 9999)
		return false;
	tm.tm_year = (int)number[0] - 1900;
	tm.tm_mon = (int)number[1] - 1;
	tm.tm_mday = (int)number[2];
	tm.tm_hour = (int)number[3];
	tm.tm_min = (int)number[4];
	tm.tm_sec = (int)number[5];
	there = tm;
	seconds = mktime(&there);
	*moment = seconds;
	/* mktime() converts 31 February to a day of March */
	return seconds > 0 && there.tm_mon == tm.tm_mon &&
	       there.tm_mday == tm.tm_mday && tm.tm_hour < 24 &&
	       tm.tm_min < 60 && tm.tm_sec < 60;
}

static int take_date(const struct lxfw_command *command, const char *option,
		     const char *text, int64_t *moment)
{
	if (read_date(text, moment))
		return 0;
	return lxfw_cmd_bad_value(command, option, text, "a date such as "
				  "2026-01-31 or 2026-01-31T12:00, or seconds "
				  "since 1970");
}

static int take_period(const struct lxfw_command *command,
		       const struct lxfw_import_live *live,
		       struct lxfw_slurmrestd_period *period)
{
	int64_t now = time(NULL);

	*period = (struct lxfw_slurmrestd_period) {
		.until = now, .slice = live->slice, .cluster = live->cluster,
	};
	if (!live->since)
		return lxfw_cmd_misuse(command, "--slurm-rest without --since, "
			"expected the date to begin with"), -1;
	if (take_date(command, "since", live->since, &period->since) ||
	    (live->until &&
	     take_date(command, "until", live->until, &period->until)))
		return -1;
	if (period->since >= period->until)
		return lxfw_cmd_misuse(command, "--since %s is not before %s",
			live->since, live->until ? live->until : "now"), -1;
	return 0;
}

/* Names of clusters are part of a URL. */
static bool plain_cluster(const char *name)
{
	return *name && strspn(name, "abcdefghijklmnopqrstuvwxyz"
			       "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.") ==
			strlen(name);
}

static int64_t progress_since, progress_until;

static void show_progress(int64_t until)
{
	lxfw_cmd_progress("fetching, hours", (size_t)((until - progress_since) /
			  3600), (size_t)((progress_until - progress_since) /
			  3600));
}

static int fetch(struct lxfw_slurmrestd *rest,
		 const struct lxfw_slurmrestd_period *period,
		 struct lxfw_log *log, struct lxfw_error *error)
{
	progress_since = period->since;
	progress_until = period->until;
	if (lxfw_slurmrestd_jobs(rest, period, show_progress, log, error))
		return -1;
	lxfw_cmd_progress_end();
	if (log->count == 0)
		return lxfw_error_format(error, "none of %zu jobs ended in "
			"this period", log->counts.records);
	return 0;
}

int lxfw_import_live(const struct lxfw_command *command,
		     const struct lxfw_import_live *live, struct lxfw_log *log,
		     struct lxfw_cluster *cluster)
{
	const struct lxfw_http_options http = {
		.url = live->url, .ca_file = live->ca_file,
		.allow_http = live->allow_http,
		.timeout = live->timeout ? live->timeout : TIMEOUT_USUAL,
	};
	const struct lxfw_token_options how = {
		.user = live->user, .file = live->token_file,
		.key = live->jwt_key,
	};
	struct lxfw_slurmrestd_period period;
	struct lxfw_slurmrestd *rest = NULL;
	struct lxfw_token *token;
	struct lxfw_error error;
	int result = -1;

	if (take_period(command, live, &period))
		return -1;
	if (live->cluster && !plain_cluster(live->cluster))
		return lxfw_cmd_misuse(command, "--slurm-cluster: not a valid "
				       "cluster name"), -1;
	token = lxfw_token_open(&how, &error);
	if (token)
		rest = lxfw_slurmrestd_open(&http, token, &error);
	if (rest)
		result = fetch(rest, &period, log, &error);
	if (result == 0 && cluster)
		result = lxfw_slurmrestd_nodes(rest, cluster, &error);
	if (result)
		lxfw_cmd_bad(&error);
	lxfw_slurmrestd_close(rest);
	lxfw_token_close(token);
	return result;
}
