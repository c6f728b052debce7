/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How long the plans of SJS and PJS take, on the 40 machines in part in 5 clusters of Collins and
 * George 2001, figure 4. Prints the shortest of several times.
 */
#define _POSIX_C_SOURCE 199309L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "sim-frontend/experiment/collins.h"

#define ROUNDS 5
#define DRAWINGS 5

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Milliseconds, mean over the drawings. */
static double measure(int jobs, int percent, bool parallel)
{
	double sum = 0;

	for (uint64_t seed = 1; seed <= DRAWINGS; seed++) {
		double least = 0;

		for (int i = 0; i < ROUNDS; i++) {
			double begin = now(), time;

			if (lxfw_collins_plans(jobs, percent, parallel, seed) < 0)
				exit(1);
			time = now() - begin;
			least = i == 0 || time < least ? time : least;
		}
		sum += least;
	}
	return sum * 1000 / DRAWINGS;
}

int main(void)
{
	static const int jobs[] = { 5, 50, 100, 250, 500, 1000 };

	puts("ms for a plan: SJS, PJS, PJS / SJS");
	for (size_t i = 0; i < sizeof(jobs) / sizeof(*jobs); i++) {
		for (int percent = 10; percent <= 100; percent += 90) {
			double one = measure(jobs[i], percent, false);
			double other = measure(jobs[i], percent, true);

			printf("%4d jobs, %3d %% parallel: %8.3f %8.3f %6.2f\n", jobs[i], percent,
			       one, other, other / one);
		}
	}
	return 0;
}
