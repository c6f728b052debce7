/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How sure a difference between two schedules of the same jobs is: weeks (or days) are
 * drawn with replacement, whole and the same for both, and the difference taken anew
 * (cluster bootstrap; Efron 1979). Jobs of a week share their fate, weeks hardly do.
 */
#ifndef LXFW_TUNE_RESAMPLE_H
#define LXFW_TUNE_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/tune/goal.h"

/* Fewer clusters tell of no spread. */
#define LXFW_CLUSTERS_LEAST 6

/* The jobs that count, by position in arrays of COUNT. */
struct lxfw_sample {
	const int32_t *clusters;	/* 0 .. cluster_count - 1 of each job */
	size_t count;
	int cluster_count;
	uint64_t seed;
	int64_t bound;		/* of the bounded slowdown, s; 0 = 10 */
};

/*
 * The 95 % interval of what MEASURE changes by from NOW to THEN, of the same jobs in
 * the same order, as a part of what it is now: 0 with LOW and HIGH set; 1 where it has
 * none (a maximum, too few clusters, or nothing now); -1 with errno ENOMEM.
 */
int lxfw_resample(const struct lxfw_sample *sample, enum lxfw_tune_measure measure,
		  const struct lxfw_outcome *now, const struct lxfw_outcome *then,
		  double *low, double *high);

/* Whether LESS of LESS + MORE is beyond chance at 5 % were each as likely. */
bool lxfw_sign_test(int less, int more);

#endif
