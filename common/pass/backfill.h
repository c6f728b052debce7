/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A pass over the queue. */
#ifndef LXFW_PASS_BACKFILL_H
#define LXFW_PASS_BACKFILL_H

#include "common/books/books.h"

/* Run one pass over the jobs that do not share hosts: order them, start, reserve,
   backfill. Appends actions. Returns 0, or -1 with errno ENOMEM; actions that were
   appended are valid. If sched->stuck is not -1 afterwards, the pass was interrupted. */
int lxfw_pass(struct lxfw_sched *sched);

#endif
