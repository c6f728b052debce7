/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts on which a job does not fit although the library expects it, because of their vnodes. */
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/log.h"
#include "plugins/pbs/barred.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

/* Lists that are computed in a pass: each takes a look at all hosts. */
#define COMPUTED_MAX 20

/* Seconds after which the hosts are examined again. */
#define EXAMINE_SECONDS 60
#define LATER_SECONDS 5

static const struct lxfw_pbs_vnode *vnode_of(const struct lxfw_pbs_site *site, int32_t host,
					     int32_t i)
{
	return &site->vnode[site->by_host[site->host[host].first + i]];
}

/* What the library has of the host for the job: now, or, if EVER, without other jobs. Nothing if
   it does not choose the host, because other jobs have the whole of it or the job would. */
static struct lxfw_resources room_on(const struct lxfw_pbs_site *site,
				     const struct lxfw_request *request, int32_t host, bool ever)
{
	struct lxfw_resources room = { 0 };

	for (int32_t i = 0; i < site->host[host].count; i++) {
		const struct lxfw_pbs_vnode *vnode = vnode_of(site, host, i);

		if (!ever && (vnode->owners > 0 || (request->exclusive && vnode->users > 0)))
			return (struct lxfw_resources){ 0 };
		if (!vnode->up)
			continue;
		lxfw_pbs_add_vnode(&room, &vnode->total);
		if (!ever)
			lxfw_resources_subtract(&room, &vnode->used);
	}
	return room;
}

/* Adds the hosts of the COUNT shares on which the library expects more of the job than fits. */
static bool add_misfits(struct lxfw_pbs *pbs, const struct lxfw_pbs_job *job,
			const struct lxfw_request *request, int32_t count, bool ever,
			bool *misfits)
{
	int64_t now = pbs->agent.clock, end = now + lxfw_pbs_estimate(job);
	bool good;

	for (int32_t i = 0; i < count; i++)
		pbs->shares[i].amount = room_on(&pbs->site, request, pbs->shares[i].host, ever);
	if (!ever)
		lxfw_pbs_use_resvs(pbs, now, end, NULL);
	good = lxfw_pbs_misfits(&pbs->site, job, request, pbs->shares, count, ever, misfits);
	if (!ever)
		lxfw_pbs_free_resvs(pbs);
	return good;
}

/* The number of the list of hosts on which the job does not fit now, if NOW, or ever. */
static uint32_t list_of(struct lxfw_pbs *pbs, struct lxfw_pbs_job *job,
			const struct lxfw_request *request, bool now)
{
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(&pbs->site, job->queue);
	struct lxfw_error why;
	int32_t count = lxfw_pbs_suitable(&pbs->site, queue, job, &pbs->shares,
					  &pbs->shares_size, &why), barred = 0;
	bool *misfits = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof(*misfits));
	int32_t *hosts = calloc((size_t)(count > 0 ? count : 0) + 1, sizeof(*hosts));
	uint32_t number = 0;

	if (misfits && hosts && count > 0 &&
	    add_misfits(pbs, job, request, count, true, misfits) &&
	    (!now || add_misfits(pbs, job, request, count, false, misfits))) {
		for (int32_t i = 0; i < count; i++) {
			if (misfits[i])
				hosts[barred++] = pbs->shares[i].host;
		}
		number = lxfw_pbs_bars_add(&pbs->site.bars, hosts, barred);
	}
	free(misfits);
	free(hosts);
	return number;
}

/* Identifies what the job requests. */
static uint64_t hash_of(const struct lxfw_pbs_job *job)
{
	return lxfw_pbs_sets_owner(job->select) * 3 + lxfw_pbs_sets_owner(job->place);
}

/* Whether no chunk may be divided among vnodes. */
static bool is_undivided(const struct lxfw_pbs_job *job)
{
	return job->place && strstr(job->place, "vscatter");
}

/* Whether hosts are barred on which the job does not fit now: others are tried. */
static bool is_tried(const struct lxfw_pbs_own *own)
{
	return own->unfits > 0 && own->unfits < LXFW_PBS_REFUSALS_MOST;
}

/* Finds the hosts again. If the job could not have any others, only those are barred on which it
   never fits, and it waits for one without other jobs. */
