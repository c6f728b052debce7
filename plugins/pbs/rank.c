/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of jobs that the site prescribes. */
#include "plugins/agent/log.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* The priority of a queue is from -1024 to 1023. */
#define PRIORITY_MOST 1024

/* Seconds between two evaluations of the formula for a job. The values of all jobs grow with
   time, and each change is an event of the library. */
#define VALUE_SECONDS 60

int32_t lxfw_pbs_tier(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		      unsigned conditions)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	int64_t priority = queue ? queue->priority : 0;

	conditions |= lxfw_pbs_over_soft(site, job);
	if (priority >= site->sched.express)
		conditions |= LXFW_PBS_EXPRESS;
	if (priority > PRIORITY_MOST)
		priority = PRIORITY_MOST;
	if (priority < -PRIORITY_MOST)
		priority = -PRIORITY_MOST;
	return lxfw_pbs_level(&site->sched, conditions) * (2 * PRIORITY_MOST + 1) +
	       (int32_t)priority;
}

/* --- fair share --------------------------------------------------------------------------- */

/* Priorities of the library for a factor of 1, if there is no formula. */
#define FACTOR_SCALE 1000000

/* Charges the entity of a job that runs for what it has used since the last time. What it used
   before the daemon saw it is not known to be charged, and counts as charged. */
static void charge(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	struct lxfw_known_job *known = lxfw_table_find(&pbs->agent.jobs,
						       lxfw_pbs_id(job->number, job->task));
	struct lxfw_pbs_own *own = known ? lxfw_pbs_own(known) : NULL;
	double used;
	char name[256];

	if (!own || job->state != 'R' || !job->used_count)
		return;
	used = lxfw_pbs_formula_used(&pbs->used, job);
	lxfw_pbs_usage_name(&pbs->usage, job, name, sizeof(name));
	if (own->charged_run == job->started && used > own->charged && name[0]) {
		(void)lxfw_pbs_fairshare_add(&pbs->usage.tree, name, used - own->charged);
		pbs->usage.dirty = true;
	}
	own->charged = used;
	own->charged_run = job->started;
}

static void update_usage(struct lxfw_pbs *pbs)
{
	struct lxfw_error why;
	bool changed;

	if (!lxfw_pbs_usage_update(&pbs->usage, &pbs->site, pbs->valued, pbs->shadow))
		return;
	if (!pbs->usage.tree.count || (!pbs->usage.fair_share && !pbs->formula.formula &&
				       !lxfw_pbs_has_condition(&pbs->site.sched,
							       LXFW_PBS_OVER_SHARE)))
		return;
	if (!lxfw_pbs_formula_use(&pbs->used, pbs->usage.resource, &pbs->site.kinds, &changed,
				  &why))
		lxfw_log_error("fairshare_usage_res: %s: usage stays as it is", why.text);
	for (size_t i = 0; pbs->used.formula && i < pbs->site.job_count; i++)
		charge(pbs, &pbs->site.job[i]);
	lxfw_pbs_usage_compute(&pbs->usage, pbs->valued);
	if (!pbs->shadow)
		lxfw_pbs_usage_save(&pbs->usage);
}

unsigned lxfw_pbs_share_conditions(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_entity *entity;

	if (!lxfw_pbs_has_condition(&pbs->site.sched, LXFW_PBS_OVER_SHARE))
		return 0;
	entity = lxfw_pbs_usage_of(&pbs->usage, job);
	return entity && lxfw_pbs_fairshare_over(&pbs->usage.tree, entity) ?
		       LXFW_PBS_OVER_SHARE : 0;
}

/* The value of a job, by the formula or by fair share. */
static double value_of(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_entity *entity = lxfw_pbs_usage_of(&pbs->usage, job);

	if (pbs->formula.formula)
		return lxfw_pbs_formula_value(&pbs->formula, &pbs->site, job, entity);
	return entity ? lxfw_pbs_fairshare_factor(entity) : 0;
}

/* --- the formula -------------------------------------------------------------------------- */

void lxfw_pbs_begin_ranks(struct lxfw_pbs *pbs)
{
	int64_t now = pbs->agent.clock;
	struct lxfw_error why;
	bool changed;

	if (!lxfw_pbs_formula_use(&pbs->formula, pbs->site.sched.formula, &pbs->site.kinds,
				  &changed, &why))
		lxfw_log_error("job_sort_formula: %s: jobs are ordered without it", why.text);
	if (!changed && now >= pbs->valued && now - pbs->valued < VALUE_SECONDS)
		return;
	pbs->valued = now;
	if (++pbs->valuation == 0)
		pbs->valuation = 1;
	update_usage(pbs);
}

bool lxfw_pbs_rank(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, int64_t *priority)
{
	struct lxfw_known_job *known;
	struct lxfw_pbs_own *own;
	double value;

	if (!pbs->formula.formula && !pbs->usage.fair_share) {
		*priority = job->priority;
		return true;
	}
	known = lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task));
	own = known ? lxfw_pbs_own(known) : NULL;
	if (own && own->valuation == pbs->valuation) {
		value = own->value;
	} else {
		value = value_of(pbs, job);
		if (own) {
			own->valuation = pbs->valuation;
			own->value = value;
		}
	}
	if (!pbs->formula.formula) {
		*priority = (int64_t)(value * FACTOR_SCALE);
		return true;
	}
	*priority = lxfw_pbs_formula_priority(value);
	return value > pbs->site.sched.threshold;
}
