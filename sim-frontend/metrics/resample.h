/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How sure a difference between two schedules of the same jobs is: blocks of days are
 * drawn with replacement, whole and the same for both, and the difference taken anew
 * (cluster bootstrap; Efron 1979). Jobs of a block share their fate. Blocks that follow
 * each other do a little, so that some are drawn together (Kuensch 1989); and one such
 * run fewer than there are is drawn, since the spread of few is too small by as much
 * (Rao and Wu 1988).
 */
#ifndef LXFW_METRICS_RESAMPLE_H
#define LXFW_METRICS_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/goal.h"

/* Fewer clusters tell of no spread. */
#define LXFW_CLUSTERS_LEAST 6

#define LXFW_DRAWS 2000

/* The jobs that count, by position in arrays of COUNT. */
struct lxfw_sample {
	const int32_t *clusters;	/* 0 .. cluster_count - 1 of each job, in
					   their order in time */
	size_t count;
	int cluster_count;
	/* Of a maximum: jobs stand copy after copy of the log, as many of each, and what
	   counts is the mean of the copies' maxima; 0 = one. */
	size_t copies;
	uint64_t seed;
	int64_t bound;		/* of the bounded slowdown, s; 0 = 10 */
};

/*
 * What MEASURE changes by from NOW to THEN, of the same jobs in the same order, as a
 * part of what it is now, in LXFW_DRAWS draws, ascending; of a maximum: what the mean of
 * the clusters' maxima changes by, since a maximum of all is one job. INFINITY where
 * there was nothing before and is something then. 0; 1 where there are none (too few
 * clusters, or nothing now); -1 with errno ENOMEM.
 */
int lxfw_resample(const struct lxfw_sample *sample, enum lxfw_tune_measure measure,
		  const struct lxfw_outcome *now, const struct lxfw_outcome *then,
		  double *draws);

/*
 * By how much the logarithm of a 95 % interval of the draws has to be wider on either
 * side of what all clusters say: the spread of few clusters is itself a guess, so that
 * the quantile is Student's, with one degree of freedom less than there are runs of
 * clusters, and not that of the normal distribution. 1 or more.
 */
double lxfw_resample_widening(int clusters);

#endif
