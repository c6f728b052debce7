/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Section 4 of Chiang and Vernon 2001: several months, each simulated under each policy
 * from seven days before the month until all its jobs have ended, with several seeds if
 * the workload is synthetic. All are of one machine.
 */
#ifndef LXFW_EXPERIMENT_EXPERIMENT_H
#define LXFW_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/experiment/contender.h"
#include "sim-frontend/experiment/runner.h"
#include "sim-frontend/experiment/tally.h"
#include "sim-frontend/workload/ncsa_o2k.h"

#define LXFW_SEEDS_MAX 100

/* The week before a month, seconds. */
#define LXFW_MONTH_LEAD INT64_C(604800)

struct lxfw_experiment_month {
	char name[16];			/* "1999-10", or "days 7-37" */
	int number;			/* 0 to 5 for a month of the paper; otherwise
					   -1 */
	int weekday;			/* of its first day, 0: Sunday; -1: unknown */
	int64_t from, until;		/* on the time scale of its traces */
	struct lxfw_trace *traces;	/* one per seed */
};

struct lxfw_experiment {
	const char *workload;		/* "ncsa-o2k", or the name of the log */
	bool synthetic;			/* the six months of the paper */
	struct lxfw_cluster cluster;
	struct lxfw_job_classes *classes;	/* NULL: none */
	bool one_host;			/* jobs run on one host */
	struct lxfw_experiment_month *months;
	size_t months_size;
	int month_count, seeds;
	uint64_t first_seed;
	bool takes_part[LXFW_CONTENDERS];
	size_t too_large;		/* number of jobs left out */

	/* Set by lxfw_experiment_run(), indexed by lxfw_experiment_at(). Runs of
	   contenders that are not selected are empty. */
	struct lxfw_run *runs;
	struct lxfw_tally *tallies;
};

/* Initializes {0} with months of the O2K: those set in MONTHS, bit 0 for October 1999.
   SEEDS is 1 to LXFW_SEEDS_MAX. Returns 0, or -1 with errno and ERROR set. The caller
   clears EXPERIMENT in either case. */
int lxfw_experiment_o2k(struct lxfw_experiment *experiment, unsigned int months,
			enum lxfw_ncsa_o2k_sizes sizes, uint64_t first_seed,
			int seeds, struct lxfw_error *error);

/*
 * Initializes {0} with the calendar months of a log: those which the log covers together
 * with the preceding week, according to UnixStartTime and TimeZone. If these are unknown,
 * or fewer than three months are covered, periods of 30 days after the first week are
 * used; if not even one such period is covered, the rest of the log after the first week.
 * Takes ownership of CLUSTER and copies from TRACE. errno is EINVAL if TRACE is empty.
 */
int lxfw_experiment_log(struct lxfw_experiment *experiment, const char *name,
			const struct lxfw_trace *trace,
			struct lxfw_cluster *cluster, bool one_host,
			struct lxfw_error *error);

/* Executes all runs and computes their measures. Returns 0, or -1 with errno and ERROR
   set. */
int lxfw_experiment_run(struct lxfw_experiment *experiment, int threads,
			void (*progress)(size_t done, size_t all),
			struct lxfw_error *error);

/* Returns the index of a run and of its tally. */
static inline size_t lxfw_experiment_at(const struct lxfw_experiment *experiment,
					int month, int seed,
					enum lxfw_contender contender)
{
	return ((size_t)month * (size_t)experiment->seeds + (size_t)seed) *
	       LXFW_CONTENDERS + (size_t)contender;
}

void lxfw_experiment_clear(struct lxfw_experiment *experiment);

#endif
