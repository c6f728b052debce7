/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When and where a job can start. */
#ifndef LXFW_PLACE_PLACE_H
#define LXFW_PLACE_PLACE_H

#include "common/books/books.h"

/* The same request in the simplest shape: pieces that can only be on one host become one
   share of a host. */
struct lxfw_request lxfw_request_simplest(const struct lxfw_sched *sched,
					  const struct lxfw_request *request);

/* The number of host sets to try in turn, 1 for a request without host sets; and whether
   HOST is in the set with index ALTERNATIVE. */
static inline int32_t
lxfw_request_alternatives(const struct lxfw_request *request)
{
	return request->host_set_count ? request->host_set_count + request->more_sets : 1;
}
bool lxfw_host_allowed(const struct lxfw_sched *sched,
		       const struct lxfw_request *request, int32_t alternative,
		       int32_t host);

/* Resources of one host for one piece. An exclusive job takes all processors of the
   host. */
static inline struct lxfw_resources
lxfw_request_on(const struct lxfw_request *request, const struct lxfw_host *host)
{
	struct lxfw_resources need = request->unit;

	if (request->shape == LXFW_SHAPE_ANYWHERE)
		lxfw_resources_add(&need, &request->per_host);
	if (request->exclusive && need.procs <= host->total.procs)
		need.procs = host->total.procs;
	return need;
}

/* Allocate the scratch arrays of a placement for the present number of hosts. Returns 0,
   or -1 with errno ENOMEM. */
int lxfw_place_ready(struct lxfw_sched *sched);

/*
 * Find hosts for a request that starts now: for its estimate, or if there are none, for
 * its `min_estimate`. Puts the shares into sched->found, ascending
 * by host, and the index of the host set into *HOST_SET. Returns the number of shares, 0
 * if the request does not fit, or -1 with errno ENOMEM.
 */
int32_t lxfw_place_now(struct lxfw_sched *sched,
		       const struct lxfw_request *request, int32_t *host_set);

/*
 * Find the earliest start, now or later, and hosts for the shortest run time with which it
 * may start. The start is in *START; the
 * rest is as for lxfw_place_now(). Returns 0 if the request fits at no time.
 */
int32_t lxfw_place_earliest(struct lxfw_sched *sched,
			    const struct lxfw_request *request,
			    int64_t *start, int32_t *host_set);

/* As lxfw_place_earliest(), for a start at FROM, now or later, or after it. */
int32_t lxfw_place_earliest_from(struct lxfw_sched *sched,
				 const struct lxfw_request *request, int64_t from,
				 int64_t *start, int32_t *host_set);

/* Choose hosts on which the request fits if no other job runs, without amounts. Returns
   their number in sched->found, 0, or -1 with errno ENOMEM. */
int32_t lxfw_place_empty(struct lxfw_sched *sched, const struct lxfw_request *request);

/* Number of hosts on which a piece fits if no other job runs; a host in two of the
   request's sets counts twice. Returns -1 with errno ENOMEM. */
int32_t lxfw_place_eligible(struct lxfw_sched *sched, const struct lxfw_request *request);

/* Whether the request fits if no other job runs: 1 or 0, or -1 with errno ENOMEM. */
int lxfw_place_possible(struct lxfw_sched *sched,
			const struct lxfw_request *request);

/* Whether a request fits on HOST now, with all its pieces there. Puts the share into
   sched->found; call lxfw_place_ready() before. */
bool lxfw_place_on(struct lxfw_sched *sched, const struct lxfw_request *request,
		   int32_t host, int32_t *host_set);

#endif
