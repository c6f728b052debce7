/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Computes the statistics of a comparison. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "sim-frontend/report/comparison.h"

#define WEEK INT64_C(604800)

/* Maximum number of weeks in a report. */
#define WEEKS_MAX 5200
#define SPANS_MAX 13

#define USAGE_MOST 200

static const int64_t usage_widths[] = {
	60, 300, 900, 3600, 3 * 3600, 6 * 3600, 86400, 7 * 86400, 28 * 86400,
	364 * 86400,
};

/* --- all jobs ------------------------------------------------------------------- */

static void make_waits(int64_t *values, size_t count, struct lxfw_waits *waits)
{
	int64_t sum = 0;

	for (size_t i = 0; i < count; i++)
		sum += values[i];
	waits->mean = count ? (double)sum / (double)count : 0;
	waits->median = lxfw_percentile(values, count, 50);
	waits->p95 = lxfw_percentile(values, count, 95);
	waits->max = lxfw_percentile(values, count, 100);
}

/* Keeps the jobs with the largest differences of waits. Ties are resolved by order. */
static void note_largest(struct lxfw_comparison_report *report,
			 const struct lxfw_recorded_job *job)
{
	int64_t difference = llabs(job->simulated - job->start);
	int at = report->largest_count;

	if (difference == 0)
		return;
	if (at < LXFW_LARGEST)
		report->largest_count++;
	else
		at--;
	if (at == LXFW_LARGEST - 1 && report->largest[at] &&
	    llabs(report->largest[at]->simulated - report->largest[at]->start) >=
	    difference)
		return;
	for (; at > 0 && llabs(report->largest[at - 1]->simulated -
			       report->largest[at - 1]->start) < difference;
	     at--)
		report->largest[at] = report->largest[at - 1];
	report->largest[at] = job;
}

static int by_value(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Computes the fractions of jobs at waits from 1 s to the longest, equidistant on a
   logarithmic scale. */
static void make_cdf(struct lxfw_comparison_report *report, int64_t *waits[])
{
	int64_t longest = report->measured.max > report->simulated.max ?
			  report->measured.max : report->simulated.max;
	double top = longest > 10 ? (double)longest : 10;

	for (int side = 0; side < LXFW_SIDES; side++) {
		size_t at = 0;

		if (report->jobs > 1)
			qsort(waits[side], report->jobs, sizeof(int64_t),
			      by_value);
		for (int i = 0; i < LXFW_CDF_POINTS; i++) {
			struct lxfw_comparison_share *share = &report->cdf[i];

			share->wait = i + 1 == LXFW_CDF_POINTS ? top :
				pow(top, (double)i / (LXFW_CDF_POINTS - 1));
			while (at < report->jobs &&
			       (double)waits[side][at] <= share->wait)
				at++;
			share->side[side] = report->jobs ? (double)at /
					    (double)report->jobs : 0;
		}
	}
}

static int measure_waits(struct lxfw_comparison_report *report)
{
	const struct lxfw_recorded *recorded = report->recorded;
	int64_t *values = malloc(2 * (recorded->count + 1) * sizeof(*values));
	int64_t *simulated = values + recorded->count;
	int64_t *waits[LXFW_SIDES] = { values, simulated };
	double absolute = 0;

	if (!values)
		return -1;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (!lxfw_recorded_in_both(job)) {
			report->not_compared++;
			report->no_end += lxfw_recorded_no_end(job);
			continue;
		}
		values[report->jobs] = job->start - lxfw_recorded_since(job);
		simulated[report->jobs++] = job->simulated -
					    lxfw_recorded_since(job);
		absolute += (double)llabs(job->simulated - job->start);
		report->equal += job->simulated == job->start;
		note_largest(report, job);
	}
	make_waits(values, report->jobs, &report->measured);
	make_waits(simulated, report->jobs, &report->simulated);
	if (report->jobs > 0)
		report->mean_absolute = absolute / (double)report->jobs;
	report->mean_difference = report->simulated.mean ==
				  report->measured.mean ? 0 :
		100 * (report->simulated.mean - report->measured.mean) /
		report->measured.mean;
	make_cdf(report, waits);
	free(values);
	return 0;
}

/* --- groups of jobs ------------------------------------------------------------- */

