/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confirms requested reservations: on vnodes that no other reservation has at that time, and
 * that no running job is expected to use then. Waiting jobs are planned around a reservation
 * once it is confirmed.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/agent/log.h"
#include "plugins/pbs/request.h"
#include "plugins/pbs/wlm.h"

#define STATE_UNCONFIRMED 1

/* What is in use of a vnode. */
struct in_use {
	struct lxfw_resources used;
	int32_t users, owners;
};

static void swap(struct lxfw_pbs_site *site, struct in_use *other)
{
	for (size_t i = 0; i < site->vnode_count; i++) {
		struct lxfw_pbs_vnode *vnode = &site->vnode[i];
		struct in_use here = { vnode->used, vnode->users, vnode->owners };

		vnode->used = other[i].used;
		vnode->users = other[i].users;
		vnode->owners = other[i].owners;
		other[i] = here;
	}
}

/* Enters running jobs that are expected to end after START. */
static void use_by_jobs(struct lxfw_pbs *pbs, int64_t start)
{
	for (size_t i = 0; i < pbs->site.job_count; i++) {
		const struct lxfw_pbs_job *job = &pbs->site.job[i];
		const struct lxfw_known_job *known;

		if (!lxfw_pbs_holds(job))
			continue;
		known = lxfw_table_find(&pbs->agent.jobs,
					lxfw_pbs_id(job->number, job->task));
		if (!known || known->state != LXFW_KNOWN_RUNNING ||
		    known->expected_end > start)
			lxfw_pbs_use(&pbs->site, job, 1, true);
	}
}

/* Reservations that are not over and have vnodes. */
static bool has_vnodes(const struct lxfw_pbs_resv *resv)
{
	return resv->nodes && (resv->state < 6 || resv->state > 9);
}

/* Their own jobs use them too, which is not counted twice. */
void lxfw_pbs_use_resvs(struct lxfw_pbs *pbs, int64_t start, int64_t end,
			const struct lxfw_pbs_resv *except, int times)
{
	for (size_t i = 0; i < pbs->site.resv_count; i++) {
		const struct lxfw_pbs_resv *resv = &pbs->site.resv[i];
		const struct lxfw_pbs_job as_job = {
			.vnodes = resv->nodes, .place = resv->place
		};

		if (resv == except || !has_vnodes(resv) || resv->start >= end ||
		    start >= resv->end)
			continue;
		lxfw_pbs_use(&pbs->site, &as_job, times, true);
		for (size_t j = 0; j < pbs->site.job_count; j++) {
			const struct lxfw_pbs_job *job = &pbs->site.job[j];

			if (resv->queue && job->queue && lxfw_pbs_holds(job) &&
			    strcmp(job->queue, resv->queue) == 0)
				lxfw_pbs_use(&pbs->site, job, -times, job->state != 'S');
		}
	}
}

/* Returns the exec_vnode for the reservation; or NULL if there is no room then or it cannot be
   represented. */
static char *room_for(struct lxfw_pbs *pbs, const struct lxfw_pbs_resv *resv)
{
	struct in_use *now = calloc(pbs->site.vnode_count + 1, sizeof(*now));
	struct lxfw_pbs_job as_job = { .select = resv->select, .place = resv->place };
	struct lxfw_error why;
	char *vnodes;

	if (!now)
		return NULL;
	swap(&pbs->site, now);
	use_by_jobs(pbs, resv->start);
	lxfw_pbs_use_resvs(pbs, resv->start, resv->end, resv, 1);
	vnodes = lxfw_pbs_anywhere(pbs, &as_job, &why);
	swap(&pbs->site, now);
	free(now);
	if (!vnodes)
		lxfw_log_info("reservation %s is refused: %s", resv->name, why.text);
	return vnodes;
}

static void confirm(struct lxfw_pbs *pbs, struct lxfw_pbs_resv *resv)
{
	char *vnodes = resv->standing || resv->start <= 0 ? NULL : room_for(pbs, resv);
	struct lxfw_error why;

	if (resv->standing)
		lxfw_log_info("reservation %s is refused: it recurs", resv->name);
	if (lxfw_pbs_confirm_resv(&pbs->link, resv->name, vnodes, resv->start,
				  pbs->partition, &why) < 0) {
		lxfw_log_error("reservation %s: %s", resv->name, why.text);
		free(vnodes);
		return;
	}
	pbs->changed = true;
	if (!vnodes)
		return;
	lxfw_log_info("reservation %s is confirmed on %s", resv->name, vnodes);
	free(resv->nodes);
	resv->nodes = vnodes;	/* the next one is planned beside it */
}

void lxfw_pbs_confirm(struct lxfw_pbs *pbs)
{
	for (size_t i = 0; i < pbs->site.resv_count && !pbs->link.lost; i++) {
		struct lxfw_pbs_resv *resv = &pbs->site.resv[i];

		if (resv->state == STATE_UNCONFIRMED && !resv->nodes && !pbs->shadow)
			confirm(pbs, resv);
	}
}
