/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of a file as they were before it was compressed: plain, gzip, bzip2, xz,
 * zstd, lz4 or compress (.Z), told apart by content, without a file in between.
 */
#ifndef LXFW_TRACE_STREAM_H
#define LXFW_TRACE_STREAM_H

#include <stddef.h>

#include "common/util/error.h"

struct lxfw_stream;

/* Open PATH, or standard input for NULL. NULL with errno and ERROR set. */
struct lxfw_stream *lxfw_stream_open(const char *path, struct lxfw_error *error);

/* The next bytes, up to SIZE, which is at least 1; their number, 0 at the end, or -1
   with errno set, and *REASON: why the data is no good ("the gzip data ends before its
   end"), or NULL where errno says all. */
long lxfw_stream_read(struct lxfw_stream *stream, void *to, size_t size,
		      const char **reason);

/* Keeps errno. STREAM may be NULL. */
void lxfw_stream_close(struct lxfw_stream *stream);

#endif
