/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/report.h"

#include <json-c/json.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/metrics/table.h"
#include "sim-frontend/util/json_out.h"

/* Adds the figures of one kind of jobs, whose keys begin with its name. */
static int add_kind(const struct lxfw_metrics *m, const char *const keys[6],
		    const char *label, struct lxfw_report_item *items)
{
	const struct lxfw_report_item all[] = {
		{ keys[0], label, "", LXFW_ITEM_WHOLE, NULL, (int64_t)m->jobs, 0 },
		{ keys[1], "  mean wait", "s", LXFW_ITEM_FRACTION, NULL, 0,
		  m->mean_wait },
		{ keys[2], "  median wait", "s", LXFW_ITEM_WHOLE, NULL, m->median_wait,
		  0 },
		{ keys[3], "  95th percentile wait", "s", LXFW_ITEM_WHOLE, NULL,
		  m->p95_wait, 0 },
		{ keys[4], "  maximum wait", "s", LXFW_ITEM_WHOLE, NULL, m->max_wait, 0 },
		{ keys[5], "  mean bounded slowdown", "", LXFW_ITEM_FRACTION, NULL, 0,
		  m->mean_bounded_slowdown },
	};

	memcpy(items, all, sizeof(all));
	return (int)(sizeof(all) / sizeof(*all));
}

static int add_kinds(const struct lxfw_report *report, struct lxfw_report_item *items)
{
#define KIND(name) { name "_jobs", name "_mean_wait_s", name "_median_wait_s", \
		     name "_p95_wait_s", name "_max_wait_s", \
		     name "_mean_bounded_slowdown" }
	static const char *const rigid[] = KIND("rigid");
	static const char *const adaptive[] = KIND("adaptive");
#undef KIND
	int count = add_kind(&report->kinds[0], rigid, "rigid jobs", items);

	count += add_kind(&report->kinds[1], adaptive, "adaptive jobs",
			  items + count);
	items[count++] = (struct lxfw_report_item) {
		"adaptive_cut_off", "  ended before completion", "", LXFW_ITEM_WHOLE, NULL,
		(int64_t)report->cut_off, 0,
	};
	return count;
}

/* Adds the figures of --fairness. */
static int add_fairness(const struct lxfw_fairness *fairness,
			struct lxfw_report_item *items)
{
	const struct lxfw_report_item all[] = {
		{ "users", "users", "", LXFW_ITEM_WHOLE, NULL,
		  (int64_t)fairness->user_count, 0 },
		{ "users_mean_bounded_slowdown", "  mean bounded slowdown", "",
		  LXFW_ITEM_FRACTION, NULL, 0, fairness->users_mean },
		{ "worst_user", "  worst user", "", LXFW_ITEM_WHOLE, NULL,
		  fairness->worst, 0 },
		{ "worst_user_mean_bounded_slowdown", "    bounded slowdown", "",
		  LXFW_ITEM_FRACTION, NULL, 0, fairness->worst_mean },
		{ "jain_index", "  Jain's index", "", LXFW_ITEM_FRACTION, NULL, 0,
		  fairness->jain },
		{ "late_share", "started after fair start", "",
		  LXFW_ITEM_FRACTION, NULL, 0, fairness->late },
		{ "mean_miss_s", "  by, mean of all jobs", "s",
		  LXFW_ITEM_FRACTION, NULL, 0, fairness->mean_miss },
		{ "max_miss_s", "  by, maximum", "s", LXFW_ITEM_WHOLE, NULL,
		  fairness->max_miss, 0 },
	};

	memcpy(items, all, sizeof(all));
	return (int)(sizeof(all) / sizeof(*all));
}

/* Adds an error or a share. */
static void add_fraction(const char *key, const char *label, double value,
			 struct lxfw_report_item *items, int *count)
{
	items[(*count)++] = (struct lxfw_report_item) {
		key, label, "", LXFW_ITEM_FRACTION, NULL, 0, value,
	};
}

int lxfw_report_accuracy(const struct lxfw_accuracy *accuracy,
			  struct lxfw_report_item items[LXFW_ACCURACY_ITEMS])
{
	static const struct { const char *jobs, *error, *label; }
	classes[LXFW_ACCURACY_CLASSES] = {
		{ "class_0_jobs", "class_0_median_error", "  class of 0 jobs" },
		{ "class_1_to_3_jobs", "class_1_to_3_median_error", "  1 to 3 jobs" },
		{ "class_4_to_15_jobs", "class_4_to_15_median_error", "  4 to 15 jobs" },
		{ "class_16_jobs", "class_16_median_error", "  16 jobs or more" },
	};
	int count = 0;

	items[count++] = (struct lxfw_report_item) {
		"estimated_jobs", "estimated jobs", "", LXFW_ITEM_WHOLE, NULL,
		(int64_t)accuracy->jobs, 0,
	};
	add_fraction("estimate_median_error", "  median error", accuracy->estimates.median,
		     items, &count);
	add_fraction("estimate_p90_error", "  90th percentile", accuracy->estimates.p90,
		     items, &count);
	add_fraction("estimate_under_share", "  underestimated",
		     accuracy->estimates.under, items, &count);
	add_fraction("limit_median_error", "requested, median error",
		     accuracy->limits.median, items, &count);
	add_fraction("limit_p90_error", "  90th percentile", accuracy->limits.p90, items,
		     &count);
	add_fraction("limit_under_share", "  underestimated", accuracy->limits.under,
		     items, &count);
	add_fraction("class_spread", "spread of classes", accuracy->spread, items, &count);
	for (int i = 0; i < LXFW_ACCURACY_CLASSES; i++) {
		items[count++] = (struct lxfw_report_item) {
			classes[i].jobs, classes[i].label, "", LXFW_ITEM_WHOLE, NULL,
			(int64_t)accuracy->classes[i].jobs, 0,
		};
		add_fraction(classes[i].error, "    median error",
			     accuracy->classes[i].median, items, &count);
	}
	return count;
}

