/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/why_words.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/report/slurm_reasons.h"

/* --- times ---------------------------------------------------------------------------- */

void lxfw_why_put_time(const struct lxfw_why *why, int64_t second, FILE *out)
{
	time_t time = (time_t)second;
	char text[32];
	struct tm tm;

	if (second == LXFW_NEVER)
		fputs("never", out);
	else if (!why->dates || time != second || !localtime_r(&time, &tm) ||
		 strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		fprintf(out, "%" PRId64, second);
	else
		fputs(text, out);
}

void lxfw_why_put_span(int64_t seconds, FILE *out)
{
	int64_t days = seconds / 86400, hours = seconds / 3600 % 24;

	if (seconds < 60) {
		fprintf(out, "%" PRId64 "s", seconds);
		return;
	}
	if (days > 0)
		fprintf(out, "%" PRId64 "-%02d:", days, (int)hours);
	else if (hours > 0)
		fprintf(out, "%d:", (int)hours);
	fprintf(out, days > 0 || hours > 0 ? "%02d:%02d" : "%d:%02d",
		(int)(seconds / 60 % 60), (int)(seconds % 60));
}

void lxfw_why_put_distance(const struct lxfw_why *why, int64_t second, FILE *out)
{
	if (second > why->now) {
		fputs("in ", out);
		lxfw_why_put_span(second - why->now, out);
		fputs(", ", out);
	}
	fputs("at ", out);
	lxfw_why_put_time(why, second, out);
}

/* --- reasons -------------------------------------------------------------------------- */

/* %s is the place of what a limit counts. */
static const char *const ineligible[] = {
	"the workload manager does not permit its start",
	"its user holds it",
	"an operator or the workload manager holds it",
	"the workload manager holds it, because no hosts can run it",
	"it is held, because it failed to start or was requeued too often",
	"it depends on other jobs",
	"it depends on other jobs in a way that cannot be met any more",
	"its begin time has not come",
	"a limit of its user, group, project or queue%s is reached",
	"a limit of its QOS%s is reached",
	"a limit of its account or user%s is reached",
	"its array may not run more tasks at a time",
	"it exceeds a limit of its partition or queue",
	"its account or QOS does not permit its start",
	"its licenses are in use",
	"its partition or queue starts no jobs",
	"it is dedicated time, or not the time of its queue",
	"its advance reservation has not begun, or is gone",
	"its burst buffer or its files are not ready",
	"its last run is being cleaned up",
	"its priority is too low for a start",
	"another job that starts with it is not eligible",
	"it could not end before its deadline",
	"it changed when it was to start, and is examined again",
	"it has not been examined yet",
	"the scheduler cannot represent its request",
	"another cluster or scheduler has it",
	"it requests more memory than its partition or queue permits",
	"it requests what its partition or queue does not have, or does not permit",
};

static const char *const left[] = {
	"the scheduler cannot schedule it",
	"it requests consecutive hosts",
	"it requests a number of network switches",
	"it uses an advance reservation",
	"it requests a burst buffer",
	"it requests cores for the system",
	"it enlarges another job",
	"it requests a choice or a number of preferred features",
	"it starts together with others, and the scheduler cannot schedule all of them",
	"a limit counts the hosts that it would share",
	"the scheduler cannot represent its request",
	"according to the scheduler it fits nowhere",
	"its starts on the chosen hosts were refused repeatedly",
	"the workload manager has preempted jobs for it",
	"it shares hosts with other jobs of its user only, which is not modelled",
};

static const char *const refused[] = {
	"for a limit or another cause apart from the hosts",
	"less was free on its hosts than the decision assumed",
	"its hosts were being cleaned up after other jobs",
	"it could not start on the chosen hosts",
	"its licenses were in use",
	"another job that starts with it could not start",
	"jobs could not be preempted for it",
	"it could not have a quantum then",
	"it did not start in time",
	"another scheduler starts the jobs",
	"a limit of its user, account or QOS was reached",
	"another cluster had it",
};

#define COUNT(list) ((int)(sizeof(list) / sizeof(*(list))))

_Static_assert(COUNT(ineligible) == LXFW_REASON_QUEUE_UNFIT - LXFW_REASON_OTHER + 1, "words");
_Static_assert(COUNT(left) == LXFW_REASON_LEFT_USER - LXFW_REASON_LEFT + 1, "words");
_Static_assert(COUNT(refused) == LXFW_REASON_REFUSED_ELSEWHERE - LXFW_REASON_REFUSED + 1, "words");

static const char *words_of(enum lxfw_reason reason)
{
	switch (lxfw_reason_part((int)reason)) {
	case LXFW_REASONS_INELIGIBLE:
		return ineligible[reason - LXFW_REASON_OTHER];
	case LXFW_REASONS_LEFT:
		return left[reason - LXFW_REASON_LEFT];
	case LXFW_REASONS_REFUSED:
		return refused[reason - LXFW_REASON_REFUSED];
	default:
		return "the reason is not recorded";
	}
}

static const char *limited_words(enum lxfw_limited limited)
{
	static const char *const words[LXFW_LIMITEDS] = {
		"", " on jobs", " on processors", " on memory", " on hosts", " on GPUs or other generic resources",
		" on licenses", " on run time", "",
	};

	return words[limited];
}

void lxfw_why_put_reason(enum lxfw_reason reason, enum lxfw_limited limited, FILE *out)
{
	const char *words = words_of(reason), *place = strstr(words, "%s");

	if (!place) {
		fputs(words, out);
		return;
	}
	fwrite(words, 1, (size_t)(place - words), out);
	fputs(limited_words(limited), out);
	fputs(place + 2, out);
}

const char *lxfw_why_end(enum lxfw_reason reason)
{
	static const struct {
		enum lxfw_reason reason;
		const char *end;
	} ends[] = {
		{ LXFW_REASON_HELD_BY_USER, "its user or an operator releases it" },
		{ LXFW_REASON_HELD, "an operator releases it" },
		{ LXFW_REASON_HELD_NO_HOSTS, "its request or the hosts change" },
		{ LXFW_REASON_HELD_FAILED, "an operator releases it" },
		{ LXFW_REASON_DEPENDENCY, "the other jobs are in the state that it requests" },
		{ LXFW_REASON_DEPENDENCY_NEVER, "its dependencies change" },
		{ LXFW_REASON_LIMIT, "less is in use, or the limit changes" },
		{ LXFW_REASON_LIMIT_QOS, "less is in use, or the limit changes" },
		{ LXFW_REASON_LIMIT_ACCOUNT, "less is in use, or the limit changes" },
		{ LXFW_REASON_LIMIT_TASKS, "a task of its array ends" },
		{ LXFW_REASON_LICENSES, "enough of its licenses are free" },
		{ LXFW_REASON_QUEUE_STOPPED, "an operator lets its partition or queue start jobs" },
	};

	for (int i = 0; i < COUNT(ends); i++) {
		if (ends[i].reason == reason)
			return ends[i].end;
	}
	return NULL;
}

static bool is_usual(const char *said)
{
	static const char *const usual[] = { "None", "Priority", "Resources", "Licenses" };

	for (int i = 0; i < COUNT(usual); i++) {
		if (strcmp(said, usual[i]) == 0)
			return true;
	}
	return false;
}

bool lxfw_why_has_said(const struct lxfw_why *why)
{
	return why->said && !is_usual(why->said);
}

void lxfw_why_put_said(const struct lxfw_why *why, FILE *out)
{
	const char *help;

	if (!lxfw_why_has_said(why))
		return;
	help = lxfw_slurm_reason_help(why->said);
	fprintf(out, "Slurm says: %s.%s%s\n", why->said, help ? " " : "", help ? help : "");
}

/* Seconds: Slurm plans in whole minutes. */
#define SOON 60

bool lxfw_why_is_planned_later(const struct lxfw_why *why)
{
	return why->possible && why->expected <= why->now && why->planned > why->now + SOON;
}

bool lxfw_why_is_passed_over(const struct lxfw_why *why)
{
	return why->possible && why->expected <= why->now && *why->passed_over;
}

/* --- resources ----------------------------------------------------------------------- */

/* Prints a limit of processors that is counted by an extra: "partition:p" (MaxCPUsPerNode), and
   "without:gpu" (RestrictedCoresPerGPU). Returns whether the name is one. */
static bool put_limit(const char *name, FILE *out)
{
	static const char partition[] = "partition:";

	if (strncmp(name, partition, sizeof(partition) - 1) == 0) {
		fprintf(out, ", of those that partition %s may use on a host",
			name + sizeof(partition) - 1);
		return true;
	}
	if (strcmp(name, "without:gpu") != 0)
		return false;
	fputs(", of those that are not kept for jobs with GPUs", out);
	return true;
}

/* Prints ", 2 GPUs a100" or ", 2 of fpga". A name of a type has a colon. */
static void put_extra(int32_t amount, const char *name, FILE *out)
{
	const char *gpus[] = { "gpu", "ngpus" };

	if (put_limit(name, out))
		return;

	for (int i = 0; i < COUNT(gpus); i++) {
		size_t length = strlen(gpus[i]);

		if (strncmp(name, gpus[i], length) != 0 ||
		    (name[length] != '\0' && name[length] != ':'))
			continue;
		fprintf(out, ", %" PRId32 " GPU%s", amount, amount == 1 ? "" : "s");
		if (name[length] == ':')
			fprintf(out, " %s", name + length + 1);
		return;
	}
	fprintf(out, ", %" PRId32 " of %s", amount, name);
}

/* What the request has of the types of a kind: it is counted with the kind as well. */
static int32_t of_types(const struct lxfw_resources *sum, const struct lxfw_extra_names *names,
			const char *kind)
{
	size_t length = strlen(kind);
	int32_t count = 0;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		const char *name = names->name[i];

		if (name && strncmp(name, kind, length) == 0 && name[length] == ':')
			count += sum->extras[i];
	}
	return count;
}

void lxfw_why_put_extras(const struct lxfw_resources *sum,
			 const struct lxfw_extra_names *names, FILE *out)
{
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++) {
		const char *name = names ? names->name[i] : NULL;
		int32_t amount = sum->extras[i];

		if (name)
			amount -= of_types(sum, names, name);
		if (amount <= 0)
			continue;
		if (name)
			put_extra(amount, name, out);
		else if (names && (names->gpus >> i & 1))
			put_extra(amount, "gpu", out);
		else
			fprintf(out, ", %" PRId32 " of a resource without a recorded name",
				amount);
	}
}
