/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/several.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/metrics/resample.h"

/* Returns whether changes have an interval by week. A maximum, which depends on one
   job, has none. */
static bool has_interval(enum lxfw_tune_measure measure)
{
	return lxfw_metric_of_jobs(measure) &&
	       lxfw_metric(measure)->kind != LXFW_METRIC_MOST;
}

/* Excludes numbers for which neither larger nor smaller is better. */
static bool is_compared(const struct lxfw_report_item *item)
{
	static const char *const others[] = {
		"jobs", "events", "feedback_jobs", "rigid_jobs", "adaptive_jobs", "users",
		"worst_user", "wall_s",
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		if (strcmp(item->key, others[i]) == 0)
			return false;
	}
	return item->kind != LXFW_ITEM_NAME;
}

static double per_cent(double value, double of)
{
	return of != 0 ? 100 * (value - of) / of : NAN;
}

void lxfw_several_report(const struct lxfw_contest *contest, size_t who,
			 struct lxfw_report *report)
{
	const struct lxfw_contestant *contestant = &contest->contestants[who];

	*report = (struct lxfw_report) {
		.policy = lxfw_policy_name(contestant->options.params.policy),
		.events = contestant->sim.result.events,
		.metrics = contestant->metrics,
		.mixed = contestant->options.mixed,
		.kinds = { contestant->kinds[0], contestant->kinds[1] },
		.cut_off = contestant->sim.cut_off,
		.feedback = contestant->options.feedback,
		.fairness = contest->want_fairness ? &contestant->fairness : NULL,
		.accuracy = contestant->options.learned ? &contestant->accuracy : NULL,
		.wall = -1,
	};
}

static int add_interval(const struct lxfw_contest *contest, size_t who,
			struct lxfw_several_figure *figure)
{
	double low, high;

	for (int i = 0; i < LXFW_TUNE_MEASURES; i++) {
		enum lxfw_tune_measure measure = (enum lxfw_tune_measure)i;
		int none;

		if (!has_interval(measure) ||
		    strcmp(figure->item.key, lxfw_metric(measure)->key) != 0)
			continue;
		none = lxfw_contest_interval(contest, who, measure, &low, &high);
		if (none == 0) {
			figure->low = 100 * low;
			figure->high = 100 * high;
		}
		return none < 0 ? -1 : 0;
	}
	return 0;
}

/* Returns the value of a figure on a copy, NAN if copies do not have it. */
static double of_copy(const struct lxfw_contest *contest, size_t who, size_t copy,
		      int figure)
{
	const struct lxfw_report report = {
		.policy = "", .metrics = contest->contestants[who].copies[copy],
		.wall = -1,
	};
	struct lxfw_report_item items[LXFW_REPORT_ITEMS];

	return figure < lxfw_report_items(&report, items) ?
	       lxfw_report_item_value(&items[figure]) : NAN;
}

static const struct lxfw_contest_range unknown = { NAN, NAN, NAN };

static int add_shaken(const struct lxfw_contest *contest, size_t who, int index,
		      struct lxfw_several_figure *figure)
{
	double *values = malloc((contest->copies + 1) * sizeof(*values));
	double *changes = malloc((contest->copies + 1) * sizeof(*changes));
	int result = values && changes ? 0 : -1;
	bool known = contest->copies > 0;

	for (size_t i = 0; result == 0 && i < contest->copies; i++) {
		values[i] = of_copy(contest, who, i, index);
		changes[i] = per_cent(values[i], of_copy(contest, 0, i, index));
		known = known && !isnan(changes[i]);
	}
	if (result == 0 && contest->copies > 0 && !isnan(values[0]))
		figure->shaken = lxfw_contest_range_of(values, contest->copies);
	if (result == 0 && known && who > 0)
		figure->shaken_change = lxfw_contest_range_of(changes,
							      contest->copies);
	free(values);
	free(changes);
	return result;
}

static int make_one(struct lxfw_several *several, size_t who)
{
	const struct lxfw_contest *contest = several->contest;
	struct lxfw_report_item items[LXFW_REPORT_ITEMS];
	struct lxfw_report report;

	lxfw_several_report(contest, who, &report);
	lxfw_report_items(&report, items);
	for (int i = 0; i < several->each; i++) {
		struct lxfw_several_figure *figure =
			&several->figures[who * (size_t)several->each + (size_t)i];
		double value = lxfw_report_item_value(&items[i]), first;

		*figure = (struct lxfw_several_figure) {
			.item = items[i], .compared = is_compared(&items[i]),
			.difference = NAN, .change = NAN, .low = NAN, .high = NAN,
			.shaken = unknown, .shaken_change = unknown,
		};
		if (!figure->compared)
			continue;
		if (add_shaken(contest, who, i, figure))
			return -1;
		if (who == 0)
			continue;
		first = lxfw_report_item_value(&lxfw_several_at(several, 0,
								i)->item);
		figure->difference = value - first;
		figure->change = per_cent(value, first);
		if (add_interval(contest, who, figure))
			return -1;
	}
	return 0;
}

int lxfw_several_make(struct lxfw_several *several,
		      const struct lxfw_contest *contest)
{
	struct lxfw_report_item items[LXFW_REPORT_ITEMS];
	struct lxfw_report report;
	int result = 0;

	lxfw_several_report(contest, 0, &report);
	*several = (struct lxfw_several) {
		.contest = contest, .each = lxfw_report_items(&report, items),
	};
	several->figures = calloc(contest->count * (size_t)several->each,
				  sizeof(*several->figures));
	if (!several->figures)
		result = -1;
	for (size_t i = 0; i < contest->count && result == 0; i++)
		result = make_one(several, i);
	if (result)
		errno = ENOMEM;
	return result;
}

void lxfw_several_clear(struct lxfw_several *several)
{
	free(several->figures);
	several->figures = NULL;
}
