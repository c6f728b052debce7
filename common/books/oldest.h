/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The waiting job that was submitted first, for lxfw_reservation_age: a pass in which no job is
 * old enough for a reservation need not examine all of them.
 */
#ifndef LXFW_BOOKS_OLDEST_H
#define LXFW_BOOKS_OLDEST_H

#include "common/books/books.h"

/* A job was queued. If there is no memory, the jobs are collected again later. */
void lxfw_oldest_add(struct lxfw_sched *sched, int32_t job);

/* Sets *SUBMIT to the earliest time at which a waiting job was submitted, LXFW_NEVER if none waits.
   Returns 0, or -1 if there is no memory. */
int lxfw_oldest(struct lxfw_sched *sched, int64_t *submit);

#endif
