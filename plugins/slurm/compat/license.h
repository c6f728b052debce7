/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Slurm's licenses under one form. */
#ifndef LXFW_SLURM_COMPAT_LICENSE_H
#define LXFW_SLURM_COMPAT_LICENSE_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

/* A license of the cluster, or one that a job or a reservation requests. */
struct lxfw_license {
	const char *name;	/* valid during the call; "matlab", or "matlab@server" of
				   a remote one */
	uint32_t id;		/* 0 in releases without numbers of licenses */
	uint32_t total;		/* of the cluster, or requested */
	uint32_t used;		/* of the cluster: by its jobs */
	uint32_t missing;	/* of the cluster: the number by which the use of a remote
				   license elsewhere exceeds the share of others */
	bool layered;		/* a resource that is counted by layers of nodes */
	bool choice;		/* one of several alternatives, of which the job gets one: it
				   keeps the mark when it runs and has this one only */
};

typedef void lxfw_license_function(void *context, const struct lxfw_license *license);

/* Calls EACH for the licenses of the cluster, local and remote. It must not call functions of
   Slurm about licenses. */
void lxfw_compat_licenses(lxfw_license_function *each, void *context);

/* Calls EACH for those of a job's or a reservation's LIST, which may be NULL. */
void lxfw_compat_licenses_of(lxfw_slurm_list list, lxfw_license_function *each,
			     void *context);

/* Returns true if LICENSE is the one of the cluster with this name and number. */
bool lxfw_compat_license_is(const struct lxfw_license *license, const char *name, uint32_t id);

#endif
