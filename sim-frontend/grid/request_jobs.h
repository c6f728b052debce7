/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What sites have allocated, from the jobs that `lxfw grid --jobs-out` wrote. */
#ifndef LXFW_GRID_REQUEST_JOBS_H
#define LXFW_GRID_REQUEST_JOBS_H

#include "common/grid/allocations.h"
#include "sim-frontend/grid/sites.h"

/* Adds the jobs that were submitted until AT and end after it. Which of the processors of a site
   they have is not in the file: each gets those that have been free for the shortest time. Returns
   0, or -1 with errno and ERROR set. */
int lxfw_request_jobs_read(const char *path, int64_t at, const struct lxfw_sites *sites,
			   struct lxfw_allocations *allocations, struct lxfw_error *error);

#endif
