/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * While Slurm schedules by itself, it gives the processors of suspended jobs to others. The
 * nodes of jobs that are to resume are therefore reserved until they have. The reservations
 * are short and renewed, so that none outlives a controller that ends.
 */
#ifndef LXFW_SCHED_KEEP_H
#define LXFW_SCHED_KEEP_H

#include <stddef.h>

#include "plugins/agent/quanta_file.h"

/* The reserved nodes. {0} is empty. */
struct lxfw_keep {
	struct lxfw_kept_nodes *kept;
	size_t count, size;
};

/* Reserves the nodes of the jobs of BOOKS that are to resume, renews the reservations, and
   ends those of other jobs. Call with lxfw_compat_locks. */
void lxfw_keep_nodes(struct lxfw_keep *keep, const struct lxfw_quanta_books *books);

/* Ends all. Call with lxfw_compat_locks. */
void lxfw_keep_end(struct lxfw_keep *keep);

#endif
