/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs of HTCondor: its history files, and the output of condor_history -long and condor_q -long.
 * A job is a ClassAd, with an attribute "NAME = VALUE" in each line, up to a line "*** ..." or an
 * empty line.
 */
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/log_formats.h"
#include "sim-frontend/util/text.h"

/* Of a longer value, only so much is kept. */
#define VALUE_MOST 256

enum attribute {
	CLUSTER, PROC, GLOBAL_ID, UNIVERSE, STATUS, SUBMIT, FIRST_START, LAST_START, COMPLETION,
	ENTERED, LAST_RUN, ALL_RUNS, STARTS, SUSPENDED, JOB_MOST, RUN_MOST, CPUS_GIVEN,
	CPUS_ASKED, MEMORY_GIVEN, MEMORY_ASKED, GPUS_GIVEN, GPUS_ASKED, HOSTS_ASKED, RESIDENT,
	OWNER, USER, GROUP, LAST_HOST, HOST, EXIT_CODE, SIGNALLED, ATTRIBUTES,
};

static const char *const names[ATTRIBUTES] = {
	[CLUSTER] = "ClusterId", [PROC] = "ProcId", [GLOBAL_ID] = "GlobalJobId",
	[UNIVERSE] = "JobUniverse", [STATUS] = "JobStatus", [SUBMIT] = "QDate",
	[FIRST_START] = "JobStartDate", [LAST_START] = "JobCurrentStartDate",
	[COMPLETION] = "CompletionDate", [ENTERED] = "EnteredCurrentStatus",
	[LAST_RUN] = "LastRemoteWallClockTime", [ALL_RUNS] = "RemoteWallClockTime",
	[STARTS] = "NumJobStarts", [SUSPENDED] = "CommittedSuspensionTime",
	[JOB_MOST] = "AllowedJobDuration", [RUN_MOST] = "AllowedExecuteDuration",
	[CPUS_GIVEN] = "CpusProvisioned", [CPUS_ASKED] = "RequestCpus",
	[MEMORY_GIVEN] = "MemoryProvisioned", [MEMORY_ASKED] = "RequestMemory",
	[GPUS_GIVEN] = "GPUsProvisioned", [GPUS_ASKED] = "RequestGPUs",
	[HOSTS_ASKED] = "MaxHosts", [RESIDENT] = "ResidentSetSize", [OWNER] = "Owner",
	[USER] = "User", [GROUP] = "AcctGroup", [LAST_HOST] = "LastRemoteHost",
	[HOST] = "RemoteHost", [EXIT_CODE] = "ExitCode", [SIGNALLED] = "ExitBySignal",
};

/* Values of JobUniverse and JobStatus. */
enum { SCHEDULER = 7, MPI = 8, GRID = 9, PARALLEL = 11, LOCAL = 12 };
enum { REMOVED = 3, COMPLETED = 4 };

struct condor {
	struct lxfw_input *input;
	char values[ATTRIBUTES][VALUE_MOST];	/* of the current ad; empty: none */
	long line;				/* its first line; 0: there is none */
	char id[VALUE_MOST], gres[40];
};

/* --- attributes --------------------------------------------------------------------- */

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Splits "NAME = VALUE". Returns whether the line is an attribute. */
static bool split(const char *line, size_t length, struct lxfw_slice *name,
		  struct lxfw_slice *value)
{
	const char *at = line, *end = line + length;

