/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How much of their requested times jobs need, estimated from how long those that run have run.
 *
 * A job needs more than a share X of its requested time with probability (1 - X)^SHAPE. With SHAPE 1
 * it needs any part of it alike, which is expected where nothing is known; jobs that need less have a
 * larger one. On a machine whose jobs have started at a constant rate for a time T, the density of the
 * age of a running job, as a share X of its requested time, is proportional to (1 - X)^SHAPE up to T. The
 * logarithm of SHAPE + 1 is where its posterior is largest, with a normal prior around that of 2. T is
 * the longest time for which a job runs or waits: if that is short, as on a machine that was started
 * an hour ago, little is learned.
 *
 * SHAPE is not below 1. Where jobs run to their limits ages are as many in each part of them, but
 * the short jobs among those that wait are not seen: expected starts were worse with less.
 */
#ifndef LXFW_PREDICT_AGES_H
#define LXFW_PREDICT_AGES_H

#include <stdint.h>

#include "common/sched.h"

/* Standard deviation of the prior of log(SHAPE + 1). */
#define LXFW_AGES_PRIOR 1.0

struct lxfw_job;

/* The time limit of a running job, seconds; 0: not known. It is what its expected end says, if that was
   changed while it runs; of a job that was first seen running only that end is known. */
int64_t lxfw_ages_limit(const struct lxfw_job *job);

/* Returns SHAPE, learned from the jobs of SCHED that run at NOW and have a requested time. */
double lxfw_ages_shape(const struct lxfw_sched *sched, int64_t now);

#endif
