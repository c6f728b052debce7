/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* FNV-1a. Never 0, since the map cannot hold key 0. */
static uint64_t hash_of(const char *name, size_t length)
{
	uint64_t hash = UINT64_C(14695981039346656037);

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)name[i]) * UINT64_C(1099511628211);
	return hash ? hash : 1;
}

/* Returns the index of NAME, or -1 with *HASH set to the key for a new entry. */
static int32_t find(const struct lxfw_names *names, const char *name,
		    size_t length, uint64_t *hash)
{
	int32_t known;

	*hash = hash_of(name, length);
	for (;; *hash = *hash + 1 ? *hash + 1 : 1) {
		known = lxfw_id_map_get(&names->by_hash, *hash);
		if (known < 0 || (strlen(names->names[known]) == length &&
				  memcmp(names->names[known], name, length) == 0))
			return known;
	}
}

/* A name ends before a byte 0, as a copy of it does. */
int32_t lxfw_names_find(const struct lxfw_names *names, const char *name,
			size_t length)
{
	uint64_t hash;

	return find(names, name, length > 0 ? strnlen(name, length) : 0, &hash);
}

int32_t lxfw_names_add(struct lxfw_names *names, const char *name, size_t length)
{
	size_t kept = length > 0 ? strnlen(name, length) : 0;
	uint64_t hash;
	int32_t known = find(names, name, kept, &hash);
	char *copy;

	if (known >= 0)
		return known;
	if (names->count == INT32_MAX) {
		errno = ENOMEM;
		return -1;
	}
	if (LXFW_GROW(names->names, names->size, names->count + 1))
		return -1;
	copy = kept > 0 ? strndup(name, kept) : strdup("");
	if (!copy || lxfw_id_map_add(&names->by_hash, hash, (int32_t)names->count)) {
		free(copy);
		return -1;
	}
	names->names[names->count] = copy;
	return (int32_t)names->count++;
}

void lxfw_names_clear(struct lxfw_names *names)
{
	for (size_t i = 0; i < names->count; i++)
		free(names->names[i]);
	free(names->names);
	lxfw_id_map_clear(&names->by_hash);
	*names = (struct lxfw_names) { 0 };
}
