/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts of simulated schedules, and the users and classes that gain or lose. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/report/differences.h"
#include "sim-frontend/report/heat_map.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/simulation_schedules.h"
#include "sim-frontend/report/user_gains.h"
#include "sim-frontend/report/value_figures.h"

#define WEEK INT64_C(604800)
#define CDF_POINTS 101

enum value { MEAN, P95, SLOWDOWN };

static double value_of(const struct lxfw_metrics *metrics, enum value value)
{
	if (metrics->jobs == 0)
		return NAN;
	return value == MEAN ? metrics->mean_wait :
	       value == P95 ? (double)metrics->p95_wait :
	       metrics->mean_bounded_slowdown;
}

/* Groups that have jobs; the same in all schedules. */
struct chosen {
	size_t count;
	const char **names;
	int64_t *begins;
	double *values;
	char (*texts)[32];
};

static void clear(struct chosen *chosen)
{
	free(chosen->names);
	free(chosen->begins);
	free(chosen->values);
	free(chosen->texts);
}

static const char *group_name(const struct lxfw_schedules *schedules,
			      enum lxfw_schedules_by by, size_t group, char *text)
{
	static const char *const runs[LXFW_RUN_BINS] = {
		"to 1m", "1-10m", "10-60m", "1-4h", "4-12h", "12-24h", ">24h",
	};
	struct lxfw_moment moment;

	if (by == LXFW_SCHEDULES_RUN)
		return runs[group];
	if (by == LXFW_SCHEDULES_SIZE)
		return lxfw_size_class_name((int)group);
	lxfw_calendar_moment(&schedules->calendar, schedules->begin +
			     (int64_t)group * WEEK, &moment);
	return lxfw_calendar_day_name(&schedules->calendar, moment.day, text, 32);
}

static int choose(const struct lxfw_schedules *schedules, enum lxfw_schedules_by by,
		  enum value value, struct chosen *chosen)
{
	size_t all = schedules->groups[by], at = 0;
	const struct lxfw_metrics *metrics = schedules->metrics[by];

	*chosen = (struct chosen) {
		.names = calloc(all, sizeof(*chosen->names)),
		.begins = calloc(all, sizeof(*chosen->begins)),
		.values = calloc(all * (size_t)schedules->count,
				 sizeof(*chosen->values)),
		.texts = calloc(all, sizeof(*chosen->texts)),
	};
	if (!chosen->names || !chosen->begins || !chosen->values || !chosen->texts)
		return -1;
	for (size_t i = 0; i < all; i++)
		chosen->count += metrics[i].jobs > 0;
	for (size_t i = 0; i < all; i++) {
		if (metrics[i].jobs == 0)
			continue;
		chosen->names[at] = group_name(schedules, by, i, chosen->texts[at]);
		chosen->begins[at] = schedules->begin + (int64_t)i * WEEK;
		for (int k = 0; k < schedules->count; k++)
			chosen->values[(size_t)k * chosen->count + at] = value_of(
				&metrics[(size_t)k * all + i], value);
		at++;
	}
	return 0;
}

static int figure_of(const struct lxfw_schedules *schedules,
		     enum lxfw_schedules_by by, enum value value,
		     const char *caption, const char *below,
		     struct lxfw_output *output)
{
	const struct lxfw_figure_time time = {
		.calendar = &schedules->calendar, .begin = schedules->begin,
		.end = schedules->end,
	};
	struct chosen chosen;
	int result = choose(schedules, by, value, &chosen);
	const struct lxfw_value_figure figure = {
		.caption = caption, .below = below,
		.series_names = schedules->names, .series = schedules->count,
		.names = chosen.names, .count = chosen.count,
		.values = chosen.values, .slowdowns = value == SLOWDOWN,
		.time = by == LXFW_SCHEDULES_WEEK ? &time : NULL,
		.begins = chosen.begins, .width = WEEK,
	};

	if (result == 0)
		result = lxfw_value_figure(&figure, output);
	clear(&chosen);
	return result;
}

/* --- the distribution of waits -------------------------------------------------- */

