/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/preempting.h"

#include <errno.h>
#include <stdlib.h>

#include "common/books/observer.h"

static const char name[] = "preemption";

struct lxfw_preempting *lxfw_preempting_of(const struct lxfw_sched *sched)
{
	return lxfw_observer_state(sched, name);
}

/* Whether running jobs have more processors of a host than it has. */
static bool has_too_much(const struct lxfw_sched *sched)
{
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		if (sched->profile.hosts[i].free.procs < 0)
			return true;
	}
	return false;
}

int lxfw_preempting_collect(struct lxfw_sched *sched,
			    double (*priority)(const struct lxfw_sched *sched,
					       const struct lxfw_job *job))
{
	struct lxfw_preempting *state = lxfw_preempting_of(sched);

	state->again = LXFW_NEVER;
	if (sched->head_count == 0 && !has_too_much(sched))
		return 0;
	return lxfw_preemption_collect(sched, &state->preemption, priority) < 0 ||
	       lxfw_preemption_settle(sched, &state->preemption) < 0 ? -1 : 0;
}

bool lxfw_preempting_cannot(const struct lxfw_job *job)
{
	return job->request.exclusive || job->request.min_estimate > 0 || job->group >= 0;
}

/* A job that is preempted in this pass may preempt another one that is too young now. */
static void note_victims(const struct lxfw_sched *sched, struct lxfw_preempting *state)
{
	const struct lxfw_preemption *preemption = &state->preemption;

	for (size_t i = 0; i < preemption->job_count; i++) {
		const struct lxfw_preemptable *of = &preemption->jobs[i];
		int64_t later;

		if (sched->jobs[of->job].state == LXFW_JOB_RUNNING)
			continue;
		later = lxfw_preemption_later(preemption, of->tier, of->priority);
		if (later < state->again)
			state->again = later;
	}
}

int32_t lxfw_preempting_make_room(struct lxfw_sched *sched, int32_t index, double priority)
{
	struct lxfw_preempting *state = lxfw_preempting_of(sched);
	const struct lxfw_job *job = &sched->jobs[index];
	int64_t later;
	int32_t rc;

	if (lxfw_preempting_cannot(job))
		return 0;
	later = lxfw_preemption_later(&state->preemption,
				      lxfw_preemption_tier(sched, job), priority);
	rc = lxfw_preemption_for(sched, &state->preemption, index, priority);
	if (rc == 0 && later < state->again)
		state->again = later;
	if (rc > 0)
		note_victims(sched, state);
	return rc;
}

/* --- the observer ---------------------------------------------------------------------- */

static void running(struct lxfw_sched *sched, void *data, int32_t index)
{
	struct lxfw_preempting *state = data;

	state->preemption.obstacles |= lxfw_preemption_is_obstacle(sched, index);
}

static int64_t wake(const struct lxfw_sched *sched, const void *data)
{
	const struct lxfw_preempting *state = data;

	return sched->waiting > 0 ? state->again : LXFW_NEVER;
}

static void clear(struct lxfw_sched *sched, void *data)
{
	struct lxfw_preempting *state = data;

	(void)sched;
	lxfw_preemption_clear(&state->preemption);
	free(state);
}

static const struct lxfw_observer observer = {
	.name = name,
	.running = running,
	.wake = wake,
	.clear = clear,
};

int lxfw_preempting_begin(struct lxfw_sched *sched)
{
	struct lxfw_preempting *state = lxfw_preempting_of(sched);

	if (state)
		return 0;
	state = calloc(1, sizeof(*state));
	if (!state) {
		errno = ENOMEM;
		return -1;
	}
	state->again = LXFW_NEVER;
	state->preemption.obstacles = sched->running > 0;	/* they are not known here */
	sched->suspends = true;
	lxfw_observe(sched, &observer, state);
	return 0;
}

void lxfw_preempting_end(struct lxfw_sched *sched)
{
	lxfw_preempting_of(sched)->again = LXFW_NEVER;
}
