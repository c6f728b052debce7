/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a plain or compressed file (stream.h) into memory. Used for journals. */
#ifndef LXFW_TRACE_BYTES_H
#define LXFW_TRACE_BYTES_H

#include <stddef.h>

#include "common/util/error.h"

struct lxfw_bytes {
	unsigned char *bytes;	/* owned by the caller; release with free() */
	size_t length;
};

/* Returns 0, or -1 with errno and ERROR set and *BYTES empty. */
int lxfw_bytes_read(struct lxfw_bytes *bytes, const char *path,
		    struct lxfw_error *error);

/* As lxfw_bytes_read(), but reads no more than the beginning of a file that does not begin
   with MAGIC: it may be a device without end. */
int lxfw_bytes_read_magic(struct lxfw_bytes *bytes, const char *path, const char *magic,
			  size_t magic_length, struct lxfw_error *error);

/* Reads the beginning of a file only: at least MOST bytes unless the file is shorter. */
int lxfw_bytes_read_first(struct lxfw_bytes *bytes, const char *path,
			  size_t most, struct lxfw_error *error);

#endif
