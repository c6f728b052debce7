/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file with earlier predictions and the starts of their jobs, by which intervals are corrected:
 *
 *   lxfw-calibration 2
 *   time start age expected limit weight low50 high50 low90 high90 job
 *   1000000 1003600 60 3000 7200 1 2000 4000 1000 9000 1
 *
 * Times are seconds; age to limit and the bounds are spans from the time on. Jobs are numbered from
 * 1 in the file, which does not name them; 0 is one that is not known.
 */
#ifndef LXFW_PREDICT_PROMISES_FILE_H
#define LXFW_PREDICT_PROMISES_FILE_H

#include "common/util/error.h"
#include "sim-frontend/predict/remaining.h"

/* The most recent predictions are written, up to this number. */
#define LXFW_PROMISES_MAX 20000

/* Writes those whose starts are known. Returns 0, or -1 with errno and ERROR set. */
int lxfw_promises_write(const struct lxfw_promises *promises, const char *path,
			struct lxfw_error *error);

/*
 * Adds those of a file, in order of time; those that are there already are left out. If the last
 * start in the file is after NOW or more than 180 days before it, the file has times of another
 * clock, such as that of a log which begins at 0: they are moved, so that this start is now.
 * Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_promises_read(struct lxfw_promises *promises, const char *path, int64_t now,
		       struct lxfw_error *error);

#endif
