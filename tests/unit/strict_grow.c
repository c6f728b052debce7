/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Replaces common/util/grow.c. It allocates exactly the requested size at a new
 * address, so that every append can fail and sanitizers detect stale pointers.
 */
#include "common/util/grow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void *lxfw_grow(void *array, size_t *size, size_t need, size_t item_size)
{
	char *grown;

	if (need <= *size && array)
		return array;
	if (need < *size)
		need = *size;
	grown = calloc(need ? need : 1, item_size);
	if (!grown) {
		errno = ENOMEM;
		return NULL;
	}
	if (array) {
		memcpy(grown, array, *size * item_size);
		memset(array, 0xa5, *size * item_size);
		free(array);
	}
	*size = need ? need : 1;
	return grown;
}
