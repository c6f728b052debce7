/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that another scheduler does not start now, although the model would. Slurm states when it
 * plans to start a waiting job. If that is later than now, it has considered the job and found no
 * room: it keeps whole nodes for the jobs before it where the model keeps parts (backfill of
 * slurm.conf(5)), or it follows a rule that is not modelled. It decides otherwise when something
 * changes. In a future such a job is therefore held until the first end of a job on one of its
 * hosts, and until the planned time at the latest.
 *
 * Of a job that is not submitted, Slurm states nothing. It is held if it fits now only on hosts
 * that jobs before it will need before it ends.
 */
#ifndef LXFW_PREDICT_HELD_H
#define LXFW_PREDICT_HELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"

struct lxfw_held_job {
	uint64_t id;
	int64_t planned;	/* the latest time; LXFW_NEVER: not known */
};

/* {0} is empty. */
struct lxfw_held {
	struct lxfw_held_job *jobs;
	size_t count, size;
};

/* Finds the jobs that SCHED, which is not changed, would start at NOW, and that are planned for more
   than SLACK seconds later. PLANNED returns the time for which a job is planned, or 0. Returns 0, or
   -1 with errno ENOMEM. */
int lxfw_held_find(struct lxfw_held *held, const struct lxfw_sched *sched, int64_t now,
		   int64_t slack, int64_t (*planned)(void *context, uint64_t job),
		   void *context);

/* The planned time of a job that is held, or 0. */
int64_t lxfw_held_until(const struct lxfw_held *held, uint64_t job);

/* Whether a request that fits now does so only on hosts that jobs of SCHED, which is not changed, will
   need before it ends. Returns -1 with errno ENOMEM. */
int lxfw_held_request(const struct lxfw_sched *sched, int64_t now,
		      const struct lxfw_request *request);

/* Whether a running job has a part of a host that the request may use. */
bool lxfw_held_by(const struct lxfw_sched *sched, const struct lxfw_request *request,
		  int32_t claim);

void lxfw_held_clear(struct lxfw_held *held);

#endif
