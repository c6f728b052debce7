/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorded run from a log that has its own waits, and what kind a file is. */
#include <errno.h>
#include <string.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/text.h"

int lxfw_recorded_kind(const char *path, struct lxfw_error *error)
{
	struct lxfw_input *input = lxfw_input_open(path, error);
	enum lxfw_log_format format;
	char *line;
	size_t length;
	int got;

	if (!input)
		return -1;
	got = lxfw_log_recognize(input, &format, error);
	if (got == 0)
		got = lxfw_input_peek(input, &line, &length, error);
	if (got == 0)
		got = lxfw_error_at(error, path, 1, "the file is empty, expected "
			"a journal, accounting records or a trace");
	lxfw_input_close(input);
	if (got < 0)
		return -1;
	return format == LXFW_LOG_JOURNAL ? 'j' :
	       format == LXFW_LOG_SWF ? 't' : 'a';
}

static int take_job(struct lxfw_recorded *recorded,
		    const struct lxfw_trace_job *from,
		    const struct lxfw_cluster *cluster, bool one_host)
{
	struct lxfw_recorded_job *job = lxfw_recorded_add(recorded);

	if (!job)
		return -1;
	job->request = (struct lxfw_request) {
		.id = recorded->count, .submit = from->submit,
		.estimate = from->limit,
	};
	lxfw_simulation_request(cluster, one_host, from, &job->request);
	job->number = from->number;
	job->seen = from->submit;
	if (from->wait >= 0) {
		job->start = from->submit + from->wait;
		job->end = job->start + from->run;
	} else {
		job->run = from->run;
	}
	return 0;
}

int lxfw_recorded_from_swf(struct lxfw_recorded *recorded, const char *path,
			   const struct lxfw_cluster *cluster, bool one_host,
			   struct lxfw_error *error)
{
	struct lxfw_trace trace;
	size_t too_large = 0;
	int result;

	*recorded = (struct lxfw_recorded) { .delayed_starts = true };
	if (lxfw_trace_read(&trace, path, LXFW_MEMORY_KB_PER_PROC, error))
		return -1;
	result = lxfw_simulation_fit(&trace, cluster, one_host, &too_large);
	recorded->passed_over = trace.no_run_time + trace.no_procs + too_large;
	if (result == 0 && trace.count > 0)
		result = lxfw_recorded_add_cluster(recorded, cluster,
			trace.jobs[lxfw_trace_at(&trace, 0)].submit);
	for (size_t i = 0; i < trace.count && result == 0; i++)
		result = take_job(recorded, &trace.jobs[lxfw_trace_at(&trace, i)],
				  cluster, one_host);
	if (result)
		lxfw_error_system(error, path);
	else if (recorded->count == 0)
		result = lxfw_error_at(error, path, 0,
				       "no job in it fits the cluster");
	lxfw_trace_clear(&trace);
	if (result)
		lxfw_recorded_clear(recorded);
	return result;
}
