/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that are the same bits everywhere: xoshiro256** (Blackman and
 * Vigna 2021) seeded by splitmix64, and the distributions that the workload
 * models draw from. Logarithm and exponential are computed here in a fixed order of
 * IEEE operations, since those of C libraries differ in the last bit.
 */
#ifndef LXFW_UTIL_RANDOM_H
#define LXFW_UTIL_RANDOM_H

#include <stdint.h>

struct lxfw_random {
	uint64_t state[4];
};

/* Streams of one seed are independent of each other. */
void lxfw_random_seed(struct lxfw_random *random, uint64_t seed,
		      uint64_t stream);

uint64_t lxfw_random_bits(struct lxfw_random *random);

/* 0 <= integer < BELOW, each equally likely; BELOW is 1 or more. */
uint64_t lxfw_random_below(struct lxfw_random *random, uint64_t below);

/* 0 < number < 1. */
double lxfw_random_uniform(struct lxfw_random *random);

/* Standard normal, and gamma of mean SHAPE * SCALE; both above 0. */
double lxfw_random_normal(struct lxfw_random *random);
double lxfw_random_gamma(struct lxfw_random *random, double shape,
			 double scale);

/* Within a few units in the last place; X > 0 and normal for the logarithm, |X| < 700
   for the exponential. */
double lxfw_random_log(double x);
double lxfw_random_exp(double x);

/* BASE to the power of EXPONENT, 0 < BASE. */
double lxfw_random_power(double base, double exponent);

#endif
