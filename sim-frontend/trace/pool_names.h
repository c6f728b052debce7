/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of the pools in a journal (common/model/request.h): licenses of Slurm, whose hosts are
 * "license:NAME", resources of a PBS server or queue, "pool:NAME", and for `lxfw watch` the limit
 * of a job array, "tasks:NUMBER".
 */
#ifndef LXFW_TRACE_POOL_NAMES_H
#define LXFW_TRACE_POOL_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "common/model/event.h"

struct lxfw_pool_name {
	int32_t host;		/* index of its host */
	int32_t total;		/* its amount */
	char *text;		/* "license NAME", "resource NAME" */
};

/* Initialize to {0}; release with lxfw_pool_names_clear(). */
struct lxfw_pool_names {
	struct lxfw_pool_name *pool;
	size_t count, size;
};

void lxfw_pool_names_clear(struct lxfw_pool_names *names);

/* Records the pool of a host event; other events are ignored. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_pool_names_take(struct lxfw_pool_names *names, const struct lxfw_event *event);

/* Returns the pool, or NULL if it is not known. */
const struct lxfw_pool_name *lxfw_pool_names_find(const struct lxfw_pool_names *names,
						  int32_t host);

#endif
