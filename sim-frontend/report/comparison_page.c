/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/comparison_page.h"

#include <math.h>
#include <stdio.h>

#include "sim-frontend/report/overhead_text.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/shaken_text.h"
#include "sim-frontend/report/svg.h"
#include "sim-frontend/report/verdict_text.h"

/* Number of rows in tables of queues or users. */
#define ROWS_SHOWN 12

/* --- head ----------------------------------------------------------------------- */

static const char *moment_name(const struct lxfw_comparison_report *report,
			       int64_t time, char *name, size_t size)
{
	return lxfw_page_moment(&report->recorded->calendar, time, name, size);
}

static void put_head(const struct lxfw_comparison_report *report,
		     struct lxfw_output *output)
{
	const char *name = lxfw_page_base_name(report->log);
	char from[64], until[64];

	lxfw_page_begin(output, "Measured and simulated waits", name);
	lxfw_output_text(output, "<p class=\"soft head\">");
	lxfw_html_text(output, name);
	lxfw_output_format(output, " &middot; %zu jobs &middot; %lld processors "
			   "&middot; %s to %s</p>\n", report->jobs,
			   (long long)report->recorded->procs,
			   moment_name(report, report->begin, from,
				       sizeof(from)),
			   moment_name(report, report->end, until,
				       sizeof(until)));
}

static void put_card(struct lxfw_output *output, const char *title,
		     const char *measured, const char *simulated, const char *range,
		     double change, const char *what)
{
	lxfw_page_card_begin(output, title);
	lxfw_output_format(output, "<p class=\"m\"><b>%s</b> measured</p>\n"
			   "<p class=\"s\"><b>%s</b> simulated</p>\n", measured, simulated);
	if (*range)
		lxfw_output_format(output, "<p class=\"soft\">%s with noise</p>\n", range);
	lxfw_output_text(output, "<p class=\"soft\">");
	lxfw_page_change(output, change, what);
	lxfw_output_text(output, "</p>");
	lxfw_page_card_end(output);
}

static void put_wait_card(const struct lxfw_comparison_report *report,
			  struct lxfw_output *output, const char *title, double measured,
			  enum lxfw_comparison_figure figure)
{
	double simulated = lxfw_comparison_figure(report, figure);
	char m[32], s[32], range[LXFW_SHAKEN_TEXT];

	put_card(output, title, lxfw_format_span(measured, m, sizeof(m)),
		 lxfw_format_span(simulated, s, sizeof(s)),
		 lxfw_shaken_spans(&report->ranges[figure], range, sizeof(range)),
		 lxfw_page_change_of(measured, simulated), "%");
}

/* Formats three digits, or all digits of the integer part. TEXT has 32 bytes. */
static const char *slowdown(double value, char *text)
{
	snprintf(text, 32, value < 999.5 ? "%.3g" : "%.0f", value);
	return text;
}

static void put_cards(const struct lxfw_comparison_report *report,
		      struct lxfw_output *output)
{
	const struct lxfw_waits *m = &report->measured;
	const struct lxfw_shaken_range *used = &report->ranges[LXFW_FIGURE_UTILIZATION];
	double slow[LXFW_SIDES];
	char text[LXFW_SIDES][32], range[LXFW_SHAKEN_TEXT];

	lxfw_page_cards_begin(output);
	put_wait_card(report, output, "Mean wait", m->mean, LXFW_FIGURE_MEAN);
	put_wait_card(report, output, "Median wait", (double)m->median, LXFW_FIGURE_MEDIAN);
	put_wait_card(report, output, "95th percentile wait", (double)m->p95, LXFW_FIGURE_P95);
	put_wait_card(report, output, "Longest wait", (double)m->max, LXFW_FIGURE_MAX);
	for (int i = 0; i < LXFW_SIDES; i++) {
		slow[i] = report->side[i].mean_bounded_slowdown;
		slowdown(slow[i], text[i]);
	}
	put_card(output, "Mean bounded slowdown", text[0], text[1],
		 lxfw_shaken_numbers(&report->ranges[LXFW_FIGURE_BOUNDED], range, sizeof(range)),
		 lxfw_page_change_of(slow[0], slow[1]), "%");
	for (int i = 0; i < LXFW_SIDES; i++)
		snprintf(text[i], sizeof(text[i]), "%.1f %%",
			 100 * report->utilization[i]);
	*range = '\0';
	if (used->copies > 0)
		snprintf(range, sizeof(range), "%.1f-%.1f %%", 100 * used->low, 100 * used->high);
	put_card(output, "Utilization", text[0], text[1], range,
		 100 * (report->utilization[1] - report->utilization[0]),
		 "points");
	lxfw_page_cards_end(output);
}

