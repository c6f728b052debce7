/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Infers limits of users. */
#include <errno.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/infer/holds.h"

/* A limit is accepted if it delayed this number of jobs this number of times, and
   explains this fraction of the times that the user's jobs were passed. */
#define JOBS_LEAST 5
#define TIMES_LEAST 20
#define SHARE_LEAST 0.95

/* Minimum wait for a job to be counted, seconds. */
#define WAIT_LEAST INT64_C(600)

struct passed {
	int64_t count, at_jobs, at_procs;	/* numbers of times */
	size_t jobs;
};

/* The running jobs of a user from a time on, and the index of the previous entry. */
struct entry {
	int64_t time;
	int32_t jobs;
	int64_t procs;
	size_t previous;
};

struct work {
	struct lxfw_inferred *inferred;
	struct lxfw_sweep *sweep;
	struct lxfw_sweep_job *jobs;
	struct lxfw_load *loads;	/* by user, as are the following */
	struct passed *passed;
	size_t *limit_of;		/* index of the limit */
	size_t *latest;			/* index of the entry */
	struct entry *entries;
	size_t entry_count;
};

static bool explains(const struct passed *passed, int64_t times)
{
	return passed->jobs >= JOBS_LEAST && passed->count >= TIMES_LEAST &&
	       (double)times >= SHARE_LEAST * (double)passed->count;
}

static int list_limits(struct work *work, size_t users)
{
	struct lxfw_inferred *inferred = work->inferred;

	for (size_t i = 0; i < users; i++) {
		const struct passed *passed = &work->passed[i];
		struct lxfw_limit limit = { .user = (int32_t)i };

		work->limit_of[i] = LXFW_SWEEP_NONE;
		work->latest[i] = LXFW_SWEEP_NONE;
		if (explains(passed, passed->at_jobs))
			limit.jobs = work->loads[i].most_jobs;
		else if (explains(passed, passed->at_procs))
			limit.procs = work->loads[i].most_procs;
		else
			continue;
		if (LXFW_GROW(inferred->limits, inferred->limits_size,
			      inferred->limit_count + 1))
			return -1;
		work->limit_of[i] = inferred->limit_count;
		inferred->limits[inferred->limit_count++] = limit;
	}
	return 0;
}

static void add_passes(struct work *work, const struct lxfw_passes *passes)
{
	for (size_t i = 0; i < work->sweep->count; i++) {
		struct passed *passed = &work->passed[work->jobs[i].user];

		if (work->jobs[i].user < 0)
			continue;
		passed->count += passes[i].count;
		passed->at_jobs += passes[i].at_jobs;
		passed->at_procs += passes[i].at_procs;
		passed->jobs += passes[i].count > 0;
	}
}

/* The job starts now: determines until when its user's limit had delayed it. */
static void look_back(struct work *work, size_t index)
{
	struct lxfw_sweep_job *job = &work->jobs[index];
	struct lxfw_held_job *hold = &work->inferred->holds[index];
	struct lxfw_limit *limit =
		&work->inferred->limits[work->limit_of[job->user]];
	int64_t until = work->sweep->now;

	for (size_t at = work->latest[job->user];
	     at != LXFW_SWEEP_NONE && until > job->submit;
	     at = work->entries[at].previous) {
		const struct entry *entry = &work->entries[at];

		if (limit->jobs > 0 ? entry->jobs >= limit->jobs :
				      entry->procs + job->procs > limit->procs) {
			*hold = (struct lxfw_held_job) { until, LXFW_HELD_LIMIT };
			if (until > job->free)
				job->free = until;
			limit->waits += until - job->submit >= WAIT_LEAST;
			return;
		}
		until = entry->time;
	}
}

static void note(struct work *work, const size_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int32_t user = work->jobs[list[i]].user;
		const struct lxfw_load *load = &work->loads[user];

		if (user < 0 || work->limit_of[user] == LXFW_SWEEP_NONE)
			continue;
		work->entries[work->entry_count] = (struct entry) {
			work->sweep->now, load->jobs, load->procs,
			work->latest[user],
		};
		work->latest[user] = work->entry_count++;
	}
}

static void follow(struct work *work)
{
	const struct lxfw_sweep *sweep = work->sweep;

	lxfw_sweep_rewind(work->sweep);
	while (lxfw_sweep_next(work->sweep)) {
		for (size_t i = 0; i < sweep->started_count; i++) {
			int32_t user = work->jobs[sweep->started[i]].user;

			if (user >= 0 &&
			    work->limit_of[user] != LXFW_SWEEP_NONE)
				look_back(work, sweep->started[i]);
		}
		lxfw_loads_count(sweep, work->loads);
		note(work, sweep->started, sweep->started_count);
		note(work, sweep->ended, sweep->ended_count);
	}
}

int lxfw_limits_find(struct lxfw_inferred *inferred, struct lxfw_sweep *sweep,
		     struct lxfw_sweep_job *jobs, size_t users,
		     const struct lxfw_passes *passes)
{
	struct work work = {
		.inferred = inferred, .sweep = sweep, .jobs = jobs,
		.loads = lxfw_loads_make(sweep, users),
		.passed = calloc(users + 1, sizeof(*work.passed)),
		.limit_of = calloc(users + 1, sizeof(*work.limit_of)),
		.latest = calloc(users + 1, sizeof(*work.latest)),
		.entries = malloc((2 * sweep->count + 1) *
				  sizeof(*work.entries)),
	};
	int failed = !work.loads || !work.passed || !work.limit_of ||
		     !work.latest || !work.entries;

	if (!failed) {
		add_passes(&work, passes);
		failed = list_limits(&work, users);
	}
	if (!failed && inferred->limit_count > 0)
		follow(&work);
	free(work.loads);
	free(work.passed);
	free(work.limit_of);
	free(work.latest);
	free(work.entries);
	if (failed)
		errno = ENOMEM;
	return failed ? -1 : 0;
}
