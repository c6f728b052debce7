/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Claims and expected ends of a job that runs on the processors of preempted jobs, and of
 * these jobs; used by quanta of immediate service and by gangs.
 */
#ifndef LXFW_SERVICE_CLAIMS_H
#define LXFW_SERVICE_CLAIMS_H

#include "common/service/quanta.h"

/* Allocate a quantum with room for these numbers of shares and victims. Returns its slot,
   or -1 with errno ENOMEM. And release one. */
int32_t lxfw_quantum_new(struct lxfw_quanta *quanta, int32_t shares, size_t victims);
void lxfw_quantum_free(struct lxfw_quantum *quantum);

/* Allocate all that the start or a turn of a quantum with VICTIMS and COUNT shares needs.
   Returns 0, or -1 with errno ENOMEM. */
int lxfw_quantum_ready(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		       size_t victims, int32_t count);

/* Allocate the scratch array `shares` for a share of each host. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_quantum_shares_ready(struct lxfw_sched *sched, struct lxfw_quanta *quanta);

/* Copy the shares of a job's claim, with or without processors, to the scratch array.
   Returns their number. */
int32_t lxfw_quantum_shares_of(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			       int32_t job, bool procs);

/* Replace the claim of the job of a quantum by its shares less the processors of its
   victims. There is room, since the job has a claim of as many shares. */
void lxfw_quantum_claim(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			struct lxfw_quantum *quantum);

/* Move the expected end of a job by SECONDS, or to END. A job without an expected end
   still has none. lxfw_expiry_ready() has been called. */
void lxfw_quantum_move_end(struct lxfw_sched *sched, int32_t job, int64_t seconds);
void lxfw_quantum_set_end(struct lxfw_sched *sched, int32_t job, int64_t end);

/* Record that the job runs again after a suspension since SINCE. */
void lxfw_quantum_go_on(const struct lxfw_sched *sched, struct lxfw_job *job,
			int64_t since);

#endif