/* Returns the group of a job, -1 for none. */
static int64_t group_of(const struct lxfw_comparison_report *report,
			enum lxfw_comparison_by by, int64_t span,
			const struct lxfw_recorded_job *job)
{
	switch (by) {
	case LXFW_BY_RUN:
		return lxfw_run_bin(lxfw_recorded_job_run(job));
	case LXFW_BY_SIZE:
		return lxfw_size_class(lxfw_recorded_job_procs(job));
	case LXFW_BY_QUEUE:
		return job->queue;
	case LXFW_BY_OWNER:
		return span ? job->user : job->group;
	case LXFW_BY_WEEK:
	case LXFW_BY_SPAN:
		return (lxfw_recorded_since(job) - report->begin) / span;
	case LXFW_BYS:
		break;
	}
	return -1;
}

static void outcome_of(const struct lxfw_recorded_job *job, enum lxfw_side side,
		       struct lxfw_outcome *outcome)
{
	int64_t start = side == LXFW_MEASURED ? job->start : job->simulated;
	int64_t run = lxfw_recorded_job_run(job);

	*outcome = (struct lxfw_outcome) {
		.submit = lxfw_recorded_since(job), .end = start + run, .run = run,
		.procs = lxfw_recorded_job_procs(job),
	};
}

/* Adds all jobs to their groups. Returns the number of groups. */
static int64_t collect(const struct lxfw_comparison_report *report,
		       enum lxfw_comparison_by by, int64_t span,
		       struct lxfw_groups *groups)
{
	const struct lxfw_recorded *recorded = report->recorded;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];
		int64_t group;

		if (!lxfw_recorded_in_both(job))
			continue;
		group = group_of(report, by, span, job);
		for (int side = 0; side < LXFW_SIDES && group >= 0; side++) {
			struct lxfw_outcome outcome;

			outcome_of(job, (enum lxfw_side)side, &outcome);
			if (lxfw_groups_add(&groups[side], (size_t)group,
					    &outcome))
				return -1;
		}
	}
	return (int64_t)groups[0].count;
}

static void name_row(const struct lxfw_comparison_report *report,
		     enum lxfw_comparison_by by, int64_t span, size_t group,
		     struct lxfw_comparison_row *row, char *name)
{
	const struct lxfw_recorded *recorded = report->recorded;
	struct lxfw_moment moment;

	switch (by) {
	case LXFW_BY_RUN:
		row->name = lxfw_run_bin_name((int)group);
		row->key = lxfw_run_bin_key((int)group);
		return;
	case LXFW_BY_SIZE:
		row->name = lxfw_size_class_name((int)group);
		break;
	case LXFW_BY_QUEUE:
		row->name = recorded->queues.names[group];
		break;
	case LXFW_BY_OWNER:
		row->name = span ? recorded->users.names[group] :
				   recorded->groups.names[group];
		break;
	case LXFW_BY_WEEK:
	case LXFW_BY_SPAN:
		row->begin = report->begin + (int64_t)group * span;
		lxfw_calendar_moment(&recorded->calendar, row->begin, &moment);
		row->name = lxfw_calendar_day_name(&recorded->calendar,
						   moment.day, name, 32);
		break;
	case LXFW_BYS:
		break;
	}
	row->key = row->name;
}

/* Descending order of processor time, then by name. */
static int by_use(const void *left, const void *right)
{
	const struct lxfw_comparison_row *a = left, *b = right;

	if (a->proc_seconds != b->proc_seconds)
		return a->proc_seconds > b->proc_seconds ? -1 : 1;
	return strcmp(a->name, b->name);
}

static int make_rows(const struct lxfw_comparison_report *report,
		     enum lxfw_comparison_by by, int64_t span,
		     struct lxfw_comparison_rows *to)
{
	struct lxfw_groups groups[LXFW_SIDES] = {
		{ .bound = report->bound }, { .bound = report->bound },
	};
	int64_t count = collect(report, by, span, groups);
	struct lxfw_metrics *metrics = NULL;
	size_t n = count > 0 ? (size_t)count : 0;

	if (count >= 0) {
		to->rows = calloc(n + 1, sizeof(*to->rows));
		to->names = calloc(n + 1, 32);
		metrics = calloc(2 * n + 1, sizeof(*metrics));
	}
	if (!to->rows || !to->names || !metrics) {
		lxfw_groups_clear(&groups[0]);
		lxfw_groups_clear(&groups[1]);
		free(metrics);
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < n; i++)
		to->rows[i].proc_seconds = groups[0].measures[i].area;
	lxfw_groups_end(&groups[0], n, metrics);
	lxfw_groups_end(&groups[1], n, metrics + n);
	for (size_t i = 0; i < n; i++) {
		struct lxfw_comparison_row *row = &to->rows[to->count];

		if (metrics[i].jobs == 0)
			continue;
		row->proc_seconds = to->rows[i].proc_seconds;
		row->side[0] = metrics[i];
		row->side[1] = metrics[n + i];
		name_row(report, by, span, i, row, to->names + 32 * i);
		to->count++;
	}
	free(metrics);
	if (by == LXFW_BY_QUEUE || by == LXFW_BY_OWNER) {
		qsort(to->rows, to->count, sizeof(*to->rows), by_use);
		if (to->count == 1)
			to->count = 0;
	}
	return 0;
}

