/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/cmd.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include <unistd.h>

#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/cmd/present.h"
#include "sim-frontend/util/given.h"
#include "sim-frontend/util/letters.h"
#include "sim-frontend/util/text.h"

/* Seconds between progress lines. */
#define PROGRESS_EVERY 0.2

static void name_help(const struct lxfw_command *command)
{
	fprintf(stderr, "Try 'lxfw %s --help'.\n", command->name);
}

int lxfw_cmd_common(const struct lxfw_command *command, int option)
{
	switch (option) {
	case 'h':
		printf("Usage: lxfw %s [OPTION]... %s\n%s%s%s", command->name,
		       command->arguments, command->help,
		       command->more_help ? command->more_help : "",
		       command->last_help ? command->last_help : "");
		return lxfw_cmd_finish(LXFW_EXIT_DONE);
	case LXFW_OPTION_VERSION:
		printf("lxfw %s\n", PACKAGE_VERSION);
		return lxfw_cmd_finish(LXFW_EXIT_DONE);
	case '?':
	case ':':
		name_help(command);
		return LXFW_EXIT_BAD;
	}
	return -1;
}

/* Prints a message, which may quote anything: paths, options, names from files. Only letters reach
   the terminal, and all at once, since other processes may write there. TEXT is changed. */
static void print_letters(char *text)
{
	size_t letter;

	for (char *at = text; *at; at += letter > 0 ? letter : 1) {
		letter = lxfw_letter(at, strnlen(at, 4));
		if (letter == 0 && *at != '\n' && *at != '\t')
			*at = '?';
	}
	fputs(text, stderr);
}

static void print_message(const char *format, va_list arguments)
	__attribute__((format(printf, 1, 0)));

static void print_message(const char *format, va_list arguments)
{
	char *text;

	if (vasprintf(&text, format, arguments) < 0) {
		fputs("out of memory", stderr);
		return;
	}
	print_letters(text);
	free(text);
}

int lxfw_cmd_misuse(const struct lxfw_command *command, const char *format, ...)
{
	va_list arguments;

	fprintf(stderr, "lxfw %s: ", command->name);
	va_start(arguments, format);
	print_message(format, arguments);
	va_end(arguments);
	putc('\n', stderr);
	name_help(command);
	return LXFW_EXIT_BAD;
}

int lxfw_cmd_bad_value(const struct lxfw_command *command, const char *option,
		       const char *value, const char *expected, ...)
{
	va_list arguments;
	char quoted[40];

	fprintf(stderr, "lxfw %s: --%s '%s', expected ", command->name, option,
		lxfw_text_quote(quoted, sizeof(quoted), value, strlen(value)));
	va_start(arguments, expected);
	vfprintf(stderr, expected, arguments);
	va_end(arguments);
	putc('\n', stderr);
	name_help(command);
	return -1;
}

int lxfw_cmd_bad(const struct lxfw_error *error)
{
	struct lxfw_error printed = *error;

	lxfw_cmd_progress_end();
	print_letters(printed.text);
	putc('\n', stderr);
	return LXFW_EXIT_BAD;
}

void lxfw_cmd_note(const char *format, ...)
{
	va_list arguments;

	lxfw_cmd_progress_end();
	fputs("lxfw: ", stderr);
	va_start(arguments, format);
	print_message(format, arguments);
	va_end(arguments);
	putc('\n', stderr);
}

int lxfw_cmd_finish(int status)
{
	errno = 0;
	if (fflush(stdout) || ferror(stdout)) {
		lxfw_cmd_note("standard output: %s",
			      errno ? strerror(errno) : "write error");
		return LXFW_EXIT_BAD;
	}
	return status;
}

