/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints a comparison as JSON: the contents of the text, with all rows. */
#include <json-c/json.h>
#include <math.h>

#include "sim-frontend/report/comparison.h"
#include "sim-frontend/report/verdict_text.h"
#include "sim-frontend/util/json_out.h"

/* `failed` is set when memory runs out; later additions are then ignored. */
struct builder {
	bool failed;
};

static void add(struct builder *builder, struct json_object *to,
		const char *key, struct json_object *value)
{
	lxfw_json_put(to, key, value, &builder->failed);
}

static struct json_object *append(struct builder *builder,
				  struct json_object *to)
{
	struct json_object *object = json_object_new_object();

	lxfw_json_append(to, object, &builder->failed);
	return builder->failed ? NULL : object;
}

static struct json_object *add_new(struct builder *builder,
				   struct json_object *to, const char *key,
				   struct json_object *value)
{
	lxfw_json_put(to, key, value, &builder->failed);
	return builder->failed ? NULL : value;
}

/* JSON has no infinity, which occurs if all measured waits are 0. */
static void add_number(struct builder *builder, struct json_object *to,
		       const char *key, double value)
{
	char text[32];

	if (!isfinite(value)) {
		if (!to || json_object_object_add(to, key, NULL))
			builder->failed = true;
		return;
	}
	add(builder, to, key, json_object_new_double_s(value,
			lxfw_format_double(value, text, sizeof(text))));
}

static void add_whole(struct builder *builder, struct json_object *to,
		      const char *key, int64_t value)
{
	add(builder, to, key, json_object_new_int64(value));
}

static void add_text(struct builder *builder, struct json_object *to,
		     const char *key, const char *value)
{
	add(builder, to, key, json_object_new_string(value));
}

/* The first COUNT figures. */
static void add_ranges(struct builder *builder, struct json_object *to,
		       const struct lxfw_shaken_range *ranges, int count)
{
	struct json_object *all = add_new(builder, to, "simulated_ranges",
					  json_object_new_object());

	for (int i = 0; i < count; i++) {
		struct json_object *one = add_new(builder, all,
			lxfw_comparison_figure_key((enum lxfw_comparison_figure)i),
			json_object_new_object());

		add_number(builder, one, "low", ranges[i].low);
		add_number(builder, one, "high", ranges[i].high);
	}
}

static void add_waits(struct builder *builder, struct json_object *to,
		      const struct lxfw_comparison_report *report)
{
	const struct lxfw_waits *m = &report->measured, *s = &report->simulated;
	const struct lxfw_shaken_range *range = &report->ranges[LXFW_FIGURE_MEAN];

	add_number(builder, to, "measured_mean_wait_s", m->mean);
	add_whole(builder, to, "measured_median_wait_s", m->median);
	add_whole(builder, to, "measured_p95_wait_s", m->p95);
	add_whole(builder, to, "measured_max_wait_s", m->max);
	add_number(builder, to, "simulated_mean_wait_s", s->mean);
	if (range->copies > 0) {
		add_number(builder, to, "simulated_mean_low_s", range->low);
		add_number(builder, to, "simulated_mean_high_s", range->high);
	}
	add_whole(builder, to, "simulated_copies", range->copies);
	if (range->copies > 0)
		add_ranges(builder, to, report->ranges, LXFW_FIGURES);
	add_whole(builder, to, "simulated_median_wait_s", s->median);
	add_whole(builder, to, "simulated_p95_wait_s", s->p95);
	add_whole(builder, to, "simulated_max_wait_s", s->max);
	add_number(builder, to, "mean_difference_percent",
		   report->mean_difference);
	add_number(builder, to, "mean_absolute_difference_s",
		   report->mean_absolute);
	add_whole(builder, to, "equal_starts", (int64_t)report->equal);
}

static void add_side(struct builder *builder, struct json_object *to,
		     const char *key, const struct lxfw_metrics *metrics)
{
	struct json_object *side = add_new(builder, to, key,
					   json_object_new_object());

	add_number(builder, side, "mean_wait_s", metrics->mean_wait);
	add_whole(builder, side, "median_wait_s", metrics->median_wait);
	add_whole(builder, side, "p95_wait_s", metrics->p95_wait);
	add_whole(builder, side, "max_wait_s", metrics->max_wait);
	add_number(builder, side, "mean_slowdown", metrics->mean_slowdown);
	add_number(builder, side, "mean_bounded_slowdown",
		   metrics->mean_bounded_slowdown);
}

