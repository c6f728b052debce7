/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/util/id_map.h"

#include <errno.h>
#include <stdlib.h>

/* Ids that differ in their low bits only are often looked up together. Four of them share
   a cache line. */
#define NEAR_BITS 2

/* The finalizer of SplitMix64 over the high bits of the id. Job ids are consecutive, and
   would form long runs of occupied slots otherwise. */
static size_t home(uint64_t id, size_t size)
{
	uint64_t near = id & ((1 << NEAR_BITS) - 1);

	id >>= NEAR_BITS;
	id ^= id >> 30;
	id *= 0xbf58476d1ce4e5b9u;
	id ^= id >> 27;
	id *= 0x94d049bb133111ebu;
	id ^= id >> 31;
	return (size_t)(id << NEAR_BITS | near) & (size - 1);
}

void lxfw_id_map_clear(struct lxfw_id_map *map)
{
	free(map->entries);
	*map = (struct lxfw_id_map){ 0 };
}

static size_t find(const struct lxfw_id_map *map, uint64_t id)
{
	size_t at = home(id, map->size);

	while (map->entries[at].id != 0 && map->entries[at].id != id)
		at = (at + 1) & (map->size - 1);
	return at;
}

int32_t lxfw_id_map_get(const struct lxfw_id_map *map, uint64_t id)
{
	size_t at;

	if (map->size == 0 || id == 0)
		return -1;
	at = find(map, id);
	return map->entries[at].id == id ? map->entries[at].value : -1;
}

static int resize(struct lxfw_id_map *map, size_t size)
{
	struct lxfw_id_map bigger = {
		.entries = calloc(size, sizeof(*bigger.entries)),
		.size = size,
		.count = map->count,
	};

	if (!bigger.entries) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < map->size; i++) {
		if (map->entries[i].id != 0)
			bigger.entries[find(&bigger, map->entries[i].id)] =
				map->entries[i];
	}
	free(map->entries);
	*map = bigger;
	return 0;
}

int lxfw_id_map_add(struct lxfw_id_map *map, uint64_t id, int32_t value)
{
	if (map->count + 1 > map->size / 2 &&
	    resize(map, map->size ? map->size * 2 : 16) < 0)
		return -1;
	map->entries[find(map, id)] =
		(struct lxfw_id_entry){ .id = id, .value = value };
	map->count++;
	return 0;
}

void lxfw_id_map_set(struct lxfw_id_map *map, uint64_t id, int32_t value)
{
	map->entries[find(map, id)].value = value;
}

void lxfw_id_map_remove(struct lxfw_id_map *map, uint64_t id)
{
	size_t hole, at;

	if (map->size == 0 || id == 0)
		return;
	hole = find(map, id);
	if (map->entries[hole].id != id)
		return;
	/* Close the gap: move back each entry that linear probing would no longer
	   find. */
	for (at = (hole + 1) & (map->size - 1); map->entries[at].id != 0;
	     at = (at + 1) & (map->size - 1)) {
		size_t from_home = (at - home(map->entries[at].id, map->size)) &
				   (map->size - 1);
		size_t from_hole = (at - hole) & (map->size - 1);

		if (from_home >= from_hole) {
			map->entries[hole] = map->entries[at];
			hole = at;
		}
	}
	map->entries[hole].id = 0;
	map->count--;
}
