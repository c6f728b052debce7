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

/* From when on RUNNER may be preempted if it runs until then, by what victims are
   promised; LXFW_NEVER = not at all. */
int64_t lxfw_runner_eligible_at(const struct lxfw_sched *sched,
				const struct lxfw_runner *runner);

static inline bool lxfw_runner_eligible(const struct lxfw_sched *sched,
					const struct lxfw_runner *runner)
{
	return lxfw_runner_eligible_at(sched, runner) <= sched->now;
}

#endif
