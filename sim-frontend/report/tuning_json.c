/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>
#include <math.h>

#include "sim-frontend/report/report.h"
#include "sim-frontend/report/tuning.h"
#include "sim-frontend/report/tuning_text.h"
#include "sim-frontend/report/verdict_text.h"
#include "sim-frontend/util/json_out.h"

/* Takes ownership of VALUE. If memory has run out, sets *FAILED. */
static void put(struct json_object *object, const char *key,
		struct json_object *value, bool *failed)
{
	if (!object || !value || json_object_object_add(object, key, value)) {
		json_object_put(value);
		*failed = true;
	}
}

static struct json_object *number(double value)
{
	char text[32];

	if (!isfinite(value))
		return json_object_new_string("none");
	return json_object_new_double_s(value, lxfw_format_double(value, text,
							  sizeof(text)));
}

static struct json_object *values_json(const struct lxfw_goals *goals,
				       const double *values, bool *failed)
{
	struct json_object *object = json_object_new_object();

	/* an objective may also be a constraint; it has one value */
	for (int i = 0; i < lxfw_goals_count(goals); i++)
		put(object, lxfw_goals_at(goals, i)->name, number(values[i]),
		    failed);
	return object;
}

static struct json_object *change_json(const struct lxfw_judgement *change,
				       bool *failed)
{
	static const char *const verdicts[] = {
		"unsure", "kept", "better", "worse",
	};
	struct json_object *object = json_object_new_object();

	put(object, "now", number(change->now), failed);
	put(object, "then", number(change->then), failed);
	put(object, "difference", number(change->then - change->now), failed);
	put(object, "change", number(change->now > 0 ? change->then / change->now - 1 :
				     0), failed);
	if (change->interval) {
		put(object, "change_low", number(change->low), failed);
		put(object, "change_high", number(change->high), failed);
	}
	put(object, "blocks_better", json_object_new_int(change->better), failed);
	put(object, "blocks_worse", json_object_new_int(change->worse), failed);
	put(object, "blocks", json_object_new_int(change->blocks), failed);
	put(object, "correlation", number(change->correlation), failed);
	put(object, "chance_if_beyond_margin", number(change->kept_p), failed);
	put(object, "chance_if_not_better", number(change->better_p), failed);
	put(object, "chance_if_not_better_of_several",
	    number(change->better_chance), failed);
	put(object, "verdict", json_object_new_string(verdicts[change->verdict]),
	    failed);
	return object;
}

static struct json_object *changes_json(const struct lxfw_goals *goals,
					const struct lxfw_choice *choice,
					bool *failed)
{
	struct json_object *object = json_object_new_object();

	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		if (lxfw_goals_judged(goals, i))
			put(object, lxfw_goals_at(goals, i)->name,
			    change_json(&choice->changes[i], failed), failed);
	}
	return object;
}

static struct json_object *metrics_json(const struct lxfw_metrics *metrics,
					bool *failed)
{
	struct json_object *object = json_object_new_object();

	put(object, "jobs", json_object_new_int64((int64_t)metrics->jobs), failed);
	for (int i = 0; i < LXFW_TUNE_MEASURES; i++) {
		enum lxfw_tune_measure measure = (enum lxfw_tune_measure)i;

		put(object, lxfw_tune_measure_name(measure),
		    number(lxfw_tune_value(metrics, measure)), failed);
	}
	return object;
}

static struct json_object *class_json(const struct lxfw_class_values *values,
				      bool *failed)
{
	struct json_object *object = json_object_new_object();

	put(object, "jobs", json_object_new_int64((int64_t)values->jobs), failed);
	for (int i = 0; i < LXFW_TUNE_MEASURES; i++)
		put(object, lxfw_tune_measure_name((enum lxfw_tune_measure)i),
		    number(values->of[i]), failed);
	return object;
}

static struct json_object *choice_json(const struct lxfw_goals *goals,
				       const struct lxfw_choice *choice,
				       bool now, bool *failed)
{
	struct json_object *object = json_object_new_object();
	struct json_object *classes = json_object_new_object();

	put(object, "params", json_object_new_string(choice->setting->line),
	    failed);
	put(object, "all_blocks", values_json(goals, choice->values, failed),
	    failed);
	if (!now)
		put(object, "changes", changes_json(goals, choice, failed),
		    failed);
	for (int i = 0; i < LXFW_TUNE_NAMED; i++)
		put(classes, lxfw_tune_class_name(i),
		    class_json(&choice->classes[i], failed), failed);
	put(object, "classes", classes, failed);
	put(object, "whole", metrics_json(&choice->whole, failed), failed);
	put(object, "keeps_limits", json_object_new_boolean(choice->keeps_limits),
	    failed);
	return object;
}

