/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that a request can represent but that are passed to Slurm's own node selection.
 * The library does not schedule such a job until the cause has changed. Otherwise the
 * job would wait forever or would be refused repeatedly.
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

/* Number of consecutive refusals by Slurm after which a job is passed to Slurm. */
#define LXFW_LEFT_REFUSALS 3

enum lxfw_left_why {
	LXFW_LEFT_NOT,		/* not passed to Slurm any more */
	LXFW_LEFT_NO_PLACE,	/* in the model it does not fit even on the empty
				   cluster */
	LXFW_LEFT_REFUSED,	/* refused by Slurm LXFW_LEFT_REFUSALS times */
	LXFW_LEFT_INVALID,	/* the library rejected the request */
	LXFW_LEFT_PREEMPTS,	/* running jobs were preempted for it */
};

struct lxfw_left_job {
	uint32_t job_id;	/* of Slurm's record; for an array, all its pending
				   tasks */
	uint32_t seen;		/* last pass in which the job was seen */
	uint8_t why;		/* enum lxfw_left_why */
	bool said;		/* a message has been logged */
	struct lxfw_request request;	/* its request when it was passed to Slurm */
};

struct lxfw_left_jobs {
	struct lxfw_left_job *job;
	size_t count, size;
	struct lxfw_id_map by_id;	/* index in `job` */
};

/* Returns the entry of a job that is or was passed to Slurm, or NULL. Valid until the
   next change. */
struct lxfw_left_job *lxfw_left_find(const struct lxfw_bridge *bridge,
				     uint32_t job_id);

/*
 * Passes KNOWN, which is pending in the model, to Slurm for the reason WHY. The job is
 * removed from the model and offered to Slurm in this pass in each of its partitions.
 */
void lxfw_left_add(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		   enum lxfw_left_why why);

/* Logs once that the job is passed to Slurm. */
void lxfw_left_say(struct lxfw_bridge *bridge, const job_record_t *job);

/* Returns true if the job with REQUEST is still passed to Slurm. This ends when its
   request has changed or, except for LXFW_LEFT_INVALID, when nodes, partitions or
   reservations have changed. A job that Slurm refused stays while it has a hold, and a
   job for which others were preempted while that is recent. */
bool lxfw_left_still(struct lxfw_bridge *bridge, uint32_t job_id,
		     const struct lxfw_request *request);

/* Passes jobs to Slurm that can start at no time according to the library. */
void lxfw_left_judge(struct lxfw_bridge *bridge);

/* Returns true if a message about the job should be logged: once until the job has
   left. */
bool lxfw_left_is_news(struct lxfw_bridge *bridge, uint32_t job_id);

/* Removes the entries of jobs that were not seen in this pass and are not pending. */
void lxfw_left_sweep(struct lxfw_bridge *bridge);

void lxfw_left_clear(struct lxfw_left_jobs *left);

#endif
