/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arrived jobs: which of them is served when, and with how much memory. */
#include "common/service/serve.h"

#include "common/books/books.h"
#include "common/place/place.h"
#include "common/service/quantum.h"
#include "common/service/runner.h"
#include "common/service/victims.h"
#include "common/util/grow.h"

int lxfw_serve_arrived(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;
	const struct lxfw_arrival new = {
		sched->now, sched->jobs[index].request.id, index,
	};
	size_t at = quanta->arrival_count;

	if (!quanta->serves)
		return 0;
	if (LXFW_GROW(quanta->arrivals, quanta->arrivals_size,
		      quanta->arrival_count + 1))
		return -1;
	for (; at > 0 && quanta->arrivals[at - 1].time == new.time &&
	       lxfw_id_key(quanta->arrivals[at - 1].id) > lxfw_id_key(new.id); at--)
		quanta->arrivals[at] = quanta->arrivals[at - 1];
	quanta->arrivals[at] = new;
	quanta->arrival_count++;
	return 0;
}

void lxfw_serve_queued(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;

	(void)sched;
	(void)index;
	quanta->arrivals_tried = SIZE_MAX;
}

/* The request of a job for its quantum. */
static struct lxfw_request quantum_request(const struct lxfw_sched *sched,
					   const struct lxfw_request *asked)
{
	struct lxfw_request request = lxfw_request_simplest(sched, asked);
	int64_t most = sched->params.quantum_mem;

	if (request.shape == LXFW_SHAPE_ANYWHERE)
		most = (most + request.count - 1) / request.count;
	if (request.unit.memory_mb > most)
		request.unit.memory_mb = most;
	if (request.per_host.memory_mb > sched->params.quantum_mem)
		request.per_host.memory_mb = sched->params.quantum_mem;
	request.estimate = sched->params.quantum;
	request.min_estimate = 0;
	return request;
}

/* Whether the free processors and those of jobs that may be preempted are enough. */
static bool may_suffice(const struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			const struct lxfw_request *request)
{
	int64_t free = sched->profile.free.procs;

	if (quanta->lendable < 0) {
		quanta->lendable = 0;
		for (size_t i = 0; i < quanta->runner_count; i++) {
			if (lxfw_runner_eligible(sched, &quanta->runners[i]))
				quanta->lendable += quanta->runners[i].procs;
		}
	}
	return (int64_t)request->unit.procs * request->count <=
	       free + quanta->lendable;
}

/* Find hosts for the quantum of a job with the request ASKED, by suspending jobs. Returns
   the number of hosts, 0 if there are none, or -1 with errno ENOMEM. */
static int32_t find_victims(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			    const struct lxfw_request *asked,
			    const struct lxfw_request *request,
			    int32_t *host_set)
{
	int possible;

	if (sched->params.quantum_mode != LXFW_QUANTUM_PREEMPT ||
	    !may_suffice(sched, quanta, request))
		return 0;
	possible = lxfw_place_possible(sched, asked);
	if (possible <= 0)
		return possible;
	return lxfw_victims_find(sched, quanta, &lxfw_victims_by_slowdown, request,
				 request->estimate, host_set);
}

/* Serve a job now if possible. Returns 1 if it is served, 0 if not, or -1 with errno
   ENOMEM. */
static int serve(struct lxfw_sched *sched, struct lxfw_quanta *quanta, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_class *class = &sched->classes[job->class];
	struct lxfw_request request;
	int32_t host_set = 0, count;

	/* Nothing became free since the last attempt, and no job became eligible for
	   preemption. */
	if (class->unserved == sched->gains && sched->now < quanta->next_eligible)
		return 0;
	request = quantum_request(sched, &job->request);
	quanta->victim_count = 0;
	count = lxfw_place_now(sched, &request, &host_set);
	if (count == 0)
		count = find_victims(sched, quanta, &job->request, &request,
				     &host_set);
	if (count == 0)
		class->unserved = sched->gains;
	if (count <= 0)
		return count;
	return lxfw_quantum_begin(sched, quanta, index, count, host_set) < 0 ?
		       -1 : 1;
}

/* The time at which the next running job may be preempted, if a job is to be served. */
static int64_t next_eligible(const struct lxfw_sched *sched,
			     const struct lxfw_quanta *quanta)
{
	int64_t next = LXFW_NEVER;

	if (quanta->arrival_count == 0 ||
	    sched->params.quantum_mode != LXFW_QUANTUM_PREEMPT)
		return next;
	for (size_t i = 0; i < quanta->runner_count; i++) {
		int64_t time = lxfw_runner_eligible_at(sched,
						       &quanta->runners[i]);

		if (time > sched->now && time < next)
			next = time;
	}
	return next;
}

/* Whether an arrival is to be tried again after this pass. */
static bool is_to_be_served(const struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];

	if (job->served || job->request.no_quantum)
		return false;
	/* A start that was decided now may still be refused. */
	return job->state != LXFW_JOB_RUNNING || job->continued == sched->now;
}

/* Whether an arrival may be servable since all were last tried. */
static bool is_worth_trying(const struct lxfw_sched *sched,
			    const struct lxfw_quanta *quanta)
{
	return quanta->arrival_count != quanta->arrivals_tried ||
	       quanta->tried_gains != sched->gains ||
	       quanta->next_eligible <= sched->now;
}

int lxfw_serve_waiting(struct lxfw_sched *sched, void *state)
{
	struct lxfw_quanta *quanta = state;
	bool serves = lxfw_params_serve(&sched->params);
	size_t kept = 0;
	int rc = 0;

	if (!is_worth_trying(sched, quanta))
		return 0;
	quanta->lendable = -1;
	for (size_t i = 0; i < quanta->arrival_count; i++) {
		struct lxfw_arrival arrival = quanta->arrivals[i];
		const struct lxfw_job *job = &sched->jobs[arrival.job];

		if (job->state == LXFW_JOB_FREE || job->request.id != arrival.id)
			continue;
		if (rc == 0 && serves && job->state == LXFW_JOB_WAITING &&
		    !job->served && !job->request.no_quantum)
			rc = serve(sched, quanta, arrival.job) < 0 ? -1 : 0;
		if (is_to_be_served(sched, arrival.job))
			quanta->arrivals[kept++] = arrival;
	}
	quanta->arrival_count = kept;
	quanta->arrivals_tried = rc < 0 ? SIZE_MAX : kept;
	quanta->tried_gains = sched->gains;
	quanta->next_eligible = next_eligible(sched, quanta);
	return rc;
}
