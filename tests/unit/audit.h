/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An account of the resources and the work of jobs, computed from the records of a
 * journal alone: events and actions in order. It shares only types with the scheduler
 * and the simulator. The test fails if
 *   - more processors, memory or extras of a host are allocated than it has, after any
 *   single action (a suspended job keeps its memory and extras),
 *   - an action does not fit the job's state, or assigns shares that are not permitted,
 *   - a quantum is too long, is given twice, does not end, or preempts a job that has
 *   not run long enough,
 *   - a job that was suspended for a quantum is not resumed when the quantum is over,
 *   - a job is suspended for others more often, sooner or for a larger share of its
 *   time than its bounds permit,
 *   - a host is repartitioned before the minimum interval has passed, or unequally,
 *   - a rigid job has fewer processors than it requested at any time, or an adaptive
 *   one fewer than its minimum.
 */
#ifndef LXFW_TESTS_AUDIT_H
#define LXFW_TESTS_AUDIT_H

#include "common/model/action.h"
#include "common/model/event.h"
#include "tests/unit/unit.h"

#define AUDIT_HOSTS 8
#define AUDIT_JOBS 256

enum audit_state { AUDIT_NONE, AUDIT_WAITING, AUDIT_RUNNING, AUDIT_SUSPENDED,
		   AUDIT_ENDED };

/* Resources and work of a job since its last start. A requeue resets it. */
struct audit_account {
	enum audit_state state;
	struct lxfw_share shares[AUDIT_HOSTS];
	int32_t count;
	int32_t rate;		/* processors, at most those requested */
	int64_t start;
	int64_t since;		/* time at which `done` was computed */
	int64_t done;		/* processor-seconds */
	int64_t ran;		/* s, without suspensions */
	int64_t continued;	/* running without interruption since this time */
	int64_t until;		/* end of its quantum, or LXFW_NEVER */
	uint64_t served_by;	/* the job for whose quantum it is suspended; 0 if none */
	int32_t preemptions, requeues;
	int32_t preempted;		/* number of suspensions for others in this run */
	int64_t suspended;	/* s in this run */
	bool waited;		/* it was suspended at the end of its quantum */
	int64_t lost;		/* s of run time in earlier runs */
};

struct audit_job {
	struct lxfw_request request;
	struct audit_account now, before;	/* the latest action's time */
	int64_t acted;			/* time of the latest action */
	int64_t end;
	bool served;
};

struct audit {
	struct lxfw_params params;
	struct lxfw_resources total[AUDIT_HOSTS];
	int32_t host_count;
	struct audit_job jobs[AUDIT_JOBS];	/* by id; ids from 1 on */
	int64_t divided[AUDIT_HOSTS];	/* last time at which jobs on it were resized */
	uint64_t early[AUDIT_HOSTS];	/* a job resized before the minimum interval in
	                            	 * this decision, which requires a rigid job to
	                            	 * start there; 0 = none */
	uint64_t lenders[AUDIT_JOBS];	/* jobs suspended so far in this decision */
	int32_t lender_count;		/* for the quantum that must follow */
	bool ends_late;		/* ends may follow decisions of the same second */
	bool equal;		/* after each decision the jobs on a host have equal
	           		 * shares, up to their requests */
	/* counts, so that a test can check that the cases occurred */
	int64_t starts, quanta, preemptions, resumptions, requeues, resizes;
};

void audit_event(struct audit *audit, const struct lxfw_event *event);
void audit_action(struct audit *audit, const struct lxfw_action *action);
/* Must be called when the decision at NOW is complete. */
void audit_decided(struct audit *audit, int64_t now);

#endif
