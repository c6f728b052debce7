/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Levels of jobs as tiers of the library, and preemption by them. A tier is a level and a
 * priority within it, which only orders jobs.
 *
 * pbs_sched preempts with preemptive_sched in sched_config, whose default file has it, and adds the
 * priority of an express queue to the level of its jobs: those of the higher of two express queues
 * preempt those of the lower one. It does not with other queues.
 */
#include <string.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/setup.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* The priority of a queue is from -1024 to 1023. */
#define PRIORITY_MOST 1024

/* The tiers of a level. The last one is left to suspended jobs. */
#define TIERS (2 * PRIORITY_MOST + 1)

/* Levels of express queues from one level of preempt_prio to the next. */
#define STEPS (2 * PRIORITY_MOST)

static int64_t within(int64_t value, int64_t least, int64_t most)
{
	return value < least ? least : value > most ? most : value;
}

int32_t lxfw_pbs_tier(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      unsigned conditions)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	int64_t priority = queue ? queue->priority : 0, above = priority - site->sched.express;
	int level;

	conditions |= lxfw_pbs_over_soft(site, job);
	if (above >= 0)
		conditions |= LXFW_PBS_EXPRESS;
	if (site->queue_order == LXFW_PBS_QUEUES_TOGETHER)
		priority = 0;
	else if (site->queue_order == LXFW_PBS_QUEUES_IN_TURN && queue)
		priority = queue->later - PRIORITY_MOST;
	level = lxfw_pbs_level(&site->sched, conditions);
	if (site->preempts) {
		level *= STEPS;
		if (lxfw_pbs_level_has(&site->sched, conditions, LXFW_PBS_EXPRESS))
			level += (int)within(above, 0, STEPS - 1);
	}
	return level * TIERS +
	       (int32_t)within(priority, -PRIORITY_MOST,
			       site->preempts ? PRIORITY_MOST - 1 : PRIORITY_MOST);
}

/* --- preemption ----------------------------------------------------------------------- */

static bool has_soft(const struct lxfw_pbs_limits *limits)
{
	for (size_t i = 0; i < limits->count; i++) {
		if (limits->limit[i].soft)
			return true;
	}
	return false;
}

/* Whether jobs may have different levels. */
static bool has_levels(const struct lxfw_pbs *pbs)
{
	const struct lxfw_pbs_site *site = &pbs->site;
	const struct lxfw_pbs_sched *sched = &site->sched;
	bool found = (lxfw_pbs_has_condition(sched, LXFW_PBS_OVER_SERVER) &&
		      has_soft(&site->limits)) ||
		     (lxfw_pbs_has_condition(sched, LXFW_PBS_OVER_SHARE) &&
		      pbs->usage.tree.count > 0);

	for (size_t i = 0; i < site->queue_count && !found; i++) {
		const struct lxfw_pbs_queue *queue = &site->queue[i];

		found = queue->execution &&
			((queue->priority >= sched->express &&
			  lxfw_pbs_has_condition(sched, LXFW_PBS_EXPRESS)) ||
			 (has_soft(&queue->limits) &&
			  lxfw_pbs_has_condition(sched, LXFW_PBS_OVER_QUEUE)));
	}
	return found;
}

static bool applies(const struct lxfw_params *params)
{
	static const char name[] = "lxfw_preempt_tiers";

	return lxfw_key_means(lxfw_key_find(name, strlen(name)), params->policy, NULL);
}

bool lxfw_pbs_preempts_now(const struct lxfw_pbs *pbs)
{
	struct lxfw_params params = pbs->agent.params;

	if (!pbs->tiers_given)
		params.preempt_tiers = TIERS;
	return !pbs->shadow && !pbs->site.keeps_procs && applies(&params) &&
	       lxfw_params_by_tier(&params) &&
	       lxfw_pbs_preempts(&pbs->calendar, lxfw_agent_now(&pbs->agent));
}

void lxfw_pbs_choose_tiers(const struct lxfw_pbs *pbs, struct lxfw_params *params)
{
	if (pbs->tiers_given || !applies(params))
		return;
	params->preempt_tiers = pbs->preempts ? TIERS : 0;
	if (!lxfw_params_by_tier(params))
		params->preempt_tiers = 0;
}

void lxfw_pbs_update_tiers(struct lxfw_pbs *pbs)
{
	bool preempts = !pbs->shadow && !pbs->site.keeps_procs &&
			(has_levels(pbs) || pbs->considered) &&
			lxfw_pbs_preempts(&pbs->calendar, lxfw_agent_now(&pbs->agent));
	struct lxfw_params params = pbs->agent.params;

	/* Those that are suspended resume first. */
	if (preempts == pbs->preempts || (!preempts && pbs->agent.quanta.preempted_count > 0))
		return;
	pbs->preempts = preempts;
	lxfw_pbs_choose_tiers(pbs, &params);
	params.reservations = pbs->agent.reach.wanted;
	if (params.preempt_tiers == pbs->agent.params.preempt_tiers)
		return;
	lxfw_agent_set_params(&pbs->agent, &params);
	lxfw_log_info(preempts ? "jobs preempt others of lower levels (preemptive_sched)" :
				 "no job preempts others");
}

bool lxfw_pbs_may_preempt(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_site *site = &pbs->site;

	if (lxfw_pbs_site_find_resv_of(site, job->queue))
		return false;
	return !site->preempts || !site->sched.only_requeues || job->rerunable;
}