	while (at < end && is_word(*at))
		at++;
	*name = (struct lxfw_slice) { line, (size_t)(at - line) };
	if (name->length == 0 || isdigit((unsigned char)*line))
		return false;
	while (at < end && *at == ' ')
		at++;
	if (at == end || *at != '=' || (at + 1 < end && at[1] == '='))
		return false;
	at++;
	while (at < end && *at == ' ')
		at++;
	while (end > at && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*value = (struct lxfw_slice) { at, (size_t)(end - at) };
	return true;
}

/* Keeps VALUE without the quotes around a string. */
static void keep(char *to, struct lxfw_slice value)
{
	if (value.length > 1 && *value.at == '"' && value.at[value.length - 1] == '"') {
		value.at++;
		value.length -= 2;
	}
	if (value.length >= VALUE_MOST)
		value.length = VALUE_MOST - 1;
	memcpy(to, value.at, value.length);
	to[value.length] = '\0';
}

static void take_attribute(struct condor *condor, struct lxfw_slice name, struct lxfw_slice value)
{
	for (size_t i = 0; i < ATTRIBUTES; i++) {
		if ((names[i][0] & ~0x20) == (*name.at & ~0x20) &&
		    strlen(names[i]) == name.length &&
		    strncasecmp(names[i], name.at, name.length) == 0)
			keep(condor->values[i], value);
	}
}

/* Returns a number from 0 to MOST without its fraction; -1 if the attribute is absent or an
   expression. */
static int64_t number(const struct condor *condor, enum attribute attribute, int64_t most)
{
	const char *text = condor->values[attribute];
	char *end;
	double value;

	if ((*text < '0' || *text > '9') && *text != '.')
		return -1;
	value = strtod(text, &end);
	return *end == '\0' && isfinite(value) && value >= 0 && value <= (double)most ?
	       (int64_t)value : -1;
}

/* Returns a time; -1 if it is not set (0). */
static int64_t moment(const struct condor *condor, enum attribute attribute)
{
	int64_t time = number(condor, attribute, LXFW_ACCOUNT_TIME_MAX);

	return time > 0 ? time : -1;
}

/* Returns the number of one of two attributes. */
static int64_t either(const struct condor *condor, enum attribute first, enum attribute second)
{
	int64_t value = number(condor, first, INT32_MAX);

	return value > 0 ? value : number(condor, second, INT32_MAX);
}

static struct lxfw_slice text_of(const struct condor *condor, enum attribute attribute)
{
	const char *text = condor->values[attribute];

