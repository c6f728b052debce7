/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How the parts of mixed jobs (mixed.h) are found. */
#ifndef LXFW_PBS_BUNDLES_H
#define LXFW_PBS_BUNDLES_H

#include "plugins/pbs/mixed.h"

/* Orders in which chunks are laid out. */
#define LXFW_PBS_BUNDLE_ORDERS 3

/* Tests whether hosts are found for all parts if no job runs, each with hosts of its own. REQUESTS:
   by part. Returns 1, 0, or -1 if memory ran out. *SURE: they are found in whatever order the parts
   choose hosts, as far as was tried. */
int lxfw_pbs_fit_together(const struct lxfw_pbs_site *site, const struct lxfw_pbs_sets *sets,
			  const struct lxfw_pbs_job *job, const struct lxfw_pbs_mixed *mixed,
			  const struct lxfw_request *requests, bool *sure);

/* Lays the chunks of JOB out on COUNT hosts in order number ORDER, and adds the bundles to MIXED,
   whose kinds are known. PINNED: these may have only the hosts on which they were laid out. Returns
   the number of parts, which may be too large for a group; 0 if the hosts do not hold the chunks;
   -1 if memory ran out. */
int lxfw_pbs_bundle(const struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job,
		    const struct lxfw_pbs_select *select, int order, const int32_t *hosts,
		    int32_t count, bool pinned, struct lxfw_pbs_mixed *mixed);

#endif
