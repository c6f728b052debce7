/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/measured.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

void lxfw_walk_request(const struct lxfw_walk *walk, size_t position,
		       struct lxfw_request *request)
{
	const struct lxfw_trace_job *job = &walk->trace->jobs[position];

	*request = (struct lxfw_request) {
		.id = position + 1, .submit = job->submit,
		.estimate = lxfw_simulation_estimate(walk->options, job),
	};
	lxfw_simulation_request(walk->cluster, lxfw_simulation_one_host(walk->options), job,
				lxfw_trace_need(walk->trace, position), request);
}

struct state {
	const struct lxfw_walk *walk;
	const void *model;		/* of priorities; NULL: none */
	struct lxfw_sched *sched;
	int64_t now;
	struct lxfw_share *shares;
	size_t shares_size;
	size_t not_placed;
};

static int apply(struct state *state, struct lxfw_event *event)
{
	event->time = state->now;
	return lxfw_sched_apply(state->sched, event, NULL);
}

static int enter_machine(struct state *state)
{
	const struct lxfw_cluster *cluster = state->walk->cluster;

	for (int32_t i = 0; i < cluster->count; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_HOST, .host.up = true };

		lxfw_cluster_host_event(cluster, i, &event);
		if (apply(state, &event))
			return -1;
	}
	for (int32_t i = 0; state->walk->trace->need_of && i < cluster->set_count; i++) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST_SET, .host_set.id = i,
			.host_set.count = cluster->sets[i].count,
			.host_set.hosts = cluster->sets[i].hosts,
		};

		if (apply(state, &event))
			return -1;
	}
	return 0;
}

static int enter_running(struct state *state, size_t position)
{
	const struct lxfw_trace_job *job = &state->walk->trace->jobs[position];
	int64_t start = job->submit + job->wait;
	struct lxfw_request request;
	const struct lxfw_share *shares;
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	int32_t count;

	lxfw_walk_request(state->walk, position, &request);
	count = lxfw_sched_place(state->sched, &request, &shares);
	if (count <= 0) {
		state->not_placed++;
		return count;
	}
	/* The next event may change the shares. */
	if (LXFW_GROW(state->shares, state->shares_size, (size_t)count))
		return -1;
	memcpy(state->shares, shares, (size_t)count * sizeof(*shares));
	event.run.id = request.id;
	event.run.expected_end = start + request.estimate > state->now ?
				 start + request.estimate : state->now + 1;
	event.run.count = count;
	event.run.shares = state->shares;
	event.run.past.since = start != 0 ? start : 1;
	event.run.past.submit = job->submit;
	return apply(state, &event);
}

static int enter_waiting(struct state *state, size_t position)
{
	const struct lxfw_priorities *priorities = state->walk->options->priorities;
	struct lxfw_request request;
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .request = &request,
	};

	lxfw_walk_request(state->walk, position, &request);
	if (priorities && priorities->unreserved)
		request.no_reservation |= priorities->unreserved(priorities->context,
								 request.id);
	if (apply(state, &event))
		return -1;
	if (!state->model)
		return 0;
	event = (struct lxfw_event) {
		.type = LXFW_EVENT_JOB_PRIORITY, .priority.id = request.id,
		.priority.priority = state->walk->options->priorities->priority(
						state->model, request.id),
	};
	return apply(state, &event);
}

/* Running jobs first, so that their hosts do not depend on those that wait. */
static int enter_jobs(struct state *state, size_t chosen)
{
	const struct lxfw_trace *trace = state->walk->trace;
	size_t i;

	for (i = 0; i < trace->count; i++) {
		size_t position = lxfw_trace_at(trace, i);
		const struct lxfw_trace_job *job = &trace->jobs[position];
		int64_t start = job->submit + job->wait;

		if (job->submit > state->now)
			break;
		if (job->wait < 0 || position == chosen || start > state->now ||
		    start + lxfw_simulation_run_time(state->walk->options, job) <=
		    state->now)
			continue;
		if (enter_running(state, position) < 0)
			return -1;
	}
	for (i = 0; i < trace->count; i++) {
		size_t position = lxfw_trace_at(trace, i);
		const struct lxfw_trace_job *job = &trace->jobs[position];

		if (job->submit > state->now)
			break;
		if ((position == chosen ||
		     (job->wait >= 0 && job->submit + job->wait > state->now)) &&
		    enter_waiting(state, position) < 0)
			return -1;
	}
	return 0;
}

struct lxfw_sched *lxfw_measured_state(const struct lxfw_walk *walk, size_t position,
				       const void *model, size_t *not_placed,
				       struct lxfw_error *error)
{
	struct state state = {
		.walk = walk, .model = model, .now = walk->trace->jobs[position].submit,
		.sched = lxfw_sched_create(&walk->options->params),
	};
	int saved;

	if (state.sched && enter_machine(&state) == 0 &&
	    enter_jobs(&state, position) == 0) {
		free(state.shares);
		*not_placed += state.not_placed;
		return state.sched;
	}
	saved = errno;
	lxfw_error_set(error, "the state of the machine cannot be made from the log");
	lxfw_sched_destroy(state.sched);
	free(state.shares);
	errno = saved;
	return NULL;
}
