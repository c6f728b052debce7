/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Immediate service. */
#ifndef LXFW_SERVICE_SERVICE_H
#define LXFW_SERVICE_SERVICE_H

#include "common/books/books.h"

/* The parameters have changed. 0, or -1 with errno ENOMEM. */
int lxfw_quantum_params(struct lxfw_sched *sched);

/* Before the pass: quanta that are over end, their victims continue. After
   it: jobs that wait and have not been served are. 0, or -1 with errno ENOMEM. */
int lxfw_quantum_finish(struct lxfw_sched *sched);
int lxfw_quantum_serve(struct lxfw_sched *sched);

/* Whether a quantum is under way on HOST. */
bool lxfw_quantum_on_host(const struct lxfw_sched *sched, int32_t host);
#endif
