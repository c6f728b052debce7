/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Run times that are expected of jobs: one number per job, where experience.h draws many.
 *
 * Jobs are in the groups of experience.h and in one finer than all: the same user, account,
 * partition, processors, requested time and name. Each group exists for all machines and for
 * each machine. It keeps the ratios of run time to requested time of its last
 * LXFW_EXPERIENCE_KEPT jobs. Both times are at the usual speed, also in the class, so that machines
 * of other speeds can be compared.
 *
 * The estimate begins with the requested time, at the usual speed, and is replaced, from the coarsest group to
 * the finest, by
 *
 *   (N x median of the group + estimate so far) / (N + 1)
 *
 * with the number N of all its jobs; the median is that of those it keeps. The group is that of the machine of the job, or that of all
 * machines if no such job ran there. Collins and George 2001, section 3, weight a class in the same
 * way. The median was closer than the mean on all logs that were tried (doc/history.md).
 */
#ifndef LXFW_HISTORY_ESTIMATES_H
#define LXFW_HISTORY_ESTIMATES_H

#include "sim-frontend/history/experience.h"
#include "sim-frontend/history/ran.h"
#include "sim-frontend/trace/trace.h"

/* {0} has learned nothing. */
struct lxfw_estimator {
	struct lxfw_experience groups;
	size_t jobs;		/* learned */
};

/* What is known of a job when it is submitted. */
struct lxfw_estimate_of {
	struct lxfw_traits traits;
	int64_t name;		/* lxfw_trait_of_name(); -1: unknown */
	int32_t machine;	/* number of the machine; -1: unknown */
	int32_t speed;		/* at which the requested time is meant, per mille */
};

/* Times at the usual speed, seconds. */
struct lxfw_expected_run {
	double work;		/* the estimate, at most the requested time */
	int32_t jobs;		/* of the class: of the two finest groups, the first one that
				   has jobs; 0: none has */
	double low, high;	/* quartiles of its last jobs; 0 if `jobs` is 0 */
};

void lxfw_estimator_clear(struct lxfw_estimator *estimator);

/* Returns 0, or -1 with errno ENOMEM and *TO empty. */
int lxfw_estimator_copy(struct lxfw_estimator *to, const struct lxfw_estimator *from);

/* A job has taken WORK seconds at the usual speed. Returns 0, or -1 with errno ENOMEM. */
int lxfw_estimator_learn(struct lxfw_estimator *estimator,
			 const struct lxfw_estimate_of *of, double work);

void lxfw_estimator_expect(const struct lxfw_estimator *estimator,
			   const struct lxfw_estimate_of *of,
			   struct lxfw_expected_run *expected);

/* Learns the jobs of RANS that ended by NOW (lxfw_rans_each). NUMBERS has the number of each
   machine of RANS; NULL: that of RANS. Returns as above. */
int lxfw_estimator_rans(struct lxfw_estimator *estimator, const struct lxfw_rans *rans,
			const int32_t *numbers, int64_t now);

/* Returns what is known of each job of a trace with owners, by position, without the machine;
   the caller frees it. NULL with errno ENOMEM. */
struct lxfw_estimate_of *lxfw_estimate_of_trace(const struct lxfw_trace *trace);

/* Returns the estimate in seconds at a speed per mille, 1 or more. */
int64_t lxfw_estimate_seconds(double work, int32_t speed);

#endif
