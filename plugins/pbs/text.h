/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values of OpenPBS's attributes, which are text. The functions return false, and leave
 * the result unchanged, if TEXT is not such a value.
 */
#ifndef LXFW_PBS_TEXT_H
#define LXFW_PBS_TEXT_H

#include <stdbool.h>
#include <stdint.h>

/* A whole number, 0 or more. */
bool lxfw_pbs_number(const char *text, int64_t *number);

/* A whole number of either sign. */
bool lxfw_pbs_integer(const char *text, int64_t *number);

/* A size: a number and a unit. b or w, bytes (the default) or words of 8 bytes, or these
   with k, m, g, t or p before. In KiB, rounded up. */
bool lxfw_pbs_size(const char *text, int64_t *kb);

/* A decimal number, 0 or more, in thousandths, which are rounded up if UP, else down. */
bool lxfw_pbs_thousandths(const char *text, bool up, int64_t *number);

/* A duration: [[HOURS:]MINUTES:]SECONDS[.FRACTION], or seconds. */
bool lxfw_pbs_duration(const char *text, int64_t *seconds);

/* A boolean. */
bool lxfw_pbs_truth(const char *text, bool *value);

/* True if the comma-separated LIST has the item NAME. Spaces before items are ignored. */
bool lxfw_pbs_listed(const char *list, const char *name);

#endif