static struct lxfw_report_item item_of(enum lxfw_tune_measure measure,
				       const struct lxfw_metrics *metrics)
{
	const struct lxfw_metric *metric = lxfw_metric(measure);
	double value = lxfw_tune_value(metrics, measure);

	return (struct lxfw_report_item) {
		.key = metric->key, .label = metric->label, .unit = metric->unit,
		.kind = metric->integer ? LXFW_ITEM_WHOLE : LXFW_ITEM_FRACTION,
		.whole = metric->integer ? (int64_t)value : 0,
		.fraction = metric->integer ? 0 : value,
	};
}

int lxfw_report_items(const struct lxfw_report *report,
		      struct lxfw_report_item items[LXFW_REPORT_ITEMS])
{
	const struct lxfw_metrics *m = &report->metrics;
	int count = 0;

	items[count++] = (struct lxfw_report_item) {
		"policy", "policy", "", LXFW_ITEM_NAME, report->policy, 0, 0,
	};
	items[count++] = (struct lxfw_report_item) {
		"jobs", "jobs", "", LXFW_ITEM_WHOLE, NULL, (int64_t)m->jobs, 0,
	};
	items[count++] = (struct lxfw_report_item) {
		"events", "events", "", LXFW_ITEM_WHOLE, NULL,
		(int64_t)report->events, 0,
	};
	for (int i = 0; i < LXFW_TUNE_MEASURES; i++)
		items[count++] = item_of((enum lxfw_tune_measure)i, m);
	if (report->mixed)
		count += add_kinds(report, items + count);
	if (report->fairness)
		count += add_fairness(report->fairness, items + count);
	if (report->accuracy)
		count += lxfw_report_accuracy(report->accuracy, items + count);
	if (report->feedback)
		items[count++] = (struct lxfw_report_item) {
			"feedback_jobs", "submitted after others", "", LXFW_ITEM_WHOLE, NULL,
			(int64_t)report->feedback->followers, 0,
		};
	if (report->wall >= 0)
		items[count++] = (struct lxfw_report_item) {
			"wall_s", "time to simulate", "s", LXFW_ITEM_FRACTION,
			NULL, 0, report->wall,
		};
	return count;
}

double lxfw_report_item_value(const struct lxfw_report_item *item)
{
	return item->kind == LXFW_ITEM_WHOLE ? (double)item->whole :
	       item->kind == LXFW_ITEM_FRACTION ? item->fraction : 0;
}

static struct json_object *item_json(const struct lxfw_report_item *item)
{
	char text[32];

	switch (item->kind) {
	case LXFW_ITEM_NAME:
		return json_object_new_string(item->name);
	case LXFW_ITEM_WHOLE:
		return json_object_new_int64(item->whole);
	case LXFW_ITEM_FRACTION:
		break;
	}
	return json_object_new_double_s(item->fraction,
		lxfw_format_double(item->fraction, text, sizeof(text)));
}

static int print_json(const struct lxfw_report_item *items, int count, FILE *out)
{
	struct json_object *object = json_object_new_object();

	for (int i = 0; i < count && object; i++) {
		struct json_object *value = item_json(&items[i]);

		if (value && json_object_object_add(object, items[i].key,
						    value) == 0)
			continue;
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, LXFW_FORMAT_JSON, out);
}

static void print_csv(const struct lxfw_report_item *items, int count, FILE *out)
{
	char text[32];

	for (int i = 0; i < count; i++)
		fprintf(out, "%s%s", i ? "," : "", items[i].key);
	putc('\n', out);
	for (int i = 0; i < count; i++) {
		if (i)
			putc(',', out);
		if (items[i].kind == LXFW_ITEM_NAME)
			fputs(items[i].name, out);
		else if (items[i].kind == LXFW_ITEM_WHOLE)
			fprintf(out, "%lld", (long long)items[i].whole);
		else
			fputs(lxfw_format_double(items[i].fraction, text,
						 sizeof(text)), out);
	}
	putc('\n', out);
}

static void print_table(const struct lxfw_report_item *items, int count, FILE *out)
{
	for (int i = 0; i < count; i++) {
		fprintf(out, "%-26s", items[i].label);
		if (items[i].kind == LXFW_ITEM_NAME)
			fprintf(out, "%16s", items[i].name);
		else if (items[i].kind == LXFW_ITEM_WHOLE)
			fprintf(out, "%16lld", (long long)items[i].whole);
		else
			fprintf(out, "%16.3f", items[i].fraction);
		fprintf(out, "%s%s\n", *items[i].unit ? " " : "",
			items[i].unit);
	}
}

int lxfw_report_print(const struct lxfw_report *report, enum lxfw_format format,
		      FILE *out)
{
	struct lxfw_report_item items[LXFW_REPORT_ITEMS];
	int count = lxfw_report_items(report, items);

	if (format == LXFW_FORMAT_JSON)
		return print_json(items, count, out);
	if (format == LXFW_FORMAT_CSV)
		print_csv(items, count, out);
	else
		print_table(items, count, out);
	return 0;
}
