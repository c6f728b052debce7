/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler's books, shared by the files of the policy: jobs, the waiting
 * ones grouped into classes, host sets, reservations, blocks, and the
 * availability profile.
 *
 * Waiting jobs with equal requests form a *class*. Their priorities are parallel
 * lines in time, so within a class the order never changes (submit time, then
 * id), and when one of them cannot start the others cannot either. A pass looks
 * at the head of each class, not at each job.
 */
#ifndef LXFW_POLICY_BOOKS_H
#define LXFW_POLICY_BOOKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/event.h"
#include "common/model/request.h"
#include "common/params/params.h"
#include "common/profile/profile.h"
#include "common/sched.h"
#include "common/util/id_map.h"

enum lxfw_job_state {
	LXFW_JOB_FREE,		/* slot not in use */
	LXFW_JOB_WAITING,	/* in its class */
	LXFW_JOB_REFUSED,	/* waits in the list of refused jobs */
	LXFW_JOB_ASSIGNED,	/* waits on a host for processors (EQspatial) */
	LXFW_JOB_RUNNING,
};

struct lxfw_job {
	struct lxfw_request request;	/* of a job that the books first saw
					   running only the id is known */
	enum lxfw_job_state state;
	bool announced;		/* its last action was a reservation */
	bool nowhere;		/* waiting: the last try to reserve for it found no
				   time at which it could start */
	int32_t class;		/* while waiting */
	int32_t next, previous;	/* in its class, the refused, or free slots */
	int32_t claim;		/* running: in the profile */
	int32_t reservation;	/* position in `reservations`, or -1 */
	int64_t start;		/* running: since when, this time */
	int64_t continued;	/* running: since when without interruption */
	int64_t ran;		/* running: seconds before that */
	int64_t paused;		/* suspended since its start, seconds, while it
				   runs */
	int32_t suspensions;	/* for others' quanta since its start */
	int64_t expected_end;	/* running; moves when it is past `due` */
	int64_t due;		/* the expected end as decided or told */
	int64_t refused_until;
	int64_t bypassed;	/* lower-priority jobs started ahead of it; while
				   it waits in a class, those of the class come on
				   top */
	int32_t quantum;	/* running: the quantum that it runs in or has
				   lent processors to, or -1 */
	int32_t runner;		/* private to quantum.c */
	bool served;		/* has had its quantum */
	bool stopped;		/* running, but told to have no processors: somebody
				   else has suspended it */
	/* The shares of a job that was suspended at the end of its quantum: while
	   it waits it has all of them but the processors. NULL for others. */
	struct lxfw_share *kept;
	int32_t kept_count;
};

struct lxfw_class {
	struct lxfw_request request;	/* id and submit are 0 */
	struct lxfw_resources sum;	/* of all its pieces or hosts */
	int32_t head, tail;		/* jobs by submit time, then id */
	int64_t bypassed;	/* how often all its jobs were */
	int32_t host;		/* of suspended jobs that are there; -1: others */
	bool alone;		/* of one that is on further hosts, too */
	int32_t next;			/* in its hash chain or free slots */
	int32_t position;		/* in `heads` */
	uint64_t unserved;	/* `gains` when no quantum could be had */
	uint64_t judged;	/* `machine` when `possible` was found out */
	bool possible;		/* fits when all hosts are empty */
	/* Private to classes.c: its job class, or -1, and its neighbours on
	   the list of that. */
	int32_t job_class, job_class_next, job_class_previous;
};

/* What a pass asks first about a class and the job at its head. The heads of all
   classes lie side by side, a cache line each: a pass reads all of them, and of most
   classes nothing else. */
struct lxfw_head {
	double intercept, slope;	/* priority = intercept + slope * wait */
	int64_t submit, bypassed;	/* of the job */
	int64_t estimate;
	uint64_t failed;	/* `gains` when last found unable to start */
	int32_t tier;
	int32_t procs;		/* in all */
	int32_t class;
	bool uneven;		/* some job of the class was bypassed more often
				   than one that has waited longer */
};

struct lxfw_reservation {
	int32_t job;
	int32_t claim;		/* hold in the profile */
	int64_t start;
	uint64_t digest;	/* of its shares, to tell whether it moved */
	int32_t host;		/* private to classes.c, which holds nothing
				   in the profile */
};

struct lxfw_block {
	uint64_t id;
	int64_t start, end;
	int32_t claim;
	bool begun;		/* claim is a running one */
	struct lxfw_share *shares;
	int32_t count;
};

struct lxfw_host_set {
	uint64_t *members;	/* one bit a host */
	size_t words;
	int32_t count;
};

struct lxfw_expiry {	/* when a running job is expected to end */
	int64_t time;
	uint64_t id;
};

