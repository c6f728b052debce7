/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/tuning_page.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/report/differences.h"
#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"
#include "sim-frontend/report/tuning_trial.h"
#include "sim-frontend/report/verdict_text.h"

static const char *const class_texts[LXFW_TUNE_NAMED] = {
	"all", "short: run up to 1 h", "long: run above 4 h",
	"narrow: up to 1/8 of the machine", "wide: more than that",
	"big memory for its size",
};

static double margin_of(const struct lxfw_confirmation *confirmation)
{
	return 100 * confirmation->search->margin;
}

/* --- head ----------------------------------------------------------------------- */

static void put_head(const struct lxfw_tuning_report *report,
		     struct lxfw_output *output)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	const struct lxfw_trials *trials = confirmation->trials;
	const struct lxfw_search *search = confirmation->search;
	const char *name = lxfw_page_base_name(report->path);
	size_t tried = 0;

	for (size_t i = 0; i < search->count; i++)
		tried += search->settings[i].known;
	lxfw_page_begin(output, "Recommended settings", name);
	lxfw_output_text(output, "<p class=\"soft head\">");
	lxfw_html_text(output, name);
	lxfw_output_format(output, " &middot; %zu jobs &middot; %lld processors "
		"&middot; %d blocks of %.6g days &middot; %zu settings tried%s</p>\n",
		trials->trace->count, (long long)trials->cluster->procs,
		trials->weeks.count, (double)trials->weeks.length / 86400, tried,
		report->interrupted ? " before the search was interrupted" : "");
}

/* --- recommendation --------------------------------------------------------------- */

static void put_need(const struct lxfw_confirmation *confirmation,
		     struct lxfw_output *output)
{
	char text[LXFW_TUNING_NEED];

	if (lxfw_tuning_need(confirmation, text)[0])
		lxfw_output_format(output, "<p>%s</p>\n", text);
}

static void put_nothing(const struct lxfw_confirmation *confirmation,
			struct lxfw_output *output)
{
	lxfw_output_format(output, "<div class=\"verdict care\">\n<p><b>No "
		"setting is recommended: keep the current one%s</b></p>\n",
		confirmation->worth_trial ? ", or try another" : "");
	if (confirmation->front == 0)
		lxfw_output_text(output, "<p>None of the settings satisfies "
			"the limits and the measures to keep.</p>\n");
	else if (confirmation->candidate == 0)
		lxfw_output_format(output, "<p>None of the settings is within "
			"%.3g %% of the current one in every goal.</p>\n",
			margin_of(confirmation));
	else
		lxfw_output_format(output, "<p>A setting would have to be "
			"better than the current one in one goal and not more "
			"than %.3g %% worse in any, each with 95 %% "
			"confidence.</p>\n",
			margin_of(confirmation));
	if (confirmation->candidate > 0)
		put_need(confirmation, output);
	lxfw_tuning_trial_page(confirmation, output);
	lxfw_output_text(output, "</div>\n");
}

/* Warns if memory is not simulated: suspended jobs then occupy no memory. */
static void put_caveat(const struct lxfw_confirmation *confirmation,
		       struct lxfw_output *output)
{
	const struct lxfw_params *params =
		&confirmation->choices[confirmation->recommended].params;

	if (lxfw_params_serve(params) && confirmation->trials->mean_memory <= 0 &&
	    params->quantum_mode == LXFW_QUANTUM_PREEMPT)
		lxfw_output_text(output, "<p>Its quantum suspends running "
			"jobs. Suspended jobs keep their memory, which is not "
			"included here because --cluster does not specify "
			"memory.</p>\n");
}

