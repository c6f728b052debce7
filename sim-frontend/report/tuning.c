/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/tuning.h"

#include <math.h>
#include <stdlib.h>

#include "sim-frontend/report/tuning_text.h"
#include "sim-frontend/report/tuning_trial.h"
#include "sim-frontend/report/verdict_text.h"

#define TEXT LXFW_TUNING_TEXT

static const char *const class_texts[LXFW_TUNE_NAMED] = {
	"all", "short: run up to 1 h", "long: run above 4 h",
	"narrow: up to 1/8 of it", "wide: more than that",
	"big memory for its size",
};

static void print_weeks(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_trials *trials = report->confirmation->trials;
	const struct lxfw_tune_weeks *weeks = &trials->weeks;

	fprintf(out, "%s: %zu jobs on %lld processors\n", report->path,
		trials->trace->count, (long long)trials->cluster->procs);
	fprintf(out, "%d blocks of %.6g days after %.6g days of warm-up, in "
		"%d folds: a setting is evaluated on blocks that were not "
		"used to choose it\n", weeks->count, (double)weeks->length / 86400,
		(double)report->warmup / 86400, weeks->folds);
}

/* Prints the names of the goals from FIRST to END - 1 after WORD, if there are any. */
static void print_names(const struct lxfw_goals *goals, const char *word, int first,
			int end, FILE *out)
{
	for (int i = first; i < end; i++) {
		const struct lxfw_goal *goal = lxfw_goals_at(goals, i);
		char text[TEXT];

		fprintf(out, "%s %s", i == first ? word : ",", goal->name);
		if (!lxfw_goals_judged(goals, i))
			fprintf(out, " <= %s", lxfw_tuning_value(goal->most, goal->measure,
							text));
	}
}

static void print_goals(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_search *search = confirmation->search;
	int limits = goals->objective_count, kept = limits + goals->limit_count;
	size_t tried = 0;

	print_names(goals, "minimize", 0, limits, out);
	print_names(goals, "; limit", limits, kept, out);
	print_names(goals, "; keep", kept, lxfw_goals_count(goals), out);
	fprintf(out, "; margin %.3g %%", 100 * search->margin);
	for (size_t i = 0; i < search->count; i++)
		tried += search->settings[i].known;
	if (confirmation->copies > 0)
		fprintf(out, "\nfigures below are means over %zu perturbed copies of "
			"the log that the search did not use: submissions moved by "
			"a minute at most, run times by 10 %%", confirmation->copies);
	fprintf(out, "\n%zu settings tried%s, %zu not dominated", tried,
		report->interrupted ? " before the search was interrupted" : "",
		confirmation->front);
	if (confirmation->front > 0)
		fprintf(out, ", %d of them shown with the current one",
			confirmation->count - 1);
	fputs("\n\n", out);
}

static void print_lines(const struct lxfw_confirmation *confirmation, FILE *out)
{
	char text[TEXT];

	for (int i = 0; i < confirmation->count; i++)
		fprintf(out, "%-4s %s\n", lxfw_tuning_name(i, text),
			confirmation->choices[i].setting->line);
}

static void print_change(const struct lxfw_judgement *of,
			 enum lxfw_tune_measure measure, FILE *out)
{
	char text[TEXT], interval[TEXT];

	fprintf(out, "%9s %20s   %3d of %-3d",
		lxfw_tuning_change(of->now, of->then, measure, text),
		lxfw_tuning_interval(of, interval), of->better, of->blocks);
}

