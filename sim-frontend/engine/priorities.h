/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where the workload manager's own priorities of jobs come from in a simulation: a model
 * that computes them while the clock runs. The engine reports to it what happens to jobs, and
 * has it calculate when it wants to.
 *
 * The functions that return an int return 0, or -1 with errno ENOMEM.
 */
#ifndef LXFW_ENGINE_PRIORITIES_H
#define LXFW_ENGINE_PRIORITIES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "common/model/request.h"

struct lxfw_priorities {
	const void *context;	/* is only read: runs on several threads share it */

	/* Whether no reservation is made for jobs that have the QOS of the job LIKE. Under any
	   policy, also one that does not count the priorities. */
	bool (*unreserved)(const void *context, uint64_t like);

	/* The model of one run, before its first job. NULL with errno ENOMEM. */
	void *(*open)(const void *context, int64_t start);
	void (*close)(void *run);
	/* Another run that has come as far, to continue apart from it. NULL with errno
	   ENOMEM. */
	void *(*copy)(const void *run);

	/* When priorities are to be calculated, not before the start; INT64_MAX = never.
	   Late is fine: while nothing is to come the clock does not stop for it. */
	int64_t (*due)(const void *run);
	/* Calculate them. Afterwards DUE is later than NOW. */
	int (*step)(void *run, int64_t now);
	/* The jobs whose priority the last step changed, COUNT of them; valid until the
	   next call that changes the model. */
	const uint64_t *(*changed)(const void *run, size_t *count);

	/* The priority of a job that was submitted and has not ended. */
	int64_t (*priority)(const void *run, uint64_t job);

	/* What happens to jobs, in this order: a job starts, and is requeued or ends. The
	   one that is submitted has the owner and the QOS of the job LIKE, often itself. */
	int (*submitted)(void *run, const struct lxfw_request *request, uint64_t like,
			 int64_t now);
	int (*started)(void *run, const struct lxfw_action *action);
	int (*requeued)(void *run, uint64_t job, int64_t now);
	int (*ended)(void *run, uint64_t job, int64_t now);
};

#endif
