/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map from a 64-bit id (not 0) to a small index: open addressing with linear probing.
 * The map is never iterated, so hash order cannot influence a decision.
 */
#ifndef LXFW_UTIL_ID_MAP_H
#define LXFW_UTIL_ID_MAP_H

#include <stddef.h>
#include <stdint.h>

struct lxfw_id_map {
	struct lxfw_id_entry {
		uint64_t id;
		int32_t value;
	} *entries;
	size_t size;		/* a power of two, or 0 */
	size_t count;
};

/* {0} is an empty map. lxfw_id_map_clear() frees its memory. */
void lxfw_id_map_clear(struct lxfw_id_map *map);

/* Returns the value of ID, or -1 if ID is not in the map. */
int32_t lxfw_id_map_get(const struct lxfw_id_map *map, uint64_t id);

/* Add ID, which must not be in the map. Returns 0, or -1 with errno ENOMEM. */
int lxfw_id_map_add(struct lxfw_id_map *map, uint64_t id, int32_t value);

/* Change the value of ID, which must be in the map. */
void lxfw_id_map_set(struct lxfw_id_map *map, uint64_t id, int32_t value);

/* Remove ID. Does nothing if it is not in the map. */
void lxfw_id_map_remove(struct lxfw_id_map *map, uint64_t id);

#endif
