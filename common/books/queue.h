/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs, and the classes of waiting jobs. */
#ifndef LXFW_BOOKS_QUEUE_H
#define LXFW_BOOKS_QUEUE_H

#include "common/books/books.h"

/* Allocate a job slot; returns its index, or -1 with errno ENOMEM. And release one. */
int32_t lxfw_job_new(struct lxfw_sched *sched, uint64_t id);
void lxfw_job_free(struct lxfw_sched *sched, int32_t job);

/* Enter a job, whose request is set, into its class, or remove it. A job that was refused
   returns to the place of its submit time. lxfw_queue_add() returns 0, or -1 with errno
   ENOMEM. */
int lxfw_queue_add(struct lxfw_sched *sched, int32_t job);
void lxfw_queue_remove(struct lxfw_sched *sched, int32_t job);

/* Move a waiting job to the list of refused jobs, and move those back whose time has
   come. lxfw_queue_readmit() returns 0, or -1 with errno ENOMEM if a job could not be
   moved; it stays refused. */
void lxfw_queue_refuse(struct lxfw_sched *sched, int32_t job);
int lxfw_queue_readmit(struct lxfw_sched *sched);

/* Set the workload manager's priority and delay of a job. */
void lxfw_queue_set_priority(struct lxfw_sched *sched, int32_t job, int64_t priority,
			     int64_t delay);

/* Sort the classes in which priorities have changed; called before a pass. Returns 0, or
   -1 with errno ENOMEM. */
int lxfw_queue_order(struct lxfw_sched *sched);
/* Mark all classes for sorting, because the weight of priorities has changed. */
void lxfw_queue_disorder(struct lxfw_sched *sched);

/* Enter all classes into sched->ranks, which is kept up to date from then on. Returns 0,
   or -1 with errno ENOMEM. */
int lxfw_queue_rank(struct lxfw_sched *sched);

/* Set the line of a class by the policy's order. */
void lxfw_line_set(struct lxfw_sched *sched, struct lxfw_class *class);

#endif
