/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Infers what the scheduler of a machine knew and its log does not state: unavailable
 * processors, jobs that were not eligible, limits of users. The inference uses
 * submissions, starts, ends and requests, and assumes a policy: if the next job fits and
 * is not started, either the machine was smaller or the job was not eligible.
 *
 * The results can be simulated as changes of hosts and later arrivals. They are the
 * constraints under which the policy reproduces the measured schedule. Whether the site
 * used a different order of jobs instead cannot be determined from a log. If too many
 * jobs were passed by others (`order`), no holds are inferred from this, nor under
 * conservative backfilling, where reservations determine the order of starts.
 */
#ifndef LXFW_INFER_INFER_H
#define LXFW_INFER_INFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/infer/idle_hosts.h"

/* Minimum time for evidence: the first job fits and does not start for this long. */
#define LXFW_INFER_LEAST INT64_C(1800)

/* Processors that were unavailable for a time. */
struct lxfw_outage {
	int64_t begin, end;	/* seconds */
	int64_t known, known_end;	/* lower bound of its extent */
	int64_t procs;		/* maximum available to jobs, 0 or more; running jobs
				   continue even beyond it */
	int64_t in_use;		/* maximum during this time */
	size_t jobs;		/* number of jobs delayed by 30 min or more */
	bool given;		/* from records of the machine, not inferred */
	int32_t *hosts;		/* from these records, in ascending order; NULL:
				   unknown */
	int32_t host_count;
};

enum lxfw_held_reason {
	LXFW_HELD_NOT,
	LXFW_HELD_PASSED,	/* passed by other jobs of at least its size, or with
				   as many processors together; or it alone waited
				   although it fitted */
	LXFW_HELD_CHAIN,	/* as before, and it started when another job of its
				   user ended */
	LXFW_HELD_LIMIT,	/* its user was at a limit */
	LXFW_HELD_REASONS,
};

/* Until when a job of the record was not eligible. */
struct lxfw_held_job {
	int64_t until;
	enum lxfw_held_reason reason;
};

/* A user who never exceeded this limit while further jobs of the user waited. */
struct lxfw_limit {
	int32_t user;
	int64_t jobs;		/* running at a time; 0: the limit is of processors */
	int64_t procs;
	size_t waits;		/* number of jobs that it delayed */
};

enum lxfw_infer_kind {
	LXFW_INFER_OUTAGES = 1,
	LXFW_INFER_HOLDS = 2,
	LXFW_INFER_LIMITS = 4,
	LXFW_INFER_ALL = 7,
};

struct lxfw_inferred {
	struct lxfw_outage *outages;	/* in order of time, without overlap */
	size_t outage_count, outages_size;
	struct lxfw_held_job *holds;	/* parallel to the record's jobs */
	size_t job_count;
	struct lxfw_limit *limits;
	size_t limit_count, limits_size;
	size_t held[LXFW_HELD_REASONS];	/* numbers of jobs */
	/* Of the jobs that waited for ten minutes or more: the total, and those that
	   were passed for as long without an explanation by a limit of the user. */
	size_t waited, passed;
	size_t idle;		/* passed jobs that fitted beside all others for that
				   time */
	bool order;		/* too many were passed and too few are idle: the site
				   orders jobs differently */
	bool parts;		/* part of the machine appears to be missing almost
				   always, which is not an outage and not inferred */
	bool unclear;		/* jobs were denied as in an outage, but too few users
				   are affected to distinguish it from holds */
	bool earlier;		/* processors were unavailable at the beginning, as by jobs
				   from before the log; not inferred */
	bool backfills;		/* the site backfills */
	bool processors;	/* a job fits if enough processors are free,
				   independently of memory and hosts; otherwise outages
				   are not inferred */
	struct lxfw_idle_list idle_hosts;	/* in this case: hosts that may have been
						   away; not applied */
};

struct lxfw_infer_input {
	const struct lxfw_params *params;	/* the policy of the site */
	int64_t longest;	/* upper bound of the system overhead at a start,
				   seconds */
	unsigned kinds;		/* results to be inferred, LXFW_INFER_... */
	/* Outages from records of the machine, in order of time and without overlap,
	   and the period that they cover, in which none are inferred. */
	const struct lxfw_outage *given;
	size_t given_count;
	int64_t given_from, given_until;
};

/* Infers from the measured schedule of RECORDED. Returns 0, or -1 with errno ENOMEM
   and *INFERRED empty. */
int lxfw_infer(struct lxfw_inferred *inferred,
	       const struct lxfw_recorded *recorded,
	       const struct lxfw_infer_input *input);

/* Applies the results to the simulation of RECORDED: events of hosts, and `eligible`
   of jobs. Returns 0, or -1 with errno ENOMEM. */
int lxfw_infer_apply(const struct lxfw_inferred *inferred,
		     struct lxfw_recorded *recorded);

/* Applies outages to RECORDED, a record on CLUSTER without changes, and makes them
   changes of CLUSTER, so that other simulations on it have them too. Returns 0, or -1
   with errno ENOMEM. */
int lxfw_infer_change_cluster(const struct lxfw_inferred *inferred,
			      struct lxfw_recorded *recorded,
			      struct lxfw_cluster *cluster);

void lxfw_inferred_clear(struct lxfw_inferred *inferred);

#endif
