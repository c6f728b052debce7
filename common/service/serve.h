/* SPDX-License-Identifier: GPL-2.0-or-later */
/* As in struct lxfw_observer. */
#ifndef LXFW_SERVICE_SERVE_H
#define LXFW_SERVICE_SERVE_H

#include "common/service/quanta.h"

/* JOB is to be served. 0, or -1 with errno ENOMEM. */
int lxfw_serve_arrived(struct lxfw_sched *sched, void *quanta, int32_t job);

/* It waits, and may be one that can be served. */
void lxfw_serve_queued(struct lxfw_sched *sched, void *quanta, int32_t job);

/* After a pass: jobs that wait and have not been served are. 0, or -1 with errno
   ENOMEM. */
int lxfw_serve_waiting(struct lxfw_sched *sched, void *quanta);

#endif
