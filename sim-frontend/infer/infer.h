/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the log of a machine tells of what its scheduler knew and the log does not say:
 * processors that could not be used, jobs that were not free to start, limits of users.
 * It is inferred from submissions, starts, ends and requests, given the policy: where
 * the job that comes next fits and is not started, either the machine was smaller or
 * the job was not free.
 *
 * What is found can be simulated: changes of hosts, and later arrivals. It tells what
 * the policy would have to be told in order to do as was measured; whether the site had
 * another order of jobs instead cannot be told from a log. Where too many jobs were
 * passed by others (`order`), no held jobs are taken from it; nor under conservative
 * backfilling, where what is reserved decides who goes first.
 */
#ifndef LXFW_INFER_INFER_H
#define LXFW_INFER_INFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/engine/recorded.h"

/* A job that comes first and fits, and does not start so long: evidence. */
#define LXFW_INFER_LEAST INT64_C(1800)

/* Processors that could not be used for a time. */
struct lxfw_outage {
	int64_t begin, end;	/* s */
	int64_t known, known_end;	/* it lasted from then until then at least */
	int64_t procs;		/* that jobs could have, at most, 0 or more; jobs that
				   run go on, beyond these too */
	int64_t in_use;		/* at most, in this time */
	size_t jobs;		/* that it kept waiting, for 30 min or more each */
	bool given;		/* by records of the machine, not inferred */
	int32_t *hosts;		/* of these records, ascending; NULL: whichever */
	int32_t host_count;
};

enum lxfw_held_reason {
	LXFW_HELD_NOT,
	LXFW_HELD_PASSED,	/* others of no less, or as many processors in all, were
				   let past it; or it alone waited with room */
	LXFW_HELD_CHAIN,	/* and it started as another job of its user ended */
	LXFW_HELD_LIMIT,	/* its user had as much as ever */
	LXFW_HELD_REASONS,
};

/* When each job of the record was free to start. */
struct lxfw_held_job {
	int64_t until;
	enum lxfw_held_reason reason;
};

/* A user who never had more at once, while other jobs of the user waited. */
struct lxfw_limit {
	int32_t user;
	int64_t jobs;		/* running at once; 0 = the limit is of processors */
	int64_t procs;
	size_t waits;		/* jobs that it stopped */
};

enum lxfw_infer_kind {
	LXFW_INFER_OUTAGES = 1,
	LXFW_INFER_HOLDS = 2,
	LXFW_INFER_LIMITS = 4,
	LXFW_INFER_ALL = 7,
};

struct lxfw_inferred {
	struct lxfw_outage *outages;	/* by time, none overlaps another */
	size_t outage_count, outages_size;
	struct lxfw_held_job *holds;	/* in the order of the record's jobs */
	size_t job_count;
	struct lxfw_limit *limits;
	size_t limit_count, limits_size;
	size_t held[LXFW_HELD_REASONS];	/* jobs */
	/* Of the jobs that waited for ten minutes or more: how many, and how many were
	   passed for as long and no limit of a user tells why. */
	size_t waited, passed;
	size_t idle;		/* passed, with room beside all others meanwhile */
	bool order;		/* too many passed, too few idle: the site's order of jobs
				   is another one */
	bool parts;		/* a part of the machine seems to be missing nearly
				   always: no outage, and not inferred */
	bool unclear;		/* jobs were denied as in an outage, but too few of
				   too few users to tell it from holds */
	bool backfills;		/* the site lets jobs past the one that comes first */
	bool processors;	/* these tell whether a job fits, neither memory nor
				   hosts: else no outage is inferred */
};

struct lxfw_infer_input {
	const struct lxfw_params *params;	/* the policy of the site */
	int64_t longest;	/* s, the machine's own from a reason to start to the
				   start, hardly ever more */
	unsigned kinds;		/* LXFW_INFER_..., what to take from it */
	/* Outages by records of the machine, by time, without overlap, and the time that
	   these cover: in it none is inferred. */
	const struct lxfw_outage *given;
	size_t given_count;
	int64_t given_from, given_until;
};

/* From the measured side of RECORDED. 0, or -1 with errno ENOMEM and *INFERRED
   empty. */
int lxfw_infer(struct lxfw_inferred *inferred,
	       const struct lxfw_recorded *recorded,
	       const struct lxfw_infer_input *input);

/* Have RECORDED be simulated with it: events of hosts, and `eligible` of jobs. 0, or
   -1 with errno ENOMEM. */
int lxfw_infer_apply(const struct lxfw_inferred *inferred,
		     struct lxfw_recorded *recorded);

/* The same of RECORDED, which is of CLUSTER without changes; and have the outages be
   changes of CLUSTER, so that other simulations on it have them too. 0, or -1 with errno
   ENOMEM. */
int lxfw_infer_change_cluster(const struct lxfw_inferred *inferred,
			      struct lxfw_recorded *recorded,
			      struct lxfw_cluster *cluster);

void lxfw_inferred_clear(struct lxfw_inferred *inferred);

#endif
