/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/simulation_page.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/report/gantt.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/simulation_schedules.h"
#include "sim-frontend/report/svg.h"

/* Maximum number of schedules drawn job by job. */
#define PANELS 4

/* --- head and figures ----------------------------------------------------------- */

static void put_head(const struct lxfw_simulation_page *page,
		     const struct lxfw_schedules *schedules,
		     struct lxfw_output *output)
{
	const struct lxfw_contest *contest = page->several->contest;
	const char *name = lxfw_page_base_name(page->log);
	char from[64], until[64];

	lxfw_page_begin(output, contest->count > 1 ? "Simulated schedules" :
			"A simulated schedule", name);
	lxfw_output_text(output, "<p class=\"soft head\">");
	lxfw_html_text(output, name);
	lxfw_output_format(output, " &middot; %zu jobs &middot; %lld processors "
			   "&middot; %s to %s</p>\n", contest->trace->count,
			   (long long)contest->cluster->procs,
			   lxfw_page_moment(&schedules->calendar,
					    schedules->begin, from, sizeof(from)),
			   lxfw_page_moment(&schedules->calendar, schedules->end,
					    until, sizeof(until)));
	lxfw_output_text(output, "<div class=\"verdict\"><p><b>These are "
		"simulations, not measurements</b></p><p>These are simulated "
		"schedules of the log's jobs. Run <code>lxfw compare "
		"--report</code> on the same log to check the accuracy of the "
		"simulation. Do not base decisions on this page before its "
		"verdict permits them.</p></div>\n");
}

static void put_value(const struct lxfw_report_item *item,
		      struct lxfw_output *output)
{
	char text[32];

	switch (item->kind) {
	case LXFW_ITEM_NAME:
		lxfw_html_text(output, item->name);
		break;
	case LXFW_ITEM_WHOLE:
		lxfw_output_integer(output, item->whole);
		break;
	case LXFW_ITEM_FRACTION:
		snprintf(text, sizeof(text), "%.3f", item->fraction);
		lxfw_output_text(output, text);
		break;
	}
}

/* Writes a table with a row per figure and a column per contender. */
static void put_figures(const struct lxfw_several *several,
			struct lxfw_output *output)
{
	const struct lxfw_contest *contest = several->contest;

	lxfw_page_section(output, NULL, "Figures");
	lxfw_page_table_begin(output, NULL);
	lxfw_output_text(output, "<thead><tr><th></th>");
	for (size_t i = 0; i < contest->count; i++) {
		lxfw_output_format(output, "<th class=\"s%zu\">", i % 8);
		lxfw_html_text(output, contest->contestants[i].name);
		lxfw_output_text(output, "</th>");
	}
	lxfw_output_text(output, "</tr></thead>\n<tbody>\n");
	for (int i = 0; i < several->each; i++) {
		const struct lxfw_report_item *item =
			&lxfw_several_at(several, 0, i)->item;

		lxfw_output_format(output, "<tr><td>%s%s%s</td>", item->label,
				   *item->unit ? ", " : "", item->unit);
		for (size_t j = 0; j < contest->count; j++) {
			lxfw_output_text(output, "<td>");
			put_value(&lxfw_several_at(several, j, i)->item, output);
			lxfw_output_text(output, "</td>");
		}
		lxfw_output_text(output, "</tr>\n");
	}
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_per_cent(double value, struct lxfw_output *output)
{
	if (isnan(value))
		lxfw_output_text(output, "<td>-</td>");
	else
		lxfw_output_format(output, "<td>%+.1f %%</td>", value);
}

static void put_range(double low, double high, struct lxfw_output *output)
{
	if (isnan(low))
		lxfw_output_text(output, "<td>-</td>");
	else
		lxfw_output_format(output, "<td>%+.1f to %+.1f %%</td>", low, high);
}

/* Writes the differences of one contender from the first, with their intervals. */
static void put_changes(const struct lxfw_several *several, size_t who,
			struct lxfw_output *output)
{
	const struct lxfw_contest *contest = several->contest;
	bool weeks = contest->weeks >= LXFW_CONTEST_PERIODS;

