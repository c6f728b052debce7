/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The expected starts of all waiting jobs: a copy of the scheduler is advanced in virtual
 * time. No job is submitted or changed in it, every start succeeds, and every job runs
 * for its estimate. If that is what happens, the expected starts are the true ones, unless
 * there are immediate service or passes in intervals (lxfw_interval), which the copy does
 * not have.
 *
 *   outlook = lxfw_outlook_begin(sched);
 *   while (lxfw_outlook_next(outlook, &time, &decision) > 0)
 *           look at the actions of type LXFW_ACTION_START;
 *   lxfw_outlook_end(outlook);
 *
 * Each step is one decision. An outlook may be left unfinished and continued later, while
 * the scheduler that was copied continues.
 */
#ifndef LXFW_OUTLOOK_H
#define LXFW_OUTLOOK_H

#include <stdint.h>

#include "common/sched.h"

struct lxfw_outlook;

/* Copy SCHED, which is not changed. Returns NULL with errno ENOMEM. */
struct lxfw_outlook *lxfw_outlook_begin(const struct lxfw_sched *sched);

/* Let no more than MOST jobs of the copy have reservations at a time, before the first decision: with many
   waiting jobs it advances faster, and expected starts are less exact. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_outlook_limit(struct lxfw_outlook *outlook, int32_t most);

/* Keeps errno. OUTLOOK may be NULL. */
void lxfw_outlook_end(struct lxfw_outlook *outlook);

/*
 * Make the next decision. *TIME is its time, and *DECISION is valid until the next call
 * with OUTLOOK. The first one is at the time of the last event or decision of the
 * scheduler that was copied. Returns 1, or 0 if no job waits any more or none of those
 * that wait can start, or -1 with errno ENOMEM.
 */
int lxfw_outlook_next(struct lxfw_outlook *outlook, int64_t *time,
		      struct lxfw_decision *decision);

/* Returns the boot time of a host in the copy, in seconds. It becomes 0 when a job has
   run on the host. */
int64_t lxfw_outlook_boot(const struct lxfw_outlook *outlook, int32_t host);

#endif
