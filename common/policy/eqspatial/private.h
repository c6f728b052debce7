/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the files of EQspatial share: its books of hosts and jobs, beside those of
 * books.h. eqspatial.c tells how the policy goes.
 *
 * Every job in the hands of this policy is in one list: of those that run on a
 * host, of those assigned to a host that wait there for processors, of those that
 * wait for memory and whose virtual progress is counted on a host.
 */
#ifndef LXFW_POLICY_EQSPATIAL_PRIVATE_H
#define LXFW_POLICY_EQSPATIAL_PRIVATE_H

#include "common/books/books.h"
#include "common/books/observer.h"
#include "common/policy/eqspatial/partition.h"

enum lxfw_eq_state {
	LXFW_EQ_NONE,		/* not in the hands of this policy */
	LXFW_EQ_COUNTED,	/* waits for memory; counted on `host`, or on
				   none with -1 */
	LXFW_EQ_ASSIGNED,	/* has its memory on `host`, not started */
	LXFW_EQ_RUNNING,	/* shares `host` */
	LXFW_EQ_REPORTED,	/* was reported to run on other shares than decided, or
				   to wait again: the next pass looks */
	LXFW_EQ_ASIDE,		/* was reported to run without processors */
};

struct lxfw_eq_job {
	enum lxfw_eq_state state;
	int32_t host;
	int32_t next, previous;	/* in its list */
	int32_t claim;		/* assigned: in the profile */
	int32_t asked, procs;	/* requested; held */
	int32_t min_procs;	/* the fewest that it can run on, 1 or more */
	int32_t equal;		/* its part of an equal partition */
	int32_t host_set;	/* assigned: the alternative */
	bool catching_up;
	int64_t placed;		/* number of its placement */
	int64_t started;
	/* Processor-seconds that it lacks: what it would have had since it
	   arrived less what it has had. Grows by `rate` processors since. */
	int64_t lacks, since;
	int32_t rate;
};

struct lxfw_eq_list {
	int32_t first, last;
};

struct lxfw_eq_host {
	struct lxfw_eq_list running, assigned;	/* by placement */
	struct lxfw_eq_list counted;
	int64_t held;		/* processors of those running and assigned */
	int32_t count;		/* of those */
	int32_t running_count;
	int32_t catching_up;	/* of them */
	int64_t asked;		/* processors that they requested */
	int64_t min_procs;	/* the fewest that they can run on */
	int64_t extra;		/* beyond equal shares, of those catching up */
	int32_t level;		/* what one more job would get that can use all;
				   -1 = to be found out */
	int32_t level_of;	/* of so many processors */
	int32_t divided;	/* processors when it was last looked at */
	bool up;
	bool changed;		/* its partition may not be what it should */
	int64_t repartitioned;	/* when last, or INT64_MIN */
	int64_t look;		/* when a job has caught up or run for
				   lxfw_eq_full_after; LXFW_NEVER = no such */
};

struct lxfw_equipartition {
	struct lxfw_eq_job *jobs;	/* by slot of the books' jobs */
	size_t jobs_size;
	struct lxfw_eq_host *hosts;
	size_t hosts_size;
	int32_t host_count;
	struct lxfw_eq_list reported, nowhere;	/* counted on no host */
	bool in_charge;			/* was at the last pass */
	uint64_t machine;		/* the books', at the last pass */
	int64_t min_interval, full_after;	/* at the last pass */
	int64_t placements;		/* so far */
	int64_t wake;
	int64_t next_due;		/* when a host may next be repartitioned
					   for a rigid job */
	/* Scratch: the jobs of a host, and their slots; shares of a rigid job. */
	struct lxfw_partner *partners;
	size_t partners_size;
	int32_t *members;
	size_t members_size;
	struct lxfw_share *room;
	size_t room_size;
};

/* --- account.c ------------------------------------------------------ */

extern const char lxfw_eq_name[];

/* NULL before the policy was in force. */
static inline struct lxfw_equipartition *lxfw_eq_of(const struct lxfw_sched *sched)
{
	return lxfw_observer_state(sched, lxfw_eq_name);
}

/* Make the state, NULL with errno ENOMEM; and room there for every job and host: 0, or
   -1 with errno ENOMEM. */
struct lxfw_equipartition *lxfw_eq_make(void);
int lxfw_eq_ready(struct lxfw_sched *sched);

/* Put a job that is in no list into that of STATE and HOST; and take it out of its
   list, to LXFW_EQ_NONE. */
void lxfw_eq_enter(struct lxfw_sched *sched, int32_t job,
		   enum lxfw_eq_state state, int32_t host);
void lxfw_eq_leave(struct lxfw_sched *sched, int32_t job);

/* Count what the job lacks up to now, then at another RATE. */
void lxfw_eq_settle(struct lxfw_sched *sched, int32_t job, int32_t rate);

/* Give a job on a host, running or not, another number of processors in the books. */
void lxfw_eq_hold(struct lxfw_sched *sched, int32_t job, int32_t procs);

/* The processors of HOST, the one at INDEX, that are this policy's to divide: what its
   jobs hold and what is free. */
int32_t lxfw_eq_total(const struct lxfw_sched *sched, const struct lxfw_eq_host *host,
		      int32_t index);

/* --- place.c -------------------------------------------------------- */

/* The host on which to place a job, and in *HOST_SET the alternative; -1 if it fits
   nowhere. With MEMORY false, whether its memory is free does not matter. */
int32_t lxfw_eq_choose(const struct lxfw_sched *sched,
		       const struct lxfw_request *request, bool memory,
		       int32_t *host_set);

/* Place the waiting jobs that fit, in order. 0, or -1 with errno ENOMEM. */
int lxfw_eq_place_waiting(struct lxfw_sched *sched);

/* Count virtual progress anew for all that HOST (-1 = none) has in its list of
   those counted, on the host that is best for each now. 0, or -1 with ENOMEM. */
int lxfw_eq_count_elsewhere(struct lxfw_sched *sched, int32_t host);

/* --- divide.c --------------------------------------------------------- */

/* Repartition HOST if that changes anything and may be done now; else start what
   was assigned and found processors. 0, or -1 with errno ENOMEM. */
int lxfw_eq_divide(struct lxfw_sched *sched, int32_t host);

/* What one more job on HOST that asks for PROCS would get; -1 with errno ENOMEM. */
int32_t lxfw_eq_part_of(struct lxfw_sched *sched, int32_t host, int32_t procs);

/* When HOST may next be repartitioned: now or earlier if it may. */
int64_t lxfw_eq_due(const struct lxfw_sched *sched, int32_t host);

/* Repartition HOST so that PROCS of its processors are free. 0, or -1 with errno
   ENOMEM. */
int lxfw_eq_clear(struct lxfw_sched *sched, int32_t host, int32_t procs);

/* --- rigid.c --------------------------------------------------------- */

/* Start rigid jobs where those that share hosts can make room. 0, or -1 with errno
   ENOMEM. */
int lxfw_eq_start_rigid(struct lxfw_sched *sched);

/* A rigid job starts where jobs that share hosts can make room for it
   now: ALL down to the fewest processors that they can do with, or as an equal part. 1,
   0 if they cannot, or -1 with errno ENOMEM. */
int32_t lxfw_eq_make_room(struct lxfw_sched *sched, int32_t job,
				     bool all);

/* Whether there are such that wait. */
bool lxfw_eq_rigid_waits(const struct lxfw_sched *sched);

#endif
