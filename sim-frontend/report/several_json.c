/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <json-c/json.h>
#include <math.h>

#include "sim-frontend/report/several.h"
#include "sim-frontend/util/json_out.h"

/* Adds a number; unknown ones are omitted. */
static void put_number(struct json_object *object, const char *key, double value,
		       bool *failed)
{
	char text[32];

	if (!isnan(value))
		lxfw_json_put(object, key, json_object_new_double_s(value,
			      lxfw_format_double(value, text, sizeof(text))), failed);
}

static void put_whole(struct json_object *object, const char *key, int64_t value,
		      bool *failed)
{
	lxfw_json_put(object, key, json_object_new_int64(value), failed);
}

static void put_range(struct json_object *object, const char *const keys[3],
		      const struct lxfw_contest_range *range, bool *failed)
{
	put_number(object, keys[0], range->mean, failed);
	put_number(object, keys[1], range->low, failed);
	put_number(object, keys[2], range->high, failed);
}

static struct json_object *figure_json(const struct lxfw_several_figure *figure,
				       bool *failed)
{
	static const char *const shaken[] = {
		"shaken_mean", "shaken_low", "shaken_high",
	};
	static const char *const change[] = {
		"shaken_change_percent", "shaken_change_low_percent",
		"shaken_change_high_percent",
	};
	struct json_object *object = json_object_new_object();

	if (figure->item.kind == LXFW_ITEM_WHOLE)
		put_whole(object, "value", figure->item.whole, failed);
	else
		put_number(object, "value", figure->item.fraction, failed);
	put_number(object, "difference", figure->difference, failed);
	put_number(object, "change_percent", figure->change, failed);
	put_number(object, "low_percent", figure->low, failed);
	put_number(object, "high_percent", figure->high, failed);
	put_range(object, shaken, &figure->shaken, failed);
	put_range(object, change, &figure->shaken_change, failed);
	return object;
}

static struct json_object *contender_json(const struct lxfw_several *several,
					  size_t who, bool *failed)
{
	const struct lxfw_contestant *of = &several->contest->contestants[who];
	struct json_object *object = json_object_new_object();
	struct json_object *figures = json_object_new_object();

	lxfw_json_put(object, "contender", json_object_new_string(of->name), failed);
	lxfw_json_put(object, "policy", json_object_new_string(
			lxfw_policy_name(of->options.params.policy)), failed);
	for (int i = 0; i < several->each; i++) {
		const struct lxfw_several_figure *figure =
			lxfw_several_at(several, who, i);

		if (figure->item.kind != LXFW_ITEM_NAME)
			lxfw_json_put(figures, figure->item.key,
				      figure_json(figure, failed), failed);
	}
	lxfw_json_put(object, "figures", figures, failed);
	return object;
}

static void put_shake(struct json_object *object,
		      const struct lxfw_contest *contest, bool *failed)
{
	put_whole(object, "copies", (int64_t)contest->copies, failed);
	if (contest->copies == 0)
		return;
	put_whole(object, "shake_seed", (int64_t)contest->shake.seed, failed);
	put_whole(object, "shake_arrivals_s", contest->shake.arrivals, failed);
	put_number(object, "shake_runs", contest->shake.runs, failed);
}

int lxfw_several_json(const struct lxfw_several *several, FILE *out)
{
	const struct lxfw_contest *contest = several->contest;
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();
	bool failed = !list;

	put_whole(object, "periods", contest->weeks, &failed);
	put_whole(object, "period_s", contest->period, &failed);
	put_shake(object, contest, &failed);
	for (size_t i = 0; i < contest->count && !failed; i++)
		lxfw_json_append(list, contender_json(several, i, &failed),
				 &failed);
	lxfw_json_put(object, "contenders", list, &failed);
	if (failed) {
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, LXFW_FORMAT_JSON, out);
}
