/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the jobs of each user took on a cluster, from a data base of `lxfw import --history`.
 * It names the user and account of every job; the server may read it, and tells a user only the
 * number and the mean of the own jobs.
 */
#ifndef LXFW_ROUTE_RUNS_H
#define LXFW_ROUTE_RUNS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "sim-frontend/route/child.h"

struct lxfw_route_runs_of {
	uid_t user;
	int64_t ended;		/* jobs, 1 or more */
	int64_t mean;		/* of their run times, seconds */
};

struct lxfw_route_runs {
	struct lxfw_route_child child;	/* reads the file */
	struct lxfw_route_runs_of *list;	/* by user */
	size_t count, size;
	int64_t looked;			/* second in which the file was looked at */
	struct stat about;		/* of the file that the list is from */
};

#define LXFW_ROUTE_RUNS_EMPTY \
	(struct lxfw_route_runs) { .child.file = -1, .looked = INT64_MIN }

/*
 * Looks once a minute whether the file at PATH was changed, and has a process of its own read it
 * then: this takes a second for a million jobs, and another for each thousand users of a slow
 * directory. Jobs count that ran on the machine CLUSTER. NOW is a second of the monotonic clock.
 * Of a file that cannot be read the process says why; the list stays as it was.
 */
void lxfw_route_runs_tick(struct lxfw_route_runs *runs, const char *path, const char *cluster,
			  int64_t now);

/* Sets *ENDED and *MEAN, to 0 if nothing is known of the user. */
void lxfw_route_runs_find(const struct lxfw_route_runs *runs, uid_t user, int64_t *ended,
			  int64_t *mean);

/* Takes lines "USER ENDED MEAN" of numbers; others are left out. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_route_runs_take(struct lxfw_route_runs *runs, char *text);

void lxfw_route_runs_clear(struct lxfw_route_runs *runs);

#endif
