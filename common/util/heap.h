/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A binary heap in an array, with the first item at index 0. LXFW_HEAP(name, item,
 * context, before) defines the functions for one type of item. `before(of, a, b)` returns
 * whether item *A comes before *B. OF is a pointer to `context` and is only passed to
 * `before`. The functions are inline, so that a comparison costs no call. The owner
 * allocates the array.
 *
 *   name_sift(heap, count, at, of)    move the item AT down to its place
 *   name_make(heap, count, of)        make a heap of unordered items
 *   name_push(heap, count, new, of)   add an item; the array has room for COUNT + 1
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
