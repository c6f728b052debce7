/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_SERVICE_VICTIMS_H
#define LXFW_SERVICE_VICTIMS_H

#include "common/service/quanta.h"

/* Which running jobs may be preempted, and which one first. */
struct lxfw_victim_rule {
	bool (*eligible)(const struct lxfw_sched *sched,
			 const struct lxfw_runner *runner);
	/* Whether A is preempted before B: a total order. */
	bool (*before)(const struct lxfw_sched *sched, const struct lxfw_runner *a,
		       const struct lxfw_runner *b);
};

/* That of immediate service. */
extern const struct lxfw_victim_rule lxfw_victims_by_slowdown;

/*
 * Find hosts for REQUEST from now on by suspending jobs that RULE permits. REQUEST is in
 * the simplest shape, for a quantum with its estimate and memory. INTERRUPTION is the
 * longest time in seconds for which a job will be suspended; neither side runs into a block
 * because of it. Puts the shares into sched->found, ascending by host, the runners to suspend into quanta->victims, and the index of the
 * host set into *HOST_SET. Returns the number of shares, 0 if it is not possible, or -1
 * with errno ENOMEM.
 */
int32_t lxfw_victims_find(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			  const struct lxfw_victim_rule *rule,
			  const struct lxfw_request *request, int64_t interruption,
			  int32_t *host_set);

#endif