double lxfw_cmd_clock(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static struct {
	int terminal;		/* 0: unknown, 1: yes, -1: no */
	double last;
	bool shown;
} progress;

/* Returns whether a line is due. */
static bool progress_due(void)
{
	double now;

	if (progress.terminal == 0) {
		progress.terminal = isatty(STDERR_FILENO) ? 1 : -1;
		progress.last = lxfw_cmd_clock() + 1 - PROGRESS_EVERY;
	}
	if (progress.terminal < 0)
		return false;
	now = lxfw_cmd_clock();
	if (now - progress.last < PROGRESS_EVERY)
		return false;
	progress.last = now;
	progress.shown = true;
	return true;
}

static double per_cent(size_t done, size_t all)
{
	return all ? 100.0 * (double)done / (double)all : 100.0;
}

void lxfw_cmd_progress(const char *what, size_t done, size_t all)
{
	if (progress_due())
		fprintf(stderr, "\r%s: %zu of %zu jobs (%.0f %%)\033[K", what,
			done, all, per_cent(done, all));
}

void lxfw_cmd_progress_left(const char *what, const char *things, size_t done,
			    size_t all, double left)
{
	if (progress_due())
		fprintf(stderr, "\r%s: %zu of %zu %s (%.0f %%), %.0f %s left"
			"\033[K", what, done, all, things, per_cent(done, all),
			left < 120 ? left : left / 60, left < 120 ? "s" : "min");
}

void lxfw_cmd_progress_end(void)
{
	if (progress.shown)
		fputs("\r\033[K", stderr);
	progress.shown = false;
}

int lxfw_cmd_format(const struct lxfw_command *command, int option,
		    enum lxfw_format *format)
{
	int kind;

	if (option == LXFW_OPTION_JSON) {
		*format = LXFW_FORMAT_JSON;
		return 1;
	}
	if (option != LXFW_OPTION_FORMAT)
		return 0;
	kind = lxfw_cmd_choice(command, "format", optarg, "table|json|csv");
	if (kind < 0)
		return -1;
	*format = (enum lxfw_format)(LXFW_FORMAT_TABLE + kind);
	return 1;
}

/* Names the items of SchedulerParameters that nothing reads. */
static int note_unknown(const struct lxfw_cluster *cluster, const char *description)
{
	char *unknown;

	if (!cluster->parameters)
		return 0;
	unknown = lxfw_parameters_unknown(cluster->parameters);
	if (!unknown) {
		lxfw_cmd_note("out of memory");
		return -1;
	}
	if (*unknown)
		lxfw_cmd_note("%s: SchedulerParameters: neither parameters of Slurm nor of "
			      "sched/lxfw: %s", description, unknown);
	free(unknown);
	return 0;
}

int lxfw_cmd_cluster(struct lxfw_cluster *cluster, const char *description)
{
	struct lxfw_error error;

	if (lxfw_cluster_read(cluster, description, &error)) {
		lxfw_cmd_bad(&error);
		return -1;
	}
	for (size_t i = 0; i < cluster->note_count; i++)
		lxfw_cmd_note("%s: %s", description, cluster->notes[i]);
	return note_unknown(cluster, description);
}

static void note_item(const char *conf, const char *item, const char *instead)
{
	lxfw_cmd_note("%s: %s: %s", conf, item, instead);
}

int lxfw_cmd_machine(struct lxfw_cluster *cluster, const char *description)
{
	if (lxfw_cmd_cluster(cluster, description))
		return -1;
	if (cluster->preempt_type && strcasecmp(cluster->preempt_type, "preempt/none"))
		lxfw_cmd_note("%s: PreemptType=%s: simulations preempt no jobs",
			      description, cluster->preempt_type);
	lxfw_present_note(cluster, note_item, description);
	return 0;
}

void lxfw_cmd_note_zero_run(const char *path, size_t jobs)
{
	if (jobs > 0)
		lxfw_cmd_note("%s: %zu jobs with run time 0 (less than half a "
			      "second) count as 1 s", path, jobs);
}

void lxfw_cmd_note_odd(const char *path, const struct lxfw_odd *odd)
{
	if (odd->count > 0)
		lxfw_cmd_note("%s: %zu odd records left out, the first: %s", path, odd->count,
			      odd->examples[0].text);
}

static int trace_is_read(const struct lxfw_trace *trace, const char *path,
			 int failed, const struct lxfw_error *error)
{
	if (failed)
		lxfw_cmd_bad(error);
	else if (trace->told)
		lxfw_cmd_note("%s: %s", path, trace->told);
	if (!failed) {
		lxfw_cmd_note_odd(path, &trace->odd);
		lxfw_cmd_note_zero_run(path, trace->zero_run);
	}
	return failed;
}

int lxfw_cmd_trace(struct lxfw_trace *trace, const char *path,
		   enum lxfw_trace_memory memory)
{
	struct lxfw_error error;
	int failed = lxfw_trace_read(trace, path, memory, &error);

	return trace_is_read(trace, path, failed, &error);
}

int lxfw_cmd_trace_owners(struct lxfw_trace *trace, const char *path,
			  enum lxfw_trace_memory memory)
{
	struct lxfw_error error;
	int failed = lxfw_trace_read_owners(trace, path, memory, &error);

	return trace_is_read(trace, path, failed, &error);
}

int lxfw_cmd_site_params(struct lxfw_params *params, const char *policy,
			 const char *text, const char *site)
{
	if (policy || text)
		site = NULL;
	if (!policy)
		policy = site ? "lxfw" : "easy";
	return site ? lxfw_cmd_conf_params(params, policy, site) :
		      lxfw_cmd_params(params, policy, text);
}

/* The preset of POLICY, unless it is NULL. */
static int take_policy(struct lxfw_params *params, const char *policy)
{
	if (policy) {
		enum lxfw_policy number =
			lxfw_policy_by_name(policy, (int)strlen(policy));

		if (!number) {
			char quoted[40];

			lxfw_cmd_note("no policy '%s', expected one of %s",
				      lxfw_text_quote(quoted, sizeof(quoted),
						      policy, strlen(policy)),
				      lxfw_policy_names());
			return -1;
		}
		lxfw_params_preset(params, number);
	}
	return 0;
}

int lxfw_cmd_params(struct lxfw_params *params, const char *policy,
		    const char *text)
{
	struct lxfw_error error;

	if (take_policy(params, policy))
		return -1;
	if (lxfw_given_parse(params, text, &error) == 0)
		return 0;
	lxfw_cmd_note("%s", error.text);
	return -1;
}

int lxfw_cmd_conf_params(struct lxfw_params *params, const char *policy,
			 const char *text)
{
	struct lxfw_error error;

	if (take_policy(params, policy))
		return -1;
	if (lxfw_params_parse(params, text, NULL, NULL, &error) == 0)
		return 0;
	lxfw_cmd_note("%s", error.text);
	return -1;
}

int lxfw_cmd_duration(const struct lxfw_command *command, const char *option,
		      const char *text, int64_t *seconds)
{
	if (lxfw_text_duration(text, seconds) == 0)
		return 0;
	return lxfw_cmd_bad_value(command, option, text, "a number of seconds, or "
				  "a number with the suffix s, m, h or d");
}

int lxfw_cmd_length(const struct lxfw_command *command, const char *option,
		    const char *text, int64_t *seconds)
{
	if (lxfw_cmd_duration(command, option, text, seconds))
		return -1;
	if (*seconds > 0)
		return 0;
	lxfw_cmd_misuse(command, "--%s 0, expected a value above 0", option);
	return -1;
}

int lxfw_cmd_integer(const struct lxfw_command *command, const char *option,
		     const char *text, int64_t min, int64_t max, int64_t *value)
{
	if (lxfw_text_integer(text, strlen(text), min, max, value) == 0)
		return 0;
	return lxfw_cmd_bad_value(command, option, text, "a whole number from %"
				  PRId64 " to %" PRId64, min, max);
}

int lxfw_cmd_number(const struct lxfw_command *command, const char *option,
		    const char *text, double min, double max, double *value)
{
	char *end;

	*value = strtod(text, &end);
	if (end != text && *end == '\0' && *value >= min && *value <= max)
		return 0;
	return lxfw_cmd_bad_value(command, option, text,
				  "a number from %.10g to %.10g", min, max);
}

int lxfw_cmd_choice(const struct lxfw_command *command, const char *option,
		    const char *word, const char *names)
{
	const char *at = names;

	for (int i = 0; ; i++) {
		size_t length = strcspn(at, "|");

		if (strlen(word) == length && memcmp(at, word, length) == 0)
			return i;
		if (at[length] == '\0')
			break;
		at += length + 1;
	}
	return lxfw_cmd_bad_value(command, option, word, "%s", names);
}

/* The length of N in "N_[1-5,8%2]", as squeue prints an array that waits; 0: it is not of this
   form. */
static size_t array_length(const char *text)
{
	size_t length = strcspn(text, "_"), tasks;

	if (text[length] != '_' || text[length + 1] != '[')
		return 0;
	tasks = strspn(text + length + 2, "0123456789,-:%.");
	return tasks > 0 && strcmp(text + length + 2 + tasks, "]") == 0 ? length : 0;
}

int lxfw_cmd_job(const struct lxfw_command *command, const char *text, uint64_t *id,
		 int64_t *which)
{
	size_t array = array_length(text);
	/* PBS: "7.server", and "7[3].server" for a task. */
	size_t whole = strcspn(text, "."), length = strcspn(text, "_#[.");
	const char *task = text[length] == '_' || text[length] == '[' ? text + length : NULL;
	const char *same = text[length] == '#' ? text + length : NULL;
	bool bracket = text[length] == '[' && text[whole - 1] == ']';
	size_t rest = whole - length - 1 - bracket, plus = strcspn(text, "+");
	int64_t job, number = 0;

	*which = 0;
	/* A component of a heterogeneous job: their numbers follow each other. */
	if (text[plus] == '+' && lxfw_text_integer(text, plus, 1, UINT32_MAX / 2, &job) == 0 &&
	    lxfw_text_integer(text + plus + 1, strlen(text + plus + 1), 0, LXFW_GROUP_MAX - 1,
			      &number) == 0) {
		*id = (uint64_t)(job + number);
		return 0;
	}
	if (array > 0 && lxfw_text_integer(text, array, 1, UINT32_MAX, &job) == 0) {
		*id = (uint64_t)job;
		return 0;
	}
	if (bracket && rest == 0)	/* "7[].server", an array */
		task = NULL;
	if ((text[length] == '[' && !bracket) ||
	    (same && lxfw_text_integer(same + 1, rest, 1, INT32_MAX, which)) ||
	    lxfw_text_integer(text, length, 1, UINT32_MAX, &job) ||
	    (task && lxfw_text_integer(task + 1, rest, 0, INT32_MAX - 1, &number)))
		return lxfw_cmd_bad_value(command, "job", text, "a job number, "
					  "a job and task number such as 7_3, "
					  "or 7#2 for the second job 7");
	*id = (uint64_t)job;
	if (task)
		*id |= (uint64_t)(number + 1) << 32;
	return 0;
}

int lxfw_cmd_jobs(const struct lxfw_command *command, char **names, int count)
{
	for (int i = 0; i < count; i++) {
		char *name = names[i], plain[64], *end = plain;
		uint64_t id;
		int64_t which;

		if (lxfw_cmd_job(command, name, &id, &which))
			return -1;
		if (strchr(name, '+'))
			continue;
		end += sprintf(end, "%" PRIu64, id & UINT32_MAX);
		if (id >> 32)
			end += sprintf(end, "_%" PRIu64, (id >> 32) - 1);
		if (which > 0)
			sprintf(end, "#%" PRId64, which);
		/* It is not longer than what was given. */
		if (strcmp(plain, name) != 0)
			strcpy(name, plain);
	}
	return 0;
}

int lxfw_cmd_time(const struct lxfw_command *command, const char *option,
		  const char *text, int64_t *time)
{
	static const char *const forms[] = {
		"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d",
	};

	if (lxfw_text_integer(text, strlen(text), 0, LXFW_TIME_MAX, time) == 0)
		return 0;
	for (size_t i = 0; i < sizeof(forms) / sizeof(*forms); i++) {
		struct tm tm = { .tm_isdst = -1 };
		const char *end = strptime(text, forms[i], &tm);
		int day = tm.tm_mday;

		if (!end || *end)
			continue;
		*time = mktime(&tm);
		if (tm.tm_mday == day)
			return 0;
	}
	return lxfw_cmd_bad_value(command, option, text, "seconds, or a local date such "
				  "as 2026-11-25T10:00:00");
}