/* Returns the candidate with its results from cross-validation. */
static struct json_object *candidate_json(const struct lxfw_confirmation *confirmation,
					  bool *failed)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_choice *crossed = &confirmation->crossed;
	struct json_object *object = json_object_new_object();
	struct json_object *folds = json_object_new_array();

	put(object, "params", json_object_new_string(confirmation->choices[
		confirmation->candidate].setting->line), failed);
	for (int i = 0; i < confirmation->trials->weeks.folds && folds; i++)
		*failed |= json_object_array_add(folds, json_object_new_string(
			confirmation->choices[confirmation->folds[i]]
				.setting->line)) != 0;
	put(object, "chosen_without_each_fold", folds, failed);
	put(object, "not_seen", values_json(goals, crossed->values, failed),
	    failed);
	put(object, "changes_not_seen", changes_json(goals, crossed, failed),
	    failed);
	put(object, "keeps_limits_not_seen",
	    json_object_new_boolean(crossed->keeps_limits), failed);
	if (confirmation->recommended == 0)
		put(object, "weeks_needed", number(lxfw_tuning_weeks(confirmation)), failed);
	return object;
}

static struct json_object *prospect_json(const struct lxfw_prospect *of, bool *failed)
{
	struct json_object *object = json_object_new_object();

	put(object, "change", number(of->change), failed);
	put(object, "change_low", number(of->low), failed);
	put(object, "change_high", number(of->high), failed);
	put(object, "chance_worse", number(of->worse), failed);
	put(object, "chance_worse_than_margin", number(of->beyond), failed);
	put(object, "chance_better_than_margin", number(of->better), failed);
	return object;
}

/* Returns the setting that promises most for other weeks. */
static struct json_object *trial_json(const struct lxfw_confirmation *confirmation,
				      bool *failed)
{
	const struct lxfw_goals *goals = confirmation->trials->goals;
	const struct lxfw_prospects *prospects = &confirmation->prospects;
	struct json_object *object = json_object_new_object();
	struct json_object *changes = json_object_new_object();

	put(object, "params", json_object_new_string(confirmation->choices[
		confirmation->trial].setting->line), failed);
	put(object, "worth", json_object_new_boolean(confirmation->worth_trial), failed);
	put(object, "copies", json_object_new_int64((int64_t)prospects->copies), failed);
	put(object, "weeks", number(lxfw_tuning_trial_weeks(confirmation)), failed);
	for (int i = 0; i < lxfw_goals_count(goals); i++) {
		struct lxfw_prospect of;

		if (!lxfw_goals_judged(goals, i))
			continue;
		lxfw_prospects_goal(prospects, &prospects->best, 1, i, &of);
		put(changes, lxfw_goals_at(goals, i)->name, prospect_json(&of, failed),
		    failed);
	}
	put(object, "changes", changes, failed);
	return object;
}

static struct json_object *blocks_json(const struct lxfw_tune_weeks *weeks,
				       bool *failed)
{
	struct json_object *object = json_object_new_object();

	put(object, "count", json_object_new_int(weeks->count), failed);
	put(object, "days", number((double)weeks->length / 86400), failed);
	put(object, "folds", json_object_new_int(weeks->folds), failed);
	return object;
}

int lxfw_tuning_print_json(const struct lxfw_tuning_report *report,
			   enum lxfw_format format, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	const struct lxfw_goals *goals = confirmation->trials->goals;
	struct json_object *object = json_object_new_object();
	struct json_object *choices = json_object_new_array();
	bool failed = !choices;
	size_t tried = 0;

	for (size_t i = 0; i < confirmation->search->count; i++)
		tried += confirmation->search->settings[i].known;
	put(object, "verdict", lxfw_verdict_json(report->verdict), &failed);
	put(object, "settings", json_object_new_int64((int64_t)tried), &failed);
	put(object, "front", json_object_new_int64((int64_t)confirmation->front),
	    &failed);
	put(object, "interrupted", json_object_new_boolean(report->interrupted),
	    &failed);
	put(object, "quanta_searched",
	    json_object_new_boolean(report->quanta_searched), &failed);
	put(object, "recommended", confirmation->recommended > 0 ?
	    json_object_new_string(confirmation->choices[
			confirmation->recommended].setting->line) :
	    json_object_new_string(""), &failed);
	put(object, "margin", number(confirmation->search->margin), &failed);
	put(object, "copies", json_object_new_int64((int64_t)confirmation->copies),
	    &failed);
	put(object, "blocks", blocks_json(&confirmation->trials->weeks, &failed),
	    &failed);
	if (confirmation->candidate > 0)
		put(object, "candidate", candidate_json(confirmation, &failed),
		    &failed);
	if (confirmation->trial > 0 && confirmation->recommended == 0)
		put(object, "trial", trial_json(confirmation, &failed), &failed);
	put(object, "now", choice_json(goals, &confirmation->choices[0], true,
				       &failed), &failed);
	for (int i = 1; i < confirmation->count && choices; i++)
		failed |= json_object_array_add(choices, choice_json(goals,
				&confirmation->choices[i], false, &failed)) != 0;
	put(object, "choices", choices, &failed);
	if (failed) {
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, format, out);
}
