/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/experiment/collins.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim-frontend/grid/run.h"
#include "sim-frontend/util/pool.h"
#include "sim-frontend/util/random.h"

/* Streams of random numbers. */
enum { STREAM_KINDS = 1, STREAM_PRIORITIES, STREAM_ARRIVALS };

/* Tasks in the order of their numbers; all but the first ones for each seed. */
enum { LIGHT_TASKS = LXFW_C_LIGHT * LXFW_C_BROKERS,
       PLAN_TASKS = LXFW_C_SHARES * LXFW_C_PLANS,
       PRIORITY_TASKS = LXFW_C_MIXES * LXFW_C_COUNTS * 2,
       ARRIVAL_TASKS = LXFW_C_MIXES * LXFW_C_RATES,
       SEED_TASKS = PLAN_TASKS + PRIORITY_TASKS + ARRIVAL_TASKS };

static const int high[LXFW_C_MIXES] = { 10, 25, 50, 0 };	/* per cent */
static const int medium[LXFW_C_MIXES] = { 10, 25, 25, 100 };

struct plan {
	struct lxfw_collins *of;
	struct lxfw_sites sites;
	struct lxfw_grid_times times;
	void (*progress)(size_t done, size_t all);
	size_t done, all;
};

/* A workload: jobs with kinds and priorities. */
struct load {
	struct lxfw_trace trace;
	int32_t *homes, *kinds, *priorities;
};

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

/* --- workloads -------------------------------------------------------------------------- */

static int begin_load(struct load *load, size_t count)
{
	*load = (struct load){
		.trace.jobs = calloc(count, sizeof(*load->trace.jobs)),
		.trace.count = count, .trace.size = count,
		.homes = calloc(count, sizeof(int32_t)),
		.kinds = calloc(count, sizeof(int32_t)),
		.priorities = calloc(count, sizeof(int32_t)),
	};
	if (!load->trace.jobs || !load->homes || !load->kinds || !load->priorities)
		return -1;
	for (size_t i = 0; i < count; i++) {
		load->trace.jobs[i] = (struct lxfw_trace_job){
			.number = (int64_t)i + 1, .run = 1, .limit = 1, .wait = -1,
			.used_memory_kb = -1, .procs = 1,
		};
		load->kinds[i] = (int32_t)(i % LXFW_C_KINDS);
		load->priorities[i] = LXFW_GRID_MEDIUM;
	}
	return 0;
}

static void clear_load(struct load *load)
{
	lxfw_trace_clear(&load->trace);
	free(load->homes);
	free(load->kinds);
	free(load->priorities);
}

static void shuffle(int32_t *list, size_t count, struct lxfw_random *random)
{
	for (size_t i = count; i > 1; i--) {
		size_t at = (size_t)lxfw_random_below(random, i);
		int32_t kept = list[i - 1];

		list[i - 1] = list[at];
		list[at] = kept;
	}
}

static int32_t level_of(int mix, int percentile)
{
	if (percentile < high[mix])
		return LXFW_GRID_HIGH;
	return percentile < high[mix] + medium[mix] ? LXFW_GRID_MEDIUM : LXFW_GRID_LOW;
}

/* Exact shares of the priorities and, up to one job, of the kinds, in random order. */
static void mix_up(struct load *load, int mix, uint64_t seed)
{
	size_t count = load->trace.count;
	struct lxfw_random random;

	lxfw_random_seed(&random, seed, STREAM_KINDS);
	shuffle(load->kinds, count, &random);
	for (size_t i = 0; i < count; i++)
		load->priorities[i] = level_of(mix, (int)(i * 100 / count));
	lxfw_random_seed(&random, seed, STREAM_PRIORITIES);
	shuffle(load->priorities, count, &random);
}

/* Kinds and priorities are drawn; the jobs are the same at all rates and mixes, but for
   their times and priorities. */
