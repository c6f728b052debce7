/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Confidence of a difference between two schedules of the same jobs. Whole blocks of days
 * are drawn with replacement, the same for both schedules, and the difference is computed
 * for each draw (cluster bootstrap; Efron 1979), since the jobs of a block depend on each
 * other. Consecutive blocks depend on each other to a lesser degree, so that runs of
 * blocks are drawn (Kuensch 1989). One run fewer than available is drawn, which corrects
 * the underestimated variance of a small number (Rao and Wu 1988).
 */
#ifndef LXFW_METRICS_RESAMPLE_H
#define LXFW_METRICS_RESAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/goal.h"

/* Minimum number of clusters for an estimate of the variance. */
#define LXFW_CLUSTERS_LEAST 6

#define LXFW_DRAWS 2000

/* The jobs that count, by position in arrays of COUNT. */
struct lxfw_sample {
	const int32_t *clusters;	/* cluster of each job, 0 to cluster_count - 1;
					   clusters are in order of time */
	size_t count;
	int cluster_count;
	/* For a maximum: the jobs consist of this many copies of the log, one after
	   another and of equal size, and the mean of the copies' maxima is used. 0:
	   one copy. */
	size_t copies;
	uint64_t seed;
	int64_t bound;		/* of the bounded slowdown, seconds; 0: the default, 10 */
};

/*
 * Computes the change of MEASURE from NOW to THEN, which have the same jobs in the same
 * order, as a fraction of its value in NOW, in LXFW_DRAWS draws in ascending order. For a
 * maximum, it is the change of the mean of the clusters' maxima, since the overall
 * maximum is the value of a single job. INFINITY if only the value in NOW is 0. Returns
 * 0, 1 if there is no result (too few clusters, or a value of 0 in NOW), or -1 with errno
 * ENOMEM.
 */
int lxfw_resample(const struct lxfw_sample *sample, enum lxfw_tune_measure measure,
		  const struct lxfw_outcome *now, const struct lxfw_outcome *then,
		  double *draws);

/* The nominal probability of an interval. */
enum lxfw_interval_level {
	LXFW_INTERVAL_90,
	LXFW_INTERVAL_95,
	LXFW_INTERVAL_LEVELS,
};

/*
 * Returns the factor by which the logarithm of an interval of the draws must be
 * widened on either side of the overall estimate. With few clusters, the variance is
 * itself an estimate, so that Student's quantile applies instead of the normal one, with
 * one degree of freedom less than the number of runs of clusters. The factor is 1 or
 * more.
 */
double lxfw_resample_widening(int clusters, enum lxfw_interval_level level);

/* Returns END, an end of the interval of the draws, moved away from the change of the
   WHOLE log by this factor, on a logarithmic scale; END if either has no logarithm. */
double lxfw_resample_widen(double end, double whole, int clusters,
			   enum lxfw_interval_level level);

#endif
