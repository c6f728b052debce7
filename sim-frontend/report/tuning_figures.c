/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Charts of the page of lxfw tune. */
#include <math.h>
#include <stdio.h>

#include "sim-frontend/report/chart.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/tuning_page.h"

/* Maximum number of pairs of objectives that are drawn. */
#define PAIRS_MOST 6

/* Settings worse than the current one by this factor are drawn at the edge. */
#define FAR 4

/* Axes with values that differ by more than this factor are logarithmic. */
#define WIDE 5

/* --- scatter charts --------------------------------------------------------------- */

/* Range of the values of a goal over all settings that are drawn. */
struct extent {
	double least, most;
};

/* Settings that were abandoned have no values. */
static bool is_drawn(const struct lxfw_setting *setting, int x, int y)
{
	return setting->known && isfinite(setting->values[x]) &&
	       isfinite(setting->values[y]);
}

/* Computes the range from the smallest value above 0 to the maximum. Settings far
   worse than the current one are excluded and drawn at the edge. */
static struct extent extent_of(const struct lxfw_confirmation *confirmation, int x,
			       int y, int goal)
{
	const struct lxfw_search *search = confirmation->search;
	double now = search->settings[0].values[goal];
	struct extent extent = { INFINITY, now };

	for (size_t i = 0; i < search->count; i++) {
		double value;

		if (!is_drawn(&search->settings[i], x, y))
			continue;
		value = search->settings[i].values[goal];
		if (value > 0)
			extent.least = fmin(extent.least, value);
		extent.most = fmax(extent.most, value);
	}
	if (now > 0)
		extent.most = fmin(extent.most, FAR * now);
	if (!isfinite(extent.least))
		extent.least = 1;
	extent.most = fmax(extent.most, extent.least);
	return extent;
}

static double clamp(double value, double low, double high)
{
	return fmin(fmax(value, low), high);
}

static void place(const struct lxfw_chart *chart, const double *values, int x, int y,
		  struct lxfw_svg_point *at)
{
	at->x = clamp(lxfw_chart_x_at(chart, values[x]), chart->left, chart->right);
	at->y = clamp(lxfw_chart_y_at(chart, values[y]), chart->top, chart->bottom);
}

static void draw_choices(const struct lxfw_confirmation *confirmation,
			 const struct lxfw_chart *chart, int x, int y)
{
	for (int i = confirmation->count - 1; i >= 0; i--) {
		struct lxfw_svg_point at;
		char name[LXFW_TUNING_TEXT];

		place(chart, confirmation->choices[i].values, x, y, &at);
		lxfw_chart_mark(chart->output, at.x, at.y, i == 0 ? 1 : 0);
		if (i > 0 && i == confirmation->recommended)
			lxfw_output_format(chart->output, "<circle class=\"ring\" "
				"cx=\"%.1f\" cy=\"%.1f\" r=\"8\"/>\n", at.x, at.y);
		lxfw_svg_text(chart->output, at.x + 7, at.y - 6, at.x + 24 <
			      chart->width ? "start" : "end",
			      i ? "small s0" : "small s1",
			      lxfw_tuning_name(i, name));
	}
}

static double unit_of(enum lxfw_tune_measure measure, double most, const char *name,
		      char *title, size_t size)
{
	const struct lxfw_unit *unit = lxfw_unit_for(most);

	if (!lxfw_tune_is_time(measure)) {
		snprintf(title, size, "%s", name);
		return 1;
	}
	snprintf(title, size, "%s, %s", name, unit->name);
	return unit->seconds;
}

/* Draws an axis from 0 in suitable units, or a logarithmic one if the values differ
   much. */
static void draw_y(struct lxfw_chart *chart, const struct lxfw_goal *goal,
		   const struct extent *extent)
{
	double scale;
	char title[96];

	if (extent->most <= WIDE * extent->least) {
		scale = unit_of(goal->measure, extent->most, goal->name, title,
				sizeof(title));
		lxfw_chart_y_linear(chart, extent->most / scale, title);
		chart->y.high *= scale;
	} else if (lxfw_tune_is_time(goal->measure)) {
		lxfw_chart_y_times(chart, extent->least, extent->most, goal->name);
	} else {
		lxfw_chart_y_logarithmic(chart, extent->least, extent->most,
					 goal->name);
	}
}

