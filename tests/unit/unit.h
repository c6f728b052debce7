/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shared by the unit tests: cmocka with the headers that must precede it, and random
 * numbers whose seed is printed. The seed is 1, so that the same sources give the same
 * result; LXFW_SEED=N in the environment sets another one, as `make check-random` does.
 */
#ifndef LXFW_TESTS_UNIT_H
#define LXFW_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

/* Return the seed of this run, after printing it with the name WHAT. */
static inline uint64_t unit_seed(const char *what)
{
	const char *given = getenv("LXFW_SEED");
	uint64_t seed = given ? strtoull(given, NULL, 10) : 1;

	printf("# %s: LXFW_SEED=%llu\n", what, (unsigned long long)seed);
	fflush(stdout);
	return seed;
}

/*
 * Return the number of random cases: LXFW_CASES if it is set, otherwise FEW, or MANY if
 * LXFW_SEED is set, as by `make check-random`. FEW keeps `make check` short.
 */
static inline uint64_t unit_cases(uint64_t few, uint64_t many)
{
	const char *given = getenv("LXFW_CASES");

	if (given)
		return strtoull(given, NULL, 10);
	return getenv("LXFW_SEED") ? many : few;
}

/* splitmix64: sufficiently random, and the same on all platforms. */
static inline uint64_t unit_random(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

/* LOW to HIGH, both included. */
static inline int64_t unit_between(uint64_t *state, int64_t low, int64_t high)
{
	uint64_t span = (uint64_t)high - (uint64_t)low + 1;
	uint64_t number = unit_random(state);

	return (int64_t)((uint64_t)low + (span ? number % span : number));
}

#endif
