/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Host lists as in cluster files: "n[001-128,200]", several brackets "r[0-3]c[0-7]",
 * several lists "a1,b[2-3]". Leading zeros are kept (001, 002 ...). A sequence of names
 * can be compressed to the shortest such list.
 */
#ifndef LXFW_TRACE_HOSTLIST_H
#define LXFW_TRACE_HOSTLIST_H

#include <stddef.h>

#include "common/util/error.h"

/* Maximum number of names in a list. */
#define LXFW_HOSTLIST_MAX 1000000
/* Maximum length of a name, including the NUL. */
#define LXFW_HOST_NAME_SIZE 256

/* Called for each name in order. A non-zero return value, with errno set, ends the
   expansion. */
typedef int lxfw_host_name_fn(void *context, const char *name);

/*
 * Expands LIST[0..LENGTH). Returns 0, or -1 with errno EINVAL and ERROR set (without a
 * file name), or the non-zero value that NAME returned.
 */
int lxfw_hostlist_expand(const char *list, size_t length,
			 lxfw_host_name_fn *name, void *context,
			 struct lxfw_error *error);

/* Returns the length of the first item of TEXT, which ends at a comma outside of
   brackets. */
size_t lxfw_hostlist_item(const char *text, size_t length);

/*
 * Compresses COUNT names to a list in the given order. Names that differ only in a
 * trailing number that increases by one are joined: h0 h1 h2 x -> "h[0-2],x". Returns a
 * string that the caller frees, or NULL with errno ENOMEM.
 */
char *lxfw_hostlist_compress(const char *const *names, size_t count);

#endif