static void draw_arrivals(struct load *load, int mix, int rate, uint64_t seed)
{
	struct lxfw_random kinds, priorities, arrivals;
	double time = 0;

	lxfw_random_seed(&kinds, seed, STREAM_KINDS);
	lxfw_random_seed(&priorities, seed, STREAM_PRIORITIES);
	lxfw_random_seed(&arrivals, seed, STREAM_ARRIVALS);
	for (size_t i = 0; i < load->trace.count; i++) {
		load->kinds[i] = (int32_t)lxfw_random_below(&kinds, LXFW_C_KINDS);
		load->priorities[i] = level_of(mix, (int)lxfw_random_below(&priorities, 100));
		time -= lxfw_random_log(lxfw_random_uniform(&arrivals)) * LXFW_C_QUANTUM / rate;
		load->trace.jobs[i].submit = (int64_t)floor(time);
	}
}

/* --- a simulation ------------------------------------------------------------------------ */

static const char *const brokers[LXFW_C_BROKERS] = { "olb", "sjs", "pjs" };

static int simulate(const struct plan *plan, const struct load *load, int broker,
		    struct lxfw_grid_run *run, struct lxfw_error *error)
{
	static const struct lxfw_simulation_options options = { 0 };
	struct lxfw_grid_history history = { 0 };
	int failed;

	*run = (struct lxfw_grid_run){
		.trace = &load->trace, .homes = load->homes, .sites = &plan->sites,
		.broker = lxfw_broker_find(brokers[broker], strlen(brokers[broker])),
		.params = { .quantum = LXFW_C_QUANTUM, .preemptions = INT32_MAX },
		.kinds = load->kinds, .priorities = load->priorities, .times = &plan->times,
		.history = &history, .options = &options,
	};
	if (lxfw_grid_times_tell(&plan->times, &history))
		failed = out_of_memory(error);
	else
		failed = lxfw_grid_simulate(run, error);
	lxfw_grid_history_clear(&history);
	run->history = NULL;
	return failed;
}

/* Sums of job times by level. */
static void sum_times(const struct load *load, const struct lxfw_grid_run *run,
		      double sums[LXFW_C_LEVELS])
{
	memset(sums, 0, LXFW_C_LEVELS * sizeof(*sums));
	for (size_t i = 0; i < load->trace.count; i++) {
		double time = (double)(run->ends[i] - load->trace.jobs[i].submit);

		sums[load->priorities[i]] += time;
		sums[LXFW_C_ALL] += time;
	}
}

static int run_light(struct plan *plan, size_t number, struct lxfw_error *error)
{
	size_t at = number / LXFW_C_BROKERS, broker = number % LXFW_C_BROKERS;
	double sums[LXFW_C_LEVELS];
	struct lxfw_grid_run run = { 0 };
	struct load load;
	int failed = begin_load(&load, 5 * (at + 1)) ? out_of_memory(error) : 0;

	if (!failed)
		failed = simulate(plan, &load, (int)broker, &run, error);
	if (!failed) {
		sum_times(&load, &run, sums);
		plan->of->light[at][broker] = sums[LXFW_C_ALL];
	}
	lxfw_grid_run_clear(&run);
	clear_load(&load);
	return failed;
}

static int run_priorities(struct plan *plan, size_t number, int seed, struct lxfw_error *error)
{
	size_t mix = number / (LXFW_C_COUNTS * 2), at = number / 2 % LXFW_C_COUNTS;
	int broker = number % 2 ? LXFW_C_PJS : LXFW_C_SJS;
	double sums[LXFW_C_LEVELS];
	struct lxfw_grid_run run = { 0 };
	struct load load;
	int failed = begin_load(&load, 20 * (at + 1)) ? out_of_memory(error) : 0;

	if (!failed) {
		mix_up(&load, (int)mix, plan->of->first_seed + (uint64_t)seed);
		failed = simulate(plan, &load, broker, &run, error);
	}
	if (!failed) {
		sum_times(&load, &run, sums);
		for (int i = 0; i < LXFW_C_LEVELS; i++)
			plan->of->priorities[mix][at][broker][i][seed] = sums[i];
	}
	lxfw_grid_run_clear(&run);
	clear_load(&load);
	return failed;
}

