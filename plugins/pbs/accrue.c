/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the wait of a job counts as (accrue_type). The server knows that of a new job, and of one
 * that is held or begins to run; the rest is up to the scheduler: a job that was released or
 * requeued, and one whose user runs as many jobs as a limit permits.
 */
#include "plugins/agent/log.h"
#include "plugins/pbs/wlm.h"

static void set(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job, int type)
{
	struct lxfw_error why;

	if (!type || job->accrue_type == type)
		return;
	if (lxfw_pbs_set_accrue(&pbs->link, job->id, type, &why) < 0)
		lxfw_log_debug("%s: what its wait counts as cannot be set: %s", job->id,
			       why.text);
	/* Its other tasks need not try it again in this pass. */
	job->accrue_type = type;
}

/* An array of which no task waits any more. */
static bool is_used_up(const struct lxfw_pbs_job *job)
{
	const char *at = job->remaining;
	int64_t last = -1;

	return job->array && job->state == 'B' && at && lxfw_pbs_next_task(&at, &last) < 0;
}

void lxfw_pbs_accrue(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job)
{
	if (!pbs->site.counts_eligible || pbs->shadow)
		return;
	/* The first waiting task stands for its array: they request the same. */
	if (job->expanded && !pbs->site.job[job->of].accrues) {
		pbs->site.job[job->of].accrues = job->accrues;
		set(pbs, &pbs->site.job[job->of], job->accrues);
	} else if (is_used_up(job)) {
		set(pbs, job, LXFW_PBS_ACCRUES_INELIGIBLE);
	} else if (!job->expanded && !job->array && job->state == 'Q') {
		set(pbs, job, job->accrues);
	}
}