static void put_recommended(const struct lxfw_tuning_report *report,
			    struct lxfw_output *output)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	char name[LXFW_TUNING_TEXT];

	lxfw_output_format(output, "<div class=\"verdict good\">\n<p><b>%s is "
		"recommended</b></p>\n<p>It is better than the current "
		"setting in one goal or more, and not more than %.3g %% worse "
		"in any, each with 95 %% confidence, on the blocks of the log "
		"not used to choose it and on all blocks.</p>\n",
		lxfw_tuning_name(confirmation->recommended, name), margin_of(confirmation));
	lxfw_tuning_advice_page(report->advice, output);
	put_caveat(confirmation, output);
	lxfw_output_text(output, "</div>\n");
}

/* --- reliability ------------------------------------------------------------------ */

static void put_change(const struct lxfw_judgement *of, enum lxfw_tune_measure measure,
		       struct lxfw_output *output)
{
	char change[LXFW_TUNING_TEXT], interval[LXFW_TUNING_TEXT];

	lxfw_output_format(output, "<td>%s</td><td>%s</td><td>%d of %d</td>",
			   lxfw_tuning_change(of->now, of->then, measure, change),
			   lxfw_tuning_interval(of, interval), of->better, of->blocks);
}

static void put_goal(const struct lxfw_confirmation *confirmation, int i,
		     struct lxfw_output *output)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_goal *goal = lxfw_goals_at(goals, i);
	const struct lxfw_judgement *of = &confirmation->crossed.changes[i];
	double then = lxfw_tuning_of_crossed(confirmation, i);
	char text[2][LXFW_TUNING_TEXT];

	lxfw_output_text(output, "<tr><td>");
	lxfw_html_text(output, goal->name);
	lxfw_output_format(output, "</td><td>%s</td><td>%s</td>",
			   lxfw_tuning_value(lxfw_tuning_of_choice(confirmation, 0, i),
					     goal->measure, text[0]),
			   lxfw_tuning_value(then, goal->measure, text[1]));
	if (lxfw_goals_judged(goals, i)) {
		put_change(of, goal->measure, output);
		lxfw_output_format(output, "<td>%s</td></tr>\n", lxfw_tuning_verdict(of));
	} else {
		lxfw_output_format(output, "<td>-</td><td>-</td><td>-</td><td>%s the "
			"limit</td></tr>\n", then > goal->most ? "beyond" :
			"within");
	}
}

static void put_how_sure(const struct lxfw_confirmation *confirmation,
			 struct lxfw_output *output)
{
	char name[LXFW_TUNING_TEXT];

	if (confirmation->candidate == 0)
		return;
	lxfw_page_section(output, "sure", "Confidence");
	lxfw_output_format(output, "<p>%s is the best setting over all blocks "
		"of the log. The table shows the results of cross-validation "
		"in %d folds, with a setting chosen without each fold.</p>\n",
		lxfw_tuning_name(confirmation->candidate, name),
		confirmation->trials->weeks.folds);
	lxfw_tuning_intervals(confirmation, output);
	lxfw_page_table_begin(output, NULL);
	lxfw_output_text(output, "<thead><tr><th>goal</th><th>now</th><th>then</th>"
		"<th>change</th><th>90 % interval</th><th>blocks better</th><th>"
		"verdict</th></tr></thead>\n<tbody>\n");
	for (int i = 0; i < lxfw_goals_count(confirmation->trials->goals); i++)
		put_goal(confirmation, i, output);
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
	if (lxfw_tuning_maximum(confirmation)[0])
		lxfw_output_format(output, "<p>%s</p>\n",
				   lxfw_tuning_maximum(confirmation));
}

/* --- the settings ---------------------------------------------------------------- */

static void put_names(const struct lxfw_confirmation *confirmation, int first,
		      struct lxfw_output *output)
{
	for (int i = first; i < confirmation->count; i++) {
		char name[LXFW_TUNING_TEXT];

		lxfw_output_format(output, "<th%s>%s</th>",
				   i == confirmation->recommended && i > 0 ?
				   " class=\"s0\"" : "", lxfw_tuning_name(i, name));
	}
}

