/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/predictions.h"

#include "sim-frontend/util/json_out.h"

/* Names of the predictors in text and in JSON. */
static const struct {
	const char *text, *key;
} names[LXFW_PREDICTORS] = {
	[LXFW_PREDICTOR_FUTURES] = { "futures", "futures" },
	[LXFW_PREDICTOR_LIMITS] = { "limits as run times", "limits" },
	[LXFW_PREDICTOR_LAST] = { "median of the last jobs", "last" },
	[LXFW_PREDICTOR_QBETS] = { "QBETS", "qbets" },
};

/* --- text ------------------------------------------------------------------------- */

static double percent(double share)
{
	return 100 * share;
}

static void errors_text(const char *title, size_t jobs,
			const struct lxfw_errors errors[LXFW_PREDICTORS], FILE *out)
{
	fprintf(out, "\n%-30s   within 1 min  within 10 min  relative error\n", title);
	if (jobs == 0)
		fputs("  none\n", out);
	for (int i = 0; i < LXFW_PREDICTORS && jobs > 0; i++)
		fprintf(out, "  %-28s %12.1f %% %12.1f %% %15.2f\n", names[i].text,
			percent(errors[i].within_1), percent(errors[i].within_10),
			errors[i].relative);
}

static void coverage_text(const char *name, const struct lxfw_coverage *half,
			  const struct lxfw_coverage *most, FILE *out)
{
	char width[32], wide[32];

	fprintf(out, "  %-28s %12.1f %% %12s %12.1f %% %12s\n", name, percent(half->inside),
		lxfw_format_span(half->width, width, sizeof(width)), percent(most->inside),
		lxfw_format_span(most->width, wide, sizeof(wide)));
}

static void coverages_text(const struct lxfw_scores *scores, FILE *out)
{
	fprintf(out, "\n%-30s %14s %12s %14s %12s\n", "intervals of jobs that wait", "50 %",
		"width", "90 %", "width");
	coverage_text("futures, corrected", &scores->calibrated[LXFW_COVERAGE_50],
		      &scores->calibrated[LXFW_COVERAGE_90], out);
	coverage_text("futures, not corrected", &scores->raw[LXFW_COVERAGE_50],
		      &scores->raw[LXFW_COVERAGE_90], out);
	coverage_text("QBETS", &scores->qbets[0], &scores->qbets[1], out);
	fputs("\nnominal coverage     ", out);
	for (int i = 0; i < LXFW_COVERAGES; i++)
		fprintf(out, " %6d", 10 * (i + 1));
	fputs("\nobserved, corrected  ", out);
	for (int i = 0; i < LXFW_COVERAGES; i++)
		fprintf(out, " %6.1f", percent(scores->calibrated[i].inside));
	fputs("\n  not corrected      ", out);
	for (int i = 0; i < LXFW_COVERAGES; i++)
		fprintf(out, " %6.1f", percent(scores->raw[i].inside));
	fputc('\n', out);
}

void lxfw_predictions_text(const struct lxfw_walk *walk, const struct lxfw_scores *scores,
			   FILE *out)
{
	size_t waiting = scores->judged - scores->at_once;

	fprintf(out, "%zu predictions, %s, %d futures each, seed %llu; the first %zu only "
		"calibrate\n", scores->cases, walk->measured ? "waits as measured" :
		"waits as simulated", walk->futures, (unsigned long long)walk->seed,
		scores->cases - scores->judged);
	fprintf(out, "%zu of %zu jobs were expected to start at once; %.1f %% of them did\n",
		scores->at_once, scores->judged, percent(scores->at_once_right));
	if (walk->not_placed > 0)
		fprintf(out, "%.1f running jobs on average had no room beside the others\n",
			(double)walk->not_placed / (double)walk->count);
	errors_text("all jobs", scores->judged, scores->all, out);
	errors_text("jobs not expected at once", waiting, scores->waiting, out);
	if (waiting > 0)
		coverages_text(scores, out);
}

/* --- JSON ------------------------------------------------------------------------- */

static struct json_object *number(double value)
{
	char text[32];

	return json_object_new_double_s(value, lxfw_format_double(value, text,
								   sizeof(text)));
}

static struct json_object *errors_json(const struct lxfw_errors errors[LXFW_PREDICTORS],
				       bool *failed)
{
	struct json_object *all = json_object_new_object();

	for (int i = 0; i < LXFW_PREDICTORS; i++) {
		struct json_object *one = json_object_new_object();

		lxfw_json_put(one, "within_1min", number(errors[i].within_1), failed);
		lxfw_json_put(one, "within_10min", number(errors[i].within_10), failed);
		lxfw_json_put(one, "relative_error", number(errors[i].relative), failed);
		lxfw_json_put(all, names[i].key, one, failed);
	}
	return all;
}

