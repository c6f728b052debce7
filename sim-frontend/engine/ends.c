/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/ends.h"

#include <stdlib.h>

#include "common/util/grow.h"

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
		struct lxfw_end *heap = lxfw_grow(ends->heap, &ends->size,
						  ends->count + 1, sizeof(*heap));

		if (!heap)
			return -1;
		ends->heap = heap;
	}
	for (; at > 0 && before(&end, &ends->heap[(at - 1) / 2]);
	     at = (at - 1) / 2)
		ends->heap[at] = ends->heap[(at - 1) / 2];
	ends->heap[at] = end;
	ends->count++;
	ends->added++;
	return 0;
}

/* The end AT may come after those below it. */
static void sift(struct lxfw_ends *ends, size_t at)
{
	const struct lxfw_end moved = ends->heap[at];
	size_t child;

	for (; (child = 2 * at + 1) < ends->count; at = child) {
		if (child + 1 < ends->count &&
		    before(&ends->heap[child + 1], &ends->heap[child]))
			child++;
		if (!before(&ends->heap[child], &moved))
			break;
		ends->heap[at] = ends->heap[child];
	}
	ends->heap[at] = moved;
}

uint64_t lxfw_ends_pop(struct lxfw_ends *ends)
{
	uint64_t job = ends->heap[0].job;

	ends->heap[0] = ends->heap[--ends->count];
	if (ends->count > 0)
		sift(ends, 0);
	return job;
}

void lxfw_ends_filter(struct lxfw_ends *ends,
		      bool (*keeps)(const void *context,
				    const struct lxfw_end *end),
		      const void *context)
{
	size_t kept = 0;

	for (size_t i = 0; i < ends->count; i++) {
		if (keeps(context, &ends->heap[i]))
			ends->heap[kept++] = ends->heap[i];
	}
	ends->count = kept;
	for (size_t i = kept / 2; i-- > 0;)
		sift(ends, i);
}
