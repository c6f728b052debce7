/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of countable resources in Slurm's formats:
 *
 *   TRES    "billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=64G,node=2", per job
 *   GRES    "gpu:a100:2,shard:4" and "gres:gpu:2", per host, as in ReqGRES of old
 *           releases
 */
#ifndef LXFW_TRACE_TRES_H
#define LXFW_TRACE_TRES_H

#include <stdint.h>

#include "sim-frontend/trace/account_text.h"

/* Returns the count of a kind of TRES in LIST, 0 if absent. */
int64_t lxfw_tres_count(struct lxfw_slice list, const char *kind);

/* Returns the memory in LIST in KB, 0 if absent. */
int64_t lxfw_tres_memory(struct lxfw_slice list);

/* Called for each GRES, "gpu" or "gpu:a100", with a count of 1 or more. A non-zero
   return value, with errno set, ends the enumeration. */
typedef int lxfw_gres_fn(void *context, struct lxfw_slice name, int64_t count);

/* Enumerates the GRES of a whole job from a list in either format. HOSTS, 1 or more,
   is the number of its hosts. Items that cannot be parsed are skipped. Returns 0, or
   the non-zero value that GRES returned. */
int lxfw_gres_each(struct lxfw_slice list, int64_t hosts, lxfw_gres_fn *gres,
		   void *context);

/* The same for the licenses in a list of the first format. */
int lxfw_licenses_each(struct lxfw_slice list, lxfw_gres_fn *license, void *context);

#endif
