/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The values of the modal model and the number of jobs that request each. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "sim-frontend/util/random.h"
#include "sim-frontend/workload/estimates.h"

#define MINUTE 60
#define HOUR 3600

#define HEAD 20
#define VALUES_MOST 565

/* Per cent of the jobs that request a value of the head. */
#define HEAD_SHARE 89.0

/* The random stream "modal". */
#define STREAM UINT64_C(0x6d6f64616c)

struct value {
	int64_t time;		/* seconds */
	double share;		/* per cent of the jobs */
};

static const int64_t joint[] = {
	5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 20 * MINUTE, 30 * MINUTE, HOUR,
	2 * HOUR, 3 * HOUR, 4 * HOUR, 5 * HOUR, 6 * HOUR, 8 * HOUR, 10 * HOUR,
	12 * HOUR, 18 * HOUR,
};

static const int64_t steps[] = {
	200 * HOUR, 100 * HOUR, 50 * HOUR, 10 * HOUR, 5 * HOUR, 2 * HOUR, HOUR,
	20 * MINUTE, 10 * MINUTE, 5 * MINUTE,
};

/* Returns the number of values that COUNT jobs request. */
static int number_of_values(size_t count)
{
	static const struct {
		double jobs, values;
	} points[] = {
		{ 0, 0 }, { 20, 10 }, { 200, 20 }, { 1000, 35 }, { 10000, 90 },
		{ 70000, 340 }, { 250000, VALUES_MOST },
	};
	int last = sizeof(points) / sizeof(*points) - 1, i = 1;

	if ((double)count >= points[last].jobs)
		return VALUES_MOST;
	while ((double)count > points[i].jobs)
		i++;
	return (int)floor(points[i - 1].values + 0.5 +
			  ((double)count - points[i - 1].jobs) *
			  (points[i].values - points[i - 1].values) /
			  (points[i].jobs - points[i - 1].jobs));
}

static bool has(const struct value *values, int count, int64_t time)
{
	for (int i = 0; i < count; i++) {
		if (values[i].time == time)
			return true;
	}
	return false;
}

/* Sets the longest value and the round values below it, up to HEAD. */
static int head_times(int64_t longest, struct value *values)
{
	int count = 0;

	values[count++].time = longest;
	for (size_t i = 0; i < sizeof(joint) / sizeof(*joint); i++) {
		if (joint[i] < longest)
			values[count++].time = joint[i];
	}
	for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		int64_t time = longest / steps[i] * steps[i];

		for (; time > 0 && count < HEAD; time -= steps[i]) {
			if (!has(values, count, time))
				values[count++].time = time;
		}
	}
	return count;
}

/* The longest value is the most popular; the others are ordered at random. */
static void head_shares(struct value *values, int count,
			struct lxfw_random *random)
{
	double sum = 0;

	for (int i = count - 1; i > 1; i--) {
		int other = 1 + (int)lxfw_random_below(random, (uint64_t)i);
		int64_t swap = values[i].time;

		values[i].time = values[other].time;
		values[other].time = swap;
	}
	for (int i = 1; i < count; i++) {
		values[i].share = 14.0491 * lxfw_random_exp(-0.177531 * (i + 1)) +
				  0.462513;
		sum += values[i].share;
	}
	values[0].share = HEAD_SHARE - sum;
}

/* Adds values up to VALUES_COUNT in total. Values of the head are omitted. */
static int add_tail(struct value *values, int head, int values_count,
		    struct lxfw_random *random)
{
	int tail = values_count - HEAD, count = head;
	double a, sum = 0;

	if (tail <= 0)
		return count;
	a = 1 + 12.1039 * lxfw_random_power(values_count, -0.6026);
	for (int i = 1; i <= tail; i++) {
		double rank = (double)i / tail;
		double part = (a - 1) * rank / (a - rank);
		int64_t time = (int64_t)floor(part * (double)values[0].time /
					      MINUTE + 0.5) * MINUTE;

		if (time > 0 && time < values[0].time &&
		    !has(values, count, time))
			values[count++].time = time;
	}
	for (int i = count - 1; i > head; i--) {
		int other = head + (int)lxfw_random_below(random,
						(uint64_t)(i - head + 1));
		int64_t swap = values[i].time;

		values[i].time = values[other].time;
		values[other].time = swap;
	}
	for (int i = head; i < count; i++) {
		values[i].share = 795.6 * lxfw_random_power(i - head + HEAD + 1,
							    -2.267);
		sum += values[i].share;
	}
	for (int i = head; i < count; i++)
		values[i].share *= (100 - HEAD_SHARE) / sum;
	return count;
}

static int by_time(const void *left, const void *right)
{
	const struct value *a = left, *b = right;

	return (a->time < b->time) - (a->time > b->time);
}

int lxfw_estimates_modal(int64_t longest, uint64_t seed, int64_t *estimates,
			 size_t count)
{
	struct value *values = calloc(VALUES_MOST + HEAD, sizeof(*values));
	struct lxfw_random random;
	double all = 0, up_to = 0;
	size_t next = 0;
	int used;

	if (!values) {
		errno = ENOMEM;
		return -1;
	}
	lxfw_random_seed(&random, seed, STREAM);
	used = head_times(longest, values);
	head_shares(values, used, &random);
	used = add_tail(values, used, number_of_values(count), &random);
	qsort(values, (size_t)used, sizeof(*values), by_time);
	for (int i = 0; i < used; i++)
		all += values[i].share;
	/* divides the jobs at the cumulative shares, so that the total is COUNT */
	for (int i = 0; i < used; i++) {
		size_t end;

		up_to += values[i].share;
		end = i + 1 == used ? count :
		      (size_t)floor((double)count * (up_to / all) + 0.5);
		while (next < end && next < count)
			estimates[next++] = values[i].time;
	}
	free(values);
	return 0;
}