/* Writes a table with a row per goal and a column per setting. */
static void put_values(const struct lxfw_confirmation *confirmation,
		       struct lxfw_output *output)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;

	lxfw_page_table_begin(output, "Goals over all blocks");
	lxfw_output_text(output, "<thead><tr><th>goal</th>");
	put_names(confirmation, 0, output);
	lxfw_output_text(output, "</tr></thead>\n<tbody>\n");
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		const struct lxfw_goal *goal = lxfw_goals_at(goals, i);

		lxfw_output_text(output, "<tr><td>");
		lxfw_html_text(output, goal->name);
		lxfw_output_text(output, "</td>");
		for (int j = 0; j < confirmation->count; j++) {
			char text[LXFW_TUNING_TEXT];

			lxfw_output_format(output, "<td>%s</td>",
				lxfw_tuning_value(confirmation->choices[j].values[i],
						  goal->measure, text));
		}
		lxfw_output_text(output, "</tr>\n");
	}
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_lines(const struct lxfw_confirmation *confirmation,
		      struct lxfw_output *output)
{
	lxfw_page_table_begin(output, "The settings");
	lxfw_output_text(output, "<tbody>\n");
	for (int i = 0; i < confirmation->count; i++) {
		char name[LXFW_TUNING_TEXT];

		lxfw_output_format(output, "<tr%s><td>%s</td><td class=\"wrap\">"
			"<code>", i > 0 && i == confirmation->recommended ?
			" class=\"best\"" : "", lxfw_tuning_name(i, name));
		lxfw_html_text(output, confirmation->choices[i].setting->line);
		lxfw_output_text(output, "</code></td></tr>\n");
	}
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_front(const struct lxfw_confirmation *confirmation,
		      struct lxfw_output *output)
{
	lxfw_page_section(output, "front", "Trade-offs");
	lxfw_output_format(output, "<p>%zu settings are not dominated: no "
		"other setting is better in every goal. %d settings have a "
		"letter; the square is the current setting, small dots are "
		"the others%s.</p>\n",
		confirmation->front, confirmation->count - 1,
		confirmation->recommended > 0 ?
		"; a ring marks the recommended one" : "");
	lxfw_tuning_fronts(confirmation, output);
	put_values(confirmation, output);
	put_lines(confirmation, output);
}

/* --- gains, losses, costs --------------------------------------------------------- */

static void put_class(const struct lxfw_confirmation *confirmation, int class,
		      enum lxfw_tune_measure measure, struct lxfw_output *output)
{
	const struct lxfw_class_values *now =
		&confirmation->choices[0].classes[class];
	double before = now->of[measure];
	char text[LXFW_TUNING_TEXT];

	if (now->jobs == 0)
		return;
	lxfw_output_format(output, "<tr><td>%s</td><td>%zu</td><td>%s</td>",
			   class_texts[class], now->jobs,
			   lxfw_tuning_value(before, measure, text));
	for (int i = 1; i < confirmation->count; i++) {
		double then = confirmation->choices[i].classes[class].of[measure];

		lxfw_output_format(output, "<td>%s</td>",
				   lxfw_tuning_change(before, then, measure, text));
	}
	lxfw_output_text(output, "</tr>\n");
}

static void put_classes(const struct lxfw_confirmation *confirmation,
			enum lxfw_tune_measure measure, const char *caption,
			struct lxfw_output *output)
{
	lxfw_page_table_begin(output, caption);
	lxfw_output_text(output, "<thead><tr><th>class</th><th>jobs</th>"
			 "<th>now</th>");
	put_names(confirmation, 1, output);
	lxfw_output_text(output, "</tr></thead>\n<tbody>\n");
	for (int class = 0; class < LXFW_TUNE_NAMED; class++)
		put_class(confirmation, class, measure, output);
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_who(const struct lxfw_confirmation *confirmation,
		    struct lxfw_output *output)
{
	const char *const names[2] = { "now", "then" };
	struct lxfw_difference rows[LXFW_TUNE_NAMED];
	const struct lxfw_choice *now = &confirmation->choices[0];
	const struct lxfw_choice *then =
		&confirmation->choices[confirmation->candidate];
	size_t count = 0;
	char caption[80], name[LXFW_TUNING_TEXT];