	lxfw_output_text(output, "<h3>");
	lxfw_html_text(output, contest->contestants[who].name);
	lxfw_output_text(output, ", compared with ");
	lxfw_html_text(output, contest->contestants[0].name);
	lxfw_output_text(output, "</h3>\n");
	lxfw_page_table_begin(output, NULL);
	lxfw_output_format(output, "<thead><tr><th></th><th>change</th>%s%s</tr>"
		"</thead>\n<tbody>\n", weeks ? "<th>95 % by period</th>" : "",
		contest->copies ? "<th>perturbed copies</th><th>95 % of "
				  "copies</th>" :
		"");
	for (int i = 0; i < several->each; i++) {
		const struct lxfw_several_figure *figure =
			lxfw_several_at(several, who, i);

		if (!figure->compared || isnan(figure->change))
			continue;
		lxfw_output_format(output, "<tr><td>%s</td>", figure->item.label);
		put_per_cent(figure->change, output);
		if (weeks)
			put_range(figure->low, figure->high, output);
		if (contest->copies > 0) {
			put_per_cent(figure->shaken_change.mean, output);
			put_range(figure->shaken_change.low,
				  figure->shaken_change.high, output);
		}
		lxfw_output_text(output, "</tr>\n");
	}
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_how_sure(const struct lxfw_several *several,
			 struct lxfw_output *output)
{
	const struct lxfw_contest *contest = several->contest;
	double days = (double)contest->period / 86400;

	if (contest->count < 2)
		return;
	lxfw_page_section(output, NULL, "Confidence of the differences");
	if (contest->weeks >= LXFW_CONTEST_PERIODS)
		lxfw_output_format(output, "<p>From %d periods of %.6g day%s, drawn "
			"with replacement. If an interval includes 0, this log "
			"does not determine which of the two is better.</p>\n",
			contest->weeks, days, days == 1 ? "" : "s");
	else
		lxfw_output_format(output, "<p>The log has fewer than %d periods of "
			"%.6g day%s, which confidence intervals need.</p>\n",
			LXFW_CONTEST_PERIODS, days, days == 1 ? "" : "s");
	for (size_t i = 1; i < contest->count; i++)
		put_changes(several, i, output);
}

/* --- schedules ------------------------------------------------------------------ */

static int list_bars(const struct lxfw_schedules *schedules, int schedule,
		     const struct lxfw_window *window,
		     struct lxfw_gantt_panel *panel)
{
	const struct lxfw_simulation *sim =
		&schedules->contest->contestants[schedule].sim;
	const struct lxfw_trace *trace = sim->trace;

	panel->name = schedules->names[schedule];
	panel->bars = calloc(trace->count + 1, sizeof(*panel->bars));
	if (!panel->bars)
		return -1;
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_trace_job *job = &trace->jobs[i];
		int64_t start = sim->starts[i], end = sim->ends[i];

		if (start == LXFW_NEVER || end == LXFW_NEVER || end <= start ||
		    start >= window->until || end <= window->from)
			continue;
		panel->bars[panel->count++] = (struct lxfw_gantt_bar) {
			.start = start, .end = end, .wait = start - lxfw_simulation_submit(sim, i),
			.procs = job->procs, .number = job->number, .job = job,
		};
	}
	return 0;
}

static void tell(const struct lxfw_gantt_bar *bar, struct lxfw_output *output)
{
	char run[32], wait[32];

	lxfw_format_span((double)(bar->end - bar->start), run, sizeof(run));
	lxfw_format_span((double)bar->wait, wait, sizeof(wait));
	lxfw_output_format(output, "job %lld: %lld processor%s, waited %s, ended %s "
			   "later", (long long)bar->number, (long long)bar->procs,
			   bar->procs == 1 ? "" : "s", wait, run);
}

static int put_schedules(const struct lxfw_schedules *schedules,
			 const struct lxfw_window *window,
			 struct lxfw_output *output)
{
	struct lxfw_gantt_panel panels[PANELS] = { { NULL } };
	const struct lxfw_gantt gantt = {
		.panels = panels,
		.count = schedules->count < PANELS ? schedules->count : PANELS,
		.procs = schedules->contest->cluster->procs, .window = *window,
		.calendar = &schedules->calendar, .tell = tell,
	};
	char from[64], until[64];
	int result = 0;

