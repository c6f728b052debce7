/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of reservations, in the order of priority. */
#ifndef LXFW_BOOKS_RESERVATION_H
#define LXFW_BOOKS_RESERVATION_H

#include <stddef.h>
#include <stdbool.h>
#include <stdint.h>


struct lxfw_sched;

/* The place of a host in the order of placement. */
struct lxfw_place_key {
	int64_t memory_mb;
	int32_t level;		/* that of the placement rule */
	int32_t procs, host;
};

/* Private to pass/unchanged.c: how the hosts of a reservation were chosen. */
struct lxfw_choice {
	bool known;
	int64_t seen;		/* number of the first change that was not examined */
	/* The host that was chosen last: the last one in the order, of a request for hosts;
	   of one for pieces anywhere, the first one of all. */
	struct lxfw_place_key last;
	/* Of a request for pieces anywhere: all hosts with room that come after `turn` in the
	   order were taken, and there the rest fitted on one host; its host is -1 if all
	   pieces are on one. `rest` is the number of pieces on the last host, `rest_before`
	   that of those that were left to place before the host chosen before it. */
	struct lxfw_place_key turn;
	int32_t rest, rest_before;
};

struct lxfw_reservation {
	int32_t job;
	int32_t claim;		/* the hold in the profile, for all jobs of a group */
	int32_t aside;		/* the hold while it is not counted, since the reservation may be
				   made again; `claim` is -1 then. -1: there is none */
	int64_t start;
	int64_t end;		/* expected end of the job */
	uint64_t digest;	/* of its shares, to detect changes */
	uint64_t examined;	/* the last pass that searched for an earlier start */
	int32_t host;		/* private to policy/classes, which has no holds in the
				   profile */
	int32_t class;		/* of the job */
	struct lxfw_choice choice;
	bool left_out;		/* its hold is not counted: see lxfw_suspended_now() */
	bool for_pools;		/* only pools delayed it: it is beyond the number of reservations
				   (pass/consider.h). Set by lxfw_reservation_count() */
};

/* Allocate memory for one more reservation and for the report of its loss. Returns 0, or
   -1 with errno ENOMEM. */
int lxfw_reservations_ready(struct lxfw_sched *sched);

/* Expected end of a job that has a reservation; of a group, the last one. */
int64_t lxfw_reservation_end(const struct lxfw_sched *sched, int32_t job);

/* The reservation of a job, whose hold lasts until END, has moved. If nothing else became
   free, the other reservations are examined in the next pass. */
void lxfw_reservation_moved(struct lxfw_sched *sched, int64_t end);

/* Set whether only pools delayed the reservation AT. */
void lxfw_reservation_count(struct lxfw_sched *sched, int32_t at, bool for_pools);

/* Number of the first AT reservations that only pools delayed. */
int32_t lxfw_reservations_for_pools(const struct lxfw_sched *sched, int32_t at);

/* Do not count the hold of a reservation, if it has one, and count it again. Neither is a change
   for other reservations. */
void lxfw_reservation_set_aside(struct lxfw_sched *sched, struct lxfw_reservation *reservation);
void lxfw_reservation_put_back(struct lxfw_sched *sched, struct lxfw_reservation *reservation);

/* Remove the hold of a reservation, if it has one. */
void lxfw_reservation_lift(struct lxfw_sched *sched,
			   struct lxfw_reservation *reservation);

/* Cancel the reservation of a job, or all from FIRST on. The loss is reported unless the
   job starts. */
void lxfw_reservation_drop(struct lxfw_sched *sched, int32_t job);
void lxfw_reservations_drop_from(struct lxfw_sched *sched, size_t first);

/* Report jobs that lost their reservation and have no other one. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_reservations_tell(struct lxfw_sched *sched);

/* Remove the reservation, if there is one, of a job that starts. */
void lxfw_reservation_use(struct lxfw_sched *sched, int32_t job);

#endif
