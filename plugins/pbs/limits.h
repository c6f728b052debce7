/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Limits of running jobs, of the server and of queues: max_run and max_run_res, for all jobs
 * and by user, group and project, and their old forms max_running, max_user_run and
 * max_group_run. The server leaves them to the scheduler. Each has a soft form, max_run_soft:
 * jobs whose user, group or project uses more than that come after others.
 *
 *   max_run = [o:PBS_ALL=100],[u:PBS_GENERIC=10],[u:anna=20]
 *   max_run_res.ncpus = [g:physics=64]
 *
 * Jobs that run, are suspended or are ending count.
 */
#ifndef LXFW_PBS_LIMITS_H
#define LXFW_PBS_LIMITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lxfw_pbs_job;
struct lxfw_pbs_site;

struct lxfw_pbs_limit {
	char kind;		/* o: all jobs; u: user; g: group; p: project */
	char *name;		/* of the user, group or project; "PBS_GENERIC": any without
				   a limit of its own */
	char *resource;		/* NULL: number of jobs */
	bool soft;
	int64_t most;		/* sizes in KiB */
};

struct lxfw_pbs_limits {
	struct lxfw_pbs_limit *limit;
	size_t count, size;
};

/* Reads an attribute of the server or a queue. Others, and entries that cannot be read, are
   ignored. Returns false if memory ran out. */
bool lxfw_pbs_limits_set(struct lxfw_pbs_limits *limits, const char *name,
			 const char *resource, const char *value);
void lxfw_pbs_limits_clear(struct lxfw_pbs_limits *limits);

/* Sums that have been computed, until lxfw_pbs_sums_clear(). */
struct lxfw_pbs_sum {
	const struct lxfw_pbs_limits *of;
	char kind;
	char *name, *resource;
	int64_t used;
};

struct lxfw_pbs_sums {
	struct lxfw_pbs_sum *sum;
	size_t count, size;
};

void lxfw_pbs_sums_clear(struct lxfw_pbs_sums *sums);

/* Returns the conditions of JOB (sched.h) that are due to soft limits which are exceeded: of the
   server, of its queue. */
unsigned lxfw_pbs_over_soft(struct lxfw_pbs_site *site, const struct lxfw_pbs_job *job);

/* Returns a limit that the start of JOB would exceed, or NULL. Soft limits are none. */
const struct lxfw_pbs_limit *lxfw_pbs_limited(struct lxfw_pbs_site *site,
					      const struct lxfw_pbs_job *job);

#endif