	lxfw_output_format(output, "<h2>Schedules from %s to %s</h2>\n",
			   lxfw_page_moment(&schedules->calendar, window->from,
					    from, sizeof(from)),
			   lxfw_page_moment(&schedules->calendar, window->until,
					    until, sizeof(until)));
	for (int i = 0; i < gantt.count && result == 0; i++)
		result = list_bars(schedules, i, window, &panels[i]);
	if (result == 0)
		result = lxfw_gantt_draw(&gantt, output);
	for (int i = 0; i < gantt.count; i++)
		free(panels[i].bars);
	lxfw_output_text(output, "<p class=\"soft\">Each job is drawn from "
		"its start to its end on the number of processors that it "
		"requested, the lowest that were free when it started, "
		"including the time in which it was suspended. The dotted "
		"line is the size of the machine.</p>\n");
	return result;
}

static void put_submissions(const struct lxfw_contest *contest, struct lxfw_output *output)
{
	const struct lxfw_feedback *feedback = contest->contestants[0].options.feedback;

	if (feedback)
		lxfw_output_format(output, "%zu jobs were submitted after the end of other jobs; "
			"their waits begin then. The others were submitted when the log says.",
			feedback->followers);
	else
		lxfw_output_text(output, "With other waits, users would have submitted jobs at "
			"other times; the simulation does not model this.");
}

static void put_method(const struct lxfw_simulation_page *page,
		       const struct lxfw_schedules *schedules,
		       struct lxfw_output *output)
{
	size_t count = page->several->contest->count;

	lxfw_page_section(output, NULL, "Method and caveats");
	lxfw_output_text(output, "<ul>\n<li>Made by <code>lxfw simulate</code> "
		PACKAGE_VERSION ", with the scheduler that runs in Slurm as "
		"<code>sched/lxfw</code>.</li>\n<li>");
	put_submissions(page->several->contest, output);
	lxfw_output_text(output, "</li>\n<li>Wait is response minus run "
		"time. Percentiles are nearest-rank. Groups have the same "
		"jobs in all schedules.</li>\n");
	if (count > (size_t)schedules->count)
		lxfw_output_format(output, "<li>%zu contenders were simulated; the "
			"charts have the first %d.</li>\n", count,
			schedules->count);
	if (schedules->count > PANELS)
		lxfw_output_format(output, "<li>The first %d schedules are drawn job "
				   "by job.</li>\n", PANELS);
	lxfw_output_text(output, "</ul>\n");
}

static int choose_window(const struct lxfw_simulation_page *page,
			 const struct lxfw_schedules *schedules,
			 struct lxfw_window *window, struct lxfw_error *error)
{
	const struct lxfw_window_of of = {
		.calendar = &schedules->calendar, .begin = schedules->begin,
		.end = schedules->end, .timeline = &schedules->timelines[0],
		.procs = schedules->contest->cluster->procs,
	};

	*window = (struct lxfw_window) { schedules->begin, schedules->end };
	if (page->window)
		return lxfw_window_parse(&of, page->window, window, error);
	lxfw_window_busiest(&of, window);
	return 0;
}

static int put_page(const struct lxfw_simulation_page *page,
		    const struct lxfw_schedules *schedules,
		    const struct lxfw_window *window, struct lxfw_output *output)
{
	put_head(page, schedules, output);
	put_figures(page->several, output);
	if (lxfw_schedules_figures(schedules, output))
		return -1;
	put_how_sure(page->several, output);
	if (lxfw_schedules_who(schedules, output) ||
	    put_schedules(schedules, window, output))
		return -1;
	put_method(page, schedules, output);
	lxfw_page_end(output);
	return 0;
}

int lxfw_simulation_page(const struct lxfw_simulation_page *page,
			 struct lxfw_output *output, struct lxfw_error *error)
{
	struct lxfw_schedules schedules;
	struct lxfw_window window;
	int result = -1;

	if (lxfw_schedules_make(&schedules, page->several->contest)) {
		lxfw_error_set(error, "out of memory");
	} else if (choose_window(page, &schedules, &window, error) == 0) {
		result = put_page(page, &schedules, &window, output);
		if (result)
			lxfw_error_set(error, "out of memory");
	}
	lxfw_schedules_clear(&schedules);
	return result;
}
