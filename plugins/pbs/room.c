/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Room for a job that an operator runs with qrun. Where policy `site` preempts by level, the job
 * is above all levels: running jobs are preempted for it by whatever preempt_order says, of the
 * lowest level those that started last first, and none that is not needed. pbs_sched does the same.
 */
#include <stdlib.h>

#include "plugins/agent/log.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* Jobs that are preempted for one. */
#define MOST 64

struct victim {
	struct lxfw_pbs_job *job;
	int32_t level;
};

struct victims {
	struct victim *list;
	size_t count;
};

/* The lowest level first; of a level, the jobs that started last. */
static int by_level(const void *one, const void *other)
{
	const struct victim *a = one, *b = other;

	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	if (a->job->started != b->job->started)
		return a->job->started > b->job->started ? -1 : 1;
	return (a->job->record < b->job->record) - (a->job->record > b->job->record);
}

static bool may_go(const struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job)
{
	return job->state == 'R' && job->substate == LXFW_PBS_SUBSTATE_RUNNING && !job->array &&
	       pbs->agent.clock - job->started > 1 && job->vnodes &&
	       !lxfw_pbs_site_find_resv_of(&pbs->site, job->queue) &&
	       (!pbs->site.sched.only_requeues || job->rerunable);
}

static bool collect(struct lxfw_pbs *pbs, struct victims *victims)
{
	victims->count = 0;
	victims->list = calloc(pbs->site.job_count + 1, sizeof(*victims->list));
	if (!victims->list)
		return false;
	for (size_t i = 0; i < pbs->site.job_count; i++) {
		struct lxfw_pbs_job *job = &pbs->site.job[i];

		if (may_go(pbs, job))
			victims->list[victims->count++] = (struct victim){
				.job = job,
				.level = lxfw_pbs_level_of(lxfw_pbs_tier(
					&pbs->site, job,
					lxfw_pbs_share_conditions(pbs, job))),
			};
	}
	qsort(victims->list, victims->count, sizeof(*victims->list), by_level);
	return true;
}

/* What a suspended job keeps in the model remains in use. */
static void take_out(struct lxfw_pbs *pbs, const struct victim *victim, bool out)
{
	lxfw_pbs_use(&pbs->site, victim->job, -1, out);
	lxfw_pbs_use(&pbs->site, victim->job, 1, !out);
}

/* Whether JOB fits without the first COUNT victims. */
static bool fits_without(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			 const struct victims *victims, size_t count)
{
	struct lxfw_error why;
	char *vnodes;

	for (size_t i = 0; i < count; i++)
		take_out(pbs, &victims->list[i], true);
	vnodes = lxfw_pbs_anywhere(pbs, job, &why);
	for (size_t i = 0; i < count; i++)
		take_out(pbs, &victims->list[i], false);
	free(vnodes);
	return vnodes != NULL;
}

/* Reduce the victims to the first ones that are enough, and remove from these what is not needed,
   the highest level first. The last one of them is needed. Returns false if all are not enough, or
   more than MOST are needed. */
static bool choose(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job, struct victims *victims)
{
	size_t low = 0, high = victims->count;

	if (high == 0 || !fits_without(pbs, job, victims, high))
		return false;
	while (low + 1 < high) {
		size_t middle = low + (high - low) / 2;

		if (fits_without(pbs, job, victims, middle))
			high = middle;
		else
			low = middle;
	}
	victims->count = high;
	for (size_t i = high - 1; i-- > 0 && high <= 4 * MOST;) {
		struct victim spared = victims->list[i];

		for (size_t j = i + 1; j < victims->count; j++)
			victims->list[j - 1] = victims->list[j];
		if (fits_without(pbs, job, victims, victims->count - 1)) {
			victims->count--;
			continue;
		}
		for (size_t j = victims->count - 1; j > i; j--)
			victims->list[j] = victims->list[j - 1];
		victims->list[i] = spared;
	}
	return victims->count <= MOST;
}

/* The server has preempted the job, or not (OUTCOME 0). The library learns of it in the next
   look, as if another scheduler had done it. */
static void enter(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job, char outcome)
{
	struct lxfw_known_job *known = lxfw_table_find(&pbs->agent.jobs,
						       lxfw_pbs_id(job->number, job->task));

	if (outcome == 'S') {
		lxfw_pbs_use(&pbs->site, job, -1, true);
		lxfw_pbs_use(&pbs->site, job, 1, false);
		job->state = 'S';
		job->substate = LXFW_PBS_SUBSTATE_SCHSUSP;
	} else if (outcome) {
		lxfw_pbs_use(&pbs->site, job, -1, true);
		job->state = outcome == 'D' ? 'F' : 'Q';
		/* Its start was not refused. */
		if (known)
			lxfw_pbs_own(known)->asked = 0;
	}
	lxfw_pbs_sums_clear(&pbs->site.sums);
	pbs->changed = pbs->agent.stale = true;
}

static bool preempt(struct lxfw_pbs *pbs, const struct victims *victims, struct lxfw_error *why)
{
	const char *id[MOST];
	char outcomes[MOST];
	size_t gone = 0;

	for (size_t i = 0; i < victims->count; i++)
		id[i] = victims->list[i].job->id;
	if (lxfw_pbs_preempt(&pbs->link, id, victims->count, outcomes, why) < 0)
		return false;
	for (size_t i = 0; i < victims->count; i++) {
		enter(pbs, victims->list[i].job, outcomes[i]);
		gone += outcomes[i] != 0;
	}
	lxfw_log_info("%zu of %zu jobs were preempted for an operator's job", gone,
		      victims->count);
	return gone > 0;
}

bool lxfw_pbs_make_room(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			struct lxfw_error *why)
{
	struct victims victims;
	bool made;

	if (!lxfw_pbs_preempts_now(pbs) || !collect(pbs, &victims))
		return false;
	made = choose(pbs, job, &victims) && preempt(pbs, &victims, why);
	free(victims.list);
	return made;
}
