/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a user must know of a look to judge expected starts. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/util/grow.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/watch/world.h"

/* Nodes that are off, or boot. */
static void tell_boots(const struct lxfw_watch *watch, void (*note)(const char *text))
{
	int64_t most = 0;
	int32_t count = 0;
	char span[32], text[200];

	for (int32_t i = 0; i < watch->cluster.count; i++) {
		int64_t boot = watch->hosts[i].boot;

		count += boot > 0;
		most = boot > most ? boot : most;
	}
	if (count == 0)
		return;
	snprintf(text, sizeof(text), "%d node%s powered down, or boot%s: a start there counts the "
		 "time until %s up, at most %s", (int)count, count == 1 ? " is" : "s are",
		 count == 1 ? "s" : "", count == 1 ? "it is" : "they are",
		 lxfw_format_span((double)most, span, sizeof(span)));
	note(text);
}

/* Jobs that run without a time limit. */
static void tell_limitless(const struct lxfw_watch *watch, void (*note)(const char *text))
{
	size_t count = 0;
	char text[120];

	for (size_t i = 0; i < watch->count; i++)
		count += watch->jobs[i].is.state == LXFW_WATCHED_RUNNING &&
			 (watch->jobs[i].is.limit == 0 ||
			  watch->jobs[i].is.limit >= LXFW_EXPERIENCE_LIMITLESS);
	if (count == 0)
		return;
	snprintf(text, sizeof(text), "%zu running job%s no time limit: when %s is not known", count,
		 count == 1 ? " has" : "s have", count == 1 ? "it ends" : "they end");
	note(text);
}

/* Slurm says "preempt/none", or from 25.11 on "(null)", if no job is preempted. */
static void tell_preemption(const struct lxfw_watch *watch, void (*note)(const char *text))
{
	static const char by[] = "preempt/";
	struct lxfw_slice type = lxfw_watch_setting(watch, "PreemptType");
	char text[320];

	if (!lxfw_slice_begins(type, by) || lxfw_slice_is(type, "preempt/none") ||
	    type.length > 60)
		return;
	snprintf(text, sizeof(text), "jobs of %s may preempt others here (PreemptType=%.*s): their "
		 "intervals begin now, and those that they preempt begin again or wait longer, which "
		 "is not modelled",
		 lxfw_slice_is(type, "preempt/qos") ? "some QOS" :
		 "partitions with a higher PriorityTier", (int)type.length, type.at);
	note(text);
}

/* Bounds of how many jobs of one kind Slurm's backfill considers, in SchedulerParameters. */
static void tell_bounds(const struct lxfw_watch *watch, void (*note)(const char *text))
{
	static const char *const bounds[] = {
		"bf_max_job_user", "bf_max_job_part", "bf_max_job_assoc", "bf_max_job_user_part",
	};
	struct lxfw_slice left = lxfw_watch_setting(watch, "SchedulerParameters");
	char found[120] = "", text[400];

	while (left.length > 0) {
		size_t length = lxfw_slice_until(left, ','), used = strlen(found);
		struct lxfw_slice word = { left.at, length };
		size_t name = lxfw_slice_until(word, '=');

		for (size_t i = 0; i < sizeof(bounds) / sizeof(*bounds); i++) {
			if (lxfw_slice_is((struct lxfw_slice) { word.at, name }, bounds[i]) &&
			    length > name + 1 && word.at[name + 1] != '0' &&
			    used + length + 3 < sizeof(found))
				sprintf(found + used, "%s%.*s", used ? ", " : "", (int)length,
					word.at);
		}
		length += length < left.length;
		left.at += length;
		left.length -= length;
	}
	if (!*found)
		return;
	snprintf(text, sizeof(text), "Slurm considers only some jobs ahead of their turn here (%s): a "
		 "job behind these for which there is room has no expected start, and others of that "
		 "kind may start later than is said", found);
	note(text);
}

/* root sees them. */
static void tell_private(const struct lxfw_watch *watch, void (*note)(const char *text))
{
	if (geteuid() != 0 && lxfw_watch_configured(watch, "PrivateData", "reservations", false))
		note("Slurm does not show advance reservations here (PrivateData): jobs that would "
		     "overlap one start later than is said");
}

void lxfw_watch_tell(const struct lxfw_watch *watch, void (*note)(const char *text))
{
	tell_boots(watch, note);
	tell_limitless(watch, note);
	tell_preemption(watch, note);
	tell_bounds(watch, note);
	tell_private(watch, note);
}

/* --- what Slurm says of a job ------------------------------------------------------------- */

static int by_job(const void *one, const void *other)
{
	const struct lxfw_watch_said *a = one, *b = other;

	return (a->job > b->job) - (a->job < b->job);
}

/* Appends FROM. */
static void put(const char *from, struct lxfw_watch_said *to)
{
	size_t length = strlen(to->text);

	for (; *from && length + 1 < sizeof(to->text); from++)
		to->text[length++] = isprint((unsigned char)*from) ? *from : '?';
	to->text[length] = '\0';
}

void lxfw_watch_said_sort(struct lxfw_watch_said *said, size_t count)
{
	if (count > 0)
		qsort(said, count, sizeof(*said), by_job);
}

int lxfw_watch_said(const struct lxfw_watch *watch, struct lxfw_watch_said **said, size_t *count)
{
	size_t size = 0;

	*said = NULL;
	*count = 0;
	if (LXFW_GROW(*said, size, watch->count + 1))
		return -1;
	for (size_t i = 0; i < watch->count; i++) {
		const struct lxfw_watched *job = &watch->jobs[i].is;
		struct lxfw_watch_said *to;

		if (!*job->said)
			continue;
		to = &(*said)[(*count)++];
		*to = (struct lxfw_watch_said) { .job = job->id, .planned = job->start };
		put(job->said, to);
		if (strncmp(job->said, "Dependency", strlen("Dependency")) != 0 || !*job->dependency)
			continue;
		put(", ", to);
		put(job->dependency, to);
	}
	lxfw_watch_said_sort(*said, *count);
	return 0;
}

static const struct lxfw_watch_said *find(const struct lxfw_watch_said *said, size_t count,
					  uint64_t job)
{
	const struct lxfw_watch_said key = { .job = job };

	return count > 0 ? bsearch(&key, said, count, sizeof(*said), by_job) : NULL;
}

const char *lxfw_watch_said_of(const struct lxfw_watch_said *said, size_t count, uint64_t job)
{
	const struct lxfw_watch_said *found = find(said, count, job);

	return found && *found->text ? found->text : NULL;
}

int64_t lxfw_watch_planned(const struct lxfw_watch_said *said, size_t count, uint64_t job)
{
	const struct lxfw_watch_said *found = find(said, count, job);

	return found ? found->planned : -1;
}

bool lxfw_watch_said_to_all(const char *text)
{
	/* What follows these are jobs and nodes. */
	static const char *const shown[] = {
		"Dependency, ", "ReqNodeNotAvail, ", "Nodes required for job are ",
		"launch failed requeued held", "job requeued in held state",
	};

	for (size_t i = 0; i < sizeof(shown) / sizeof(*shown); i++) {
		if (strncmp(text, shown[i], strlen(shown[i])) == 0)
			return true;
	}
	/* From 23.02 on, those of the tasks of an array follow each other. */
	while (isalnum((unsigned char)*text) || *text == '_' || *text == ',')
		text++;
	return !*text;
}
