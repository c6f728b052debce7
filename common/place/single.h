/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The earliest start of a request for one piece on one host, which most jobs have. The kinds of
 * hosts are examined once, each only until it is known to be later than another one.
 */
#ifndef LXFW_PLACE_SINGLE_H
#define LXFW_PLACE_SINGLE_H

#include "common/place/placing.h"

/* Find the first time at placing->from_time or later at which the request, of shape
   LXFW_SHAPE_HOSTS and one piece, fits on a host. There are several hosts. Returns 1 with the host
   in sched->found and the time in placing->start; 0 if it fits at no time. */
int32_t lxfw_place_single(struct lxfw_placing *placing);

#endif
