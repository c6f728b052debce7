/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/denials.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/infer/ahead.h"

/* Number of waiting jobs that are examined, in order of submission. */
#define LOOK_MOST 1024

/* Maximum number of denials (32 MB). With more, the policy is not that of the site. */
#define DENIALS_MOST ((size_t)4 << 20)

struct work {
	struct lxfw_denials *denials;
	const struct lxfw_capacity_input *in;
	struct lxfw_ahead ahead;
};

/* Returns the processors that are known to be available during the atom. */
static int64_t procs_known(const struct lxfw_capacity_input *in, size_t *next,
			   const struct lxfw_atom *atom)
{
	int64_t procs = in->procs;

	while (*next < in->given_count && in->given[*next].end <= atom->begin)
		++*next;
	for (size_t i = *next; i < in->given_count &&
	     in->given[i].begin < atom->end; i++) {
		if (in->given[i].procs < procs)
			procs = in->given[i].procs;
	}
	return procs;
}

/* Returns whether the start of the job may have been decided already, so that its
   processors are no longer free. */
static bool is_decided(const struct work *work, const struct lxfw_sweep_job *job)
{
	return job->start != LXFW_SWEEP_NEVER &&
	       job->start - work->in->sweep->now <= work->in->grace;
}

static int deny(struct work *work, size_t job)
{
	struct lxfw_denials *denials = work->denials;
	const struct lxfw_sweep *sweep = work->in->sweep;

	denials->seconds[job] += sweep->until - sweep->now;
	if (denials->count == DENIALS_MOST)
		denials->too_many = true;
	if (denials->too_many)
		return 0;
	if (LXFW_GROW(denials->jobs, denials->size, denials->count + 1))
		return -1;
	denials->jobs[denials->count++] = job;
	return 0;
}

/* Returns the processors that remain beside running jobs and jobs about to start. */
static int64_t room_left(const struct work *work, int64_t procs)
{
	const struct lxfw_sweep *sweep = work->in->sweep;
	int64_t room = procs - sweep->in_use;
	int looked = 0;

	for (size_t i = lxfw_sweep_first(sweep); i != LXFW_SWEEP_NONE && room > 0 &&
	     looked < LOOK_MOST; i = lxfw_sweep_after(sweep, i), looked++) {
		if (is_decided(work, &sweep->jobs[i]))
			room -= sweep->jobs[i].procs;
	}
	return room;
}

/* Returns the first job that does not fit, for which the policy makes a reservation. */
static size_t find_head(const struct work *work, int64_t room)
{
	const struct lxfw_sweep *sweep = work->in->sweep;
	size_t head = LXFW_SWEEP_NONE;
	int looked = 0;

	for (size_t i = lxfw_sweep_first(sweep); i != LXFW_SWEEP_NONE &&
	     looked < LOOK_MOST; i = lxfw_sweep_after(sweep, i), looked++) {
		const struct lxfw_sweep_job *job = &sweep->jobs[i];

		if (job->procs <= room || job->free > sweep->now ||
		    is_decided(work, job))
			continue;
		if (head == LXFW_SWEEP_NONE || lxfw_sweep_before(sweep, i, head))
			head = i;
		if (sweep->by_submission)
			break;
	}
	return head;
}

static int look_at(struct work *work, int64_t procs)
{
	const struct lxfw_sweep *sweep = work->in->sweep;
	int64_t room = room_left(work, procs);
	size_t head;
	int looked = 0;

	if (room <= 0 || sweep->until == sweep->now)
		return 0;
	head = find_head(work, room);
	if (head != LXFW_SWEEP_NONE)
		lxfw_ahead_behind(&work->ahead, head, room);
	for (size_t i = lxfw_sweep_first(sweep); i != LXFW_SWEEP_NONE &&
	     looked < LOOK_MOST; i = lxfw_sweep_after(sweep, i), looked++) {
		const struct lxfw_sweep_job *job = &sweep->jobs[i];

		if (job->procs > room || job->free > sweep->now ||
		    is_decided(work, job))
			continue;
		if (head != LXFW_SWEEP_NONE && lxfw_sweep_before(sweep, head, i) &&
		    (!work->in->backfills || !lxfw_ahead_can_job(&work->ahead, i)))
			continue;
		if (deny(work, i))
			return -1;
	}
	return 0;
}

static int list_atoms(struct work *work)
{
	struct lxfw_denials *denials = work->denials;
	struct lxfw_sweep *sweep = work->in->sweep;
	size_t given = 0;

	while (lxfw_sweep_next(sweep)) {
		struct lxfw_atom *atom = &denials->atoms[denials->atom_count++];

		*atom = (struct lxfw_atom) {
			.begin = sweep->now, .end = sweep->until,
			.in_use = sweep->in_use, .denials = denials->count,
			.started = sweep->started_count > 0,
			.waits = sweep->waiting > 0,
		};
		lxfw_ahead_follow(&work->ahead);
		if (atom->waits &&
		    look_at(work, procs_known(work->in, &given, atom)))
			return -1;
	}
	denials->atoms[denials->atom_count].denials = denials->count;
	return 0;
}

int lxfw_denials_find(struct lxfw_denials *denials,
		      const struct lxfw_capacity_input *input)
{
	struct work work = { .denials = denials, .in = input };
	int failed;

	lxfw_sweep_rewind(input->sweep);
	*denials = (struct lxfw_denials) {
		.atoms = calloc(input->sweep->change_count + 1,
				sizeof(*denials->atoms)),
		.seconds = calloc(input->sweep->count + 1,
				  sizeof(*denials->seconds)),
	};
	failed = lxfw_ahead_begin(&work.ahead, input->sweep) || !denials->atoms ||
		 !denials->seconds || list_atoms(&work);
	lxfw_ahead_end(&work.ahead);
	if (failed) {
		lxfw_denials_clear(denials);
		errno = ENOMEM;
	}
	return failed ? -1 : 0;
}

void lxfw_denials_clear(struct lxfw_denials *denials)
{
	free(denials->atoms);
	free(denials->jobs);
	free(denials->seconds);
	*denials = (struct lxfw_denials) { 0 };
}
