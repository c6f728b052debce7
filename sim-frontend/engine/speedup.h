/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Speed of a job on fewer processors than it requested. All jobs have the same curve
 * S(n). On n of the r requested processors, a job has S(n) / S(r) of its full speed.
 *
 *   linear           S(n) = n
 *   amdahl:F         S(n) = 1 / (F + (1 - F) / n), F the serial fraction
 *                    (Amdahl, AFIPS 1967)
 *   downey:A,SIGMA   Downey, A model for speedup of parallel programs (Berkeley,
 *                    CSD-97-933, 1997): average parallelism A, variance of
 *                    parallelism SIGMA;
 *                    SIGMA <= 1:
 *                      A n / (A + SIGMA / 2 (n - 1))             n <= A
 *                      A n / (SIGMA (A - 1/2) + n (1 - SIGMA / 2))
 *                                                             n <= 2 A - 1
 *                    SIGMA >= 1:
 *                      n A (SIGMA + 1) / (SIGMA (n + A - 1) + A)
 *                                                 n <= A + A SIGMA - SIGMA
 *                    and A for larger n.
 *
 * Speeds are integers: work per second. With linear speed-up they are processors, so that
 * no rounding occurs. Otherwise LXFW_SPEEDUP_UNIT is full speed, and a fraction of it is
 * computed by a fixed sequence of operations.
 */
#ifndef LXFW_ENGINE_SPEEDUP_H
#define LXFW_ENGINE_SPEEDUP_H

#include <stdint.h>

#define LXFW_SPEEDUP_UNIT (INT64_C(1) << 24)

struct lxfw_speedup {
	enum {
		LXFW_SPEEDUP_LINEAR,
		LXFW_SPEEDUP_AMDAHL,
		LXFW_SPEEDUP_DOWNEY,
	} kind;
	double serial;		/* Amdahl: 0 to 1 */
	double parallelism;	/* Downey: A, 1 to 1e6 */
	double variance;	/* Downey: SIGMA, 0 to 1e6 */
};

/* Parses one of the above. Returns 0, or -1 with *SPEEDUP unchanged. */
int lxfw_speedup_parse(struct lxfw_speedup *speedup, const char *text);

/* Return the work per second on all REQUESTED processors, and on PROCS of them (0 or
   more; those beyond the request have no effect). SPEEDUP may be NULL for linear. */
int64_t lxfw_speedup_full(const struct lxfw_speedup *speedup,
			  int64_t requested);
int64_t lxfw_speedup_rate(const struct lxfw_speedup *speedup, int64_t procs,
			  int64_t requested);

/* The same for more than REQUESTED processors, which the job can use. */
int64_t lxfw_speedup_beyond(const struct lxfw_speedup *speedup, int64_t procs,
			    int64_t requested);

#endif
