/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/tuning_trial.h"

#include <math.h>

#include "sim-frontend/report/page.h"
#include "sim-frontend/report/svg.h"
#include "sim-frontend/report/tuning_text.h"

#define TEXT 500

/* Ten years. */
#define WEEKS_MOST 520

static bool is_said(const struct lxfw_confirmation *confirmation)
{
	return confirmation->recommended == 0 && confirmation->trial > 0;
}

static double margin_of(const struct lxfw_confirmation *confirmation)
{
	return 100 * confirmation->search->margin;
}

static void find(const struct lxfw_confirmation *confirmation, int goal,
		 struct lxfw_prospect *prospect)
{
	const struct lxfw_prospects *prospects = &confirmation->prospects;

	lxfw_prospects_goal(prospects, &prospects->best, 1, goal, prospect);
}

/* ---- sentences --------------------------------------------------------------------- */

static void put_verdict(const struct lxfw_confirmation *confirmation, char *text)
{
	char name[LXFW_TUNING_TEXT];

	lxfw_tuning_name(confirmation->trial, name);
	if (confirmation->worth_trial)
		snprintf(text, TEXT, "%s is worth a trial", name);
	else
		snprintf(text, TEXT, "No setting is worth a trial; the best one would be %s",
			 name);
}

static void put_source(const struct lxfw_confirmation *confirmation, char *text)
{
	snprintf(text, TEXT, "This is expected for other weeks of the same users: the means "
		 "over %zu copies of the log in which each session of a user is moved to another "
		 "week at random. It is no proof that the users of the next months are alike.",
		 confirmation->prospects.copies);
}

/* Why it is not worth a trial: the goal with the largest risk, or the lack of a gain. */
static void put_reason(const struct lxfw_confirmation *confirmation, char *text)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	double risk = LXFW_PROSPECTS_RISK;

	snprintf(text, TEXT, "No goal to minimize is better by more than %.3g %% with a "
		 "probability of %.0f %%.", margin_of(confirmation),
		 100 * (1 - LXFW_PROSPECTS_RISK));
	if (!lxfw_prospects_keeps_limits(&confirmation->prospects, confirmation->prospects.best))
		snprintf(text, TEXT, "It exceeds a limit.");
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		struct lxfw_prospect of;

		if (!lxfw_goals_judged(goals, i))
			continue;
		find(confirmation, i, &of);
		if (of.beyond <= risk)
			continue;
		risk = of.beyond;
		snprintf(text, TEXT, "%s may become worse by more than %.3g %%, with a "
			 "probability above %.0f %%.", lxfw_goals_at(goals, i)->name,
			 margin_of(confirmation), 100 * LXFW_PROSPECTS_RISK);
	}
}

/* How long a trial takes to settle it. */
static void put_length(const struct lxfw_confirmation *confirmation, char *text)
{
	double weeks = lxfw_tuning_trial_weeks(confirmation);

	if (!isfinite(weeks))
		snprintf(text, TEXT, "As far as this log shows, no trial would show that it "
			 "keeps all goals and improves one.");
	else if (weeks > WEEKS_MOST)
		snprintf(text, TEXT, "More than ten years of a trial would be needed to show "
			 "by themselves that it keeps all goals and improves one.");
	else
		snprintf(text, TEXT, "About %.0f week%s of a trial in shadow mode "
			 "(lxfw_shadow=on), or of a log, would show by themselves that it "
			 "keeps all goals and improves one, if these changes are real.",
			 ceil(weeks), ceil(weeks) > 1 ? "s" : "");
}

static void put_how(const struct lxfw_confirmation *confirmation, char *text)
{
	text[0] = '\0';
	if (confirmation->worth_trial)
		snprintf(text, TEXT, "To try it, run it with lxfw_shadow=on beside the present "
			 "scheduler and look at the result with 'lxfw compare', or set it for "
			 "some weeks and run 'lxfw tune' on the longer log.");
}

/* Formats a probability: "3 %", "<1 %". */
static const char *chance(double of, char *text)
{
	if (of < 0.01)
		snprintf(text, LXFW_TUNING_TEXT, "<1 %%");
	else if (of > 0.99)
		snprintf(text, LXFW_TUNING_TEXT, ">99 %%");
	else
		snprintf(text, LXFW_TUNING_TEXT, "%.0f %%", 100 * of);
	return text;
}

/* The cells of a goal. */
enum { CHANGE, INTERVAL, WORSE, BEYOND, CELLS };

