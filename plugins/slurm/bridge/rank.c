/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/rank.h"

#include "common/params/policy.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/parameters/parameters.h"

/* Tiers of the library for each PriorityTier: last, usual and first. */
#define TIERS LXFW_PARAMETERS_TIERS

/* Number of PriorityTiers. */
#define DEPTH_TIERS (UINT16_MAX + 1)

/* Above three times any PriorityTier. */
#define FIRST_OF_ALL (TIERS * DEPTH_TIERS)

_Static_assert((INT64_C(1) << 31) <= LXFW_DELAY_MAX, "a nice value exceeds a delay");

/* The priority plugin computes no priority for such a job. */
static bool is_set_by_hand(const job_record_t *job)
{
	return job->direct_set_prio && job->priority != 0;
}

void lxfw_computed_clear(struct lxfw_computed *computed)
{
	*computed = (struct lxfw_computed){ .least = UINT32_MAX };
}

void lxfw_computed_add(struct lxfw_computed *computed, const job_record_t *job)
{
	if (job->priority == 0 || job->priority == NO_VAL || job->direct_set_prio)
		return;
	if (job->priority < computed->least)
		computed->least = job->priority;
	if (job->priority > computed->most)
		computed->most = job->priority;
}

int32_t lxfw_rank_tier(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	const struct lxfw_computed *computed = &bridge->computed;
	int32_t tier = TIERS * (job->part_ptr->priority_tier -
				DEPTH_TIERS * lxfw_preempt_depth(bridge, job));

	if (lxfw_compat_is_expedited(job))
		return FIRST_OF_ALL;
	if (!is_set_by_hand(job) || computed->least > computed->most ||
	    lxfw_params_site(&bridge->agent.params) != 0)
		return tier;
	if (job->priority > computed->most)
		return tier + 1;
	return job->priority < computed->least ? tier - 1 : tier;
}

int64_t lxfw_rank_delay(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	int64_t delay = (int64_t)job->details->nice - NICE_OFFSET;

	if (lxfw_params_site(&bridge->agent.params) != 0 ||
	    (delay < 0 && bridge->user_top))
		return 0;
	return delay;
}
