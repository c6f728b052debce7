/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A file with the corrections of intervals:
 *
 *   lxfw-calibration 1
 *   jobs 450
 *   10 -0.25 0.125		nominal coverage in per cent; corrections of the bounds
 *   ...			20 to 90
 */
#ifndef LXFW_PREDICT_CORRECTIONS_FILE_H
#define LXFW_PREDICT_CORRECTIONS_FILE_H

#include "common/util/error.h"
#include "sim-frontend/predict/calibrate.h"

/* Return 0, or -1 with errno and ERROR set. */
int lxfw_corrections_write(const struct lxfw_corrections *corrections, const char *path,
			   struct lxfw_error *error);
int lxfw_corrections_read(struct lxfw_corrections *corrections, const char *path,
			  struct lxfw_error *error);

#endif
