/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table of names, indexed in the order of first occurrence. */
#ifndef LXFW_TRACE_NAMES_H
#define LXFW_TRACE_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"

struct lxfw_names {
	char **names;
	size_t count, size;
	struct lxfw_id_map by_hash;
};

/* Returns the index of NAME[0..LENGTH) and adds the name if it is new. Returns -1 with
   errno ENOMEM. */
int32_t lxfw_names_add(struct lxfw_names *names, const char *name,
		       size_t length);

/* Returns the index of NAME[0..LENGTH), or -1 if it is unknown. */
int32_t lxfw_names_find(const struct lxfw_names *names, const char *name,
			size_t length);

/* Frees all names. {0} is an empty table. */
void lxfw_names_clear(struct lxfw_names *names);

#endif
