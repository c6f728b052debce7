/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the scheduler decides, for the adapter to carry out. */
#ifndef LXFW_MODEL_ACTION_H
#define LXFW_MODEL_ACTION_H

#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"

enum lxfw_action_type {
	/* Start the job now on these shares. Booked as done, unless the
	   adapter answers LXFW_EVENT_JOB_REFUSED. With `until`, for a quantum
	   of immediate service only: its memory may be less than requested,
	   and what becomes of a job that is not over then the scheduler says
	   then. Under EQspatial it may be fewer processors than requested. */
	LXFW_ACTION_START = 1,
	/* The job is to start at `start` on these shares at the latest. Said
	   when a reservation is made or moves; replaces the job's earlier one. */
	LXFW_ACTION_RESERVE,
	/* The job holds no reservation any more, and does not start either. */
	LXFW_ACTION_UNRESERVE,
	/* The running job stops where it is: it gives up its processors and
	   keeps memory and extras, which are the shares. */
	LXFW_ACTION_SUSPEND,
	/* The suspended job goes on, with these shares, on the hosts that it
	   was suspended on. */
	LXFW_ACTION_RESUME,
	/* The running job is stopped, its work is lost, it waits again with the
	   submit time it had. */
	LXFW_ACTION_REQUEUE,
	/* The running job has these shares from now on, on the same hosts. */
	LXFW_ACTION_RESIZE,
};

/* The last one, for tables and loops. */
#define LXFW_ACTION_LAST LXFW_ACTION_RESIZE

struct lxfw_action {
	enum lxfw_action_type type;
	uint64_t job;
	int64_t start;		/* RESERVE: when; else the time of the decision */
	int64_t until;		/* START: the end of the quantum; LXFW_NEVER for
				   any other start and action */
	int32_t host_set;	/* index into the request's host_sets; 0 if none */
	int32_t count;
	const struct lxfw_share *shares;	/* ascending by host */
};

struct lxfw_decision {
	const struct lxfw_action *actions;
	size_t count;
	int64_t wake;		/* decide again then even if nothing happens;
				   LXFW_NEVER = only after the next event */
	size_t waiting, running;	/* jobs in the books after the decision */
	const char *problem;	/* NULL, or why the policy could not decide */
};

#endif
