/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/neighbours.h"

#include "sim-frontend/util/json_out.h"

static const char *const message_keys[LXFW_MESSAGES] = {
	"view", "push", "pull", "accept", "reject", "job",
};

/* --- text -------------------------------------------------------------------------------- */

static void print_text(const struct lxfw_neighbours_about *about,
		       const struct lxfw_neighbours_result *results, size_t count, FILE *out)
{
	fprintf(out, "%lld processors at %d sites; %s, %.2f neighbours per site; times in "
		"seconds\n\n", (long long)lxfw_sites_procs(about->sites),
		(int)about->sites->count, about->graph,
		(double)about->edges / about->sites->count);
	fprintf(out, "%-18s %8s %10s %10s %10s %10s %8s %9s %11s %7s\n", "moves", "jobs",
		"mean wait", "median", "longest", "wait there", "moved", "preempted",
		"messages", "util.");
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_exchange_metrics *metrics = &results[i].metrics;

		fprintf(out, "%-18s %8zu %10.1f %10.0f %10.0f %10.1f %8zu %9lld %11lld "
			"%7.4f\n", results[i].moves, metrics->jobs, metrics->wait.mean,
			metrics->wait.median, metrics->wait.longest_tenth,
			metrics->wait_there.mean, metrics->moved,
			(long long)metrics->preemptions, (long long)metrics->messages_sum,
			metrics->utilization);
	}
	fputs("\nlongest: the median wait of the tenth of the jobs that waits longest; "
	      "wait there: the mean wait\nsince the job arrived at the site where it ended; "
	      "moved: jobs that moved; preempted: preemptions.\n", out);
	fprintf(out, "\n%-18s %11s %9s %9s %9s %9s %9s %9s\n", "messages", "view", "push",
		"pull", "accept", "reject", "job", "lost");
	for (size_t i = 0; i < count; i++) {
		const struct lxfw_exchange_metrics *metrics = &results[i].metrics;

		fprintf(out, "%-18s %11lld", results[i].moves,
			(long long)metrics->messages[LXFW_MESSAGE_VIEW]);
		for (int j = LXFW_MESSAGE_VIEW + 1; j < LXFW_MESSAGES; j++)
			fprintf(out, " %9lld", (long long)metrics->messages[j]);
		fprintf(out, " %9lld\n", (long long)metrics->lost);
	}
}

/* --- JSON -------------------------------------------------------------------------------- */

static struct json_object *waits_json(const struct lxfw_exchange_waits *waits, bool *failed)
{
	struct json_object *object = json_object_new_object();

	lxfw_json_put(object, "mean_s", json_object_new_double(waits->mean), failed);
	lxfw_json_put(object, "median_s", json_object_new_double(waits->median), failed);
	lxfw_json_put(object, "longest_tenth_s", json_object_new_double(waits->longest_tenth),
		      failed);
	lxfw_json_put(object, "max_s", json_object_new_int64(waits->most), failed);
	return object;
}

static struct json_object *result_json(const struct lxfw_neighbours_result *result,
				       bool *failed)
{
	const struct lxfw_exchange_metrics *metrics = &result->metrics;
	struct json_object *object = json_object_new_object();
	struct json_object *messages = json_object_new_object();
	const struct { const char *key; int64_t value; } numbers[] = {
		{ "jobs", (int64_t)metrics->jobs }, { "moved", (int64_t)metrics->moved },
		{ "all_moves", metrics->moves }, { "preemptions", metrics->preemptions },
		{ "lost", metrics->lost }, { "makespan_s", metrics->makespan },
	};

	lxfw_json_put(object, "moves", json_object_new_string(result->moves), failed);
	lxfw_json_put(object, "wait", waits_json(&metrics->wait, failed), failed);
	lxfw_json_put(object, "wait_there", waits_json(&metrics->wait_there, failed), failed);
	for (int i = 0; i < LXFW_MESSAGES; i++)
		lxfw_json_put(messages, message_keys[i],
			      json_object_new_int64(metrics->messages[i]), failed);
	lxfw_json_put(object, "messages", messages, failed);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		lxfw_json_put(object, numbers[i].key,
			      json_object_new_int64(numbers[i].value), failed);
	lxfw_json_put(object, "utilization", json_object_new_double(metrics->utilization),
		      failed);
	return object;
}

int lxfw_neighbours_print(const struct lxfw_neighbours_about *about,
			  const struct lxfw_neighbours_result *results, size_t count,
			  enum lxfw_format format, FILE *out)
{
	struct json_object *object, *list;
	bool failed = false;

	if (format == LXFW_FORMAT_TABLE) {
		print_text(about, results, count, out);
		return 0;
	}
	object = json_object_new_object();
	list = json_object_new_array();
	lxfw_json_put(object, "graph", json_object_new_string(about->graph), &failed);
	lxfw_json_put(object, "sites", json_object_new_int(about->sites->count), &failed);
	lxfw_json_put(object, "edges", json_object_new_int64(about->edges / 2), &failed);
	for (size_t i = 0; i < count; i++)
		lxfw_json_append(list, result_json(&results[i], &failed), &failed);
	lxfw_json_put(object, "results", list, &failed);
	if (failed) {
		json_object_put(object);
		object = NULL;
	}
	return lxfw_json_out(object, format, out);
}

/* --- jobs ---------------------------------------------------------------------------------- */

void lxfw_neighbours_jobs_csv(const struct lxfw_exchange *exchange,
			      const struct lxfw_trace *trace, const struct lxfw_sites *sites,
			      const int64_t *runs, struct lxfw_output *output)
{
	lxfw_output_text(output, "job_id,submit,start,end,wait,wait_there,run,procs,home,site,"
			 "moves,preemptions\n");
	for (size_t i = 0; i < trace->count; i++) {
		const struct lxfw_exchange_job *result = &exchange->results[i];
		const int64_t numbers[] = {
			trace->jobs[i].number, trace->jobs[i].submit, result->start,
			result->end, lxfw_exchange_wait(exchange, i),
			lxfw_exchange_wait_there(exchange, i), runs[i], trace->jobs[i].procs,
		};

		for (size_t j = 0; j < sizeof(numbers) / sizeof(*numbers); j++) {
			lxfw_output_integer(output, numbers[j]);
			lxfw_output_text(output, ",");
		}
		lxfw_output_format(output, "%s,%s,%d,%d\n",
				   sites->list[exchange->homes[i]].name,
				   sites->list[exchange->jobs[i].node].name,
				   (int)result->moves, (int)result->preemptions);
	}
}
