/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs that follow others: a trace in the Standard Workload Format, whose jobs start at once. Every
   job is submitted once, in order of time, and after the end of those that it follows. */
#include "tests/fuzz/fuzz.h"

#include "sim-frontend/engine/ends.h"
#include "sim-frontend/engine/feedback.h"
#include "tests/fuzz/file.h"

const char fuzz_name[] = "feedback";

struct run {
	struct lxfw_feedback_run feedback;
	struct lxfw_ends ends;
	int64_t *ended;		/* by position; -1: not yet */
	bool *submitted;
};

static void check_follows(const struct run *run, size_t position, int64_t time)
{
	const struct lxfw_feedback *of = run->feedback.of;
	const struct lxfw_trace *trace = run->feedback.trace;

	for (size_t i = 0; i < of->link_count; i++) {
		if (of->links[i].position != position)
			continue;
		for (size_t k = 0; k < trace->count; k++) {
			if (trace->jobs[k].number == of->links[i].number)
				FUZZ_CHECK(run->ended[k] >= 0 && run->ended[k] <= time);
		}
	}
}

/* Ends the jobs that end up to TIME; stops if the next submission has changed. */
static bool end_jobs(struct run *run, int64_t time)
{
	while (run->ends.count > 0 && run->ends.heap[0].time <= time) {
		int64_t now = run->ends.heap[0].time;
		size_t position = (size_t)lxfw_ends_pop(&run->ends);

		run->ended[position] = now;
		lxfw_feedback_ended(&run->feedback, position, now, now);
		if (lxfw_feedback_sooner(&run->feedback))
			return true;
	}
	return false;
}

static void simulate(struct run *run)
{
	const struct lxfw_trace *trace = run->feedback.trace;
	int64_t time, last = INT64_MIN;
	size_t position, count = 0;

	for (;;) {
		bool got = lxfw_feedback_next(&run->feedback, &position, &time);

		if (end_jobs(run, got ? time : INT64_MAX))
			continue;
		if (!got)
			break;
		FUZZ_CHECK(position < trace->count && !run->submitted[position] && time >= last);
		check_follows(run, position, time);
		FUZZ_CHECK(run->feedback.submits[position] == time);
		run->submitted[position] = true;
		last = time;
		count++;
		FUZZ_CHECK(lxfw_ends_add(&run->ends, time + trace->jobs[position].run, position) == 0);
	}
	FUZZ_CHECK(count == trace->count);
}

static void check_trace(const struct lxfw_trace *trace)
{
	struct lxfw_feedback feedback;
	struct run run = {
		.ended = malloc((trace->count + 1) * sizeof(*run.ended)),
		.submitted = calloc(trace->count + 1, sizeof(*run.submitted)),
	};

	FUZZ_CHECK(run.ended && run.submitted);
	for (size_t i = 0; i < trace->count; i++)
		run.ended[i] = -1;
	FUZZ_CHECK(lxfw_feedback_make(&feedback, trace) == 0);
	if (feedback.jobs) {
		FUZZ_CHECK(lxfw_feedback_begin(&run.feedback, &feedback, trace) == 0);
		simulate(&run);
		lxfw_feedback_run_clear(&run.feedback);
	}
	lxfw_feedback_clear(&feedback);
	free(run.ends.heap);
	free(run.ended);
	free(run.submitted);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *path = fuzz_file(data, size);
	struct lxfw_trace trace;
	struct lxfw_error error;

	if (!path)
		return 0;
	if (lxfw_trace_read(&trace, path, LXFW_MEMORY_NONE, &error))
		return 0;
	check_trace(&trace);
	lxfw_trace_clear(&trace);
	return 0;
}
