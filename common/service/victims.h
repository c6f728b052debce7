/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_SERVICE_VICTIMS_H
#define LXFW_SERVICE_VICTIMS_H

#include "common/service/quanta.h"

/*
 * Find hosts for REQUEST (a quantum's: estimate and memory are the quantum's, in
 * its simplest shape) from now on, if some jobs are suspended. Returns the number
 * of shares in sched->found, ascending by host, and the runners to suspend in
 * quanta->victims; 0 if it cannot be done, -1 with errno ENOMEM. *HOST_SET is the
 * index of the alternative.
 */
int32_t lxfw_victims_find(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			  const struct lxfw_request *request, int32_t *host_set);

#endif
