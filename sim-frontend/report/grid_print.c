/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>
#include <string.h>

#include "sim-frontend/grid/decisions.h"
#include "sim-frontend/report/grid.h"
#include "sim-frontend/report/report.h"
#include "sim-frontend/util/json_out.h"
#include "sim-frontend/util/letters.h"

/* --- text -------------------------------------------------------------------------------- */

static int width_of(const struct lxfw_sites *sites, int least)
{
	int width = least;

	for (int32_t i = 0; i < sites->count; i++) {
		int length = lxfw_letters_columns(sites->list[i].name);

		width = length > width ? length : width;
	}
	return width;
}

static void put_broker(const struct lxfw_grid_result *result, FILE *out)
{
	const struct lxfw_grid_metrics *metrics = &result->metrics;

	fprintf(out, "%-12s %8zu %12.1f %12.1f %12.1f %8zu %8zu %7.2f %7.4f\n",
		result->broker->name, metrics->all.jobs, metrics->all.mean_wait,
		metrics->all.awrt, metrics->awwt, metrics->moved, metrics->several,
		100 * metrics->several_work, metrics->all.utilization);
}

static void put_sites(const struct lxfw_grid_result *result, FILE *out)
{
	int width = width_of(result->sites, 12);

	fprintf(out, "\n%-*s %8s %7s %9s %12s %12s %9s %9s %11s\n", width, "site", "procs",
		"speed", "submitted", "mean wait", "AWRT", "ran there", "foreign",
		"utilization");
	for (int32_t i = 0; i < result->metrics.site_count; i++) {
		const struct lxfw_site *site = &result->sites->list[i];
		const struct lxfw_site_metrics *metrics = &result->metrics.sites[i];

		fprintf(out, "%-*s %8lld %7.3g %9zu %12.1f %12.1f %9zu %9zu %11.4f\n",
			lxfw_letters_width(site->name, INT_MAX, width), site->name,
			(long long)site->cluster.procs,
			(double)site->speed / LXFW_GRID_SPEED, metrics->submitted,
			metrics->mean_wait, metrics->awrt, metrics->ran, metrics->foreign,
			metrics->utilization);
	}
}

/* How wrong estimates were that are learned. */
static void put_accuracy(const struct lxfw_grid_result *results, size_t count, FILE *out)
{
	fprintf(out, "\n%-12s %8s %8s %8s %8s %10s %8s %8s %8s\n", "estimates", "jobs",
		"median", "90 %", "% under", "requested:", "median", "90 %", "% under");
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_accuracy *accuracy = &results[i].accuracy;

		fprintf(out, "%-12s %8zu %8.3f %8.3f %8.1f %10s %8.3f %8.3f %8.1f\n",
			results[i].broker->name, accuracy->jobs, accuracy->estimates.median,
			accuracy->estimates.p90, 100 * accuracy->estimates.under, "",
			accuracy->limits.median, accuracy->limits.p90,
			100 * accuracy->limits.under);
	}
	fprintf(out, "\n%-12s %8s %8s %8s %8s %8s %8s %8s %8s %8s\n", "by class of", "0 jobs",
		"median", "1 to 3", "median", "4 to 15", "median", "more", "median", "spread");
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_accuracy *accuracy = &results[i].accuracy;

		fprintf(out, "%-12s", results[i].broker->name);
		for (int j = 0; j < LXFW_ACCURACY_CLASSES; j++)
			fprintf(out, " %8zu %8.3f", accuracy->classes[j].jobs,
				accuracy->classes[j].median);
		fprintf(out, " %8.3f\n", accuracy->spread);
	}
	fputs("\nmedian, 90 %: of |estimate - run time| / run time; under: underestimated; "
	      "class: jobs of the\nsame class that had ended; spread: median of the range of "
	      "their quartiles / estimate.\n", out);
}

static void print_text(const struct lxfw_grid_result *results, size_t count, FILE *out)
{
	fprintf(out, "%lld processors at %d sites; times in seconds\n\n",
		(long long)lxfw_sites_procs(results->sites), (int)results->sites->count);
	fprintf(out, "%-12s %8s %12s %12s %12s %8s %8s %7s %7s\n", "broker", "jobs",
		"mean wait", "AWRT", "AWWT", "moved", "several", "% work", "util.");
	for (size_t i = 0; i < count; i++)
		put_broker(&results[i], out);
	fputs("\nAWRT and AWWT are response time and wait weighted by processors times run "
	      "time.\nmoved: jobs that did not run at their own site only; several: jobs at "
	      "several sites\nat the same time, and their share of all work.\n", out);
	if (results->learned)
		put_accuracy(results, count, out);
	if (count == 1)
		put_sites(results, out);
}

/* --- JSON -------------------------------------------------------------------------------- */