static int make_breakdowns(struct lxfw_comparison_report *report)
{
	const struct lxfw_recorded *recorded = report->recorded;
	bool users = recorded->groups.count < 2;
	int64_t weeks = (report->last_submit - report->begin) / WEEK + 1;
	const struct {
		enum lxfw_comparison_by by;
		const char *title, *key;
		int64_t span;
	} all[] = {
		{ LXFW_BY_RUN, "run time", "by_run_time", 0 },
		{ LXFW_BY_SIZE, "processors", "by_size", 0 },
		{ LXFW_BY_QUEUE, "queue", "by_queue", 0 },
		{ LXFW_BY_OWNER, users ? "user" : "group",
		  users ? "by_user" : "by_group", users },
		{ LXFW_BY_WEEK, "week from", "by_week", WEEK },
		{ LXFW_BY_SPAN, "weeks from", "by_span",
		  WEEK * ((weeks + SPANS_MAX - 1) / SPANS_MAX) },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct lxfw_comparison_rows *to = &report->by[all[i].by];

		to->title = all[i].title;
		to->key = all[i].key;
		if (all[i].by >= LXFW_BY_WEEK && weeks > WEEKS_MAX)
			continue;
		if (make_rows(report, all[i].by, all[i].span, to))
			return -1;
	}
	return 0;
}

static int measure_sides(struct lxfw_comparison_report *report)
{
	const struct lxfw_recorded *recorded = report->recorded;
	struct lxfw_measure measures[LXFW_SIDES];
	int failed = 0;

	for (int side = 0; side < LXFW_SIDES; side++) {
		lxfw_measure_begin(&measures[side], report->begin);
		measures[side].bound = report->bound;
		for (size_t i = 0; i < recorded->count && !failed; i++) {
			const struct lxfw_recorded_job *job = &recorded->jobs[i];
			struct lxfw_outcome outcome;

			if (!lxfw_recorded_in_both(job))
				continue;
			outcome_of(job, (enum lxfw_side)side, &outcome);
			failed = lxfw_measure_add(&measures[side], &outcome);
		}
		lxfw_measure_end(&measures[side], recorded->procs,
				 &report->side[side]);
	}
	return failed;
}

/* --- over time ------------------------------------------------------------------ */

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

static void find_ends(struct lxfw_comparison_report *report)
{
	const struct lxfw_recorded *recorded = report->recorded;

	report->begin = recorded->count ? recorded->jobs[0].request.submit : 0;
	report->last_submit = report->begin;
	report->end = recorded->count ? lxfw_recorded_end(recorded) : 0;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (lxfw_recorded_since(job) < report->begin)
			report->begin = lxfw_recorded_since(job);
		report->last_submit = later(report->last_submit,
					    lxfw_recorded_since(job));
	}
}

static int look_at_side(struct lxfw_comparison_report *report,
			const struct lxfw_room_machine *machine, enum lxfw_side side)
{
	const struct lxfw_recorded *recorded = report->recorded;
	struct lxfw_stay *stays = malloc((recorded->count + 1) * sizeof(*stays));
	struct lxfw_unexplained_input input = {
		.stays = stays, .timeline = &report->timelines[side],
		.procs = recorded->procs, .machine = machine,
		.delay = report->overhead.start,
	};
	int failed;

	if (!stays)
		return -1;
	input.count = lxfw_recorded_stays(recorded, side == LXFW_SIMULATED,
					  stays);
	failed = lxfw_timeline_make(&report->timelines[side], stays,
				    input.count) ||
		 lxfw_unexplained_make(&report->unexplained[side], &input);
	free(stays);
	return failed ? -1 : 0;
}

