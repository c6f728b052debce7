/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random numbers that are identical on all platforms: xoshiro256** (Blackman and Vigna
 * 2021) seeded by splitmix64, and the distributions of the workload models. Logarithm and
 * exponential are computed in a fixed order of IEEE operations, since those of C
 * libraries differ in the last bit.
 */
#ifndef LXFW_UTIL_RANDOM_H
#define LXFW_UTIL_RANDOM_H

#include <stdint.h>

struct lxfw_random {
	uint64_t state[4];
};

/* Streams with the same seed are independent of each other. */
void lxfw_random_seed(struct lxfw_random *random, uint64_t seed,
		      uint64_t stream);

uint64_t lxfw_random_bits(struct lxfw_random *random);

/* Returns a uniform integer from 0 to BELOW - 1. BELOW is 1 or more. */
uint64_t lxfw_random_below(struct lxfw_random *random, uint64_t below);

/* Returns a uniform number between 0 and 1, both excluded. */
double lxfw_random_uniform(struct lxfw_random *random);

/* Standard normal distribution, and gamma distribution with mean SHAPE * SCALE; both
   parameters are above 0. */
double lxfw_random_normal(struct lxfw_random *random);
double lxfw_random_gamma(struct lxfw_random *random, double shape,
			 double scale);

/* Accurate to a few units in the last place. The logarithm requires X > 0 and normal,
   the exponential |X| < 700. */
double lxfw_random_log(double x);
double lxfw_random_exp(double x);

/* Returns BASE to the power of EXPONENT. BASE > 0. */
double lxfw_random_power(double base, double exponent);

#endif
