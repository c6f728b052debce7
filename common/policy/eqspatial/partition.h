/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Distribution of the processors of one host among its jobs: the arithmetic of EQspatial
 * (Chiang and Vernon 2001, sections 2.5 and 4.4), independent of the scheduler's state.
 *
 * Jobs are in the order of placement. Each has a minimum number of processors. A running
 * job always has at least one, even if there are fewer processors than running jobs, and
 * its minimum while there are enough. Of the other jobs the first ones get their minimum,
 * up to the first one for which it is not available.
 */
#ifndef LXFW_POLICY_EQSPATIAL_PARTITION_H
#define LXFW_POLICY_EQSPATIAL_PARTITION_H

#include <stdbool.h>
#include <stdint.h>

struct lxfw_partner {
	int32_t asked;		/* most processors that it can use, 1 or more */
	int32_t min_procs;		/* minimum, at most `asked`; 0: one */
	int32_t has;		/* present processors */
	int32_t procs;		/* result */
	bool running;
	bool full;		/* gets all requested processors */
	bool settled;		/* private to partition.c */
};

/* Distribute TOTAL processors among the first COUNT PARTNERS as equally as their requests
   and minimums allow. A remainder goes first to jobs that have more processors now than
   the others get, so that fewer jobs change, then to the first jobs. `full` is
   ignored. */
void lxfw_partition_equally(struct lxfw_partner *partners, int32_t count,
			    int32_t total);

/* The same, but jobs with `full` get all requested processors first, one after the other,
   as long as every other job keeps its minimum. */
void lxfw_partition(struct lxfw_partner *partners, int32_t count, int32_t total);

#endif
