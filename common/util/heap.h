/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A binary heap in an array, the first item on top. LXFW_HEAP(name, item, context, before)
 * makes the functions for one kind of item: `before(of, a, b)` says whether item A, by
 * pointer, comes before B; OF, a pointer to `context`, is for it alone. They are inline, so
 * that a comparison costs no call. Growing the array is its owner's.
 *
 *   name_sift(heap, count, at, of)    the item AT may come after those below it
 *   name_make(heap, count, of)        items in no order become a heap
 *   name_push(heap, count, new, of)   there is room for one more: COUNT + 1 items
 */
#ifndef LXFW_UTIL_HEAP_H
#define LXFW_UTIL_HEAP_H

#include <stddef.h>

#define LXFW_HEAP(name, item, context, before) \
	static inline void name##_sift(item *heap, size_t count, size_t at, \
				       const context *of) \
	{ \
		item moved = heap[at]; \
		\
		while (2 * at + 1 < count) { \
			size_t child = 2 * at + 1; \
			\
			if (child + 1 < count && \
			    before(of, &heap[child + 1], &heap[child])) \
				child++; \
			if (!before(of, &heap[child], &moved)) \
				break; \
			heap[at] = heap[child]; \
			at = child; \
		} \
		heap[at] = moved; \
	} \
	\
	static inline void name##_make(item *heap, size_t count, \
				       const context *of) \
	{ \
		for (size_t i = count / 2; i-- > 0;) \
			name##_sift(heap, count, i, of); \
	} \
	\
	static inline void name##_push(item *heap, size_t count, item new, \
				       const context *of) \
	{ \
		size_t at = count; \
		\
		for (; at > 0 && before(of, &new, &heap[(at - 1) / 2]); \
		     at = (at - 1) / 2) \
			heap[at] = heap[(at - 1) / 2]; \
		heap[at] = new; \
	}

#endif
