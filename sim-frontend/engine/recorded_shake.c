/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/recorded_shake.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/id_map.h"

/* As the copies of `lxfw simulate --shake`. */
static const struct lxfw_shake noise = { .seed = 1, .arrivals = 60, .runs = 0.1 };

#define COPIES_USUAL 20
#define COPIES_LEAST 5
#define JOBS_IN_ALL ((size_t)500000)

/* Fewer values have no outermost 5 %. */
#define RANK_LEAST 40

int lxfw_shaken_default(size_t jobs)
{
	size_t copies = jobs > 0 ? JOBS_IN_ALL / jobs : COPIES_USUAL;

	return copies > COPIES_USUAL ? COPIES_USUAL :
	       copies < COPIES_LEAST ? COPIES_LEAST : (int)copies;
}

static void move(int64_t *time, int64_t by)
{
	if (*time != LXFW_UNKNOWN)
		*time += by;
}

/* The job arrives at another time, and runs for another time if its run time is known. */
static void shake_job(struct lxfw_recorded_job *job, struct lxfw_random *random, int64_t first)
{
	int64_t run = lxfw_recorded_job_run(job), by;
	struct lxfw_trace_job like = {
		.submit = job->request.submit, .run = run > 0 ? run : 1,
		.limit = job->request.estimate,
	};

	lxfw_shake_job(&noise, random, first, &like);
	by = like.submit - job->request.submit;
	move(&job->request.submit, by);
	move(&job->seen, by);
	move(&job->start, by);
	move(&job->end, by);
	if (job->held)
		move(&job->eligible, by);
	if (run == 0)
		return;
	job->end = job->start + like.run;
	if (job->run != LXFW_UNKNOWN)
		job->run = job->run + like.run - run > 1 ? job->run + like.run - run : 1;
}

static double mean_wait(const struct lxfw_recorded *recorded)
{
	double sum = 0;
	size_t jobs = 0;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (!lxfw_recorded_in_both(job))
			continue;
		sum += (double)(job->simulated - lxfw_recorded_since(job));
		jobs++;
	}
	return jobs > 0 ? sum / (double)jobs : 0;
}

/* COPY has jobs of its own; everything else belongs to RECORDED. */
static int simulate_copy(const struct lxfw_recorded *recorded, struct lxfw_recorded *copy,
			 int number, const struct lxfw_params *params,
			 const struct lxfw_overhead *overhead, struct lxfw_error *error)
{
	struct lxfw_engine_result result;
	struct lxfw_random random;
	int64_t first = INT64_MAX;

	memcpy(copy->jobs, recorded->jobs, recorded->count * sizeof(*copy->jobs));
	for (size_t i = 0; i < copy->count; i++) {
		if (copy->jobs[i].request.submit < first)
			first = copy->jobs[i].request.submit;
	}
	lxfw_shake_begin(&noise, (uint64_t)number, &random);
	for (size_t i = 0; i < copy->count; i++)
		shake_job(&copy->jobs[i], &random, first);
	lxfw_recorded_sort(copy);
	return lxfw_recorded_simulate(copy, params, overhead, &result, error);
}

/* Where the jobs of the run are, by their ids, and their waits in a copy. */
struct waits {
	struct lxfw_id_map places;
	int64_t *seconds;
};

static int list_places(const struct lxfw_recorded *recorded, struct waits *waits)
{
	waits->seconds = malloc(recorded->count * sizeof(*waits->seconds));
	for (size_t i = 0; i < recorded->count && waits->seconds; i++) {
		waits->seconds[i] = LXFW_UNKNOWN;
		if (lxfw_id_map_get(&waits->places, recorded->jobs[i].request.id) < 0 &&
		    lxfw_id_map_add(&waits->places, recorded->jobs[i].request.id, (int32_t)i))
			return -1;
	}
	return waits->seconds ? 0 : -1;
}

static int look_at(const struct lxfw_shaken_look *look, const struct lxfw_recorded *copy,
		   struct waits *waits)
{
	for (size_t i = 0; i < copy->count; i++) {
		const struct lxfw_recorded_job *job = &copy->jobs[i];
		int32_t place = lxfw_id_map_get(&waits->places, job->request.id);

		waits->seconds[place] = lxfw_recorded_in_both(job) ?
			job->simulated - lxfw_recorded_since(job) : LXFW_UNKNOWN;
	}
	return look->look(look->context, copy, waits->seconds);
}

static int out_of_memory(struct lxfw_error *error)
{
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	return -1;
}

int lxfw_recorded_shake(const struct lxfw_recorded *recorded,
			const struct lxfw_params *params,
			const struct lxfw_overhead *overhead, int copies,
			const struct lxfw_shaken_look *look, struct lxfw_shaken *shaken,
			struct lxfw_error *error)
{
	struct lxfw_recorded copy = *recorded;
	struct waits waits = { .seconds = NULL };
	int failed = 0;

	shaken->count = 0;
	if (recorded->count == 0)
		return 0;
	copy.progress = NULL;
	copy.jobs = malloc(recorded->count * sizeof(*copy.jobs));
	if (!copy.jobs || (look && list_places(recorded, &waits)))
		failed = out_of_memory(error);
	for (int i = 0; i < copies && !failed; i++) {
		failed = simulate_copy(recorded, &copy, i, params, overhead, error);
		if (failed)
			break;
		shaken->means[shaken->count++] = mean_wait(&copy);
		if (look && look_at(look, &copy, &waits))
			failed = out_of_memory(error);
	}
	lxfw_id_map_clear(&waits.places);
	free(waits.seconds);
	free(copy.jobs);
	return failed;
}

static int by_value(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

void lxfw_shaken_include(struct lxfw_shaken_range *range, double value)
{
	if (range->copies == 0)
		return;
	range->low = fmin(range->low, value);
	range->high = fmax(range->high, value);
}

void lxfw_shaken_range_of(double *values, int count, struct lxfw_shaken_range *range)
{
	int low = 0, high = count - 1;

	*range = (struct lxfw_shaken_range) { .copies = count };
	if (count == 0)
		return;
	if (count >= RANK_LEAST) {
		low = (int)ceil(0.025 * count) - 1;
		high = (int)ceil(0.975 * count) - 1;
	}
	qsort(values, (size_t)count, sizeof(*values), by_value);
	range->low = values[low];
	range->high = values[high];
}

void lxfw_shaken_range(const struct lxfw_shaken *shaken, struct lxfw_shaken_range *range)
{
	double values[LXFW_SHAKEN_MOST];

	memcpy(values, shaken->means, sizeof(values));
	lxfw_shaken_range_of(values, shaken->count, range);
}

void lxfw_shaken_change(const struct lxfw_shaken *shaken, const struct lxfw_shaken *other,
			struct lxfw_shaken_range *range)
{
	int count = shaken->count < other->count ? shaken->count : other->count;
	double values[LXFW_SHAKEN_MOST];

	for (int i = 0; i < count; i++)
		values[i] = shaken->means[i] - other->means[i];
	lxfw_shaken_range_of(values, count, range);
}
