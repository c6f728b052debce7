/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long jobs run, learned from earlier jobs.
 *
 * A job that ends is kept as the ratio of its run time to its requested time in groups,
 * from fine to coarse:
 *
 *   1  same user, account, partition, processors and requested time
 *   2  same user and requested time
 *   3  same user
 *   4  same partition and processors, up to the next power of two, and requested time
 *   5  all jobs
 *
 * A group keeps its last LXFW_EXPERIENCE_KEPT jobs. A run time is drawn from the finest
 * group with a probability that grows with the number N of its jobs, N / (N + 1), otherwise
 * from the next coarser one in the same way. Recent jobs of a group are drawn more often.
 * Of a job that runs already, only run times longer than that count. If there are none in
 * any group, the run time is uniform up to the requested time, or distributed by a SHAPE if
 * nothing is known of all jobs. A job without a limit may need minutes or months: what its limit
 * is would say nothing, so that only run times of jobs without a limit count (groups 1, 2, 4), and
 * if there are none each order of magnitude is as likely.
 */
#ifndef LXFW_HISTORY_EXPERIENCE_H
#define LXFW_HISTORY_EXPERIENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/id_map.h"
#include "sim-frontend/util/random.h"

/* A requested time of this number of seconds or more stands for none: Slurm plans with a year then. */
#define LXFW_EXPERIENCE_LIMITLESS (365 * 86400)

#define LXFW_EXPERIENCE_KEPT 32
#define LXFW_EXPERIENCE_LEVELS 5
#define LXFW_EXPERIENCE_USER 3	/* of them, the groups of a user, which are the first ones */

/* What is known of a job when it is submitted. -1: unknown. */
struct lxfw_traits {
	int64_t user, account, partition;
	int64_t limit;		/* requested time in seconds, 1 or more */
	int32_t procs;
};

struct lxfw_experience_group {
	float ratios[LXFW_EXPERIENCE_KEPT];	/* ring, the next one overwrites NEXT */
	int32_t count, next;
	int32_t learned;	/* all of them, also those that were overwritten */
};

/* {0} is empty. */
struct lxfw_experience {
	struct lxfw_id_map by_key;
	struct lxfw_experience_group *groups;
	size_t count, size;
	size_t jobs;		/* number of jobs learned */
};

void lxfw_experience_clear(struct lxfw_experience *experience);

/* A job has ended after RUN seconds. Returns 0, or -1 with errno ENOMEM. */
int lxfw_experience_learn(struct lxfw_experience *experience,
			  const struct lxfw_traits *traits, int64_t run);

/* The same for a job of one user of many, whose jobs say nothing of those of others: in the groups of
   the user only. */
int lxfw_experience_learn_own(struct lxfw_experience *experience,
			      const struct lxfw_traits *traits, int64_t run);

/* Whether anything is known of all jobs. */
bool lxfw_experience_of_all(const struct lxfw_experience *experience);

/* Returns a run time in seconds, longer than ELAPSED and at least 1. ELAPSED is 0 for a job
   that has not started. Without lxfw_experience_of_all(), jobs in no group need more than a share X of
   their requested times with probability (1 - X)^SHAPE. */
int64_t lxfw_experience_draw(const struct lxfw_experience *experience,
			     const struct lxfw_traits *traits, int64_t elapsed, double shape,
			     struct lxfw_random *random);

/* The number of a user, an account or a partition that has a name: the same in every process,
   0 or more. */
int64_t lxfw_trait_of_name(const char *name, size_t length);

/* A number that is equal for jobs of the same finest group. */
uint64_t lxfw_experience_key(const struct lxfw_traits *traits);

/* --- for estimates.h ---------------------------------------------------------------- */

/* Returns the key of the group of a job at LEVEL, 0 (the finest) to
   LXFW_EXPERIENCE_LEVELS - 1, or 0 if the job is in no group of that level. */
uint64_t lxfw_experience_group_key(const struct lxfw_traits *traits, int level);

/* Returns a key that depends on VALUE, too. */
uint64_t lxfw_experience_mix(uint64_t key, int64_t value);

/* Adds a ratio to the group of KEY, which is not 0. Returns 0, or -1 with errno ENOMEM. */
int lxfw_experience_add(struct lxfw_experience *experience, uint64_t key, double ratio);

/* Returns the group, or NULL: there is none, or KEY is 0. Valid until the next change. */
const struct lxfw_experience_group *
lxfw_experience_find(const struct lxfw_experience *experience, uint64_t key);

/* Returns 0, or -1 with errno ENOMEM and *TO empty. */
int lxfw_experience_copy(struct lxfw_experience *to, const struct lxfw_experience *from);

#endif