	return (struct lxfw_slice) { text, strcmp(text, "undefined") == 0 ? 0 : strlen(text) };
}

/* Returns the status; -1: unknown. An ad may lack it, as one of chosen attributes. */
static int64_t status_of(const struct condor *condor)
{
	if (!*condor->values[STATUS] && moment(condor, COMPLETION) > 0)
		return COMPLETED;
	return number(condor, STATUS, INT32_MAX);
}

/* --- jobs --------------------------------------------------------------------------- */

/* Returns the end of the last run of a job that was removed, which may have been idle or held
   before. */
static int64_t end_of_removed(const struct condor *condor, int64_t start, int64_t removed)
{
	int64_t run = number(condor, LAST_RUN, LXFW_ACCOUNT_TIME_MAX);

	if (run < 0 && number(condor, STARTS, INT32_MAX) == 1)
		run = number(condor, ALL_RUNS, LXFW_ACCOUNT_TIME_MAX);
	return start >= 0 && run > 0 && start + run < removed ? start + run : removed;
}

static void read_times(const struct condor *condor, struct lxfw_account *account)
{
	int64_t status = status_of(condor), suspended, span;

	account->submit = moment(condor, SUBMIT);
	account->start = moment(condor, LAST_START);
	if (account->start < 0)
		account->start = moment(condor, FIRST_START);
	account->over = status == COMPLETED || status == REMOVED;
	account->limit = moment(condor, JOB_MOST);
	if (account->limit < 0)
		account->limit = moment(condor, RUN_MOST);
	if (account->limit > LXFW_ACCOUNT_NO_LIMIT)
		account->limit = LXFW_ACCOUNT_NO_LIMIT;
	if (!account->over)
		return;
	account->end = status == COMPLETED ? moment(condor, COMPLETION) : -1;
	if (account->end < 0)
		account->end = end_of_removed(condor, account->start, moment(condor, ENTERED));
	account->over = account->end >= 0;
	span = account->end - account->start;
	if (account->start < 0 || span < 0)
		return;
	suspended = number(condor, SUSPENDED, LXFW_ACCOUNT_TIME_MAX);
	account->suspended = suspended <= 0 ? 0 : suspended < span ? suspended : span;
	account->run = span - account->suspended;
}

static void read_amounts(struct condor *condor, struct lxfw_account *account)
{
	int64_t universe = number(condor, UNIVERSE, INT32_MAX), hosts = 1;
	int64_t cpus = either(condor, CPUS_GIVEN, CPUS_ASKED);
	int64_t mb = either(condor, MEMORY_GIVEN, MEMORY_ASKED);
	int64_t gpus = either(condor, GPUS_GIVEN, GPUS_ASKED);
	int64_t resident = number(condor, RESIDENT, LXFW_ACCOUNT_MEMORY_MAX_KB);

	if (universe == PARALLEL || universe == MPI)
		hosts = number(condor, HOSTS_ASKED, INT32_MAX);
	hosts = hosts > 1 ? hosts : 1;
	cpus = cpus > 0 ? cpus : 1;
	account->procs = cpus > INT32_MAX / hosts ? INT32_MAX : cpus * hosts;
	account->hosts = hosts;
	account->memory_kb = mb > 0 ? lxfw_account_memory(lxfw_account_memory(1024, mb), hosts) : 0;
	account->used_memory_kb = resident > 0 ? resident : -1;
	if (gpus > 0) {
		gpus = gpus > INT32_MAX / hosts ? INT32_MAX : gpus * hosts;
		snprintf(condor->gres, sizeof(condor->gres), "gres/gpu=%" PRId64, gpus);
		account->gres = (struct lxfw_slice) { condor->gres, strlen(condor->gres) };
	}
}

/* Sets the host: what follows the last "@" in "slot1_2@node7", or in "slot1@glidein_3_5@node7" of a
   pilot job. */
static void read_host(const struct condor *condor, struct lxfw_account *account)
{
	struct lxfw_slice host = text_of(condor, LAST_HOST);
	const char *at;

	if (host.length == 0)
		host = text_of(condor, HOST);
	at = host.length ? memrchr(host.at, '@', host.length) : NULL;
	if (at) {
		host.length -= (size_t)(at + 1 - host.at);
		host.at = at + 1;
	}
	if (account->hosts == 1)
		account->host_list = host;
}

static void read_names(struct condor *condor, struct lxfw_account *account)
{
	account->user = text_of(condor, OWNER);
	if (account->user.length == 0) {
		account->user = text_of(condor, USER);
		account->user.length = lxfw_slice_until(account->user, '@');
	}
	account->group = text_of(condor, GROUP);
	account->number = number(condor, CLUSTER, INT64_MAX / 2);
	account->id = text_of(condor, GLOBAL_ID);
	if (account->id.length > 0)
		return;
	snprintf(condor->id, sizeof(condor->id), "%.100s.%.100s", condor->values[CLUSTER],
		 condor->values[PROC]);
	account->id = (struct lxfw_slice) { condor->id, strlen(condor->id) };
}

static void read_status(const struct condor *condor, struct lxfw_account *account)
{
	int64_t status = status_of(condor);
	const char *code = condor->values[EXIT_CODE];
	bool failed = strcasecmp(condor->values[SIGNALLED], "true") == 0 ||
		      (*code && strcmp(code, "0") != 0 && strcmp(code, "undefined") != 0);

	account->status = status == REMOVED ? LXFW_ACCOUNT_CANCELLED :
			  failed ? LXFW_ACCOUNT_FAILED : LXFW_ACCOUNT_COMPLETED;
}

/* Reads the ad. Returns 1, 0 if the job needs no slot, or LXFW_ODD_RECORD. */
static int read_ad(struct condor *condor, struct lxfw_account *account, struct lxfw_odd *odd)
{
	int64_t universe = number(condor, UNIVERSE, INT32_MAX);
	const char *wrong;

	/* a job that runs on the host of its schedd, such as DAGMan, or in another system */
	if (universe == SCHEDULER || universe == LOCAL || universe == GRID)
		return 0;
	read_names(condor, account);
	read_times(condor, account);
	wrong = account->number < 0 ? "an ad without ClusterId, expected that of a job" :
		account->submit < 0 ? "no QDate, expected seconds since 1970" :
				      lxfw_account_check_times(account);
	if (wrong)
		return lxfw_odd_add(odd, condor->input, condor->line, "%s", wrong);
	read_amounts(condor, account);
	read_host(condor, account);
	read_status(condor, account);
	return 1;
}

/* --- the reader --------------------------------------------------------------------- */

/* Matches the line after an ad in the history of epochs: a job has an ad for each of its runs,
   which does not tell how the job ended. */
static bool is_epoch(const char *line, size_t length)
{
	static const char epoch[] = "*** EPOCH ";

	return length >= sizeof(epoch) && memcmp(line, epoch, sizeof(epoch) - 1) == 0;
}

/* Reads the lines of an ad. Returns 1, 0 at the end, LXFW_ODD_RECORD for an odd line, or -1. */
static int read_lines(struct condor *condor, struct lxfw_odd *odd, struct lxfw_error *error)
{
	struct lxfw_slice name, value;
	char *line;
	size_t length;
	int got;

	for (size_t i = 0; i < ATTRIBUTES && condor->line == 0; i++)
		condor->values[i][0] = '\0';
	while ((got = lxfw_input_line(condor->input, &line, &length, error)) > 0) {
		bool end = length == 0 || (length >= 3 && memcmp(line, "***", 3) == 0);

		if (end && is_epoch(line, length))
			return lxfw_error_at(error, lxfw_input_path(condor->input),
					     lxfw_input_line_number(condor->input),
					     "an ad of the history of epochs, which are runs, "
					     "expected the output of condor_history -long");
		if (end && condor->line > 0)
			return 1;
		/* condor_q begins with the name of the schedd */
		if (end || (length >= 2 && memcmp(line, "--", 2) == 0))
			continue;
		if (!split(line, length, &name, &value))
			return lxfw_odd_add(odd, condor->input, 0, "no attribute of a ClassAd, "
					    "expected NAME = VALUE");
		if (condor->line == 0)
			condor->line = lxfw_input_line_number(condor->input);
		take_attribute(condor, name, value);
	}
	return got < 0 ? -1 : condor->line > 0;
}

static int next(void *state, struct lxfw_account *account, struct lxfw_account_counts *counts,
		struct lxfw_error *error)
{
	struct condor *condor = state;
	int got;

