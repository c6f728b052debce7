/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The running jobs by the time they end; those that end at the same time by the
 * order they were added in. A binary heap.
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

/* {0} is an empty one; free `heap` with free(). */
struct lxfw_ends {
	struct lxfw_end *heap;
	size_t count, size;
	uint64_t added;
};

/* Remove those that KEEPS does not want, whose order does not matter to the others. */
void lxfw_ends_filter(struct lxfw_ends *ends,
		      bool (*keeps)(const void *context,
				    const struct lxfw_end *end),
		      const void *context);

/* 0, or -1 with errno ENOMEM. */
int lxfw_ends_add(struct lxfw_ends *ends, int64_t time, uint64_t job);

/* Remove the first; its job. Not of an empty heap. */
uint64_t lxfw_ends_pop(struct lxfw_ends *ends);

#endif
