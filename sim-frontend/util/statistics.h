/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Statistics that require a sorted sample. */
#ifndef LXFW_UTIL_STATISTICS_H
#define LXFW_UTIL_STATISTICS_H

#include <stddef.h>

/* Returns the smallest value that at least half of the sample does not exceed (nearest
   rank), 0 for an empty sample. Sorts VALUES. */
double lxfw_median(double *values, size_t count);

/*
 * Computes Spearman's rank correlation, -1 to 1. Equal values share the mean of their
 * ranks. *CORRELATION is 0 if one of the samples is constant. Returns 0, or -1 with errno
 * ENOMEM.
 */
int lxfw_rank_correlation(const double *x, const double *y, size_t count,
			  double *correlation);

#endif
