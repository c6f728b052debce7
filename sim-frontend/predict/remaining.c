/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/remaining.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/model/time.h"
#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/predict/elsewhere.h"

/* Added to waits before the logarithm, seconds: differences below count little. */
#define OFFSET 60.0

/* Widths of the kernel, in logarithms. */
#define FEATURES 3
static const double widths[FEATURES] = { 0.7, 1.2, 1.0 };

/* Features of jobs that are corrected alike are in the same part of this size, in widths. */
#define CELL 0.5

/* A moment this many seconds ago counts half as much. */
#define HALF_LIFE (45 * 86400.0)

/* The weights of promises of wrong clocks that are older than this would be 0. */
#define OLDEST (400 * HALF_LIFE)

/* Moments that are wanted for a correction. */
#define WANTED 60.0

/* Of shares. */
#define ROUNDING 1e-12

/* With fewer separate moments, those of other machines count as the missing ones. With 30 and 60 the
   shares in doc/validation-watch.md differ by up to 2 points. */
#define OWN_ENOUGH 40.0

/* Moments do not count as separate ones with fewer other jobs than this. */
#define JOBS_PER_MOMENT 3

#define SIDES (2 * LXFW_STATED)

/* The shares of truths that are not below a bound. */
static const double shares[SIDES] = { 0.25, 0.75, 0.05, 0.95 };

struct lxfw_remaining {
	size_t count, moment_count;		/* with those of other machines, which are the last */
	size_t own_count, own_moments;
	double apart;		/* number of separate moments */
	double own, elsewhere;	/* as many equal moments teach as much */
	struct lxfw_id_map known;	/* jobs */
	size_t jobs;
	/* by prediction */
	double (*features)[FEATURES];
	double *weights;	/* those of a moment sum up to that of the moment */
	double *errors;		/* logarithm of the wait, without that of the expected one */
	bool *waits;		/* it waits still: errors and scores are above these */
	uint32_t *moment;
	double *kernel;		/* scratch */
	struct scored {
		double score;
		uint32_t at;
	} *sides[SIDES];	/* ascending */
	/* by moment */
	double *moment_weights, *moment_kernel;
	int64_t *times;
	/* corrections so far, by cell */
	struct lxfw_id_map by_cell;
	struct cell {
		double moved[SIDES];	/* INFINITY, -INFINITY: there is no bound */
	} *cells;
	size_t cell_count, cell_size;
};

void lxfw_promises_clear(struct lxfw_promises *promises)
{
	free(promises->list);
	*promises = (struct lxfw_promises) { 0 };
}

int lxfw_promises_add(struct lxfw_promises *promises, const struct lxfw_promise *promise)
{
	if (LXFW_GROW(promises->list, promises->size, promises->count + 1))
		return -1;
	promises->list[promises->count++] = *promise;
	return 0;
}

void lxfw_remaining_free(struct lxfw_remaining *remaining)
{
	int saved = errno;

	if (!remaining)
		return;
	free(remaining->features);
	free(remaining->weights);
	free(remaining->errors);
	free(remaining->waits);
	free(remaining->moment);
	free(remaining->kernel);
	for (int i = 0; i < SIDES; i++)
		free(remaining->sides[i]);
	free(remaining->moment_weights);
	free(remaining->moment_kernel);
	free(remaining->times);
	free(remaining->cells);
	lxfw_id_map_clear(&remaining->by_cell);
	lxfw_id_map_clear(&remaining->known);
	free(remaining);
	errno = saved;
}

static double logarithm(double wait)
{
	return log((wait > 0 ? wait : 0) + OFFSET);
}

static double bound(const struct lxfw_bounds *bounds, int side)
{
	const struct lxfw_interval *of = &bounds->of[side / 2];

	return side % 2 ? of->high : of->low;
}

static void features_of(const struct lxfw_standing *standing, double features[FEATURES])
{
	features[0] = logarithm((double)standing->expected) / widths[0];
	features[1] = log((double)(standing->age > 0 ? standing->age : 0) + 600) / widths[1];
	features[2] = logarithm((double)standing->limit) / widths[2];
}

/* --- learning ----------------------------------------------------------------------- */

