/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of reservations, in the order of priority. */
#ifndef LXFW_BOOKS_RESERVATION_H
#define LXFW_BOOKS_RESERVATION_H

#include <stddef.h>
#include <stdint.h>


struct lxfw_sched;

struct lxfw_reservation {
	int32_t job;
	int32_t claim;		/* hold in the profile */
	int64_t start;
	uint64_t digest;	/* of its shares, to tell whether it moved */
	int32_t host;		/* private to classes.c, which holds nothing
				   in the profile */
};

/* Make room for one more reservation, and for telling if it is lost. 0, or -1 with
   errno ENOMEM. */
int lxfw_reservations_ready(struct lxfw_sched *sched);

/* The end of what is held for a job that has a reservation. */
int64_t lxfw_reservation_end(const struct lxfw_sched *sched, int32_t job);

/* Take away a job's reservation; it will be told unless it starts. */
void lxfw_reservation_drop(struct lxfw_sched *sched, int32_t job);
void lxfw_reservations_drop_from(struct lxfw_sched *sched, size_t first);

/* Tell the jobs that lost their reservation and got no other. 0, or -1 with errno
   ENOMEM. */
int lxfw_reservations_tell(struct lxfw_sched *sched);

/* The job starts: its reservation, if it has one, has served its purpose. */
void lxfw_reservation_use(struct lxfw_sched *sched, int32_t job);

#endif
