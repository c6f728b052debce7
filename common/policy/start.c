/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Actions, and what they do to the books. */
#include "common/policy/order.h"

#include <string.h>

#include "common/util/grow.h"

int lxfw_actions_ready(struct lxfw_sched *sched, size_t actions, size_t shares)
{
	void *grown;

	grown = lxfw_grow(sched->actions, &sched->actions_size,
			  sched->action_count + actions,
			  sizeof(*sched->actions));
	if (!grown)
		return -1;
	sched->actions = grown;
	grown = lxfw_grow(sched->shares, &sched->shares_size,
			  sched->share_count + shares, sizeof(*sched->shares));
	if (!grown)
		return -1;
	sched->shares = grown;
	return 0;
}

int lxfw_action_append(struct lxfw_sched *sched,
		       const struct lxfw_action *action)
{
	size_t count = (size_t)action->count;

	if (lxfw_actions_ready(sched, 1, count) < 0)
		return -1;
	if (count > 0)
		memcpy(sched->shares + sched->share_count, action->shares,
		       count * sizeof(*sched->shares));
	sched->share_count += count;
	sched->actions[sched->action_count++] = *action;
	return 0;
}

/* Every waiting job with a higher priority than the one that starts has been
   bypassed once more (the last job measure of table 3). */
static void count_bypassed(struct lxfw_sched *sched, int32_t started)
{
	struct lxfw_candidate starts = lxfw_candidate_of(sched, started);

	for (size_t i = 0; i < sched->active_count; i++) {
		int32_t at = sched->classes[sched->active[i]].head;

		for (; at >= 0; at = sched->jobs[at].next) {
			struct lxfw_candidate waits = lxfw_candidate_of(sched, at);

			if (lxfw_candidate_before(&waits, &starts))
				sched->jobs[at].bypassed++;
		}
	}
}

int lxfw_job_start(struct lxfw_sched *sched, int32_t index, int32_t count,
		   int32_t host_set, int64_t until)
{
	struct lxfw_job *job = &sched->jobs[index];
	const struct lxfw_action action = {
		.type = LXFW_ACTION_START, .job = job->request.id,
		.start = sched->now, .until = until,
		.host_set = host_set, .count = count, .shares = sched->found,
	};

	job->start = sched->now;
	job->due = lxfw_time_add(sched->now, job->request.estimate);
	if (until < job->due)
		job->due = until;
	job->expected_end = job->due;
	if (lxfw_profile_ready_run(&sched->profile, count) < 0 ||
	    lxfw_expiry_ready(sched, 1) < 0 ||
	    lxfw_quantum_ready(sched) < 0 ||
	    lxfw_action_append(sched, &action) < 0)
		return -1;
	if (sched->params.wbypass != 0)
		count_bypassed(sched, index);
	lxfw_reservation_use(sched, index);
	lxfw_queue_remove(sched, index);
	job->claim = lxfw_profile_run(&sched->profile, sched->found, count,
				      job->expected_end);
	lxfw_expiry_add(sched, index);
	job->state = LXFW_JOB_RUNNING;
	job->announced = false;
	job->ran = 0;
	job->continued = sched->now;
	sched->waiting--;
	sched->running++;
	lxfw_quantum_running(sched, index);
	return 0;
}
