/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/status.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "sim-frontend/util/json_out.h"

static double value(const struct lxfw_samples *samples, const char *name)
{
	return lxfw_sample_value(samples, name, "");
}

static double part(const struct lxfw_samples *samples, const char *name)
{
	return 1e3 * lxfw_sample_value(samples, "lxfw_last_pass_seconds", name);
}

/* Prints all samples of a name: "12 reserved, 3 backfilled", without those that are 0. */
static void put_list(const struct lxfw_samples *samples, const char *name, FILE *out)
{
	const char *between = "";
	double sum = 0;

	for (size_t i = 0; i < samples->count; i++) {
		const struct lxfw_sample *sample = &samples->samples[i];

		if (strcmp(sample->name, name) == 0)
			sum += sample->value;
	}
	fprintf(out, "%.0f", sum);
	if (sum > 0)
		fputs(": ", out);
	for (size_t i = 0; i < samples->count; i++) {
		const struct lxfw_sample *sample = &samples->samples[i];

		if (strcmp(sample->name, name) != 0 || sample->value == 0)
			continue;
		fprintf(out, "%s%.0f ", between, sample->value);
		for (const char *at = sample->label; *at; at++)
			fputc(*at == '_' ? ' ' : *at, out);
		between = ", ";
	}
	fputc('\n', out);
}

/* The label of the sample of NAME whose value is 1. */
static const char *chosen(const struct lxfw_samples *samples, const char *name)
{
	for (size_t i = 0; i < samples->count; i++) {
		if (strcmp(samples->samples[i].name, name) == 0 &&
		    samples->samples[i].value == 1)
			return samples->samples[i].label;
	}
	return "unknown";
}

