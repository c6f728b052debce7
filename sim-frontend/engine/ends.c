/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/ends.h"

#include <stdbool.h>
#include <stdlib.h>

static bool before(const struct lxfw_end *a, const struct lxfw_end *b)
{
	return a->time != b->time ? a->time < b->time :
				    a->sequence < b->sequence;
}

int lxfw_ends_add(struct lxfw_ends *ends, int64_t time, uint64_t job)
{
	struct lxfw_end end = { time, ends->added, job };
	size_t at = ends->count;

	if (ends->count == ends->size) {
		size_t size = ends->size ? 2 * ends->size : 256;
		struct lxfw_end *heap = realloc(ends->heap,
						size * sizeof(*heap));

		if (!heap)
			return -1;
		ends->heap = heap;
		ends->size = size;
	}
	for (; at > 0 && before(&end, &ends->heap[(at - 1) / 2]);
	     at = (at - 1) / 2)
		ends->heap[at] = ends->heap[(at - 1) / 2];
	ends->heap[at] = end;
	ends->count++;
	ends->added++;
	return 0;
}

uint64_t lxfw_ends_pop(struct lxfw_ends *ends)
{
	uint64_t job = ends->heap[0].job;
	const struct lxfw_end last = ends->heap[--ends->count];
	size_t at = 0, child;

	for (; (child = 2 * at + 1) < ends->count; at = child) {
		if (child + 1 < ends->count &&
		    before(&ends->heap[child + 1], &ends->heap[child]))
			child++;
		if (!before(&ends->heap[child], &last))
			break;
		ends->heap[at] = ends->heap[child];
	}
	ends->heap[at] = last;
	return job;
}
