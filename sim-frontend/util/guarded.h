/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reading a file that another user may have put there. */
#ifndef LXFW_UTIL_GUARDED_H
#define LXFW_UTIL_GUARDED_H

#include <stddef.h>

#include "common/util/error.h"

/*
 * Returns the text of the file, with a NUL behind it, which the caller frees; *LENGTH is its
 * length. A symbolic link, a file that is not a regular one, that others may write, or of more
 * than MAX bytes is an error, and nothing is waited for. Returns NULL with errno and ERROR set.
 */
char *lxfw_guarded_read(const char *path, size_t max, size_t *length, struct lxfw_error *error);

#endif