static void put_verdict(const struct lxfw_comparison_report *report,
			struct lxfw_output *output)
{
	lxfw_verdict_page(&report->verdict, output);
	if (report->verdict_of_recorded)
		lxfw_output_text(output, "<p class=\"soft\">The verdict "
				 "concerns the simulation with the recorded "
				 "parameters.</p>\n");
}

/* Writes the result in words. */
static void put_answer(const struct lxfw_comparison_report *report,
		       struct lxfw_output *output)
{
	double change = lxfw_page_change_of(report->measured.mean,
				  report->simulated.mean);
	double share = lxfw_comparison_unexplained(report);
	const struct lxfw_shaken_range *range = &report->ranges[LXFW_FIGURE_MEAN];
	char text[2][32];

	lxfw_output_text(output, "<p>");
	if (change == 0 && report->equal == report->jobs)
		lxfw_output_text(output, "The simulation starts every job at "
				 "the measured second. ");
	else if (!isfinite(change))
		lxfw_output_text(output, "Measured jobs did not wait. ");
	else
		lxfw_output_format(output, "The simulated mean wait is "
			"<b>%.0f %% %s</b> than the measured one; %zu of %zu "
			"jobs start at the same second. ", fabs(change),
			change < 0 ? "less" : "more", report->equal,
			report->jobs);
	if (range->copies > 0)
		lxfw_output_format(output, "In %d copies of the log with a little noise, the "
			"simulated mean wait is <b>%s</b> to <b>%s</b>. The range of each "
			"simulated figure is stated with it. ", range->copies,
			lxfw_format_span(range->low, text[0], 32),
			lxfw_format_span(range->high, text[1], 32));
	if (report->measured.mean > 0)
		lxfw_output_format(output, "<b>%.1f %%</b> of the measured "
			"wait is not explained by the log (holds, "
			"dependencies, limits, nodes down, reservations: <a "
			"href=\"#parts\">below</a>).", 100 * share);
	if (report->inference)
		lxfw_inference_page(report->inference, output);
	lxfw_output_text(output, "</p>\n");
}

/* --- tables --------------------------------------------------------------------- */

static void put_pair(struct lxfw_output *output, double measured,
		     const struct lxfw_comparison_row *row, enum lxfw_comparison_figure figure)
{
	char text[2][32], range[LXFW_SHAKEN_TEXT];

	lxfw_output_format(output, "<td class=\"m\">%s</td><td class=\"s\">%s",
			   lxfw_format_span(measured, text[0], 32),
			   lxfw_format_span(lxfw_comparison_row_figure(row, figure), text[1],
					    32));
	lxfw_shaken_below(lxfw_shaken_spans(&row->ranges[figure], range, sizeof(range)), output);
	lxfw_output_text(output, "</td>");
}

static void put_row(const struct lxfw_comparison_row *row,
		    struct lxfw_output *output)
{
	const struct lxfw_metrics *m = &row->side[LXFW_MEASURED];
	const struct lxfw_metrics *s = &row->side[LXFW_SIMULATED];
	char text[LXFW_SIDES][32], range[LXFW_SHAKEN_TEXT];

	lxfw_output_text(output, "<tr><td>");
	lxfw_html_text(output, row->name);
	lxfw_output_format(output, "</td><td>%zu</td>", m->jobs);
	put_pair(output, m->mean_wait, row, LXFW_FIGURE_MEAN);
	put_pair(output, (double)m->median_wait, row, LXFW_FIGURE_MEDIAN);
	put_pair(output, (double)m->p95_wait, row, LXFW_FIGURE_P95);
	put_pair(output, (double)m->max_wait, row, LXFW_FIGURE_MAX);
	lxfw_output_format(output, "<td class=\"m\">%s</td><td class=\"s\">%s",
			   slowdown(m->mean_bounded_slowdown, text[0]),
			   slowdown(s->mean_bounded_slowdown, text[1]));
	lxfw_shaken_below(lxfw_shaken_numbers(&row->ranges[LXFW_FIGURE_BOUNDED], range,
					      sizeof(range)), output);
	lxfw_output_text(output, "</td></tr>\n");
}

static void put_rows(const struct lxfw_comparison_rows *rows,
		     const char *caption, size_t most,
		     struct lxfw_output *output)
{
	static const char *const columns[] = {
		"mean wait", "median wait", "95th percentile", "longest wait",
		"bounded slowdown",
	};