static void examine(struct lxfw_pbs *pbs, struct lxfw_pbs_own *own, struct lxfw_pbs_job *job)
{
	struct lxfw_request request;
	struct lxfw_error why;
	bool now;

	if (pbs->bars_computed >= COMPUTED_MAX)
		return;
	pbs->bars_computed++;
	own->examined = pbs->agent.clock;
	job->barred = 0;
	if (lxfw_pbs_request(&pbs->site, &pbs->sets, job, &request, &why) != 1)
		return;
	now = is_tried(own);
	own->barred = job->barred = list_of(pbs, job, &request, now);
	job->barred_now = now;
	if (!now || !own->barred ||
	    lxfw_pbs_request(&pbs->site, &pbs->sets, job, &request, &why) == 1)
		return;
	own->unfits = LXFW_PBS_REFUSALS_MOST;
	job->barred_now = false;
	job->barred = 0;
	own->barred = job->barred = list_of(pbs, job, &request, false);
}

void lxfw_pbs_bar(struct lxfw_pbs *pbs, struct lxfw_pbs_own *own, struct lxfw_pbs_job *job)
{
	int64_t due;

	if (!own->unfits && !is_undivided(job))
		return;
	if (own->unfit_request != hash_of(job)) {
		lxfw_pbs_fit(own);
		own->unfit_request = hash_of(job);
		if (!is_undivided(job))
			return;
	}
	job->refused = own->unfits > 0;
	job->barred = own->barred;
	job->barred_now = is_tried(own);
	if (pbs->agent.clock < own->examined ||
	    pbs->agent.clock - own->examined >= EXAMINE_SECONDS)
		examine(pbs, own, job);
	job->alone = own->unfits >= LXFW_PBS_REFUSALS_MOST;
	due = own->examined + EXAMINE_SECONDS;
	/* One for which there was no time in this pass is not hurried. */
	lxfw_agent_look_again(&pbs->agent, due > pbs->agent.clock ? due :
					   pbs->agent.clock + LATER_SECONDS);
}

static void examine_part(struct lxfw_pbs *pbs, struct lxfw_known_job *known,
			 const struct lxfw_pbs_job *job)
{
	int32_t index = lxfw_pbs_part_index(known->id);
	const struct lxfw_pbs_decided *decided = lxfw_pbs_decided_of(pbs, job);

	if (decided && decided->count > index) {
		struct lxfw_pbs_job part = lxfw_pbs_part_of(&decided->mixed, job, index);

		examine(pbs, lxfw_pbs_own(known), &part);
	}
}

void lxfw_pbs_unfit(void *context, struct lxfw_known_job *known,
		    const struct lxfw_action *action)
{
	struct lxfw_pbs *pbs = context;
	struct lxfw_pbs_own *own = lxfw_pbs_own(known);
	struct lxfw_pbs_job *job = lxfw_pbs_site_find_job(&pbs->site, known->record);
	const struct lxfw_pass_counts counts = pbs->agent.counts;

	(void)action;
	if (!job)
		return;
	if (!own->unfits)
		lxfw_log_verbose("%s does not fit on the vnodes of the hosts chosen for it; others are tried",
				 job->id);
	if (own->unfits < UINT8_MAX)
		own->unfits++;
	own->unfit_request = hash_of(job);
	if (own->mixed)
		examine_part(pbs, known, job);
	else
		examine(pbs, own, job);
	lxfw_pbs_show_waiting(pbs, job);
	pbs->agent.counts = counts;	/* the look has counted it */
}

void lxfw_pbs_fit(struct lxfw_pbs_own *own)
{
	own->unfits = 0;
	own->barred = 0;
	own->examined = 0;
}

void lxfw_pbs_begin_bars(struct lxfw_pbs *pbs)
{
	pbs->bars_computed = 0;
	for (size_t i = 0; i < pbs->agent.jobs.count; i++)
		lxfw_pbs_bars_need(&pbs->site.bars,
				   lxfw_pbs_own(pbs->agent.jobs.jobs[i])->barred);
	lxfw_pbs_bars_evict(&pbs->site.bars);
}

void lxfw_pbs_forget_bars(struct lxfw_pbs *pbs)
{
	for (size_t i = 0; i < pbs->agent.jobs.count; i++) {
		struct lxfw_pbs_own *own = lxfw_pbs_own(pbs->agent.jobs.jobs[i]);

		own->barred = 0;
		own->examined = 0;
	}
	lxfw_pbs_bars_clear(&pbs->site.bars);
}
