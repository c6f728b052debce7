/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/preempting.h"

#include <errno.h>
#include <stdlib.h>

#include "common/books/observer.h"
#include "common/pass/possible.h"
#include "common/util/grow.h"

static const char name[] = "preemption";

struct lxfw_preempting *lxfw_preempting_of(const struct lxfw_sched *sched)
{
	return lxfw_observer_state(sched, name);
}

/* Whether running jobs have more processors of a host than it has. */
static bool has_too_much(const struct lxfw_sched *sched)
{
	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		if (lxfw_preemption_is_overcommitted(sched, i))
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

/* The waiting JOB cannot preempt others now: it is considered when more of them may be. */
static void note_failure(const struct lxfw_sched *sched, struct lxfw_preempting *state,
			 const struct lxfw_job *job, double priority)
{
	int64_t later = lxfw_preemption_later(&state->preemption,
					      lxfw_preemption_tier(sched, job), priority);

	if (later < state->again)
		state->again = later;
}

/* Whether the search for a candidate depends on more than what is free. */
static bool is_special(const struct lxfw_job *job)
{
	return job->kept || job->reservation >= 0 || lxfw_preempting_cannot(job);
}

/* List the candidates that `sift` examines. */
static int list_waiting(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			double (*priority)(const struct lxfw_sched *sched,
					   const struct lxfw_job *job))
{
	preemption->waiting_count = 0;
	if (LXFW_GROW(preemption->waiting, preemption->waiting_size, sched->heap_count + 1))
		return -1;
	for (size_t i = 0; i < sched->heap_count; i++) {
		const struct lxfw_job *job = &sched->jobs[sched->heap[i].job];
		int possible = lxfw_is_possible(sched, &sched->classes[job->class]);

		if (possible < 0)
			return -1;
		if (!possible || is_special(job))
			continue;
		preemption->waiting[preemption->waiting_count++] = (struct lxfw_preempter){
			.job = sched->heap[i].job,
			.tier = lxfw_preemption_tier(sched, job),
			.priority = priority(sched, job),
		};
	}
	return 0;
}

int lxfw_preempting_sift(struct lxfw_sched *sched, int32_t reserved,
			 double (*priority)(const struct lxfw_sched *sched,
					    const struct lxfw_job *job))
{
	struct lxfw_preemption *preemption = &lxfw_preempting_of(sched)->preemption;

	if (list_waiting(sched, preemption, priority) < 0 ||
	    lxfw_preemption_examine(sched, preemption, reserved) < 0)
		return -1;
	for (size_t i = 0; i < preemption->waiting_count; i++) {
		const struct lxfw_preempter *of = &preemption->waiting[i];
		struct lxfw_class *class = &sched->classes[sched->jobs[of->job].class];

		if (of->may_start)
			continue;
		lxfw_head_of(sched, class)->failed = sched->gains;
		class->sifted = sched->passes;
	}
	return 0;
}

bool lxfw_preempting_is_sifted(struct lxfw_sched *sched, int32_t index, double priority)
{
	struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_class *class = &sched->classes[job->class];

	if (class->sifted != sched->passes ||
	    lxfw_head_of(sched, class)->failed != sched->gains || is_special(job))
		return false;
	note_failure(sched, lxfw_preempting_of(sched), job, priority);
	job->nowhere = false;	/* that is not known */
	return true;
}

int32_t lxfw_preempting_make_room(struct lxfw_sched *sched, int32_t index, double priority)
{
	struct lxfw_preempting *state = lxfw_preempting_of(sched);
	const struct lxfw_job *job = &sched->jobs[index];
	int32_t rc;

	if (lxfw_preempting_cannot(job))
		return 0;
	rc = lxfw_preemption_for(sched, &state->preemption, index, priority);
	if (rc == 0)
		note_failure(sched, state, job, priority);
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
