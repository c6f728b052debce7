/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/tuning.h"

#include <math.h>

#include "sim-frontend/report/verdict_text.h"

#define TEXT 48

static const char *const class_texts[LXFW_TUNE_NAMED] = {
	"all", "short: run up to 1 h", "long: run above 4 h",
	"narrow: up to 1/8 of it", "wide: more than that",
	"big memory for its size",
};

/* A value for people: times in the unit that suits them. */
static const char *quantity(double value, enum lxfw_tune_measure measure,
			    char *text)
{
	if (!lxfw_tune_is_time(measure))
		snprintf(text, TEXT, fabs(value) < 1e4 ? "%.2f" : "%.0f", value);
	else if (fabs(value) < 120)
		snprintf(text, TEXT, "%.1f s", value);
	else if (fabs(value) < 2 * 3600)
		snprintf(text, TEXT, "%.1f min", value / 60);
	else
		snprintf(text, TEXT, "%.1f h", value / 3600);
	return text;
}

/* A difference in per cent of what it was, or as it is where that was 0. */
static const char *change(double difference, double now,
			  enum lxfw_tune_measure measure, char *text)
{
	char plain[TEXT];

	if (now > 0)
		snprintf(text, TEXT, "%+.0f %%", 100 * difference / now);
	else
		snprintf(text, TEXT, "%s%.40s", difference > 0 ? "+" : "",
			 quantity(difference, measure, plain));
	return text;
}

static const char *name_of(int choice, char *text)
{
	if (choice == 0)
		return "now";
	snprintf(text, TEXT, "%c", 'A' + choice - 1);
	return text;
}

static void print_weeks(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_trials *trials = report->confirmation->trials;
	const struct lxfw_tune_weeks *weeks = &trials->weeks;
	int searched = 0;

	for (int i = 0; i < weeks->count; i++)
		searched += lxfw_tune_week_trains(weeks, i);
	fprintf(out, "%s: %zu jobs on %lld processors\n", report->path,
		trials->trace->count, (long long)trials->cluster->procs);
	fprintf(out, "%d periods of %.6g days after %.6g days of warm-up: %d "
		"searched on, %d not seen (%s)\n", weeks->count,
		(double)weeks->length / 86400, (double)report->warmup / 86400,
		searched, weeks->count - searched, weeks->alternating ?
		"every other one" : "the second half");
}

static void print_goals(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_search *search = confirmation->search;
	size_t tried = 0;

	fputs("minimize", out);
	for (int i = 0; i < goals->objective_count; i++)
		fprintf(out, "%s %s", i ? "," : "", goals->objectives[i].name);
	for (int i = 0; i < goals->limit_count; i++) {
		char text[TEXT];

		fprintf(out, "%s %s <= %s", i ? "," : "; limit",
			goals->limits[i].name, quantity(goals->limits[i].most,
			goals->limits[i].measure, text));
	}
	for (size_t i = 0; i < search->count; i++)
		tried += search->settings[i].known;
	fprintf(out, "\n%zu settings tried%s, %zu on the front", tried,
		report->interrupted ? " before the search was interrupted" : "",
		confirmation->front);
	if (confirmation->front > 0)
		fprintf(out, ", %d of them shown beside what the site has",
			confirmation->count - 1);
	fputs("\n\n", out);
}

static void print_lines(const struct lxfw_confirmation *confirmation, FILE *out)
{
	char text[TEXT];

	for (int i = 0; i < confirmation->count; i++)
		fprintf(out, "%-4s %s\n", name_of(i, text),
			confirmation->choices[i].setting->line);
}

static void print_change(const struct lxfw_change *of,
			 enum lxfw_tune_measure measure, FILE *out)
{
	static const char *const verdicts[] = { "not sure", "better", "worse" };
	char text[TEXT], interval[TEXT] = "-";

	if (of->interval)
		snprintf(interval, sizeof(interval), "%+.0f %% to %+.0f %%",
			 100 * of->low, 100 * of->high);
	fprintf(out, "%9s %20s   %3d of %-3d  %s",
		change(of->then - of->now, of->now, measure, text), interval,
		of->better, of->weeks, verdicts[of->verdict]);
}

static void print_objective(const struct lxfw_confirmation *confirmation,
			    int objective, FILE *out)
{
	const struct lxfw_goal *goal =
		&confirmation->trials->goals->objectives[objective];

	fprintf(out, "\n%-22s searched on  not seen  against now  95 %% interval"
		"   better\n", goal->name);
	for (int i = 0; i < confirmation->count; i++) {
		const struct lxfw_choice *choice = &confirmation->choices[i];
		char name[TEXT], first[TEXT], second[TEXT];

		fprintf(out, "  %-18s %12s %10s", name_of(i, name),
			quantity(choice->setting->values[objective],
				 goal->measure, first),
			quantity(choice->values[objective], goal->measure,
				 second));
		if (i > 0)
			print_change(&choice->changes[objective], goal->measure,
				     out);
		putc('\n', out);
	}
}

