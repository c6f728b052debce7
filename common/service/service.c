/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Immediate service as an observer of the scheduler. */
#include "common/service/service.h"

#include <errno.h>
#include <stdlib.h>

#include "common/books/observer.h"
#include "common/service/quantum.h"
#include "common/service/runner.h"
#include "common/service/serve.h"

static const char name[] = "immediate service";

bool lxfw_service_on_host(const struct lxfw_sched *sched, int32_t host)
{
	const struct lxfw_quanta *quanta = lxfw_observer_state(sched, name);

	for (size_t i = 0; quanta && i < quanta->quantum_count; i++) {
		const struct lxfw_quantum *quantum = &quanta->quanta[i];

		for (int32_t j = 0; quantum->used && j < quantum->share_count; j++) {
			if (quantum->shares[j].host == host)
				return true;
		}
	}
	return false;
}

/* The time at which a quantum ends, or one may begin. */
static int64_t wake(const struct lxfw_sched *sched, const void *state)
{
	const struct lxfw_quanta *quanta = state;

	(void)sched;
	return quanta->next_end < quanta->next_eligible ? quanta->next_end :
							  quanta->next_eligible;
}

static void clear(struct lxfw_sched *sched, void *state)
{
	struct lxfw_quanta *quanta = state;

	(void)sched;
	for (size_t i = 0; i < quanta->quantum_count; i++) {
		free(quanta->quanta[i].shares);
		free(quanta->quanta[i].victims);
	}
	free(quanta->quanta);
	free(quanta->runners);
	free(quanta->arrivals);
	free(quanta->shares);
	free(quanta->offers);
	free(quanta->offers_at);
	free(quanta->preempted);
	free(quanta->taken);
	free(quanta->victims);
	free(quanta->tried);
	free(quanta);
}

static const struct lxfw_observer observer = {
	.name = name,
	.before_pass = lxfw_quanta_finish,
	.after_pass = lxfw_serve_waiting,
	.ready = lxfw_runner_ready,
	.arrived = lxfw_serve_arrived,
	.queued = lxfw_serve_queued,
	.running = lxfw_runner_add,
	.resized = lxfw_runner_resized,
	.reported = lxfw_quanta_reported,
	.leaving = lxfw_quanta_leaving,
	.wake = wake,
	.clear = clear,
};

/* Add the jobs that run already; they may be preempted. Returns 0, or -1 with errno
   ENOMEM. */
static int add_runners(struct lxfw_sched *sched, struct lxfw_quanta *quanta)
{
	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (sched->jobs[i].state != LXFW_JOB_RUNNING)
			continue;
		if (lxfw_runner_ready(sched, quanta) < 0) {
			for (size_t j = 0; j < i; j++)
				sched->jobs[j].runner = -1;
			return -1;
		}
		lxfw_runner_add(sched, quanta, (int32_t)i);
	}
	return 0;
}

struct lxfw_quanta *lxfw_service_quanta(struct lxfw_sched *sched)
{
	struct lxfw_quanta *quanta = lxfw_observer_state(sched, name);

	if (quanta)
		return quanta;
	quanta = calloc(1, sizeof(*quanta));
	if (!quanta) {
		errno = ENOMEM;
		return NULL;
	}
	quanta->next_end = LXFW_NEVER;
	quanta->next_eligible = LXFW_NEVER;
	if (add_runners(sched, quanta) < 0) {
		clear(sched, quanta);
		return NULL;
	}
	sched->suspends = true;
	lxfw_observe(sched, &observer, quanta);
	return quanta;
}

/* Jobs that wait already when immediate service begins are not served. */
int lxfw_service_params(struct lxfw_sched *sched)
{
	struct lxfw_quanta *quanta;

	if (!lxfw_params_serve(&sched->params))
		return 0;
	quanta = lxfw_service_quanta(sched);
	if (!quanta)
		return -1;
	quanta->serves = true;
	return 0;
}
