/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/random.h"

#include <math.h>

#define LN_2 0.69314718055994530942

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

void lxfw_random_seed(struct lxfw_random *random, uint64_t seed,
		      uint64_t stream)
{
	uint64_t state = stream;

	/* seeds and streams are small numbers: mix one before adding the other */
	state = splitmix(&state) + seed;
	for (int i = 0; i < 4; i++)
		random->state[i] = splitmix(&state);
}

static uint64_t rotate(uint64_t x, int by)
{
	return (x << by) | (x >> (64 - by));
}

uint64_t lxfw_random_bits(struct lxfw_random *random)
{
	uint64_t *s = random->state;
	uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t lxfw_random_below(struct lxfw_random *random, uint64_t below)
{
	/* rejects the lowest values, which would occur once more often than the others */
	uint64_t uneven = -below % below, bits;

	do
		bits = lxfw_random_bits(random);
	while (bits < uneven);
	return bits % below;
}

double lxfw_random_uniform(struct lxfw_random *random)
{
	return ((double)(lxfw_random_bits(random) >> 12) + 0.5) * 0x1p-52;
}

/* Marsaglia's polar method. The second number of the pair is discarded, so that the
   state consists of the generator's state only. */
double lxfw_random_normal(struct lxfw_random *random)
{
	double x, y, square;

	do {
		x = 2 * lxfw_random_uniform(random) - 1;
		y = 2 * lxfw_random_uniform(random) - 1;
		square = x * x + y * y;
	} while (square >= 1 || square == 0);
	return x * sqrt(-2 * lxfw_random_log(square) / square);
}

/* Marsaglia and Tsang 2000. */
double lxfw_random_gamma(struct lxfw_random *random, double shape, double scale)
{
	double boost = 1, d, c;

	if (shape < 1) {
		boost = lxfw_random_power(lxfw_random_uniform(random),
					  1 / shape);
		shape += 1;
	}
	d = shape - 1.0 / 3;
	c = 1 / sqrt(9 * d);
	for (;;) {
		double x = lxfw_random_normal(random), v = 1 + c * x, u;

		if (v <= 0)
			continue;
		v = v * v * v;
		u = lxfw_random_uniform(random);
		if (lxfw_random_log(u) <
		    x * x / 2 + d - d * v + d * lxfw_random_log(v))
			return d * v * boost * scale;
	}
}

/* 2 artanh((m - 1) / (m + 1)) for m in 1/sqrt(2) .. sqrt(2) */
double lxfw_random_log(double x)
{
	int exponent;
	double m = frexp(x, &exponent), s, square, sum = 0;

	if (m < 0.70710678118654752440) {
		m *= 2;
		exponent--;
	}
	s = (m - 1) / (m + 1);
	square = s * s;
	for (int k = 21; k >= 1; k -= 2)
		sum = sum * square + 1.0 / k;
	return exponent * LN_2 + 2 * s * sum;
}

double lxfw_random_exp(double x)
{
	int halvings = (int)floor(x / LN_2 + 0.5);
	double rest = x - halvings * LN_2, sum = 1;

	for (int k = 14; k >= 1; k--)
		sum = 1 + sum * rest / k;
	return ldexp(sum, halvings);
}

double lxfw_random_power(double base, double exponent)
{
	return lxfw_random_exp(exponent * lxfw_random_log(base));
}
