/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Growing an array. */
#ifndef LXFW_UTIL_GROW_H
#define LXFW_UTIL_GROW_H

#include <stddef.h>

/*
 * Return ARRAY, moved if need be, with room for at least NEED items of
 * ITEM_SIZE bytes; *SIZE is the number of items it has room for and grows at
 * least by half, so that appending costs constant time on average. New room is
 * zeroed. NULL with errno ENOMEM and ARRAY untouched.
 */
void *lxfw_grow(void *array, size_t *size, size_t need, size_t item_size);

#endif
