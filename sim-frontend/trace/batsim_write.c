/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/batsim_write.h"

#include <inttypes.h>
#include <stdlib.h>

static int compare_numbers(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

/* Returns whether each job has a number of its own. NUMBERS has room for one of each job. */
static bool are_unique(const struct lxfw_trace *trace, int64_t *numbers)
{
	bool unique = true;

	for (size_t i = 0; i < trace->count; i++)
		numbers[i] = trace->jobs[i].number;
	qsort(numbers, trace->count, sizeof(*numbers), compare_numbers);
	for (size_t i = 0; i < trace->count; i++)
		unique &= numbers[i] >= 0 && (i == 0 || numbers[i] != numbers[i - 1]);
	return unique;
}

static int32_t machine_procs(const struct lxfw_trace *trace)
{
	int32_t stated = lxfw_trace_procs(trace), most = 0;

	for (size_t i = 0; i < trace->count; i++) {
		if (trace->jobs[i].procs > most)
			most = trace->jobs[i].procs;
	}
	return stated > 0 ? stated : most;
}

static void write_job(const struct lxfw_trace *trace, size_t position, int64_t number,
		      struct lxfw_output *output)
{
	const struct lxfw_trace_job *job = &trace->jobs[position];
	bool no_limit = trace->owners && trace->owners[position].no_limit;

	lxfw_output_format(output, "{\"id\": \"%" PRId64 "\", \"subtime\": %" PRId64 ", ",
			   number, job->submit);
	/* Batsim 5 refuses -1 for none */
	if (!no_limit)
		lxfw_output_format(output, "\"walltime\": %" PRId64 ", ", job->limit);
	lxfw_output_format(output, "\"res\": %" PRId32 ", \"profile\": \"%" PRId64 "\"}",
			   job->procs, job->run);
}

/* Writes a profile for each of the run times, which are sorted here. */
static void write_profiles(const struct lxfw_trace *trace, int64_t *runs,
			   enum lxfw_batsim_version version, struct lxfw_output *output)
{
	const char *type = version == LXFW_BATSIM_5 ? "DelayProfile" : "delay";

	for (size_t i = 0; i < trace->count; i++)
		runs[i] = trace->jobs[i].run;
	qsort(runs, trace->count, sizeof(*runs), compare_numbers);
	for (size_t i = 0; i < trace->count; i++) {
		if (i > 0 && runs[i] == runs[i - 1])
			continue;
		lxfw_output_format(output, "%s\n\"%" PRId64 "\": {\"type\": \"%s\", "
				   "\"delay\": %" PRId64 "}", i > 0 ? "," : "", runs[i], type,
				   runs[i]);
	}
}

int lxfw_batsim_write(const struct lxfw_trace *trace, enum lxfw_batsim_version version,
		      struct lxfw_output *output)
{
	int64_t *numbers = calloc(trace->count + 1, sizeof(*numbers));
	bool unique;

	if (!numbers)
		return -1;
	unique = are_unique(trace, numbers);
	lxfw_output_format(output, "{\"nb_res\": %" PRId32 ", \"jobs\": [", machine_procs(trace));
	for (size_t i = 0; i < trace->count; i++) {
		size_t position = lxfw_trace_at(trace, i);

		lxfw_output_text(output, i > 0 ? ",\n" : "\n");
		write_job(trace, position, unique ? trace->jobs[position].number :
						    (int64_t)i + 1, output);
	}
	lxfw_output_text(output, "\n], \"profiles\": {");
	write_profiles(trace, numbers, version, output);
	lxfw_output_text(output, "\n}}\n");
	free(numbers);
	return 0;
}
