/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/contest.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "sim-frontend/metrics/resample.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/text.h"

/* Index of the first of the sorted draws within the 95 % interval. */
#define LOW_RANK (LXFW_DRAWS * 25 / 1000)

/* --- simulations ------------------------------------------------------------------ */

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* Adds the name of the contestant to an error message. */
static int name_it(const struct lxfw_contest *contest,
		   const struct lxfw_contestant *contestant,
		   struct lxfw_error *error)
{
	struct lxfw_error reason = *error;
	int number = errno;

	/* an error in a policy file already names the file */
	if (contest->count > 1 && number != ENOEXEC)
		lxfw_error_format(error, "%s: %s", contestant->name, reason.text);
	errno = number;
	return -1;
}

static int run_log(struct lxfw_contest *contest, struct lxfw_contestant *contestant,
		   struct lxfw_error *error)
{
	struct lxfw_simulation *sim = &contestant->sim;

	*sim = (struct lxfw_simulation) {
		.trace = contest->trace, .cluster = contest->cluster,
		.options = &contestant->options, .classes = contestant->classes,
	};
	if (contest->count == 1 && contest->copies == 0 && !contest->want_fairness)
		sim->progress = contest->progress;
	if (contest->want_series) {
		sim->observe = lxfw_series_see;
		sim->observer = &contestant->series;
	}
	if (lxfw_simulation_run(sim, contestant->journal, error))
		return name_it(contest, contestant, error);
	if (lxfw_simulation_measure_counting(sim, &contest->counting,
					     &contestant->metrics) ||
	    (contestant->options.mixed &&
	     lxfw_simulation_measure_kinds(sim, &contest->counting,
					   contestant->kinds)) ||
	    (contestant->options.learned &&
	     lxfw_simulation_accuracy(sim, &contest->counting, &contestant->accuracy)))
		return out_of_memory(error);
	return 0;
}

static int run_copy(struct lxfw_contest *contest, struct lxfw_contestant *contestant,
		    size_t copy, struct lxfw_error *error)
{
	struct lxfw_simulation_options options = contestant->options;
	struct lxfw_simulation sim = {
		.cluster = contest->cluster, .options = &options,
		.classes = contestant->classes,
	};
	struct lxfw_trace trace;
	int result = 0;

	options.keep_hosts = false;
	if (lxfw_shake_copy(&contest->shake, contest->trace, copy + 1, &trace))
		return out_of_memory(error);
	sim.trace = &trace;
	if (lxfw_simulation_run(&sim, NULL, error))
		result = name_it(contest, contestant, error);
	else if (lxfw_simulation_measure_counting(&sim, &contest->counting,
						  &contestant->copies[copy]))
		result = out_of_memory(error);
	lxfw_simulation_clear(&sim);
	lxfw_trace_clear(&trace);
	return result;
}

/*
 * Simulates conservative backfilling with the exact times for which jobs hold their
 * processors: the system overhead is part of the run time.
 */
static int run_fair(struct lxfw_contest *contest, struct lxfw_error *error)
{
	const struct lxfw_simulation_options *of = &contest->contestants[0].options;
	struct lxfw_simulation_options options = {
		.one_host = lxfw_simulation_one_host(of), .pass = of->pass,
	};
	const struct lxfw_shake none = { 0 };
	struct lxfw_trace trace;
	struct lxfw_simulation sim = {
		.trace = &trace, .cluster = contest->cluster, .options = &options,
	};
	int result;

	lxfw_params_preset(&options.params,
			   lxfw_policy_with(LXFW_TRAIT_RESERVES_ALL));
	if (lxfw_shake_copy(&none, contest->trace, 0, &trace))
		return out_of_memory(error);
	for (size_t i = 0; i < trace.count; i++) {
		struct lxfw_trace_job *job = &trace.jobs[i];

		job->run = lxfw_simulation_run_time(of, job) +
			   of->start_overhead + of->end_overhead;
		job->limit = job->run;
	}
	result = lxfw_simulation_run(&sim, NULL, error);
	if (result == 0) {
		contest->fair_starts = sim.starts;
		sim.starts = NULL;
		for (size_t i = 0; i < trace.count; i++)
			contest->fair_starts[i] += of->start_overhead;
	}
	lxfw_simulation_clear(&sim);
	lxfw_trace_clear(&trace);
	return result;
}