static void print_limits(const struct lxfw_confirmation *confirmation, FILE *out)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;

	for (int i = 0; i < goals->limit_count; i++) {
		const struct lxfw_goal *goal = &goals->limits[i];
		int at = goals->objective_count + i;

		fprintf(out, "\n%-22s searched on  not seen\n", goal->name);
		for (int j = 0; j < confirmation->count; j++) {
			const struct lxfw_choice *choice =
				&confirmation->choices[j];
			double then = choice->values[at];
			double first = choice->setting->values[at];
			char name[TEXT], searched[TEXT], unseen[TEXT];

			fprintf(out, "  %-18s %12s %10s%s\n", name_of(j, name),
				quantity(first, goal->measure, searched),
				quantity(then, goal->measure, unseen),
				then > goal->most ? "  beyond the limit" :
				first > goal->most ?
				"  beyond the limit in the first" : "");
		}
	}
}

/* What a class waits now, and by how much that changes with each choice. */
static void print_class(const struct lxfw_confirmation *confirmation, int class,
			bool slowdown, FILE *out)
{
	enum lxfw_tune_measure measure = slowdown ?
		LXFW_TUNE_MEAN_BOUNDED_SLOWDOWN : LXFW_TUNE_MEAN_WAIT;
	const struct lxfw_metrics *now =
		&confirmation->choices[0].classes[class];
	double before = lxfw_tune_value(now, measure);
	char text[TEXT];

	if (now->jobs == 0)
		return;
	fprintf(out, "  %-24s %7zu %10s", class_texts[class], now->jobs,
		quantity(before, measure, text));
	for (int i = 1; i < confirmation->count; i++) {
		double then = lxfw_tune_value(
			&confirmation->choices[i].classes[class], measure);

		fprintf(out, " %8s", change(then - before, before, measure,
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
		fprintf(out, " %8s", name_of(i, text));
	putc('\n', out);
	for (int class = 0; class < LXFW_TUNE_NAMED; class++)
		print_class(confirmation, class, slowdown, out);
}

/* With few weeks, or none that is sure. */
static void print_spread(const struct lxfw_confirmation *confirmation, FILE *out)
{
	if (confirmation->cluster_count < LXFW_CLUSTERS_LEAST)
		fprintf(out, "\nThere are too few weeks to tell how sure any of "
			"this is: a longer log would.\n");
	else if (confirmation->by_day)
		fprintf(out, "\nThere are few weeks: the intervals are by the "
			"spread over %d days, which depend on each other, so "
			"they are wider in truth.\n",
			confirmation->cluster_count);
}

static void print_whole(const struct lxfw_choice *choice, const char *who,
			FILE *out)
{
	char mean[TEXT], p95[TEXT], most[TEXT];

	fprintf(out, "  %-4s mean wait %s, 95th percentile %s, maximum %s, mean "
		"slowdown %.3f\n", who,
		quantity(choice->whole.mean_wait, LXFW_TUNE_MEAN_WAIT, mean),
		quantity((double)choice->whole.p95_wait, LXFW_TUNE_P95_WAIT, p95),
		quantity((double)choice->whole.max_wait, LXFW_TUNE_MAX_WAIT,
			 most), choice->whole.mean_slowdown);
}

/* Where memory is not counted, suspended jobs are in nobody's way. */
static void print_caveat(const struct lxfw_confirmation *confirmation, FILE *out)
{
	const struct lxfw_choice *choice =
		&confirmation->choices[confirmation->recommended];
	const struct lxfw_params *params = &choice->options.params;

	if (!lxfw_params_serve(params) || confirmation->trials->mean_memory > 0)
		return;
	if (params->quantum_mode == LXFW_QUANTUM_PREEMPT)
		fprintf(out, "\nIts quantum suspends running jobs. Their memory stays "
			"taken, which is not counted here: no --cluster tells of "
			"the machine's.\n");
}

static void print_conclusion(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	int recommended = confirmation->recommended;
	char text[TEXT];

	if (confirmation->front == 0) {
		fprintf(out, "\nNo setting that was tried keeps the limits in the "
			"weeks searched on.\n");
		return;
	}
	if (recommended == 0) {
		fprintf(out, "\nNothing that was tried is surely better than what "
			"the site has: better in one goal, worse in none, on "
			"weeks that the search did not see.\n");
		return;
	}
	fprintf(out, "\n%s is better than what the site has, surely in one goal "
		"or more, surely worse in none. The whole log after the "
		"warm-up,\nas 'lxfw simulate --warmup %lld --params ...' "
		"prints it:\n", name_of(recommended, text),
		(long long)report->warmup);
	print_whole(&confirmation->choices[0], "now", out);
	print_whole(&confirmation->choices[recommended],
		    name_of(recommended, text), out);
	print_caveat(confirmation, out);
	fprintf(out, "\nSchedulerParameters=%s\n",
		confirmation->choices[recommended].setting->line);
}

void lxfw_tuning_print(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;

	lxfw_verdict_print(report->verdict, out);
	print_weeks(report, out);
	print_goals(report, out);
	print_lines(confirmation, out);
	for (int i = 0; i < confirmation->trials->goals->objective_count; i++)
		print_objective(confirmation, i, out);
	print_limits(confirmation, out);
	fprintf(out, "\nFor whom, in the weeks not seen:\n");
	print_classes(confirmation, false, out);
	print_classes(confirmation, true, out);
	lxfw_tuning_print_cost(report, out);
	print_spread(confirmation, out);
	print_conclusion(report, out);
}
