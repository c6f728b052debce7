/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_SERVICE_QUANTUM_H
#define LXFW_SERVICE_QUANTUM_H

#include "common/service/quanta.h"

/* Serve JOB, a waiting one, on the first COUNT of sched->found; quanta->victims lend
   theirs. 0, or -1 with errno ENOMEM. */
int lxfw_quantum_begin(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		       int32_t job, int32_t count, int32_t host_set);

/* As in struct lxfw_observer: */

/* Before a pass: quanta that are over end, their victims continue. */
int lxfw_quanta_finish(struct lxfw_sched *sched, void *quanta);

/* A job leaves its quantum, or the runners. */
void lxfw_quanta_leaving(struct lxfw_sched *sched, void *quanta, int32_t job);

/* True when its part in a quantum explains the shares: a victim that is suspended, as
   decided; the served job, on other shares than decided. */
bool lxfw_quanta_reported(struct lxfw_sched *sched, void *quanta, int32_t job,
			  const struct lxfw_share *shares, int32_t count);

#endif
