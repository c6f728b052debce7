/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Futures of requests that have a common beginning, in which they are probes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/pass/probe.h"
#include "common/util/id_map.h"
#include "sim-frontend/predict/future_state.h"

/* Futures are forked before few jobs more than those that may have reservations wait: no probe
   would have got one until then, unless as many start at once. */
#define FORK_BEFORE 64

size_t lxfw_future_fork_at(const struct lxfw_futures *of, const struct lxfw_future_origin *origin)
{
	const struct lxfw_sched *sched = of->sched;
	size_t behind = 0;

	if (of->fork_before < 0 || of->probe_count < 2 || !origin->known || of->model || of->make ||
	    of->after_count > 0 || !lxfw_probe_is_possible(sched))
		return SIZE_MAX;
	for (size_t i = 0; i < of->probe_count; i++) {
		if (!lxfw_probe_may_ask(&of->probes[i]))
			return SIZE_MAX;
	}
	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];

		/* A snapshot lacks the reservations of groups. */
		if (job->state == LXFW_JOB_MEMBER ||
		    (job->state == LXFW_JOB_WAITING && job->group >= 0))
			return SIZE_MAX;
		behind += job->state == LXFW_JOB_WAITING &&
			  job->priority <= of->candidate_priority;
	}
	behind += (size_t)(of->fork_before > 0 ? of->fork_before : FORK_BEFORE);
	behind += (size_t)lxfw_reservations_allowed(sched);
	return behind < sched->waiting ? behind : SIZE_MAX;
}

static int submit_probes(struct lxfw_future *future)
{
	const struct lxfw_futures *of = future->of;
	int failed = 0;

	for (size_t i = 0; i < of->probe_count && !failed; i++) {
		struct lxfw_request request = of->probes[i];

		request.probe = true;
		request.submit = future->begin;
		failed = lxfw_engine_submit(future->engine, &request, future->begin);
	}
	return failed;
}

/* Runs the future of one probe, as a job, from the moment on. */
static int run_apart(const struct lxfw_future *of, size_t probe, struct lxfw_error *error)
{
	struct lxfw_future future = {
		.of = of->of, .origin = of->origin, .number = of->number, .starts = of->starts,
		.watched = of->watched, .candidate = &of->of->probes[probe],
	};
	int result = lxfw_future_run(&future, error);

	lxfw_future_end(&future);
	return result;
}

/* Takes those that would have started, or got a reservation, from the queue. *APART has a bit for
   each probe whose future is to be run from the moment on. */
static int take_probed(struct lxfw_future *future, uint64_t *apart)
{
	const struct lxfw_futures *of = future->of;
	struct lxfw_sched *sched = lxfw_engine_sched(future->engine);
	int failed = 0;

	for (size_t i = 0; i < of->probe_count && sched->probed > 0 && !failed; i++) {
		int32_t index = lxfw_id_map_get(&sched->job_by_id, of->probes[i].id);
		enum lxfw_probed probed = index < 0 ? LXFW_PROBED_WAITS :
						      sched->jobs[index].probed;

		if (probed == LXFW_PROBED_WAITS)
			continue;
		if (probed == LXFW_PROBED_STARTS)
			future->starts[i * (size_t)of->count] = sched->now;
		else
			*apart |= UINT64_C(1) << i;
		future->left--;
		failed = lxfw_sched_apply(sched, &(struct lxfw_event) {
			.type = LXFW_EVENT_JOB_END, .time = sched->now, .end.id = of->probes[i].id,
		}, NULL);
	}
	sched->probed = 0;
	return failed;
}

/* Of a snapshot, the probes are no part of what is continued. */
static void leave_probes(struct lxfw_snapshot *state)
{
	size_t kept = 0;

	for (size_t i = 0; i < state->job_count; i++) {
		if (state->jobs[i].request.probe)
			free(state->jobs[i].shares);
		else
			state->jobs[kept++] = state->jobs[i];
	}
	state->job_count = kept;
}

