/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time of the next event of each site, as a tree of minimums: the earliest of all, and the
 * sites where it is due, are found without looking at the others.
 */
#ifndef LXFW_GRID_CLOCKS_H
#define LXFW_GRID_CLOCKS_H

#include <stddef.h>
#include <stdint.h>

/* {0} has no sites. */
struct lxfw_grid_clocks {
	int64_t *times;		/* the root at 1, the children of I at 2 I and 2 I + 1; the
				   sites from `leaves` on */
	size_t leaves;		/* a power of two */
};

/* Allocates the times of SITES sites, which have no events (LXFW_NEVER). Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_grid_clocks_begin(struct lxfw_grid_clocks *clocks, int32_t sites);
void lxfw_grid_clocks_end(struct lxfw_grid_clocks *clocks);

/* The next event of a site is at TIME. */
void lxfw_grid_clocks_set(struct lxfw_grid_clocks *clocks, int32_t site, int64_t time);

/* The earliest time of all. There is at least one site. */
static inline int64_t lxfw_grid_clocks_next(const struct lxfw_grid_clocks *clocks)
{
	return clocks->times[1];
}

/* The first site, FROM or after it, whose next event is at TIME or before it, or -1. */
int32_t lxfw_grid_clocks_due(const struct lxfw_grid_clocks *clocks, int32_t from, int64_t time);

#endif
