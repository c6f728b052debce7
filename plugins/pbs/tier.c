/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which jobs come first, before their priorities. */
#include "plugins/pbs/limits.h"
#include "plugins/pbs/request.h"

/* The priority of a queue is from -1024 to 1023. */
#define PRIORITY_MOST 1024

int32_t lxfw_pbs_tier(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      unsigned conditions)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	int64_t priority = queue ? queue->priority : 0;

	conditions |= lxfw_pbs_over_soft(site, job);
	if (priority >= site->sched.express)
		conditions |= LXFW_PBS_EXPRESS;
	if (site->queue_order == LXFW_PBS_QUEUES_TOGETHER)
		priority = 0;
	else if (site->queue_order == LXFW_PBS_QUEUES_IN_TURN && queue)
		priority = queue->later - PRIORITY_MOST;
	if (priority > PRIORITY_MOST)
		priority = PRIORITY_MOST;
	if (priority < -PRIORITY_MOST)
		priority = -PRIORITY_MOST;
	return lxfw_pbs_level(&site->sched, conditions) * (2 * PRIORITY_MOST + 1) +
	       (int32_t)priority;
}
