/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pass over the queue: order, start, reserve, backfill. */
#ifndef LXFW_PASS_BACKFILL_H
#define LXFW_PASS_BACKFILL_H

#include "common/books/books.h"

/* One pass: order, start, reserve, backfill, for all jobs that do not share hosts.
   Appends actions. 0, or -1 with errno ENOMEM (what has been appended stands). 0 with
   sched->stuck not -1: broken off. */
int lxfw_pass(struct lxfw_sched *sched);

#endif
