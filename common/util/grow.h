/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An array that grows: a pointer to its items, and the number of items that it has room
 * for, a size_t. Both 0: it is empty. It is freed with free().
 */
#ifndef LXFW_UTIL_GROW_H
#define LXFW_UTIL_GROW_H

#include <stddef.h>
#include <string.h>

/*
 * Return ARRAY, moved if need be, with room for at least NEED items of
 * ITEM_SIZE bytes; *SIZE is the number of items it has room for and grows at
 * least by half, so that appending costs constant time on average. New room is
 * zeroed. NULL with errno ENOMEM and ARRAY untouched.
 */
void *lxfw_grow(void *array, size_t *size, size_t need, size_t item_size);

/*
 * Likewise, in place: LXFW_GROW(list->items, list->size, list->count + 1) makes room for
 * one more. 0, or -1 with errno ENOMEM and the array untouched.
 */
#define LXFW_GROW(array, size, need) \
	lxfw_grow_in_place(&(array), &(size), (need), sizeof(*(array)))

/* ARRAY is the address of the pointer. It is copied as bytes, since it may point at items
   of any type. */
static inline int lxfw_grow_in_place(void *array, size_t *size, size_t need,
				     size_t item_size)
{
	void *items;

	memcpy(&items, array, sizeof(items));
	if (need <= *size && items)
		return 0;
	items = lxfw_grow(items, size, need, item_size);
	if (!items)
		return -1;
	memcpy(array, &items, sizeof(items));
	return 0;
}

#endif
