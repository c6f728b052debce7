/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A copy of the scheduler that can be advanced in virtual time while the original
 * continues. It has the same hosts, blocks, jobs and parameters, except that it has
 * neither immediate service nor passes in intervals (lxfw_interval). Its first decision
 * makes all reservations again.
 */
#ifndef LXFW_COPY_H
#define LXFW_COPY_H

#include "common/sched.h"

/* The time of the copy is that of SCHED, which is not changed. Returns NULL with errno
   ENOMEM. Release it with lxfw_sched_destroy(). */
struct lxfw_sched *lxfw_sched_copy(const struct lxfw_sched *sched);

#endif
