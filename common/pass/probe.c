/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/probe.h"

#include "common/books/candidate.h"
#include "common/params/policy.h"
#include "common/place/place.h"

/* Whether a pass considers each job by itself, in an order that time does not change, and only
   starts and reserves. */
static bool is_plain(const struct lxfw_sched *sched)
{
	const struct lxfw_backfill *backfill = &sched->policy->backfill;

	return !sched->policy->pass && !backfill->in_order && !backfill->keeps &&
	       !backfill->cycles && !backfill->preempts && !backfill->by_tier &&
	       !backfill->may_reserve && !backfill->considers && !backfill->make_room &&
	       !backfill->sift && !backfill->grow && !sched->policy->order.alone &&
	       !sched->policy->order.list && lxfw_order_is_fixed(sched) && !lxfw_molds(sched);
}

bool lxfw_probe_is_possible(const struct lxfw_sched *sched)
{
	const struct lxfw_params *params = &sched->params;

	return is_plain(sched) && lxfw_is_dynamic(sched) && sched->profile.host_count > 1 &&
	       sched->suspended == 0 && sched->kept_classes == 0 && !sched->suspends &&
	       sched->weights.most_boot == 0 && params->interval == 0 &&
	       params->reservation_age == 0 && params->reservation_priority == 0 &&
	       params->reservation_window == 0 && !lxfw_params_serve(params);
}

bool lxfw_probe_may_ask(const struct lxfw_request *request)
{
	return request->group == 0 && request->pool_count == 0 && request->min_estimate == 0 &&
	       request->min_procs == 0;
}

enum lxfw_outcome lxfw_probe_consider(struct lxfw_sched *sched, int32_t index, bool may_reserve)
{
	struct lxfw_job *job = &sched->jobs[index];
	int32_t host_set, count = 0;

	if (!may_reserve)
		count = lxfw_place_now(sched, &job->request, &host_set);
	if (count < 0)
		return LXFW_FAILED;
	/* The rest of a pass may consider it again. */
	if (may_reserve)
		job->probed = LXFW_PROBED_RESERVES;
	else if (count == 0)
		lxfw_head_of(sched, &sched->classes[job->class])->failed = sched->gains;
	else if (job->probed == LXFW_PROBED_WAITS)
		job->probed = LXFW_PROBED_STARTS;
	sched->probed += job->probed != LXFW_PROBED_WAITS;
	return LXFW_BLOCKED;
}
