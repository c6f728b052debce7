/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/expected.h"

#include <limits.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/predict/ages.h"
#include "sim-frontend/report/queue.h"
#include "sim-frontend/util/json_out.h"
#include "sim-frontend/util/letters.h"

#define TIME_TEXT 32

/* An alternative is mentioned if its expected start is earlier by that share of the wait. */
#define EARLIER 0.1

static const char *time_text(const struct lxfw_expected_table *table, int64_t time,
			     char text[TIME_TEXT])
{
	time_t seconds = (time_t)time;
	struct tm tm;

	if (time == LXFW_NEVER)
		return "later";
	if (!table->dates || !localtime_r(&seconds, &tm) ||
	    strftime(text, TIME_TEXT, "%Y-%m-%dT%H:%M:%S", &tm) == 0)
		snprintf(text, TIME_TEXT, "%lld", (long long)time);
	return text;
}

static void name_of(const struct lxfw_expected_table *table,
		    const struct lxfw_expected *job, char *text, size_t size)
{
	if (*job->text)
		snprintf(text, size, "%s", job->text);
	else
		lxfw_job_names_request(table->names, &job->request, text, size);
}

/* Formats the wait from the time of the state, "in 2.1h". */
static const char *wait_text(const struct lxfw_expected_table *table,
			     const struct lxfw_expected *job, char text[TIME_TEXT])
{
	char span[TIME_TEXT];

	if (job->never)
		return "";
	if (job->start <= table->live->now)
		return "now";
	lxfw_format_span((double)(job->start - table->live->now), span, sizeof(span));
	snprintf(text, TIME_TEXT, "in %.20s", span);
	return text;
}

static void job_text(const struct lxfw_expected_table *table,
		     const struct lxfw_expected *job, int width, int times, FILE *out)
{
	char name[LXFW_REQUEST_TEXT_SIZE], start[TIME_TEXT], wait[TIME_TEXT];
	char bounds[4][TIME_TEXT];

	name_of(table, job, name, sizeof(name));
	fprintf(out, "%-*s %*s %9s  %*s %*s  %*s %*s",
		lxfw_letters_width(name, INT_MAX, width), name, times,
		time_text(table, job->start, start), wait_text(table, job, wait), times,
		time_text(table, job->low50, bounds[0]), times,
		time_text(table, job->high50, bounds[1]), times,
		time_text(table, job->low90, bounds[2]), times,
		time_text(table, job->high90, bounds[3]));
	if (table->live->before != LXFW_NEVER)
		fprintf(out, "  %5.0f %%", 100 * job->chance);
	fputc('\n', out);
}

static void corrected_text(const struct lxfw_remaining *remaining, FILE *out)
{
	if (!remaining) {
		fputs("intervals are not corrected: they are too narrow\n\n", out);
		return;
	}
	if (lxfw_remaining_moments(remaining) > 0)
		fprintf(out, "intervals are corrected by %zu predictions at %zu earlier moments\n",
			lxfw_remaining_jobs(remaining), lxfw_remaining_moments(remaining));
	/* Moments near each other count as one. */
	if (lxfw_remaining_moments(remaining) > 0 && lxfw_remaining_elsewhere(remaining) > 0)
		fprintf(out, "these count as %.0f, and moments of other machines as %.0f\n",
			lxfw_remaining_number(remaining), lxfw_remaining_elsewhere(remaining));
	else if (lxfw_remaining_elsewhere(remaining) > 0)
		fputs("intervals are those of other machines, since nothing is known of this one\n",
		      out);
	if (!lxfw_remaining_states(remaining, LXFW_HALF))
		fputs("these are too few for any interval: all are from now to later\n", out);
	else if (!lxfw_remaining_states(remaining, LXFW_MOST))
		fputs("these are too few for a 90 % interval, which is from now to later\n", out);
	fputc('\n', out);
}

/* The mean share of their requested times that jobs of which nothing is known are expected to need; 0: enough is
   known. */
static double needed_share(const struct lxfw_live *live)
{
	return lxfw_experience_of_all(&live->past->experience) ? 0 :
	       1 / (lxfw_ages_shape(live->sched, live->now) + 1);
}

static void columns_text(int width, int times, FILE *out)
{
	fprintf(out, "%-*s %*s %9s  %*s %*s  %*s %*s", width, "job", times, "expected start",
		"", times, "50 % from", times, "to", times, "90 % from", times, "to");
}

static void head_text(const struct lxfw_expected_table *table, int width, int times,
		      FILE *out)
{
	const struct lxfw_live *live = table->live;
	double needed = needed_share(live);
	char now[TIME_TEXT], before[TIME_TEXT];

	fprintf(out, "state at %s: %lld processors, %zu jobs run, %zu wait\n",
		time_text(table, table->live->now, now), (long long)table->machine.procs,
		table->machine.running, table->waiting);
	fprintf(out, "%d futures, from the run times of %zu jobs and %zu submissions\n",
		live->futures, live->past->experience.jobs, live->past->submit_count);
	if (needed > 0)
		fprintf(out, "jobs are expected to need %.2g %% of their limits on average, as those that run "
			"suggest\n", 100 * needed);
	corrected_text(live->remaining, out);
	columns_text(width, times, out);
	if (live->before != LXFW_NEVER)
		fprintf(out, "  before %s", time_text(table, live->before, before));
	fputc('\n', out);
}

