/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Suspension of several jobs with one request, pbs_preempt_jobs(): the server suspends them at the
 * same time, where single requests are carried out one after the other. A job that cannot be
 * suspended is checkpointed or requeued, as preempt_order says.
 *
 * For a job of a higher level (preemption by tier) every job is preempted in this way, even a single
 * one, by whatever preempt_order says, as pbs_sched does.
 */
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/log.h"
#include "plugins/agent/quanta.h"
#include "plugins/pbs/wlm.h"

/* Jobs of one request. The server answers when all have been handled. */
#define LIST_MAX 64

struct list {
	struct lxfw_known_job *known[LIST_MAX];
	struct lxfw_pbs_job *job[LIST_MAX];
	const char *id[LIST_MAX];
	size_t count;
};

/* A server that cannot suspend a job at once, because it is still sent to its nodes, may never
   answer. */
static bool runs(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	return job && job->state == 'R' && job->substate == LXFW_PBS_SUBSTATE_RUNNING &&
	       pbs->agent.clock - job->started > 1;
}

static void add(struct lxfw_pbs *pbs, struct list *list, struct lxfw_known_job *known)
{
	struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, known->record);

	if (list->count == LIST_MAX || !runs(pbs, job) ||
	    lxfw_pbs_own(known)->batch == pbs->agent.decisions)
		return;
	list->known[list->count] = known;
	list->job[list->count] = job;
	list->id[list->count++] = job->id;
}

/* Adds the jobs that are suspended for the same start. */
static void add_others(struct lxfw_pbs *pbs, struct list *list)
{
	const struct lxfw_agent *agent = &pbs->agent;

	for (size_t i = agent->next_action; i < agent->decision.count; i++) {
		const struct lxfw_action *action = &agent->decision.actions[i];
		struct lxfw_known_job *known;
		struct lxfw_error why;

		if (action->type != LXFW_ACTION_SUSPEND)
			return;
		known = lxfw_quanta_may_suspend(&pbs->agent, action);
		if (known && !lxfw_pbs_must_run(pbs, known,
						lxfw_pbs_site_find_job(&pbs->site, known->record),
						false, &why))
			add(pbs, list, known);
	}
}

static void enter(struct lxfw_pbs *pbs, struct lxfw_known_job *known, struct lxfw_pbs_job *job,
		  char outcome)
{
	struct lxfw_pbs_own *own = lxfw_pbs_own(known);

	own->batch = pbs->agent.decisions;
	own->outcome = outcome;
	if (outcome == 'S') {
		lxfw_pbs_suspended(pbs, known, job);
		return;
	}
	pbs->changed = true;
	pbs->agent.stale = true;
	if (!outcome)
		return;
	/* It does not run any more, and its nodes are free. */
	lxfw_pbs_use(&pbs->site, job, -1, true);
	job->state = outcome == 'D' ? 'F' : 'Q';
	own->asked = 0;
	lxfw_pbs_sums_clear(&pbs->site.sums);
}

bool lxfw_pbs_suspend_all(struct lxfw_pbs *pbs, struct lxfw_known_job *known)
{
	struct list list = { .count = 0 };
	char outcomes[LIST_MAX];
	struct lxfw_error why;
	bool suspends;

	add(pbs, &list, known);
	if (list.count == 1)
		add_others(pbs, &list);
	if (list.count == 0)
		return false;
	if (!pbs->site.preempts &&
	    (list.count < 2 ||
	     lxfw_pbs_read_order(&pbs->link, pbs->sched, &suspends, &why) < 0 || !suspends))
		return false;
	if (lxfw_pbs_preempt(&pbs->link, list.id, list.count, outcomes, &why) < 0) {
		lxfw_log_error("%zu jobs cannot be suspended: %s", list.count, why.text);
		memset(outcomes, 0, sizeof(outcomes));
	} else {
		lxfw_log_debug("%zu jobs were suspended with one request", list.count);
	}
	for (size_t i = 0; i < list.count; i++)
		enter(pbs, list.known[i], list.job[i], outcomes[i]);
	return true;
}
