/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts of a comparison's page over time: waits by week, utilization, the queue, and
   the hours of the week. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/comparison_page.h"
#include "sim-frontend/report/heat_map.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/value_figures.h"

#define WEEK INT64_C(604800)

/* Maximum number of shaded outages. With more, most of a chart would be shaded. */
#define AWAY_MOST 400

static bool inferred_any(const struct lxfw_comparison_report *report)
{
	return report->inference &&
	       report->inference->inferred.outage_count > 0;
}

/*
 * Lists the periods in which part of the machine was unavailable: the inferred or given
 * outages, otherwise the longest pauses of the measured run in which no job was started
 * although submitted jobs would have fit.
 */
static size_t list_away(const struct lxfw_comparison_report *report,
			struct lxfw_window *away, size_t most)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];
	size_t count = 0;

	if (inferred_any(report)) {
		const struct lxfw_inferred *inferred = &report->inference->inferred;

		for (; count < inferred->outage_count && count < most; count++)
			away[count] = (struct lxfw_window) {
				inferred->outages[count].begin,
				inferred->outages[count].end,
			};
		return count;
	}
	for (; count < m->pauses_kept && count < most; count++)
		away[count] = (struct lxfw_window) {
			m->pauses[count].begin, m->pauses[count].end,
		};
	return count;
}

static int weeks_figure(const struct lxfw_comparison_report *report,
			const struct lxfw_figure_time *time,
			enum lxfw_page_measure measure, const char *caption,
			struct lxfw_output *output)
{
	const struct lxfw_comparison_rows *rows = &report->by[LXFW_BY_WEEK];
	double *values = lxfw_page_values(rows, measure);
	const char **names = calloc(rows->count + 1, sizeof(*names));
	int64_t *begins = calloc(rows->count + 1, sizeof(*begins));
	const struct lxfw_value_figure figure = {
		.caption = caption, .below = "weeks from",
		.series_names = lxfw_page_sides, .series = LXFW_SIDES,
		.names = names, .count = rows->count, .values = values,
		.time = time, .begins = begins, .width = WEEK,
	};
	int result = -1;

	if (values && names && begins) {
		for (size_t i = 0; i < rows->count; i++) {
			names[i] = rows->rows[i].name;
			begins[i] = rows->rows[i].begin;
		}
		result = lxfw_value_figure(&figure, output);
	}
	free(values);
	free(names);
	free(begins);
	return result;
}

/* --- the hours of the week -------------------------------------------------------- */

static void week_figures(const struct lxfw_comparison_report *report,
			 struct lxfw_output *output)
{
	const struct lxfw_recorded *recorded = report->recorded;
	struct lxfw_week_map maps[LXFW_SIDES] = { { false } };
	double most;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];
		int64_t submit = lxfw_recorded_since(job);

		if (!lxfw_recorded_in_both(job))
			continue;
		lxfw_week_map_add(&maps[LXFW_MEASURED], &recorded->calendar,
				  submit, (double)(job->start - submit));
		lxfw_week_map_add(&maps[LXFW_SIMULATED], &recorded->calendar,
				  submit, (double)(job->simulated - submit));
	}
	for (int side = 0; side < LXFW_SIDES; side++)
		lxfw_week_map_span(&maps[side], &recorded->calendar,
				   report->begin, report->last_submit + 1);
	most = fmax(lxfw_heat_most(&maps[0], LXFW_HEAT_MEAN),
		    lxfw_heat_most(&maps[1], LXFW_HEAT_MEAN));
	lxfw_heat_map(output, &maps[0], LXFW_HEAT_RATE,
		      lxfw_heat_most(&maps[0], LXFW_HEAT_RATE), 2,
		      "Submissions by hour");
	lxfw_heat_map(output, &maps[LXFW_MEASURED], LXFW_HEAT_MEAN, most, 0,
		      "Mean wait by hour, measured");
	lxfw_heat_map(output, &maps[LXFW_SIMULATED], LXFW_HEAT_MEAN, most, 1,
		      "Mean wait by hour, simulated");
}

int lxfw_page_times(const struct lxfw_comparison_report *report,
		    struct lxfw_output *output)
{
	const struct lxfw_timeline *const timelines[LXFW_SIDES] = {
		&report->timelines[LXFW_MEASURED],
		&report->timelines[LXFW_SIMULATED],
	};
	struct lxfw_window away[AWAY_MOST];
	const struct lxfw_figure_time time = {
		.calendar = &report->recorded->calendar, .begin = report->begin,
		.end = report->end, .away = away,
		.away_count = list_away(report, away, AWAY_MOST),
	};
	const struct lxfw_machine_figures machine = {
		.time = &time, .series_names = lxfw_page_sides,
		.series = LXFW_SIDES, .timelines = timelines,
		.procs = report->recorded->procs,
	};
	int result;

	lxfw_page_figures_begin(output);
	result = weeks_figure(report, &time, LXFW_PAGE_MEAN, "Mean wait by week",
			      output) ||
		 weeks_figure(report, &time, LXFW_PAGE_P95,
			      "95th percentile wait by week", output) ||
		 lxfw_machine_figures(&machine, output) ? -1 : 0;
	lxfw_page_figures_end(output);
	if (time.away_count > 0)
		lxfw_chart_shade_key(output, inferred_any(report) ?
			"shaded: unavailable processors, recorded or inferred "
			"from the log" :
			"shaded: no job was started although jobs were "
			"submitted and processors were free, as in an outage");
	lxfw_page_figures_begin(output);
	week_figures(report, output);
	lxfw_page_figures_end(output);
	if (result)
		errno = ENOMEM;
	return result;
}