struct lxfw_ranked_host {	/* a host as a placement weighs it */
	int64_t time;		/* when the request fits there */
	int64_t memory_mb;	/* what is available at that time */
	int32_t procs;
	int32_t host;
};

struct lxfw_step {	/* at `time`, the ranked host takes another number of pieces */
	int64_t time;
	int32_t rank;
};

struct lxfw_candidate {	/* a class in the order of a pass */
	double priority;
	int64_t submit;
	uint64_t id;
	int32_t tier;
	int32_t class, job;
};

/* An observer (observer.h) and its state. */
struct lxfw_attached {
	const struct lxfw_observer *observer;
	void *state;
};

/* Immediate service, and each policy that keeps account of its own. */
#define LXFW_OBSERVERS_MAX 8

struct lxfw_sched {
	struct lxfw_params params;
	enum lxfw_placement placement;
	int64_t now;		/* time of the last event or decision */
	struct lxfw_profile profile;

	struct lxfw_job *jobs;
	size_t jobs_size, jobs_used;
	int32_t jobs_free;
	struct lxfw_id_map job_by_id;
	size_t waiting, running;	/* waiting includes refused */
	int32_t refused;		/* list */

	struct lxfw_class *classes;
	size_t classes_size, classes_used;
	int32_t classes_free;
	int32_t *class_chains;		/* hash heads */
	size_t class_chain_count;	/* a power of two */
	struct lxfw_head *heads;	/* of the classes, which all have jobs */
	size_t heads_size, head_count;
	size_t kept_classes;	/* of these, of suspended jobs */
	bool priorities_stale;	/* hosts or parameters changed */
	double mean_memory;	/* MB per processor of the hosts */

	struct lxfw_host_set *host_sets;
	size_t host_sets_size, host_set_count;

	struct lxfw_block *blocks;
	size_t blocks_size, block_count;

	struct lxfw_expiry *expiries;	/* binary heap by time, then id */
	size_t expiries_size, expiry_count;
	size_t expiries_kept;	/* when those that had moved were last removed */

	/* Reserved jobs in the order of their priority. */
	struct lxfw_reservation *reservations;
	size_t reservations_size, reservation_count;
	uint64_t *dropped;	/* jobs that lost theirs, to be told */
	size_t dropped_size, dropped_count;

	uint64_t gains;		/* counts what may let a blocked job start */
	uint64_t machine;	/* counts changes of hosts and host sets */
	bool improved;		/* something may let a reservation move up */
	bool sooner;		/* a running job was resized and is now expected
				   to end sooner: it has, for the next pass */
	bool disturbed;		/* a reservation may not hold any more */
	size_t suspended;	/* classes of waiting jobs that are on their
				   hosts and may be made to leave them */
	int32_t stuck;		/* the job for which the last pass was broken
				   off, so that they do, or -1 */

	struct lxfw_attached observers[LXFW_OBSERVERS_MAX];
	int observer_count;

	/* Private to quantum.c, equipartition.c and classes.c; NULL until
	   needed. */
	struct lxfw_quanta *quanta;
	struct lxfw_equipartition *equipartition;
	struct lxfw_job_classes_state *job_classes;

	/* Scratch of a pass. */
	struct lxfw_candidate *heap;
	size_t heap_size, heap_count;
	struct lxfw_share *found;	/* shares of a placement */
	size_t found_size;
	struct lxfw_ranked_host *ranked;
	size_t ranked_size;
	int32_t *order;			/* hosts, by the placement rule */
	size_t order_size;
	int32_t *room;			/* of each host, with stock placement */
	size_t room_size;
	int64_t *times;
	size_t times_size;
	struct lxfw_step *steps;
	size_t steps_size;

	/* What the last decision returned. */
	struct lxfw_action *actions;
	size_t actions_size, action_count;
	struct lxfw_share *shares;	/* of the actions, by offset until done */
	size_t shares_size, share_count;
};

static inline struct lxfw_head *lxfw_head_of(const struct lxfw_sched *sched,
					     const struct lxfw_class *class)
{
	return &sched->heads[class->position];
}

/* --- queue.c: jobs and classes -------------------------------------------- */

/* A free job slot, or -1 with errno ENOMEM; and back. */
int32_t lxfw_job_new(struct lxfw_sched *sched, uint64_t id);
void lxfw_job_free(struct lxfw_sched *sched, int32_t job);

/* Enter a job whose request is set into its class, or take it out. A job that
   was refused goes where its submit time puts it. 0, or -1 with errno ENOMEM. */
int lxfw_queue_add(struct lxfw_sched *sched, int32_t job);
void lxfw_queue_remove(struct lxfw_sched *sched, int32_t job);

/* Move a waiting job to the list of refused ones, and those whose time has come
   back. -1 with errno ENOMEM when one could not; it stays refused. */
void lxfw_queue_refuse(struct lxfw_sched *sched, int32_t job);
int lxfw_queue_readmit(struct lxfw_sched *sched);

