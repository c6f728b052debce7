/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run times of kinds of jobs at sites and on clusters, in place of those of a log. A file has
 * lines of words in any order:
 *
 *   kind=NUMBER place=NAME,... seconds=NUMBER
 *
 * '#' begins a comment. A place is a site or a cluster. Jobs of a kind run only at the places
 * for which it has a time.
 */
#ifndef LXFW_GRID_TIMES_H
#define LXFW_GRID_TIMES_H

#include "common/grid/history.h"
#include "sim-frontend/grid/sites.h"

#define LXFW_GRID_KINDS 10000

/* {0} is empty. */
struct lxfw_grid_times {
	int32_t kinds, places;
	int64_t *seconds;	/* seconds[kind * places + place]; 0: it cannot run there */
};

/* Reads a file. Returns 0, or -1 with errno and ERROR set and *TIMES empty. */
int lxfw_grid_times_read(struct lxfw_grid_times *times, const char *path,
			 const struct lxfw_sites *sites, struct lxfw_error *error);

/* Sets a time; PLACES is that of TIMES if it is not empty. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_grid_times_set(struct lxfw_grid_times *times, int32_t kind, int32_t places,
			int32_t place, int64_t seconds);

/* Returns the time, or 0. */
int64_t lxfw_grid_times_at(const struct lxfw_grid_times *times, int32_t kind, int32_t place);

/* Tells a history all times. Returns 0, or -1 with errno ENOMEM. */
int lxfw_grid_times_tell(const struct lxfw_grid_times *times,
			 struct lxfw_grid_history *history);

void lxfw_grid_times_clear(struct lxfw_grid_times *times);

#endif
