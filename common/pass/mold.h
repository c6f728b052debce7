/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The processors of a moldable job at its start (Huang, adaptive processor allocation on a
 * homogeneous parallel computer). The request says on how many processors the job would
 * run; it may start on fewer, or on more, and keeps them to its end. Its run time is
 * assumed to be inversely proportional to its processors.
 *
 * A job is moldable if it requests one host, or pieces of one processor anywhere, without
 * extras, exclusive hosts, hosts with a share of their own, a minimum run time or a group,
 * and is not rigid. It keeps all the memory that it requests, on at least `min_procs`
 * processors, or one.
 */
#ifndef LXFW_PASS_MOLD_H
#define LXFW_PASS_MOLD_H

#include "common/books/books.h"

/*
 * Scaling down: start a waiting job, which does not fit, on fewer processors than it
 * requests, as many as are possible now beside the reservations. With a threshold, the job
 * waits instead unless the turnaround time on fewer processors is less than that share of
 * the turnaround time if it waits until it fits.
 * Returns 1, 0 if the job waits, or -1 with errno ENOMEM. It is a `make_room`.
 */
int32_t lxfw_mold_down(struct lxfw_sched *sched, int32_t job, bool due);

/* Scaling up: start a job on more processors than it requests, as many as are possible
   now, if no other job waits. Returns 1, 0 if the job does not fit on more than it
   requests, or -1 with errno ENOMEM. It is a `grow`. */
int32_t lxfw_mold_up(struct lxfw_sched *sched, int32_t job);

#endif
