/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verdict on a simulation: whether decisions may be based on it, as a level and as
 * text. The measured and the simulated schedule of the same jobs are compared. How the
 * simulated schedule was made does not matter.
 *
 * A simulation estimates the effect of a change. A change is worthwhile for gains of
 * about 30 % of the wait or more, so a simulation with an error of at most half of that,
 * 15 %, is good for decisions. The largest possible gains are about 80 %, so a simulation
 * with an error of more than half of those, 40 %, is useless. Subsets of the jobs (a
 * week, a class, the longest twentieth of the waits) have a larger random error, and may
 * differ by twice as much. If noise in the log moves the simulated mean by as much, gains of that
 * size cannot be seen, so the simulation is at most usable with care.
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

/* Limits of the amount of data. */
enum lxfw_verdict_limit {
	LXFW_VERDICT_JOBS_LEAST = 100,	/* minimum number of jobs for any use; a
					   twentieth is 5 jobs */
	LXFW_VERDICT_JOBS_GOOD = 1000,	/* minimum for "good"; a twentieth is 50 jobs */
	LXFW_VERDICT_DAYS_GOOD = 20,	/* minimum number of days for "good", almost
					   three weeks */
	LXFW_VERDICT_DAYS_LEAST = 3,	/* minimum number of days for any use, more
					   than a weekend */
	LXFW_VERDICT_WEEKS_RANKED = 6,	/* minimum number of weeks for a correlation
					   between weeks */
};

/* A job that started in both schedules. Times are in seconds. */
struct lxfw_verdict_job {
	int64_t submit, run;
	int64_t measured, simulated;	/* waits */
	int32_t procs, queue;		/* queue: -1: unknown */
};

/* What the user has given, so that it is not recommended again. */
enum lxfw_given {
	LXFW_GIVEN_MACHINE = 1,		/* hosts and partitions, or a journal's */
	LXFW_GIVEN_POLICY = 2,
	LXFW_GIVEN_OUTAGES = 4,
	LXFW_GIVEN_INFERENCE = 8,	/* held jobs and limits are inferred */
	LXFW_GIVEN_RESERVATIONS = 16,
	LXFW_GIVEN_SIZE = 32,		/* the number of processors, or the machine */
};

/*
 * Simulated figures in the log and in copies of it with a little noise. A difference from the
 * measured run counts only beyond these: the rest may be chance.
 */
struct lxfw_verdict_noise {
	int copies;		/* 0: there are none, and nothing below is used */
	double low, high;	/* of the mean wait, seconds */
	double p95_low, p95_high;	/* of the 95th percentile */
	/* The mean difference of the groups' mean waits as in struct lxfw_verdict; that of a
	   group whose measured mean is in its range is 0. */
	double weeks, sizes, run_times, queues;
};

struct lxfw_verdict_input {
	const struct lxfw_verdict_job *jobs;
	size_t count;
	size_t not_started;	/* number of jobs that started only in the measured
				   schedule */
	double unexplained;	/* fraction of the measured wait that the log does not
				   explain, 0 to 1; negative: unknown */
	double unexplained_more;	/* the part of it that the simulated schedule does not
					   have */
	unsigned given;		/* LXFW_GIVEN_... */
	bool hosts_named;	/* the log names the hosts of jobs, but the simulated
				   machine has only a number of processors */
	bool gpus_hidden;	/* hosts have GPUs, but no job of the log has any */
	int64_t procs, most_held;	/* of the machine, and the most that jobs held */
	double level_share;	/* fraction of the days on which processors were unused
				   although waiting jobs would have fitted, 0 to 1 */
	double over_share;	/* fraction of the time in which jobs held more
				   processors than the machine has, 0 to 1 */
	struct lxfw_verdict_noise noise;
};

#define LXFW_VERDICT_REASONS 10
#define LXFW_VERDICT_TEXT 200

struct lxfw_verdict {
	enum lxfw_verdict_level level;
	/* Sentences in descending order of importance, at least one. */
	char reasons[LXFW_VERDICT_REASONS][LXFW_VERDICT_TEXT];
	int reason_count;
	char next[2 * LXFW_VERDICT_TEXT];	/* recommended next step, one or two
						   sentences */
	/* The figures on which the verdict is based, including what may be chance. */
	double mean, p95;	/* simulated minus measured, as a fraction of measured */
	double spread;		/* largest difference between the fractions of jobs
				   that waited longer than a given time, 0 to 1 */
	double weeks, sizes, run_times, queues;	/* mean difference of the groups' mean
						   waits, as a fraction of the measured
						   mean; negative if there are fewer
						   than two groups */
	double together;	/* rank correlation of the weekly means, -1 to 1; 2:
				   unknown */
};

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_verdict_make(struct lxfw_verdict *verdict,
		      const struct lxfw_verdict_input *input);

/* Makes a verdict without measurements. */
void lxfw_verdict_none(struct lxfw_verdict *verdict);

/* Returns the fraction of the measured wait, 0 to 1, that the log does not explain and
   that the simulated schedule does not have. */
double lxfw_verdict_unexplained(const struct lxfw_unexplained *measured,
				const struct lxfw_unexplained *simulated);

/* Return "good", "care", "not" or "none", and "good for decisions" for display. */
const char *lxfw_verdict_key(enum lxfw_verdict_level level);
const char *lxfw_verdict_name(enum lxfw_verdict_level level);

#endif
