/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/grow.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *lxfw_grow(void *array, size_t *size, size_t need, size_t item_size)
{
	size_t wanted = *size + *size / 2 < 8 ? 8 : *size + *size / 2;
	char *grown;

	if (need <= *size && array)
		return array;
	if (wanted < need)
		wanted = need;
	if (wanted > SIZE_MAX / 2 / item_size) {
		errno = ENOMEM;
		return NULL;
	}
	grown = realloc(array, wanted * item_size);
	if (!grown) {
		errno = ENOMEM;
		return NULL;
	}
	memset(grown + *size * item_size, 0, (wanted - *size) * item_size);
	*size = wanted;
	return grown;
}
