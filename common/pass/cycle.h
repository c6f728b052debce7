/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Passes of a scheduler that backfills at multiples of lxfw_backfill_interval only
 * (backfill.cycles of a policy).
 *
 * A backfill pass considers the first lxfw_reservations jobs of the order. Each starts or has a
 * reservation; no other job is considered. On several hosts reservations are those of
 * pass/whole.h.
 *
 * A main pass follows an event between two backfill passes. Jobs start in order, whatever is
 * reserved. Once a job cannot start, no other job of its host sets, and no other job on a host
 * of them, starts before the next backfill pass; unless the job may not have a reservation
 * (lxfw_reservation_age, lxfw_reservation_priority), or would not fit on the empty machine.
 * A main pass makes no reservation. Those of the last backfill pass remain if no job starts.
 * lxfw_main_pass=off: there is no main pass.
 */
#ifndef LXFW_PASS_CYCLE_H
#define LXFW_PASS_CYCLE_H

#include <stdbool.h>
#include <stdint.h>

struct lxfw_sched;

/* Whether the pass now is a backfill pass. */
bool lxfw_cycle_is_due(const struct lxfw_sched *sched);

/* The time of the next backfill pass that may change something, if no event comes before:
   DUE is the first time at which a reservation begins or becomes possible, or LXFW_NEVER. */
int64_t lxfw_cycle_wake(struct lxfw_sched *sched, int64_t due);

/* Consider the jobs of a backfill pass. Returns 0, or -1 with errno ENOMEM. */
int lxfw_cycle_walk(struct lxfw_sched *sched);

/* Run a main pass. Appends actions. Returns 0, or -1 with errno ENOMEM; actions that were
   appended are valid. */
int lxfw_cycle_main(struct lxfw_sched *sched);

#endif