static void measure_arrivals(struct plan *plan, size_t number, int seed,
			     const struct load *load, const struct lxfw_grid_run *run)
{
	double sums[LXFW_C_LEVELS], parallel[LXFW_C_LEVELS] = { 0 };
	double stops[LXFW_C_LEVELS] = { 0 }, jobs[LXFW_C_LEVELS] = { 0 };

	sum_times(load, run, sums);
	for (size_t i = 0; i < load->trace.count; i++) {
		const int levels[] = { load->priorities[i], LXFW_C_ALL };

		for (int j = 0; j < 2; j++) {
			jobs[levels[j]]++;
			parallel[levels[j]] += run->part_counts[i] > 1;
			stops[levels[j]] += run->recalls[i];
		}
	}
	for (int i = 0; i < LXFW_C_LEVELS; i++) {
		double (*to)[LXFW_C_SEEDS] = plan->of->arrivals[number / LXFW_C_RATES]
							       [number % LXFW_C_RATES][i];

		to[LXFW_C_TIME][seed] = sums[i] / jobs[i];	/* NAN: no job */
		to[LXFW_C_PARALLEL][seed] = parallel[i] / jobs[i];
		to[LXFW_C_STOPS][seed] = stops[i] / jobs[i];
	}
}

static int run_arrivals(struct plan *plan, size_t number, int seed, struct lxfw_error *error)
{
	struct lxfw_grid_run run = { 0 };
	struct load load;
	int failed = begin_load(&load, LXFW_C_JOBS) ? out_of_memory(error) : 0;

	if (!failed) {
		draw_arrivals(&load, (int)(number / LXFW_C_RATES),
			      1 << number % LXFW_C_RATES,
			      plan->of->first_seed + (uint64_t)seed);
		failed = simulate(plan, &load, LXFW_C_PJS, &run, error);
	}
	if (!failed)
		measure_arrivals(plan, number, seed, &load, &run);
	lxfw_grid_run_clear(&run);
	clear_load(&load);
	return failed;
}

static int run_plans(struct plan *plan, size_t number, int seed, struct lxfw_error *error)
{
	size_t share = number / LXFW_C_PLANS, at = number % LXFW_C_PLANS;
	uint64_t drawing = plan->of->first_seed + (uint64_t)seed;
	double one = lxfw_collins_plans(lxfw_c_plan_jobs[at], lxfw_c_shares[share], false,
					drawing);
	double other = lxfw_collins_plans(lxfw_c_plan_jobs[at], lxfw_c_shares[share], true,
					  drawing);

	plan->of->plans[share][at][seed] = other / one;
	return one < 0 || other < 0 ? out_of_memory(error) : 0;
}

/* --- all ------------------------------------------------------------------------------------ */

static int work(void *context, size_t number, struct lxfw_error *error)
{
	struct plan *plan = context;
	int seed;

	if (number < LIGHT_TASKS)
		return run_light(plan, number, error);
	number -= LIGHT_TASKS;
	seed = (int)(number / SEED_TASKS);
	number %= SEED_TASKS;
	if (number < PLAN_TASKS)
		return run_plans(plan, number, seed, error);
	number -= PLAN_TASKS;
	if (number < PRIORITY_TASKS)
		return run_priorities(plan, number, seed, error);
	return run_arrivals(plan, number - PRIORITY_TASKS, seed, error);
}

static void over(void *context, size_t number)
{
	struct plan *plan = context;

	(void)number;
	plan->done++;
	if (plan->progress)
		plan->progress(plan->done, plan->all);
}

int lxfw_collins_run(struct lxfw_collins *experiment, int threads,
		     void (*progress)(size_t done, size_t all), struct lxfw_error *error)
{
	struct plan plan = {
		.of = experiment, .progress = progress,
		.all = LIGHT_TASKS + (size_t)experiment->seeds * SEED_TASKS,
	};
	const struct lxfw_pool pool = {
		.context = &plan, .count = plan.all, .threads = threads, .work = work,
		.over = over,
	};
	int failed = lxfw_collins_site(&plan.sites, &plan.times, error);

	if (!failed)
		failed = lxfw_pool_carry_out(&pool, error);
	lxfw_sites_clear(&plan.sites);
	lxfw_grid_times_clear(&plan.times);
	return failed;
}
