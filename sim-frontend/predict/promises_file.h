/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file with earlier predictions and the starts of their jobs, by which intervals are corrected:
 *
 *   lxfw-calibration 2
 *   time start age expected limit weight low50 high50 low90 high90
 *   1000000 1003600 60 3000 7200 1 2000 4000 1000 9000
 *
 * Times are seconds, all others but the weight are spans from the time on.
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

/* Adds those of a file. Returns 0, or -1 with errno and ERROR set. */
int lxfw_promises_read(struct lxfw_promises *promises, const char *path,
		       struct lxfw_error *error);

#endif
