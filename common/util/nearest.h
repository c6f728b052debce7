/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The known name that a misspelled one probably means. */
#ifndef LXFW_UTIL_NEAREST_H
#define LXFW_UTIL_NEAREST_H

#include <stddef.h>

/* The number of letters to insert, delete or change between NAME of LENGTH bytes, in upper
   or lower case, and KNOWN; MOST if it is MOST or more. Names of more than 32 bytes are MOST edits
   from all others. */
int lxfw_edits(const char *name, size_t length, const char *known, int most);

/* The number of edits up to which a name of LENGTH bytes is a probable misspelling: 0 to 2.
   Two short names are few edits from each other by chance. */
int lxfw_edits_likely(size_t length);

/* The name in NAMES, whose last is NULL, that is nearest to NAME of LENGTH bytes, if NAME is
   a probable misspelling of it; otherwise NULL. The first of several equally near ones. */
const char *lxfw_nearest(const char *name, size_t length, const char *const *names);

#endif