/* --- priority.c ------------------------------------------------------------- */

/* Set a class's intercept and slope from the parameters; and all classes'. */
void lxfw_priority_set(struct lxfw_sched *sched, const struct lxfw_class *class);
void lxfw_priority_set_all(struct lxfw_sched *sched);

/* --- placement.c -------------------------------------------------------------- */

/* The same request in the simplest shape: pieces anywhere, where there is only one
   host for them, are all on it. */
struct lxfw_request lxfw_request_simplest(const struct lxfw_sched *sched,
					  const struct lxfw_request *request);

/* How many host sets to try in turn (one for every host), and whether one of them
   has HOST in it. */
static inline int32_t
lxfw_request_alternatives(const struct lxfw_request *request)
{
	return request->host_set_count ? request->host_set_count : 1;
}
bool lxfw_host_allowed(const struct lxfw_sched *sched,
		       const struct lxfw_request *request, int32_t alternative,
		       int32_t host);

/* What one host gives for one piece. An exclusive job takes every processor, so
   that nothing else fits beside it. */
struct lxfw_resources lxfw_request_on(const struct lxfw_request *request,
				      const struct lxfw_host *host);

/* Make room for a share of every host in sched->found, and in the other scratch of
   a placement. 0, or -1 with errno ENOMEM. */
int lxfw_place_ready(struct lxfw_sched *sched);

/*
 * Find hosts for a request from START = now on. Shares go to sched->found,
 * ascending by host; returns their number, 0 when it does not fit, -1 with errno
 * ENOMEM. *HOST_SET is the index of the alternative.
 */
int32_t lxfw_place_now(struct lxfw_sched *sched,
		       const struct lxfw_request *request, int32_t *host_set);

/*
 * Find the earliest start, now or later, and hosts for it. As above, with *START;
 * 0 when the request fits at no time.
 */
int32_t lxfw_place_earliest(struct lxfw_sched *sched,
			    const struct lxfw_request *request,
			    int64_t *start, int32_t *host_set);

/* Whether the request fits when nothing else runs: 1, 0, or -1 with errno ENOMEM. */
int lxfw_place_possible(struct lxfw_sched *sched,
			const struct lxfw_request *request);

/* Whether a request fits on HOST now, all its pieces there. Its share goes to
   sched->found, for which room has been made. */
bool lxfw_place_on(struct lxfw_sched *sched, const struct lxfw_request *request,
		   int32_t host, int32_t *host_set);

/* --- decision.c ------------------------------------------------------------------ */

/* Make room for so many more actions and shares of theirs, so that appending them
   cannot fail. 0, or -1 with errno ENOMEM. */
int lxfw_actions_ready(struct lxfw_sched *sched, size_t actions, size_t shares);

/* Append an action; its shares are copied. 0, or -1 with errno ENOMEM. */
int lxfw_action_append(struct lxfw_sched *sched,
		       const struct lxfw_action *action);

/* --- reservation.c --------------------------------------------------------------- */

/* Make room for one more reservation, and for telling if it is lost. 0, or -1 with
   errno ENOMEM. */
int lxfw_reservations_ready(struct lxfw_sched *sched);

/* Take away a job's reservation; it will be told unless it starts. */
void lxfw_reservation_drop(struct lxfw_sched *sched, int32_t job);
void lxfw_reservations_drop_from(struct lxfw_sched *sched, size_t first);

/* Tell the jobs that lost their reservation and got no other. 0, or -1 with errno
   ENOMEM. */
int lxfw_reservations_tell(struct lxfw_sched *sched);

/* The job starts: its reservation, if it has one, has served its purpose. */
void lxfw_reservation_use(struct lxfw_sched *sched, int32_t job);

/* --- start.c --------------------------------------------------------------------- */

/* Start waiting JOB now on the first COUNT of sched->found, for a quantum that
   ends at UNTIL or, with LXFW_NEVER, for good. 0, or -1 with errno ENOMEM, the job
   still waiting. */
int lxfw_job_start(struct lxfw_sched *sched, int32_t job, int32_t count,
		   int32_t host_set, int64_t until);

/* Give a running job of one host PROCS processors (1 or more) from now on; it is
   expected to take as much longer or shorter. 0, or -1 with errno ENOMEM. */
int lxfw_job_resize(struct lxfw_sched *sched, int32_t job, int32_t procs);

/* --- backfill.c ---------------------------------------------------------------- */

/* One pass: order, start, reserve, backfill, for all jobs that do not share hosts.
   Appends actions. 0, or -1 with errno ENOMEM (what has been appended stands). 0 with
   sched->stuck not -1: broken off. */
int lxfw_pass(struct lxfw_sched *sched);

/* --- quantum.c: immediate service --------------------------------------------------- */

/* The parameters have changed. 0, or -1 with errno ENOMEM. */
int lxfw_quantum_params(struct lxfw_sched *sched);

