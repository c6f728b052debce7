/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of EQspatial, shared by its files. eqspatial.c describes the policy.
 *
 * Every job that the policy handles is in one list: running jobs of a host, jobs assigned
 * to a host that wait there for processors, or jobs that wait for memory and whose
 * virtual progress is counted on a host.
 */
#ifndef LXFW_POLICY_EQSPATIAL_PRIVATE_H
#define LXFW_POLICY_EQSPATIAL_PRIVATE_H

#include "common/books/books.h"
#include "common/books/observer.h"
#include "common/policy/eqspatial/partition.h"

enum lxfw_eq_state {
	LXFW_EQ_NONE,		/* not handled by the policy */
	LXFW_EQ_COUNTED,	/* waits for memory; counted on `host`, or on none with
				   -1 */
	LXFW_EQ_ASSIGNED,	/* has its memory on `host`; not started */
	LXFW_EQ_RUNNING,	/* runs on `host` */
	LXFW_EQ_REPORTED,	/* reported with other shares than decided, or waiting
				   again; handled by the next pass */
	LXFW_EQ_ASIDE,		/* reported without processors */
};

struct lxfw_eq_job {
	enum lxfw_eq_state state;
	int32_t host;
	int32_t next, previous;	/* in its list */
	int32_t claim;		/* assigned: claim in the profile */
	int32_t asked, procs;	/* requested and present processors */
	int32_t min_procs;	/* minimum, 1 or more */
	int32_t equal;		/* its processors in an equal partition */
	int32_t host_set;	/* assigned: index of the host set */
	bool catching_up;
	int64_t placed;		/* serial number of its placement */
	int64_t started;
	/* Processor-seconds that the job lacks: those of its virtual progress less those
	   that it has had. `lacks` is of the time `since`, and changes by `rate` per
	   second. */
	int64_t lacks, since;
	int32_t rate;
};

struct lxfw_eq_list {
	int32_t first, last;
};

struct lxfw_eq_host {
	struct lxfw_eq_list running, assigned;	/* in the order of placement */
	struct lxfw_eq_list counted;
	int64_t held;		/* processors of running and assigned jobs */
	int32_t count;		/* number of these jobs */
	int32_t running_count;
	int32_t catching_up;	/* number of these that catch up */
	int64_t asked;		/* processors that they requested */
	int64_t min_procs;	/* sum of their minimums */
	int64_t extra;		/* processors of catching-up jobs beyond their equal
				   share */
	int32_t level;		/* processors of one more job that could use all; -1: to
				   be computed */
	int32_t level_of;	/* number of processors for which `level` was computed */
	int32_t divided;	/* processors when last examined */
	bool up;
	bool changed;		/* the partition may be outdated */
	int64_t repartitioned;	/* time of the last repartition, or INT64_MIN */
	int64_t look;		/* time at which a job has caught up or has run for
				   lxfw_eq_full_after, or LXFW_NEVER */
};

struct lxfw_equipartition {
	struct lxfw_eq_job *jobs;	/* by slot of the scheduler's jobs */
	size_t jobs_size;
	struct lxfw_eq_host *hosts;
	size_t hosts_size;
	int32_t host_count;
	struct lxfw_eq_list reported, nowhere;	/* `nowhere`: jobs counted on no host */
	bool in_charge;			/* whether the policy was in force in the last
					   pass */
	uint64_t machine;		/* sched->machine in the last pass */
	int64_t min_interval, full_after;	/* in the last pass */
	int64_t placements;		/* number of placements */
	int64_t wake;
	int64_t next_due;		/* time at which a host may next be repartitioned
					   for a rigid job */
	/* Scratch arrays: the jobs of a host, and their indices; shares of a rigid
	   job. */
	struct lxfw_partner *partners;
	size_t partners_size;
	int32_t *members;
	size_t members_size;
	struct lxfw_share *room;
	size_t room_size;
};

/* --- account.c ------------------------------------------------------ */

extern const char lxfw_eq_name[];

/* The state, or NULL if the policy has never been in force. */
static inline struct lxfw_equipartition *lxfw_eq_of(const struct lxfw_sched *sched)
{
	return lxfw_observer_state(sched, lxfw_eq_name);
}

/* lxfw_eq_make() allocates the state; NULL with errno ENOMEM. lxfw_eq_ready() allocates
   its entries for all jobs and hosts; returns 0, or -1 with errno ENOMEM. */
struct lxfw_equipartition *lxfw_eq_make(void);
int lxfw_eq_ready(struct lxfw_sched *sched);

/* Insert a job that is in no list into the list of STATE and HOST. lxfw_eq_leave()
   removes it from its list and sets its state to LXFW_EQ_NONE. */
void lxfw_eq_enter(struct lxfw_sched *sched, int32_t job,
		   enum lxfw_eq_state state, int32_t host);
void lxfw_eq_leave(struct lxfw_sched *sched, int32_t job);

/* Update what the job lacks to the present time, and set a new RATE in processors. */
void lxfw_eq_settle(struct lxfw_sched *sched, int32_t job, int32_t rate);

/* Change the number of processors recorded for a job on a host, running or assigned. */
void lxfw_eq_hold(struct lxfw_sched *sched, int32_t job, int32_t procs);

/* The processors of HOST, the one at INDEX, that this policy distributes: those of its
   jobs and the free ones. */
int32_t lxfw_eq_total(const struct lxfw_sched *sched, const struct lxfw_eq_host *host,
		      int32_t index);

/* --- place.c -------------------------------------------------------- */

/* The host on which to place a job, with the index of the host set in *HOST_SET; -1 if
   there is none. If MEMORY is false, free memory is not checked. */
int32_t lxfw_eq_choose(struct lxfw_sched *sched,
		       const struct lxfw_request *request, bool memory,
		       int32_t *host_set);

/* Place the waiting jobs that fit, in order. Returns 0, or -1 with errno ENOMEM. */
int lxfw_eq_place_waiting(struct lxfw_sched *sched);

/* Count the virtual progress of all jobs that are counted on HOST (-1: on no host) on the
   host that is now the best for each. Returns 0, or -1 with errno ENOMEM. */
int lxfw_eq_count_elsewhere(struct lxfw_sched *sched, int32_t host);

/* --- divide.c --------------------------------------------------------- */

/* Repartition HOST if that changes anything and is allowed now. Otherwise start the
   assigned jobs that have processors. Returns 0, or -1 with errno ENOMEM. */
int lxfw_eq_divide(struct lxfw_sched *sched, int32_t host);

/* The processors that another job with a request of PROCS would get on HOST, or -1 with
   errno ENOMEM. */
int32_t lxfw_eq_part_of(struct lxfw_sched *sched, int32_t host, int32_t procs);

/* The earliest time at which HOST may be repartitioned; a time that is not in the future
   means now. */
int64_t lxfw_eq_due(const struct lxfw_sched *sched, int32_t host);

/* Repartition HOST so that PROCS of its processors are free. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_eq_clear(struct lxfw_sched *sched, int32_t host, int32_t procs);

/* --- rigid.c --------------------------------------------------------- */

/* Start rigid jobs where adaptive jobs can make room. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_eq_start_rigid(struct lxfw_sched *sched);

/* Start a rigid job if adaptive jobs can make room for it now. If ALL, they are reduced
   to their minimums; otherwise the rigid job gets at most an equal share. Returns 1, 0 if
   it is not possible, or -1 with errno ENOMEM. */
int32_t lxfw_eq_make_room(struct lxfw_sched *sched, int32_t job,
				     bool all);

/* Whether a rigid job waits. */
bool lxfw_eq_rigid_waits(const struct lxfw_sched *sched);

#endif
