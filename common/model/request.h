/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a job asks for, in one of three shapes:
 *
 *   one host            LXFW_SHAPE_HOSTS with count 1: all of `unit` on one
 *                       host (shared-memory machines such as the Origin 2000);
 *   N hosts x so much   LXFW_SHAPE_HOSTS with count N: `unit` on each of N
 *                       different hosts;
 *   P anywhere          LXFW_SHAPE_ANYWHERE with count P: P pieces of `unit`
 *                       (one processor or more each) wherever they are, several
 *                       on a host where they fit. Each host that the job uses
 *                       also gives it `per_host`, whatever number of pieces is
 *                       there; between min_hosts and max_hosts hosts are used.
 *
 * The job may run on the hosts of one of `host_sets`, tried in order
 * (partitions). A job without host sets may run on every host.
 *
 * Under an adaptive policy a job runs on as many of its processors as are its
 * part, unless it is `rigid`.
 */
#ifndef LXFW_MODEL_REQUEST_H
#define LXFW_MODEL_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/resources.h"

#define LXFW_HOST_SETS_MAX 4

enum lxfw_shape {
	LXFW_SHAPE_HOSTS = 1,
	LXFW_SHAPE_ANYWHERE = 2,
};

struct lxfw_request {
	uint64_t id;		/* unique among the jobs in the books, not 0 */
	int64_t submit;		/* second since when the job waits; may lie
				   before the event that submits it */
	int64_t estimate;	/* requested run time in seconds, 1 or more */
	struct lxfw_resources unit;	/* per host or piece; procs >= 1 */
	int32_t count;		/* hosts or pieces, 1 or more */
	int32_t min_hosts;	/* LXFW_SHAPE_ANYWHERE: fewest hosts, at most
				   `count`; 0 = any */
	int32_t max_hosts;	/* LXFW_SHAPE_ANYWHERE: most hosts, 0 = any */
	struct lxfw_resources per_host;	/* LXFW_SHAPE_ANYWHERE: memory and
				   extras; its procs are 0 */
	int32_t tier;		/* higher tiers come before any priority */
	uint8_t shape;		/* enum lxfw_shape */
	bool exclusive;		/* only on hosts without any other job; takes
				   every processor of them */
	bool no_quantum;	/* gets no immediate service */
	bool rigid;		/* EQspatial: runs on all that it asks for only;
				   `least` is 0 */
	uint8_t host_set_count;	/* 0 = every host */
	int32_t host_sets[LXFW_HOST_SETS_MAX];
	/* EQspatial: the job runs on no fewer processors, at most those of `unit`,
	   and shares its host even if others have started it. 0: one will do, and
	   it is not shared if others have started it. */
	int32_t min_procs;
};

/*
 * Whether every member is in its range and no sum of amounts can overflow; the
 * host sets need not exist. Adapters ask this before they make an event of it.
 */
bool lxfw_request_is_valid(const struct lxfw_request *request);

/* Whether they are the same member by member; padding does not count. The second looks
   at what a job asks for, and not at id, submit and no_quantum. */
bool lxfw_request_same(const struct lxfw_request *a,
		       const struct lxfw_request *b);
bool lxfw_request_asks_same(const struct lxfw_request *a,
			    const struct lxfw_request *b);

/* Whether min_hosts or per_host say anything. */
bool lxfw_request_has_hosts(const struct lxfw_request *request);

/* What the job takes on a host with `pieces` of its pieces. */
struct lxfw_resources lxfw_request_share(const struct lxfw_request *request,
					 int32_t pieces);

/* The least that the job takes in all. */
struct lxfw_resources lxfw_request_sum(const struct lxfw_request *request);

/* Number of pieces, at most `most`, that fit into `available` of one host. */
int32_t lxfw_request_pieces(const struct lxfw_request *request,
			    const struct lxfw_resources *available,
			    int32_t most);

#endif