static void draw_x(struct lxfw_chart *chart, const struct lxfw_goal *goal,
		   const struct extent *extent)
{
	double scale;
	char title[96];

	if (extent->most <= WIDE * extent->least) {
		scale = unit_of(goal->measure, extent->most, goal->name, title,
				sizeof(title));
		lxfw_chart_x_linear(chart, extent->most / scale, title);
		chart->x.high *= scale;
	} else if (lxfw_tune_is_time(goal->measure)) {
		lxfw_chart_x_times(chart, extent->least, extent->most, goal->name);
	} else {
		lxfw_chart_x_logarithmic(chart, extent->least, extent->most,
					 goal->name);
	}
}

static void draw_pair(const struct lxfw_confirmation *confirmation, int x, int y,
		      struct lxfw_output *output)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_search *search = confirmation->search;
	const struct extent x_extent = extent_of(confirmation, x, y, x);
	const struct extent y_extent = extent_of(confirmation, x, y, y);
	struct lxfw_chart chart = { .bars = false };
	struct lxfw_svg_point at;

	lxfw_chart_begin(&chart, output, "Lower and further left is better", NULL, 1);
	draw_y(&chart, lxfw_goals_at(goals, y), &y_extent);
	draw_x(&chart, lxfw_goals_at(goals, x), &x_extent);
	for (size_t i = 0; i < search->count; i++) {
		if (!is_drawn(&search->settings[i], x, y))
			continue;
		place(&chart, search->settings[i].values, x, y, &at);
		lxfw_output_format(output, "<circle class=\"dot\" cx=\"%.1f\" "
				   "cy=\"%.1f\" r=\"2\"/>\n", at.x, at.y);
	}
	draw_choices(confirmation, &chart, x, y);
	lxfw_chart_end(&chart);
}

/* --- settings that lie better than the one that was chosen --------------------------- */

/* Why a setting that lies better in a chart is not the recommended one. */
enum reason {
	REASON_LIMIT,	/* beyond a limit, or worse in a measure to keep */
	REASON_GOAL,	/* worse in a goal that is not in the chart */
	REASON_CHANCE,	/* less evidence, or less gain in all goals */
	REASONS,
};

static enum reason reason_of(const struct lxfw_confirmation *confirmation,
			     const double *values, int x, int y)
{
	const struct lxfw_search *search = confirmation->search;
	const double *now = search->settings[0].values;

	if (!lxfw_search_feasible(search, values))
		return REASON_LIMIT;
	for (int i = 0; i < confirmation->trials->goals->objective_count; i++) {
		if (i != x && i != y && values[i] > now[i] * (1 + search->margin))
			return REASON_GOAL;
	}
	return REASON_CHANCE;
}

/* Counts them by reason. Dots are compared by their values on the log, of which letters are
   the means over copies. Returns their number. */
static size_t count_better(const struct lxfw_confirmation *confirmation, int x, int y,
			   size_t counts[REASONS])
{
	const struct lxfw_search *search = confirmation->search;
	const struct lxfw_setting *chosen =
		confirmation->choices[confirmation->recommended].setting;
	size_t all = 0;

	for (size_t i = 0; i < search->count; i++) {
		const struct lxfw_setting *setting = &search->settings[i];
		const double *values = setting->values;

		if (!is_drawn(setting, x, y) || values[x] > chosen->values[x] ||
		    values[y] > chosen->values[y] ||
		    (values[x] >= chosen->values[x] && values[y] >= chosen->values[y]))
			continue;
		counts[reason_of(confirmation, values, x, y)]++;
		all++;
	}
	return all;
}

static void put_reason(size_t count, const char *text, struct lxfw_output *output)
{
	if (count > 0)
		lxfw_output_format(output, " %zu %s %s.", count, count == 1 ? "is" : "are", text);
}

/* Says why the dots that lie better were not chosen. */
static void tell_better(const struct lxfw_confirmation *confirmation, int x, int y,
			struct lxfw_output *output)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	size_t counts[REASONS] = { 0 };
	size_t all = count_better(confirmation, x, y, counts);
	char text[160], name[LXFW_TUNING_TEXT];

	lxfw_output_format(output, "<p class=\"soft\">%s and %s: ",
			   lxfw_goals_at(goals, x)->name, lxfw_goals_at(goals, y)->name);
	lxfw_output_format(output, all == 1 ? "%zu setting lies" : "%zu settings lie", all);
	lxfw_output_format(output, " better than %s in both on the log itself.",
			   confirmation->recommended > 0 ?
			   lxfw_tuning_name(confirmation->recommended, name) :
			   "the current one");
	put_reason(counts[REASON_LIMIT], "beyond a limit, or worse than now in a measure to keep",
		   output);
	snprintf(text, sizeof(text), "more than %.3g %% worse than now in another goal",
		 100 * confirmation->search->margin);
	put_reason(counts[REASON_GOAL], text, output);
	put_reason(counts[REASON_CHANCE], confirmation->recommended > 0 ?
		   "better in fewer blocks or by less over all goals: a setting is chosen by the "
		   "evidence in the single blocks first, and by its gain in all goals then" :
		   "not shown to be better with 95 % confidence in the single blocks", output);
	lxfw_output_text(output, "</p>\n");
}

