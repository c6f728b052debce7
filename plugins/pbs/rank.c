/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The order of jobs that the site prescribes. */
#include "plugins/agent/log.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* Seconds between two evaluations of the formula: a tenth of the number of jobs, within these. The
   values of all jobs grow with time, and each change is an event of the library. */
#define VALUE_SECONDS_LEAST 10
#define VALUE_SECONDS_MOST 60

/* --- fair share --------------------------------------------------------------------------- */

/* Priorities of the library for a factor of 1, if there is no formula. */
#define FACTOR_SCALE 1000000

/* Charges the entity of a job for what it has used since the last time. */
static void charge(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, uint64_t id)
{
	char name[256];
	double due;

	if (job->started <= 0 || !job->used_count)
		return;
	due = lxfw_pbs_charges_due(&pbs->charges, id, job->started,
				   lxfw_pbs_formula_used(&pbs->used, job));
	lxfw_pbs_usage_name(&pbs->usage, job, name, sizeof(name));
	if (due <= 0 || !name[0])
		return;
	(void)lxfw_pbs_fairshare_add(&pbs->usage.tree, name, due);
	pbs->usage.dirty = true;
}

/* Nodes report what jobs use every two minutes, and at the end of a job. The server has what ended
   jobs have used if it keeps their history. It does not select tasks of arrays there. */
static void charge_ended(struct lxfw_pbs *pbs)
{
	struct lxfw_pbs_site ended = { 0 };
	struct lxfw_error why;

	if (!pbs->charges.last ||
	    lxfw_pbs_read_ended(&pbs->link, pbs->charges.last, &ended, &why) < 0)
		ended.job_count = 0;
	for (size_t i = 0; i < ended.job_count; i++) {
		const struct lxfw_pbs_job *job = &ended.job[i];
		uint64_t number;
		int64_t task;
		bool array;

		if (lxfw_pbs_job_id(job->id, &number, &task, &array) && !array)
			charge(pbs, job, lxfw_pbs_id(number, task));
	}
	lxfw_pbs_site_clear(&ended);
}

static void charge_all(struct lxfw_pbs *pbs)
{
	lxfw_pbs_charges_begin(&pbs->charges, pbs->valued);
	for (size_t i = 0; i < pbs->site.job_count; i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];

		if (lxfw_pbs_holds(job))
			charge(pbs, job, lxfw_pbs_id(job->number, job->task));
	}
	charge_ended(pbs);
	lxfw_pbs_charges_end(&pbs->charges);
}

static void update_usage(struct lxfw_pbs *pbs)
{
	struct lxfw_error why;
	bool changed;

	if (!lxfw_pbs_usage_update(&pbs->usage, &pbs->site, pbs->valued, pbs->shadow))
		return;
	if (!pbs->usage.tree.count || (!pbs->usage.fair_share && !pbs->formula.formula &&
				       !lxfw_pbs_has_condition(&pbs->site.sched,
							       LXFW_PBS_OVER_SHARE))) {
		lxfw_pbs_charges_clear(&pbs->charges);
		return;
	}
	if (!lxfw_pbs_formula_use(&pbs->used, pbs->usage.resource, &pbs->site.kinds, &changed,
				  &why))
		lxfw_log_error("fairshare_usage_res: %s: usage stays as it is", why.text);
	if (pbs->used.formula)
		charge_all(pbs);
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

static int64_t interval(const struct lxfw_pbs *pbs)
{
	size_t seconds = pbs->site.job_count / 10;

	return seconds < VALUE_SECONDS_LEAST ? VALUE_SECONDS_LEAST :
	       seconds > VALUE_SECONDS_MOST ? VALUE_SECONDS_MOST : (int64_t)seconds;
}

void lxfw_pbs_begin_ranks(struct lxfw_pbs *pbs)
{
	int64_t now = pbs->agent.clock;
	struct lxfw_error why;
	bool changed;

	pbs->priority_order = lxfw_pbs_priority_order(&pbs->calendar, now);
	if (!lxfw_pbs_formula_use(&pbs->formula, lxfw_pbs_site_formula(&pbs->site),
				  &pbs->site.kinds, &changed, &why))
		lxfw_log_error("job_sort_formula: %s: jobs are ordered without it", why.text);
	changed |= lxfw_pbs_usage_is_old(&pbs->usage, &pbs->site);
	if (!changed && now >= pbs->valued && now - pbs->valued < interval(pbs))
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
		*priority = job->priority * pbs->priority_order;
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
