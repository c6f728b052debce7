/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The next submission of a run with feedback. */
#include "sim-frontend/engine/feedback.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/heap.h"

static inline bool before(const struct lxfw_feedback_run *run,
			  const struct lxfw_feedback_due *a, const struct lxfw_feedback_due *b)
{
	(void)run;
	return a->time != b->time ? a->time < b->time : a->position < b->position;
}

LXFW_HEAP(due, struct lxfw_feedback_due, struct lxfw_feedback_run, before)

int lxfw_feedback_begin(struct lxfw_feedback_run *run, const struct lxfw_feedback *feedback,
			const struct lxfw_trace *trace)
{
	*run = (struct lxfw_feedback_run) {
		.of = feedback, .trace = trace,
		.waits = malloc((trace->count + 1) * sizeof(*run->waits)),
		.members = malloc((feedback->group_count + 1) * sizeof(*run->members)),
		.ended = malloc((feedback->group_count + 1) * sizeof(*run->ended)),
		.submits = malloc((trace->count + 1) * sizeof(*run->submits)),
		/* each job that follows another is in it once */
		.due = malloc((feedback->followers + 1) * sizeof(*run->due)),
	};
	if (!run->waits || !run->members || !run->ended || !run->submits || !run->due)
		return -1;
	for (size_t i = 0; i < trace->count; i++) {
		run->waits[i] = feedback->jobs[i].waits;
		run->submits[i] = run->waits[i] > 0 ? INT64_MIN : trace->jobs[i].submit;
	}
	for (size_t i = 0; i < feedback->group_count; i++) {
		run->members[i] = feedback->groups[i].members;
		run->ended[i] = INT64_MIN;
	}
	return 0;
}

/* Returns whether the trace has a next job with its recorded submission, and that job. */
static bool next_recorded(struct lxfw_feedback_run *run, struct lxfw_feedback_due *next)
{
	for (; run->next < run->trace->count; run->next++) {
		size_t position = lxfw_trace_at(run->trace, run->next);

		if (run->of->jobs[position].waits > 0)
			continue;
		*next = (struct lxfw_feedback_due) {
			run->trace->jobs[position].submit, (uint32_t)position,
		};
		return true;
	}
	return false;
}

static void pop_due(struct lxfw_feedback_run *run)
{
	run->due[0] = run->due[--run->due_count];
	if (run->due_count > 0)
		due_sift(run->due, run->due_count, 0, run);
}

bool lxfw_feedback_next(struct lxfw_feedback_run *run, size_t *position, int64_t *time)
{
	bool recorded = next_recorded(run, &run->held);

	run->held_due = run->due_count > 0 &&
			(!recorded || before(run, &run->due[0], &run->held));
	run->holds = recorded || run->held_due;
	if (run->held_due) {
		run->held = run->due[0];
		pop_due(run);
	} else if (recorded) {
		run->next++;
	}
	*position = run->held.position;
	*time = run->held.time;
	return run->holds;
}

/* The last preceding job of the job at POSITION has ended. */
static void release(struct lxfw_feedback_run *run, uint32_t position, int64_t now)
{
	const struct lxfw_feedback_job *job = &run->of->jobs[position];
	int64_t time = run->submits[position] + job->think;
	int64_t earliest = job->earliest == LXFW_FEEDBACK_RECORDED ?
			   run->trace->jobs[position].submit : job->earliest;
	struct lxfw_feedback_due due = { time > earliest ? time : earliest, position };

	if (due.time < now)
		due.time = now;
	run->submits[position] = due.time;
	due_push(run->due, run->due_count++, due, run);
	if (!run->holds || before(run, &due, &run->held))
		run->sooner = true;
}

void lxfw_feedback_ended(struct lxfw_feedback_run *run, size_t position, int64_t end, int64_t now)
{
	int32_t at = run->of->jobs[position].group;
	const struct lxfw_feedback_group *group;

	if (at < 0)
		return;
	group = &run->of->groups[at];
	run->members[at]--;
	if (end > run->ended[at])
		run->ended[at] = end;
	for (uint32_t i = group->first; run->members[at] == 0 && i < group->first + group->count;
	     i++) {
		uint32_t follower = run->of->links[i].position;

		if (run->ended[at] > run->submits[follower])
			run->submits[follower] = run->ended[at];
		if (--run->waits[follower] == 0)
			release(run, follower, now);
	}
}

bool lxfw_feedback_sooner(struct lxfw_feedback_run *run)
{
	bool sooner = run->sooner;

	if (!sooner)
		return false;
	run->sooner = false;
	if (run->holds && run->held_due)
		due_push(run->due, run->due_count++, run->held, run);
	else if (run->holds)
		run->next--;
	run->holds = false;
	return true;
}

void lxfw_feedback_run_clear(struct lxfw_feedback_run *run)
{
	int saved = errno;

	free(run->waits);
	free(run->members);
	free(run->ended);
	free(run->submits);
	free(run->due);
	*run = (struct lxfw_feedback_run) { 0 };
	errno = saved;
}
