/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/workload/remade.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/util/random.h"

/* Streams of random numbers. */
enum { BINNED = 1, UNIFORM = 2 };

#define SHAPE_MIN 0.1
#define SHAPE_MAX 10.0

static int begin(struct lxfw_trace *trace, size_t count)
{
	*trace = (struct lxfw_trace) {
		.jobs = calloc(count + 1, sizeof(*trace->jobs)),
		.size = count + 1,
	};
	if (trace->jobs)
		return 0;
	errno = ENOMEM;
	return -1;
}

static void append(struct lxfw_trace *trace, int64_t submit, int32_t procs,
		   int64_t limit, int64_t run)
{
	trace->jobs[trace->count] = (struct lxfw_trace_job) {
		.number = (int64_t)trace->count + 1, .submit = submit, .run = run,
		.limit = limit, .wait = -1, .used_memory_kb = -1, .procs = procs,
	};
	trace->count++;
}

/* Returns a uniform integer from LOW to HIGH. */
static int64_t between(struct lxfw_random *random, int64_t low, int64_t high)
{
	return low + (int64_t)lxfw_random_below(random,
						(uint64_t)(high - low) + 1);
}

/* --- the distribution of a log ------------------------------------------------- */

/* Returns the squared coefficient of variation of a Weibull distribution. */
static double weibull_variation(double shape)
{
	double first = lgamma(1 + 1 / shape), second = lgamma(1 + 2 / shape);

	return exp(second - 2 * first) - 1;
}

/* Returns the shape in thousandths, so that the last bits of the C library's functions
   do not matter. The variation decreases with the shape. */
static double weibull_shape(double variation)
{
	double low = SHAPE_MIN, high = SHAPE_MAX;

	while (high - low > 1e-6) {
		double middle = (low + high) / 2;

		if (weibull_variation(middle) > variation)
			low = middle;
		else
			high = middle;
	}
	return floor(low * 1000 + 0.5) / 1000;
}

/* Mean and squared coefficient of variation of the times between submissions. */
static void submissions_of(const struct lxfw_trace *log, double *mean,
			   double *variation)
{
	double sum = 0, squares = 0, count = (double)log->count - 1;

	for (size_t i = 1; i < log->count; i++) {
		int64_t gap = log->jobs[lxfw_trace_at(log, i)].submit -
			      log->jobs[lxfw_trace_at(log, i - 1)].submit;

		sum += (double)gap;
		squares += (double)gap * (double)gap;
	}
	*mean = sum / count;
	*variation = sum > 0 ? squares / count / (*mean * *mean) - 1 : 1;
}

/* Returns a uniform time of the range of VALUE, which is above 0. */
static int64_t from_range(struct lxfw_random *random, int64_t value, int64_t base)
{
	int64_t low = 1;

	while (low <= value / base)
		low *= base;
	return between(random, low, base * low - 1);
}

int lxfw_remade_binned(struct lxfw_trace *trace, const struct lxfw_trace *log,
		       int64_t base, size_t count, uint64_t seed)
{
	struct lxfw_random random;
	double mean, variation, shape, scale, submit = 0;

	if (begin(trace, count))
		return -1;
	submissions_of(log, &mean, &variation);
	shape = weibull_shape(variation);
	scale = mean / floor(exp(lgamma(1 + 1 / shape)) * 1e6 + 0.5) * 1e6;
	lxfw_random_seed(&random, seed, BINNED);
	for (size_t i = 0; i < count; i++) {
		/* a job of the log has the probability of its combination */
		const struct lxfw_trace_job *of = &log->jobs[
			lxfw_random_below(&random, log->count)];
		int64_t limit = from_range(&random, of->limit, base);
		int64_t run = from_range(&random, of->run, base);

		append(trace, (int64_t)submit, of->procs, limit,
		       run < limit ? run : limit);
		submit += scale * lxfw_random_power(
			-lxfw_random_log(lxfw_random_uniform(&random)),
			1 / shape);
	}
	return 0;
}

/* --- uniform -------------------------------------------------------------------- */

int lxfw_remade_uniform(struct lxfw_trace *trace, int32_t procs, size_t count,
			uint64_t seed)
{
	struct lxfw_random random;
	int64_t submit = 0;

	if (begin(trace, count))
		return -1;
	lxfw_random_seed(&random, seed, UNIFORM);
	for (size_t i = 0; i < count; i++) {
		int32_t width = (int32_t)between(&random, 1, procs);
		int64_t limit = between(&random, 300, 86400);

		append(trace, submit, width, limit, between(&random, 1, limit));
		submit += between(&random, 1, 3600);
	}
	return 0;
}
