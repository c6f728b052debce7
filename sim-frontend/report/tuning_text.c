/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts and numbers that the table and the page of lxfw tune have in common. */
#include "sim-frontend/report/tuning_text.h"

#include <math.h>
#include <stdio.h>

#include "sim-frontend/report/report.h"

const char *lxfw_tuning_name(int choice, char *text)
{
	if (choice == 0)
		snprintf(text, LXFW_TUNING_TEXT, "now");
	else	/* more than 26 are possible with --show 26 */
		snprintf(text, LXFW_TUNING_TEXT, choice > 26 ? "%c2" : "%c",
			 'A' + (choice - 1) % 26);
	return text;
}

bool lxfw_tuning_is_rearranged(const struct lxfw_confirmation *confirmation, int i)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;

	return confirmation->prospects.copies > 0 && lxfw_goals_judged(goals, i) &&
	       lxfw_metric(lxfw_goals_at(goals, i)->measure)->kind == LXFW_METRIC_MOST;
}

double lxfw_tuning_of_choice(const struct lxfw_confirmation *confirmation, int choice, int i)
{
	/* the current setting has no change; that of the combination states its value */
	if (!lxfw_tuning_is_rearranged(confirmation, i))
		return confirmation->choices[choice].values[i];
	return choice == 0 ? confirmation->crossed.changes[i].now :
			     confirmation->choices[choice].changes[i].then;
}

double lxfw_tuning_of_crossed(const struct lxfw_confirmation *confirmation, int i)
{
	return lxfw_tuning_is_rearranged(confirmation, i) ?
	       confirmation->crossed.changes[i].then : confirmation->crossed.values[i];
}

const char *lxfw_tuning_value(double value, enum lxfw_tune_measure measure, char *text)
{
	if (lxfw_tune_is_time(measure))
		return lxfw_format_span(value, text, LXFW_TUNING_TEXT);
	snprintf(text, LXFW_TUNING_TEXT, fabs(value) < 100 ? "%.2f" : "%.0f", value);
	return text;
}

const char *lxfw_tuning_change(double now, double then, enum lxfw_tune_measure measure,
			       char *text)
{
	char plain[LXFW_TUNING_TEXT];

	if (now > 0)
		snprintf(text, LXFW_TUNING_TEXT, "%+.0f %%", 100 * (then - now) / now);
	else
		snprintf(text, LXFW_TUNING_TEXT, "%s%.40s", then > now ? "+" : "",
			 lxfw_tuning_value(then - now, measure, plain));
	return text;
}

const char *lxfw_tuning_interval(const struct lxfw_judgement *of, char *text)
{
	if (of->interval)
		snprintf(text, LXFW_TUNING_TEXT, "%+.0f %% to %+.0f %%", 100 * of->low,
			 100 * of->high);
	else
		snprintf(text, LXFW_TUNING_TEXT, "-");
	return text;
}

const char *lxfw_tuning_verdict(const struct lxfw_judgement *of)
{
	static const char *const verdicts[] = {
		"cannot tell", "kept", "better", "worse",
	};

	return verdicts[of->verdict];
}

/* --- required length of a log ----------------------------------------------------- */

/* Ten years. */
#define WEEKS_MOST 520

double lxfw_tuning_weeks(const struct lxfw_confirmation *confirmation)
{
	return confirmation->blocks_needed *
	       (double)confirmation->trials->weeks.length / (7 * 86400);
}

double lxfw_tuning_trial_weeks(const struct lxfw_confirmation *confirmation)
{
	return lxfw_prospects_length(&confirmation->prospects, confirmation->prospects.best) /
	       (7 * 86400);
}

const char *lxfw_tuning_need(const struct lxfw_confirmation *confirmation, char *text)
{
	double weeks = lxfw_tuning_weeks(confirmation);

	text[0] = '\0';
	if (confirmation->worth_trial)	/* the length of a trial is stated then */
		return text;
	if (!isfinite(weeks))
		snprintf(text, LXFW_TUNING_NEED, "As far as this log shows, the best "
			 "setting makes a goal worse, or improves none. A longer log "
			 "is unlikely to change that.");
	else if (weeks > WEEKS_MOST)
		snprintf(text, LXFW_TUNING_NEED, "If the estimated benefit is real, "
			 "more than ten years of log would be needed to confirm it.");
	else if (weeks > 0)
		snprintf(text, LXFW_TUNING_NEED, "If the estimated benefit is real, "
			 "about %.0f weeks of log would be needed to confirm it. This "
			 "number is rough: half or twice as many may be needed.",
			 ceil(weeks));
	return text;
}

const char *lxfw_tuning_maximum(const struct lxfw_confirmation *confirmation)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;

	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		if (lxfw_goals_judged(goals, i) &&
		    lxfw_metric(lxfw_goals_at(goals, i)->measure)->kind ==
		    LXFW_METRIC_MOST)
			return !lxfw_tuning_is_rearranged(confirmation, i) ?
			       "The interval of a maximum is that of the mean of the "
			       "blocks' maxima; the change is that of the maximum "
			       "over all blocks." :
			       "A maximum depends on single jobs. It is judged by its "
			       "mean over copies of the log in which users' sessions "
			       "are moved to other weeks. \"Better\" counts these copies.";
	}
	return "";
}

/* --- costs of a setting ----------------------------------------------------------- */

enum shape { NUMBER, HOURS, SHARE, SPAN };

static const struct {
	struct lxfw_tuning_cost cost;
	enum shape shape;
} costs[] = {
	{ { "suspensions", LXFW_TUNE_PREEMPTIONS }, NUMBER },
	{ { "most suspensions of a job", LXFW_TUNE_MOST_SUSPENSIONS }, NUMBER },
	{ { "most of a job's time", LXFW_TUNE_MOST_SUSPENDED }, SHARE },
	{ { "requeues", LXFW_TUNE_REQUEUES }, NUMBER },
	{ { "processor-hours lost", LXFW_TUNE_LOST_HOURS }, HOURS },
	{ { "weighted response (AWRT)", LXFW_TUNE_AWRT }, SPAN },
	{ { "longest wait", LXFW_TUNE_MAX_WAIT }, SPAN },
};

const struct lxfw_tuning_cost *lxfw_tuning_cost(size_t row)
{
	return row < sizeof(costs) / sizeof(*costs) ? &costs[row].cost : NULL;
}

const char *lxfw_tuning_cost_text(const struct lxfw_choice *choice, size_t row,
				  char *text)
{
	double value = lxfw_tune_value(&choice->whole, costs[row].cost.measure);

	switch (costs[row].shape) {
	case NUMBER:
		snprintf(text, LXFW_TUNING_TEXT, "%.0f", value);
		break;
	case HOURS:
		snprintf(text, LXFW_TUNING_TEXT, value < 100 ? "%.1f" : "%.0f", value);
		break;
	case SHARE:
		snprintf(text, LXFW_TUNING_TEXT, "%.0f %%", 100 * value);
		break;
	case SPAN:
		lxfw_format_span(value, text, LXFW_TUNING_TEXT);
		break;
	}
	return text;
}