	if (rows->count == 0)
		return;
	lxfw_page_table_begin(output, NULL);
	lxfw_output_format(output, "<caption>By %s</caption>\n<thead><tr>"
			   "<th></th><th></th>", caption);
	for (int i = 0; i < 5; i++)
		lxfw_output_format(output, "<th colspan=\"2\">%s</th>",
				   columns[i]);
	lxfw_output_format(output, "</tr>\n<tr><th>%s</th><th>jobs</th>",
			   rows->title);
	for (int i = 0; i < 5; i++)
		lxfw_output_text(output, "<th class=\"m\">meas.</th>"
				 "<th class=\"s\">sim.</th>");
	lxfw_output_text(output, "</tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < rows->count && i < most; i++)
		put_row(&rows->rows[i], output);
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
	if (rows->count > most)
		lxfw_output_format(output, "<p class=\"soft\">The %zu with "
			"the most processor time; %zu more are in the JSON "
			"output.</p>\n",
			most, rows->count - most);
}

/* --- waits that the log does not explain ------------------------------------------ */

static void put_part_rows(const struct lxfw_comparison_report *report,
			  struct lxfw_output *output)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];

	lxfw_page_table_begin(output, NULL);
	lxfw_output_text(output, "<thead><tr><th>mean wait by "
		"cause</th><th>measured</th><th>simulated</th><th>of the "
		"measured</th><th>jobs over 10 "
		"min</th></tr></thead>\n<tbody>\n");
	for (int i = 0; i < LXFW_WAIT_PARTS; i++) {
		enum lxfw_wait_part part = (enum lxfw_wait_part)i;
		char text[2][32], range[LXFW_SHAKEN_TEXT];

		if (!lxfw_comparison_shows(report, part))
			continue;
		if (part == LXFW_WAIT_PASSED)
			lxfw_output_text(output, "<tr><th colspan=\"5\">not "
				"explained by the log</th></tr>\n");
		lxfw_output_format(output, "<tr><td><i class=\"k p%d\"></i>",
				   lxfw_page_part_colour(part));
		lxfw_html_text(output, lxfw_wait_part_name(part));
		lxfw_output_format(output, "</td><td>%s</td><td>%s",
			lxfw_format_span(lxfw_comparison_part(report,
				LXFW_MEASURED, part), text[0], 32),
			lxfw_format_span(lxfw_comparison_part(report,
				LXFW_SIMULATED, part), text[1], 32));
		lxfw_shaken_below(lxfw_shaken_spans(&report->part_ranges[part], range,
						    sizeof(range)), output);
		lxfw_output_format(output, "</td><td>%.1f %%</td><td>%zu</td></tr>\n",
			m->wait_seconds > 0 ? 100 * m->parts[i].seconds /
					      m->wait_seconds : 0,
			m->parts[i].jobs);
	}
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_pauses(const struct lxfw_comparison_report *report,
		       struct lxfw_output *output)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];
	char name[64], length[32];

	if (m->pause_count == 0)
		return;
	lxfw_output_format(output, "<p><b>No job was started although jobs "
		"were submitted and processors were free:</b> %zu times, %s "
		"in total%s</p>\n",
		m->pause_count,
		lxfw_format_span(m->pause_seconds, length, sizeof(length)),
		m->pauses_kept < m->pause_count ? "; the longest" : "");
	lxfw_page_table_begin(output, NULL);
	lxfw_output_text(output, "<thead><tr><th>from</th><th>for</th>"
		"<th>processors free</th><th>jobs waiting</th></tr></thead>\n"
		"<tbody>\n");
	for (size_t i = 0; i < m->pauses_kept; i++)
		lxfw_output_format(output, "<tr><td>%s</td><td>%s</td><td>%lld"
			"</td><td>%d</td></tr>\n",
			moment_name(report, m->pauses[i].begin, name,
				    sizeof(name)),
			lxfw_format_span((double)(m->pauses[i].end -
						  m->pauses[i].begin), length,
					 sizeof(length)),
			(long long)m->pauses[i].free, (int)m->pauses[i].waiting);
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_unexplained(const struct lxfw_comparison_report *report,
			    struct lxfw_output *output)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];

	lxfw_output_text(output, "<h2 id=\"parts\">Causes of waits, and waits "
		"that the log does not explain</h2>\n<p>Each second of each "
		"wait is attributed to one cause, based only on submissions, "
		"starts, ends and requests. None of the policies would have "
		"caused the coloured ones.</p>\n");
	lxfw_page_parts(report, output);
	put_part_rows(report, output);
	put_pauses(report, output);
	if (m->level_days > 0)
		lxfw_output_format(output, "<p>On %zu of %zu days some "
			"processors were unused all day, %.1f on average, "
			"although waiting jobs would have fitted on them: "
			"nodes were down or reserved, or users had reached a "
			"limit.</p>\n", m->level_days,
			m->days, m->level_proc_seconds /
				 (86400 * (double)m->level_days));
	if (m->over_share > 0)
		lxfw_output_format(output, "<p>According to the log, jobs "
			"held more than the %lld processors for %.2f %% of "
			"the time, at most %lld.</p>\n", (long long)report->recorded->procs,
			100 * m->over_share, (long long)m->most_held);
}

