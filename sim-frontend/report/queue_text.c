/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/model/time.h"
#include "sim-frontend/report/expected.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/letters.h"

#define WEEK_PART (6 * 86400)
#define MINUTE 60

const char *lxfw_queue_time(int64_t time, int64_t now, char text[LXFW_QUEUE_TIME])
{
	time_t seconds = (time_t)time, present = (time_t)now;
	struct tm tm, today;
	const char *format = "%F %H:%M";

	if (time <= now)
		return strcpy(text, "now");
	if (time == LXFW_NEVER || !localtime_r(&seconds, &tm) || !localtime_r(&present, &today))
		return strcpy(text, "later");
	if (tm.tm_year == today.tm_year && tm.tm_yday == today.tm_yday)
		format = "%H:%M";
	else if (time < now + WEEK_PART)
		format = "%a %H:%M";
	if (strftime(text, LXFW_QUEUE_TIME, format, &tm) == 0)
		strcpy(text, "later");
	return text;
}

const char *lxfw_queue_span(int64_t low, int64_t high, int64_t now,
			    char text[2 * LXFW_QUEUE_TIME])
{
	char from[LXFW_QUEUE_TIME], to[LXFW_QUEUE_TIME];

	lxfw_queue_time(low, now, from);
	lxfw_queue_time(high, now, to);
	if (low <= now && high == LXFW_NEVER)
		return strcpy(text, "not known");
	if (high <= now)
		return strcpy(text, "now");
	if (low == LXFW_NEVER)
		return strcpy(text, "later");
	if (low <= now)
		snprintf(text, 2 * LXFW_QUEUE_TIME, "by %s", to);
	else if (high == LXFW_NEVER)
		snprintf(text, 2 * LXFW_QUEUE_TIME, "after %s", from);
	else
		snprintf(text, 2 * LXFW_QUEUE_TIME, "%s - %s", from, to);
	return text;
}

struct lxfw_queue_counts lxfw_queue_counts(const struct lxfw_publication *publication)
{
	return (struct lxfw_queue_counts) {
		.waiting = lxfw_publication_count(publication, LXFW_PUBLISHED_WAITING),
		.kept = lxfw_publication_count(publication, LXFW_PUBLISHED_KEPT),
		.running = lxfw_publication_count(publication, LXFW_PUBLISHED_RUNNING),
	};
}

/* Whether `lxfw watch` has had no answer for a while, or lately if there was none since. */
static bool is_silent(const struct lxfw_publication *publication, int64_t now)
{
	int64_t since = publication->answers ? LXFW_QUEUE_SILENT : MINUTE;

	return publication->heard > 0 && now - publication->heard > since;
}

bool lxfw_queue_is_outdated(const struct lxfw_publication *publication, int64_t now)
{
	return (publication->until > 0 && now > publication->until) ||
	       publication->time > now + LXFW_QUEUE_SILENT ||
	       (publication->answers && is_silent(publication, now));
}

bool lxfw_queue_is_renewed(const struct lxfw_publication *publication, int64_t now)
{
	return publication->next > now - LXFW_QUEUE_SILENT &&
	       publication->time <= now + LXFW_QUEUE_SILENT;
}

bool lxfw_queue_is_old(const struct lxfw_publication *publication, int64_t now)
{
	return lxfw_queue_is_outdated(publication, now) || is_silent(publication, now);
}

const char *lxfw_queue_quality(const struct lxfw_publication_quality *quality, char *text,
			       size_t size)
{
	char error[32];
	int used;

	text[0] = '\0';
	if (quality->predictions == 0)
		return text;
	if (quality->error >= (double)LXFW_NEVER)
		snprintf(error, sizeof(error), "two weeks or more");
	else
		lxfw_format_span(quality->error, error, sizeof(error));
	used = snprintf(text, size, "Of %lld earlier predictions for %lld jobs, half were wrong by at most "
			"%s, and %.0f %% by at most 10 minutes",
			(long long)quality->predictions, (long long)quality->jobs, error,
			100 * quality->near);
	if (quality->states[1] > 0 && used > 0 && (size_t)used < size)
		snprintf(text + used, size - (size_t)used, "; %.0f %% of the starts were in the "
			 "interval of 50 %%, and %.0f %% in that of 90 %%", 100 * quality->inside[0],
			 100 * quality->inside[1]);
	return text;
}

/* --- text ------------------------------------------------------------------------- */

