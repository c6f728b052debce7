/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The jobs that the Slurm that runs passes over (predict/skipped.h), from a look or from squeue. */
#ifndef LXFW_CMD_SKIPPED_OVER_H
#define LXFW_CMD_SKIPPED_OVER_H

#include "common/sched.h"
#include "common/util/id_map.h"
#include "sim-frontend/predict/skipped.h"
#include "sim-frontend/predict/request_text.h"
#include "sim-frontend/publish/listed.h"

/* {0}: none are. */
struct lxfw_skipped_over {
	struct lxfw_scheduling scheduling;
	const struct lxfw_listed *listed;	/* NULL: what a look of this process knows */
	struct lxfw_skipped_job *jobs;		/* all that wait, in the order of the queue */
	size_t count;
	struct lxfw_id_map by_id;
	struct lxfw_id_map tiers;		/* of running jobs, by their partitions */
};

/* Finds those of SCHED. LISTED is kept. Returns 0, or -1 with errno ENOMEM. */
int lxfw_skipped_over_find(struct lxfw_skipped_over *over, const struct lxfw_sched *sched, int64_t now,
			  const struct lxfw_listed *listed);
void lxfw_skipped_over_clear(struct lxfw_skipped_over *over);

/* Why a job is passed over, or LXFW_SKIPPED_NOT. */
enum lxfw_skipped_by lxfw_skipped_over_by(const struct lxfw_skipped_over *over, uint64_t job);

/* The start that Slurm plans for a job, LXFW_NEVER if it passes the job over; 0: neither is known. */
int64_t lxfw_skipped_over_planned(const struct lxfw_skipped_over *over, uint64_t job);

/* Sets *BY of a job that this user would submit. Returns 0, or -1 with errno ENOMEM. */
int lxfw_skipped_over_request(const struct lxfw_skipped_over *over, const struct lxfw_request_text *text,
			     enum lxfw_skipped_by *by);

/* The same of a PARTITION by what a site publishes, with the users of its jobs if they are known. */
int lxfw_skipped_over_published(const struct lxfw_publication *publication, const char *partition,
				enum lxfw_skipped_by *by);

#endif