/* What keeps jobs from starting at any time. */
static void obstacle_text(const char *name, const char *obstacle, bool *first, FILE *out)
{
	if (!*obstacle)
		return;
	fprintf(out, "%s%s: %s\n", *first ? "\n" : "", name, obstacle);
	*first = false;
}

/* The alternatives that start notably sooner. */
static void advice_text(const struct lxfw_expected_table *table, FILE *out)
{
	bool first = true;

	for (size_t i = 0; i < table->count; i++) {
		const struct lxfw_expected *job = &table->jobs[i], *base;
		char start[TIME_TEXT], span[TIME_TEXT];
		int64_t now = table->live->now;

		if (job->alternative_to < 0 || job->never)
			continue;
		base = &table->jobs[job->alternative_to];
		if (base->never ? false : (double)(base->start - job->start) <=
					  EARLIER * (double)(base->start - now))
			continue;
		if (first)
			fputc('\n', out);
		first = false;
		fprintf(out, "ask for '%s' and it is expected to start at %s", job->text,
			time_text(table, job->start, start));
		if (!base->never)
			fprintf(out, ", %s earlier",
				lxfw_format_span((double)(base->start - job->start), span,
						 sizeof(span)));
		fputc('\n', out);
	}
}

void lxfw_expected_text(const struct lxfw_expected_table *table, FILE *out)
{
	int times = table->dates ? 19 : 14, width = 10;
	char name[LXFW_REQUEST_TEXT_SIZE];
	bool first = true;

	for (size_t i = 0; i < table->count; i++) {

		name_of(table, &table->jobs[i], name, sizeof(name));
		if (lxfw_letters_columns(name) > width)
			width = lxfw_letters_columns(name);
	}
	head_text(table, width, times, out);
	for (size_t i = 0; i < table->count; i++)
		job_text(table, &table->jobs[i], width, times, out);
	for (size_t i = 0; i < table->count; i++) {
		name_of(table, &table->jobs[i], name, sizeof(name));
		obstacle_text(name, table->jobs[i].obstacle, &first, out);
	}
	advice_text(table, out);
}

/* --- JSON ------------------------------------------------------------------------- */

static void put_time(struct json_object *to, const char *key, int64_t time, bool *failed)
{
	if (time != LXFW_NEVER)
		lxfw_json_put(to, key, json_object_new_int64(time), failed);
}

static struct json_object *number(double value)
{
	char text[32];

	return json_object_new_double_s(value, lxfw_format_double(value, text,
								   sizeof(text)));
}

static void put_times(struct json_object *to, const struct lxfw_expected *job, bool *failed)
{
	put_time(to, "expected_start", job->start, failed);
	put_time(to, "low50", job->low50, failed);
	put_time(to, "high50", job->high50, failed);
	put_time(to, "low90", job->low90, failed);
	put_time(to, "high90", job->high90, failed);
}

static struct json_object *job_json(const struct lxfw_expected_table *table,
				    const struct lxfw_expected *job, bool *failed)
{
	struct json_object *one = json_object_new_object();
	char name[LXFW_REQUEST_TEXT_SIZE];

	name_of(table, job, name, sizeof(name));
	lxfw_json_put(one, *job->text ? "request" : "job", json_object_new_string(name),
		      failed);
	if (job->alternative_to >= 0)
		lxfw_json_put(one, "alternative_to", json_object_new_string(
			      table->jobs[job->alternative_to].text), failed);
	put_times(one, job, failed);
	if (*job->obstacle)
		lxfw_json_put(one, "obstacle", json_object_new_string(job->obstacle), failed);
	if (table->live->before != LXFW_NEVER)
		lxfw_json_put(one, "chance_before", number(job->chance), failed);
	return one;
}

static void corrected_json(const struct lxfw_remaining *remaining, struct json_object *top,
			   bool *failed)
{
	size_t jobs = remaining ? lxfw_remaining_jobs(remaining) : 0;
	size_t moments = remaining ? lxfw_remaining_moments(remaining) : 0;

	lxfw_json_put(top, "corrected_by", json_object_new_int64((int64_t)jobs), failed);
	lxfw_json_put(top, "earlier_moments", json_object_new_int64((int64_t)moments), failed);
	lxfw_json_put(top, "moments_elsewhere", number(remaining ?
		      lxfw_remaining_elsewhere(remaining) : 0), failed);
	lxfw_json_put(top, "states_50", json_object_new_boolean(
		      remaining && lxfw_remaining_states(remaining, LXFW_HALF)), failed);
	lxfw_json_put(top, "states_90", json_object_new_boolean(
		      remaining && lxfw_remaining_states(remaining, LXFW_MOST)), failed);
}

