/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which job is served when, and with how much memory; quantum.c says by what rules. */
#include "common/service/quantum.h"

#include "common/books/books.h"
#include "common/place/place.h"
#include "common/service/service.h"

/* What the job is given for its quantum. */
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
	return request;
}

/* How long a job has to have run in all so that, a quantum of suspension later, it has
   been suspended for no larger share of its time than is promised; rounded up. */
static int64_t run_for_share(const struct lxfw_params *params,
			     const struct lxfw_runner *runner)
{
	return lxfw_time_scale(lxfw_time_add(runner->paused, params->quantum),
			       (int32_t)(100 - params->victim_share),
			       (int32_t)params->victim_share);
}

int64_t lxfw_runner_eligible_at(const struct lxfw_sched *sched,
				const struct lxfw_runner *runner)
{
	const struct lxfw_params *params = &sched->params;
	int64_t least = params->quantum_min_run, at;

	if (params->victim_suspensions > 0 &&
	    runner->suspensions >= params->victim_suspensions)
		return LXFW_NEVER;
	if (runner->suspensions > 0 && least < params->victim_interval)
		least = params->victim_interval;
	at = lxfw_time_add(runner->continued, least);
	if (params->victim_share > 0 && params->victim_share < 100) {
		int64_t kept = lxfw_time_add(runner->continued - runner->ran,
					     run_for_share(params, runner));

		at = at > kept ? at : kept;
	}
	return at;
}

/* Whether there are enough processors at all: free ones and those of jobs that may
   be preempted. */
static bool may_suffice(struct lxfw_sched *sched,
			const struct lxfw_request *request)
{
	struct lxfw_quanta *quanta = sched->quanta;
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

/* Hosts for the quantum of a job that asks ASKED, which jobs that may be preempted
   make free. Their number, 0 if there are none, -1 with errno ENOMEM. */
static int32_t find_victims(struct lxfw_sched *sched,
			    const struct lxfw_request *asked,
			    const struct lxfw_request *request,
			    int32_t *host_set)
{
	int possible;

	if (sched->params.quantum_mode != LXFW_QUANTUM_PREEMPT ||
	    !may_suffice(sched, request))
		return 0;
	possible = lxfw_place_possible(sched, asked);
	if (possible <= 0)
		return possible;
	return lxfw_victims_find(sched, sched->quanta, request, host_set);
}

/* 1 if the job is served now, 0 if it cannot be, -1 with errno ENOMEM. */
static int serve(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_quanta *quanta = sched->quanta;
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_class *class = &sched->classes[job->class];
	struct lxfw_request request;
	int32_t host_set = 0, count;

	/* Nothing came free since, and nobody became eligible. */
	if (class->unserved == sched->gains && sched->now < quanta->next_eligible)
		return 0;
	request = quantum_request(sched, &job->request);
	quanta->victim_count = 0;
	count = lxfw_place_now(sched, &request, &host_set);
	if (count == 0)
		count = find_victims(sched, &job->request, &request, &host_set);
	if (count == 0)
		class->unserved = sched->gains;
	if (count <= 0)
		return count;
	return lxfw_quantum_begin(sched, index, count, host_set) < 0 ? -1 : 1;
}

/* When the next running job may be preempted, if that can help anybody. */
static int64_t next_eligible(const struct lxfw_sched *sched)
{
	const struct lxfw_quanta *quanta = sched->quanta;
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

/* Whether an arrival is still to be looked at after this pass. */
static bool is_to_be_served(const struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];

	if (job->served || job->request.no_quantum)
		return false;
	/* A start decided now may be refused yet. */
	return job->state != LXFW_JOB_RUNNING || job->continued == sched->now;
}

/* Whether an arrival has become servable since all were tried last. */
static bool is_worth_trying(const struct lxfw_sched *sched)
{
	const struct lxfw_quanta *quanta = sched->quanta;

	return quanta->arrival_count != quanta->arrivals_tried ||
	       quanta->tried_gains != sched->gains ||
	       quanta->next_eligible <= sched->now;
}

int lxfw_quantum_serve(struct lxfw_sched *sched)
{
	struct lxfw_quanta *quanta = sched->quanta;
	bool serves = lxfw_params_serve(&sched->params);
	size_t kept = 0;
	int rc = 0;

	if (!quanta || !is_worth_trying(sched))
		return 0;
	quanta->lendable = -1;
	for (size_t i = 0; i < quanta->arrival_count; i++) {
		struct lxfw_arrival arrival = quanta->arrivals[i];
		const struct lxfw_job *job = &sched->jobs[arrival.job];

		if (job->state == LXFW_JOB_FREE || job->request.id != arrival.id)
			continue;
		if (rc == 0 && serves && job->state == LXFW_JOB_WAITING &&
		    !job->served && !job->request.no_quantum)
			rc = serve(sched, arrival.job) < 0 ? -1 : 0;
		if (is_to_be_served(sched, arrival.job))
			quanta->arrivals[kept++] = arrival;
	}
	quanta->arrival_count = kept;
	quanta->arrivals_tried = rc < 0 ? SIZE_MAX : kept;
	quanta->tried_gains = sched->gains;
	quanta->next_eligible = next_eligible(sched);
	return rc;
}
