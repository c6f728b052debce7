/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The resources that a job requests, in one of three shapes:
 *
 *   one host            LXFW_SHAPE_HOSTS with count 1: `unit` on one host
 *                       (shared-memory machines such as the Origin 2000)
 *   N hosts             LXFW_SHAPE_HOSTS with count N: `unit` on each of N
 *                       different hosts
 *   P pieces anywhere   LXFW_SHAPE_ANYWHERE with count P: P pieces of `unit`,
 *                       each of one processor or more, on any hosts; a host may
 *                       have several. Each host used also provides `per_host`,
 *                       independent of its number of pieces. The job uses from
 *                       min_hosts to max_hosts hosts.
 *
 * A job runs on the hosts of one of its `host_sets` (partitions), which are tried in
 * order. A job without host sets may run on every host. With `more_sets`, the sets whose
 * numbers follow that of the last one are tried too: those of a placement that needs hosts with
 * a common property, such as a switch.
 *
 * A job with `min_estimate` starts with the longest run time, from that to its estimate,
 * that delays no reservation. Reservations for it are for `min_estimate`, priorities
 * follow `estimate`.
 *
 * Jobs with the same `group` are the components of one: they start at the same time or
 * not at all, and no two of them have a share of the same host, or of the same pool (below).
 *
 * Of jobs with the same priority that were submitted at the same time, the one with the
 * lower id is first. The tasks of a job array have the number of the array in the lower half
 * of their ids, which is compared first, and 1 plus that of the task in the upper half.
 *
 * A job may also need amounts of *pools*, which are counted for all hosts together, such as
 * floating licenses. A pool is a host without processors that is in no host set; its amount
 * is its first extra. The job has a share of each of its pools as long as it runs.
 *
 * A job with `no_reservation` starts where it fits beside the reservations of the jobs before
 * it, and has none itself, whatever its place. Slurm's QOS flag NoReserve is the same.
 *
 * Under an adaptive policy a job may run on fewer processors than requested, unless it is
 * `rigid`.
 */
#ifndef LXFW_MODEL_REQUEST_H
#define LXFW_MODEL_REQUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "common/model/resources.h"

#define LXFW_HOST_SETS_MAX 4
#define LXFW_GROUP_MAX 128
#define LXFW_POOLS_MAX 4

enum lxfw_shape {
	LXFW_SHAPE_HOSTS = 1,
	LXFW_SHAPE_ANYWHERE = 2,
};

/* The key by which ids are compared. */
static inline uint64_t lxfw_id_key(uint64_t id)
{
	return id << 32 | id >> 32;
}

/* An amount of a pool. */
struct lxfw_pool_need {
	int32_t pool;		/* index of its host */
	int32_t amount;		/* 1 or more */
};

struct lxfw_request {
	uint64_t id;		/* unique among the jobs of the scheduler, not 0 */
	int64_t submit;		/* time since which the job waits, in seconds; may be
				   before the event that submits it */
	int64_t estimate;	/* requested run time in seconds, 1 or more */
	int64_t min_estimate;	/* run time with which the job may also start, less than
				   `estimate`; 0: none */
	struct lxfw_resources unit;	/* per host or piece; procs >= 1 */
	int32_t count;		/* hosts or pieces, 1 or more */
	int32_t min_hosts;	/* LXFW_SHAPE_ANYWHERE: fewest hosts, at most `count`; 0:
				   no bound */
	int32_t max_hosts;	/* LXFW_SHAPE_ANYWHERE: most hosts; 0: no bound */
	struct lxfw_resources per_host;	/* LXFW_SHAPE_ANYWHERE: memory and extras; its
					   procs are 0 */
	int32_t tier;		/* a higher tier comes first, whatever the priority */
	uint8_t shape;		/* enum lxfw_shape */
	bool exclusive;		/* runs on hosts without other jobs and takes all their
				   processors */
	bool no_quantum;	/* gets no immediate service */
	bool no_reservation;	/* gets no reservation */
	bool probe;		/* is considered in its turn, but neither starts nor gets a
				   reservation (pass/probe.h). Not in journals */
	bool rigid;		/* EQspatial: always has all requested processors;
				   `min_procs` is 0 */
	uint8_t host_set_count;	/* 0: every host */
	int32_t host_sets[LXFW_HOST_SETS_MAX];
	/* EQspatial: the fewest processors on which the job runs, at most those of
	   `unit`; the job shares its host even if it was not started by the scheduler. 0:
	   one processor is enough, and a job that the scheduler did not start is not
	   adaptive. */
	int32_t min_procs;
	uint64_t group;		/* 0: none. A job of a group has `no_quantum`, and
				   neither `min_procs` nor `min_estimate` */
	int32_t group_count;	/* jobs of the group, 2 to LXFW_GROUP_MAX; it is
				   considered when all are submitted. 0: no group */
	/* Ascending by pool. A job with pools has `no_quantum`, and no `min_procs`. */
	struct lxfw_pool_need pools[LXFW_POOLS_MAX];
	uint8_t pool_count;
	int32_t more_sets;	/* host sets after the last of `host_sets`; 0 without any */
};

/*
 * Whether every member is in its range and no sum of amounts can overflow. The host sets
 * need not exist. Adapters check a request before they make an event of it.
 */
bool lxfw_request_is_valid(const struct lxfw_request *request);

/* Whether its pools, and its further sets, are as stated above. The numbers of its host sets
   are not negative. */
bool lxfw_request_pools_are_valid(const struct lxfw_request *request);
bool lxfw_request_more_sets_are_valid(const struct lxfw_request *request);

/* Whether two requests are equal in every member; padding is ignored.
   lxfw_request_asks_same() also ignores id, submit and no_quantum. */
bool lxfw_request_same(const struct lxfw_request *a,
		       const struct lxfw_request *b);
bool lxfw_request_asks_same(const struct lxfw_request *a,
			    const struct lxfw_request *b);

/* Whether min_hosts or per_host is set. */
bool lxfw_request_has_hosts(const struct lxfw_request *request);

/* The shortest run time with which the job may start. */
static inline int64_t lxfw_request_least(const struct lxfw_request *request)
{
	return request->min_estimate ? request->min_estimate : request->estimate;
}

/* The share of a host that has `pieces` pieces of the job. */
struct lxfw_resources lxfw_request_share(const struct lxfw_request *request,
					 int32_t pieces);

/* Total resources of the job; with per_host, of the fewest hosts that it may use. */
struct lxfw_resources lxfw_request_sum(const struct lxfw_request *request);

/* Number of pieces, at most `most`, that fit into `available` of one host. */
int32_t lxfw_request_pieces(const struct lxfw_request *request,
			    const struct lxfw_resources *available,
			    int32_t most);

#endif
