/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that a request can represent, and that are left to Slurm's own node selection
 * all the same: the library does not schedule them until what it was that kept it from
 * starting them has changed. Without that such a job would wait for ever, or be tried in
 * vain for ever.
 */
#ifndef LXFW_BRIDGE_LEFT_H
#define LXFW_BRIDGE_LEFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/request.h"
#include "common/util/id_map.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_bridge;
struct lxfw_known_job;

/* A job that Slurm refused so many times in a row where the library wanted it. */
#define LXFW_LEFT_REFUSALS 3

enum lxfw_left_why {
	LXFW_LEFT_NOT,		/* any more */
	LXFW_LEFT_NO_PLACE,	/* not even the empty machine has one, in the books */
	LXFW_LEFT_REFUSED,	/* by Slurm, LXFW_LEFT_REFUSALS times */
	LXFW_LEFT_INVALID,	/* the library did not take the request */
};

struct lxfw_left_job {
	uint32_t job_id;	/* of Slurm's record; of an array, all its tasks that
				   wait in the record */
	uint32_t seen;		/* pass that last met the job */
	uint8_t why;		/* enum lxfw_left_why */
	bool said;		/* logged */
	struct lxfw_request request;	/* that it made */
};

struct lxfw_left_jobs {
	struct lxfw_left_job *job;
	size_t count, size;
	struct lxfw_id_map by_id;	/* index in `job` */
};

/* The job, if it is or was left; NULL otherwise. Valid until the next change. */
struct lxfw_left_job *lxfw_left_find(const struct lxfw_bridge *bridge,
				     uint32_t job_id);

/*
 * KNOWN, which waits in the library's books, is left from now on, for the reason WHY.
 * The library is told that the job has left, and Slurm is offered it in this pass in
 * each of its partitions.
 */
void lxfw_left_add(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		   enum lxfw_left_why why);

/* Log that the job is left, if it is, and that was not logged of it before. */
void lxfw_left_say(struct lxfw_bridge *bridge, const job_record_t *job);

/* Whether the job, which asks REQUEST now, is still left. It is not when its request
   has changed or, unless it was INVALID, when nodes, partitions or reservations have. */
bool lxfw_left_still(struct lxfw_bridge *bridge, uint32_t job_id,
		     const struct lxfw_request *request);

/* Leave those that the library says can start at no time. */
void lxfw_left_judge(struct lxfw_bridge *bridge);

/* Whether something is to be logged of the job: once, until it has left. */
bool lxfw_left_is_news(struct lxfw_bridge *bridge, uint32_t job_id);

/* Forget those that were not met in this pass and do not wait any more. */
void lxfw_left_sweep(struct lxfw_bridge *bridge);

void lxfw_left_clear(struct lxfw_left_jobs *left);

#endif
