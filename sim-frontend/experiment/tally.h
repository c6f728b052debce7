/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measures of section 4 over the jobs submitted within a month: mean, 95th percentile
 * (nearest rank) and maximum wait, and mean slowdown (response time divided by run time),
 * for all jobs and by actual run time in ranges of a factor of ten from one minute on.
 */
#ifndef LXFW_EXPERIMENT_TALLY_H
#define LXFW_EXPERIMENT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"

/* Groups by actual run time. */
enum lxfw_tally_group {
	LXFW_GROUP_ALL,
	LXFW_GROUP_TO_1M,	/* one minute or less: completes in the quantum */
	LXFW_GROUP_TO_10M,
	LXFW_GROUP_TO_100M,
	LXFW_GROUP_TO_1000M,
	LXFW_GROUP_LONGEST,
	LXFW_GROUP_OVER_1M,	/* more than one minute */
	LXFW_GROUPS,
};

enum lxfw_tally_measure {
	LXFW_TALLY_MEAN,	/* wait, hours */
	LXFW_TALLY_P95,
	LXFW_TALLY_MAX,
	LXFW_TALLY_SLOWDOWN,
	LXFW_TALLY_BOUNDED,	/* slowdown with run times below 10 s replaced by 10 s */
	/* The following are for the group of all jobs only. */
	LXFW_TALLY_AT_ONCE,	/* fraction of jobs placed for execution at submission */
	LXFW_TALLY_HELD,	/* fraction of processor time kept idle */
	LXFW_TALLY_TOP_GROUPS,	/* number of the five ranges of run time that occur
				   among the 5 % of jobs with the longest waits */
	LXFW_TALLY_CLASSES,	/* fraction of the job classes with a mean wait from 1
				   h to 100 h */
	/* The following are properties of the workload, the same under every policy. */
	LXFW_TALLY_PROC_DEMAND,	/* fraction of the processor time of the machine */
	LXFW_TALLY_LARGE_DEMAND,	/* fraction of it by jobs of the largest size */
	LXFW_TALLY_SHORT_OF_1H,	/* fraction of the jobs requesting more than 1 h that
				   run for less than a minute */
	LXFW_TALLY_SHORT_OF_10H,
	LXFW_TALLY_MEASURES,
};

/* A measure that is undefined, for example with too few jobs, is NAN. */
struct lxfw_tally {
	size_t jobs[LXFW_GROUPS];
	double values[LXFW_GROUPS][LXFW_TALLY_MEASURES];
};

struct lxfw_tally_input {
	const struct lxfw_trace *trace;
	const int64_t *waits;		/* by index of the trace's jobs, seconds */
	const bool *at_once;
	double held;
	int64_t procs;			/* of the machine */
	int64_t from, until;		/* the month */
	bool classes;			/* jobs have the classes of the O2K */
};

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_tally_make(struct lxfw_tally *tally,
		    const struct lxfw_tally_input *input);

/* Returns the range of run time of RUN (seconds), GROUP_TO_1M to GROUP_LONGEST. */
enum lxfw_tally_group lxfw_tally_group(int64_t run);

/* Return "95th percentile wait" and its unit, "h"; and "jobs of 1 to 10 min", "" for
   all jobs. */
const char *lxfw_tally_measure_name(enum lxfw_tally_measure measure);
const char *lxfw_tally_measure_key(enum lxfw_tally_measure measure);
const char *lxfw_tally_group_name(enum lxfw_tally_group group);
const char *lxfw_tally_group_key(enum lxfw_tally_group group);

#endif