static struct json_object *site_of(const struct lxfw_grid_result *result, int32_t i,
				   bool *failed)
{
	const struct lxfw_site_metrics *metrics = &result->metrics.sites[i];
	const struct lxfw_site *site = &result->sites->list[i];
	struct json_object *object = json_object_new_object();
	const struct { const char *key; int64_t value; } numbers[] = {
		{ "procs", site->cluster.procs },
		{ "submitted", (int64_t)metrics->submitted },
		{ "ran", (int64_t)metrics->ran },
		{ "foreign", (int64_t)metrics->foreign },
	};
	const struct { const char *key; double value; } values[] = {
		{ "speed", (double)site->speed / LXFW_GRID_SPEED },
		{ "mean_wait_s", metrics->mean_wait }, { "awrt_s", metrics->awrt },
		{ "utilization", metrics->utilization },
	};

	lxfw_json_put(object, "site", json_object_new_string(site->name), failed);
	for (size_t j = 0; j < sizeof(numbers) / sizeof(*numbers); j++)
		lxfw_json_put(object, numbers[j].key,
			      json_object_new_int64(numbers[j].value), failed);
	for (size_t j = 0; j < sizeof(values) / sizeof(*values); j++)
		lxfw_json_put(object, values[j].key,
			      json_object_new_double(values[j].value), failed);
	return object;
}

/* With the keys of `lxfw simulate`. */
static void accuracy_json(const struct lxfw_grid_result *result, struct json_object *object,
			  bool *failed)
{
	struct lxfw_report_item items[LXFW_ACCURACY_ITEMS];
	int count = result->learned ? lxfw_report_accuracy(&result->accuracy, items) : 0;

	for (int i = 0; i < count; i++)
		lxfw_json_put(object, items[i].key, items[i].kind == LXFW_ITEM_WHOLE ?
			      json_object_new_int64(items[i].whole) :
			      json_object_new_double(items[i].fraction), failed);
}

static struct json_object *broker_of(const struct lxfw_grid_result *result, bool *failed)
{
	const struct lxfw_grid_metrics *metrics = &result->metrics;
	struct json_object *object = json_object_new_object();
	struct json_object *list = json_object_new_array();
	const struct { const char *key; int64_t value; } numbers[] = {
		{ "jobs", (int64_t)metrics->all.jobs },
		{ "median_wait_s", metrics->all.median_wait },
		{ "max_wait_s", metrics->all.max_wait },
		{ "makespan_s", metrics->all.makespan },
		{ "moved", (int64_t)metrics->moved },
		{ "several", (int64_t)metrics->several },
	};
	const struct { const char *key; double value; } values[] = {
		{ "mean_wait_s", metrics->all.mean_wait },
		{ "mean_response_s", metrics->all.mean_response },
		{ "awrt_s", metrics->all.awrt }, { "awwt_s", metrics->awwt },
		{ "several_work", metrics->several_work },
		{ "utilization", metrics->all.utilization },
	};

	lxfw_json_put(object, "broker", json_object_new_string(result->broker->name),
		      failed);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		lxfw_json_put(object, numbers[i].key,
			      json_object_new_int64(numbers[i].value), failed);
	for (size_t i = 0; i < sizeof(values) / sizeof(*values); i++)
		lxfw_json_put(object, values[i].key,
			      json_object_new_double(values[i].value), failed);
	accuracy_json(result, object, failed);
	for (int32_t i = 0; i < metrics->site_count; i++)
		lxfw_json_append(list, site_of(result, i, failed), failed);
	lxfw_json_put(object, "sites", list, failed);
	return object;
}

int lxfw_grid_print(const struct lxfw_grid_result *results, size_t count,
		    enum lxfw_format format, FILE *out)
{
	struct json_object *object, *list;
	bool failed = false;

	if (format == LXFW_FORMAT_TABLE) {
		print_text(results, count, out);
		return 0;
	}
	object = json_object_new_object();
	list = json_object_new_array();
	for (size_t i = 0; i < count; i++)
		lxfw_json_append(list, broker_of(&results[i], &failed), &failed);
	lxfw_json_put(object, "brokers", list, &failed);
	if (failed) {
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, format, out);
}

/* --- jobs ---------------------------------------------------------------------------------- */

void lxfw_grid_jobs_csv(const struct lxfw_grid_run *run, struct lxfw_output *output)
{
	lxfw_output_text(output, "job_id,submit,start,end,wait,run,procs,home,sites\n");
	for (size_t i = 0; i < run->trace->count; i++) {
		const struct lxfw_trace_job *job = &run->trace->jobs[i];
		const int64_t numbers[] = {
			job->number, job->submit, run->starts[i], run->ends[i],
			run->starts[i] - job->submit, lxfw_grid_run_time(run, i), job->procs,
		};

		for (size_t j = 0; j < sizeof(numbers) / sizeof(*numbers); j++) {
			lxfw_output_integer(output, numbers[j]);
			lxfw_output_text(output, ",");
		}
		lxfw_output_text(output, run->sites->list[run->homes[i]].name);
		lxfw_output_text(output, ",");
		lxfw_grid_parts_text(output, run->sites, &run->parts[run->parts_at[i]],
				     run->part_counts[i]);
		lxfw_output_text(output, "\n");
	}
}
