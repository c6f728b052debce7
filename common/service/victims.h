/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_SERVICE_VICTIMS_H
#define LXFW_SERVICE_VICTIMS_H

#include "common/service/quanta.h"

/*
 * Find hosts for REQUEST from now on by suspending jobs. REQUEST is that of a quantum,
 * with its estimate and memory, in the simplest shape. Puts the shares into sched->found,
 * ascending by host, the runners to suspend into quanta->victims, and the index of the
 * host set into *HOST_SET. Returns the number of shares, 0 if it is not possible, or -1
 * with errno ENOMEM.
 */
int32_t lxfw_victims_find(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			  const struct lxfw_request *request, int32_t *host_set);

#endif
