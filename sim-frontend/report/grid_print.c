/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "sim-frontend/report/grid.h"
#include "sim-frontend/util/json_out.h"

/* --- text -------------------------------------------------------------------------------- */

static int width_of(const struct lxfw_sites *sites, int least)
{
	int width = least;

	for (int32_t i = 0; i < sites->count; i++) {
		int length = (int)strlen(sites->list[i].name);

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

		fprintf(out, "%-*s %8lld %7.3g %9zu %12.1f %12.1f %9zu %9zu %11.4f\n", width,
			site->name, (long long)site->cluster.procs,
			(double)site->speed / LXFW_GRID_SPEED, metrics->submitted,
			metrics->mean_wait, metrics->awrt, metrics->ran, metrics->foreign,
			metrics->utilization);
	}
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

static void put_parts(const struct lxfw_grid_run *run, size_t position,
		      struct lxfw_output *output)
{
	for (int32_t i = 0; i < run->part_counts[position]; i++) {
		const struct lxfw_grid_part *part =
			&run->parts[run->parts_at[position] + (uint32_t)i];

		lxfw_output_format(output, "%s%s:%d", i > 0 ? "+" : "",
				   run->sites->list[part->site].name, (int)part->procs);
	}
}

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
		put_parts(run, i, output);
		lxfw_output_text(output, "\n");
	}
}
