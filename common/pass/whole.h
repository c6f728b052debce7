/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts and reservations in a backfill pass as Slurm's sched/backfill plans them on a machine of
 * several hosts. They differ from those of pass/consider.h:
 *
 * A reservation keeps its hosts as a whole. No other job may be on one of them at any time from
 * the start of the reservation to its end, even where the hosts have room for both. The times
 * are rounded down to bf_resolution.
 *
 * An expected start is coarse. Slurm tests a job against the ends of running jobs, in windows
 * that double: all jobs that end within half a minute of the first end are left out at once, then
 * all within a minute, two minutes, and so on. The start is the last end of the first window with
 * which the job fits.
 *
 * These reservations have no holds in the profile.
 */
#ifndef LXFW_PASS_WHOLE_H
#define LXFW_PASS_WHOLE_H

#include <stdbool.h>
#include <stdint.h>

#include "common/pass/consider.h"

struct lxfw_sched;

/* Whether this pass makes such reservations. It does not on a single host, which may stand for
   a machine whose hosts are not known, nor beside groups of jobs or suspended jobs, whose
   reservations have holds. */
bool lxfw_whole_applies(const struct lxfw_sched *sched);

/* At the beginning of a pass that makes such reservations. Returns 0, or -1 with errno ENOMEM. */
int lxfw_whole_begin(struct lxfw_sched *sched);

/* As lxfw_consider(). RESERVED is the number of reservations that this pass has made so far. */
enum lxfw_outcome lxfw_whole_consider(struct lxfw_sched *sched, int32_t job, int32_t reserved);

/* As lxfw_place_now(), beside the reservations that this pass has made so far. */
int32_t lxfw_whole_place_now(struct lxfw_sched *sched, const struct lxfw_request *request,
			     int32_t *host_set);

#endif