static void put_cells(const struct lxfw_confirmation *confirmation, int goal,
		      char cells[CELLS][LXFW_TUNING_TEXT])
{
	struct lxfw_prospect of;

	find(confirmation, goal, &of);
	snprintf(cells[CHANGE], LXFW_TUNING_TEXT, "%+.0f %%", 100 * of.change);
	snprintf(cells[INTERVAL], LXFW_TUNING_TEXT, "%+.0f %% to %+.0f %%", 100 * of.low,
		 100 * of.high);
	chance(of.worse, cells[WORSE]);
	chance(of.beyond, cells[BEYOND]);
}

/* ---- text -------------------------------------------------------------------------- */

void lxfw_tuning_trial_print(const struct lxfw_confirmation *confirmation, FILE *out)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	char text[TEXT], cells[CELLS][LXFW_TUNING_TEXT], beyond[LXFW_TUNING_TEXT];

	if (!is_said(confirmation))
		return;
	put_verdict(confirmation, text);
	fprintf(out, "\n%s.\n  %s\n", text,
		confirmation->choices[confirmation->trial].setting->line);
	put_source(confirmation, text);
	snprintf(beyond, sizeof(beyond), "by over %.3g %%", margin_of(confirmation));
	fprintf(out, "%s\n  %-22s %9s %20s %24s %12s\n", text, "", "change",
		"90 % interval", "probability: worse", beyond);
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		if (!lxfw_goals_judged(goals, i))
			continue;
		put_cells(confirmation, i, cells);
		fprintf(out, "  %-22s %9s %20s %24s %12s\n", lxfw_goals_at(goals, i)->name,
			cells[CHANGE], cells[INTERVAL], cells[WORSE], cells[BEYOND]);
	}
	if (!confirmation->worth_trial) {
		put_reason(confirmation, text);
		fprintf(out, "%s\n", text);
	}
	put_length(confirmation, text);
	fprintf(out, "%s\n", text);
	put_how(confirmation, text);
	if (text[0])
		fprintf(out, "%s\n", text);
}

/* ---- page -------------------------------------------------------------------------- */

static void put_paragraph(const char *text, struct lxfw_output *output)
{
	if (!text[0])
		return;
	lxfw_output_text(output, "<p>");
	lxfw_html_text(output, text);
	lxfw_output_text(output, "</p>\n");
}

static void put_table(const struct lxfw_confirmation *confirmation,
		      struct lxfw_output *output)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	char cells[CELLS][LXFW_TUNING_TEXT];

	lxfw_page_table_begin(output, "Expected change, and the probability that a goal "
			      "becomes worse");
	lxfw_output_format(output, "<thead><tr><th>goal</th><th>change</th><th>90 %% interval"
			   "</th><th>worse</th><th>by over %.3g %%</th></tr></thead>\n<tbody>\n",
			   margin_of(confirmation));
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		if (!lxfw_goals_judged(goals, i))
			continue;
		put_cells(confirmation, i, cells);
		lxfw_output_text(output, "<tr><td>");
		lxfw_html_text(output, lxfw_goals_at(goals, i)->name);
		lxfw_output_text(output, "</td>");
		for (int j = 0; j < CELLS; j++) {
			lxfw_output_text(output, "<td>");
			lxfw_html_text(output, cells[j]);
			lxfw_output_text(output, "</td>");
		}
		lxfw_output_text(output, "</tr>\n");
	}
	lxfw_output_text(output, "</tbody>");
	lxfw_page_table_end(output);
}

void lxfw_tuning_trial_page(const struct lxfw_confirmation *confirmation,
			    struct lxfw_output *output)
{
	char text[TEXT];

	if (!is_said(confirmation))
		return;
	put_verdict(confirmation, text);
	lxfw_output_text(output, "<p><b>");
	lxfw_html_text(output, text);
	lxfw_output_text(output, "</b></p>\n");
	if (confirmation->worth_trial)
		lxfw_page_copy_line(output, confirmation->choices[confirmation->trial]
				    .setting->line);
	put_source(confirmation, text);
	put_paragraph(text, output);
	put_table(confirmation, output);
	if (!confirmation->worth_trial) {
		put_reason(confirmation, text);
		put_paragraph(text, output);
	}
	put_length(confirmation, text);
	put_paragraph(text, output);
	put_how(confirmation, text);
	put_paragraph(text, output);
}
