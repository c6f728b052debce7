/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The pools of a request (model/request.h): when they have what it needs. */
#ifndef LXFW_PLACE_POOLS_H
#define LXFW_PLACE_POOLS_H

#include "common/books/books.h"

/* Whether the pools have what the request needs from now to its end. */
bool lxfw_pools_now(const struct lxfw_sched *sched, const struct lxfw_request *request);

/* The first time, FROM (now or later) or later, from which all pools have what the request
   needs for its estimate; LXFW_NEVER if there is none. */
int64_t lxfw_pools_earliest(const struct lxfw_sched *sched,
			    const struct lxfw_request *request, int64_t from);

/* Whether the pools have enough if no other job runs. */
bool lxfw_pools_when_empty(const struct lxfw_sched *sched,
			   const struct lxfw_request *request);

/* Adds the shares of the pools to COUNT shares of hosts in sched->found, which stay in
   ascending order. Returns the number of all, which is COUNT without pools. */
int32_t lxfw_pools_add(struct lxfw_sched *sched, const struct lxfw_request *request,
		       int32_t count);

#endif
