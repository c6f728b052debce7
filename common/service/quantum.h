/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_SERVICE_QUANTUM_H
#define LXFW_SERVICE_QUANTUM_H

#include "common/service/quanta.h"

/* Begin the quantum of a waiting job on the first COUNT shares of sched->found, and
   suspend the runners of quanta->victims. Returns 0, or -1 with errno ENOMEM. */
int lxfw_quantum_begin(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		       int32_t job, int32_t count, int32_t host_set);

/* Functions of struct lxfw_observer: */

/* Before a pass: end quanta that are over, and resume their victims. */
int lxfw_quanta_finish(struct lxfw_sched *sched, void *quanta);

/* A job leaves its quantum, or the runners. */
void lxfw_quanta_leaving(struct lxfw_sched *sched, void *quanta, int32_t job);

/* Returns true if the shares are explained by the job's part in a quantum: a victim
   without processors, or the served job on other shares than decided. */
bool lxfw_quanta_reported(struct lxfw_sched *sched, void *quanta, int32_t job,
			  const struct lxfw_share *shares, int32_t count);

#endif
