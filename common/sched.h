/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler: books of hosts and jobs, fed by events, asked for decisions.
 *
 *   adapter --events--> lxfw_sched_apply()
 *   adapter <-actions-- lxfw_sched_decide()
 *
 * It does no I/O, reads no clock and has no globals; several schedulers may
 * live in one process, each used by one thread at a time. The same events and
 * calls give the same actions, bit for bit.
 */
#ifndef LXFW_SCHED_H
#define LXFW_SCHED_H

#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/event.h"
#include "common/params/params.h"
#include "common/place/rule.h"
#include "common/util/error.h"

struct lxfw_sched;

/* NULL with errno ENOMEM, or EINVAL where the policy is from a file that was not given. */
struct lxfw_sched *lxfw_sched_create(const struct lxfw_params *params);

/* Keeps errno. SCHED may be NULL. */
void lxfw_sched_destroy(struct lxfw_sched *sched);

/* Before the first event; NULL: the paper's. Not with a policy of
   LXFW_TRAIT_OWN_PLACING. */
void lxfw_sched_set_placement(struct lxfw_sched *sched,
			      const struct lxfw_placement_rule *placement);

/*
 * Enter an event into the books. Returns 0, or -1 with the books unchanged:
 *   EINVAL  the event is malformed (counts, hosts that do not exist, time
 *           running backwards)
 *   EEXIST  a submitted job is in the books already
 *   ENOENT  the job is not in the books, or not in the state that the event
 *           speaks of
 *   ENOMEM
 */
int lxfw_sched_apply(struct lxfw_sched *sched, const struct lxfw_event *event,
		     struct lxfw_error *error);

/*
 * One scheduling pass at NOW (not before the last event; what lies beyond
 * LXFW_TIME_MAX counts as that). The actions are
 * valid until the next call with SCHED, in the order to be carried out. Starts
 * are booked. When memory runs out the pass ends early with what it has decided
 * (the books stay true) and returns -1 with errno ENOMEM; *DECISION is filled
 * in either case. A policy from a file that fails is the same with errno ENOEXEC, and
 * why in decision->problem.
 */
int lxfw_sched_decide(struct lxfw_sched *sched, int64_t now,
		      struct lxfw_decision *decision);

/*
 * Could the job start some time, as far as the books know? 0 for one that waits and
 * that the machine as it is could not hold if it were empty, or that no reservation can
 * be made for because of blocks without end: it is passed over in each decision until
 * hosts, blocks or its request change. 1 for any other job, known or not; -1 with errno
 * ENOMEM. Nothing is decided or changed by asking.
 */
int lxfw_sched_can_start(struct lxfw_sched *sched, uint64_t job);

/*
 * Where would a job that asks REQUEST run if it were started now, by the placement
 * rule, beside all that the books hold? Returns the number of shares, ascending by
 * host, and in *SHARES where they are until the next call with SCHED; 0 if it does
 * not fit; -1 with errno EINVAL (malformed) or ENOMEM. Nothing is booked; the
 * request's id and submit time do not matter.
 */
int32_t lxfw_sched_place(struct lxfw_sched *sched,
			 const struct lxfw_request *request,
			 const struct lxfw_share **shares);

/*
 * When and where would a job that asks REQUEST start at the earliest, beside the running
 * jobs, reservations and blocks in the books, if no other job came or ended early? Returns
 * as lxfw_sched_place() does, with the time in *START; 0 if it fits at no time. Nothing
 * is booked.
 */
int32_t lxfw_sched_forecast(struct lxfw_sched *sched,
			    const struct lxfw_request *request, int64_t *start,
			    const struct lxfw_share **shares);

/* The machine and the queue as the books have them. */
struct lxfw_sched_state {
	int64_t procs, free;	/* processors of the hosts that are up, and those of
				   them that no job has; reservations do not count */
	size_t waiting, running;	/* jobs */
	int64_t waiting_work;	/* processor-seconds that the waiting jobs ask for, by
				   their estimates; INT64_MAX if it is more */
};

void lxfw_sched_state(const struct lxfw_sched *sched, struct lxfw_sched_state *state);

#endif
