/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The ends of running jobs in order of time, and in order of insertion if equal. A binary
 * heap.
 */
#ifndef LXFW_ENGINE_ENDS_H
#define LXFW_ENGINE_ENDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lxfw_end {
	int64_t time;
	uint64_t sequence;
	uint64_t job;
};

/* {0} is empty. Release `heap` with free(). */
struct lxfw_ends {
	struct lxfw_end *heap;
	size_t count, size;
	uint64_t added;
};

/* Removes the ends for which KEEPS returns false. KEEPS must not depend on the order
   of calls. */
void lxfw_ends_filter(struct lxfw_ends *ends,
		      bool (*keeps)(const void *context,
				    const struct lxfw_end *end),
		      const void *context);

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_ends_add(struct lxfw_ends *ends, int64_t time, uint64_t job);

/* Removes the first end and returns its job. The heap must not be empty. */
uint64_t lxfw_ends_pop(struct lxfw_ends *ends);

#endif