/* --- method --------------------------------------------------------------------- */

static void put_method(const struct lxfw_comparison_report *report,
		       struct lxfw_output *output)
{
	char text[LXFW_OVERHEAD_TEXT];

	lxfw_output_text(output, "<h2>Method and caveats</h2>\n<ul>\n<li>The "
		"submissions of the log were simulated by <code>lxfw compare"
		"</code> " PACKAGE_VERSION ", with the scheduler that runs in "
		"Slurm as <code>sched/lxfw</code>. Assumed: ");
	lxfw_html_text(output, report->assumed ? report->assumed : "nothing");
	lxfw_output_format(output, ".</li>\n<li>Jobs run as long as they did; "
		"%lld s are taken to pass between the reason for a start and "
		"the start%s%s. The scheduler "
		"knows the time that a job asked for, never its run time.</li>"
		"\n", (long long)report->overhead.start,
		report->overhead.start_given ? "" : ", ",
		report->overhead.start_given ? "" :
		lxfw_overhead_text(&report->overhead.estimate, text,
				   sizeof(text)));
	lxfw_output_format(output, "<li>%zu jobs are compared; %zu started, but "
		"have no end in the log; %zu did not "
		"start in both, of which %zu were cancelled or held before "
		"they started (%s); %zu were left out because they have no "
		"run time or processors or are larger than the machine.</li>\n", report->jobs,
		report->no_end, report->not_compared - report->no_end,
		report->cancelled,
		report->recorded->cancelled == LXFW_CANCELLED_UNTIL ?
		"simulated until they were cancelled" : "not simulated",
		report->recorded->passed_over);
	if (report->recorded->kept > 0 || report->recorded->left > 0)
		lxfw_output_format(output, "<li>%zu jobs were not eligible for a time, which "
			"is no part of their waits; %zu were left to the workload "
			"manager, and are simulated from their start on.</li>\n",
			report->recorded->kept, report->recorded->left);
	lxfw_output_text(output,
		"<li>With other waits, users would have submitted jobs at "
		"other times; the simulation does not model "
		"this.</li>\n<li>The site's priorities of queues and users, "
		"its limits and node types are simulated only if a journal or "
		"the parameters contain them. Manual changes to the queue are "
		"in no log.</li>\n<li>Waits that the log does not explain are "
		"estimated from the hosts that each job could use: there was "
		"room for all waiting jobs, or for over a minute for each "
		"that may use the same hosts, or a job that was submitted later to the "
		"same queue and requested at least as many processors, as "
		"much time and as much memory started first. Such time is "
		"counted from the first such start to the last. A pause is "
		"half an hour or more without a start in which at least two "
		"jobs were submitted. A chain is a wait that ended when "
		"another job of the same user ended.</li>\n");
	lxfw_output_format(output, "<li>Wait is from "
		"submission to start. Percentiles are nearest-rank. Slowdown "
		"is response time divided by run time; run times below %lld s "
		"count as %lld s. Utilization is from the first submission to "
		"the last. Run times are measured ones; both sides have the "
		"same groups of jobs.</li>\n</ul>\n", (long long)report->bound,
		(long long)report->bound);
	lxfw_page_end(output);
}

int lxfw_comparison_page(const struct lxfw_comparison_report *report,
			 const struct lxfw_window *window,
			 struct lxfw_output *output)
{
	put_head(report, output);
	put_verdict(report, output);
	put_answer(report, output);
	put_cards(report, output);
	if (report->instead && lxfw_instead_page(report->instead, output))
		return -1;
	lxfw_page_section(output, NULL, "Waits by group");
	if (lxfw_page_figures(report, output))
		return -1;
	lxfw_page_section(output, NULL, "Over time");
	if (lxfw_page_times(report, output))
		return -1;
	put_unexplained(report, output);
	if (lxfw_page_who(report, output) ||
	    lxfw_page_schedules(report, window, output))
		return -1;
	lxfw_page_section(output, NULL, "Figures by group");
	put_rows(&report->by[LXFW_BY_RUN], "run time", LXFW_RUN_BINS, output);
	put_rows(&report->by[LXFW_BY_SIZE], "processors", LXFW_SIZE_CLASSES,
		 output);
	put_rows(&report->by[LXFW_BY_QUEUE], "queue or partition", ROWS_SHOWN,
		 output);
	put_rows(&report->by[LXFW_BY_OWNER], report->by[LXFW_BY_OWNER].title,
		 ROWS_SHOWN, output);
	put_rows(&report->by[LXFW_BY_SPAN], "time of submission", ROWS_SHOWN + 2,
		 output);
	put_method(report, output);
	return 0;
}