/* Whether the promise teaches something at NOW. */
static bool teaches(const struct lxfw_promise *promise, int64_t now)
{
	return !promise->view.sure && promise->time < now && promise->gone > now &&
	       (double)(now - promise->time) < OLDEST;
}

/* The wait of a promise: that of a job that still waits is what it would be if the futures were right
   from now on. */
static double likely_wait(const struct lxfw_promise *promise, int64_t now)
{
	double so_far = (double)(now - promise->time);
	double later[] = { (double)promise->view.standing.expected, promise->view.raw.of[LXFW_HALF].high,
			   promise->view.raw.of[LXFW_MOST].high };

	if (promise->start <= now)
		return promise->start > promise->time ?
		       (double)(promise->start - promise->time) : 0;
	for (int i = 0; i < 3; i++) {
		if (so_far < later[i])
			return later[i];
	}
	return 1.5 * so_far;
}

static int allocate(struct lxfw_remaining *remaining, size_t count)
{
	remaining->features = calloc(count + 1, sizeof(*remaining->features));
	remaining->weights = calloc(count + 1, sizeof(*remaining->weights));
	remaining->errors = calloc(count + 1, sizeof(*remaining->errors));
	remaining->waits = calloc(count + 1, sizeof(*remaining->waits));
	remaining->moment = calloc(count + 1, sizeof(*remaining->moment));
	remaining->kernel = calloc(count + 1, sizeof(*remaining->kernel));
	remaining->moment_weights = calloc(count + 1, sizeof(*remaining->moment_weights));
	remaining->moment_kernel = calloc(count + 1, sizeof(*remaining->moment_kernel));
	remaining->times = calloc(count + 1, sizeof(*remaining->times));
	for (int i = 0; i < SIDES; i++) {
		remaining->sides[i] = calloc(count + 1, sizeof(**remaining->sides));
		if (!remaining->sides[i])
			return -1;
	}
	return remaining->features && remaining->weights && remaining->moment &&
	       remaining->errors && remaining->waits &&
	       remaining->kernel && remaining->moment_weights &&
	       remaining->moment_kernel && remaining->times ? 0 : -1;
}

