/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Immediate service: a quantum of run time for every job that arrives and cannot
 * start (Chiang and Vernon 2001, section 2.4). What the paper leaves open:
 *
 * - A job that cannot be served when it arrives (too little free memory, no job
 *   has run long enough) is tried again at every pass until it was served or has
 *   started; each job is served once. Those that arrive together are served in the
 *   order of submission.
 * - Nobody is suspended where free processors do. Nothing that a reservation holds
 *   within the quantum is used for it.
 * - A victim's expected end, and with it a reservation that counts on it, moves by
 *   as long as it is suspended: at most by one quantum in every minimum run. A served
 *   job's own reservation is given up and made anew afterwards.
 * - A victim that would have ended meanwhile ends that much later. One that leaves
 *   while it is suspended gives its processors to the served job, then to all.
 * - What victims lend beyond the need stays idle until they go on.
 * - An exclusive job is no victim, and is served only on hosts that are empty: it
 *   never shares a host, be it with suspended jobs.
 * - A host that goes down takes no part in new quanta; events report what
 *   becomes of the jobs on it.
 */
#ifndef LXFW_SERVICE_SERVICE_H
#define LXFW_SERVICE_SERVICE_H

#include "common/books/books.h"

/* The parameters have changed: service begins if they ask for it. 0, or -1 with errno
   ENOMEM. */
int lxfw_service_params(struct lxfw_sched *sched);

/* Whether a quantum is under way on HOST. */
bool lxfw_service_on_host(const struct lxfw_sched *sched, int32_t host);

#endif
