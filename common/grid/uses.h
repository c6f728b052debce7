/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Processors in use by the jobs that a broker started, and when they are expected to be free
   again. For brokers with a queue of their own. */
#ifndef LXFW_GRID_USES_H
#define LXFW_GRID_USES_H

#include "common/grid/grid.h"

/* A part of a job that runs. */
struct lxfw_grid_use {
	uint64_t job;
	int32_t site, procs;
	int64_t end;		/* expected */
};

/* {0} is empty. */
struct lxfw_grid_uses {
	struct lxfw_grid_use *list;
	size_t count, size;
};

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_grid_uses_add(struct lxfw_grid_uses *uses, const struct lxfw_grid_use *use);

/* Removes the part of the job at SITE, if there is one. */
void lxfw_grid_uses_remove(struct lxfw_grid_uses *uses, int32_t site, uint64_t job);

/* Puts the uses in the order of their ends. */
void lxfw_grid_uses_sort(struct lxfw_grid_uses *uses);

/* Returns the earliest time at which SITE, or all sites together (-1), have PROCS processors
   free; LXFW_NEVER: never. It has HAVE of them now. A use that should be over is over at any moment.
   *SPARE is what is left then; it may be NULL. The uses are in the order of their ends. */
int64_t lxfw_grid_uses_free_at(const struct lxfw_grid_uses *uses, int64_t now, int64_t have,
			       int32_t procs, int32_t site, int32_t *spare);

void lxfw_grid_uses_clear(struct lxfw_grid_uses *uses);

#endif
