/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What jobs use of vnodes and hosts. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/site.h"

struct use {
	struct lxfw_pbs_site *site;
	int times;
	bool procs;
	enum lxfw_pbs_exclusion exclusion;
};

static void own(const struct use *use, struct lxfw_pbs_vnode *vnode)
{
	const struct lxfw_pbs_host *host;

	if (use->exclusion == LXFW_PBS_SHARED)
		return;
	if (use->exclusion == LXFW_PBS_VNODES || vnode->in < 0) {
		vnode->owners += use->times;
		return;
	}
	host = &use->site->host[vnode->in];
	for (int32_t i = 0; i < host->count; i++)
		use->site->vnode[use->site->by_host[host->first + i]].owners += use->times;
}

static bool use_vnode(void *context, const char *name, const struct lxfw_resources *amount)
{
	struct use *use = context;
	struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(use->site, name);
	struct lxfw_resources times;

	if (!vnode)
		return true;
	times = lxfw_resources_times(amount, use->times);
	if (!use->procs)
		times.procs = 0;
	lxfw_resources_add(&vnode->used, &times);
	if (use->procs) {
		vnode->users += use->times;
		own(use, vnode);
	}
	return true;
}

void lxfw_pbs_use(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job, int times,
		  bool procs)
{
	struct use use = {
		.site = site, .times = times, .procs = procs,
		.exclusion = lxfw_pbs_exclusion(site, job),
	};

	if (job->vnodes)
		(void)lxfw_pbs_vnodes_read(job->vnodes, &site->kinds, use_vnode, &use);
}

struct exclusion {
	const struct lxfw_pbs_site *site;
	struct lxfw_pbs_place place;
	enum lxfw_pbs_exclusion most;
};

static bool look_for_exclusion(void *context, const char *name,
			       const struct lxfw_resources *amount)
{
	struct exclusion *exclusion = context;
	const struct lxfw_pbs_vnode *vnode =
		lxfw_pbs_site_find_vnode(exclusion->site, name);
	enum lxfw_pbs_exclusion here = vnode ?
		lxfw_pbs_exclusion_on(vnode, &exclusion->place) :
		lxfw_pbs_requested_exclusion(&exclusion->place);

	(void)amount;
	if (here > exclusion->most)
		exclusion->most = here;
	return true;
}

enum lxfw_pbs_exclusion lxfw_pbs_exclusion(const struct lxfw_pbs_site *site,
					   const struct lxfw_pbs_job *job)
{
	struct exclusion exclusion = { .site = site };
	struct lxfw_error why;

	(void)lxfw_pbs_place_read(&exclusion.place, job->place, &why);
	if (!job->vnodes)
		return lxfw_pbs_requested_exclusion(&exclusion.place);
	(void)lxfw_pbs_vnodes_read(job->vnodes, &site->kinds, look_for_exclusion, &exclusion);
	return exclusion.most;
}

enum lxfw_pbs_exclusion lxfw_pbs_requested_exclusion(const struct lxfw_pbs_place *place)
{
	return place->whole_hosts ? LXFW_PBS_HOSTS :
	       place->exclusive	  ? LXFW_PBS_VNODES :
				    LXFW_PBS_SHARED;
}

enum lxfw_pbs_exclusion lxfw_pbs_exclusion_on(const struct lxfw_pbs_vnode *vnode,
					      const struct lxfw_pbs_place *place)
{
	enum lxfw_pbs_exclusion requested = lxfw_pbs_requested_exclusion(place);

	if (vnode->ignores)
		return LXFW_PBS_SHARED;
	if (vnode->forces)
		return vnode->excludes > requested ? vnode->excludes : requested;
	return place->shared || place->exclusive ? requested : vnode->excludes;
}

bool lxfw_pbs_is_open(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
		      enum lxfw_pbs_exclusion exclusion)
{
	const struct lxfw_pbs_host *host;

	if (vnode->owners > 0 || (exclusion != LXFW_PBS_SHARED && vnode->users > 0))
		return false;
	if (exclusion != LXFW_PBS_HOSTS || vnode->in < 0)
		return true;
	host = &site->host[vnode->in];
	for (int32_t i = 0; i < host->count; i++) {
		if (site->vnode[site->by_host[host->first + i]].users > 0)
			return false;
	}
	return true;
}

/* --- shares ------------------------------------------------------------------------- */

struct sharing {
	const struct lxfw_pbs_site *site;
	struct lxfw_share **shares;
	size_t *size;
	int32_t count;
	int error;
};

static bool share_vnode(void *context, const char *name, const struct lxfw_resources *amount)
{
	struct sharing *sharing = context;
	const struct lxfw_pbs_vnode *vnode = lxfw_pbs_site_find_vnode(sharing->site, name);
	struct lxfw_share *share;
	int32_t at = 0;

	if (!vnode || vnode->in < 0)
		return true;
	/* Usually the last one. */
	for (at = sharing->count; at > 0 && (*sharing->shares)[at - 1].host >= vnode->in; at--)
		;
	if (at == sharing->count || (*sharing->shares)[at].host != vnode->in) {
		if (LXFW_GROW(*sharing->shares, *sharing->size,
			      (size_t)sharing->count + 1)) {
			sharing->error = ENOMEM;
			return false;
		}
		share = &(*sharing->shares)[at];
		memmove(share + 1, share, (size_t)(sharing->count - at) * sizeof(*share));
		*share = (struct lxfw_share){ .host = vnode->in };
		sharing->count++;
	}
	lxfw_resources_add(&(*sharing->shares)[at].amount, amount);
	return true;
}

int32_t lxfw_pbs_shares(const struct lxfw_pbs_site *site, const char *text, bool whole,
			struct lxfw_share **shares, size_t *size)
{
	struct sharing sharing = {
		.site = site, .shares = shares, .size = size, .error = EINVAL,
	};

	if (!text || !lxfw_pbs_vnodes_read(text, &site->kinds, share_vnode, &sharing)) {
		errno = sharing.error;
		return -1;
	}
	for (int32_t i = 0; whole && i < sharing.count; i++)
		(*shares)[i].amount.procs =
			site->host[(*shares)[i].host].total.procs;
	return sharing.count;
}
