/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is known of a cluster after a pass: a copy of its scheduler, the expected starts of all jobs
 * that wait, and what is free beside these. It is computed once, in steps, and then answers any
 * number of questions without a further look into the future.
 */
#ifndef LXFW_ROUTE_TABLE_H
#define LXFW_ROUTE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"
#include "sim-frontend/predict/slurm_partitions.h"
#include "sim-frontend/predict/starts_grid.h"
#include "sim-frontend/route/wire.h"

/* The hosts of a partition. */
struct lxfw_route_set {
	int32_t id;		/* -1: no hosts */
	int64_t procs;		/* of its hosts that are up */
	int64_t memory;		/* per processor, of jobs that request none, MB */
};

struct lxfw_route_start {
	uint64_t job;
	int64_t time;
};

struct lxfw_route_table {
	int64_t made;			/* time of the cluster */
	struct lxfw_sched *copy;	/* after the next pass: what it would start runs */
	struct lxfw_sched_state state;	/* of it */
	struct lxfw_route_set *sets;	/* of the partitions, by their order */
	size_t sets_size;
	/* Of the jobs that wait, by job. Those without a start begin after `looked_to`. */
	struct lxfw_route_start *starts;
	size_t start_count;
	int64_t looked_to;
	struct lxfw_route_work *work;	/* what is needed to compute it */
};

/* Begins a table of SCHED at NOW, which is not changed and not needed later. Returns NULL with errno
   ENOMEM. */
struct lxfw_route_table *lxfw_route_table_begin(const struct lxfw_sched *sched,
						const struct lxfw_known_hosts *hosts,
						const struct lxfw_slurm_partitions *partitions,
						int64_t now);

/* Continues for about that processor time, in seconds, by one step at least. Returns 1 if there is more to do, 0 if the
   table is complete, -1 with errno ENOMEM. The look into the future ends after 0.3 seconds in all. */
int lxfw_route_table_work(struct lxfw_route_table *table, double seconds);

/* TABLE may be NULL. */
void lxfw_route_table_free(struct lxfw_route_table *table);

/*
 * A place for requests: a scheduler for lxfw_sched_forecast(). With QUEUE, the jobs of TIER and
 * above that wait have what they are expected to get; otherwise only those that run or have a
 * reservation. Returns NULL with errno ENOMEM.
 */
struct lxfw_route_place *lxfw_route_table_place(struct lxfw_route_table *table, bool queue,
						int32_t tier);
struct lxfw_sched *lxfw_route_place_sched(struct lxfw_route_place *place);

/*
 * Sees to it that the COUNT requests, at most LXFW_ROUTE_ROUTED, have what they would get at NOW, one
 * after the other, and no other request that was given earlier has. Those that are the same as the
 * first ones of the call before are not placed again. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_route_place_hold(struct lxfw_route_place *place, const struct lxfw_request *requests,
			  int count, int64_t now);

/* Whether the cluster has, since SINCE, as many jobs of PROCS processors as this is called for.
   USED is a bit for each of them that was found, LXFW_ROUTE_KNOWN bytes that are 0 at first. */
#define LXFW_ROUTE_KNOWN 1024
bool lxfw_route_table_knows(const struct lxfw_route_table *table, int64_t procs, int64_t since,
			    unsigned char used[LXFW_ROUTE_KNOWN]);

#endif
