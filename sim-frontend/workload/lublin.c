/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/workload/lublin.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/trace/swf.h"
#include "sim-frontend/util/random.h"

#define SLOT_SECONDS 1800.0
#define LN_2 0.69314718055994530942

/* The number of jobs over the day has a gamma distribution over half hours. The day
   begins before dawn, at the model's bucket 11. */
#define DAY_SHAPE 8.1737
#define DAY_SCALE 3.9631
#define DAY_BEGIN 11

/* Parameters of the times between arrivals: the gamma distribution of the rush hours,
   and the factor that converts its shape to that of all hours. */
#define RUSH_SHAPE 10.2303
#define RUSH_TO_ALL 1.0225

/* Returns the relative number of jobs in the half hour around X: the integral of the
   density by Simpson's rule. */
static double slot_weight(double x)
{
	const int parts = 16;
	double sum = 0;

	for (int i = 0; i <= parts; i++) {
		double at = x - 0.5 + (double)i / parts;
		double density = lxfw_random_exp((DAY_SHAPE - 1) *
						 lxfw_random_log(at) -
						 at / DAY_SCALE);

		sum += density * (i == 0 || i == parts ? 1 : i % 2 ? 4 : 2);
	}
	return sum;
}

static void set_pace(struct lxfw_lublin *model)
{
	double sum = 0;

	for (int i = DAY_BEGIN; i < DAY_BEGIN + LXFW_LUBLIN_SLOTS; i++) {
		double weight = slot_weight(i);

		/* buckets are numbered from 1 */
		model->pace[(i - 1) % LXFW_LUBLIN_SLOTS] = weight;
		sum += weight;
	}
	for (int i = 0; i < LXFW_LUBLIN_SLOTS; i++)
		model->pace[i] *= LXFW_LUBLIN_SLOTS / sum;
}

void lxfw_lublin_parameters(struct lxfw_lublin *model, int32_t procs)
{
	*model = (struct lxfw_lublin) {
		.serial = 0.244,
		.power_of_two = 0.576,
		.low = 0.8,
		.high = lxfw_random_log(procs) / LN_2,
		.first_stage = 0.86,
		.shape1 = 4.2, .scale1 = 0.94,
		.shape2 = 312, .scale2 = 0.03,
		.slope = -0.0054, .intercept = 0.78,
		.run_max = 12,
		.gap_shape = RUSH_SHAPE * RUSH_TO_ALL, .gap_scale = 0.4871,
		.gap_max = 13,
	};
	model->middle = model->high - 2.5;
	/* on a small machine, the stages divide the available range */
	if (model->middle < model->low)
		model->middle = (model->low + model->high) / 2;
	set_pace(model);
}

static int32_t draw_procs(const struct lxfw_lublin *model, int32_t most,
			  struct lxfw_random *random)
{
	double kind = lxfw_random_uniform(random);

	if (kind < model->serial || most < 2)
		return 1;
	for (;;) {
		bool first = lxfw_random_uniform(random) < model->first_stage;
		double from = first ? model->low : model->middle;
		double to = first ? model->middle : model->high, power, procs;

		power = from + (to - from) * lxfw_random_uniform(random);
		if (kind < model->serial + model->power_of_two)
			power = floor(power + 0.5);
		procs = floor(lxfw_random_exp(power * LN_2) + 0.5);
		/* a power may be rounded beyond the size of a machine */
		if (procs <= most)
			return (int32_t)procs;
	}
}

static int64_t draw_run(const struct lxfw_lublin *model, int32_t procs,
			struct lxfw_random *random)
{
	double first = model->slope * procs + model->intercept, logarithm;
	bool is_first = lxfw_random_uniform(random) < first;

	do
		logarithm = is_first ?
			lxfw_random_gamma(random, model->shape1,
					  model->scale1) :
			lxfw_random_gamma(random, model->shape2,
					  model->scale2);
	while (logarithm > model->run_max);
	return (int64_t)lxfw_random_exp(logarithm);
}

static double draw_gap(const struct lxfw_lublin *model,
		       struct lxfw_random *random)
{
	double logarithm;

	do
		logarithm = lxfw_random_gamma(random, model->gap_shape,
					      model->gap_scale);
	while (logarithm > model->gap_max);
	return lxfw_random_exp(logarithm);
}

/* Converts between wall-clock time and a time in which the arrival rate is constant. */
struct clock {
	double even, wall;	/* at the beginning of the current half hour, seconds */
	int slot;
};

static int64_t advance(struct clock *clock, const struct lxfw_lublin *model,
		       double even)
{
	for (;;) {
		double pace = model->pace[clock->slot];
		double length = pace * SLOT_SECONDS;

		if (even < clock->even + length)
			return (int64_t)(clock->wall + (even - clock->even) /
					 pace);
		clock->even += length;
		clock->wall += SLOT_SECONDS;
		clock->slot = (clock->slot + 1) % LXFW_LUBLIN_SLOTS;
	}
}

/* Converts the times between arrivals in GAPS to submit times, after scaling all of
   them. */
static int set_submits(struct lxfw_trace_job *jobs, const double *gaps,
		       const struct lxfw_lublin *model,
		       const struct lxfw_lublin_options *options)
{
	struct clock clock = { 0 };
	double all = 0, work = 0, stretch = 1, even = 0;

	for (size_t i = 0; i < options->jobs; i++) {
		all += gaps[i];
		work += (double)jobs[i].run * jobs[i].procs;
	}
	if (options->load > 0)
		stretch = work / (options->load * options->procs) / all;
	if (!(all * stretch < (double)LXFW_SWF_TIME_MAX / 10)) {
		errno = ERANGE;
		return -1;
	}
	for (size_t i = 0; i < options->jobs; i++) {
		even += gaps[i] * stretch;
		jobs[i].submit = advance(&clock, model, even);
	}
	return 0;
}

static int64_t estimate(int64_t run, double factor)
{
	return (int64_t)ceil((double)run * factor);
}

int lxfw_lublin_generate(struct lxfw_trace *trace,
			 const struct lxfw_lublin_options *options,
			 uint64_t seed)
{
	double *gaps = malloc((options->jobs + 1) * sizeof(*gaps));
	struct lxfw_trace_job *jobs =
		lxfw_grow(trace->jobs, &trace->size,
			  trace->count + options->jobs, sizeof(*jobs));
	struct lxfw_random random;
	struct lxfw_lublin model;
	int result;

	if (jobs)
		trace->jobs = jobs;
	if (!jobs || !gaps) {
		free(gaps);
		errno = ENOMEM;
		return -1;
	}
	jobs += trace->count;
	lxfw_random_seed(&random, seed, UINT64_C(0x6c75626c696e));
	lxfw_lublin_parameters(&model, options->procs);
	for (size_t i = 0; i < options->jobs; i++) {
		struct lxfw_trace_job *job = &jobs[i];

		gaps[i] = draw_gap(&model, &random);
		*job = (struct lxfw_trace_job) {
			.number = (int64_t)(trace->count + i + 1),
			.wait = -1,
			.used_memory_kb = -1,
			.procs = draw_procs(&model, options->procs, &random),
		};
		job->run = draw_run(&model, job->procs, &random);
		job->limit = estimate(job->run, options->estimate_factor);
	}
	result = set_submits(jobs, gaps, &model, options);
	if (result == 0)
		trace->count += options->jobs;
	free(gaps);
	return result;
}
