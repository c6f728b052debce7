/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names and the order in which they first came. */
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

/* The position of NAME[0..LENGTH), new or known; -1 with errno ENOMEM. */
int32_t lxfw_names_add(struct lxfw_names *names, const char *name,
		       size_t length);

/* The position of NAME[0..LENGTH), or -1 where it is not known. */
int32_t lxfw_names_find(const struct lxfw_names *names, const char *name,
			size_t length);

/* {0} is empty. */
void lxfw_names_clear(struct lxfw_names *names);

#endif
