/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <json-c/json.h>
#include <math.h>

#include "sim-frontend/report/report.h"
#include "sim-frontend/report/tuning.h"
#include "sim-frontend/report/verdict_text.h"

/* Takes VALUE over. An object that could not be made is left out; *FAILED says so. */
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
	return json_object_new_double_s(value, lxfw_report_double(value, text,
							  sizeof(text)));
}

static struct json_object *values_json(const struct lxfw_goals *goals,
				       const double *values, bool *failed)
{
	struct json_object *object = json_object_new_object();

	/* an objective may be limited too: it has one value */
	for (int i = 0; i < lxfw_goals_count(goals); i++)
		put(object, lxfw_goals_at(goals, i)->name, number(values[i]),
		    failed);
	return object;
}

static struct json_object *change_json(const struct lxfw_change *change,
				       bool *failed)
{
	static const char *const verdicts[] = { "unsure", "better", "worse" };
	struct json_object *object = json_object_new_object();

	put(object, "difference", number(change->then - change->now), failed);
	if (change->interval) {
		put(object, "change_low", number(change->low), failed);
		put(object, "change_high", number(change->high), failed);
	}
	put(object, "weeks_better", json_object_new_int(change->better), failed);
	put(object, "weeks_worse", json_object_new_int(change->worse), failed);
	put(object, "weeks", json_object_new_int(change->weeks), failed);
	put(object, "verdict", json_object_new_string(verdicts[change->verdict]),
	    failed);
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

static struct json_object *choice_json(const struct lxfw_goals *goals,
				       const struct lxfw_choice *choice,
				       bool now, bool *failed)
{
	struct json_object *object = json_object_new_object();
	struct json_object *changes = json_object_new_object();
	struct json_object *classes = json_object_new_object();

	put(object, "params", json_object_new_string(choice->setting->line),
	    failed);
	put(object, "searched_on", values_json(goals, choice->setting->values,
					       failed), failed);
	put(object, "not_seen", values_json(goals, choice->values, failed),
	    failed);
	for (int i = 0; i < goals->objective_count && !now; i++)
		put(changes, goals->objectives[i].name,
		    change_json(&choice->changes[i], failed), failed);
	put(object, "changes", changes, failed);
	for (int i = 0; i < LXFW_TUNE_NAMED; i++)
		put(classes, lxfw_tune_class_name(i),
		    metrics_json(&choice->classes[i], failed), failed);
	put(object, "classes_not_seen", classes, failed);
	put(object, "whole", metrics_json(&choice->whole, failed), failed);
	put(object, "keeps_limits", json_object_new_boolean(choice->keeps_limits),
	    failed);
	put(object, "confirmed", json_object_new_boolean(choice->confirmed),
	    failed);
	return object;
}

int lxfw_tuning_print_json(const struct lxfw_tuning_report *report, FILE *out)
{
	const struct lxfw_confirmation *confirmation = report->confirmation;
	const struct lxfw_goals *goals = confirmation->trials->goals;
	struct json_object *object = json_object_new_object();
	struct json_object *choices = json_object_new_array();
	const char *text = NULL;
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
	put(object, "now", choice_json(goals, &confirmation->choices[0], true,
				       &failed), &failed);
	for (int i = 1; i < confirmation->count && choices; i++)
		failed |= json_object_array_add(choices, choice_json(goals,
				&confirmation->choices[i], false, &failed)) != 0;
	put(object, "choices", choices, &failed);
	if (!failed)
		text = json_object_to_json_string_ext(object,
			JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED);
	if (text)
		fprintf(out, "%s\n", text);
	json_object_put(object);
	if (!text)
		errno = ENOMEM;
	return text ? 0 : -1;
}
