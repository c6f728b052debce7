/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/instead.h"

#include <errno.h>
#include <json-c/json.h>
#include <math.h>
#include <string.h>

#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"
#include "sim-frontend/util/calendar.h"
#include "sim-frontend/util/json_out.h"

#define DAY 86400.0

static const char *const names[LXFW_INSTEAD_MEASURES] = {
	[LXFW_INSTEAD_WAIT] = "mean wait",
	[LXFW_INSTEAD_SLOWDOWN] = "mean bounded slowdown",
};

static const char *const keys[LXFW_INSTEAD_MEASURES] = {
	[LXFW_INSTEAD_WAIT] = "mean_wait",
	[LXFW_INSTEAD_SLOWDOWN] = "mean_bounded_slowdown",
};

static double per_cent(double now, double then)
{
	if (now > 0)
		return 100 * (then / now - 1);
	return then > 0 ? INFINITY : 0;
}

/* --- the conclusion --------------------------------------------------------------- */

static void add_text(char *text, size_t size, const char *more)
{
	size_t used = strlen(text);

	snprintf(text + used, size - used, "%s", more);
}

static void add_change(const struct lxfw_instead_change *change, const char *name,
		       char *text, size_t size)
{
	double percent = per_cent(change->now, change->then);
	char more[160];

	snprintf(more, sizeof(more), "The %s would be %.0f %% %s (90 %% interval: ", name,
		 fabs(percent), change->shown < 0 ? "lower" : "higher");
	add_text(text, size, more);
	if (isfinite(change->high))
		snprintf(more, sizeof(more), "%+.0f to %+.0f %%). ", 100 * change->low,
			 100 * change->high);
	else
		snprintf(more, sizeof(more), "above %+.0f %%). ", 100 * change->low);
	add_text(text, size, more);
}

const char *lxfw_instead_conclusion(const struct lxfw_instead *instead, char *text,
				    size_t size)
{
	bool shown = false;

	text[0] = '\0';
	if (!lxfw_instead_credible(instead)) {
		snprintf(text, size, "No conclusion: the simulation does not reproduce "
			 "the present waits%s, see the verdict.",
			 instead->verdict->level == LXFW_VERDICT_CARE ? " well enough" : "");
		return text;
	}
	if (!lxfw_instead_same_jobs(instead)) {
		snprintf(text, size, "No conclusion: %zu jobs start only with the present "
			 "scheduler, and %zu only with the other parameters.",
			 instead->only[LXFW_PRESENT], instead->only[LXFW_INSTEAD]);
		return text;
	}
	if (instead->earlier + instead->later == 0) {
		snprintf(text, size, "All jobs would start at the same time.");
		return text;
	}
	if (instead->blocks == 0) {
		snprintf(text, size, "No conclusion: the log is too short, expected "
			 "submissions of %d days or more.", LXFW_CLUSTERS_LEAST);
		return text;
	}
	for (int i = 0; i < LXFW_INSTEAD_MEASURES; i++) {
		if (instead->changes[i].shown == 0)
			continue;
		add_change(&instead->changes[i], names[i], text, size);
		shown = true;
	}
	if (!shown)
		add_text(text, size, "No difference of the mean wait or the mean bounded "
			 "slowdown is shown: those below may be chance. ");
	text[strlen(text) - 1] = '\0';
	return text;
}

/* --- text ------------------------------------------------------------------------- */

/* The rows of the table. */
struct row {
	const char *name, *key;
	double side[LXFW_INSTEAD_SIDES];
	int digits;
};

#define ROWS 6

static void list_rows(const struct lxfw_instead *instead, struct row rows[ROWS])
{
	static const struct row empty[ROWS] = {
		{ "mean", "mean_wait_s", { 0, 0 }, 1 },
		{ "median", "median_wait_s", { 0, 0 }, 0 },
		{ "95th percentile", "p95_wait_s", { 0, 0 }, 0 },
		{ "maximum", "max_wait_s", { 0, 0 }, 0 },
		{ "mean slowdown", "mean_slowdown", { 0, 0 }, 2 },
		{ "mean bounded slowdown", "mean_bounded_slowdown", { 0, 0 }, 2 },
	};

	memcpy(rows, empty, sizeof(empty));
	for (int side = 0; side < LXFW_INSTEAD_SIDES; side++) {
		const struct lxfw_metrics *metrics = &instead->side[side];

		rows[0].side[side] = metrics->mean_wait;
		rows[1].side[side] = (double)metrics->median_wait;
		rows[2].side[side] = (double)metrics->p95_wait;
		rows[3].side[side] = (double)metrics->max_wait;
		rows[4].side[side] = metrics->mean_slowdown;
		rows[5].side[side] = metrics->mean_bounded_slowdown;
	}
}

