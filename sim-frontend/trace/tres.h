/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists of what is counted, as Slurm writes them:
 *
 *   TRES    "billing=8,cpu=8,gres/gpu:a100=4,gres/gpu=4,mem=64G,node=2" of a job
 *   GRES    "gpu:a100:2,shard:4" and "gres:gpu:2", of each of its hosts, as old
 *           releases have it in ReqGRES
 */
#ifndef LXFW_TRACE_TRES_H
#define LXFW_TRACE_TRES_H

#include <stdint.h>

#include "sim-frontend/trace/account_text.h"

/* The count of a kind of TRES in LIST; 0 where it is not there. */
int64_t lxfw_tres_count(struct lxfw_slice list, const char *kind);

/* Told of each GRES, "gpu" or "gpu:a100", 1 or more. Non-zero with errno set ends it. */
typedef int lxfw_gres_fn(void *context, struct lxfw_slice name, int64_t count);

/* The GRES of a job in a list of either kind; HOSTS, 1 or more, is how many hosts it
   has. What cannot be read is passed over. 0, or what GRES returned. */
int lxfw_gres_each(struct lxfw_slice list, int64_t hosts, lxfw_gres_fn *gres,
		   void *context);

#endif
