/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/compat/license.h"

#include <string.h>

/* Since 25.05 licenses have numbers, a job may request one of several, some are counted by
   layers of nodes, and the header does not declare the list of the cluster's. */
#define HAS_IDS (SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(25, 5, 0))

/* Since 23.02 the list has another name, and the use of remote licenses elsewhere counts. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#define CLUSTER_LICENSES cluster_license_list
#else
#define CLUSTER_LICENSES license_list
#endif

#if HAS_IDS
extern list_t *cluster_license_list;
/* A controller that hides it has no licenses for us. */
#pragma weak cluster_license_list
#endif

struct visit {
	lxfw_license_function *each;
	void *context;
};

static int visit(void *one, void *context)
{
	const licenses_t *license = one;
	const struct visit *visit = context;
	struct lxfw_license found = {
		.name = license->name ? license->name : "",
		.total = license->total,
		.used = license->used,
	};

#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0) /* 23.02, as above */
	found.missing = license->last_deficit;
#endif
#if HAS_IDS
	found.id = license->id.lic_id;
	found.layered = license->id.hres_id != NO_VAL16;
	found.choice = license->op_or;
#endif
	visit->each(visit->context, &found);
	return 0;
}

void lxfw_compat_licenses_of(lxfw_slurm_list list, lxfw_license_function *each,
			     void *context)
{
	struct visit all = { each, context };

	if (list)
		(void)list_for_each(list, visit, &all);
}

/* The caller's locks keep the list itself; the list's own lock keeps its records, which Slurm may
   remove when slurmdbd reports that a remote license is gone. */
void lxfw_compat_licenses(lxfw_license_function *each, void *context)
{
#if HAS_IDS
	if (!&cluster_license_list)
		return;
#endif
	lxfw_compat_licenses_of(CLUSTER_LICENSES, each, context);
}

bool lxfw_compat_license_is(const struct lxfw_license *license, const char *name, uint32_t id)
{
#if HAS_IDS
	(void)name;
	return license->id == id;
#else
	(void)id;
	return strcmp(license->name, name) == 0;
#endif
}
