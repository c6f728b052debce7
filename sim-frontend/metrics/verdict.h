/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict on a simulation: whether decisions may be based on it, as a level and as
 * text. It compares two schedules of the same jobs, the measured and the simulated one,
 * and does not depend on how the simulated one was made.
 *
 * A simulation estimates the effect of a change. A change is worthwhile for gains of
 * about 30 % of the wait or more, so a simulation with an error of at most half of that,
 * 15 %, is good for decisions. The largest possible gains are about 80 %, so a simulation
 * with an error of more than half of those, 40 %, is useless. Subsets of the jobs (a week,
 * a class, the longest twentieth of the waits) have a larger random error, and may differ
 * by twice as much.
 */
#ifndef LXFW_METRICS_VERDICT_H
#define LXFW_METRICS_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/unexplained.h"

enum lxfw_verdict_level {
	LXFW_VERDICT_GOOD,	/* good for decisions */
	LXFW_VERDICT_CARE,	/* usable with care */
	LXFW_VERDICT_NOT,	/* not good for decisions */
	LXFW_VERDICT_NONE,	/* no measurements, no verdict */
};

/* What is wrong with it, at most. */
enum lxfw_verdict_limit {
	LXFW_VERDICT_JOBS_LEAST = 100,	/* fewer: not. A twentieth is 5 jobs */
	LXFW_VERDICT_JOBS_GOOD = 1000,	/* fewer: never good. A twentieth is 50 */
	LXFW_VERDICT_DAYS_GOOD = 20,	/* fewer: never good: not three weeks */
	LXFW_VERDICT_DAYS_LEAST = 3,	/* fewer: not: a weekend is no site's use */
	LXFW_VERDICT_WEEKS_RANKED = 6,	/* fewer: whether weeks move together could
					   be chance */
};

/* A job that started in both, s. */
struct lxfw_verdict_job {
	int64_t submit, run;
	int64_t measured, simulated;	/* waits */
	int32_t procs, queue;		/* queue: -1 = not known */
};

struct lxfw_verdict_input {
	const struct lxfw_verdict_job *jobs;
	size_t count;
	size_t not_started;	/* number of jobs that started in the measured schedule
				   but not in the simulated one */
	double unexplained;	/* share of the measured wait that the simulation does
				   not explain, 0 to 1; negative = unknown */
	bool hosts_named;	/* the log names the hosts of jobs, and the simulated
				   machine is but a number of processors */
	double over_share;	/* share of the time in which jobs held more processors
				   than the machine has, 0 to 1 */
};

#define LXFW_VERDICT_REASONS 10
#define LXFW_VERDICT_TEXT 200

struct lxfw_verdict {
	enum lxfw_verdict_level level;
	/* Sentences, what weighs most first; one at least. */
	char reasons[LXFW_VERDICT_REASONS][LXFW_VERDICT_TEXT];
	int reason_count;
	char next[2 * LXFW_VERDICT_TEXT];	/* what to do, one sentence or two */
	/* the figures behind it */
	double mean, p95;	/* simulated minus measured, as a share of measured */
	double spread;		/* the largest difference between the shares of jobs
				   that waited longer than the same time, 0 to 1 */
	double weeks, sizes, run_times, queues;	/* mean miss of the groups' mean
				   waits, as a share of the measured mean; negative
				   where there are not two groups */
	double together;	/* rank correlation of the weekly means, -1 to 1;
				   2 = not known */
};

/* 0, or -1 with errno ENOMEM. */
int lxfw_verdict_make(struct lxfw_verdict *verdict,
		      const struct lxfw_verdict_input *input);

/* That nothing was measured. */
void lxfw_verdict_none(struct lxfw_verdict *verdict);

/* Of the measured wait, what the log does not explain beyond what the simulated schedule
   has of it too: 0 to 1. */
double lxfw_verdict_unexplained(const struct lxfw_unexplained *measured,
				const struct lxfw_unexplained *simulated);

/* "good", "care", "not", "none"; and "good for decisions" for people. */
const char *lxfw_verdict_key(enum lxfw_verdict_level level);
const char *lxfw_verdict_name(enum lxfw_verdict_level level);

#endif
