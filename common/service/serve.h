/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Functions of struct lxfw_observer that serve jobs. */
#ifndef LXFW_SERVICE_SERVE_H
#define LXFW_SERVICE_SERVE_H

#include "common/service/quanta.h"

/* Add JOB to the jobs to be served. Returns 0, or -1 with errno ENOMEM. */
int lxfw_serve_arrived(struct lxfw_sched *sched, void *quanta, int32_t job);

/* JOB waits, so that it may be served. */
void lxfw_serve_queued(struct lxfw_sched *sched, void *quanta, int32_t job);

/* After a pass: serve waiting jobs that have not been served. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_serve_waiting(struct lxfw_sched *sched, void *quanta);

#endif
