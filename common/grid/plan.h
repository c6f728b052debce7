/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans which job runs where, and in which order, from expected run times: the sequential and
 * the parallel job scheduler (SJS, PJS) of Collins and George 2001, section 3. Jobs run at a
 * site, or on a cluster: on all processors of several sites. A better plan has a smaller sum
 * of the ends of its jobs, which is the paper's sum of execution and delay times but for a
 * constant.
 *
 * SJS makes two plans and takes the better one, min-min if they are equal. Both find the site
 * at which each job would end first. Min-min then places the job that would end first of all,
 * min-max the one that would end last; this is repeated for the other jobs. PJS begins with
 * this plan. It moves the job with the largest profit to a cluster and plans the others around
 * it by SJS, and so on as long as the plan gets better. The profit is the time by which the
 * job would end earlier on the cluster than at the best site, beside the jobs on clusters.
 *
 * Jobs, sites and clusters that are equal in all that counts are taken in their order.
 */
#ifndef LXFW_GRID_PLAN_H
#define LXFW_GRID_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Several sites, all of whose processors a job uses. */
struct lxfw_grid_cluster {
	const char *name;
	const int32_t *sites;	/* ascending */
	int32_t count;		/* 1 or more */
};

/* When the processors of sites are free: of a site with N processors N times, ascending. */
struct lxfw_slots {
	int64_t *times;		/* those of all sites */
	size_t *at;		/* index of the first one of each site, and an end */
	int32_t sites;
};

/* A plan for COUNT jobs. The caller sets all but the results. */
struct lxfw_plan {
	struct lxfw_slots *slots;	/* before the jobs; not changed */
	const struct lxfw_grid_cluster *clusters;
	int32_t cluster_count;
	size_t count;
	const int32_t *procs;		/* of each job at a site */
	/* Expected seconds of job J at place P, 1 to LXFW_TIME_MAX: seconds[J * places + P];
	   LXFW_NEVER: it cannot run there, or the site has fewer processors. Places are the
	   sites, then the clusters. */
	const int64_t *seconds;

	/* Results. */
	int32_t *places;	/* of each job; -1: it can run at no site */
	int64_t *starts;	/* of each job, planned */
	size_t *order;		/* the jobs in the order in which they were placed */
	size_t placed;		/* number of jobs that have a place */
	double sum;		/* of the ends, exact below 2^53 */
	size_t schedules;	/* number of sequential plans that were made */
};

/* Allocates slots for sites with these numbers of processors. Returns 0, or -1 with errno
   ENOMEM. Release with lxfw_slots_clear() in both cases. */
int lxfw_slots_begin(struct lxfw_slots *slots, int32_t sites,
		     int32_t (*procs)(const void *context, int32_t site), const void *context);
void lxfw_slots_clear(struct lxfw_slots *slots);

/* All processors are free at TIME. */
void lxfw_slots_reset(struct lxfw_slots *slots, int64_t time);

/* Returns when PROCS processors of the site, or all of a cluster, are free. */
int64_t lxfw_slots_start(const struct lxfw_slots *slots, int32_t site, int32_t procs);
int64_t lxfw_slots_cluster_start(const struct lxfw_slots *slots,
				 const struct lxfw_grid_cluster *cluster);

/* The processors that are free first are in use until END, which is not before the time
   above. */
void lxfw_slots_take(struct lxfw_slots *slots, int32_t site, int32_t procs, int64_t end);
void lxfw_slots_take_cluster(struct lxfw_slots *slots,
			     const struct lxfw_grid_cluster *cluster, int64_t end);

/* Allocates the results. Returns 0, or -1 with errno ENOMEM. */
int lxfw_plan_begin(struct lxfw_plan *plan);
void lxfw_plan_clear(struct lxfw_plan *plan);

/* Make a plan. Return 0, or -1 with errno ENOMEM. */
int lxfw_plan_sequential(struct lxfw_plan *plan);
int lxfw_plan_parallel(struct lxfw_plan *plan);

#endif
