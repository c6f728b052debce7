/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In place of common/util/grow.c: gives exactly the room that was asked for, at
 * another place. So every append allocates, and can fail, and what pointed into
 * the old place is found out by the sanitizers.
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
