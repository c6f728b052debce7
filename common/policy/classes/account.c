/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Job classes of waiting jobs, and the counts of running jobs. pass.c has the rules. */
#include "common/policy/classes/private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/observer.h"
#include "common/books/reservation.h"
#include "common/util/grow.h"

const char lxfw_classes_name[] = "job classes";

/* A single class without limits. */
static const struct lxfw_host_rules any_rules = {
	.running_most = { LXFW_NO_COUNT_LIMIT }, .order_count = 1,
};

static const struct lxfw_job_classes any_class = {
	.time_count = 1, .size_count = 1,
	.times = { { "any", LXFW_NO_TIME_LIMIT, LXFW_NO_TIME_LIMIT,
		     LXFW_NO_TIME_LIMIT, LXFW_NO_COUNT_LIMIT } },
	.sizes = { { "any", LXFW_NO_COUNT_LIMIT, LXFW_NO_MEMORY_LIMIT } },
	.rules_count = 1, .rules = &any_rules,
};

/* --- lists of waiting jobs -------------------------------------------------------- */

/* Determine the job class of a class of equal requests, and put it first on the list of
   that job class. */
static void enlist(struct lxfw_sched *sched, struct lxfw_job_classes_state *state,
		   int32_t index)
{
	struct lxfw_class *class = &sched->classes[index];
	int32_t *first;

	class->job_class = lxfw_job_class_of(state->classes, &class->request);
	if (class->job_class < 0)
		return;
	first = &state->lists[class->job_class];
	class->job_class_previous = -1;
	class->job_class_next = *first;
	if (*first >= 0)
		sched->classes[*first].job_class_previous = index;
	*first = index;
}

static void class_made(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_job_classes_state *classes = state;

	if (!classes->stale)
		enlist(sched, classes, index);
}

static void class_gone(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_job_classes_state *classes = state;
	const struct lxfw_class *class = &sched->classes[index];

	if (class->job_class < 0 || classes->stale)
		return;
	if (class->job_class_next >= 0)
		sched->classes[class->job_class_next].job_class_previous =
			class->job_class_previous;
	if (class->job_class_previous >= 0)
		sched->classes[class->job_class_previous].job_class_next =
			class->job_class_next;
	else
		classes->lists[class->job_class] = class->job_class_next;
}

/* --- counts of running jobs ------------------------------------------------------- */

/* The first host of a running job's claim, or -1. */
static int32_t host_of(const struct lxfw_sched *sched, int32_t index)
{
	int32_t node = sched->jobs[index].claim;

	while (node >= 0 && sched->profile.releases.nodes[node].host < 0)
		node = sched->profile.releases.nodes[node].next;
	return node < 0 ? -1 : sched->profile.releases.nodes[node].host;
}

/* Add SIGN to the counts of a running job, on all hosts together and on its first
   host. */
static void count(const struct lxfw_sched *sched,
		  struct lxfw_job_classes_state *state, int32_t index, int32_t sign)
{
	const struct lxfw_job *job = &sched->jobs[index];
	int32_t host = host_of(sched, index), class = -1;

	if (job->request.estimate > 0)
		class = lxfw_job_class_of(state->classes, &job->request);
	if (class < 0)
		return;
	state->running[lxfw_job_class_time(state->classes, class)] += sign;
	if (host >= 0)
		state->hosts[host].running[lxfw_job_class_size(state->classes,
							       class)] += sign;
}

static int ready(struct lxfw_sched *sched, void *of)
{
	struct lxfw_job_classes_state *state = of;

	if (state->hosts_size >= (size_t)sched->profile.host_count)
		return 0;
	if (LXFW_GROW(state->hosts, state->hosts_size,
		      (size_t)sched->profile.host_count))
		return -1;
	return 0;
}

static void running(struct lxfw_sched *sched, void *of, int32_t job)
{
	struct lxfw_job_classes_state *state = of;

	if (!state->stale)
		count(sched, state, job, 1);
}

static void leaving(struct lxfw_sched *sched, void *of, int32_t job)
{
	struct lxfw_job_classes_state *state = of;

	if (!state->stale)
		count(sched, state, job, -1);
}

static void ended(struct lxfw_sched *sched, void *of, int32_t job)
{
	struct lxfw_job_classes_state *state = of;
	int32_t node = sched->jobs[job].claim;

	if (state->stale)
		return;
	for (; node >= 0; node = sched->profile.releases.nodes[node].next) {
		int32_t host = sched->profile.releases.nodes[node].host;

		if (host >= 0)
			state->hosts[host].ended++;
	}
}

/* Rebuild all lists and counts, because the job classes have changed or the policy is in
   force again. */
static void count_all(struct lxfw_sched *sched, struct lxfw_job_classes_state *state)
{
	memset(state->running, 0, sizeof(state->running));
	for (size_t i = 0; i < state->hosts_size; i++) {
		memset(state->hosts[i].running, 0,
		       sizeof(state->hosts[i].running));
		if (state->stale)
			state->hosts[i].ended = 0;
	}
	state->stale = false;
	for (int32_t i = 0; i < LISTS_MAX; i++)
		state->lists[i] = -1;
	for (size_t i = 0; i < sched->head_count; i++)
		enlist(sched, state, sched->heads[i].class);
	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (sched->jobs[i].state == LXFW_JOB_RUNNING)
			count(sched, state, (int32_t)i, 1);
	}
}

/* --- the state ------------------------------------------------------------------- */

static void use(struct lxfw_job_classes_state *state, const struct lxfw_sched *sched)
{
	state->classes = sched->job_classes ? sched->job_classes : &any_class;
	state->stale = true;
}

static void job_classes(struct lxfw_sched *sched, void *of)
{
	struct lxfw_job_classes_state *state = of;

	if (state->in_force)
		lxfw_reservations_drop_from(sched, 0);
	use(state, sched);
}

static void clear(struct lxfw_sched *sched, void *of)
{
	struct lxfw_job_classes_state *state = of;

	(void)sched;
	free(state->hosts);
	free(state);
}

int lxfw_classes_begin(struct lxfw_sched *sched)
{
	static const struct lxfw_observer observer = {
		.name = lxfw_classes_name,
		.job_classes = job_classes,
		.ready = ready,
		.running = running,
		.leaving = leaving,
		.ended = ended,
		.class_made = class_made,
		.class_gone = class_gone,
		.clear = clear,
	};
	struct lxfw_job_classes_state *state = classes_of(sched);

	if (!state) {
		state = calloc(1, sizeof(*state));
		if (!state) {
			errno = ENOMEM;
			return -1;
		}
		lxfw_observe(sched, &observer, state);
	}
	use(state, sched);
	state->in_force = true;
	return 0;
}

void lxfw_classes_end(struct lxfw_sched *sched)
{
	struct lxfw_job_classes_state *state = classes_of(sched);

	state->stale = true;
	state->in_force = false;
}

int lxfw_classes_count(struct lxfw_sched *sched)
{
	struct lxfw_job_classes_state *state = classes_of(sched);

	if (ready(sched, state) < 0)
		return -1;
	/* The quantum of a job that another policy started may have ended. */
	if (state->stale || sched->suspends)
		count_all(sched, state);
	return 0;
}
