/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_SERVICE_RUNNER_H
#define LXFW_SERVICE_RUNNER_H

#include "common/service/quanta.h"

/* Allocate memory for one more runner. Returns 0, or -1 with errno ENOMEM. */
int lxfw_runner_ready(struct lxfw_sched *sched, void *quanta);

/* Add JOB if it runs and has no part in a quantum. lxfw_runner_ready() has been
   called. */
void lxfw_runner_add(struct lxfw_sched *sched, void *quanta, int32_t job);

/* Update the processors of JOB. */
void lxfw_runner_resized(struct lxfw_sched *sched, void *quanta, int32_t job);

/* Remove JOB, which no longer runs, or has a part in a quantum. */
void lxfw_runner_remove(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			int32_t job);

/* The time from which the job may be suspended under victim_share, which is set. */
int64_t lxfw_runner_share_kept_at(const struct lxfw_sched *sched,
				  const struct lxfw_runner *runner);

/* The time from which RUNNER may be preempted under all limits if it runs until then, or
   LXFW_NEVER. */
static inline int64_t
lxfw_runner_eligible_at(const struct lxfw_sched *sched,
			const struct lxfw_runner *runner)
{
	const struct lxfw_params *params = &sched->params;
	int64_t min_run = params->quantum_min_run, at;

	if (params->victim_suspensions > 0 &&
	    runner->suspensions >= params->victim_suspensions)
		return LXFW_NEVER;
	if (runner->suspensions > 0 && min_run < params->victim_interval)
		min_run = params->victim_interval;
	at = lxfw_time_add(runner->continued, min_run);
	if (params->victim_share > 0 && params->victim_share < 100) {
		int64_t kept = lxfw_runner_share_kept_at(sched, runner);

		at = at > kept ? at : kept;
	}
	return at;
}

static inline bool lxfw_runner_eligible(const struct lxfw_sched *sched,
					const struct lxfw_runner *runner)
{
	return lxfw_runner_eligible_at(sched, runner) <= sched->now;
}

#endif