static int look_at_sides(struct lxfw_comparison_report *report, bool measured)
{
	const struct lxfw_recorded *recorded = report->recorded;
	const struct lxfw_event **events =
		malloc((recorded->event_count + 1) * sizeof(*events));
	const struct lxfw_room_machine machine = {
		.events = events, .count = recorded->event_count,
		.procs = recorded->procs, .caps = recorded->caps,
	};
	int failed;

	if (!events)
		return -1;
	for (size_t i = 0; i < recorded->event_count; i++)
		events[i] = &recorded->events[i].event;
	failed = (measured && look_at_side(report, &machine, LXFW_MEASURED)) ||
		 look_at_side(report, &machine, LXFW_SIMULATED);
	free(events);
	return failed ? -1 : 0;
}

/* Returns 0 if there is no time or no machine. */
static double share_of(const struct lxfw_comparison_report *report, double used,
		       int64_t seconds)
{
	double all = (double)report->recorded->procs * (double)seconds;

	return all > 0 ? used / all : 0;
}

static void find_utilization(struct lxfw_comparison_report *report, int side)
{
	int64_t span = report->last_submit - report->begin;
	double all = 0;

	if (span > 0)
		lxfw_timeline_usage(&report->timelines[side], report->begin, span, 1, &all);
	report->utilization[side] = share_of(report, all, span);
}

static int make_usage(struct lxfw_comparison_report *report)
{
	int64_t span = report->end - report->begin, width;
	size_t widths = sizeof(usage_widths) / sizeof(*usage_widths), i = 0;
	double *used;

	while (i + 1 < widths && span / usage_widths[i] >= USAGE_MOST)
		i++;
	width = later(usage_widths[i], span / USAGE_MOST);
	report->usage_width = width;
	report->usage_count = (size_t)((span + width - 1) / width);
	report->usage = calloc(report->usage_count + 1, sizeof(*report->usage));
	used = calloc(report->usage_count + 1, sizeof(*used));
	for (int side = 0; side < LXFW_SIDES && report->usage && used; side++) {
		const struct lxfw_timeline *timeline = &report->timelines[side];

		lxfw_timeline_usage(timeline, report->begin, width,
				    report->usage_count, used);
		for (i = 0; i < report->usage_count; i++) {
			report->usage[i].begin = report->begin +
						 (int64_t)i * width;
			/* the last period ends with the log */
			report->usage[i].side[side] = share_of(report, used[i],
				report->end - report->usage[i].begin < width ?
				report->end - report->usage[i].begin : width);
		}
		find_utilization(report, side);
	}
	free(used);
	return report->usage && used ? 0 : -1;
}

static int end_of(struct lxfw_comparison_report *report, int failed)
{
	if (!failed)
		return 0;
	lxfw_comparison_clear(report);
	errno = ENOMEM;
	return -1;
}

int lxfw_comparison_measure(const struct lxfw_recorded *recorded,
			    const struct lxfw_overhead *overhead, int64_t bound,
			    struct lxfw_comparison_report *report)
{
	*report = (struct lxfw_comparison_report) {
		.recorded = recorded, .overhead = *overhead,
		.bound = bound > 0 ? bound : LXFW_SLOWDOWN_BOUND,
		.cancelled = lxfw_recorded_count_cancelled(recorded),
	};
	find_ends(report);
	return end_of(report, measure_waits(report) || measure_sides(report) ||
			      make_breakdowns(report) || look_at_sides(report, true) ||
			      make_usage(report) ||
			      lxfw_comparison_judge(report, &report->verdict));
}

int lxfw_comparison_measure_jobs(const struct lxfw_recorded *recorded, int64_t bound,
				 struct lxfw_comparison_report *report)
{
	*report = (struct lxfw_comparison_report) { .recorded = recorded, .bound = bound };
	find_ends(report);
	return end_of(report, measure_waits(report) || measure_sides(report) ||
			      make_breakdowns(report));
}

int lxfw_comparison_measure_parts(const struct lxfw_recorded *recorded,
				  const struct lxfw_overhead *overhead,
				  struct lxfw_comparison_report *report)
{
	*report = (struct lxfw_comparison_report) {
		.recorded = recorded, .overhead = *overhead,
	};
	find_ends(report);
	if (look_at_sides(report, false))
		return end_of(report, -1);
	find_utilization(report, LXFW_SIMULATED);
	return 0;
}

void lxfw_comparison_clear(struct lxfw_comparison_report *report)
{
	for (int i = 0; i < LXFW_BYS; i++) {
		free(report->by[i].rows);
		free(report->by[i].names);
	}
	for (int side = 0; side < LXFW_SIDES; side++)
		lxfw_timeline_clear(&report->timelines[side]);
	free(report->usage);
	*report = (struct lxfw_comparison_report) { 0 };
}