/* Before the pass: quanta that are over end, those who lent processors go on. After
   it: jobs that wait and have not been served are. 0, or -1 with errno ENOMEM. */
int lxfw_quantum_finish(struct lxfw_sched *sched);
int lxfw_quantum_serve(struct lxfw_sched *sched);

/* Whether a quantum is under way on HOST; whether JOB runs in one or has lent it
   processors. */
bool lxfw_quantum_on_host(const struct lxfw_sched *sched, int32_t host);
static inline bool lxfw_quantum_involves(const struct lxfw_sched *sched,
					 int32_t job)
{
	return sched->jobs[job].quantum >= 0;
}

/* --- suspended.c: jobs that wait on their hosts -------------------------------------- */

/* A running job is suspended with these shares and waits. 0, or -1 with errno ENOMEM,
   the job running; the caller takes it off what counts running jobs. */
int lxfw_suspended_begin(struct lxfw_sched *sched, int32_t job,
			 const struct lxfw_share *shares, int32_t count);

/* Its resumption was refused: it has what it keeps again. */
void lxfw_suspended_refused(struct lxfw_sched *sched, int32_t job);

/* As lxfw_place_now() for such a job, on its hosts; found are its processors alone. As
   lxfw_place_earliest(), there or, if that is earlier, anywhere else. */
int32_t lxfw_suspended_now(struct lxfw_sched *sched, int32_t job);
int32_t lxfw_suspended_earliest(struct lxfw_sched *sched, int32_t job,
				int64_t *start, int32_t *host_set);

/* It goes on now. 0, or -1 with errno ENOMEM, the job still waiting. */
int lxfw_suspended_resume(struct lxfw_sched *sched, int32_t job);

/* It is about to start on COUNT shares elsewhere: it gives up what it keeps, its work
   is lost. 0 with all the room that the start needs made, or -1 with errno ENOMEM. */
int lxfw_suspended_leave(struct lxfw_sched *sched, int32_t job, int32_t count);

/* Put suspended jobs back in the queue so that sched->stuck can start some day, and
   the pass be begun again. Where they are not what keeps it from starting they may
   stay, and sched->suspended is 0 for the rest of the decision. 0, or -1 with errno
   ENOMEM. */
int lxfw_suspended_make_way(struct lxfw_sched *sched);

/* Count them anew, at the beginning of a decision. */
void lxfw_suspended_count(struct lxfw_sched *sched);

/* Put all back in the queue: the policy knows no such jobs. 0, or -1 with errno
   ENOMEM. */
int lxfw_suspended_end(struct lxfw_sched *sched);

/* --- equipartition.c: EQspatial ------------------------------------------------------ */

/* Whether a job with this request is EQspatial's; all others are scheduled by
   lxfw_pass(), under that policy too. */
static inline bool lxfw_is_shared(const struct lxfw_sched *sched,
				  const struct lxfw_request *request)
{
	return sched->params.policy == LXFW_POLICY_EQSPATIAL && !request->rigid;
}

/* One pass instead of lxfw_pass(), which it calls for rigid jobs: place, start,
   repartition. 0, or -1 with errno ENOMEM (what has been appended stands). */
int lxfw_equipartition_pass(struct lxfw_sched *sched);

/* A rigid job starts where jobs that share hosts can make room for it now: ALL down to
   the fewest processors that they can do with, or as an equal part. 1, 0 if they
   cannot, or -1 with errno ENOMEM. */
int32_t lxfw_equipartition_make_room(struct lxfw_sched *sched, int32_t job,
				     bool all);

/* The policy is in force from now on. 0, or -1 with errno ENOMEM. Another one takes
   over. */
int lxfw_equipartition_begin(struct lxfw_sched *sched);
void lxfw_equipartition_yield(struct lxfw_sched *sched);

/* --- classes.c: NCSA-LSF* --------------------------------------------------------- */

/* The classes from now on, which are valid and copied. 0, or -1 with errno ENOMEM,
   those before still in force. */
int lxfw_job_classes_set(struct lxfw_sched *sched,
			 const struct lxfw_job_classes *classes);

/* The policy has changed. */
void lxfw_job_classes_params(struct lxfw_sched *sched);

/* As for EQspatial. */
int lxfw_job_classes_pass(struct lxfw_sched *sched);

/* --- overrun.c ------------------------------------------------------------------ */

/* Make room to note COUNT more ends. 0, or -1 with errno ENOMEM. */
int lxfw_expiry_ready(struct lxfw_sched *sched, size_t count);

/* Note when a running job is expected to end; room has been made. */
void lxfw_expiry_add(struct lxfw_sched *sched, int32_t job);

/* Move the expected end of jobs that run beyond it. */
void lxfw_expiry_extend(struct lxfw_sched *sched);

#endif
