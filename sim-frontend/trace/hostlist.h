/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Names of hosts as cluster files write them: "n[001-128,200]", several
 * brackets "r[0-3]c[0-7]", several lists "a1,b[2-3]". Digits in front are kept
 * (001, 002 ...). And back: a sequence of names as the shortest such list.
 */
#ifndef LXFW_TRACE_HOSTLIST_H
#define LXFW_TRACE_HOSTLIST_H

#include <stddef.h>

#include "common/util/error.h"

/* Most names that one list may stand for. */
#define LXFW_HOSTLIST_MAX 1000000
/* Longest name, with its NUL. */
#define LXFW_HOST_NAME_SIZE 256

/* Told of each name in order; non-zero with errno set ends the expansion. */
typedef int lxfw_host_name_fn(void *context, const char *name);

/*
 * Expand LIST[0..LENGTH). 0, or -1 with errno EINVAL and ERROR saying what is
 * wrong (without a file's name), or with what NAME returned.
 */
int lxfw_hostlist_expand(const char *list, size_t length,
			 lxfw_host_name_fn *name, void *context,
			 struct lxfw_error *error);

/* Where the list at the beginning of TEXT that ends at a comma outside of
   brackets ends; its length. */
size_t lxfw_hostlist_item(const char *text, size_t length);

/*
 * Writes names one after the other, joining those that differ only in a
 * trailing number that counts up: h0 h1 h2 x -> "h[0-2],x". NAMES[i] are the
 * names, COUNT of them. A string to be freed, or NULL with errno ENOMEM.
 */
char *lxfw_hostlist_compress(const char *const *names, size_t count);

#endif
