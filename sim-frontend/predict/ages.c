/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/ages.h"

#include <stdbool.h>
#include <stddef.h>

#include "common/books/books.h"
#include "sim-frontend/util/random.h"

#define SHAPE_LEAST 1.0

/* Of SHAPE + 1. */
#define MOST 10000.0

/* exp() of less is as good as 0. */
#define EXPONENT_LEAST -600.0

/* Halvings of the logarithm of that range. */
#define STEPS 24

/* More running jobs are taken at equal distances. */
#define JOBS_MAX 1000

/* An age beyond the requested time counts as this share of it. */
#define AGE_MAX 0.99

/* Logarithms of the shares of its requested time that a job has left, and of those that it could have left
   at most: at time T after its start. */
struct age {
	double left, least;
};

struct sample {
	struct age ages[JOBS_MAX];
	size_t count;
};

static int64_t age_of(const struct lxfw_job *job, int64_t now)
{
	int64_t age = now - job->start - job->paused;

	return age > 0 ? age : 0;
}

/* Limits are in minutes. Seconds by which an end differs may be those of the start and the end of a
   job. */
#define CHANGED 60

int64_t lxfw_ages_limit(const struct lxfw_job *job)
{
	int64_t requested = job->request.estimate, now;

	if (job->due == LXFW_NEVER || job->due <= job->start + job->paused)
		return requested > 0 ? requested : 0;
	if (requested <= 0)
		return job->due - job->start;
	now = job->due - job->start - job->paused;
	return now >= requested + CHANGED || now <= requested - CHANGED ? now : requested;
}

static bool tells(const struct lxfw_job *job)
{
	return job->state == LXFW_JOB_RUNNING && lxfw_ages_limit(job) > 0;
}

/* The number of jobs that tell something. *SINCE is the longest time for which a job runs or waits. */
static size_t count(const struct lxfw_sched *sched, int64_t now, int64_t *since)
{
	size_t found = 0;

	*since = 0;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];
		int64_t time = job->state == LXFW_JOB_RUNNING ? age_of(job, now) :
			       job->state == LXFW_JOB_FREE ? 0 : now - job->request.submit;

		found += tells(job);
		*since = time > *since ? time : *since;
	}
	return found;
}

static double left_after(int64_t time, int64_t limit)
{
	double share = (double)time / (double)limit;

	return lxfw_random_log(1 - (share < AGE_MAX ? share : AGE_MAX));
}

static void collect(struct sample *sample, const struct lxfw_sched *sched, int64_t now)
{
	int64_t since;
	size_t all = count(sched, now, &since), seen = 0;
	size_t wanted = all < JOBS_MAX ? all : JOBS_MAX;

	for (size_t i = 0; i < sched->jobs_used && sample->count < wanted; i++) {
		const struct lxfw_job *job = &sched->jobs[i];

		if (!tells(job) || seen++ < sample->count * all / wanted)
			continue;
		sample->ages[sample->count++] = (struct age) {
			.left = left_after(age_of(job, now), lxfw_ages_limit(job)),
			.least = left_after(since, lxfw_ages_limit(job)),
		};
	}
}

/* The derivative of the logarithm of the posterior by LOGARITHM, that of SHAPE + 1. */
static double derivative(const struct sample *sample, double logarithm)
{
	double gamma = lxfw_random_exp(logarithm);
	double sum = -(logarithm - lxfw_random_log(2)) / (LXFW_AGES_PRIOR * LXFW_AGES_PRIOR);

	for (size_t i = 0; i < sample->count; i++) {
		double exponent = gamma * sample->ages[i].least, power;

		/* at once after the start of the machine nothing is learned */
		if (exponent > -1e-6)
			continue;
		power = lxfw_random_exp(exponent > EXPONENT_LEAST ? exponent : EXPONENT_LEAST);
		sum += 1 + gamma * sample->ages[i].left + exponent * power / (1 - power);
	}
	return sum;
}

double lxfw_ages_shape(const struct lxfw_sched *sched, int64_t now)
{
	double low = lxfw_random_log(SHAPE_LEAST + 1), high = lxfw_random_log(MOST);
	struct sample sample = { .count = 0 };

	collect(&sample, sched, now);
	if (derivative(&sample, low) <= 0)
		return SHAPE_LEAST;
	for (int i = 0; i < STEPS; i++) {
		double middle = (low + high) / 2;

		*(derivative(&sample, middle) > 0 ? &low : &high) = middle;
	}
	return lxfw_random_exp(low) - 1;
}
