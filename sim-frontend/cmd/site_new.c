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
#include "sim-frontend/util/text.h"

/* Who would have to wait longer for the next round gets an answer from a look. Seconds. */
#define SOON 600

/* A watch looks once a minute, and a look takes time. Seconds. */
#define UNSEEN 120

#define LISTED_MAX 65536
#define NAMES_MAX 8

/* What squeue shows of a job that is not published. */
enum shown {
	SHOWN_NEW,	/* submitted after the round */
	SHOWN_NOT,	/* it has ended, or there never was such a job */
	SHOWN_OLD,	/* or squeue does not answer: a look may tell more */
};

static enum shown show(const char *name, int64_t since)
{
	char numbers[40], *output = malloc(LISTED_MAX), *at = output;
	char *arguments[] = {
		LXFW_SLURM_PLAINLY, "SLURM_TIME_FORMAT=%s", LXFW_SQUEUE_PATIENTLY, "squeue",
		"--noheader", "--all", "--local", numbers, "--Format=submittime:|", NULL,
	};
	enum shown shown = SHOWN_OLD;
	struct lxfw_error error;
	const char *field;
	int64_t submit;

	snprintf(numbers, sizeof(numbers), "--jobs=%.*s", (int)strspn(name, "0123456789"), name);
	if (output && lxfw_squeue_ask("squeue", arguments, output, LISTED_MAX, &error)) {
		if (strstr(error.text, "Invalid job id"))
			shown = SHOWN_NOT;
	} else if (output) {
		field = lxfw_squeue_field(&at);
		if (!*output)
			shown = SHOWN_NOT;
		else if (field && lxfw_text_integer(field, strlen(field), 0, INT64_C(1) << 40,
						    &submit) == 0 && submit >= since)
			shown = SHOWN_NEW;
	}
	free(output);
	return shown;
}

static void note(const struct lxfw_publication *of, const char *name, int64_t now)
{
	char last[LXFW_QUEUE_TIME], next[LXFW_QUEUE_TIME];

	lxfw_cmd_note("job %s was submitted after the last round of %s; the next one is due at %s, "
		      "and has its expected start", name, lxfw_queue_time(of->time, of->time - 1, last),
		      of->next > now ? lxfw_queue_time(of->next, now, next) : "any moment");
}

bool lxfw_cmd_site_is_new(const struct lxfw_publication *of, char *const *names, int count)
{
	int64_t now = (int64_t)time(NULL);
	enum shown shown[NAMES_MAX];
	int lacking = 0;

	if (of->next == 0 || of->next > now + SOON || of->next < now - SOON || of->heard == 0 ||
	    count > NAMES_MAX)
		return false;
	for (int i = 0; i < count; i++) {
		shown[i] = SHOWN_OLD;
		if (lxfw_publication_lacks(of, names + i, 1) == 1)
			continue;
		shown[i] = show(names[i], of->time - UNSEEN);
		if (shown[i] == SHOWN_OLD)
			return false;
		lacking++;
	}
	for (int i = 0; i < count; i++) {
		if (shown[i] == SHOWN_NEW)
			note(of, names[i], now);
		else if (shown[i] == SHOWN_NOT)
			lxfw_cmd_note("job %s: Slurm shows no such job that waits or runs", names[i]);
	}
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
