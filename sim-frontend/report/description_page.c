/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/description_page.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/heat_map.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/report.h"

#define DAY 86400.0

/* --- head ----------------------------------------------------------------------- */

static void put_head(const struct lxfw_description *description,
		     struct lxfw_output *output)
{
	const struct lxfw_character *c = description->character;
	const char *name = lxfw_page_base_name(description->trace);
	char from[64], until[64];

	lxfw_page_begin(output, "The jobs of a log", name);
	lxfw_output_text(output, "<p class=\"soft head\">");
	lxfw_html_text(output, name);
	lxfw_output_format(output, " &middot; %zu jobs", c->all.jobs);
	if (description->procs > 0)
		lxfw_output_format(output, " &middot; %" PRId64 " processors",
				   description->procs);
	if (description->memory_mb > 0)
		lxfw_output_format(output, " &middot; %" PRId64 " MB",
				   description->memory_mb);
	lxfw_output_format(output, " &middot; submitted %s to %s",
			   lxfw_page_moment(&c->calendar, c->begin, from,
					    sizeof(from)),
			   lxfw_page_moment(&c->calendar, c->end - 1, until,
					    sizeof(until)));
	if (c->calendar.known) {
		lxfw_output_text(output, ", times in ");
		lxfw_html_text(output, c->calendar.zone);
	}
	lxfw_output_text(output, "</p>\n");
}

static void put_card(struct lxfw_output *output, const char *title,
		     const char *value, const char *what)
{
	lxfw_page_card_begin(output, title);
	lxfw_output_format(output, "<p><b>%s</b></p>\n<p class=\"soft\">%s</p>",
			   value, what);
	lxfw_page_card_end(output);
}

static void put_share_card(struct lxfw_output *output, const char *title,
			   const struct lxfw_fraction *share, const char *what)
{
	char text[32];

	if (share->of == 0)
		return;
	snprintf(text, sizeof(text), "%.1f %%", lxfw_fraction_percent(share));
	put_card(output, title, text, what);
}

static void put_cards(const struct lxfw_description *description,
		      struct lxfw_output *output)
{
	const struct lxfw_character *c = description->character;
	int64_t seconds = c->end - c->begin;
	double demand = lxfw_description_proc_demand(description, &c->all,
						     seconds);
	char text[32];

	lxfw_page_cards_begin(output);
	snprintf(text, sizeof(text), "%.1f", (double)c->all.jobs * DAY /
		 (double)(seconds > 0 ? seconds : 1));
	put_card(output, "Jobs a day", text, "submitted");
	if (demand >= 0) {
		snprintf(text, sizeof(text), "%.1f %%", demand);
		put_card(output, "Demand", text, "of the processors");
	}
	put_card(output, "Median run time",
		 lxfw_format_span(c->median_run, text, sizeof(text)), "of jobs");
	if (c->has_requests) {
		snprintf(text, sizeof(text), "%.0f %%",
			 100 * c->median_used_of_request);
		put_card(output, "Median use", text, "of the requested time");
	}
	put_share_card(output, "Serial jobs", &c->serial, "request one processor");
	put_share_card(output, "Short jobs", &c->all.under_minute,
		       "run under a minute");
	lxfw_page_cards_end(output);
}

/* --- figures -------------------------------------------------------------------- */

/* A bar for each group from the first to the last group that has jobs. */
struct bars {
	char names[LXFW_SIZE_GROUPS][48];
	const char *list[LXFW_SIZE_GROUPS];
	double values[LXFW_SIZE_GROUPS];
	size_t count;
};

/* Returns a short label of a time: 10 s, 17 min, 3 h, 12 d. */
static void name_time(int group, char *text, size_t size)
{
	static const char *const names[LXFW_TIME_GROUPS] = {
		"1s", "10s", "100s", "17m", "2.8h", "28h", "11.6d", "116d", "3y",
		"32y", "317y", "", "",
	};

	snprintf(text, size, "%s", names[group]);
}

static void name_size(int group, char *text, size_t size)
{
	int64_t most = INT64_C(1) << group;

	if (most >= 1 << 20)
		snprintf(text, size, "%" PRId64 "M", most >> 20);
	else if (most >= 1024)
		snprintf(text, size, "%" PRId64 "k", most >> 10);
	else
		snprintf(text, size, "%" PRId64, most);
}

