/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/places.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

bool lxfw_places_add(struct lxfw_places *places, const struct lxfw_alternative *place)
{
	int32_t beyond = places->count - LXFW_HOST_SETS_MAX;

	if (beyond < 0) {
		places->few[places->count++] = *place;
		return true;
	}
	if (LXFW_GROW(places->more, places->more_size, (size_t)beyond + 1))
		return false;
	places->more[beyond] = *place;
	places->count++;
	return true;
}

bool lxfw_places_copy(struct lxfw_places *to, const struct lxfw_places *from)
{
	int32_t beyond = from->count - LXFW_HOST_SETS_MAX;

	memcpy(to->few, from->few, sizeof(to->few));
	to->count = beyond < 0 ? from->count : LXFW_HOST_SETS_MAX;
	if (beyond <= 0)
		return true;
	if (LXFW_GROW(to->more, to->more_size, (size_t)beyond))
		return false;
	memcpy(to->more, from->more, (size_t)beyond * sizeof(*to->more));
	to->count = from->count;
	return true;
}

void lxfw_places_clear(struct lxfw_places *places)
{
	free(places->more);
	*places = (struct lxfw_places){ 0 };
}