static void print_goal(const struct lxfw_confirmation *confirmation, int i,
		       FILE *out)
{
	const struct lxfw_goal *goal =
		lxfw_goals_at(confirmation->trials->goals, i);
	bool judged = lxfw_goals_judged(confirmation->trials->goals, i);

	fprintf(out, "\n%-22s %11s%s\n", goal->name,
		lxfw_tuning_is_rearranged(confirmation, i) ? "other weeks" : "all blocks",
		judged ? "  against now  90 % interval   better" : "");
	for (int j = 0; j < confirmation->count; j++) {
		const struct lxfw_choice *choice = &confirmation->choices[j];
		char name[TEXT], text[TEXT];

		fprintf(out, "  %-18s %13s%s", lxfw_tuning_name(j, name),
			lxfw_tuning_value(lxfw_tuning_of_choice(confirmation, j, i),
					  goal->measure, text),
			!judged && choice->values[i] > goal->most ?
			"  beyond the limit" : "");
		if (judged && j > 0)
			print_change(&choice->changes[i], goal->measure, out);
		putc('\n', out);
	}
}

/* --- recommendation --------------------------------------------------------------- */

/* Whether a limit is kept in the blocks, and for a maximum, what is expected for other weeks if that
   is beyond the limit. */
static void print_limit(const struct lxfw_confirmation *confirmation, int goal, FILE *out)
{
	const struct lxfw_goal *limit = lxfw_goals_at(confirmation->trials->goals, goal);
	double expected = lxfw_confirmation_expected(confirmation, goal);
	char text[TEXT];

	if (confirmation->crossed.values[goal] > limit->most)
		fprintf(out, "  beyond the limit\n");
	else if (expected > limit->most)
		fprintf(out, "  within the limit here, but %s is expected for other weeks\n",
			lxfw_tuning_value(expected, limit->measure, text));
	else
		fprintf(out, "  within the limit\n");
}

/* Prints the results of the candidate for each goal, from cross-validation. */
static void print_judgement(const struct lxfw_confirmation *confirmation, FILE *out)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	char text[TEXT], now[TEXT], then[TEXT];

	fprintf(out, "\n%s is the best setting over all blocks. Results of "
		"cross-validation, with a setting chosen without each fold:\n "
		" %-22s %10s %10s\n",
		lxfw_tuning_name(confirmation->candidate, text), "", "now", "then");
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		const struct lxfw_goal *goal = lxfw_goals_at(goals, i);
		const struct lxfw_judgement *of = &confirmation->crossed.changes[i];

		fprintf(out, "  %-22s %10s %10s", goal->name,
			lxfw_tuning_value(lxfw_tuning_of_choice(confirmation, 0, i),
					  goal->measure, now),
			lxfw_tuning_value(lxfw_tuning_of_crossed(confirmation, i),
					  goal->measure, then));
		if (lxfw_goals_judged(goals, i)) {
			print_change(of, goal->measure, out);
			fprintf(out, "  %s\n", lxfw_tuning_verdict(of));
		} else {
			print_limit(confirmation, i, out);
		}
	}
	if (lxfw_tuning_maximum(confirmation)[0])
		fprintf(out, "%s\n", lxfw_tuning_maximum(confirmation));
}

/* Prints the current wait of a class and its change with each choice. */
static void print_class(const struct lxfw_confirmation *confirmation, int class,
			bool slowdown, FILE *out)
{
	enum lxfw_tune_measure measure = slowdown ?
		LXFW_TUNE_MEAN_BOUNDED_SLOWDOWN : LXFW_TUNE_MEAN_WAIT;
	const struct lxfw_class_values *now =
		&confirmation->choices[0].classes[class];
	double before = now->of[measure];
	char text[TEXT];

	if (now->jobs == 0)
		return;
	fprintf(out, "  %-24s %7zu %10s", class_texts[class], now->jobs,
		lxfw_tuning_value(before, measure, text));
	for (int i = 1; i < confirmation->count; i++) {
		double then = confirmation->choices[i].classes[class].of[measure];

		fprintf(out, " %8s", lxfw_tuning_change(before, then, measure,
							  text));
	}
	putc('\n', out);
}