static void make_bars(struct bars *bars, const struct lxfw_job_group *groups,
		      int count, bool sizes, double (*value)(
			      const struct lxfw_job_group *, double),
		      double all)
{
	int first = 0, last = count - 1;

	while (first < last && groups[first].jobs == 0)
		first++;
	while (last > first && groups[last].jobs == 0)
		last--;
	bars->count = 0;
	for (int i = first; i <= last; i++) {
		size_t at = bars->count++;

		(sizes ? name_size : name_time)(i, bars->names[at],
						sizeof(bars->names[at]));
		bars->list[at] = bars->names[at];
		bars->values[at] = value(&groups[i], all);
	}
}

static double share_of_jobs(const struct lxfw_job_group *group, double all)
{
	return all > 0 ? 100 * (double)group->jobs / all : 0;
}

static double share_of_work(const struct lxfw_job_group *group, double all)
{
	return all > 0 ? 100 * group->proc_seconds / all : 0;
}

/* Draws one or two series of bars; both begin with the same group. */
static void bars_figure(struct lxfw_output *output, const char *caption,
			const struct bars *bars, const char *const *names,
			int series, const char *y, const char *x)
{
	struct lxfw_chart chart = { .bars = true };
	double most = 0;

	for (int k = 0; k < series; k++) {
		for (size_t i = 0; i < bars[k].count; i++)
			most = fmax(most, bars[k].values[i]);
	}
	lxfw_chart_begin(&chart, output, caption, names, series);
	lxfw_chart_y_linear(&chart, most, y);
	lxfw_chart_x_names(&chart, bars->list, bars->count, x);
	for (int k = 0; k < series; k++) {
		for (size_t i = 0; i < bars[k].count; i++)
			lxfw_chart_bar(&chart, i, bars->count, k,
				       bars[k].values[i], NULL);
	}
	lxfw_chart_end(&chart);
}

static void size_figure(const struct lxfw_character *c, struct lxfw_output *output)
{
	static const char *const names[] = { "of jobs", "of processor time" };
	struct bars bars[2];

	make_bars(&bars[0], c->sizes, LXFW_SIZE_GROUPS, true, share_of_jobs,
		  (double)c->all.jobs);
	make_bars(&bars[1], c->sizes, LXFW_SIZE_GROUPS, true, share_of_work,
		  c->all.proc_seconds);
	bars_figure(output, "Processors of jobs", bars, names, 2, "share, %",
		    "processors, up to");
}

static void run_figure(const struct lxfw_character *c, struct lxfw_output *output)
{
	static const char *const names[] = { "of jobs", "of processor time" };
	struct bars bars[2];

	make_bars(&bars[0], c->runs, LXFW_TIME_GROUPS, false, share_of_jobs,
		  (double)c->all.jobs);
	make_bars(&bars[1], c->runs, LXFW_TIME_GROUPS, false, share_of_work,
		  c->all.proc_seconds);
	bars_figure(output, "Run times", bars, names, 2, "share, %",
		    "run time, up to");
}

static void request_figure(const struct lxfw_character *c,
			   struct lxfw_output *output)
{
	static const char *const names[] = { "of jobs", "of processor time" };
	struct bars bars[2];

	if (!c->has_requests)
		return;
	make_bars(&bars[0], c->requests, LXFW_TIME_GROUPS, false, share_of_jobs,
		  (double)c->all.jobs);
	make_bars(&bars[1], c->requests, LXFW_TIME_GROUPS, false, share_of_work,
		  c->all.proc_seconds);
	bars_figure(output, "Requested times", bars, names, 2, "share, %",
		    "requested time, up to");
}

/* Draws the demand for processors by month, if it is known for enough months. */
static void month_figure(const struct lxfw_description *description,
			 struct lxfw_output *output)
{
	const struct lxfw_character *c = description->character;
	struct lxfw_svg_point points[400];
	struct lxfw_chart chart = { .bars = false };
	size_t count = 0;
	double most = 100;

