/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/site_new.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/cmd/cmd.h"
#include "sim-frontend/cmd/site_folder.h"
#include "sim-frontend/publish/shown.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/format.h"

/* Who would have to wait longer for the next round gets an answer from a look. Seconds. */
#define SOON 600

/* A watch looks once a minute, and a look takes time. Seconds. */
#define UNSEEN 120

/* The first of the jobs that a name means, or NULL. */
static const struct lxfw_shown_job *find(const struct lxfw_shown *shown, const char *name)
{
	for (size_t i = 0; i < shown->count; i++) {
		if (lxfw_publication_means(shown->list[i].name, name))
			return &shown->list[i];
	}
	return NULL;
}

static void note_silent(const struct lxfw_publication *of, const char *name, int64_t now)
{
	char age[32];

	lxfw_cmd_note("job %s was not in the queue %s ago, and Slurm does not answer", name,
		      lxfw_format_span((double)(now > of->time ? now - of->time : 0), age, sizeof(age)));
}

#define TEXT_SIZE 200

/* What Slurm knows of a job: "waits (Resources), and Slurm plans its start at 14:30". Returns TEXT. */
static const char *describe(const struct lxfw_shown_job *job, int64_t now, char text[TEXT_SIZE])
{
	char at[LXFW_QUEUE_TIME];

	if (strcmp(job->state, "RUNNING") == 0)
		snprintf(text, TEXT_SIZE, "runs");
	else if (strcmp(job->state, "PENDING") != 0)
		snprintf(text, TEXT_SIZE, "is %s", job->state);
	else if (job->start > 0)
		snprintf(text, TEXT_SIZE, "waits (%s), and Slurm plans its start at %s", job->reason,
			 lxfw_queue_time(job->start, now, at));
	else
		snprintf(text, TEXT_SIZE, "waits (%s), and Slurm plans no start of it yet", job->reason);
	return text;
}

/* Whether a start of the job will be expected: one that runs, is held or waits for others has none. */
static bool will_be_predicted(const struct lxfw_shown_job *job)
{
	static const char *const reasons[] = { "None", "Priority", "Resources", "JobArrayTaskLimit" };

	for (size_t i = 0; i < sizeof(reasons) / sizeof(*reasons); i++) {
		if (strcmp(job->state, "PENDING") == 0 && strcmp(job->reason, reasons[i]) == 0)
			return true;
	}
	return false;
}

/* Of a job that was submitted after the last round. */
static void note_new(const struct lxfw_publication *of, const char *name, const struct lxfw_shown_job *job,
		     int64_t now)
{
	char last[LXFW_QUEUE_TIME], next[LXFW_QUEUE_TIME], text[TEXT_SIZE];
	const char *due = of->next > now ? lxfw_queue_time(of->next, now, next) : "any moment";

	lxfw_queue_time(of->time, of->time - 1, last);
	if (will_be_predicted(job))
		lxfw_cmd_note("job %s was submitted after the last round of %s; the next one is due at "
			      "%s, and has its expected start", name, last, due);
	else
		lxfw_cmd_note("job %s %s; it was submitted after the last round of %s, and the next one is "
			      "due at %s", name, describe(job, now, text), last, due);
}

/* Of a job that is not published. What the service does not see, no round has. */
static void note(const struct lxfw_publication *of, const char *name, const struct lxfw_shown_job *job,
		 int64_t now)
{
	char text[TEXT_SIZE], last[LXFW_QUEUE_TIME];

	if (!job)
		lxfw_cmd_note("job %s: Slurm shows no such job that waits or runs", name);
	else if (of->hidden)
		lxfw_cmd_note("job %s %s; the service that publishes here does not see it (PrivateData), and "
			      "expects no start of it; --slurm takes a look of your own", name,
			      describe(job, now, text));
	else if (job->submit >= of->time - UNSEEN)
		note_new(of, name, job, now);
	else
		lxfw_cmd_note("job %s %s; it is not in what was published at %s", name,
			      describe(job, now, text),
			      lxfw_queue_time(of->time, of->time - 1, last));
}

/* Whether the next round has what this one lacks: the service runs, and sees the present, by a look of its own if
   its watch does not run. */
static bool is_near(const struct lxfw_publication *of, int64_t now)
{
	return lxfw_queue_is_renewed(of, now) && of->next <= now + SOON && of->heard > 0 &&
	       (!of->answers || of->heard >= now - LXFW_QUEUE_LATE || of->look > 0);
}

bool lxfw_cmd_site_is_new(const struct lxfw_publication *of, char *const *names, int count)
{
	int64_t now = (int64_t)time(NULL);
	struct lxfw_shown shown = { NULL };
	struct lxfw_error error;
	char **lacking;
	int lacks = 0;
	bool silent;

	if (!is_near(of, now) || lxfw_publication_lacks(of, names, count) == count)
		return false;
	lacking = malloc((size_t)count * sizeof(*lacking));
	for (int i = 0; lacking && i < count; i++) {
		if (lxfw_publication_lacks(of, names + i, 1) == 0)
			lacking[lacks++] = names[i];
	}
	/* One that did not answer the service is not asked. */
	silent = !of->answers || lxfw_shown_names(&shown, lacking, lacks, &error) != 0;
	for (int i = 0; i < lacks; i++) {
		if (silent)
			note_silent(of, lacking[i], now);
		else
			note(of, lacking[i], find(&shown, lacking[i]), now);
	}
	lxfw_shown_clear(&shown);
	free(lacking);
	return lacks > 0;
}

bool lxfw_cmd_are_new(char *const *names, int count)
{
	struct lxfw_publication publication = { 0 };
	bool are = lxfw_cmd_site_read(NULL, &publication) > 0 &&
		   lxfw_cmd_site_is_new(&publication, names, count);

	lxfw_publication_clear(&publication);
	return are;
}
