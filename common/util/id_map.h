/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map from a 64-bit id (not 0) to a small index: open addressing with linear
 * probing. It is never iterated, so hash order can reach no decision.
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

/* {0} is an empty map; lxfw_id_map_clear() frees what it holds. */
void lxfw_id_map_clear(struct lxfw_id_map *map);

/* Value of ID, or -1. */
int32_t lxfw_id_map_get(const struct lxfw_id_map *map, uint64_t id);

/* Enter ID, which is not in the map. 0, or -1 with errno ENOMEM. */
int lxfw_id_map_add(struct lxfw_id_map *map, uint64_t id, int32_t value);

/* Change the value of ID, which is in the map. */
void lxfw_id_map_set(struct lxfw_id_map *map, uint64_t id, int32_t value);

/* Take ID out if it is there. */
void lxfw_id_map_remove(struct lxfw_id_map *map, uint64_t id);

#endif
