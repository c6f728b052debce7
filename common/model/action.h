/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the scheduler decides, for the adapter to carry out. */
#ifndef LXFW_MODEL_ACTION_H
#define LXFW_MODEL_ACTION_H

#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"

enum lxfw_action_type {
	/* Start the job now on these shares. Booked as done, unless the
	   adapter answers LXFW_EVENT_JOB_REFUSED. */
	LXFW_ACTION_START = 1,
	/* The job is to start at `start` on these shares at the latest. Said
	   when a reservation is made or moves; replaces the job's earlier one. */
	LXFW_ACTION_RESERVE,
	/* The job holds no reservation any more, and does not start either. */
	LXFW_ACTION_UNRESERVE,
};

struct lxfw_action {
	enum lxfw_action_type type;
	uint64_t job;
	int64_t start;		/* START: the time of the decision */
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
};

#endif