/* Columns that fit what is in them. */
struct widths {
	int job, user, partition;
};

static void widen(int *width, const char *text)
{
	int columns = lxfw_letters_columns(text);

	if (columns > *width)
		*width = columns;
}

static void put_name(const char *text, int width, FILE *out)
{
	const char *shown = *text ? text : "-";

	fprintf(out, " %-*s", lxfw_letters_width(shown, INT_MAX, width), shown);
}

/* Times of an old state are those of then. */
static int64_t reading_time(const struct lxfw_queue_view *view)
{
	return lxfw_queue_is_old(view->of, view->now) ? view->of->time : view->now;
}

/* What all rows begin with. */
static void put_job(const struct lxfw_queue_view *view, const struct widths *widths,
		    const struct lxfw_publication_job *job, FILE *out)
{
	char limit[32], waited[32], position[16];
	int64_t since = job->state == LXFW_PUBLISHED_RUNNING ? job->start : job->submit;
	int64_t now = reading_time(view);

	snprintf(position, sizeof(position), "%lld", (long long)job->position);
	fprintf(out, "%4s", job->position > 0 ? position : "");
	put_name(job->name, widths->job, out);
	if (view->users)
		put_name(job->user, widths->user, out);
	put_name(job->partition, widths->partition, out);
	if (job->procs > 0)
		fprintf(out, " %6lld", (long long)job->procs);
	else
		fprintf(out, " %6s", "-");
	fprintf(out, " %7s %7s", job->limit > 0 ?
		lxfw_format_span((double)job->limit, limit, sizeof(limit)) : "-",
		since > 0 && since <= now ?
		lxfw_format_span((double)(now - since), waited, sizeof(waited)) : "-");
}

static void put_waiting(const struct lxfw_queue_view *view,
			const struct lxfw_publication_job *job, FILE *out)
{
	char start[LXFW_QUEUE_TIME], span[2 * LXFW_QUEUE_TIME + LXFW_PUBLICATION_NAME];
	int64_t now = reading_time(view);

	/* That all futures agree is no reason to be sure where nothing was learned. */
	lxfw_queue_span(job->times[LXFW_TOLD_LOW90], job->times[LXFW_TOLD_HIGH90], now, span);
	if (!view->of->states[1] && job->times[LXFW_TOLD_HIGH90] > now)
		strcpy(span, "not known");
	if (*job->obstacle)
		snprintf(span, sizeof(span), "%s", job->obstacle);
	fprintf(out, "  %-16s  %s\n", lxfw_queue_time(job->times[LXFW_TOLD_START], now, start),
		span);
}

static void put_running(const struct lxfw_queue_view *view,
			const struct lxfw_publication_job *job, FILE *out)
{
	char end[LXFW_QUEUE_TIME], latest[LXFW_QUEUE_TIME];
	int64_t now = reading_time(view);

	/* Its limit stands still. */
	if (job->procs == 0) {
		fputs("  is suspended\n", out);
		return;
	}
	fputs("  runs", out);
	if (job->end != LXFW_NEVER)
		fprintf(out, ", until about %s", lxfw_queue_time(job->end, now, end));
	if (job->latest != LXFW_NEVER)
		fprintf(out, ", at the latest %s", lxfw_queue_time(job->latest, now, latest));
	fputc('\n', out);
}

static void put_kept(const struct lxfw_queue_view *view, const struct lxfw_publication_job *job,
		     FILE *out)
{
	char start[LXFW_QUEUE_TIME];

	fputs("  ", out);
	lxfw_queue_put_kept(job, out);
	if (job->planned > 0)
		fprintf(out, ", and plans its start at %s", lxfw_queue_time(job->planned, reading_time(view),
									   start));
	fputc('\n', out);
}

static void put_heading(const struct lxfw_queue_view *view, const struct widths *widths, FILE *out)
{
	fprintf(out, "   #");
	put_name("job", widths->job, out);
	if (view->users)
		put_name("user", widths->user, out);
	put_name("partition", widths->partition, out);
	fprintf(out, " %6s %7s %7s  %-16s  %s\n", "procs", "limit", "since", "expected start",
		"with a probability of 90 %");
}

