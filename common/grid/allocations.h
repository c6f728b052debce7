/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Allocations of a market: which job gets which processors of which sites, and when. Each site
 * has a timetable, which contains the offers that are reserved, the allocations that wait for
 * their start, and the jobs that run.
 *
 * A job that exceeds its estimate delays the allocations that follow on its processors, and
 * these the ones after them; they start as soon as their processors are free, but not before the
 * time that was agreed. Nothing else changes the start of an allocation. A job that ends early
 * leaves a gap.
 */
#ifndef LXFW_GRID_ALLOCATIONS_H
#define LXFW_GRID_ALLOCATIONS_H

#include <stdbool.h>

#include "common/grid/grid.h"
#include "common/grid/timetable.h"

enum lxfw_allocation_state {
	LXFW_ALLOCATION_OFFERED,	/* reserved until the offer is accepted or not */
	LXFW_ALLOCATION_PLANNED,
	LXFW_ALLOCATION_RUNNING,
};

struct lxfw_allocation {
	uint64_t id;			/* unique, ascending */
	struct lxfw_grid_job job;
	enum lxfw_allocation_state state;
	int64_t agreed;			/* start */
	int64_t start;			/* the same, or later because of other jobs */
	int64_t until;			/* end of the reservation of an offer */
	double price, utility;
	int32_t hops;			/* from the job's home to the site */
	int32_t count;			/* of parts */
	struct lxfw_grid_part *parts;
	int64_t *seconds;		/* of each part; 0: it has ended */
	int32_t *procs;			/* at the sites, those of the first part first */
};

struct lxfw_allocations {
	struct lxfw_timetable *tables;	/* by site */
	int32_t sites;
	struct lxfw_allocation **list;	/* by id */
	size_t count, size;
	struct lxfw_allocation **order;	/* scratch */
	size_t order_size;
	uint64_t next;			/* id */
};

/* Returns 0, or -1 with errno ENOMEM. Release with lxfw_allocations_clear() in both cases. */
int lxfw_allocations_begin(struct lxfw_allocations *allocations,
			   const struct lxfw_grid_site *sites, int32_t count);
void lxfw_allocations_clear(struct lxfw_allocations *allocations);

/* Returns an allocation for JOB with COUNT parts, which is in no list and on no timetable, or
   NULL with errno ENOMEM. The caller sets the rest. */
struct lxfw_allocation *lxfw_allocation_new(const struct lxfw_grid_job *job, int32_t count);
void lxfw_allocation_free(struct lxfw_allocation *allocation);

/* Puts it on the timetables, and into the list, which owns it then; its id is set. Returns 0,
   or -1 with errno ENOMEM, and the allocation may be released. */
int lxfw_allocations_add(struct lxfw_allocations *allocations,
			 struct lxfw_allocation *allocation);

/* Takes it from the timetables and out of the list. The caller owns it. */
void lxfw_allocations_take(struct lxfw_allocations *allocations,
			   struct lxfw_allocation *allocation);

/* The part of a job at SITE has ended. The allocation is released with its last part. */
void lxfw_allocations_ended(struct lxfw_allocations *allocations, int32_t site, uint64_t job);

/* Brings the timetables to the time NOW: jobs that should have ended are expected to end at any
   moment. Returns 0, or -1 with errno ENOMEM. */
int lxfw_allocations_settle(struct lxfw_allocations *allocations, int64_t now);

/* Returns the allocations that are to start at NOW, in their order, and sets *COUNT. They are
   valid until the next call of lxfw_allocations_settle(). NULL with errno ENOMEM. */
struct lxfw_allocation **lxfw_allocations_due(struct lxfw_allocations *allocations,
					      int64_t now, size_t *count);

/* Returns the next start after NOW that no other job delays; LXFW_NEVER: none. */
int64_t lxfw_allocations_next(const struct lxfw_allocations *allocations, int64_t now);

#endif
