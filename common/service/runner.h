/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_SERVICE_RUNNER_H
#define LXFW_SERVICE_RUNNER_H

#include "common/service/quanta.h"

/* Make room for one more runner. 0, or -1 with errno ENOMEM. */
int lxfw_runner_ready(struct lxfw_sched *sched, void *quanta);

/* JOB runs and takes part in no quantum; one more there is room for. */
void lxfw_runner_add(struct lxfw_sched *sched, void *quanta, int32_t job);

/* It has other processors. */
void lxfw_runner_resized(struct lxfw_sched *sched, void *quanta, int32_t job);

/* It does not run any more, or takes part in a quantum. */
void lxfw_runner_remove(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			int32_t job);

/* From when on it may be suspended as far as victim_share goes, which bounds it. */
int64_t lxfw_runner_share_kept_at(const struct lxfw_sched *sched,
				  const struct lxfw_runner *runner);

/* From when on RUNNER may be preempted if it runs until then, by what victims are
   promised; LXFW_NEVER = not at all. */
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
