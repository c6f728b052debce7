/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Expected ends of running jobs, and jobs that run longer. */
#ifndef LXFW_BOOKS_OVERRUN_H
#define LXFW_BOOKS_OVERRUN_H

#include "common/books/books.h"

struct lxfw_expiry {	/* expected end of a running job */
	int64_t time;
	uint64_t id;
	int32_t job;		/* its slot, while the job in the slot has this id */
};

/* Allocate COUNT more entries. Returns 0, or -1 with errno ENOMEM. */
int lxfw_expiry_ready(struct lxfw_sched *sched, size_t count);

/* Add the expected end of a running job. lxfw_expiry_ready() has been called. */
void lxfw_expiry_add(struct lxfw_sched *sched, int32_t job);

/* The running job with the earliest expected end, or -1 if none has one. */
int32_t lxfw_expiry_first(struct lxfw_sched *sched);

/* Extend the expected ends of jobs that run past them. */
void lxfw_expiry_extend(struct lxfw_sched *sched);

#endif