static void add_rows(struct builder *builder, struct json_object *to,
		     const struct lxfw_comparison_rows *rows, bool weeks)
{
	struct json_object *list = add_new(builder, to, rows->key,
					   json_object_new_array());

	for (size_t i = 0; i < rows->count; i++) {
		const struct lxfw_comparison_row *row = &rows->rows[i];
		struct json_object *object = append(builder, list);

		add_text(builder, object, "name", row->key);
		if (weeks)
			add_whole(builder, object, "begin_s", row->begin);
		add_whole(builder, object, "jobs",
			  (int64_t)row->side[LXFW_MEASURED].jobs);
		add_number(builder, object, "proc_seconds", row->proc_seconds);
		add_side(builder, object, "measured", &row->side[LXFW_MEASURED]);
		add_side(builder, object, "simulated",
			 &row->side[LXFW_SIMULATED]);
		if (row->ranges[LXFW_FIGURE_MEAN].copies > 0)
			add_ranges(builder, object, row->ranges, LXFW_ROW_FIGURES);
	}
}

static void add_usage(struct builder *builder, struct json_object *to,
		      const struct lxfw_comparison_report *report)
{
	struct json_object *usage = add_new(builder, to, "usage",
					    json_object_new_object());
	struct json_object *list;

	add_whole(builder, usage, "span_s", report->usage_width);
	list = add_new(builder, usage, "spans", json_object_new_array());
	for (size_t i = 0; i < report->usage_count; i++) {
		struct json_object *object = append(builder, list);

		add_whole(builder, object, "begin_s", report->usage[i].begin);
		add_number(builder, object, "measured",
			   report->usage[i].side[LXFW_MEASURED]);
		add_number(builder, object, "simulated",
			   report->usage[i].side[LXFW_SIMULATED]);
	}
}

static void add_parts(struct builder *builder, struct json_object *to,
		      const struct lxfw_comparison_report *report)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];
	struct json_object *parts = add_new(builder, to, "wait_parts",
					    json_object_new_object());

	for (int i = 0; i < LXFW_WAIT_PARTS; i++) {
		enum lxfw_wait_part part = (enum lxfw_wait_part)i;
		struct json_object *object = add_new(builder, parts,
			lxfw_wait_part_key(part), json_object_new_object());

		add_number(builder, object, "measured_mean_s",
			   lxfw_comparison_part(report, LXFW_MEASURED, part));
		add_number(builder, object, "simulated_mean_s",
			   lxfw_comparison_part(report, LXFW_SIMULATED, part));
		if (report->part_ranges[part].copies > 0) {
			add_number(builder, object, "simulated_low_mean_s",
				   report->part_ranges[part].low);
			add_number(builder, object, "simulated_high_mean_s",
				   report->part_ranges[part].high);
		}
		add_whole(builder, object, "measured_jobs",
			  (int64_t)m->parts[part].jobs);
	}
	add_number(builder, to, "unexplained_share",
		   lxfw_comparison_unexplained(report));
}

static void add_log(struct builder *builder, struct json_object *to,
		    const struct lxfw_comparison_report *report)
{
	const struct lxfw_unexplained *m = &report->unexplained[LXFW_MEASURED];
	struct json_object *pauses;

	add_whole(builder, to, "pause_count", (int64_t)m->pause_count);
	add_number(builder, to, "pause_s", m->pause_seconds);
	pauses = add_new(builder, to, "pauses", json_object_new_array());
	for (size_t i = 0; i < m->pauses_kept; i++) {
		struct json_object *object = append(builder, pauses);

		add_whole(builder, object, "begin_s", m->pauses[i].begin);
		add_whole(builder, object, "end_s", m->pauses[i].end);
		add_whole(builder, object, "free_procs", m->pauses[i].free);
		add_whole(builder, object, "waiting_jobs", m->pauses[i].waiting);
	}
	add_whole(builder, to, "days", (int64_t)m->days);
	add_whole(builder, to, "level_days", (int64_t)m->level_days);
	add_number(builder, to, "level_proc_s", m->level_proc_seconds);
	add_whole(builder, to, "most_held_procs", m->most_held);
	add_number(builder, to, "over_share", m->over_share);
}

