/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Estimates of a simulated grid that are learned (history/learned.h): of each job at each
   site that is a machine of the data base, and at all others. */
#ifndef LXFW_GRID_EXPECT_H
#define LXFW_GRID_EXPECT_H

#include "sim-frontend/history/learned.h"

/* {0}: nothing is learned. */
struct lxfw_grid_expect {
	const struct lxfw_learned *learned;
	struct lxfw_estimator estimator;
	int32_t *column;	/* of each site; 0: it is no machine of the data base */
	const int32_t *machines;	/* site of each column from 1 on */
	int32_t columns;
	struct lxfw_expected_run *expected;	/* of a job at a column */
};

/* JOBS is the number of jobs of the trace, SITES that of the sites. MACHINES are the COUNT
   sites that are machines of the data base. Returns 0, or -1 with errno ENOMEM. Release with
   lxfw_grid_expect_end() in both cases. */
int lxfw_grid_expect_begin(struct lxfw_grid_expect *expect, const struct lxfw_learned *learned,
			   size_t jobs, int32_t sites, const int32_t *machines, int32_t count);
void lxfw_grid_expect_end(struct lxfw_grid_expect *expect);

/* Whether the job is estimated and learned. */
bool lxfw_grid_expect_knows(const struct lxfw_grid_expect *expect, size_t position);

/* Estimates a job, which lxfw_grid_expect_knows(), from what is known now. */
void lxfw_grid_expect_submit(struct lxfw_grid_expect *expect, size_t position);

/* Returns what is expected of such a job at SITE; -1: at no site of the data base. */
const struct lxfw_expected_run *lxfw_grid_expect_at(const struct lxfw_grid_expect *expect,
						    size_t position, int32_t site);

/* The job took WORK seconds at the usual speed at SITE. Returns as above. */
int lxfw_grid_expect_learn(struct lxfw_grid_expect *expect, size_t position, int32_t site,
			   double work);

#endif
