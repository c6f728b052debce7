/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulations of perturbed copies of a recorded run (trace/shake.h). A schedule is chaotic:
 * one job that arrives a second later may change all later starts. The copies show how much
 * of a simulated mean wait is chance.
 */
#ifndef LXFW_ENGINE_RECORDED_SHAKE_H
#define LXFW_ENGINE_RECORDED_SHAKE_H

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/trace/shake.h"

/* Fewest and most copies. */
#define LXFW_SHAKEN_LEAST 2
#define LXFW_SHAKEN_MOST 200

/* The copies of one run. */
struct lxfw_shaken {
	int count;		/* 0: there are none */
	double means[LXFW_SHAKEN_MOST];	/* simulated mean waits in seconds */
};

/* A range that contains 95 % of values by nearest rank; with fewer than 40, all. It is not a
   confidence interval: it does not become narrower with more values. */
struct lxfw_shaken_range {
	int copies;		/* 0: there is none */
	double low, high;
};

/* Adds VALUE to the range: what the log itself gives is not beyond it. */
void lxfw_shaken_include(struct lxfw_shaken_range *range, double value);

/* Sets *RANGE to that of the values, which are sorted. COUNT may be 0. */
void lxfw_shaken_range_of(double *values, int count, struct lxfw_shaken_range *range);

/* Looks at a copy after its simulation. WAITS are the simulated waits in seconds of the jobs of
   the run, in their order; LXFW_UNKNOWN: not in both runs. Returns 0, or -1 with errno ENOMEM. */
struct lxfw_shaken_look {
	int (*look)(void *context, const struct lxfw_recorded *copy, const int64_t *waits);
	void *context;
};

/* The usual number of copies: 20, fewer for a run of more than 25,000 jobs, at least 5. */
int lxfw_shaken_default(size_t jobs);

/*
 * Simulates the first COPIES copies of the run as lxfw_recorded_simulate() does, 0 to
 * LXFW_SHAKEN_MOST. A job keeps its time in the system besides its run time. Neither the
 * jobs nor their `simulated` change. LOOK, if not NULL, is called for each copy. Returns 0, or -1
 * with errno and ERROR set.
 */
int lxfw_recorded_shake(const struct lxfw_recorded *recorded,
			const struct lxfw_params *params,
			const struct lxfw_overhead *overhead, int copies,
			const struct lxfw_shaken_look *look, struct lxfw_shaken *shaken,
			struct lxfw_error *error);

/* Sets *RANGE to that of the means, or of the differences between two simulations of the
   same copies, SHAKEN minus OTHER. */
void lxfw_shaken_range(const struct lxfw_shaken *shaken, struct lxfw_shaken_range *range);
void lxfw_shaken_change(const struct lxfw_shaken *shaken, const struct lxfw_shaken *other,
			struct lxfw_shaken_range *range);

#endif