/* Tasks: the log under each contestant, the fair schedule, then each copy under each. */
static int work(void *context, size_t task, struct lxfw_error *error)
{
	struct lxfw_contest *contest = context;
	size_t fair = contest->want_fairness ? 1 : 0;

	if (task < contest->count)
		return run_log(contest, &contest->contestants[task], error);
	task -= contest->count;
	if (task < fair)
		return run_fair(contest, error);
	task -= fair;
	return run_copy(contest, &contest->contestants[task % contest->count],
			task / contest->count, error);
}

static size_t tasks_of(const struct lxfw_contest *contest)
{
	return contest->count * (1 + contest->copies) +
	       (contest->want_fairness ? 1 : 0);
}

static void over(void *context, size_t task)
{
	struct lxfw_contest *contest = context;

	(void)task;
	contest->jobs_done += contest->trace->count;
	if (contest->progress)
		contest->progress(contest->jobs_done,
				  contest->trace->count * tasks_of(contest));
}

/* --- fairness --------------------------------------------------------------------- */

static void fair_job(const struct lxfw_contest *contest,
		     const struct lxfw_simulation *sim, size_t i,
		     struct lxfw_fair_job *job)
{
	const struct lxfw_outcome outcome = lxfw_simulation_outcome(sim, i);
	int64_t response = outcome.end - outcome.submit;
	int64_t bound = contest->counting.bound;

	*job = (struct lxfw_fair_job) {
		.user = sim->trace->owners ? sim->trace->owners[i].user : -1,
		.wait = response - outcome.run,
		.fair_wait = contest->fair_starts[i] - outcome.submit,
		.slowdown = (double)response / (double)outcome.run,
		.bounded_slowdown = lxfw_bounded_slowdown(response, outcome.run,
			bound > 0 ? bound : LXFW_SLOWDOWN_BOUND),
	};
}

static int judge(const struct lxfw_contest *contest,
		 struct lxfw_contestant *contestant)
{
	const struct lxfw_trace *trace = contest->trace;
	struct lxfw_fair_job *jobs = malloc((trace->count + 1) * sizeof(*jobs));
	int64_t begin, until;
	size_t count = 0;
	int result;

	if (!jobs)
		return -1;
	lxfw_counting_window(&contest->counting, trace, &begin, &until);
	for (size_t i = 0; i < trace->count; i++) {
		if (trace->jobs[i].submit >= begin &&
		    trace->jobs[i].submit <= until)
			fair_job(contest, &contestant->sim, i, &jobs[count++]);
	}
	result = lxfw_fairness_of(&contestant->fairness, jobs, count);
	free(jobs);
	return result;
}

/* --- weeks ------------------------------------------------------------------------ */

/* Determines the number of whole periods from the first counted submission. A
   remainder of less than half a period belongs to the last one. */
static int number_of_weeks(const struct lxfw_contest *contest, int64_t *begin)
{
	const struct lxfw_trace *trace = contest->trace;
	int64_t until, left, weeks;

	lxfw_counting_window(&contest->counting, trace, begin, &until);
	if (trace->count == 0)
		return 0;
	if (until == INT64_MAX)
		until = trace->jobs[lxfw_trace_at(trace, trace->count - 1)].submit;
	left = until - *begin;
	if (left < 0)
		return 0;
	weeks = left / contest->period +
		(left % contest->period >= (contest->period + 1) / 2);
	return weeks > INT32_MAX ? INT32_MAX : (int)weeks;
}

struct paired {
	int32_t *clusters;
	struct lxfw_outcome *sides[2];
	size_t count;
};

static int pair(const struct lxfw_contest *contest, size_t who, struct paired *paired)
{
	const struct lxfw_trace *trace = contest->trace;
	int64_t begin, until;
	size_t size = trace->count + 1;

	*paired = (struct paired) {
		.clusters = malloc(size * sizeof(*paired->clusters)),
		.sides = {
			malloc(size * sizeof(**paired->sides)),
			malloc(size * sizeof(**paired->sides)),
		},
	};
	if (!paired->clusters || !paired->sides[0] || !paired->sides[1])
		return -1;
	lxfw_counting_window(&contest->counting, trace, &begin, &until);
	for (size_t i = 0; i < trace->count; i++) {
		int64_t submit = trace->jobs[i].submit, week;
		size_t at = paired->count;

		if (submit < begin || submit > until)
			continue;
		week = (submit - begin) / contest->period;
		paired->clusters[at] = (int32_t)(week < contest->weeks ? week :
						 contest->weeks - 1);
		paired->sides[0][at] = lxfw_simulation_outcome(
			&contest->contestants[0].sim, i);
		paired->sides[1][at] = lxfw_simulation_outcome(
			&contest->contestants[who].sim, i);
		paired->count++;
	}
	return 0;
}

