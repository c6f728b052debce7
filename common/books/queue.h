/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Jobs, and the classes that waiting ones form. */
#ifndef LXFW_BOOKS_QUEUE_H
#define LXFW_BOOKS_QUEUE_H

#include "common/books/books.h"

/* A free job slot, or -1 with errno ENOMEM; and back. */
int32_t lxfw_job_new(struct lxfw_sched *sched, uint64_t id);
void lxfw_job_free(struct lxfw_sched *sched, int32_t job);

/* Enter a job whose request is set into its class, or take it out. A job that
   was refused goes where its submit time puts it. 0, or -1 with errno ENOMEM. */
int lxfw_queue_add(struct lxfw_sched *sched, int32_t job);
void lxfw_queue_remove(struct lxfw_sched *sched, int32_t job);

/* Move a waiting job to the list of refused ones, and those whose time has come
   back. -1 with errno ENOMEM when one could not; it stays refused. */
void lxfw_queue_refuse(struct lxfw_sched *sched, int32_t job);
int lxfw_queue_readmit(struct lxfw_sched *sched);

/* The workload manager gives the job another priority of its own, and another delay. */
void lxfw_queue_set_priority(struct lxfw_sched *sched, int32_t job, int64_t priority,
			     int64_t delay);

/* Put the jobs of classes in order whose priorities have changed; before a pass. 0, or -1
   with errno ENOMEM. */
int lxfw_queue_order(struct lxfw_sched *sched);
/* All classes are to be put in order again: what priorities weigh has changed. */
void lxfw_queue_disorder(struct lxfw_sched *sched);

/* Enter all classes into sched->ranks, which has them from now on. 0, or -1 with errno
   ENOMEM. */
int lxfw_queue_rank(struct lxfw_sched *sched);

/* Set the line in time of a class, by the policy's order. */
void lxfw_line_set(struct lxfw_sched *sched, struct lxfw_class *class);

#endif
