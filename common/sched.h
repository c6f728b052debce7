/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The scheduler: a model of hosts and jobs that events update and that makes decisions.
 *
 *   adapter --events--> lxfw_sched_apply()
 *   adapter <-actions-- lxfw_sched_decide()
 *
 * The scheduler does no I/O, reads no clock and has no global variables. A process may
 * have several schedulers; each may be used by one thread at a time. Equal sequences of
 * events and calls result in equal actions, bit for bit.
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

/* Returns NULL with errno ENOMEM, or EINVAL if the policy is from a file that was not
   given. */
struct lxfw_sched *lxfw_sched_create(const struct lxfw_params *params);

/* Keeps errno. SCHED may be NULL. */
void lxfw_sched_destroy(struct lxfw_sched *sched);

/*
 * Apply an event. Returns 0, or -1 with the scheduler unchanged and errno
 *   EINVAL  the event is malformed (negative counts, unknown hosts, a time before
 *           that of an earlier event)
 *   EEXIST  a submitted job is known already
 *   ENOENT  the job is unknown, or not in the state that the event requires
 *   ENOMEM  memory is exhausted
 */
int lxfw_sched_apply(struct lxfw_sched *sched, const struct lxfw_event *event,
		     struct lxfw_error *error);

/*
 * Run one scheduling pass at NOW, which is not before the last event; a time beyond
 * LXFW_TIME_MAX counts as LXFW_TIME_MAX. The actions are valid until the next call with
 * SCHED and are to be carried out in their order. The scheduler counts the jobs as
 * started. Returns 0, or -1 with errno ENOMEM, or ENOEXEC if a policy from a file fails
 * (the reason is in decision->problem). After an error the pass is incomplete, but
 * *DECISION is filled, and its actions are valid.
 */
int lxfw_sched_decide(struct lxfw_sched *sched, int64_t now,
		      struct lxfw_decision *decision);

/*
 * Whether the job can start at some time. Returns 0 for a waiting job that does not fit
 * on the present hosts even if they are empty, or for which no reservation can be made
 * because of blocks without end; every decision leaves such a job out until hosts, blocks
 * or its request change. Returns 1 for every other job, known or unknown, or -1 with
 * errno ENOMEM. Decides and changes nothing.
 */
int lxfw_sched_can_start(struct lxfw_sched *sched, uint64_t job);

/* Move the clock to NOW for the two functions below; an earlier time than that of the last
   event or decision is ignored. The next decision is the same as without this call. */
void lxfw_sched_advance(struct lxfw_sched *sched, int64_t now);

/*
 * Find the hosts on which a job with this request would run if it started now, beside all
 * present jobs, reservations and blocks, by the placement rule. Sets *SHARES to the
 * shares, ascending by host and valid until the next call with SCHED. Returns their
 * number, 0 if the job does not fit, or -1 with errno EINVAL (malformed) or ENOMEM. The
 * scheduler is not changed. The request's id and submit time are ignored.
 */
int32_t lxfw_sched_place(struct lxfw_sched *sched,
			 const struct lxfw_request *request,
			 const struct lxfw_share **shares);

/*
 * Find the earliest start of a job with this request, and its hosts, beside the present
 * jobs, reservations and blocks, if no other job is submitted or ends early. *START is
 * the time; the rest is as for lxfw_sched_place(). Returns 0 if the job fits at no time.
 * The scheduler is not changed.
 */
int32_t lxfw_sched_forecast(struct lxfw_sched *sched,
			    const struct lxfw_request *request, int64_t *start,
			    const struct lxfw_share **shares);

/* A summary of hosts and queue. */
struct lxfw_sched_state {
	int64_t procs, free;	/* processors of the hosts that are up, and those of them
				   that are not allocated; reservations do not count */
	size_t waiting, running;	/* number of jobs */
	int64_t waiting_work;	/* requested processors times requested run time of the
				   waiting jobs, in processor-seconds; at most
				   INT64_MAX */
};

void lxfw_sched_state(const struct lxfw_sched *sched, struct lxfw_sched_state *state);

#endif