static int by_wait(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* Computes the fraction of COUNT sorted waits that do not exceed each of WAITS. */
static void make_shares(const double *sorted, size_t count, const double *waits,
			double *shares)
{
	size_t at = 0;

	for (int i = 0; i < CDF_POINTS; i++) {
		while (at < count && sorted[at] <= waits[i])
			at++;
		shares[i] = count ? (double)at / (double)count : 0;
	}
}

static int distribution_figure(const struct lxfw_schedules *schedules,
			       struct lxfw_output *output)
{
	size_t jobs = schedules->contest->trace->count, count = 0;
	size_t series = (size_t)schedules->count;
	double *waits = calloc(series * jobs + 1, sizeof(*waits));
	double *shares = calloc(series * CDF_POINTS, sizeof(*shares));
	double points[CDF_POINTS], most = 10;
	int result = -1;

	for (size_t i = 0; waits && i < jobs; i++) {
		if (!lxfw_schedules_count(schedules, i))
			continue;
		for (size_t k = 0; k < series; k++) {
			waits[k * jobs + count] = lxfw_schedules_wait(schedules,
								      (int)k, i);
			most = fmax(most, waits[k * jobs + count]);
		}
		count++;
	}
	for (int i = 0; i < CDF_POINTS; i++)
		points[i] = pow(most, (double)i / (CDF_POINTS - 1));
	points[CDF_POINTS - 1] = most;
	if (waits && shares) {
		for (size_t k = 0; k < series; k++) {
			qsort(waits + k * jobs, count, sizeof(*waits), by_wait);
			make_shares(waits + k * jobs, count, points,
				    shares + k * CDF_POINTS);
		}
		result = lxfw_share_figure(schedules->names, schedules->count,
					   points, shares, CDF_POINTS, output);
	}
	free(waits);
	free(shares);
	return result;
}

/* --- over time ------------------------------------------------------------------ */

static int machine(const struct lxfw_schedules *schedules, struct lxfw_output *output)
{
	const struct lxfw_timeline *timelines[LXFW_SCHEDULES_SHOWN];
	const struct lxfw_figure_time time = {
		.calendar = &schedules->calendar, .begin = schedules->begin,
		.end = schedules->end,
	};
	const struct lxfw_machine_figures figures = {
		.time = &time, .series_names = schedules->names,
		.series = schedules->count, .timelines = timelines,
		.procs = schedules->contest->cluster->procs,
	};

	for (int i = 0; i < schedules->count; i++)
		timelines[i] = &schedules->timelines[i];
	return lxfw_machine_figures(&figures, output);
}

/* Draws the waits of the first two schedules by hour of submission. */
static void hours(const struct lxfw_schedules *schedules, struct lxfw_output *output)
{
	static const char *const captions[] = {
		"Mean wait by hour, the first", "Mean wait by hour, the second",
	};
	const struct lxfw_trace *trace = schedules->contest->trace;
	struct lxfw_week_map maps[2] = { { false } };
	int shown = schedules->count < 2 ? schedules->count : 2;
	double most = 0;

	for (size_t i = 0; i < trace->count; i++) {
		for (int k = 0; k < shown && lxfw_schedules_count(schedules, i); k++)
			lxfw_week_map_add(&maps[k], &schedules->calendar,
					  lxfw_simulation_submit(&schedules->contest->
						contestants[k].sim, i),
					  lxfw_schedules_wait(schedules, k, i));
	}
	lxfw_week_map_span(&maps[0], &schedules->calendar, schedules->begin,
			   schedules->end);
	for (int k = 0; k < shown; k++)
		most = fmax(most, lxfw_heat_most(&maps[k], LXFW_HEAT_MEAN));
	lxfw_heat_map(output, &maps[0], LXFW_HEAT_RATE,
		      lxfw_heat_most(&maps[0], LXFW_HEAT_RATE), 2,
		      "Submissions by hour");
	for (int k = 0; k < shown; k++)
		lxfw_heat_map(output, &maps[k], LXFW_HEAT_MEAN, most, k,
			      shown == 1 ? "Mean wait by hour" : captions[k]);
}

int lxfw_schedules_figures(const struct lxfw_schedules *schedules,
			   struct lxfw_output *output)
{
	int result;

	lxfw_page_section(output, NULL, "Waits by group");
	lxfw_page_figures_begin(output);
	result = figure_of(schedules, LXFW_SCHEDULES_RUN, MEAN,
			   "Mean wait by run time", "run time", output) ||
		 figure_of(schedules, LXFW_SCHEDULES_RUN, P95,
			   "95th percentile wait by run time", "run time", output) ||
		 figure_of(schedules, LXFW_SCHEDULES_RUN, SLOWDOWN,
			   "Mean bounded slowdown by run time", "run time", output) ||
		 figure_of(schedules, LXFW_SCHEDULES_SIZE, MEAN,
			   "Mean wait by processors", "processors", output) ||
		 figure_of(schedules, LXFW_SCHEDULES_SIZE, P95,
			   "95th percentile wait by processors", "processors",
			   output) ||
		 distribution_figure(schedules, output) ? -1 : 0;
	lxfw_page_figures_end(output);
	lxfw_page_section(output, NULL, "Over time");
	lxfw_page_figures_begin(output);
	if (result == 0)
		result = figure_of(schedules, LXFW_SCHEDULES_WEEK, MEAN,
				   "Mean wait by week", "weeks from", output) ||
			 machine(schedules, output) ? -1 : 0;
	hours(schedules, output);
	lxfw_page_figures_end(output);
	if (result)
		errno = ENOMEM;
	return result;
}

/* --- gains and losses ------------------------------------------------------------- */

static void classes(const struct lxfw_schedules *schedules,
		    enum lxfw_schedules_by by, int schedule, const char *title,
		    struct lxfw_output *output)
{
	const char *const names[2] = { "first", "then" };
	struct lxfw_difference rows[LXFW_RUN_BINS + LXFW_SIZE_CLASSES];
	size_t all = schedules->groups[by], count = 0;

	for (size_t i = 0; i < all; i++) {
		const struct lxfw_metrics *first = &schedules->metrics[by][i];
		const struct lxfw_metrics *then =
			&schedules->metrics[by][(size_t)schedule * all + i];

		if (first->jobs == 0)
			continue;
		rows[count++] = (struct lxfw_difference) {
			.name = by == LXFW_SCHEDULES_RUN ?
				lxfw_run_bin_name((int)i) :
				lxfw_size_class_name((int)i),
			.jobs = first->jobs, .before = first->mean_wait,
			.after = then->mean_wait,
		};
	}
	lxfw_differences(output, title, by == LXFW_SCHEDULES_RUN ? "run time" :
			 "processors", names, rows, count);
}

static int put_users(const struct lxfw_schedules *schedules, int schedule,
		     struct lxfw_output *output)
{
	const char *const names[2] = { "first", "then" };
	const struct lxfw_trace *trace = schedules->contest->trace;
	struct lxfw_user_gain *gains = calloc(trace->count + 1, sizeof(*gains));
	size_t count = 0;

	if (!gains)
		return -1;
	for (size_t i = 0; trace->owners && i < trace->count; i++) {
		if (trace->owners[i].user >= 0 && lxfw_schedules_count(schedules, i))
			gains[count++] = (struct lxfw_user_gain) {
				trace->owners[i].user, 1,
				lxfw_schedules_wait(schedules, 0, i),
				lxfw_schedules_wait(schedules, schedule, i),
			};
	}
	lxfw_user_gains(output, names, gains, count, NULL);
	free(gains);
	return 0;
}

int lxfw_schedules_who(const struct lxfw_schedules *schedules,
		       struct lxfw_output *output)
{
	int result = 0;

	if (schedules->count < 2)
		return 0;
	lxfw_page_section(output, "who", "Gains and losses by group");
	for (int i = 1; i < schedules->count && result == 0; i++) {
		lxfw_output_text(output, "<h3>");
		lxfw_html_text(output, schedules->names[i]);
		lxfw_output_text(output, ", compared with ");
		lxfw_html_text(output, schedules->names[0]);
		lxfw_output_text(output, "</h3>\n<div class=\"pair\">\n");
		classes(schedules, LXFW_SCHEDULES_RUN, i, "Mean wait by run time",
			output);
		classes(schedules, LXFW_SCHEDULES_SIZE, i,
			"Mean wait by processors", output);
		result = put_users(schedules, i, output);
		lxfw_output_text(output, "</div>\n");
	}
	if (result)
		errno = ENOMEM;
	return result;
}
