/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The time from now to the end of the window of reservations (lxfw_reservation_window) as
 * Slurm's sched/backfill has it in a pass: periods one after the other, each with the hosts that
 * are reserved from its begin to its end. Begins and ends are rounded down to bf_resolution, a
 * minute.
 */
#ifndef LXFW_PASS_PERIODS_H
#define LXFW_PASS_PERIODS_H

#include <stdbool.h>
#include <stdint.h>

struct lxfw_request;
struct lxfw_sched;

/* At the beginning of a pass: one period without reservations. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_periods_begin(struct lxfw_sched *sched);

/* Reserve the hosts of the first COUNT shares of sched->found from START to END, at least for a
   minute. Returns 0, or -1 with errno ENOMEM. */
int lxfw_periods_reserve(struct lxfw_sched *sched, int32_t count, int64_t start, int64_t end);

/* Set groups.taken to the hosts that are reserved at any time from FROM to UNTIL. */
void lxfw_periods_take(struct lxfw_sched *sched, int64_t from, int64_t until);

/* When Slurm tries again to place a request that it tried from FROM to UNTIL: at the end of the
   first period after which one of its hosts is no longer reserved. Periods after the first one that
   begins after UNTIL do not count. LXFW_NEVER: it does not. */
int64_t lxfw_periods_later(struct lxfw_sched *sched, const struct lxfw_request *request,
			 int64_t from, int64_t until);

/* Whether one of the first COUNT shares of sched->found is on a host that is reserved at any
   time from START to before END, both rounded. */
bool lxfw_periods_overlap(const struct lxfw_sched *sched, int32_t count, int64_t start, int64_t end);

#endif
