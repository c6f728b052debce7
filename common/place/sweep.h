/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_PLACE_SWEEP_H
#define LXFW_PLACE_SWEEP_H

#include <stdint.h>

struct lxfw_placing;

/* Go through the changes of all hosts in the order of time, from START, until the hosts have
   room for all pieces of the request at once. Returns the number of shares, 0, or -1 with
   errno ENOMEM. */
int32_t lxfw_place_sweep(struct lxfw_placing *placing, int64_t start);

#endif
