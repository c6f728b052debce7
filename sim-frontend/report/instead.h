/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What other parameters would have changed: the jobs of a measured run are simulated
 * twice, under the present scheduler and under the other parameters, and the two
 * simulations are compared. Errors of the simulation that both have cancel out, which a
 * comparison with the measured run would count as an effect of the parameters.
 */
#ifndef LXFW_REPORT_INSTEAD_H
#define LXFW_REPORT_INSTEAD_H

#include <stdio.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/metrics/verdict.h"
#include "sim-frontend/tune/judge.h"
#include "sim-frontend/util/format.h"
#include "sim-frontend/util/output.h"

struct json_object;

#define LXFW_INSTEAD_LARGEST 5

/* If more than one in this many jobs starts in only one simulation, the means of the
   others say nothing about the parameters. */
#define LXFW_INSTEAD_ONLY_MOST 100

enum lxfw_instead_side {
	LXFW_PRESENT,
	LXFW_INSTEAD,
	LXFW_INSTEAD_SIDES,
};

/* Measures whose change is judged. */
enum lxfw_instead_measure {
	LXFW_INSTEAD_WAIT,	/* mean wait */
	LXFW_INSTEAD_SLOWDOWN,	/* mean bounded slowdown */
	LXFW_INSTEAD_MEASURES,
};

struct lxfw_instead_change {
	double now, then;	/* present, instead */
	bool interval;
	double low, high;	/* of the change, as a fraction of the present value;
				   each bound is exceeded with probability
				   LXFW_TUNE_CHANCE. HIGH is INFINITY if the present
				   value is 0 in too many draws. */
	int shown;		/* -1: a decrease is shown, 1: an increase, 0: the
				   difference may be chance, or there is no conclusion */
};

struct lxfw_instead {
	/* Set by the caller. */
	const struct lxfw_recorded *recorded;	/* holds the simulation of the present
						   scheduler */
	const int64_t *starts;	/* under the other parameters, by position in
				   recorded->jobs, or LXFW_UNKNOWN */
	const struct lxfw_verdict *verdict;	/* on the simulation of the present
						   scheduler */
	const char *params;	/* the other parameters, as given */
	int64_t bound;		/* of the bounded slowdown, seconds; 0: the default */

	size_t jobs;		/* that start in both simulations and whose run time
				   is known */
	size_t earlier, later;	/* numbers of those that start earlier or later */
	size_t only[LXFW_INSTEAD_SIDES];	/* number of other jobs with known run
						   times that start on this side only */
	struct lxfw_metrics side[LXFW_INSTEAD_SIDES];
	struct lxfw_instead_change changes[LXFW_INSTEAD_MEASURES];
	int blocks;		/* number of periods in which the simulations are
				   compared; 0: the log is too short */
	int64_t block_length;	/* seconds */
	/* Positions of jobs: the one whose start is the first that differs, -1 if there
	   is none, and those with the largest differences. */
	int64_t parted;
	int64_t largest[LXFW_INSTEAD_LARGEST];
	int largest_count;
};

/* Compares the simulations. Returns 0, or -1 with errno ENOMEM. */
int lxfw_instead_measure(struct lxfw_instead *instead);

/* Return whether the verdict permits a conclusion, which only "good" does, and whether enough jobs
   start in both simulations. The interval of a change has the chance of the log's periods and not the
   error of the simulation: at "usable with care" it seldom contains the true change. */
bool lxfw_instead_credible(const struct lxfw_instead *instead);
bool lxfw_instead_same_jobs(const struct lxfw_instead *instead);

/* Writes the conclusion in one or two sentences to TEXT of SIZE bytes, 400 suffice.
   Returns TEXT. */
const char *lxfw_instead_conclusion(const struct lxfw_instead *instead, char *text,
				    size_t size);

/* Prints a section of the table. */
void lxfw_instead_print(const struct lxfw_instead *instead, FILE *out);

/* Prints lines "key,value", with keys that begin with "instead_". */
void lxfw_instead_pairs(const struct lxfw_instead *instead, FILE *out);

/* Returns NULL with errno ENOMEM. */
struct json_object *lxfw_instead_json(const struct lxfw_instead *instead);

/* Writes a section of a page. Returns 0, or -1 with errno ENOMEM. */
int lxfw_instead_page(const struct lxfw_instead *instead, struct lxfw_output *output);

#endif
