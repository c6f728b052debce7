/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Immediate service: a quantum of run time for every job that arrives and cannot start
 * (Chiang and Vernon 2001, section 2.4). The paper leaves open:
 *
 * - A job that cannot be served when it arrives (too little free memory, or no job has
 *   run long enough) is tried again in every pass until it has been served or has
 *   started. Each job is served once. Jobs that arrive together are served in the order
 *   of submission.
 * - No job is suspended if free processors are enough. A quantum uses nothing that a
 *   reservation holds during it.
 * - The expected end of a preempted job (victim), and a reservation that depends on it,
 *   moves by the time of the suspension: at most one quantum in every minimum run time.
 *   The reservation of a served job is cancelled and made again after the quantum.
 * - A victim that would have ended during the quantum ends later by the time of the
 *   suspension. If a victim leaves while it is suspended, its processors belong to the
 *   served job until the end of the quantum.
 * - Processors of victims that the served job does not need stay idle until the victims
 *   are resumed.
 * - An exclusive job is never a victim, and is served on empty hosts only. It does not
 *   share a host even with suspended jobs.
 * - A host that is down is not used for new quanta. Events report what happens to its
 *   jobs.
 */
#ifndef LXFW_SERVICE_SERVICE_H
#define LXFW_SERVICE_SERVICE_H

#include "common/service/quanta.h"

/* Begin immediate service if the parameters request it; called when they have changed.
   Returns 0, or -1 with errno ENOMEM. */
int lxfw_service_params(struct lxfw_sched *sched);

/* The state of immediate service, which policies that preempt use too; it is attached if
   it is not yet. Returns NULL with errno ENOMEM. */
struct lxfw_quanta *lxfw_service_quanta(struct lxfw_sched *sched);

/* Whether a quantum is in progress on HOST. */
bool lxfw_service_on_host(const struct lxfw_sched *sched, int32_t host);

#endif