	lxfw_page_section(output, "who", "Gains and losses by group");
	for (int i = 0; i < LXFW_TUNE_NAMED; i++) {
		if (now->classes[i].jobs > 0)
			rows[count++] = (struct lxfw_difference) {
				.name = class_texts[i],
				.jobs = now->classes[i].jobs,
				.before = now->classes[i].of[LXFW_TUNE_MEAN_WAIT],
				.after = then->classes[i].of[LXFW_TUNE_MEAN_WAIT],
			};
	}
	if (confirmation->candidate > 0) {
		snprintf(caption, sizeof(caption), "Mean wait with %s",
			 lxfw_tuning_name(confirmation->candidate, name));
		lxfw_differences(output, caption, "class", names, rows, count);
	}
	put_classes(confirmation, LXFW_TUNE_MEAN_WAIT,
		    "Current mean wait, and its change with each setting",
		    output);
	put_classes(confirmation, LXFW_TUNE_MEAN_BOUNDED_SLOWDOWN,
		    "Mean bounded slowdown, likewise", output);
}

static void put_costs(const struct lxfw_tuning_report *report,
		      struct lxfw_output *output)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	char text[LXFW_TUNING_TEXT];

	lxfw_page_section(output, "cost", "Costs");
	lxfw_output_text(output, "<p>A quantum of immediate service "
		"interrupts other jobs. The table shows the interruptions in "
		"the whole log after the warm-up and their effect on jobs.");
	if (!report->quanta_searched)
		lxfw_output_text(output, " Quanta were not searched (see "
				 "<code>--quantum</code>).");
	lxfw_output_text(output, "</p>\n");
	lxfw_page_table_begin(output, NULL);
	lxfw_output_text(output, "<thead><tr><th></th>");
	put_names(confirmation, 0, output);
	lxfw_output_text(output, "</tr></thead>\n<tbody>\n");
	for (size_t row = 0; lxfw_tuning_cost(row); row++) {
		lxfw_output_format(output, "<tr><td>%s</td>", lxfw_tuning_cost(row)->name);
		for (int i = 0; i < confirmation->count; i++)
			lxfw_output_format(output, "<td>%s</td>",
				lxfw_tuning_cost_text(&confirmation->choices[i], row,
						      text));
		lxfw_output_text(output, "</tr>\n");
	}
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

static void put_method(const struct lxfw_tuning_report *report,
		       struct lxfw_output *output)
{
	lxfw_page_section(output, NULL, "Method and caveats");
	lxfw_output_format(output, "<ul>\n<li>Made by <code>lxfw tune</code> "
		PACKAGE_VERSION ", with the scheduler that runs in Slurm as "
		"<code>sched/lxfw</code>. The first %.6g days of the log fill "
		"the queue and are not evaluated.</li>\n<li>All blocks are "
		"simulated in one run; a job belongs to the block in which it "
		"was submitted. Intervals are computed from blocks drawn with "
		"replacement, verdicts from signed ranks of the differences "
		"per block.</li>\n<li>With other waits, users would have "
		"submitted jobs at other times; the simulation does not model "
		"this.</li>\n</ul>\n", (double)report->warmup / 86400);
}

void lxfw_tuning_page(const struct lxfw_tuning_report *report,
		      struct lxfw_output *output)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;

	put_head(report, output);
	if (confirmation->recommended > 0)
		put_recommended(report, output);
	else
		put_nothing(confirmation, output);
	if (report->verdict) {
		lxfw_output_text(output, "<p>Accuracy of the simulation of "
				 "this log:</p>\n");
		lxfw_verdict_page(report->verdict, output);
	}
	put_front(confirmation, output);
	put_who(confirmation, output);
	put_costs(report, output);
	put_how_sure(confirmation, output);
	put_method(report, output);
	lxfw_page_end(output);
}
