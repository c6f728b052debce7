/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detects jobs that occur more than once in accounting records. Exports of consecutive
 * months share each job that ran across the boundary, and a job that is running in the
 * first export has ended in the second.
 *
 * A job is identified by its id, cluster and submission time, and a run also by its start
 * and end times. A requeued job has a record for each run; each run is kept.
 */
#ifndef LXFW_TRACE_DOUBLES_H
#define LXFW_TRACE_DOUBLES_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/names.h"

struct lxfw_double_run {
	int64_t start, end;
	size_t where;		/* value passed by the caller */
	size_t next;		/* next run of the same job, index + 1; 0: none */
	bool over;
};

/* Initialize to {0}. */
struct lxfw_doubles {
	struct lxfw_names jobs;
	size_t *first;		/* first run of each job, index + 1 */
	struct lxfw_double_run *runs;
	size_t first_size, count, size;
};

enum lxfw_sight {
	LXFW_SIGHT_NEW,		/* not seen before */
	LXFW_SIGHT_DOUBLE,	/* seen before; the new record adds nothing */
	LXFW_SIGHT_LATER,	/* seen before it had started or ended; replaces the
				   earlier record */
};

/* Looks up ACCOUNT, which must not be a step, and stores it with WHERE. If it was seen
   before, *EARLIER is the value of WHERE passed then; a later sight keeps that value.
   Returns an enum lxfw_sight, or -1 with errno ENOMEM. */
int lxfw_doubles_look(struct lxfw_doubles *doubles,
		      const struct lxfw_account *account, size_t where,
		      size_t *earlier);

/* The same for job number JOB, which has the runs that were looked up with it before. RUN has the
   start, the end, `over` and `where` of the record. */
int lxfw_doubles_look_at(struct lxfw_doubles *doubles, size_t job,
			 const struct lxfw_double_run *run, size_t *earlier);

/* Forgets all runs, but keeps the memory. Only for use with lxfw_doubles_look_at(). */
void lxfw_doubles_forget(struct lxfw_doubles *doubles);

void lxfw_doubles_clear(struct lxfw_doubles *doubles);

#endif
