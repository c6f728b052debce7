/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/holds.h"

#include <errno.h>
#include <stdlib.h>

/* Number of jobs compared with each start, in order of submission. The limit avoids
   quadratic cost in queues of hundreds of thousands of jobs. */
#define LOOK_MOST 1024

/* Maximum number of rounds. Once held jobs are known, other jobs are first in the
   queue. */
#define ROUNDS 6

struct work {
	struct lxfw_sweep *sweep;
	struct lxfw_sweep_job *jobs;
	struct lxfw_passes *passes;
	struct lxfw_load *loads;	/* by user */
	int64_t grace;		/* maximum delay of a start after its decision, seconds */
	int64_t since;		/* a job that has been eligible since then could have
				   started */
	bool reserves;		/* the policy reserves for all jobs */
	bool again;		/* examine only the first job of the queue */
	bool changed;
};

void lxfw_loads_count(const struct lxfw_sweep *sweep, struct lxfw_load *loads)
{
	const size_t *lists[] = { sweep->ended, sweep->started };
	const size_t counts[] = { sweep->ended_count, sweep->started_count };

	for (int starts = 0; starts < 2; starts++) {
		for (size_t i = 0; i < counts[starts]; i++) {
			const struct lxfw_sweep_job *job =
				&sweep->jobs[lists[starts][i]];
			struct lxfw_load *load = &loads[job->user];

			if (job->user < 0)
				continue;
			load->jobs += starts ? 1 : -1;
			load->procs += starts ? job->procs : -job->procs;
			if (load->jobs > load->most_jobs)
				load->most_jobs = load->jobs;
			if (load->procs > load->most_procs)
				load->most_procs = load->procs;
		}
	}
}

struct lxfw_load *lxfw_loads_make(struct lxfw_sweep *sweep, size_t users)
{
	struct lxfw_load *loads = calloc(users + 1, sizeof(*loads));

	if (!loads) {
		errno = ENOMEM;
		return NULL;
	}
	lxfw_sweep_rewind(sweep);
	while (lxfw_sweep_next(sweep))
		lxfw_loads_count(sweep, loads);
	return loads;
}

/* --- jobs that were passed -------------------------------------------------------- */

/* Returns the processors of jobs that start now and have a lower priority than the
   job. */
static int64_t room_given(const struct work *work, size_t job, bool own_queue)
{
	const struct lxfw_sweep *sweep = work->sweep;
	int64_t procs = 0;

	for (size_t i = 0; i < sweep->started_count; i++) {
		size_t other = sweep->started[i];

		if ((!own_queue ||
		     sweep->jobs[other].queue == sweep->jobs[job].queue) &&
		    lxfw_sweep_before(sweep, job, other))
			procs += sweep->jobs[other].procs;
	}
	return procs;
}

/* Returns whether the job starts so soon that its start may have been decided before. */
static bool starts_soon(const struct work *work, size_t job)
{
	int64_t start = work->jobs[job].start;

	return start != LXFW_SWEEP_NEVER &&
	       start - work->sweep->now <= work->grace;
}

/* Returns whether a job of the same queue with a lower priority starts now and
   requests no less. */
static bool lets_past(const struct work *work, size_t job)
{
	const struct lxfw_sweep *sweep = work->sweep;
	const struct lxfw_sweep_job *passed = &sweep->jobs[job];

	for (size_t i = 0; i < sweep->started_count; i++) {
		size_t other = sweep->started[i];
		const struct lxfw_sweep_job *starter = &sweep->jobs[other];

		if (starter->queue == passed->queue &&
		    starter->procs >= passed->procs &&
		    starter->limit >= passed->limit &&
		    lxfw_sweep_before(sweep, job, other))
			return true;
	}
	return false;
}

static void pass(struct work *work, size_t index, bool own_queue)
{
	struct lxfw_sweep_job *job = &work->jobs[index];
	struct lxfw_passes *passes = &work->passes[index];

	job->free = work->sweep->now;
	work->changed = true;
	if (own_queue)
		passes->last = work->sweep->now;
	passes->count++;
	if (job->user >= 0) {
		const struct lxfw_load *load = &work->loads[job->user];

		passes->at_jobs += load->jobs >= load->most_jobs;
		passes->at_procs += load->procs + job->procs > load->most_procs;
	}
}

static void look_at_starts(struct work *work)
{
	const struct lxfw_sweep *sweep = work->sweep;
	size_t job;
	int looked = 0;

	while (!work->reserves &&
	       (job = lxfw_sweep_head(sweep, work->since,
				      INT64_MAX)) != LXFW_SWEEP_NONE) {
		int64_t procs = sweep->jobs[job].procs;

		if (starts_soon(work, job) ||
		    room_given(work, job, false) < procs)
			break;
		pass(work, job, room_given(work, job, true) >= procs);
	}
	if (work->again)
		return;
	for (job = lxfw_sweep_first(sweep); job != LXFW_SWEEP_NONE &&
	     looked < LOOK_MOST && sweep->jobs[job].submit <= work->since;
	     job = lxfw_sweep_after(sweep, job), looked++) {
		if (sweep->jobs[job].free <= work->since &&
		    !starts_soon(work, job) && lets_past(work, job))
			pass(work, job, true);
	}
}

int lxfw_passes_find(struct lxfw_sweep *sweep, struct lxfw_sweep_job *jobs,
		     int64_t grace, bool reserves, size_t users,
		     struct lxfw_passes *passes)
{
	struct work work = {
		.sweep = sweep, .jobs = jobs, .passes = passes,
		.grace = grace, .reserves = reserves,
		.loads = lxfw_loads_make(sweep, users), .changed = true,
	};

	if (!work.loads)
		return -1;
	for (size_t i = 0; i < sweep->count; i++)
		passes[i].last = LXFW_SWEEP_NEVER;
	for (int round = 0; round < ROUNDS && work.changed; round++) {
		work.again = round > 0;
		work.changed = false;
		lxfw_sweep_rewind(sweep);
		while (lxfw_sweep_next(sweep)) {
			lxfw_loads_count(sweep, work.loads);
			work.since = sweep->now - grace - 1;
			if (sweep->started_count > 0 && sweep->waiting > 0)
				look_at_starts(&work);
		}
	}
	free(work.loads);
	return 0;
}

/* Returns whether all eligible waiting jobs fit. ROOM is then the number of processors
   left. */
static bool all_fit(const struct lxfw_sweep *sweep, int64_t *room)
{
	for (size_t i = lxfw_sweep_first(sweep); i != LXFW_SWEEP_NONE && *room >= 0;
	     i = lxfw_sweep_after(sweep, i)) {
		if (sweep->jobs[i].free <= sweep->now)
			*room -= sweep->jobs[i].procs;
	}
	return *room >= 0;
}

void lxfw_idle_find(struct lxfw_sweep *sweep, int64_t procs, int64_t *idle)
{
	lxfw_sweep_rewind(sweep);
	while (lxfw_sweep_next(sweep)) {
		int64_t room = procs - sweep->in_use;
		int looked = 0;

		if (sweep->waiting == 0 || !all_fit(sweep, &room))
			continue;
		for (size_t i = lxfw_sweep_first(sweep);
		     i != LXFW_SWEEP_NONE && looked < LOOK_MOST;
		     i = lxfw_sweep_after(sweep, i), looked++) {
			if (sweep->jobs[i].free > sweep->now &&
			    sweep->jobs[i].procs <= room)
				idle[i] += sweep->until - sweep->now;
		}
	}
}
