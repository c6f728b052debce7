/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A growing array is a pointer to its items and a size_t, the number of items that are
 * allocated. Both are 0 for an empty array. Release it with free().
 */
#ifndef LXFW_UTIL_GROW_H
#define LXFW_UTIL_GROW_H

#include <stddef.h>
#include <string.h>

/*
 * Return ARRAY, possibly moved, with room for at least NEED items of ITEM_SIZE bytes.
 * *SIZE is the number of items allocated. It grows at least by half, so that appending
 * takes constant time on average. New items are zeroed. Returns NULL with errno ENOMEM;
 * ARRAY and *SIZE are then unchanged.
 */
void *lxfw_grow(void *array, size_t *size, size_t need, size_t item_size);

/*
 * The same for an array in place: LXFW_GROW(list->items, list->size, list->count + 1)
 * makes room for one more item. Returns 0, or -1 with errno ENOMEM; the array is then
 * unchanged.
 */
#define LXFW_GROW(array, size, need) \
	lxfw_grow_in_place(&(array), &(size), (need), sizeof(*(array)))

/* ARRAY is the address of the pointer. The pointer is copied as bytes, since its type is
   not known here. */
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
