/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders that are computed for all waiting jobs together, as a list (Yahyapour 2002,
 * section 2.5). The list is kept while jobs arrive and start. Jobs that arrive come after
 * it, by submit time. It is computed again when more than a third of the waiting jobs are
 * not in it (the thesis: when fewer than 2/3 are), or as soon as one is not
 * (`lxfw_list_update`), and after a change of hosts or parameters.
 */
#ifndef LXFW_ORDER_LIST_H
#define LXFW_ORDER_LIST_H

#include <stddef.h>
#include <stdint.h>

#include "common/params/policy.h"

/* A waiting job of the list. */
struct lxfw_listed {
	int32_t job;		/* index in sched->jobs */
	int32_t procs;		/* of the whole request */
	int64_t estimate;	/* seconds, 1 or more */
	int64_t since;		/* submit time, with the job's delay */
	uint64_t id;		/* lxfw_id_key() */
	/* Private to the orders. */
	int64_t key;
	int32_t bin;
};

/*
 * Orders for struct lxfw_order. They sort COUNT jobs for a machine of PROCS
 * processors. Ties are broken by submit time, then id. The weight of a job is 1, or its
 * work, processors times estimate. Return 0, or -1 with errno ENOMEM.
 *
 * SMART: jobs are sorted into bins by estimate, with upper bounds 1, 2, 4, ... seconds,
 * and those of a bin are put on shelves as wide as the machine:
 *   FFIA  by increasing area, each job on the first shelf of its bin with room;
 *   NFIW  by increasing ratio of processors to weight, each job on the last shelf of its
 *         bin, or on a new one.
 * The shelf with the largest ratio of its weight to its longest estimate is first. Jobs on
 * a shelf are in the order in which they were put there.
 */
int lxfw_list_ffia(struct lxfw_listed *jobs, size_t count, int64_t procs,
		   enum lxfw_job_weight weight);
int lxfw_list_nfiw(struct lxfw_listed *jobs, size_t count, int64_t procs,
		   enum lxfw_job_weight weight);

/*
 * PSRS: by the completion times of a schedule with preemption, in which all jobs are
 * present at time 0 and start in the order of decreasing ratio of weight to work, none
 * before the one ahead of it. A job of at most half of the machine starts when it fits. A
 * wider one starts when it fits, or when it has waited for its own estimate while half of
 * the machine was idle: then all running jobs are suspended until it has ended. Jobs are
 * sorted into bins by completion time: those that suspended others with the upper bounds
 * 1.5, 3, 6, ... seconds, and all others with 1, 2, 4, ... The bins follow each other by
 * upper bound; jobs of a bin are in the order of their ratios.
 */
int lxfw_list_psrs(struct lxfw_listed *jobs, size_t count, int64_t procs,
		   enum lxfw_job_weight weight);

/* Before a pass: compute the list again if it is due and the policy has one. Returns 0,
   or -1 with errno ENOMEM and the list unchanged. */
int lxfw_list_update(struct lxfw_sched *sched);

/* Give the jobs of TO, which have the ids of those of FROM, the same places. */
void lxfw_list_copy(struct lxfw_sched *to, const struct lxfw_sched *from);

/* Processors times seconds, at most INT64_MAX. */
int64_t lxfw_list_work(int32_t procs, int64_t estimate);

/* The smallest K with VALUE <= BASE * 2^K. VALUE is 0 or more, BASE 1 or more. */
int32_t lxfw_list_bin(int64_t value, int64_t base);

/* Sort by bin, then key, submit time and id. */
void lxfw_list_sort(struct lxfw_listed *jobs, size_t count);

#endif
