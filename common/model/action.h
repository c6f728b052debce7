/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decisions of the scheduler, which the adapter carries out. */
#ifndef LXFW_MODEL_ACTION_H
#define LXFW_MODEL_ACTION_H

#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"

enum lxfw_action_type {
	/* Start the job now on these shares. The scheduler counts the job as running
	   unless the adapter applies LXFW_EVENT_JOB_REFUSED. If `until` is set, the job
	   gets a quantum of immediate service: its memory may be less than requested, and
	   a later decision suspends or requeues the job if it has not ended by then.
	   Under EQspatial the share may have fewer processors than requested. */
	LXFW_ACTION_START = 1,
	/* The job starts on these shares at `start` at the latest. Sent when a
	   reservation is made or moves; it replaces the job's earlier reservation. */
	LXFW_ACTION_RESERVE,
	/* The job no longer has a reservation, and does not start now. */
	LXFW_ACTION_UNRESERVE,
	/* Suspend the running job. It releases its processors and, unless the policy says
	   otherwise (lxfw_rem_frees), keeps its memory and extras; the shares are what it
	   keeps. */
	LXFW_ACTION_SUSPEND,
	/* Resume the suspended job with these shares, on the hosts on which it was
	   suspended. */
	LXFW_ACTION_RESUME,
	/* Stop the running job and requeue it. Its work is lost; its submit time is
	   kept. */
	LXFW_ACTION_REQUEUE,
	/* Change the shares of the running job to these, on the same hosts. */
	LXFW_ACTION_RESIZE,
};

/* The last type, for tables and loops. */
#define LXFW_ACTION_LAST LXFW_ACTION_RESIZE

struct lxfw_action {
	enum lxfw_action_type type;
	uint64_t job;
	int64_t start;		/* RESERVE: the expected start; other types: the time of
				   the decision */
	int64_t until;		/* START: end of the quantum; LXFW_NEVER for a start
				   without a quantum and for other types */
	int64_t limit;		/* START: run time in seconds of a job that gets less than
				   its estimate because of `min_estimate`, or that is
				   expected to end earlier on more processors; 0: its
				   estimate */
	int32_t host_set;	/* index into the request's host_sets; 0 if it has none */
	int32_t count;
	const struct lxfw_share *shares;	/* ascending by host */
};

struct lxfw_decision {
	const struct lxfw_action *actions;
	size_t count;
	int64_t wake;		/* time of the next decision if no event comes before;
				   LXFW_NEVER: none is needed */
	size_t waiting, running;	/* jobs after the decision */
	const char *problem;	/* NULL, or the reason why the policy could not decide */
};

#endif