int lxfw_expected_json(const struct lxfw_expected_table *table, enum lxfw_format format,
		       FILE *out)
{
	const struct lxfw_live *live = table->live;
	struct json_object *top = json_object_new_object();
	struct json_object *jobs = json_object_new_array();
	bool failed = false;

	lxfw_json_put(top, "time", json_object_new_int64(table->live->now), &failed);
	lxfw_json_put(top, "processors", json_object_new_int64(table->machine.procs),
		      &failed);
	lxfw_json_put(top, "running", json_object_new_int64((int64_t)table->machine.running),
		      &failed);
	lxfw_json_put(top, "waiting", json_object_new_int64((int64_t)table->waiting),
		      &failed);
	lxfw_json_put(top, "futures", json_object_new_int(live->futures), &failed);
	lxfw_json_put(top, "run_times", json_object_new_int64(
		      (int64_t)live->past->experience.jobs), &failed);
	lxfw_json_put(top, "submissions", json_object_new_int64(
		      (int64_t)live->past->submit_count), &failed);
	lxfw_json_put(top, "needed_share", number(needed_share(live)), &failed);
	corrected_json(live->remaining, top, &failed);
	put_time(top, "before", live->before, &failed);
	for (size_t i = 0; i < table->count; i++)
		lxfw_json_append(jobs, job_json(table, &table->jobs[i], &failed), &failed);
	lxfw_json_put(top, "jobs", jobs, &failed);
	if (failed) {
		json_object_put(top);
		top = NULL;
	}
	return lxfw_json_out(top, format, out);
}

/* --- of a publication ------------------------------------------------------------- */

static void take_published(const struct lxfw_publication_job *from, struct lxfw_expected *to)
{
	*to = (struct lxfw_expected) {
		.never = from->times[LXFW_TOLD_START] == LXFW_NEVER,
		.start = from->times[LXFW_TOLD_START], .low50 = from->times[LXFW_TOLD_LOW50],
		.high50 = from->times[LXFW_TOLD_HIGH50], .low90 = from->times[LXFW_TOLD_LOW90],
		.high90 = from->times[LXFW_TOLD_HIGH90], .alternative_to = -1,
	};
	snprintf(to->text, sizeof(to->text), "%s", from->name);
}

void lxfw_expected_published(const struct lxfw_publication *publication, FILE *out)
{
	const struct lxfw_live live = { .now = publication->time, .before = LXFW_NEVER };
	const struct lxfw_expected_table table = { .live = &live, .dates = true };
	char now[TIME_TEXT], quality[256];
	bool first = true;
	int width = 10;

	for (size_t i = 0; i < publication->count; i++) {
		int columns = lxfw_letters_columns(publication->jobs[i].name);

		width = columns > width ? columns : width;
	}
	fprintf(out, "state at %s, as the site publishes it\n",
		time_text(&table, publication->time, now));
	if (!publication->states[1])
		fputs("earlier predictions are too few for a 90 % interval\n", out);
	if (publication->elsewhere > 0)
		fputs(LXFW_EXPECTED_ELSEWHERE "\n", out);
	fputc('\n', out);
	columns_text(width, 19, out);
	fputc('\n', out);
	for (size_t i = 0; i < publication->count; i++) {
		struct lxfw_expected job;

		if (publication->jobs[i].state != LXFW_PUBLISHED_WAITING)
			continue;
		take_published(&publication->jobs[i], &job);
		job_text(&table, &job, width, 19, out);
	}
	for (size_t i = 0; i < publication->count; i++)
		obstacle_text(publication->jobs[i].name, publication->jobs[i].obstacle, &first, out);
	if (*lxfw_queue_quality(&publication->quality, quality, sizeof(quality)))
		fprintf(out, "\n%s.\n", quality);
}

int lxfw_expected_published_json(const struct lxfw_publication *publication,
				 enum lxfw_format format, FILE *out)
{
	struct json_object *top = json_object_new_object();
	struct json_object *jobs = json_object_new_array();
	bool failed = false;

	put_time(top, "time", publication->time, &failed);
	put_time(top, "processors", publication->procs, &failed);
	for (int i = 0; i < 2; i++)
		lxfw_json_put(top, i ? "states_90" : "states_50",
			      json_object_new_boolean(publication->states[i]), &failed);
	for (size_t i = 0; i < publication->count; i++) {
		const struct lxfw_publication_job *job = &publication->jobs[i];
		struct lxfw_expected expected;
		struct json_object *one;

		if (job->state != LXFW_PUBLISHED_WAITING)
			continue;
		take_published(job, &expected);
		one = json_object_new_object();
		lxfw_json_put(one, "job", json_object_new_string(job->name), &failed);
		put_times(one, &expected, &failed);
		if (*job->obstacle)
			lxfw_json_put(one, "obstacle", json_object_new_string(job->obstacle),
				      &failed);
		lxfw_json_append(jobs, one, &failed);
	}
	lxfw_json_put(top, "jobs", jobs, &failed);
	if (failed) {
		json_object_put(top);
		top = NULL;
	}
	return lxfw_json_out(top, format, out);
}