static struct json_object *coverage_json(const struct lxfw_coverage *coverage, double nominal,
					 bool *failed)
{
	struct json_object *one = json_object_new_object();

	lxfw_json_put(one, "nominal", number(nominal), failed);
	lxfw_json_put(one, "inside", number(coverage->inside), failed);
	lxfw_json_put(one, "below", number(coverage->below), failed);
	lxfw_json_put(one, "above", number(coverage->above), failed);
	lxfw_json_put(one, "median_width", number(coverage->width), failed);
	return one;
}

static struct json_object *coverages_json(const struct lxfw_coverage *coverages,
					  bool *failed)
{
	struct json_object *list = json_object_new_array();

	for (int i = 0; i < LXFW_COVERAGES; i++)
		lxfw_json_append(list, coverage_json(&coverages[i], (i + 1) / 10.0, failed),
				 failed);
	return list;
}

int lxfw_predictions_json(const struct lxfw_walk *walk, const struct lxfw_scores *scores,
			  enum lxfw_format format, FILE *out)
{
	struct json_object *top = json_object_new_object();
	struct json_object *qbets = json_object_new_array();
	bool failed = false;

	lxfw_json_put(top, "waits", json_object_new_string(walk->measured ? "measured" :
							    "simulated"), &failed);
	lxfw_json_put(top, "futures", json_object_new_int(walk->futures), &failed);
	lxfw_json_put(top, "seed", json_object_new_int64((int64_t)walk->seed), &failed);
	lxfw_json_put(top, "predictions", json_object_new_int64((int64_t)scores->cases),
		      &failed);
	lxfw_json_put(top, "judged", json_object_new_int64((int64_t)scores->judged), &failed);
	lxfw_json_put(top, "expected_at_once",
		      json_object_new_int64((int64_t)scores->at_once), &failed);
	lxfw_json_put(top, "at_once_right", number(scores->at_once_right), &failed);
	lxfw_json_put(top, "not_placed", json_object_new_int64((int64_t)walk->not_placed),
		      &failed);
	lxfw_json_put(top, "all", errors_json(scores->all, &failed), &failed);
	lxfw_json_put(top, "waiting", errors_json(scores->waiting, &failed), &failed);
	lxfw_json_put(top, "corrected", coverages_json(scores->calibrated, &failed), &failed);
	lxfw_json_put(top, "not_corrected", coverages_json(scores->raw, &failed), &failed);
	lxfw_json_append(qbets, coverage_json(&scores->qbets[0], 0.5, &failed), &failed);
	lxfw_json_append(qbets, coverage_json(&scores->qbets[1], 0.9, &failed), &failed);
	lxfw_json_put(top, "qbets", qbets, &failed);
	if (failed) {
		json_object_put(top);
		top = NULL;
	}
	return lxfw_json_out(top, format, out);
}

/* --- cases ------------------------------------------------------------------------ */

void lxfw_predictions_cases(const struct lxfw_walk *walk, struct lxfw_output *out)
{
	struct lxfw_intervals intervals;

	lxfw_output_text(out, "job,submit,wait,at_once,futures,low50,high50,low90,high90,"
			 "limits,last,qbets,corrected_low50,corrected_high50,corrected_low90,"
			 "corrected_high90\n");
	for (size_t i = 0; i < walk->count; i++) {
		const struct lxfw_case *at = &walk->cases[i];
		const struct lxfw_interval *half, *most;

		lxfw_intervals_of(at->waits, (size_t)walk->futures, walk->horizon,
				  &intervals);
		half = &intervals.of[LXFW_COVERAGE_50];
		most = &intervals.of[LXFW_COVERAGE_90];
		lxfw_output_format(out, "%lld,%lld,%lld,%d,%lld,%.0f,%.0f,%.0f,%.0f",
				   (long long)walk->trace->jobs[at->position].number,
				   (long long)at->submit, (long long)at->wait, at->at_once,
				   (long long)lxfw_expected_wait(walk, at, 0), half->low,
				   half->high, most->low, most->high);
		for (int j = 1; j < LXFW_PREDICTORS; j++)
			lxfw_output_format(out, ",%lld",
					   (long long)lxfw_expected_wait(walk, at, j));
		half = &at->corrected.of[LXFW_COVERAGE_50];
		most = &at->corrected.of[LXFW_COVERAGE_90];
		if (at->is_corrected)
			lxfw_output_format(out, ",%.0f,%.0f,%.0f,%.0f\n", half->low, half->high,
					   most->low, most->high);
		else
			lxfw_output_text(out, ",,,,\n");
	}
}
