/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Qualities of service of a Slurm site: what of them concerns priorities. Source:
   sacctmgr(1). */
#ifndef LXFW_PRIORITY_QOS_H
#define LXFW_PRIORITY_QOS_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"

struct lxfw_qos {
	char *name;
	uint32_t priority;
	double priority_norm;	/* of the highest priority there is, 0 to 1 */
	double usage_factor;	/* usage of its jobs counts so many times */
};

struct lxfw_qos_list {
	struct lxfw_qos *items;
	size_t count, size;
};

/* {0} is empty. Keeps errno. */
void lxfw_qos_clear(struct lxfw_qos_list *list);

/* The position of a name; -1 if there is none. */
int32_t lxfw_qos_find(const struct lxfw_qos_list *list, struct lxfw_slice name);

/* Find or add one, of priority 0 and usage factor 1. -1 with errno ENOMEM. */
int32_t lxfw_qos_add(struct lxfw_qos_list *list, struct lxfw_slice name);

/* Compute priority_norm of all. After priorities have changed. */
void lxfw_qos_finish(struct lxfw_qos_list *list);

/* Read PATH, what `sacctmgr -P show qos` prints (at least Name, Priority; UsageFactor
   is 1 where it is not there), and finish. 0, or -1 with errno and ERROR set. */
int lxfw_qos_read(struct lxfw_qos_list *list, const char *path,
		  struct lxfw_error *error);

#endif
