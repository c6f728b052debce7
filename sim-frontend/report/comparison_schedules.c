/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws both schedules of a comparison in a window of time. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/report/comparison_page.h"
#include "sim-frontend/report/gantt.h"
#include "sim-frontend/report/page.h"

struct lxfw_window_of
lxfw_comparison_window_of(const struct lxfw_comparison_report *report)
{
	return (struct lxfw_window_of) {
		.calendar = &report->recorded->calendar,
		.begin = report->begin, .end = report->end,
		.timeline = &report->timelines[LXFW_MEASURED],
		.procs = report->recorded->procs,
	};
}

static int list_bars(const struct lxfw_comparison_report *report,
		     const struct lxfw_window *window, int side,
		     struct lxfw_gantt_panel *panel)
{
	const struct lxfw_recorded *recorded = report->recorded;

	panel->name = lxfw_page_sides[side];
	panel->bars = calloc(recorded->count + 1, sizeof(*panel->bars));
	if (!panel->bars)
		return -1;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];
		int64_t start = side == LXFW_MEASURED ? job->start :
							job->simulated;
		int64_t run = lxfw_recorded_job_run(job);

		if (start == LXFW_UNKNOWN || run == 0 ||
		    start >= window->until || start + run <= window->from)
			continue;
		panel->bars[panel->count++] = (struct lxfw_gantt_bar) {
			.job = job, .start = start, .end = start + run,
			.wait = start - lxfw_recorded_since(job),
			.procs = (int64_t)job->request.unit.procs *
				 job->request.count,
			.number = job->number,
		};
	}
	return 0;
}

static void tell(const struct lxfw_gantt_bar *bar, struct lxfw_output *output)
{
	const struct lxfw_recorded_job *job = bar->job;
	char run[32], measured[32], simulated[32];

	lxfw_format_span((double)(bar->end - bar->start), run, sizeof(run));
	snprintf(measured, sizeof(measured), "-");
	snprintf(simulated, sizeof(simulated), "-");
	if (job->start != LXFW_UNKNOWN)
		lxfw_format_span((double)(job->start - lxfw_recorded_since(job)),
				 measured, sizeof(measured));
	if (job->simulated != LXFW_UNKNOWN)
		lxfw_format_span((double)(job->simulated - lxfw_recorded_since(job)),
				 simulated, sizeof(simulated));
	lxfw_output_format(output, "job %lld: %lld processor%s, ran %s; waited %s "
			   "measured, %s simulated", (long long)job->number,
			   (long long)bar->procs, bar->procs == 1 ? "" : "s", run,
			   measured, simulated);
}

static void put_heading(const struct lxfw_comparison_report *report,
			const struct lxfw_window *window,
			struct lxfw_output *output)
{
	char from[64], until[64];

	lxfw_output_format(output, "<h2>Schedules from %s to %s</h2>\n",
			   lxfw_page_moment(&report->recorded->calendar,
					    window->from, from, sizeof(from)),
			   lxfw_page_moment(&report->recorded->calendar,
					    window->until, until, sizeof(until)));
}

int lxfw_page_schedules(const struct lxfw_comparison_report *report,
			const struct lxfw_window *window,
			struct lxfw_output *output)
{
	struct lxfw_gantt_panel panels[LXFW_SIDES] = { { NULL } };
	const struct lxfw_gantt gantt = {
		.panels = panels, .count = LXFW_SIDES,
		.procs = report->recorded->procs, .window = *window,
		.calendar = &report->recorded->calendar, .tell = tell,
	};
	int result = 0;

	put_heading(report, window, output);
	for (int side = 0; side < LXFW_SIDES && result == 0; side++)
		result = list_bars(report, window, side, &panels[side]);
	if (result == 0)
		result = lxfw_gantt_draw(&gantt, output);
	for (int side = 0; side < LXFW_SIDES; side++)
		free(panels[side].bars);
	lxfw_output_text(output, "<p class=\"soft\">A log does not record "
		"which processors a job had; each job is drawn on the lowest "
		"processors that were free when it started. The dotted line "
		"is the size of the machine.</p>\n");
	if (result)
		errno = ENOMEM;
	return result;
}