static const char *moment_of(const struct lxfw_instead *instead, int64_t time, char *name)
{
	return lxfw_page_moment(&instead->recorded->calendar, time, name, 64);
}

/* The difference is stated only if a conclusion is. */
static void print_job(const struct lxfw_instead *instead, int64_t at, bool credible, FILE *out)
{
	const struct lxfw_recorded_job *job = &instead->recorded->jobs[at];
	long long present = (long long)(job->simulated - lxfw_recorded_since(job));
	long long other = (long long)(instead->starts[at] - lxfw_recorded_since(job));

	fprintf(out, "  job %-12lld present %lld s, instead %lld s",
		(long long)job->number, present, other);
	if (credible)
		fprintf(out, " (%+lld)", other - present);
	putc('\n', out);
}

static void print_parted(const struct lxfw_instead *instead, FILE *out)
{
	const struct lxfw_recorded_job *job;
	int64_t other;
	char name[64];

	if (instead->parted < 0)
		return;
	job = &instead->recorded->jobs[instead->parted];
	other = instead->starts[instead->parted];
	fprintf(out, "first difference: %s, job %lld starts %lld s %s\n",
		moment_of(instead, other < job->simulated ? other : job->simulated,
			  name),
		(long long)job->number, llabs((long long)(other - job->simulated)),
		other < job->simulated ? "earlier" : "later");
}

/* The difference is stated only if a conclusion is. */
static void print_row(const struct row *row, bool credible, FILE *out)
{
	double now = row->side[LXFW_PRESENT], then = row->side[LXFW_INSTEAD];
	double percent = per_cent(now, then);

	fprintf(out, "%-22s%14.*f%14.*f", row->name, row->digits, now, row->digits, then);
	if (credible)
		fprintf(out, "%+14.*f", row->digits, then - now);
	if (credible && isfinite(percent))
		fprintf(out, "  (%+.1f %%)", percent);
	putc('\n', out);
}

void lxfw_instead_print(const struct lxfw_instead *instead, FILE *out)
{
	bool credible = lxfw_instead_credible(instead);
	struct row rows[ROWS];
	char text[400];

	list_rows(instead, rows);
	fprintf(out, "\ninstead: %s\n%s\n", instead->params,
		lxfw_instead_conclusion(instead, text, sizeof(text)));
	fprintf(out, "\n%-22s%14s%14s%s\n", "both simulated, in s", "present",
		"instead", credible ? "    difference" : "");
	for (int i = 0; i < ROWS; i++)
		print_row(&rows[i], credible, out);
	if (instead->blocks > 0)
		fprintf(out, "intervals: %d periods of %.6g day%s\n", instead->blocks,
			(double)instead->block_length / DAY,
			instead->block_length == (int64_t)DAY ? "" : "s");
	if (credible)
		fprintf(out, "per job: %zu of %zu start earlier, %zu later\n",
			instead->earlier, instead->jobs, instead->later);
	if (instead->only[LXFW_PRESENT] + instead->only[LXFW_INSTEAD] > 0)
		fprintf(out, "not compared: %zu start only with the present scheduler, %zu "
			"only with the other parameters\n",
			instead->only[LXFW_PRESENT], instead->only[LXFW_INSTEAD]);
	print_parted(instead, out);
	for (int i = 0; i < instead->largest_count; i++)
		print_job(instead, instead->largest[i], credible, out);
}

void lxfw_instead_pairs(const struct lxfw_instead *instead, FILE *out)
{
	struct row rows[ROWS];
	char text[32];

	list_rows(instead, rows);
	fprintf(out, "instead_jobs,%zu\ninstead_earlier,%zu\ninstead_later,%zu\n",
		instead->jobs, instead->earlier, instead->later);
	fprintf(out, "instead_only_present_jobs,%zu\ninstead_only_instead_jobs,%zu\n",
		instead->only[LXFW_PRESENT], instead->only[LXFW_INSTEAD]);
	for (int i = 0; i < ROWS; i++)
		fprintf(out, "instead_present_%s,%s\n", rows[i].key,
			lxfw_format_double(rows[i].side[LXFW_PRESENT], text,
					   sizeof(text)));
	for (int i = 0; i < ROWS; i++)
		fprintf(out, "instead_%s,%s\n", rows[i].key,
			lxfw_format_double(rows[i].side[LXFW_INSTEAD], text,
					   sizeof(text)));
	for (int i = 0; i < LXFW_INSTEAD_MEASURES; i++)
		fprintf(out, "instead_%s_change,%s\n", keys[i],
			instead->changes[i].shown < 0 ? "lower" :
			instead->changes[i].shown > 0 ? "higher" : "not shown");
}

