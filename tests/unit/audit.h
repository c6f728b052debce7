/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An account of what jobs hold and have done, kept from the records of a journal
 * alone: events and actions, one after the other. It shares nothing with the
 * scheduler or the simulator but the types, and fails the test where
 *   - a host gives more processors, memory or extras than it has, after any single
 *     action (a suspended job keeps its memory and extras),
 *   - a job is in no state for an action, or gets other shares than it may,
 *   - a quantum is too long, is given twice, does not end, or is given at the
 *     expense of a job that has not run long enough,
 *   - one that was suspended for a quantum does not go on when it is over,
 *   - a job is suspended for others more often, sooner or for a larger share of its
 *     time than victims are promised,
 *   - a host is divided anew sooner than it may be, or unequally,
 *   - a rigid job has fewer processors than it asked for at any time, or an adaptive
 *     one fewer than it can do with.
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

/* What a job has and did in its present life: a requeued job begins anew. */
struct audit_account {
	enum audit_state state;
	struct lxfw_share shares[AUDIT_HOSTS];
	int32_t count;
	int32_t rate;		/* processors, at most those requested */
	int64_t start;
	int64_t since;		/* `done` is as of this time */
	int64_t done;		/* processor-seconds */
	int64_t ran;		/* s, suspensions apart */
	int64_t continued;	/* running without interruption since */
	int64_t until;		/* end of its quantum, or LXFW_NEVER */
	uint64_t lent_to;	/* suspended for this job's quantum; else 0 */
	int32_t preemptions, requeues;
	int32_t lent;		/* times suspended for others in this life */
	int64_t suspended;	/* s of this life */
	bool waited;		/* it was suspended at the end of its quantum */
	int64_t lost;		/* s that it ran in earlier lives */
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
	int64_t divided[AUDIT_HOSTS];	/* when jobs on it were resized last */
	uint64_t early[AUDIT_HOSTS];	/* a job resized sooner than it may be in this
					   decision: for a rigid job, which has to
					   start there; 0 = none */
	uint64_t lenders[AUDIT_JOBS];	/* suspended in this decision so far, for */
	int32_t lender_count;		/* the quantum that has to follow */
	bool ends_late;		/* ends may follow decisions of their second */
	bool equal;		/* after each decision the jobs on a host have
				   equal shares, as far as they ask for them */
	/* what happened, so that a test can tell whether anything did */
	int64_t starts, quanta, preemptions, resumptions, requeues, resizes;
};

void audit_event(struct audit *audit, const struct lxfw_event *event);
void audit_action(struct audit *audit, const struct lxfw_action *action);
/* The decision at NOW is complete. */
void audit_decided(struct audit *audit, int64_t now);

#endif
