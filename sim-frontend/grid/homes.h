/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sites at which the jobs of a log are submitted, and jobs that are wider than a site. */
#ifndef LXFW_GRID_HOMES_H
#define LXFW_GRID_HOMES_H

#include "sim-frontend/grid/sites.h"
#include "sim-frontend/trace/trace.h"

enum lxfw_homes {
	LXFW_HOMES_ROUND_ROBIN,	/* in turn, in the order of submission (Yahyapour 2002, 5.7.2) */
	LXFW_HOMES_USER,	/* by the user's number */
	LXFW_HOMES_QUEUE,	/* by the queue's number */
	LXFW_HOMES_PARTITION,	/* by the partition's number (column 16) */
};

/* Returns the site of each job, by its position, which the caller frees; or NULL with errno
   ENOMEM. Numbers are taken modulo the number of sites; -1 is site 0. HOW other than round
   robin needs the owners of the jobs. */
int32_t *lxfw_homes_choose(const struct lxfw_trace *trace, int32_t sites,
			   enum lxfw_homes how);

/*
 * Replaces each job that is wider than MOST[HOME] processors by jobs of at most that width,
 * with the same submission, run and requested time (Yahyapour 2002, 5.7.2). *HOMES becomes
 * longer. *SPLIT is the number of jobs that were split. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_homes_split(struct lxfw_trace *trace, int32_t **homes, const int32_t *most,
		     size_t *split);

#endif