/* The job was submitted at the moment, and has waited. */
static int submit_late(struct lxfw_future *future, struct lxfw_sched *sched)
{
	struct lxfw_request request = *future->candidate;
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = sched->now, .request = &request,
	};

	request.submit = future->begin;
	if (lxfw_sched_apply(sched, &event, NULL))
		return -1;
	event = (struct lxfw_event){
		.type = LXFW_EVENT_JOB_PRIORITY, .time = sched->now, .priority.id = request.id,
		.priority.priority = future->of->candidate_priority,
	};
	return lxfw_sched_apply(sched, &event, NULL);
}

/* Continues a future with a probe that has become a job. */
static int run_forked(const struct lxfw_future *from, const struct lxfw_snapshot *state, size_t probe,
		      struct lxfw_error *error)
{
	struct lxfw_future future = *from;
	const struct lxfw_world world = lxfw_future_world(&future);
	int64_t last = from->begin + from->of->horizon;
	struct lxfw_sched *sched = lxfw_snapshot_restore(state, NULL, NULL);
	int failed;

	future.candidate = &from->of->probes[probe];
	future.left = 1;
	future.engine = NULL;
	future.arrived = NULL;
	future.arrived_count = future.arrived_size = 0;
	future.awake = NULL;
	future.held = NULL;
	future.held_count = 0;
	future.late = calloc(from->origin->rest.part_count + 1, sizeof(*future.late));
	if (!sched || !future.late) {
		lxfw_sched_destroy(sched);
		lxfw_future_end(&future);
		return -1;
	}
	memcpy(future.late, from->late, from->origin->rest.part_count * sizeof(*future.late));
	future.engine = lxfw_engine_fork(from->engine, &world, sched, error);
	failed = !future.engine || submit_late(&future, sched) ? -1 : 0;
	while (!failed && lxfw_future_goes_on(&future, last))
		failed = lxfw_engine_step(future.engine, lxfw_engine_next(future.engine), error);
	lxfw_future_end(&future);
	return future.failed ? -1 : failed;
}

/* Continues the future with each of the probes that still wait. */
static int fork_all(struct lxfw_future *future, struct lxfw_error *error)
{
	const struct lxfw_futures *of = future->of;
	struct lxfw_sched *sched = lxfw_engine_sched(future->engine);
	struct lxfw_snapshot state = { 0 };
	int failed = lxfw_snapshot_take(&state, sched);

	if (!failed)
		leave_probes(&state);
	for (size_t i = 0; i < of->probe_count && !failed; i++) {
		if (lxfw_id_map_get(&sched->job_by_id, of->probes[i].id) >= 0)
			failed = run_forked(future, &state, i, error);
	}
	lxfw_snapshot_clear(&state);
	return failed;
}

/* Runs the common beginning of the futures of probes, and then each for itself. *APART as for
   take_probed(). */
static int run_probes(struct lxfw_future *future, uint64_t *apart, struct lxfw_error *error)
{
	const struct lxfw_world world = lxfw_future_world(future);
	int64_t last = future->of->now + future->of->horizon;
	int failed = lxfw_future_begin(future, &world, error);
	struct lxfw_sched *sched;

	/* Jobs that arrive would be behind the probes. */
	if (failed || !future->no_arrivals) {
		*apart = UINT64_MAX;
		return failed;
	}
	sched = lxfw_engine_sched(future->engine);
	failed = submit_probes(future);
	while (!failed && lxfw_future_goes_on(future, last)) {
		failed = lxfw_engine_step(future->engine, lxfw_engine_next(future->engine),
					  error);
		if (!failed)
			failed = take_probed(future, apart);
		if (!failed && future->left > 0 && sched->waiting <= future->origin->fork)
			return fork_all(future, error);
	}
	return future->failed ? -1 : failed;
}

int lxfw_future_run_probes(struct lxfw_future *future, struct lxfw_error *error)
{
	uint64_t apart = future->origin->fork == SIZE_MAX ? UINT64_MAX : 0;
	int result = apart ? 0 : run_probes(future, &apart, error);

	for (size_t i = 0; i < future->of->probe_count && result == 0; i++) {
		if (apart >> i & 1)
			result = run_apart(future, i, error);
	}
	return result;
}
