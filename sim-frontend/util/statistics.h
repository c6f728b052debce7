/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Measures of a sample that need it sorted. */
#ifndef LXFW_UTIL_STATISTICS_H
#define LXFW_UTIL_STATISTICS_H

#include <stddef.h>

/* The smallest value that at least half of the sample does not exceed (nearest
   rank); VALUES are put in order. 0 of none. */
double lxfw_median(double *values, size_t count);

/*
 * Spearman's rank correlation: -1 to 1, equal values sharing the mean of their
 * ranks. *CORRELATION is 0 where one of the two does not vary. 0, or -1 with errno
 * ENOMEM.
 */
int lxfw_rank_correlation(const double *x, const double *y, size_t count,
			  double *correlation);

#endif
