/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/rearrange.h"

#include <errno.h>
#include <stdlib.h>

#define HOUR 3600
#define DAY (24 * HOUR)
#define WEEK (7 * DAY)

/* Number of weeks of a part of the log. The last part has the remainder, too. */
#define PART 4

/* --- sessions --------------------------------------------------------------------- */

struct submission {
	int32_t user, procs;	/* processors and limit: 0 if the user is known */
	int64_t limit;
	int64_t submit;
	size_t position;
};

static int by_user(const void *left, const void *right)
{
	const struct submission *a = left, *b = right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	if (a->procs != b->procs)
		return a->procs < b->procs ? -1 : 1;
	if (a->limit != b->limit)
		return a->limit < b->limit ? -1 : 1;
	if (a->submit != b->submit)
		return a->submit < b->submit ? -1 : 1;
	return (a->position > b->position) - (a->position < b->position);
}

/* Whether a submission begins a session, after PREVIOUS of the session that began at
   BEGIN. */
static bool begins(const struct submission *of, const struct submission *previous,
		   int64_t begin)
{
	return of->user != previous->user || of->procs != previous->procs ||
	       of->limit != previous->limit || of->submit - previous->submit > HOUR ||
	       of->submit - begin > DAY;
}

/* Whether the log tells one user from another. */
static bool has_users(const struct lxfw_trace *trace)
{
	for (size_t i = 1; trace->owners && i < trace->count; i++) {
		if (trace->owners[i].user != trace->owners[0].user)
			return true;
	}
	return false;
}

static struct submission submission_of(const struct lxfw_trace *trace, size_t position, bool users)
{
	const struct lxfw_trace_job *job = &trace->jobs[position];
	struct submission of = {
		.user = users ? trace->owners[position].user : -1,
		.submit = job->submit, .position = position,
	};

	if (of.user < 0) {
		of.procs = job->procs;
		of.limit = job->limit;
	}
	return of;
}

int lxfw_sessions_find(struct lxfw_sessions *sessions, const struct lxfw_trace *trace)
{
	struct submission *all = malloc((trace->count + 1) * sizeof(*all));
	bool users = has_users(trace);

	*sessions = (struct lxfw_sessions) {
		.of = malloc((trace->count + 1) * sizeof(*sessions->of)),
		.begin = malloc((trace->count + 1) * sizeof(*sessions->begin)),
	};
	if (!all || !sessions->of || !sessions->begin) {
		free(all);
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < trace->count; i++)
		all[i] = submission_of(trace, i, users);
	qsort(all, trace->count, sizeof(*all), by_user);
	for (size_t i = 0; i < trace->count; i++) {
		if (i == 0 || begins(&all[i], &all[i - 1],
				     sessions->begin[sessions->count - 1]))
			sessions->begin[sessions->count++] = all[i].submit;
		sessions->of[all[i].position] = sessions->count - 1;
	}
	free(all);
	return 0;
}

void lxfw_sessions_clear(struct lxfw_sessions *sessions)
{
	free(sessions->of);
	free(sessions->begin);
	*sessions = (struct lxfw_sessions) { .of = NULL };
}

/* --- copies ----------------------------------------------------------------------- */

/* Returns by how many seconds a session moves that begins AFTER seconds from the first
   submission of a log of LENGTH seconds. */
static int64_t draw_shift(struct lxfw_random *random, int64_t after, int64_t length)
{
	int64_t step = length < 2 * WEEK ? DAY : WEEK, at = after / step;
	int64_t weeks = (length - after % step) / step + 1;
	int64_t part = step == WEEK ? PART : weeks, parts = weeks / part;
	int64_t first, end, drawn;

	if (parts < 1)
		parts = 1;
	first = at / part < parts ? at / part * part : (parts - 1) * part;
	end = first / part == parts - 1 ? weeks : first + part;
	drawn = first + (int64_t)lxfw_random_below(random, (uint64_t)(end - first));
	return (drawn - at) * step;
}

int lxfw_rearranged_copy(const struct lxfw_sessions *sessions,
			 const struct lxfw_shake *shake, const struct lxfw_trace *trace,
			 uint64_t number, struct lxfw_trace *copy)
{
	int64_t *shifts = malloc((sessions->count + 1) * sizeof(*shifts));
	int64_t first, last;
	struct lxfw_random random;

	if (!shifts || lxfw_trace_copy(copy, trace)) {
		free(shifts);
		errno = ENOMEM;
		return -1;
	}
	first = trace->count > 0 ? trace->jobs[lxfw_trace_at(trace, 0)].submit : 0;
	last = trace->count > 0 ?
	       trace->jobs[lxfw_trace_at(trace, trace->count - 1)].submit : 0;
	/* the stream is "weeks" and the number of the copy */
	lxfw_random_seed(&random, shake->seed, UINT64_C(0x7765656b73) << 20 | number);
	for (size_t i = 0; i < sessions->count; i++)
		shifts[i] = draw_shift(&random, sessions->begin[i] - first, last - first);
	for (size_t i = 0; i < copy->count; i++) {
		copy->jobs[i].submit += shifts[sessions->of[i]];
		lxfw_shake_job(shake, &random, first, &copy->jobs[i]);
	}
	free(shifts);
	if (lxfw_trace_sort(copy)) {
		lxfw_trace_clear(copy);
		errno = ENOMEM;
		return -1;
	}
	return 0;
}
