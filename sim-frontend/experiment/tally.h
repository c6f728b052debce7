/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The measures of section 4 over the jobs submitted within a month: average, 95th
 * percentile (nearest rank) and maximum wait, average slowdown (time in the system
 * over run time), for all jobs and by actual run time in ranges of a factor of
 * ten, from a minute on.
 */
#ifndef LXFW_EXPERIMENT_TALLY_H
#define LXFW_EXPERIMENT_TALLY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/trace.h"

/* By actual run time. */
enum lxfw_tally_group {
	LXFW_GROUP_ALL,
	LXFW_GROUP_TO_1M,	/* a minute or less: over in the quantum */
	LXFW_GROUP_TO_10M,
	LXFW_GROUP_TO_100M,
	LXFW_GROUP_TO_1000M,
	LXFW_GROUP_LONGEST,
	LXFW_GROUP_OVER_1M,	/* all but those of a minute or less */
	LXFW_GROUPS,
};

enum lxfw_tally_measure {
	LXFW_TALLY_MEAN,	/* wait, hours */
	LXFW_TALLY_P95,
	LXFW_TALLY_MAX,
	LXFW_TALLY_SLOWDOWN,
	LXFW_TALLY_BOUNDED,	/* slowdown, run times below 10 s as 10 s */
	/* of the group of all jobs only */
	LXFW_TALLY_AT_ONCE,	/* share placed at submission for execution */
	LXFW_TALLY_HELD,	/* share of processor time held idle */
	LXFW_TALLY_TOP_GROUPS,	/* of the five ranges of run time, those among
				   the 5 % of jobs with the longest waits */
	LXFW_TALLY_CLASSES,	/* share of the job classes with an average
				   wait from 1 h to 100 h */
	/* of the workload, the same under every policy */
	LXFW_TALLY_PROC_DEMAND,	/* share of the processor time of the machine */
	LXFW_TALLY_LARGE_DEMAND,	/* the same of jobs of the largest size */
	LXFW_TALLY_SHORT_OF_1H,	/* share under a minute of the jobs that ask for
				   more than 1 h */
	LXFW_TALLY_SHORT_OF_10H,
	LXFW_TALLY_MEASURES,
};

/* A measure that says nothing, of too few jobs for instance, is NAN. */
struct lxfw_tally {
	size_t jobs[LXFW_GROUPS];
	double values[LXFW_GROUPS][LXFW_TALLY_MEASURES];
};

struct lxfw_tally_input {
	const struct lxfw_trace *trace;
	const int64_t *waits;		/* by position in the trace's jobs, s */
	const bool *at_once;
	double held;
	int64_t procs;			/* of the machine */
	int64_t from, until;		/* the month */
	bool classes;			/* jobs have the classes of the O2K */
};

/* 0, or -1 with errno ENOMEM. */
int lxfw_tally_make(struct lxfw_tally *tally,
		    const struct lxfw_tally_input *input);

/* The range of run time, GROUP_TO_1M to GROUP_LONGEST, that RUN (s) is in. */
enum lxfw_tally_group lxfw_tally_group(int64_t run);

/* "95th percentile wait" and its unit, "h"; "jobs of 1 to 10 min", "" for all. */
const char *lxfw_tally_measure_name(enum lxfw_tally_measure measure);
const char *lxfw_tally_measure_key(enum lxfw_tally_measure measure);
const char *lxfw_tally_group_name(enum lxfw_tally_group group);
const char *lxfw_tally_group_key(enum lxfw_tally_group group);

#endif
