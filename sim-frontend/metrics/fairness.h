/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Measures how evenly a schedule treats users, and jobs in the order of their submission.
 *
 * Users: the mean bounded slowdown of each user's jobs; the mean and the maximum of these
 * over users, and their Jain index (Jain, Chiu and Hawe 1984), (sum x)^2 / (n sum x^2): 1
 * if all are equal, 1/n if one user has everything.
 *
 * Jobs: the fair start of a job is its start if no later job delays it. Sabin, Kochhar
 * and Sadayappan (2004) determine it by one simulation per job, without later jobs, under
 * the policy to be judged. Here it is the start in one schedule of all jobs by
 * conservative backfilling with exact run times. In that schedule, later jobs do not
 * delay earlier ones either, and it is the same for all policies that are compared. This
 * holds exactly on a machine with equal processors, and approximately on hosts, where a
 * later job may leave gaps in which an earlier one does not fit.
 */
#ifndef LXFW_METRICS_FAIRNESS_H
#define LXFW_METRICS_FAIRNESS_H

#include <stddef.h>
#include <stdint.h>

/* A job that counts. */
struct lxfw_fair_job {
	int32_t user;		/* -1: unknown; such jobs are treated as one user's */
	int64_t wait;		/* seconds */
	int64_t fair_wait;	/* seconds until the fair start */
	double slowdown, bounded_slowdown;
};

struct lxfw_fair_user {
	int32_t user;
	size_t jobs;
	double mean_wait;	/* seconds */
	double mean_slowdown, mean_bounded_slowdown;
};

struct lxfw_fairness {
	struct lxfw_fair_user *users;	/* in ascending order of numbers */
	size_t user_count;
	double users_mean;	/* mean of the users' mean bounded slowdowns */
	int32_t worst;		/* user with the largest of them; the first of equals */
	double worst_mean;
	double jain;
	double late;		/* fraction of jobs that wait longer than until their
				   fair start */
	double mean_miss;	/* mean over all jobs of the wait beyond the fair
				   start, seconds */
	int64_t max_miss;	/* seconds */
};

/* Sorts JOBS by user. Returns 0, or -1 with errno ENOMEM. */
int lxfw_fairness_of(struct lxfw_fairness *fairness, struct lxfw_fair_job *jobs,
		     size_t count);

void lxfw_fairness_clear(struct lxfw_fairness *fairness);

#endif
