/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of tasks carried out on several threads, which take the next of the list.
 * A task writes to what is its own only, so that what comes out does not depend on
 * how many threads there are or which of them is faster.
 */
#ifndef LXFW_UTIL_POOL_H
#define LXFW_UTIL_POOL_H

#include <stdbool.h>
#include <stddef.h>

#include "common/util/error.h"

struct lxfw_pool {
	void *context;
	size_t count;		/* of tasks */
	int threads;		/* 1 or more; fewer if the system does not give as
				   many */

	/* Carry out a task, on any thread. 0, or -1 with errno and ERROR set;
	   ECANCELED where it was broken off because it is to stop. */
	int (*work)(void *context, size_t task, struct lxfw_error *error);

	/* A task was carried out well. On the calling thread, in the order in
	   which they end; may be NULL. */
	void (*over)(void *context, size_t task);

	/* Whether to begin no further task; those under way are ended, or break
	   themselves off. On the calling thread, some times a second; may be NULL. */
	bool (*stop)(void *context);
};

/* On how many threads unless told otherwise: the processors that are online. */
int lxfw_pool_threads(void);

/*
 * Carry out all of them. 0; 1 if stopped before; -1 with errno and ERROR (may be
 * NULL) set by the first task of the list that failed, whichever failed first.
 */
int lxfw_pool_carry_out(const struct lxfw_pool *pool, struct lxfw_error *error);

#endif