static void add_largest(struct builder *builder, struct json_object *to,
			const struct lxfw_comparison_report *report)
{
	struct json_object *list = add_new(builder, to, "largest_differences",
					   json_object_new_array());

	for (int i = 0; i < report->largest_count; i++) {
		const struct lxfw_recorded_job *job = report->largest[i];
		struct json_object *object = append(builder, list);

		add_whole(builder, object, "job", job->number);
		add_whole(builder, object, "measured_wait_s",
			  job->start - lxfw_recorded_since(job));
		add_whole(builder, object, "simulated_wait_s",
			  job->simulated - lxfw_recorded_since(job));
	}
}

static void add_cdf(struct builder *builder, struct json_object *to,
		    const struct lxfw_comparison_report *report)
{
	struct json_object *list = add_new(builder, to, "wait_distribution",
					   json_object_new_array());

	for (int i = 0; i < LXFW_CDF_POINTS; i++) {
		struct json_object *object = append(builder, list);

		add_number(builder, object, "wait_s", report->cdf[i].wait);
		add_number(builder, object, "measured",
			   report->cdf[i].side[LXFW_MEASURED]);
		add_number(builder, object, "simulated",
			   report->cdf[i].side[LXFW_SIMULATED]);
	}
}

static void add_figures(struct builder *builder, struct json_object *to,
			const struct lxfw_comparison_report *report)
{
	add_whole(builder, to, "procs", report->recorded->procs);
	add_whole(builder, to, "begin_s", report->begin);
	add_whole(builder, to, "last_submit_s", report->last_submit);
	add_whole(builder, to, "end_s", report->end);
	add_side(builder, to, "measured", &report->side[LXFW_MEASURED]);
	add_side(builder, to, "simulated", &report->side[LXFW_SIMULATED]);
	add_number(builder, to, "measured_utilization",
		   report->utilization[LXFW_MEASURED]);
	add_number(builder, to, "simulated_utilization",
		   report->utilization[LXFW_SIMULATED]);
	add_parts(builder, to, report);
	add_log(builder, to, report);
	for (int i = 0; i <= LXFW_BY_WEEK; i++)
		add_rows(builder, to, &report->by[i], i == LXFW_BY_WEEK);
	add_usage(builder, to, report);
	add_cdf(builder, to, report);
	add_largest(builder, to, report);
}

static void add_overhead(struct builder *builder, struct json_object *to,
			 const struct lxfw_overhead *overhead)
{
	const struct lxfw_start_delay *estimate = &overhead->estimate;

	add_whole(builder, to, "start_overhead_s", overhead->start);
	add_whole(builder, to, "start_overhead_jobs", (int64_t)estimate->jobs);
	if (estimate->clean) {
		add_whole(builder, to, "start_overhead_low_s", estimate->low);
		add_whole(builder, to, "start_overhead_high_s", estimate->high);
		add_whole(builder, to, "start_overhead_longest_s",
			  estimate->longest);
	}
}

int lxfw_comparison_print_json(const struct lxfw_comparison_report *report,
			       FILE *out)
{
	struct builder builder = { 0 };
	struct json_object *object = json_object_new_object();

	add(&builder, object, "verdict", lxfw_verdict_json(&report->verdict));
	if (report->verdict_of_recorded)
		add_text(&builder, object, "verdict_of", "recorded parameters");
	add_text(&builder, object, "policy", report->policy);
	if (report->assumed)
		add_text(&builder, object, "assumed", report->assumed);
	add_whole(&builder, object, "jobs", (int64_t)report->jobs);
	add_whole(&builder, object, "not_compared",
		  (int64_t)report->not_compared);
	add_whole(&builder, object, "not_eligible_for_a_time",
		  (int64_t)report->recorded->kept);
	add_whole(&builder, object, "left_to_the_workload_manager",
		  (int64_t)report->recorded->left);
	add_whole(&builder, object, "cancelled_jobs",
		  (int64_t)report->cancelled);
	add_whole(&builder, object, "jobs_without_end", (int64_t)report->no_end);
	add_text(&builder, object, "cancelled",
		 report->recorded->cancelled == LXFW_CANCELLED_UNTIL ?
		 "until-cancelled" : "leave-out");
	add_overhead(&builder, object, &report->overhead);
	add_whole(&builder, object, "end_overhead_s", report->overhead.end);
	add_waits(&builder, object, report);
	if (report->instead)
		add(&builder, object, "instead", lxfw_instead_json(report->instead));
	if (report->inference)
		add(&builder, object, "inferred",
		    lxfw_inference_json(report->inference, report->recorded));
	if (report->side[LXFW_MEASURED].jobs > 0)
		add_figures(&builder, object, report);
	if (builder.failed) {
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, LXFW_FORMAT_JSON, out);
}
