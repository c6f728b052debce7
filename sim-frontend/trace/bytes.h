/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A whole file, plain or compressed (stream.h), in memory: for journals. */
#ifndef LXFW_TRACE_BYTES_H
#define LXFW_TRACE_BYTES_H

#include <stddef.h>

#include "common/util/error.h"

struct lxfw_bytes {
	unsigned char *bytes;	/* free() it */
	size_t length;
};

/* 0, or -1 with errno and ERROR set and *BYTES empty. */
int lxfw_bytes_read(struct lxfw_bytes *bytes, const char *path,
		    struct lxfw_error *error);

/* The same of a file's first bytes: all, or MOST and perhaps some more. */
int lxfw_bytes_read_first(struct lxfw_bytes *bytes, const char *path,
			  size_t most, struct lxfw_error *error);

#endif