static void print_classes(const struct lxfw_confirmation *confirmation,
			  bool slowdown, FILE *out)
{
	char text[TEXT];

	fprintf(out, "\n%-26s %7s %10s", slowdown ? "bounded slowdown" :
		"mean wait", "jobs", "now");
	for (int i = 1; i < confirmation->count; i++)
		fprintf(out, " %8s", lxfw_tuning_name(i, text));
	putc('\n', out);
	for (int class = 0; class < LXFW_TUNE_NAMED; class++)
		print_class(confirmation, class, slowdown, out);
}

static void print_whole(const struct lxfw_choice *choice, const char *who,
			FILE *out)
{
	char mean[TEXT], p95[TEXT], most[TEXT];

	fprintf(out, "  %-4s mean wait %s, 95th percentile %s, maximum %s, mean "
		"slowdown %.3f\n", who,
		lxfw_tuning_value(choice->whole.mean_wait, LXFW_TUNE_MEAN_WAIT, mean),
		lxfw_tuning_value((double)choice->whole.p95_wait, LXFW_TUNE_P95_WAIT, p95),
		lxfw_tuning_value((double)choice->whole.max_wait, LXFW_TUNE_MAX_WAIT,
			 most), choice->whole.mean_slowdown);
}

/* Warns if memory is not simulated: suspended jobs then occupy no memory. */
static void print_caveat(const struct lxfw_confirmation *confirmation, FILE *out)
{
	const struct lxfw_choice *choice =
		&confirmation->choices[confirmation->recommended];
	const struct lxfw_params *params = &choice->params;

	if (!lxfw_params_serve(params) || confirmation->trials->mean_memory > 0)
		return;
	if (params->quantum_mode == LXFW_QUANTUM_PREEMPT)
		fprintf(out, "\nIts quantum suspends running jobs. Suspended "
			"jobs keep their memory, which is not included here "
			"because --cluster does not specify memory.\n");
}

static void print_conclusion(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	int recommended = confirmation->recommended;
	char text[TEXT], need[LXFW_TUNING_NEED];

	if (confirmation->front == 0) {
		fprintf(out, "\nNone of the settings satisfies the limits and "
			"the measures to keep.\n");
		return;
	}
	if (confirmation->candidate == 0) {
		fprintf(out, "\nNone of the settings is within %.3g %% of the "
			"current one in every goal.\n",
			100 * confirmation->search->margin);
		return;
	}
	print_judgement(confirmation, out);
	if (recommended == 0) {
		fprintf(out, "\nNo setting is recommended. It would have to "
			"be better than the current one in one goal and not "
			"more than %.3g %%\nworse in any, each with 95 %% "
			"confidence, on the blocks not used to choose it and "
			"on all blocks.\n",
			100 * confirmation->search->margin);
		if (lxfw_tuning_need(confirmation, need)[0])
			fprintf(out, "%s\n", need);
		return;
	}
	fprintf(out, "\n%s is recommended: it is better than the current "
		"setting in one goal or more, and not more than %.3g %% worse "
		"in any,\neach with 95 %% confidence. Whole log after the "
		"warm-up, as printed by 'lxfw simulate --warmup %lld --params "
		"...':\n",
		lxfw_tuning_name(recommended, text), 100 * confirmation->search->margin,
		(long long)report->warmup);
	print_whole(&confirmation->choices[0], "now", out);
	print_whole(&confirmation->choices[recommended],
		    lxfw_tuning_name(recommended, text), out);
	print_caveat(confirmation, out);
	lxfw_tuning_advice_print(report->advice, out);
}

void lxfw_tuning_print(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;

	lxfw_verdict_print(report->verdict, out);
	print_weeks(report, out);
	print_goals(report, out);
	print_lines(confirmation, out);
	for (int i = 0; i < lxfw_goals_count(confirmation->trials->goals); i++)
		print_goal(confirmation, i, out);
	fprintf(out, "\nBy class of jobs, over all blocks:\n");
	print_classes(confirmation, false, out);
	print_classes(confirmation, true, out);
	lxfw_tuning_print_cost(report, out);
	print_conclusion(report, out);
	lxfw_tuning_trial_print(confirmation, out);
}
