/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/expected.h"

#include <limits.h>
#include <string.h>
#include <time.h>

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
		lxfw_job_names_text(table->names, job->request.id, text, size);
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
	fprintf(out, "intervals are corrected by %zu predictions at %zu earlier moments\n",
		lxfw_remaining_jobs(remaining), lxfw_remaining_moments(remaining));
	if (!lxfw_remaining_states(remaining, LXFW_HALF))
		fputs("these are too few for any interval: all are from now to later\n", out);
	else if (!lxfw_remaining_states(remaining, LXFW_MOST))
		fputs("these are too few for a 90 % interval, which is from now to later\n", out);
	fputc('\n', out);
}

static void head_text(const struct lxfw_expected_table *table, int width, int times,
		      FILE *out)
{
	const struct lxfw_live *live = table->live;
	char now[TIME_TEXT], before[TIME_TEXT];

	fprintf(out, "state at %s: %lld processors, %zu jobs run, %zu wait\n",
		time_text(table, table->live->now, now), (long long)table->machine.procs,
		table->machine.running, table->waiting);
	fprintf(out, "%d futures, from the run times of %zu jobs and %zu submissions\n",
		live->futures, live->past->experience.jobs, live->past->submit_count);
	corrected_text(live->remaining, out);
	fprintf(out, "%-*s %*s %9s  %*s %*s  %*s %*s", width, "job", times, "expected start",
		"", times, "50 % from", times, "to", times, "90 % from", times, "to");
	if (live->before != LXFW_NEVER)
		fprintf(out, "  before %s", time_text(table, live->before, before));
	fputc('\n', out);
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

	for (size_t i = 0; i < table->count; i++) {
		char name[LXFW_REQUEST_TEXT_SIZE];

		name_of(table, &table->jobs[i], name, sizeof(name));
		if (lxfw_letters_columns(name) > width)
			width = lxfw_letters_columns(name);
	}
	head_text(table, width, times, out);
	for (size_t i = 0; i < table->count; i++)
		job_text(table, &table->jobs[i], width, times, out);
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
	put_time(one, "expected_start", job->start, failed);
	put_time(one, "low50", job->low50, failed);
	put_time(one, "high50", job->high50, failed);
	put_time(one, "low90", job->low90, failed);
	put_time(one, "high90", job->high90, failed);
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
