/* SPDX-License-Identifier: GPL-2.0-or-later */
/* When running jobs are expected to end, and those that run beyond it. */
#ifndef LXFW_BOOKS_OVERRUN_H
#define LXFW_BOOKS_OVERRUN_H

#include "common/books/books.h"

struct lxfw_expiry {	/* when a running job is expected to end */
	int64_t time;
	uint64_t id;
	int32_t job;		/* its slot, where it still is `id` */
};

/* Make room to note COUNT more ends. 0, or -1 with errno ENOMEM. */
int lxfw_expiry_ready(struct lxfw_sched *sched, size_t count);

/* Note when a running job is expected to end; room has been made. */
void lxfw_expiry_add(struct lxfw_sched *sched, int32_t job);

/* Move the expected end of jobs that run beyond it. */
void lxfw_expiry_extend(struct lxfw_sched *sched);

#endif
