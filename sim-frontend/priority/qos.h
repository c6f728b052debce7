/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Qualities of service (QOS) of a Slurm site: the properties that affect priorities and
   backfill.
   Source: sacctmgr(1). */
#ifndef LXFW_PRIORITY_QOS_H
#define LXFW_PRIORITY_QOS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

struct lxfw_qos {
	char *name;
	uint32_t priority;
	double priority_norm;	/* relative to the highest priority, 0 to 1 */
	double usage_factor;	/* factor for the usage of its jobs */
	bool no_reserve;	/* flag NoReserve: backfill makes no reservations for
				   its jobs */
};

struct lxfw_qos_list {
	struct lxfw_qos *items;
	size_t count, size;
};

/* Preserves errno. {0} is empty. */
void lxfw_qos_clear(struct lxfw_qos_list *list);

/* Returns the index of a name, or -1. */
int32_t lxfw_qos_find(const struct lxfw_qos_list *list, struct lxfw_slice name);

/* Finds or adds a QOS with priority 0 and usage factor 1. Returns -1 with errno
   ENOMEM. */
int32_t lxfw_qos_add(struct lxfw_qos_list *list, struct lxfw_slice name);

/* Computes priority_norm of all. Call after priorities have changed. */
void lxfw_qos_finish(struct lxfw_qos_list *list);

/* Reads PATH, the output of `sacctmgr -P show qos` (at least Name, Priority; the
   default of UsageFactor is 1, that of Flags none), and calls lxfw_qos_finish(). Returns 0, or -1 with
   errno and ERROR set. */
int lxfw_qos_read(struct lxfw_qos_list *list, const char *path,
		  struct lxfw_error *error);

#endif