	if (description->procs == 0 || c->month_count < LXFW_CHART_CURVE_LEAST ||
	    c->month_count > 400)
		return;
	for (size_t i = 0; i < c->month_count; i++)
		most = fmax(most, lxfw_description_proc_demand(description,
				&c->months[i].all, c->months[i].seconds));
	lxfw_chart_begin(&chart, output, "Demand by month of submission", NULL, 1);
	lxfw_chart_y_linear(&chart, most, "of the processors, %");
	lxfw_chart_x_time(&chart, &c->calendar, c->begin, c->end);
	for (double at = (double)c->begin; count < c->month_count; count++) {
		const struct lxfw_workload_month *month = &c->months[count];
		double demand = lxfw_description_proc_demand(description,
						&month->all, month->seconds);

		points[count].x = lxfw_chart_x_at(&chart, at +
						  (double)month->seconds / 2);
		points[count].y = lxfw_chart_y_at(&chart, fmax(demand, 0));
		at += (double)month->seconds;
	}
	lxfw_chart_curve(&chart, points, count, 0, count < 30);
	lxfw_chart_end(&chart);
}

static void put_figures(const struct lxfw_description *description,
			const struct lxfw_trace *trace,
			struct lxfw_output *output)
{
	const struct lxfw_character *c = description->character;
	struct lxfw_week_map map = { false };

	for (size_t i = 0; i < trace->count; i++) {
		int64_t submit = trace->jobs[i].submit;

		if (submit >= c->begin && submit < c->end)
			lxfw_week_map_add(&map, &c->calendar, submit, 0);
	}
	lxfw_week_map_span(&map, &c->calendar, c->begin, c->end);
	lxfw_page_section(output, NULL, "Characteristics and submission times "
					"of jobs");
	lxfw_page_figures_begin(output);
	size_figure(c, output);
	run_figure(c, output);
	request_figure(c, output);
	lxfw_heat_map(output, &map, LXFW_HEAT_RATE,
		      lxfw_heat_most(&map, LXFW_HEAT_RATE), 0,
		      "Submissions by hour");
	month_figure(description, output);
	lxfw_page_figures_end(output);
}

/* --- tables --------------------------------------------------------------------- */

static void put_percent(double percent, struct lxfw_output *output)
{
	if (percent < 0)
		lxfw_output_text(output, "<td>-</td>");
	else
		lxfw_output_format(output, "<td>%.*f</td>",
				   percent < 9.995 ? 2 : 1, percent);
}

static void put_share(const struct lxfw_fraction *share,
		      struct lxfw_output *output)
{
	put_percent(share->of ? lxfw_fraction_percent(share) : -1, output);
}

static void begin_groups(const char *caption, const char *first,
			 struct lxfw_output *output)
{
	lxfw_page_table_begin(output, caption);
	lxfw_output_format(output, "<thead><tr><th>%s</th><th>jobs</th><th>%%</th>"
		"<th>processor demand, %%</th><th>memory demand, %%</th>"
		"<th>under a minute, %%</th><th>under 10 %% of memory, %%</th>"
		"</tr></thead>\n<tbody>\n", first);
}

static void put_group(const struct lxfw_description *description,
		      const char *name, const struct lxfw_job_group *group,
		      struct lxfw_output *output)
{
	const struct lxfw_character *c = description->character;
	int64_t seconds = c->end - c->begin;

	if (group->jobs == 0)
		return;
	lxfw_output_text(output, "<tr><td>");
	lxfw_html_text(output, name);
	lxfw_output_format(output, "</td><td>%zu</td>", group->jobs);
	put_percent(100.0 * (double)group->jobs / (double)c->all.jobs, output);
	put_percent(lxfw_description_proc_demand(description, group, seconds),
		    output);
	put_percent(lxfw_description_memory_demand(description, group, seconds),
		    output);
	put_share(&group->under_minute, output);
	put_share(&group->low_memory, output);
	lxfw_output_text(output, "</tr>\n");
}

