/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/publish/shown.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/util/text.h"

/* The reason is the last one: it may contain anything. */
#define FORMAT "--Format=jobarrayid:|,username:|,partition:|,state:|,submittime:|,starttime:|,numcpus:|,reason:|"
enum { NAME, USER, PARTITION, STATE, SUBMIT, START, PROCS, FIELDS };

/* There is an answer without that of squeue: it is not waited for as long as elsewhere. Seconds. */
#define PATIENCE "5"

/* Output that is read, and an argument, which Linux limits to 128 KiB. Bytes. */
#define OUTPUT_MAX (64 << 20)
#define ARGUMENT_MAX 100000

#define JOBS "--jobs="

void lxfw_shown_clear(struct lxfw_shown *shown)
{
	free(shown->list);
	*shown = (struct lxfw_shown) { NULL };
}

static void copy(char *to, size_t size, const char *text)
{
	lxfw_text_quote(to, size, text, strlen(text));
}

/* "N/A" is none. */
static int64_t number_of(const char *text)
{
	int64_t number;

	return lxfw_text_integer(text, strlen(text), 0, INT64_C(1) << 40, &number) ? 0 : number;
}

/* Returns 0, or -1 with errno ENOMEM. */
static int take_line(struct lxfw_shown *to, char *line)
{
	struct lxfw_shown_job *job;
	char *fields[FIELDS], *at = line;
	size_t length;
	int i = 0;

	while (i < FIELDS && (fields[i] = lxfw_squeue_field(&at)))
		i++;
	length = strlen(at);
	if (i < FIELDS || length == 0 || at[length - 1] != '|' || lxfw_squeue_id("1", fields[NAME]) == 0)
		return 0;
	at[length - 1] = '\0';
	if (LXFW_GROW(to->list, to->size, to->count + 1))
		return -1;
	job = &to->list[to->count++];
	*job = (struct lxfw_shown_job) {
		.submit = number_of(fields[SUBMIT]), .start = number_of(fields[START]),
		.procs = number_of(fields[PROCS]),
	};
	copy(job->name, sizeof(job->name), fields[NAME]);
	copy(job->user, sizeof(job->user), fields[USER]);
	/* Of several partitions, the first one. */
	fields[PARTITION][strcspn(fields[PARTITION], ",")] = '\0';
	copy(job->partition, sizeof(job->partition), fields[PARTITION]);
	copy(job->state, sizeof(job->state), fields[STATE]);
	copy(job->reason, sizeof(job->reason), at);
	return 0;
}

int lxfw_shown_take(struct lxfw_shown *to, char *output)
{
	char *rest = NULL;

	for (char *line = strtok_r(output, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (take_line(to, line))
			return -1;
	}
	return 0;
}

/* WHICH is an option of squeue. */
static int ask(struct lxfw_shown *to, char *which, struct lxfw_error *error)
{
	char *arguments[] = {
		LXFW_SLURM_PLAINLY, "SLURM_BITSTR_LEN=0", "SLURM_TIME_FORMAT=%s", "timeout", "-k", "1",
		PATIENCE, "squeue", "--noheader", "--all", "--local", which, FORMAT, NULL,
	};
	char *output = malloc(OUTPUT_MAX);
	int failed;

	if (!output) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	failed = lxfw_squeue_ask("squeue", arguments, output, OUTPUT_MAX, error);
	/* Of one job that there is not. */
	if (failed && errno == EIO && strstr(error->text, "Invalid job")) {
		free(output);
		return 0;
	}
	if (!failed && lxfw_shown_take(to, output)) {
		lxfw_error_set(error, "out of memory");
		failed = -1;
	}
	free(output);
	return failed;
}

/* Adds the number of a job, with that of its task: "7_3". The number alone stands for "7_[1-3]", "7+1" and
   "7#2". Returns false if there is no place. */
static bool add_name(char *list, const char *name)
{
	size_t used = strlen(list), digits = strspn(name, "0123456789"), task = 0;

	if (name[digits] == '_')
		task = strspn(name + digits + 1, "0123456789");
	if (task > 0)
		digits += 1 + task;
	if (used + digits + 2 > ARGUMENT_MAX)
		return false;
	sprintf(list + used, "%s%.*s", used > sizeof(JOBS) - 1 ? "," : "", (int)digits, name);
	return true;
}

int lxfw_shown_names(struct lxfw_shown *to, char *const *names, int count, struct lxfw_error *error)
{
	char *list = malloc(ARGUMENT_MAX);
	int failed;

	if (!list) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	strcpy(list, JOBS);
	for (int i = 0; i < count; i++) {
		/* All jobs, then. */
		if (!add_name(list, names[i])) {
			strcpy(list, "--array-unique");
			break;
		}
	}
	failed = ask(to, list, error);
	free(list);
	return failed;
}

int lxfw_shown_user(struct lxfw_shown *to, const char *user, struct lxfw_error *error)
{
	char which[LXFW_PUBLICATION_NAME + 16];

	/* A comma would make it two users. */
	if (strchr(user, ',') ||
	    snprintf(which, sizeof(which), "--user=%s", user) >= (int)sizeof(which))
		return 0;
	return ask(to, which, error);
}
