/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/sweep.h"

#include <errno.h>
#include <stdlib.h>

/* The order of changes at the same time. */
enum kind { SUBMIT, START, END, LEAVE };

struct lxfw_sweep_change {
	int64_t time;
	size_t job;
	enum kind kind;
};

static int by_time(const void *left, const void *right)
{
	const struct lxfw_sweep_change *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static void list_changes(struct lxfw_sweep *sweep)
{
	struct lxfw_sweep_change *changes = sweep->changes;
	size_t n = 0;

	for (size_t i = 0; i < sweep->count; i++) {
		const struct lxfw_sweep_job *job = &sweep->jobs[i];
		bool started = job->start != LXFW_SWEEP_NEVER;

		changes[n++] = (struct lxfw_sweep_change) { job->submit, i,
							    SUBMIT };
		if (started)
			changes[n++] = (struct lxfw_sweep_change) { job->start,
								    i, START };
		changes[n++] = (struct lxfw_sweep_change) {
			job->end, i, started ? END : LEAVE };
		if (job->base != sweep->jobs[0].base ||
		    job->slope != sweep->jobs[0].slope)
			sweep->by_submission = false;
	}
	if (n > 1)
		qsort(changes, n, sizeof(*changes), by_time);
	sweep->change_count = n;
}

int lxfw_sweep_begin(struct lxfw_sweep *sweep, const struct lxfw_sweep_job *jobs,
		     size_t count)
{
	*sweep = (struct lxfw_sweep) {
		.jobs = jobs, .count = count, .by_submission = true,
		.changes = malloc((3 * count + 1) * sizeof(*sweep->changes)),
		.next = malloc((count + 1) * sizeof(*sweep->next)),
		.previous = malloc((count + 1) * sizeof(*sweep->previous)),
		.starts = malloc((count + 1) * sizeof(*sweep->starts)),
		.ends = malloc((count + 1) * sizeof(*sweep->ends)),
	};
	if (!sweep->changes || !sweep->next || !sweep->previous ||
	    !sweep->starts || !sweep->ends) {
		lxfw_sweep_end(sweep);
		errno = ENOMEM;
		return -1;
	}
	list_changes(sweep);
	lxfw_sweep_rewind(sweep);
	return 0;
}

void lxfw_sweep_rewind(struct lxfw_sweep *sweep)
{
	sweep->next_change = 0;
	sweep->first = sweep->last = LXFW_SWEEP_NONE;
	sweep->in_use = 0;
	sweep->waiting = 0;
	sweep->started = sweep->starts;
	sweep->ended = sweep->ends;
	sweep->started_count = sweep->ended_count = 0;
}

static void enter(struct lxfw_sweep *sweep, size_t job)
{
	sweep->next[job] = LXFW_SWEEP_NONE;
	sweep->previous[job] = sweep->last;
	if (sweep->last == LXFW_SWEEP_NONE)
		sweep->first = job;
	else
		sweep->next[sweep->last] = job;
	sweep->last = job;
	sweep->waiting++;
}

static void leave(struct lxfw_sweep *sweep, size_t job)
{
	size_t next = sweep->next[job], previous = sweep->previous[job];

	if (next == LXFW_SWEEP_NONE)
		sweep->last = previous;
	else
		sweep->previous[next] = previous;
	if (previous == LXFW_SWEEP_NONE)
		sweep->first = next;
	else
		sweep->next[previous] = next;
	sweep->waiting--;
}

static void apply(struct lxfw_sweep *sweep, const struct lxfw_sweep_change *change)
{
	int32_t procs = sweep->jobs[change->job].procs;

	switch (change->kind) {
	case SUBMIT:
		enter(sweep, change->job);
		break;
	case START:
		leave(sweep, change->job);
		sweep->in_use += procs;
		sweep->starts[sweep->started_count++] = change->job;
		break;
	case END:
		sweep->in_use -= procs;
		sweep->ends[sweep->ended_count++] = change->job;
		break;
	case LEAVE:
		leave(sweep, change->job);
		break;
	}
}

bool lxfw_sweep_next(struct lxfw_sweep *sweep)
{
	const struct lxfw_sweep_change *changes = sweep->changes;

	if (sweep->next_change == sweep->change_count)
		return false;
	sweep->now = changes[sweep->next_change].time;
	sweep->started_count = sweep->ended_count = 0;
	while (sweep->next_change < sweep->change_count &&
	       changes[sweep->next_change].time == sweep->now)
		apply(sweep, &changes[sweep->next_change++]);
	sweep->until = sweep->next_change < sweep->change_count ?
		       changes[sweep->next_change].time : sweep->now;
	return true;
}

static double priority(const struct lxfw_sweep *sweep, size_t job)
{
	const struct lxfw_sweep_job *at = &sweep->jobs[job];

	return at->base + at->slope * (double)(sweep->now - at->submit);
}

static bool is_aged(const struct lxfw_sweep *sweep, size_t job)
{
	const struct lxfw_sweep_job *at = &sweep->jobs[job];

	return at->age_first > 0 && sweep->now - at->submit > at->age_first;
}

bool lxfw_sweep_before(const struct lxfw_sweep *sweep, size_t a, size_t b)
{
	double x, y;

	if (sweep->by_submission || (is_aged(sweep, a) && is_aged(sweep, b)))
		return a < b;
	if (is_aged(sweep, a) || is_aged(sweep, b))
		return is_aged(sweep, a);
	x = priority(sweep, a);
	y = priority(sweep, b);
	return x != y ? x > y : a < b;
}

size_t lxfw_sweep_head(const struct lxfw_sweep *sweep, int64_t since,
		       int64_t below)
{
	size_t best = LXFW_SWEEP_NONE;

	for (size_t i = sweep->first; i != LXFW_SWEEP_NONE; i = sweep->next[i]) {
		const struct lxfw_sweep_job *job = &sweep->jobs[i];

		if (job->submit > since)
			break;
		if (job->free > since || job->procs >= below)
			continue;
		if (best == LXFW_SWEEP_NONE || lxfw_sweep_before(sweep, i, best))
			best = i;
		if (sweep->by_submission)
			break;
	}
	return best;
}

size_t lxfw_sweep_first(const struct lxfw_sweep *sweep)
{
	return sweep->first;
}

size_t lxfw_sweep_last(const struct lxfw_sweep *sweep)
{
	return sweep->last;
}

size_t lxfw_sweep_back(const struct lxfw_sweep *sweep, size_t job)
{
	return sweep->previous[job];
}

size_t lxfw_sweep_after(const struct lxfw_sweep *sweep, size_t job)
{
	return sweep->next[job];
}

void lxfw_sweep_end(struct lxfw_sweep *sweep)
{
	free(sweep->changes);
	free(sweep->next);
	free(sweep->previous);
	free(sweep->starts);
	free(sweep->ends);
	*sweep = (struct lxfw_sweep) { 0 };
}
