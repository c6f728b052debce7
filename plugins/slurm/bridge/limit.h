/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The time limit with which a job starts: shorter than its own for --time-min and
   --deadline. */
#ifndef LXFW_BRIDGE_LIMIT_H
#define LXFW_BRIDGE_LIMIT_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/slurm/compat/compat.h"

/* The limit before a start. */
struct lxfw_limit {
	uint32_t array_id;	/* 0: no array */
	uint32_t minutes;
	uint16_t set;
};

/*
 * lxfw_limit_shorten() limits the job's run time to SECONDS (INT64_MAX: no such limit)
 * and to its deadline, before a start. lxfw_limit_started() must follow: it restores the limit of a job that was not
 * started, and that of the other tasks of an array.
 */
void lxfw_limit_shorten(job_record_t *job, int64_t seconds,
			struct lxfw_limit *before);
void lxfw_limit_started(job_record_t *job, bool started,
			const struct lxfw_limit *before);

/* Returns the time after which the job would be cancelled because of its deadline, or
   INT64_MAX. */
int64_t lxfw_limit_latest_start(const job_record_t *job);

/* Returns the shortest run time in seconds with which the job may start (--time-min), or
   0 if it needs its time limit. */
int64_t lxfw_limit_least(const job_record_t *job);

#endif
