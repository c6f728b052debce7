/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes a list of tasks on several threads, which take tasks in order. A task must
 * write only to its own data. The result is then independent of the number of threads and
 * their timing.
 */
#ifndef LXFW_UTIL_POOL_H
#define LXFW_UTIL_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

struct lxfw_pool {
	void *context;
	size_t count;		/* number of tasks */
	int threads;		/* 1 or more; fewer are used if the system cannot
				   create as many */

	/* Executes a task on any thread. Returns 0, or -1 with errno and ERROR set;
	   ECANCELED if it was interrupted by a stop. */
	int (*work)(void *context, size_t task, struct lxfw_error *error);

	/* Called on the calling thread after a task succeeded, in order of completion.
	   May be NULL. */
	void (*over)(void *context, size_t task);

	/* Returns true to start no further tasks. Running tasks complete, or interrupt
	   themselves. Called on the calling thread before the first task, and several
	   times per second. May be NULL. */
	bool (*stop)(void *context);
};

/* Returns the default number of threads: the number of processors online. */
int lxfw_pool_threads(void);

/*
 * Executes all tasks. Returns 0, 1 if stopped early, or -1 with errno and ERROR (may be
 * NULL) set by the failed task that is first in the list, independently of timing.
 */
int lxfw_pool_carry_out(const struct lxfw_pool *pool, struct lxfw_error *error);

#endif