static int ascending(const void *left, const void *right)
{
	const struct scored *a = left, *b = right;

	if (a->score != b->score)
		return a->score < b->score ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

static void add_moment(struct lxfw_remaining *remaining, int64_t time, double weight)
{
	remaining->times[remaining->moment_count] = time;
	remaining->moment_weights[remaining->moment_count++] = weight;
}

/* A job of the last moment, with the weight WEIGHT among those of the moment. TRUTH is the logarithm of its
   wait; WAITS: of that so far. */
static void learn_one(struct lxfw_remaining *remaining, const struct lxfw_standing *standing,
		      const struct lxfw_bounds *raw, double truth, bool waits, double weight)
{
	size_t at = remaining->count++;

	remaining->errors[at] = truth - logarithm((double)standing->expected);
	remaining->waits[at] = waits;
	features_of(standing, remaining->features[at]);
	remaining->weights[at] = weight;
	remaining->moment[at] = (uint32_t)remaining->moment_count - 1;
	remaining->moment_kernel[remaining->moment_count - 1] += weight;
	for (int i = 0; i < SIDES; i++)
		remaining->sides[i][at] = (struct scored) {
			truth - logarithm(bound(raw, i)), (uint32_t)at,
		};
}

/* Count the job if it is another one. One without an id counts as all that a moment needs. Returns 0, or -1
   with errno ENOMEM. */
static int count_job(struct lxfw_remaining *remaining, uint64_t job)
{
	if (job == 0)
		remaining->jobs += JOBS_PER_MOMENT;
	if (job == 0 || lxfw_id_map_get(&remaining->known, job) >= 0)
		return 0;
	remaining->jobs++;
	return lxfw_id_map_add(&remaining->known, job, 1);
}

/* The number of moments that are apart from those before them: by a mean wait, or else in part. */
static double apart(const struct lxfw_remaining *remaining, double mean)
{
	double number = 1;

	for (size_t i = 1; i < remaining->moment_count; i++) {
		double gap = (double)(remaining->times[i] - remaining->times[i - 1]);

		number += gap < mean ? gap / mean : 1;
	}
	return number;
}

/* The jobs of each moment together have the weight of the moment. FIRST is the first job. */
static void share(struct lxfw_remaining *remaining, size_t first)
{
	for (size_t i = first; i < remaining->count; i++) {
		uint32_t moment = remaining->moment[i];

		remaining->weights[i] *= remaining->moment_weights[moment] /
					 remaining->moment_kernel[moment];
	}
}

/* Number of equal moments that would teach as much. */
static double number_of(const struct lxfw_remaining *remaining)
{
	double sum = 0, squares = 0, number;

	for (size_t i = 0; i < remaining->moment_count; i++) {
		sum += remaining->moment_weights[i];
		squares += remaining->moment_weights[i] * remaining->moment_weights[i];
	}
	number = squares > 0 ? sum * sum / squares : 0;
	return number < remaining->apart ? number : remaining->apart;
}

/* MEAN is the mean wait. */
static void weigh(struct lxfw_remaining *remaining, double mean)
{
	share(remaining, 0);
	remaining->apart = remaining->moment_count > 0 ? apart(remaining, mean) : 0;
	if (remaining->apart > (double)remaining->jobs / JOBS_PER_MOMENT)
		remaining->apart = (double)remaining->jobs / JOBS_PER_MOMENT;
	remaining->own = number_of(remaining);
	remaining->own_count = remaining->count;
	remaining->own_moments = remaining->moment_count;
}

/* A promise of the last moment. */
static void learn_promise(struct lxfw_remaining *remaining, const struct lxfw_promise *promise,
			  int64_t now)
{
	bool waits = promise->start > now;
	double wait = waits ? (double)(now - promise->time) : likely_wait(promise, now);

	learn_one(remaining, &promise->view.standing, &promise->view.raw, logarithm(wait), waits,
		  promise->weight);
}

/* Returns 0, or -1 with errno ENOMEM. */
static int learn_own(struct lxfw_remaining *remaining, const struct lxfw_promises *promises,
		     int64_t now)
{
	int64_t last = 0;
	double waits = 0, mean = 0, weight = 0;

	for (size_t i = 0; i < promises->count; i++) {
		const struct lxfw_promise *promise = &promises->list[i];

		if (!teaches(promise, now))
			continue;
		if (remaining->moment_count == 0 || promise->time != last) {
			mean += weight > 0 ? waits / weight : 0;
			waits = weight = 0;
			last = promise->time;
			add_moment(remaining, last, exp2((double)(last - now) / HALF_LIFE));
		}
		if (count_job(remaining, promise->job))
			return -1;
		learn_promise(remaining, promise, now);
		waits += promise->weight * likely_wait(promise, now);
		weight += promise->weight;
	}
	mean += weight > 0 ? waits / weight : 0;
	weigh(remaining, remaining->moment_count > 0 ?
			 mean / (double)remaining->moment_count : 0);
	return 0;
}

/* Returns 0, or -1 with errno ENOMEM. */
static int measure(const struct lxfw_remaining *remaining, const struct lxfw_elsewhere *elsewhere,
		   struct lxfw_elsewhere_size *to)
{
	struct lxfw_weighted *own = calloc(remaining->own_count + 1, sizeof(*own));
	size_t known = 0;
	int result;

	if (!own)
		return -1;
	for (size_t i = 0; i < remaining->own_count; i++) {
		if (!remaining->waits[i])
			own[known++] = (struct lxfw_weighted) { remaining->errors[i],
								remaining->weights[i] };
	}
	result = lxfw_elsewhere_measure(elsewhere, own, known, remaining->own, to);
	free(own);
	return result;
}

/* The weight of a moment of another machine: they count alike, together as many as MISSING. */
static double weight_elsewhere(const struct lxfw_remaining *remaining,
			       const struct lxfw_elsewhere *elsewhere, double missing)
{
	double each = remaining->own > 0 ? 0 : 1;

	for (size_t i = 0; i < remaining->moment_count && remaining->own > 0; i++)
		each += remaining->moment_weights[i] / remaining->own;
	return each * missing / (double)elsewhere->moments;
}

static void add_elsewhere(struct lxfw_remaining *remaining,
			  const struct lxfw_elsewhere *elsewhere, double missing,
			  const struct lxfw_elsewhere_size *by)
{
	double each = weight_elsewhere(remaining, elsewhere, missing);

	for (size_t i = 0; i < elsewhere->count; i++) {
		const struct lxfw_elsewhere_job *job = &elsewhere->jobs[i];
		const struct lxfw_standing standing = { job->age, job->expected, job->limit };
		const struct lxfw_bounds raw = {
			{ { job->low50, job->high50 }, { job->low90, job->high90 } },
		};
		double error = by->middle + by->ratio * (lxfw_elsewhere_error(job) - by->middle);

		if (i == 0 || job->moment != job[-1].moment)
			add_moment(remaining, 0, each);
		learn_one(remaining, &standing, &raw, logarithm((double)job->expected) + error,
			  false, 1);
	}
}

/* Returns 0, or -1 with errno ENOMEM. */
static int learn_elsewhere(struct lxfw_remaining *remaining,
			   const struct lxfw_elsewhere *elsewhere)
{
	size_t first = remaining->count;
	double missing = OWN_ENOUGH - remaining->own;
	struct lxfw_elsewhere_size by;

	if (missing <= 0 || elsewhere->moments == 0)
		return 0;
	if (measure(remaining, elsewhere, &by))
		return -1;
	add_elsewhere(remaining, elsewhere, missing, &by);
	share(remaining, first);
	remaining->elsewhere = missing;
	remaining->apart += missing;
	return 0;
}

struct lxfw_remaining *lxfw_remaining_learn(const struct lxfw_promises *promises, int64_t now,
					    const struct lxfw_elsewhere *elsewhere)
{
	struct lxfw_remaining *remaining = calloc(1, sizeof(*remaining));

	if (!remaining || allocate(remaining, promises->count + (elsewhere ? elsewhere->count : 0)) ||
	    learn_own(remaining, promises, now) ||
	    (elsewhere && learn_elsewhere(remaining, elsewhere))) {
		lxfw_remaining_free(remaining);
		return NULL;
	}
	for (int i = 0; i < SIDES; i++)
		qsort(remaining->sides[i], remaining->count, sizeof(**remaining->sides),
		      ascending);
	return remaining;
}

size_t lxfw_remaining_jobs(const struct lxfw_remaining *remaining)
{
	return remaining->own_count;
}

size_t lxfw_remaining_moments(const struct lxfw_remaining *remaining)
{
	return remaining->own_moments;
}

double lxfw_remaining_number(const struct lxfw_remaining *remaining)
{
	return remaining->own;
}

double lxfw_remaining_elsewhere(const struct lxfw_remaining *remaining)
{
	return remaining->elsewhere;
}

/* --- corrections -------------------------------------------------------------------- */

/* Sets the kernel around a point. */
static void set_kernel(struct lxfw_remaining *remaining, const double point[FEATURES])
{
	for (size_t i = 0; i < remaining->moment_count; i++)
		remaining->moment_kernel[i] = 0;
	for (size_t i = 0; i < remaining->count; i++) {
		double distance = 0;

		for (int j = 0; j < FEATURES; j++) {
			double difference = remaining->features[i][j] - point[j];

			distance += difference * difference;
		}
		remaining->kernel[i] = remaining->weights[i] * exp(-distance / 2);
		remaining->moment_kernel[remaining->moment[i]] += remaining->kernel[i];
	}
}

/* Number of equal moments that would be as informative, if jobs that are not alike count by
   OTHERS. */
static double moments_of(const struct lxfw_remaining *remaining, double others)
{
	double sum = 0, squares = 0, number;

	for (size_t i = 0; i < remaining->moment_count; i++) {
		double weight = remaining->moment_kernel[i] +
				others * remaining->moment_weights[i];

		sum += weight;
		squares += weight * weight;
	}
	number = squares > 0 ? sum * sum / squares : 0;
	return number < remaining->apart ? number : remaining->apart;
}

/* The share of the known truths that must be within a bound. */
static double needed(int side, double number)
{
	double share = side % 2 ? shares[side] : 1 - shares[side];

	return number > 0 ? share * (1 + 1 / number) : INFINITY;
}

bool lxfw_remaining_states(const struct lxfw_remaining *remaining, int interval)
{
	return needed(2 * interval, number_of(remaining)) <= 1;
}

static double weight_at(const struct lxfw_remaining *remaining, const struct scored *at,
			double others)
{
	return remaining->kernel[at->at] + others * remaining->weights[at->at];
}

/*
 * The weighted quantile of the scores of a side, with one more moment than NUMBER: of that of an upper bound
 * the share that is needed is not above it, of that of a lower bound not below it. The score of a job that
 * still waits is one of those above that of its wait so far (Kaplan and Meier 1958).
 */
static double move_of(const struct lxfw_remaining *remaining, int side, double others,
		      double number)
{
	const struct scored *scored = remaining->sides[side];
	bool high = side % 2;
	double share = needed(side, number), left = 0, above = 1, move = 0;

	if (share > 1)
		return high ? INFINITY : -INFINITY;
	for (size_t i = 0; i < remaining->count; i++)
		left += weight_at(remaining, &scored[i], others);
	for (size_t i = 0; i < remaining->count; i++) {
		double weight = weight_at(remaining, &scored[i], others);

		if (high || !remaining->waits[scored[i].at])
			move = scored[i].score;
		if (!remaining->waits[scored[i].at])
			above *= left > weight ? 1 - weight / left : 0;
		left -= weight;
		if (above <= 1 - share + ROUNDING && high)
			return move;
		if (above < share - ROUNDING && !high)
			return move;
	}
	return move;
}

static void compute(struct lxfw_remaining *remaining, const double point[FEATURES],
		    struct cell *cell)
{
	double others = 0.003, number;

	set_kernel(remaining, point);
	number = moments_of(remaining, others);
	while (others < 100 && number < WANTED && number < remaining->apart) {
		others *= 3;
		number = moments_of(remaining, others);
	}
	for (int i = 0; i < SIDES; i++)
		cell->moved[i] = move_of(remaining, i, others, number);
}

/* Returns the corrections of a cell, or NULL with errno ENOMEM. */
static const struct cell *find_cell(struct lxfw_remaining *remaining,
				    const struct lxfw_standing *standing)
{
	double point[FEATURES];
	uint64_t key = 1;
	int32_t index;

	features_of(standing, point);
	for (int i = 0; i < FEATURES; i++) {
		double part = floor(point[i] / CELL);

		point[i] = (part + 0.5) * CELL;
		key = key * 1000 + (uint64_t)part;
	}
	index = lxfw_id_map_get(&remaining->by_cell, key);
	if (index >= 0)
		return &remaining->cells[index];
	if (LXFW_GROW(remaining->cells, remaining->cell_size, remaining->cell_count + 1) ||
	    lxfw_id_map_add(&remaining->by_cell, key, (int32_t)remaining->cell_count))
		return NULL;
	compute(remaining, point, &remaining->cells[remaining->cell_count]);
	return &remaining->cells[remaining->cell_count++];
}

static double moved(double wait, double by, int64_t horizon)
{
	double to = isinf(by) ? (by > 0 ? (double)horizon : 0) :
		    exp(logarithm(wait) + by) - OFFSET;

	return to < 0 ? 0 : to > (double)horizon ? (double)horizon : to;
}

int lxfw_remaining_correct(struct lxfw_remaining *remaining,
			   const struct lxfw_standing *standing, int64_t horizon,
			   struct lxfw_bounds *bounds)
{
	const struct cell *cell = find_cell(remaining, standing);
	struct lxfw_interval *half = &bounds->of[LXFW_HALF], *most = &bounds->of[LXFW_MOST];

	if (!cell)
		return -1;
	for (int i = 0; i < LXFW_STATED; i++) {
		struct lxfw_interval *of = &bounds->of[i];

		of->low = moved(of->low, cell->moved[2 * i], horizon);
		of->high = moved(of->high, cell->moved[2 * i + 1], horizon);
		if (of->low > of->high)
			of->low = of->high = (of->low + of->high) / 2;
	}
	most->low = most->low < half->low ? most->low : half->low;
	most->high = most->high > half->high ? most->high : half->high;
	return 0;
}
