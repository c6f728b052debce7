/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How evenly a schedule treats users, and jobs by the order in which they came.
 *
 * Users: the mean bounded slowdown of each one's jobs; the mean of these over users, the
 * worst, and Jain's index (Jain, Chiu and Hawe 1984) of them, (sum x)^2 / (n sum x^2): 1
 * where all are equal, 1/n where one has everything.
 *
 * Jobs: the fair start of a job is its start where no job is put off by one that came
 * later. Sabin, Kochhar and Sadayappan (2004) take it from one simulation a job, without
 * those that come later, under the policy that is judged. Here it is the start in one
 * schedule of the same jobs by conservative backfilling with exact run times: there, too,
 * no job is put off by one that came later, and it is the same for all policies that are
 * compared. On one machine whose processors are all alike that is so without exception; on
 * hosts, where a later job may leave gaps in which an earlier one does not fit, nearly.
 */
#ifndef LXFW_METRICS_FAIRNESS_H
#define LXFW_METRICS_FAIRNESS_H

#include <stddef.h>
#include <stdint.h>

/* A job that counts. */
struct lxfw_fair_job {
	int32_t user;		/* -1: not known, such jobs are one user's */
	int64_t wait;		/* s */
	int64_t fair_wait;	/* s, until the fair start */
	double slowdown, bounded_slowdown;
};

struct lxfw_fair_user {
	int32_t user;
	size_t jobs;
	double mean_wait;	/* s */
	double mean_slowdown, mean_bounded_slowdown;
};

struct lxfw_fairness {
	struct lxfw_fair_user *users;	/* by number, ascending */
	size_t user_count;
	double users_mean;	/* mean of the users' mean bounded slowdowns */
	int32_t worst;		/* who has the largest of them; of equals the first */
	double worst_mean;
	double jain;
	double late;		/* share of jobs that wait longer than is fair */
	double mean_miss;	/* s of the wait of all jobs beyond what is fair, mean */
	int64_t max_miss;	/* s */
};

/* Sorts JOBS by user. 0, or -1 with errno ENOMEM. */
int lxfw_fairness_of(struct lxfw_fairness *fairness, struct lxfw_fair_job *jobs,
		     size_t count);

void lxfw_fairness_clear(struct lxfw_fairness *fairness);

#endif
