/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/site_new.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/site_folder.h"
#include "sim-frontend/predict/squeue.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/text.h"

/* Who would have to wait longer for the next round gets an answer from a look. Seconds. */
#define SOON 600

/* A watch looks once a minute, and a look takes time. Seconds. */
#define UNSEEN 120

#define LISTED_MAX 65536
#define NAMES_MAX 8

/* There is an answer without that of squeue: it is not waited for as long as elsewhere. Seconds. */
#define PATIENCE "5"

/* What squeue shows of a job that is not published. */
enum shown {
	SHOWN_NEW,	/* submitted after the round */
	SHOWN_NOT,	/* it has ended, or there never was such a job */
	SHOWN_OLD,	/* a look may tell more */
	SHOWN_SILENT,	/* squeue has no answer */
};

/* The submission in a line of squeue, if it is of a component with that number, or COMPONENT is NULL. Returns
   -1 if it is not. */
static int64_t submit_of(char *line, const char *component)
{
	char *at = line, *submit = lxfw_squeue_field(&at), *number = lxfw_squeue_field(&at);
	int64_t time;

	if (!submit || (component && !(number && strcmp(number, component) == 0)) ||
	    lxfw_text_integer(submit, strlen(submit), 0, INT64_C(1) << 40, &time))
		return -1;
	return time;
}

static enum shown show_lines(char *output, const char *component, int64_t since)
{
	enum shown shown = SHOWN_NOT;
	char *rest = NULL;

	for (char *line = strtok_r(output, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		int64_t submit = submit_of(line, component);

		if (submit >= since)
			return SHOWN_NEW;
		if (submit >= 0)
			shown = SHOWN_OLD;
	}
	return shown;
}

/* Asks about a job, a task of an array such as "7_3", or a component such as "7+1". */
static enum shown show(const char *name, int64_t since)
{
	size_t length = strspn(name, "0123456789");
	const char *component = name[length] == '+' ? name + length + 1 : NULL;
	char numbers[80], *output = malloc(LISTED_MAX);
	char *arguments[] = {
		LXFW_SLURM_PLAINLY, "SLURM_TIME_FORMAT=%s", "timeout", "-k", "1", PATIENCE, "squeue",
		"--noheader", "--all", "--local", numbers, component ?
		"--Format=submittime:|,hetjoboffset:|" : "--Format=submittime:|", NULL,
	};
	enum shown shown = SHOWN_OLD;
	struct lxfw_error error;

	/* "7_[1-3]" is all of the array. */
	if (name[length] == '_' && strspn(name + length + 1, "0123456789") > 0)
		length += 1 + strspn(name + length + 1, "0123456789");
	snprintf(numbers, sizeof(numbers), "--jobs=%.*s", (int)length, name);
	if (output && lxfw_squeue_ask("squeue", arguments, output, LISTED_MAX, &error))
		shown = strstr(error.text, "Invalid job id") ? SHOWN_NOT : SHOWN_SILENT;
	else if (output)
		shown = show_lines(output, component, since);
	free(output);
	return shown;
}

static void note_new(const struct lxfw_publication *of, const char *name, int64_t now)
{
	char last[LXFW_QUEUE_TIME], next[LXFW_QUEUE_TIME];

	lxfw_cmd_note("job %s was submitted after the last round of %s; the next one is due at %s, "
		      "and has its expected start", name, lxfw_queue_time(of->time, of->time - 1, last),
		      of->next > now ? lxfw_queue_time(of->next, now, next) : "any moment");
}

static void note(const struct lxfw_publication *of, const char *name, enum shown shown, int64_t now)
{
	char age[32];

	if (shown == SHOWN_NEW)
		note_new(of, name, now);
	else if (shown == SHOWN_NOT)
		lxfw_cmd_note("job %s: Slurm shows no such job that waits or runs", name);
	else if (shown == SHOWN_SILENT)
		lxfw_cmd_note("job %s was not in the queue %s ago, and Slurm does not answer", name,
			      lxfw_format_span((double)(now > of->time ? now - of->time : 0), age,
					       sizeof(age)));
}

bool lxfw_cmd_site_is_new(const struct lxfw_publication *of, char *const *names, int count)
{
	int64_t now = (int64_t)time(NULL);
	enum shown shown[NAMES_MAX];
	int lacking = 0;

	if (of->next == 0 || of->next > now + SOON || of->next < now - SOON || of->heard == 0 ||
	    of->heard < now - LXFW_QUEUE_LATE || count > NAMES_MAX)
		return false;
	for (int i = 0; i < count; i++) {
		shown[i] = SHOWN_OLD;
		if (lxfw_publication_lacks(of, names + i, 1) == 1)
			continue;
		/* It did not answer the service. */
		shown[i] = of->answers ? show(names[i], of->time - UNSEEN) : SHOWN_SILENT;
		if (shown[i] == SHOWN_OLD)
			return false;
		lacking++;
	}
	for (int i = 0; i < count; i++)
		note(of, names[i], shown[i], now);
	return lacking > 0;
}

bool lxfw_cmd_are_new(char *const *names, int count)
{
	struct lxfw_publication publication = { 0 };
	bool are = lxfw_cmd_site_read(NULL, &publication) > 0 &&
		   !lxfw_queue_is_outdated(&publication, (int64_t)time(NULL)) &&
		   lxfw_cmd_site_is_new(&publication, names, count);

	lxfw_publication_clear(&publication);
	return are;
}
