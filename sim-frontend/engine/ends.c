/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/ends.h"

#include "common/util/grow.h"
#include "common/util/heap.h"

static inline bool before(const struct lxfw_ends *ends, const struct lxfw_end *a,
			  const struct lxfw_end *b)
{
	(void)ends;
	return a->time != b->time ? a->time < b->time :
				    a->sequence < b->sequence;
}

LXFW_HEAP(heap, struct lxfw_end, struct lxfw_ends, before)

int lxfw_ends_add(struct lxfw_ends *ends, int64_t time, uint64_t job)
{
	struct lxfw_end end = { time, ends->added, job };

	if (LXFW_GROW(ends->heap, ends->size, ends->count + 1))
		return -1;
	heap_push(ends->heap, ends->count++, end, ends);
	ends->added++;
	return 0;
}

uint64_t lxfw_ends_pop(struct lxfw_ends *ends)
{
	uint64_t job = ends->heap[0].job;

	ends->heap[0] = ends->heap[--ends->count];
	if (ends->count > 0)
		heap_sift(ends->heap, ends->count, 0, ends);
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
	heap_make(ends->heap, kept, ends);
}
