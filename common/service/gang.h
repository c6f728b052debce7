/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A gang: a job that preempted others, and these jobs, its victims. The two sides share
 * processors and run in turns (Yahyapour 2002, section 3.3; gang scheduling).
 *
 * - A turn begins a slice of time after the last one, as long as the number of turns is
 *   not exhausted. The side that runs then runs until it is over: the job to its end, the
 *   victims to the end of the last one of them.
 * - No job moves to other processors. Those of a victim that has ended belong to the job,
 *   which does not run on them before all its victims have ended or are suspended.
 * - Suspended jobs keep memory and extras. They count as running, and keep their claim on
 *   processors, so that no other job is placed there.
 * - A gang is over when one side has left. The other side then runs as any other job.
 *
 * A gang is a quantum of struct lxfw_quanta with `gang` set.
 */
#ifndef LXFW_SERVICE_GANG_H
#define LXFW_SERVICE_GANG_H

#include "common/service/quanta.h"

/* Start a waiting job on the first COUNT shares of sched->found, and suspend the runners
   of quanta->victims. The sides change after each SLICE seconds (1 or more);
   PREEMPTIONS is the number of changes including the first one, 0: no bound. Returns 0,
   or -1 with errno ENOMEM. */
int lxfw_gang_begin(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		    int32_t job, int32_t count, int32_t host_set, int64_t slice,
		    int64_t preemptions);

/* Before a pass: take a turn that is due, or end a gang that is over and release its slot.
   Returns 0, or -1 with errno ENOMEM. */
int lxfw_gang_advance(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		      struct lxfw_quantum *gang);

/* As the function of struct lxfw_observer, for a member of a gang whose job is suspended.
   RUNS: the job has processors. */
bool lxfw_gang_reported(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			struct lxfw_quantum *gang, int32_t job,
			const struct lxfw_share *shares, int32_t count, bool runs);

/* Whether there is a gang. */
bool lxfw_gang_exists(const struct lxfw_quanta *quanta);

#endif