static void tell_all(const struct lxfw_confirmation *confirmation, int count,
		     struct lxfw_output *output)
{
	int pairs = 0;

	for (int x = 0; x < count; x++) {
		for (int y = x + 1; y < count && pairs < PAIRS_MOST; y++, pairs++)
			tell_better(confirmation, x, y, output);
	}
}

void lxfw_tuning_fronts(const struct lxfw_confirmation *confirmation,
			struct lxfw_output *output)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	int pairs = 0, count = goals->objective_count;

	/* with one objective, uses the first constraint as the other axis */
	if (count < 2)
		count = lxfw_goals_count(goals) < 2 ? lxfw_goals_count(goals) : 2;
	lxfw_page_figures_begin(output);
	for (int x = 0; x < count; x++) {
		for (int y = x + 1; y < count && pairs < PAIRS_MOST; y++, pairs++)
			draw_pair(confirmation, x, y, output);
	}
	lxfw_page_figures_end(output);
	tell_all(confirmation, count, output);
}

/* --- intervals -------------------------------------------------------------------- */

#define WIDTH 760.0
#define LEFT 190.0
#define ROW 26.0
#define SHARE_MOST 1.0

/* Draws the change of the candidate in each goal, from cross-validation. */
void lxfw_tuning_intervals(const struct lxfw_confirmation *confirmation,
			   struct lxfw_output *output)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_judgement *changes = confirmation->crossed.changes;
	struct lxfw_axis axis = {
		.low = -SHARE_MOST, .high = SHARE_MOST, .from = LEFT,
		.to = WIDTH - 20,
	};
	int count = lxfw_goals_count(goals), rows = 0;
	double zero = lxfw_axis_at(&axis, 0);
	double margin = lxfw_axis_at(&axis, confirmation->search->margin);
	double bottom;

	for (int i = 0; i < count; i++)
		rows += lxfw_goals_judged(goals, i);
	bottom = 8 + rows * ROW;
	lxfw_output_text(output, "<figure class=\"wide\">\n<figcaption>Change "
		"of each goal in cross-validation</figcaption>\n<div "
		"class=\"scroll\" tabindex=\"0\">");
	lxfw_svg_begin(output, WIDTH, bottom + 40, "Intervals of the changes");
	lxfw_svg_box(output, margin, 8, axis.to - margin, bottom - 8, "away");
	for (int i = -4; i <= 4; i++) {
		double x = lxfw_axis_at(&axis, i * 0.25);
		char text[16];

		snprintf(text, sizeof(text), "%+d %%", i * 25);
		lxfw_svg_line(output, x, 8, x, bottom, i ? "grid" : "axis");
		lxfw_svg_text(output, x, bottom + 16, "middle", "small",
			      i ? text : "0");
	}
	for (int i = 0, row = 0; i < count; i++) {
		const struct lxfw_judgement *of = &changes[i];
		double y = 8 + ROW * (row + 0.5), now = of->now;
		double at = now > 0 ? (of->then - now) / now : 0;

		if (!lxfw_goals_judged(goals, i))
			continue;
		row++;
		lxfw_svg_text(output, LEFT - 8, y + 4, "end", "",
			      lxfw_goals_at(goals, i)->name);
		if (of->interval)
			lxfw_svg_line(output, lxfw_axis_at(&axis,
				clamp(of->low, -SHARE_MOST, SHARE_MOST)), y,
				lxfw_axis_at(&axis, clamp(of->high, -SHARE_MOST,
							  SHARE_MOST)), y,
				"interval");
		lxfw_chart_mark(output, lxfw_axis_at(&axis,
				clamp(at, -SHARE_MOST, SHARE_MOST)), y, 0);
	}
	lxfw_svg_text(output, (LEFT + zero) / 2, bottom + 33, "middle", "unit",
		      "better than now");
	lxfw_svg_text(output, (zero + axis.to) / 2, bottom + 33, "middle", "unit",
		      "worse than now");
	lxfw_svg_end(output);
	lxfw_output_text(output, "</div>\n");
	lxfw_chart_shade_key(output, "shaded: worse by more than the margin");
	lxfw_output_text(output, "</figure>\n");
}
