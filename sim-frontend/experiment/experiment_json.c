/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/experiment_print.h"

#include <json-c/json.h>
#include <math.h>

#include "sim-frontend/util/json_out.h"

/* Every function takes ownership of what it adds. A failure sets `failed`, and nothing
   is printed then. */
struct builder {
	bool failed;
};

static struct json_object *checked(struct builder *builder,
				   struct json_object *object)
{
	if (!object)
		builder->failed = true;
	return object;
}

static void add(struct builder *builder, struct json_object *to,
		const char *key, struct json_object *value)
{
	if (!to || builder->failed ||
	    (key ? json_object_object_add(to, key, value) :
		   json_object_array_add(to, value))) {
		json_object_put(value);
		builder->failed = true;
	}
}

static struct json_object *object(struct builder *builder)
{
	return checked(builder, json_object_new_object());
}

static struct json_object *array(struct builder *builder)
{
	return checked(builder, json_object_new_array());
}

static struct json_object *text(struct builder *builder, const char *value)
{
	return checked(builder, json_object_new_string(value));
}

/* JSON has no infinity or NaN: returns null for them. */
static struct json_object *number(struct builder *builder, double value)
{
	char digits[32];

	if (!isfinite(value))
		return NULL;
	return checked(builder, json_object_new_double_s(value,
			lxfw_format_double(value, digits, sizeof(digits))));
}

static struct json_object *whole(struct builder *builder, int64_t value)
{
	return checked(builder, json_object_new_int64(value));
}

static struct json_object *truth(struct builder *builder, bool value)
{
	return checked(builder, json_object_new_boolean(value));
}

/* A measure without a value is omitted. */
static void add_measures(struct builder *builder, struct json_object *to,
			 const struct lxfw_tally *tally, int group)
{
	for (int i = 0; i < LXFW_TALLY_MEASURES; i++) {
		double value = tally->values[group][i];

		if (!isnan(value))
			add(builder, to, lxfw_tally_measure_key(
				(enum lxfw_tally_measure)i),
			    number(builder, value));
	}
}

static struct json_object *run_json(struct builder *builder,
				    const struct lxfw_run *run,
				    const struct lxfw_tally *tally)
{
	struct json_object *result = object(builder);

	add(builder, result, "jobs",
	    whole(builder, (int64_t)tally->jobs[LXFW_GROUP_ALL]));
	add_measures(builder, result, tally, LXFW_GROUP_ALL);
	add(builder, result, "preemptions",
	    whole(builder, (int64_t)run->preemptions));
	add(builder, result, "requeues", whole(builder, (int64_t)run->requeues));
	for (int i = LXFW_GROUP_TO_1M; i < LXFW_GROUPS; i++) {
		struct json_object *group = object(builder);

		add(builder, group, "jobs",
		    whole(builder, (int64_t)tally->jobs[i]));
		add_measures(builder, group, tally, i);
		add(builder, result, lxfw_tally_group_key(
			(enum lxfw_tally_group)i), group);
	}
	return result;
}

/* Returns the results by policy, month and seed. */
static struct json_object *results(struct builder *builder,
				   const struct lxfw_experiment *experiment)
{
	struct json_object *all = object(builder);

	for (int i = 0; i < LXFW_CONTENDERS; i++) {
		enum lxfw_contender contender = (enum lxfw_contender)i;
		struct json_object *policy;

		if (!experiment->takes_part[i])
			continue;
		policy = object(builder);
		for (int j = 0; j < experiment->month_count; j++) {
			struct json_object *month = array(builder);

			for (int k = 0; k < experiment->seeds; k++) {
				size_t at = lxfw_experiment_at(experiment, j, k,
							       contender);

				add(builder, month, NULL,
				    run_json(builder, &experiment->runs[at],
					     &experiment->tallies[at]));
			}
			add(builder, policy, experiment->months[j].name, month);
		}
		add(builder, all, lxfw_contender_text(contender)->key, policy);
	}
	return all;
}

static struct json_object *figures(struct builder *builder,
				   const struct lxfw_experiment *experiment,
				   const struct lxfw_claim_result *outcome,
				   int condition)
{
	struct json_object *all = array(builder);

	for (int i = 0; i < outcome->figure_months; i++) {
		const struct lxfw_figure *from = &outcome->figures[
			condition * outcome->figure_months + i];
		struct json_object *figure = object(builder);

		if (outcome->claim->statistic == LXFW_BY_MONTH)
			add(builder, figure, "month",
			    text(builder, experiment->months[i].name));
		add(builder, figure, "counts",
		    truth(builder, outcome->month_counts[i]));
		add(builder, figure, "median", number(builder, from->median));
		add(builder, figure, "least", number(builder, from->least));
		add(builder, figure, "most", number(builder, from->most));
		add(builder, figure, "within", truth(builder, from->within));
		add(builder, all, NULL, figure);
	}
	return all;
}

static struct json_object *
claim_json(struct builder *builder, const struct lxfw_experiment *experiment,
	     const struct lxfw_claim_result *outcome)
{
	const struct lxfw_claim *claim = outcome->claim;
	struct json_object *result = object(builder);
	struct json_object *conditions = array(builder);
	char line[256];

	add(builder, result, "claim", text(builder, claim->key));
	add(builder, result, "section", text(builder, claim->section));
	add(builder, result, "text", text(builder, claim->text));
	lxfw_claim_result_text(outcome, line, sizeof(line));
	add(builder, result, "verdict", text(builder, line));
	add(builder, result, "holds", truth(builder, outcome->confirmed));
	add(builder, result, "months_held", whole(builder, outcome->holds));
	add(builder, result, "months", whole(builder, outcome->of));
	add(builder, result, "months_needed", whole(builder, outcome->needed));
	add(builder, result, "cases", truth(builder, claim->most_cases));
	add(builder, result, "seeds_held",
	    whole(builder, outcome->seeds_confirmed));
	add(builder, result, "seeds_months_held",
	    whole(builder, outcome->seeds_holds));
	add(builder, result, "seeds_months", whole(builder, outcome->seeds_of));
	for (int i = 0; i < claim->condition_count; i++) {
		const struct lxfw_condition *from = &claim->conditions[i];
		struct json_object *condition = object(builder);

		lxfw_condition_text(claim, from, line, sizeof(line));
		add(builder, condition, "figure", text(builder, line));
		add(builder, condition, "at_least", number(builder, from->low));
		add(builder, condition, "at_most", number(builder, from->high));
		add(builder, condition, "figures",
		    figures(builder, experiment, outcome, i));
		add(builder, conditions, NULL, condition);
	}
	add(builder, result, "conditions", conditions);
	return result;
}

int lxfw_experiment_json(const struct lxfw_experiment *experiment,
		       const struct lxfw_claim_result *outcomes, int count,
		       enum lxfw_format format, FILE *out)
{
	struct builder builder = { 0 };
	struct json_object *top = object(&builder);
	struct json_object *claims = array(&builder);

	add(&builder, top, "workload", text(&builder, experiment->workload));
	add(&builder, top, "seeds", whole(&builder, experiment->seeds));
	if (experiment->synthetic)
		add(&builder, top, "first_seed", whole(&builder,
			(int64_t)experiment->first_seed));
	add(&builder, top, "results", results(&builder, experiment));
	for (int i = 0; i < count; i++)
		add(&builder, claims, NULL,
		    claim_json(&builder, experiment, &outcomes[i]));
	add(&builder, top, "claims", claims);
	if (builder.failed) {
		json_object_put(top);
		top = NULL;
	}
	return lxfw_json_out(top, format, out);
}
