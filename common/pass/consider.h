/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One job of a pass: it starts, or gets a reservation, or is passed over. */
#ifndef LXFW_PASS_CONSIDER_H
#define LXFW_PASS_CONSIDER_H

#include "common/books/books.h"

enum lxfw_outcome {
	LXFW_FAILED = -1,	/* errno ENOMEM, or sched->stuck is set */
	LXFW_STARTED,
	LXFW_RESERVED,		/* it has a reservation, an old or a new one */
	LXFW_BLOCKED,		/* neither */
};

/* Start JOB, a waiting one, if it fits beside the reservations; else reserve for it if
   RESERVED_SO_FAR, those of the jobs before it, leave one to be had. */
enum lxfw_outcome lxfw_consider(struct lxfw_sched *sched, int32_t job,
				int32_t reserved_so_far);

/* How many jobs may have a reservation. */
static inline int32_t lxfw_reservations_allowed(const struct lxfw_sched *sched)
{
	int32_t fixed = sched->policy->backfill.reservations;

	return fixed != 0 ? fixed : sched->params.reservations;
}

/* Whether reservations are of the mode "dynamic". */
static inline bool lxfw_is_dynamic(const struct lxfw_sched *sched)
{
	return sched->params.reservation_mode == LXFW_RESERVATION_DYNAMIC;
}

/* Whether the jobs of a class could start if nothing else ran: 1, 0, or -1 with errno
   ENOMEM. */
int lxfw_is_possible(struct lxfw_sched *sched, struct lxfw_class *class);

#endif