	while ((got = read_lines(condor, &counts->odd, error)) == 1) {
		lxfw_account_clear(account);
		got = read_ad(condor, account, &counts->odd);
		condor->line = 0;
		counts->records += got != LXFW_ODD_RECORD;
		counts->notes += got == 0;
		if (got == 1)
			*(account->over ? &counts->jobs : &counts->not_over) += 1;
		if (got)
			return got;
	}
	return got;
}

static void *open_condor(struct lxfw_input *input, const struct lxfw_account_options *options,
			 struct lxfw_error *error)
{
	struct condor *condor = calloc(1, sizeof(*condor));

	(void)options;		/* times are seconds since 1970 */
	if (!condor)
		lxfw_error_system(error, lxfw_input_path(input));
	else
		condor->input = input;
	return condor;
}

static void close_condor(void *state)
{
	free(state);
}

/* Matches "Name = value", and the line after an ad in a history file. */
static bool is_condor(const char *line, size_t length)
{
	static const char end[] = "*** Offset = ";
	struct lxfw_slice name, value;

	if (length >= sizeof(end) && memcmp(line, end, sizeof(end) - 1) == 0)
		return true;
	return length > 0 && *line >= 'A' && *line <= 'Z' &&
	       split(line, length, &name, &value) && value.length > 0 &&
	       line[name.length] == ' ' && value.at[-1] == ' ';
}

static int hosts(const struct lxfw_account *account, lxfw_account_host_fn *host, void *context)
{
	char name[VALUE_MOST];

	if (account->host_list.length == 0 || account->host_list.length >= sizeof(name))
		return 0;
	memcpy(name, account->host_list.at, account->host_list.length);
	name[account->host_list.length] = '\0';
	return host(context, &(struct lxfw_account_host) {
		.name = name, .procs = account->procs, .memory_kb = -1, .gpus = -1 });
}

const struct lxfw_log_format lxfw_log_htcondor = {
	.name = "htcondor",
	.recognizes = is_condor,
	.open = open_condor,
	.close = close_condor,
	.next = next,
	.hosts = hosts,
};