/* --- JSON ------------------------------------------------------------------------- */

static void put_number(struct json_object *to, const char *key, double value, bool *failed)
{
	char text[32];

	if (!isfinite(value))
		return;
	lxfw_json_put(to, key, json_object_new_double_s(value,
			lxfw_format_double(value, text, sizeof(text))), failed);
}

static void put_whole(struct json_object *to, const char *key, int64_t value, bool *failed)
{
	lxfw_json_put(to, key, json_object_new_int64(value), failed);
}

static void put_change(struct json_object *to, const struct lxfw_instead_change *change,
		       const char *key, bool credible, bool *failed)
{
	struct json_object *object = json_object_new_object();

	lxfw_json_put(to, key, object, failed);
	if (*failed)
		return;
	lxfw_json_put(object, "shown", json_object_new_string(
			change->shown < 0 ? "lower" :
			change->shown > 0 ? "higher" : "not shown"), failed);
	if (credible)
		put_number(object, "percent", per_cent(change->now, change->then), failed);
	if (!change->interval)
		return;
	put_number(object, "low_percent", 100 * change->low, failed);
	put_number(object, "high_percent", 100 * change->high, failed);
}

static void put_jobs(struct json_object *to, const struct lxfw_instead *instead, bool *failed)
{
	struct json_object *list = json_object_new_array();

	lxfw_json_put(to, "largest_differences", list, failed);
	for (int i = 0; i < instead->largest_count && !*failed; i++) {
		int64_t at = instead->largest[i];
		const struct lxfw_recorded_job *job = &instead->recorded->jobs[at];
		struct json_object *object = json_object_new_object();

		lxfw_json_append(list, object, failed);
		if (*failed)
			return;
		put_whole(object, "job", job->number, failed);
		put_whole(object, "present_wait_s", job->simulated -
			  lxfw_recorded_since(job), failed);
		put_whole(object, "instead_wait_s", instead->starts[at] -
			  lxfw_recorded_since(job), failed);
	}
}

struct json_object *lxfw_instead_json(const struct lxfw_instead *instead)
{
	static const char *const sides[LXFW_INSTEAD_SIDES] = { "present", "instead" };
	struct json_object *object = json_object_new_object();
	struct row rows[ROWS];
	bool failed = !object;
	char text[400];

	list_rows(instead, rows);
	lxfw_json_put(object, "params", json_object_new_string(instead->params), &failed);
	lxfw_json_put(object, "conclusion", json_object_new_string(
			lxfw_instead_conclusion(instead, text, sizeof(text))), &failed);
	put_whole(object, "jobs", (int64_t)instead->jobs, &failed);
	put_whole(object, "earlier", (int64_t)instead->earlier, &failed);
	put_whole(object, "later", (int64_t)instead->later, &failed);
	put_whole(object, "only_present_jobs", (int64_t)instead->only[LXFW_PRESENT],
		  &failed);
	put_whole(object, "only_instead_jobs", (int64_t)instead->only[LXFW_INSTEAD],
		  &failed);
	put_whole(object, "periods", instead->blocks, &failed);
	put_whole(object, "period_s", instead->block_length, &failed);
	for (int side = 0; side < LXFW_INSTEAD_SIDES && !failed; side++) {
		struct json_object *of = json_object_new_object();

		lxfw_json_put(object, sides[side], of, &failed);
		for (int i = 0; i < ROWS && !failed; i++)
			put_number(of, rows[i].key, rows[i].side[side], &failed);
	}
	for (int i = 0; i < LXFW_INSTEAD_MEASURES && !failed; i++)
		put_change(object, &instead->changes[i], keys[i],
			   lxfw_instead_credible(instead), &failed);
	if (!failed && instead->parted >= 0)
		put_whole(object, "first_difference_job",
			  instead->recorded->jobs[instead->parted].number, &failed);
	if (!failed)
		put_jobs(object, instead, &failed);
	if (!failed)
		return object;
	json_object_put(object);
	errno = ENOMEM;
	return NULL;
}