/* Returns the change of the measure over the whole log. */
static double change_of(const struct lxfw_contest *contest, size_t who,
			enum lxfw_tune_measure measure)
{
	return lxfw_tune_value(&contest->contestants[who].metrics, measure) /
	       lxfw_tune_value(&contest->contestants[0].metrics, measure) - 1;
}

int lxfw_contest_interval(const struct lxfw_contest *contest, size_t who,
			  enum lxfw_tune_measure measure, double *low, double *high)
{
	struct paired paired;
	double *draws;
	int result = -1;

	if (contest->weeks < LXFW_CONTEST_PERIODS || measure == LXFW_TUNE_MAX_WAIT)
		return 1;
	draws = malloc(LXFW_DRAWS * sizeof(*draws));
	if (pair(contest, who, &paired) == 0 && draws) {
		const struct lxfw_sample sample = {
			.clusters = paired.clusters, .count = paired.count,
			.cluster_count = contest->weeks,
			.seed = contest->shake.seed,
			.bound = contest->counting.bound,
		};

		result = lxfw_resample(&sample, measure, paired.sides[0],
				       paired.sides[1], draws);
	}
	if (result == 0) {
		double whole = change_of(contest, who, measure);

		*low = lxfw_resample_widen(draws[LOW_RANK], whole, contest->weeks,
					   LXFW_INTERVAL_95);
		*high = lxfw_resample_widen(draws[LXFW_DRAWS - LOW_RANK - 1], whole,
					    contest->weeks, LXFW_INTERVAL_95);
		/* the first contestant's value is 0 in some draws: the interval is
		   unbounded */
		result = !isfinite(*low) || !isfinite(*high);
	}
	free(draws);
	free(paired.clusters);
	free(paired.sides[0]);
	free(paired.sides[1]);
	return result;
}

/* --- the run ---------------------------------------------------------------------- */

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

struct lxfw_contest_range lxfw_contest_range_of(double *values, size_t count)
{
	size_t least = (count * 25 + 999) / 1000, most = (count * 975 + 999) / 1000;
	struct lxfw_contest_range range = { 0 };

	qsort(values, count, sizeof(*values), by_value);
	for (size_t i = 0; i < count; i++)
		range.mean += values[i];
	range.mean /= (double)count;
	range.low = values[least - 1];
	range.high = values[most - 1];
	return range;
}

static int begin(struct lxfw_contest *contest)
{
	int64_t first;

	for (size_t i = 0; i < contest->count; i++) {
		struct lxfw_contestant *contestant = &contest->contestants[i];

		contestant->copies = calloc(contest->copies + 1,
					    sizeof(*contestant->copies));
		if (!contestant->copies)
			return -1;
	}
	contest->jobs_done = 0;
	contest->weeks = number_of_weeks(contest, &first);
	return 0;
}

int lxfw_contest_run(struct lxfw_contest *contest, struct lxfw_error *error)
{
	const struct lxfw_pool pool = {
		.context = contest, .count = tasks_of(contest),
		.threads = contest->threads, .work = work, .over = over,
	};

	if (begin(contest))
		return out_of_memory(error);
	/* a single simulation reports progress itself */
	if (pool.count == 1 ? work(contest, 0, error) :
			      lxfw_pool_carry_out(&pool, error))
		return -1;
	for (size_t i = 0; i < contest->count; i++) {
		if (contest->want_fairness &&
		    judge(contest, &contest->contestants[i]))
			return out_of_memory(error);
	}
	return 0;
}

bool lxfw_contest_counts_priority(const struct lxfw_contest *contest)
{
	for (size_t i = 0; i < contest->count; i++) {
		if (lxfw_engine_counts_priority(&contest->contestants[i].options.params))
			return true;
	}
	return false;
}

void lxfw_contest_clear(struct lxfw_contest *contest)
{
	for (size_t i = 0; i < contest->count; i++) {
		struct lxfw_contestant *contestant = &contest->contestants[i];

		lxfw_simulation_clear(&contestant->sim);
		lxfw_series_clear(&contestant->series);
		lxfw_fairness_clear(&contestant->fairness);
		free(contestant->copies);
		contestant->copies = NULL;
	}
	free(contest->fair_starts);
	contest->fair_starts = NULL;
}
