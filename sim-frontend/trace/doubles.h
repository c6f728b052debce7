/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that accounting tells of more than once: exports of consecutive months share
 * every job that ran over the boundary, and what ran in the one is over in the next.
 *
 * A job is known by its id, its cluster and its submission, a run of it by its start
 * and end too: a job that was requeued has a record for each run, and each is one.
 */
#ifndef LXFW_TRACE_DOUBLES_H
#define LXFW_TRACE_DOUBLES_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/names.h"

struct lxfw_double_run {
	int64_t start, end;
	size_t where;		/* the caller's */
	size_t next;		/* of the same job, from 1; 0 = the last */
	bool over;
};

/* {0} knows of none. */
struct lxfw_doubles {
	struct lxfw_names jobs;
	size_t *first;		/* run of each job, from 1 */
	struct lxfw_double_run *runs;
	size_t first_size, count, size;
};

enum lxfw_sight {
	LXFW_SIGHT_NEW,		/* not seen before */
	LXFW_SIGHT_DOUBLE,	/* seen, and it says no more */
	LXFW_SIGHT_LATER,	/* seen when it was not over, or had not started */
};

/* Look at ACCOUNT, which is no step, and remember it with WHERE. Of one that was seen
   *EARLIER is what was given with it then; a later sight keeps it. -1 with errno
   ENOMEM. */
int lxfw_doubles_look(struct lxfw_doubles *doubles,
		      const struct lxfw_account *account, size_t where,
		      size_t *earlier);

void lxfw_doubles_clear(struct lxfw_doubles *doubles);

#endif
