/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Section 4 of Chiang and Vernon 2001: months, each simulated from seven days
 * before it until all its jobs are done, under each policy, with several seeds
 * where the workload is a synthetic one. Of one machine.
 */
#ifndef LXFW_EXPERIMENT_EXPERIMENT_H
#define LXFW_EXPERIMENT_EXPERIMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/experiment/contender.h"
#include "sim-frontend/experiment/runner.h"
#include "sim-frontend/experiment/tally.h"

#define LXFW_SEEDS_MAX 100

/* The week before a month, s. */
#define LXFW_MONTH_LEAD INT64_C(604800)

struct lxfw_experiment_month {
	char name[16];			/* "1999-10", or "days 7-37" */
	int number;			/* 0 .. 5 for a month of the paper; -1 */
	int weekday;			/* of its first day, 0 = Sunday; -1 */
	int64_t from, until;		/* in the time of its traces */
	struct lxfw_trace *traces;	/* one a seed */
};

struct lxfw_experiment {
	const char *workload;		/* "ncsa-o2k", or the log's name */
	bool synthetic;			/* the six months of the paper */
	struct lxfw_cluster cluster;
	struct lxfw_job_classes *classes;	/* NULL = it has none */
	bool one_host;			/* the shape of jobs */
	struct lxfw_experiment_month *months;
	size_t months_size;
	int month_count, seeds;
	uint64_t first_seed;
	bool takes_part[LXFW_CONTENDERS];
	size_t too_large;		/* jobs left out */

	/* After lxfw_experiment_run(), by lxfw_experiment_at(). Runs of those who
	   do not take part are empty. */
	struct lxfw_run *runs;
	struct lxfw_tally *tallies;
};

/* Begin {0} with months of the O2K, all that are set in MONTHS, bit 0 for
   October 1999; SEEDS 1 .. LXFW_SEEDS_MAX. 0, or -1 with errno and ERROR set;
   clear it in either case. */
int lxfw_experiment_o2k(struct lxfw_experiment *experiment, unsigned int months,
			uint64_t first_seed, int seeds,
			struct lxfw_error *error);

/*
 * Begin with the calendar months of a log: those that lie in it with the week
 * before them, by its UnixStartTime and TimeZone; where it does not tell,
 * or fewer than three do, spans of 30 days after its first week; where not even one
 * does, what comes after that week. CLUSTER is taken over. TRACE is copied from.
 * EINVAL if it is empty.
 */
int lxfw_experiment_log(struct lxfw_experiment *experiment, const char *name,
			const struct lxfw_trace *trace,
			struct lxfw_cluster *cluster, bool one_host,
			struct lxfw_error *error);

/* Carry out all runs and measure them. 0, or -1 with errno and ERROR set. */
int lxfw_experiment_run(struct lxfw_experiment *experiment, int threads,
			void (*progress)(size_t done, size_t all),
			struct lxfw_error *error);

/* Position of a run and its tally. */
static inline size_t lxfw_experiment_at(const struct lxfw_experiment *experiment,
					int month, int seed,
					enum lxfw_contender contender)
{
	return ((size_t)month * (size_t)experiment->seeds + (size_t)seed) *
	       LXFW_CONTENDERS + (size_t)contender;
}

void lxfw_experiment_clear(struct lxfw_experiment *experiment);

#endif