static void put_state(const struct lxfw_queue_view *view, FILE *out)
{
	const struct lxfw_publication *of = view->of;
	char at[32], age[32];
	time_t time = (time_t)of->time;
	struct tm tm;

	if (!localtime_r(&time, &tm) || strftime(at, sizeof(at), "%F %H:%M", &tm) == 0)
		snprintf(at, sizeof(at), "%lld", (long long)of->time);
	if (*of->cluster)
		fprintf(out, "%s, ", of->cluster);
	fprintf(out, "%s", at);
	if (view->now - of->time >= 60)
		fprintf(out, " (%s ago)", lxfw_format_span((double)(view->now - of->time), age,
							   sizeof(age)));
	fprintf(out, ": %lld processors, %zu jobs run, %zu wait, %zu are not predicted\n",
		(long long)of->procs, view->state.running, view->state.waiting, view->state.kept);
	if (is_silent(of, view->now))
		fprintf(out, "%s for %s: this is the state of then\n", of->answers ?
			"'lxfw watch' does not run, and has not seen the workload manager" :
			"the workload manager has not answered",
			lxfw_format_span((double)(view->now - of->heard), age, sizeof(age)));
	else if (of->time > view->now + LXFW_QUEUE_SILENT)
		fputs("this is of the future: a clock is wrong\n", out);
	else if (lxfw_queue_is_old(of, view->now))
		fputs("this is outdated: it is not renewed any more\n", out);
	if (of->hidden)
		fputs(LXFW_QUEUE_HIDDEN "\n", out);
	if (!of->states[1])
		fputs("too little is known of earlier waits for intervals\n", out);
	if (of->elsewhere > 0)
		fputs(LXFW_EXPECTED_ELSEWHERE "\n", out);
}

void lxfw_queue_text(const struct lxfw_queue_view *view, FILE *out)
{
	struct widths widths = { 6, 4, 9 };
	char text[256];

	put_state(view, out);
	for (size_t i = 0; i < view->of->count; i++) {
		widen(&widths.job, view->of->jobs[i].name);
		widen(&widths.user, view->of->jobs[i].user);
		widen(&widths.partition, view->of->jobs[i].partition);
	}
	fputc('\n', out);
	put_heading(view, &widths, out);
	for (size_t i = 0; i < view->of->count; i++) {
		const struct lxfw_publication_job *job = &view->of->jobs[i];

		if (job->state == LXFW_PUBLISHED_RUNNING && !view->running)
			continue;
		put_job(view, &widths, job, out);
		if (job->state == LXFW_PUBLISHED_WAITING) {
			put_waiting(view, job, out);
		} else if (job->state == LXFW_PUBLISHED_RUNNING) {
			put_running(view, job, out);
		} else {
			put_kept(view, job, out);
		}
	}
	if (*lxfw_queue_quality(&view->of->quality, text, sizeof(text)))
		fprintf(out, "\n%s.\n", text);
}

/* The next start that is expected, and the last of those that can be foreseen. */
static void put_starts(const struct lxfw_publication *of, int64_t now, FILE *out)
{
	int64_t first = LXFW_NEVER, last = 0;
	char from[LXFW_QUEUE_TIME], to[LXFW_QUEUE_TIME];

	for (size_t i = 0; i < of->count; i++) {
		int64_t start = of->jobs[i].times[LXFW_TOLD_START];

		if (of->jobs[i].state != LXFW_PUBLISHED_WAITING || start == LXFW_NEVER)
			continue;
		first = start < first ? start : first;
		last = start > last ? start : last;
	}
	if (first != LXFW_NEVER)
		fprintf(out, "of the jobs that wait, the first is expected to start %s%s, the last %s%s\n",
			first > now ? "at " : "", lxfw_queue_time(first, now, from),
			last > now ? "at " : "", lxfw_queue_time(last, now, to));
}

int lxfw_queue_summary(const struct lxfw_publication *publication, int64_t now, FILE *out)
{
	const struct lxfw_queue_view view = {
		.of = publication, .state = lxfw_queue_counts(publication), .now = now,
	};
	struct lxfw_queue_kept *kept;
	size_t count;
	char text[256];

	put_state(&view, out);
	put_starts(publication, reading_time(&view), out);
	if (lxfw_queue_kept(publication, &kept, &count))
		return -1;
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%6zu not predicted: ", kept[i].jobs);
		lxfw_queue_put_kept(kept[i].first, out);
		fputc('\n', out);
	}
	free(kept);
	if (*lxfw_queue_quality(&publication->quality, text, sizeof(text)))
		fprintf(out, "%s.\n", text);
	return 0;
}
