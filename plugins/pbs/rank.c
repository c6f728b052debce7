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

int32_t lxfw_pbs_tier(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, job->queue);
	int64_t priority = queue ? queue->priority : 0;
	unsigned conditions = lxfw_pbs_over_soft(site, job);

	if (priority >= site->sched.express)
		conditions |= LXFW_PBS_EXPRESS;
	if (priority > PRIORITY_MOST)
		priority = PRIORITY_MOST;
	if (priority < -PRIORITY_MOST)
		priority = -PRIORITY_MOST;
	return lxfw_pbs_level(&site->sched, conditions) * (2 * PRIORITY_MOST + 1) +
	       (int32_t)priority;
}

/* --- the formula -------------------------------------------------------------------------- */

void lxfw_pbs_begin_ranks(struct lxfw_pbs *pbs)
{
	int64_t now = pbs->agent.clock;
	struct lxfw_error why;
	bool changed;

	if (!lxfw_pbs_formula_use(&pbs->formula, &pbs->site, &changed, &why))
		lxfw_log_error("job_sort_formula: %s: jobs are ordered without it", why.text);
	if (changed || now < pbs->valued || now - pbs->valued >= VALUE_SECONDS)
		pbs->valued = now;
}

bool lxfw_pbs_rank(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, int64_t *priority)
{
	struct lxfw_known_job *known;
	struct lxfw_pbs_own *own;
	double value;

	if (!pbs->formula.formula) {
		*priority = job->priority;
		return true;
	}
	known = lxfw_table_find(&pbs->agent.jobs, lxfw_pbs_id(job->number, job->task));
	own = known ? lxfw_pbs_own(known) : NULL;
	if (own && own->valued == pbs->valued) {
		value = own->value;
	} else {
		value = lxfw_pbs_formula_value(&pbs->formula, &pbs->site, job);
		if (own) {
			own->valued = pbs->valued;
			own->value = value;
		}
	}
	*priority = lxfw_pbs_formula_priority(value);
	return value > pbs->site.sched.threshold;
}