static void end_table(struct lxfw_output *output)
{
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_groups(const struct lxfw_description *description,
		       struct lxfw_output *output)
{
	const struct lxfw_character *c = description->character;
	char name[48];

	if (c->class_count > 0) {
		begin_groups("By class", "class", output);
		for (size_t i = 0; i < c->class_count; i++)
			put_group(description, description->classes->names[i],
				  &c->classes[i], output);
		end_table(output);
	}
	begin_groups(c->has_requests ? "By requested time" :
		     "By run time (no requested times)", "time", output);
	for (int i = 0; i < LXFW_TIME_GROUPS; i++)
		put_group(description, lxfw_description_time(i, name,
			  sizeof(name)), &c->requests[i], output);
	end_table(output);
	begin_groups("By processors", "processors", output);
	for (int i = 0; i < LXFW_SIZE_GROUPS; i++)
		put_group(description, lxfw_description_size(i, name,
			  sizeof(name)), &c->sizes[i], output);
	end_table(output);
}

static void put_partitions(const struct lxfw_description *description,
			   struct lxfw_output *output)
{
	const struct lxfw_partition_demands *all = &description->partitions;

	lxfw_page_table_begin(output, "By partition, relative to its hosts");
	lxfw_output_text(output, "<thead><tr><th>partition</th><th>jobs</th><th>hosts</th>"
		"<th>processors</th><th>processor demand, %</th><th>memory demand, %</th>"
		"<th>GPU demand, %</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < all->count; i++) {
		const struct lxfw_partition_demand *one = &all->list[i];

		lxfw_output_text(output, "<tr><td>");
		lxfw_html_text(output, one->name);
		lxfw_output_format(output, "</td><td>%zu</td><td>%d</td><td>%lld</td>",
				   one->jobs, (int)one->hosts, (long long)one->procs);
		put_percent(lxfw_description_demand(description, one->proc_seconds,
						    one->procs), output);
		put_percent(lxfw_description_demand(description, one->mb_seconds,
						    one->memory_mb), output);
		put_percent(lxfw_description_demand(description, one->gpu_seconds, one->gpus),
			    output);
		lxfw_output_text(output, "</tr>\n");
	}
	end_table(output);
}

static void put_months(const struct lxfw_description *description,
		       struct lxfw_output *output)
{
	const struct lxfw_character *c = description->character;

	lxfw_page_table_begin(output, "By month of submission");
	lxfw_output_text(output, "<thead><tr><th>month</th><th>jobs</th>"
		"<th>a day</th><th>processor demand, %</th><th>memory demand, %"
		"</th></tr></thead>\n<tbody>\n");
	for (size_t i = 0; i < c->month_count; i++) {
		const struct lxfw_workload_month *month = &c->months[i];
		char name[32];

		if (month->all.jobs == 0)
			continue;
		lxfw_output_format(output, "<tr><td>%s</td><td>%zu</td>"
			"<td>%.1f</td>", lxfw_calendar_month_name(&c->calendar,
				month->month, name, sizeof(name)),
			month->all.jobs, (double)month->all.jobs * DAY /
			(double)(month->seconds > 0 ? month->seconds : 1));
		put_percent(lxfw_description_proc_demand(description,
				&month->all, month->seconds), output);
		put_percent(lxfw_description_memory_demand(description,
				&month->all, month->seconds), output);
		lxfw_output_text(output, "</tr>\n");
	}
	end_table(output);
}

static void put_method(const struct lxfw_description *description,
		       struct lxfw_output *output)
{
	const struct lxfw_character *c = description->character;

	lxfw_page_section(output, NULL, "What the figures mean");
	lxfw_output_text(output, "<ul>\n<li>Made by <code>lxfw describe</code> "
		PACKAGE_VERSION ". Demand is the processors (or memory) times "
		"run time of the submitted jobs, relative to the capacity of "
		"the machine in that period. It is not the "
		"utilization.</li>\n<li>A group contains values up to its "
		"number and above the number of the group before.</li>\n");
	lxfw_output_format(output, "<li>Rank correlation of run time with "
			   "processors: %.3f.</li>\n</ul>\n", c->run_and_procs);
}

void lxfw_description_page(const struct lxfw_description *description,
			   const struct lxfw_trace *trace,
			   struct lxfw_output *output)
{
	put_head(description, output);
	put_cards(description, output);
	put_figures(description, trace, output);
	lxfw_page_section(output, NULL, "Figures by group");
	put_groups(description, output);
	put_months(description, output);
	if (description->partitions.count > 0)
		put_partitions(description, output);
	put_method(description, output);
	lxfw_page_end(output);
}
