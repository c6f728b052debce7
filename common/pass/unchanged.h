/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which reservations need not be made again although resources became free. The profile
 * records what changed on which host (profile/change.h). A reservation would be made again
 * at the same time and on the same hosts if no change since it was made lets a piece of its
 * job fit on a host before its start, or on a host that the placement rule prefers at its
 * start.
 *
 * Dynamic reservations do not depend on those behind them. They are set aside at the beginning
 * of a pass that may move some, and put back one after the other.
 */
#ifndef LXFW_PASS_UNCHANGED_H
#define LXFW_PASS_UNCHANGED_H

#include "common/books/books.h"

#define LXFW_ASIDE_KINDS 96	/* sched->aside_kinds */

/* At the beginning of a pass. Returns 0, or -1 with errno ENOMEM. */
int lxfw_unchanged_begin(struct lxfw_sched *sched);

/* Set dynamic reservations aside if resources became free. And remove the holds of those that a
   pass has left aside. */
void lxfw_unchanged_set_aside(struct lxfw_sched *sched);
void lxfw_unchanged_end(struct lxfw_sched *sched);

/* Note what would change the reservation OWN, which is to be made at OWN->start on the COUNT
   shares of sched->found. It has no hold yet. */
void lxfw_unchanged_note(struct lxfw_sched *sched, const struct lxfw_job *job,
			 struct lxfw_reservation *own, int32_t count);

/* Whether the reservation OWN, which has a hold, would be made again as it is; if dynamic, one that
   was set aside. */
bool lxfw_is_unchanged(struct lxfw_sched *sched, const struct lxfw_job *job,
		       struct lxfw_reservation *own);

#endif
