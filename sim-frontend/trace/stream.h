/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads a plain or compressed file: gzip, bzip2, xz, zstd, lz4 or compress (.Z). The
 * compression is detected from the content. No temporary file is used.
 */
#ifndef LXFW_TRACE_STREAM_H
#define LXFW_TRACE_STREAM_H

#include <stddef.h>

#include "common/util/error.h"

struct lxfw_stream;

/* Opens PATH, or standard input if PATH is NULL. Returns NULL with errno and ERROR set
   on failure. */
struct lxfw_stream *lxfw_stream_open(const char *path, struct lxfw_error *error);

/* Reads up to SIZE bytes; SIZE is at least 1. Returns their number, 0 at the end, or
   -1 with errno set. *REASON is then a description such as "the gzip data ends before
   its end", or NULL if errno is sufficient. */
long lxfw_stream_read(struct lxfw_stream *stream, void *to, size_t size,
		      const char **reason);

/* Preserves errno. STREAM may be NULL. */
void lxfw_stream_close(struct lxfw_stream *stream);

#endif
