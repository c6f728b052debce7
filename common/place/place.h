/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When and where a job can start. */
#ifndef LXFW_PLACE_PLACE_H
#define LXFW_PLACE_PLACE_H

#include "common/books/books.h"

/* The same request in the simplest shape: pieces anywhere, where there is only one
   host for them, are all on it. */
struct lxfw_request lxfw_request_simplest(const struct lxfw_sched *sched,
					  const struct lxfw_request *request);

/* How many host sets to try in turn (one for every host), and whether one of them
   has HOST in it. */
static inline int32_t
lxfw_request_alternatives(const struct lxfw_request *request)
{
	return request->host_set_count ? request->host_set_count : 1;
}
bool lxfw_host_allowed(const struct lxfw_sched *sched,
		       const struct lxfw_request *request, int32_t alternative,
		       int32_t host);

/* What one host gives for one piece. An exclusive job takes every processor, so
   that nothing else fits beside it. */
struct lxfw_resources lxfw_request_on(const struct lxfw_request *request,
				      const struct lxfw_host *host);

/* Make room for a share of every host in sched->found, and in the other scratch of
   a placement. 0, or -1 with errno ENOMEM. */
int lxfw_place_ready(struct lxfw_sched *sched);

/*
 * Find hosts for a request from START = now on. Shares go to sched->found,
 * ascending by host; returns their number, 0 when it does not fit, -1 with errno
 * ENOMEM. *HOST_SET is the index of the alternative.
 */
int32_t lxfw_place_now(struct lxfw_sched *sched,
		       const struct lxfw_request *request, int32_t *host_set);

/*
 * Find the earliest start, now or later, and hosts for it. As above, with *START;
 * 0 when the request fits at no time.
 */
int32_t lxfw_place_earliest(struct lxfw_sched *sched,
			    const struct lxfw_request *request,
			    int64_t *start, int32_t *host_set);

/* Whether the request fits when nothing else runs: 1, 0, or -1 with errno ENOMEM. */
int lxfw_place_possible(struct lxfw_sched *sched,
			const struct lxfw_request *request);

/* Whether a request fits on HOST now, all its pieces there. Its share goes to
   sched->found, for which room has been made. */
bool lxfw_place_on(struct lxfw_sched *sched, const struct lxfw_request *request,
		   int32_t host, int32_t *host_set);

#endif