static void put_last_pass(const struct lxfw_samples *samples, int64_t now, FILE *out)
{
	int64_t last = (int64_t)value(samples, "lxfw_last_pass_timestamp_seconds");
	time_t time = (time_t)last;
	char date[32] = "";
	struct tm tm;

	if (last == 0) {
		fputs("last pass          none\n", out);
		return;
	}
	if (localtime_r(&time, &tm))
		strftime(date, sizeof(date), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(out, "last pass          %s, %" PRId64 " s ago: %s\n", date, now - last,
		chosen(samples, "lxfw_last_pass_end"));
	fprintf(out, "  its parts        look %.1f ms and act %.1f ms under locks, decide %.1f ms\n",
		part(samples, "look"), part(samples, "act"), part(samples, "decide"));
}

static void put_forecast(const struct lxfw_samples *samples, FILE *out)
{
	double count = value(samples, "lxfw_forecast_error_seconds_count");
	double minute = lxfw_sample_value(samples, "lxfw_forecast_error_seconds_bucket",
					  "60.0");
	double ten = lxfw_sample_value(samples, "lxfw_forecast_error_seconds_bucket",
				       "600.0");

	fputs("first forecasts    ", out);
	if (count == 0)
		fputs("none of a job that started\n", out);
	else
		fprintf(out, "%.0f %% within 1 minute, %.0f %% within 10, of %.0f jobs; mean error %.0f s\n",
			100 * minute / count, 100 * ten / count, count,
			value(samples, "lxfw_forecast_error_seconds_sum") / count);
}

const char *lxfw_status_let_go(const struct lxfw_samples *samples)
{
	if (lxfw_sample_value(samples, "lxfw_let_go", "stalled") != 0)
		return "the plugin's thread stalls";
	if (lxfw_sample_value(samples, "lxfw_let_go", "ended") != 0)
		return "the plugin's thread has ended";
	return NULL;
}

bool lxfw_status_late(int64_t last, int64_t now)
{
	return now - last > LXFW_STATUS_LATE || last - now > LXFW_STATUS_LATE;
}

static void warn(int64_t last, int64_t now, FILE *out)
{
	if (last > now)
		fprintf(out, "  WARNING          the last pass is %" PRId64 " s in the future: the clock was set back; whether the scheduler works is unknown\n",
			last - now);
	else
		fprintf(out, "  WARNING          no pass for %" PRId64 " s: the controller does not run, or the scheduler hangs\n",
			now - last);
}

void lxfw_status_text(const struct lxfw_samples *samples, int64_t now, FILE *out)
{
	int64_t last = (int64_t)value(samples, "lxfw_last_pass_timestamp_seconds");

	if (lxfw_status_let_go(samples))
		fprintf(out, "LET GO             %s: Slurm's sched/backfill schedules; see sched_lxfw(8), Stall of the plugin\n",
			lxfw_status_let_go(samples));
	if (value(samples, "lxfw_shadow") != 0)
		fputs("SHADOW             Slurm schedules; the decisions below are only recorded (lxfw_shadow)\n",
		      out);
	fprintf(out, "policy             %s\n", chosen(samples, "lxfw_policy_info"));
	put_last_pass(samples, now, out);
	if (last && lxfw_status_late(last, now))
		warn(last, now, out);
	fputs("passes             ", out);
	put_list(samples, "lxfw_passes_total", out);
	fprintf(out, "longest lock       %.1f ms\n",
		1e3 * value(samples, "lxfw_longest_lock_seconds"));
	fprintf(out, "running jobs       %.0f\n", value(samples, "lxfw_running_jobs"));
	fputs("waiting jobs       ", out);
	put_list(samples, "lxfw_waiting_jobs", out);
	fprintf(out, "  for an hour      %.0f, for a day %.0f, for a week %.0f\n",
		lxfw_sample_value(samples, "lxfw_waiting_jobs_by_age", "3600"),
		lxfw_sample_value(samples, "lxfw_waiting_jobs_by_age", "86400"),
		lxfw_sample_value(samples, "lxfw_waiting_jobs_by_age", "604800"));
	fputs("not eligible       ", out);
	put_list(samples, "lxfw_not_eligible_jobs", out);
	fputs("left to start      ", out);
	put_list(samples, "lxfw_left_jobs", out);
	fputs("started            ", out);
	put_list(samples, "lxfw_starts_total", out);
	fputs("refused            ", out);
	put_list(samples, "lxfw_refusals_total", out);
	fprintf(out, "reservations       %.0f kept, %.0f late, %.0f times moved to a later time\n",
		value(samples, "lxfw_reservations_kept_total"),
		value(samples, "lxfw_reservations_late_total"),
		value(samples, "lxfw_reservations_postponed_total"));
	fprintf(out, "preemption         %.0f suspensions, %.0f resumptions, %.0f requeues (%.1f processor-hours lost)\n",
		value(samples, "lxfw_suspensions_total"),
		value(samples, "lxfw_resumptions_total"),
		value(samples, "lxfw_requeues_total"),
		value(samples, "lxfw_lost_processor_seconds_total") / 3600);
	put_forecast(samples, out);
	fprintf(out, "journal            %.1f MB\n",
		value(samples, "lxfw_journal_bytes") / 1e6);
}

int lxfw_status_json(const struct lxfw_samples *samples, int64_t now,
		     enum lxfw_format format, FILE *out)
{
	struct json_object *result = json_object_new_object();
	struct json_object *list = json_object_new_array();
	int64_t last = (int64_t)value(samples, "lxfw_last_pass_timestamp_seconds");
	bool failed = !result || !list;

	lxfw_json_put(result, "age_s", json_object_new_int64(now - last), &failed);
	lxfw_json_put(result, "late",
		      json_object_new_boolean(lxfw_status_late(last, now)), &failed);
	lxfw_json_put(result, "let_go",
		      json_object_new_boolean(lxfw_status_let_go(samples) != NULL), &failed);
	for (size_t i = 0; i < samples->count; i++) {
		const struct lxfw_sample *sample = &samples->samples[i];
		struct json_object *item = json_object_new_object();

		lxfw_json_put(item, "name", json_object_new_string(sample->name), &failed);
		lxfw_json_put(item, "label", json_object_new_string(sample->label), &failed);
		lxfw_json_put(item, "value", json_object_new_double(sample->value), &failed);
		lxfw_json_append(list, item, &failed);
	}
	lxfw_json_put(result, "samples", list, &failed);
	if (failed) {
		json_object_put(result);
		result = NULL;
	}
	return lxfw_json_out(result, format, out);
}
