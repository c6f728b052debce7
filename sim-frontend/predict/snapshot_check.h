/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of a snapshot that is read: of the last line, and of the whole. They return 0, or
 * -1 with errno EINVAL and WHY set to what is wrong and what was expected, or ENOMEM.
 */
#ifndef LXFW_PREDICT_SNAPSHOT_CHECK_H
#define LXFW_PREDICT_SNAPSHOT_CHECK_H

#include "sim-frontend/predict/snapshot_file.h"

int lxfw_snapshot_check_host(const struct lxfw_snapshot_file *file, char *why, size_t size);
int lxfw_snapshot_check_set(const struct lxfw_snapshot_file *file, char *why, size_t size);
int lxfw_snapshot_check_block(const struct lxfw_snapshot_file *file, char *why, size_t size);
int lxfw_snapshot_check_job(const struct lxfw_snapshot_file *file, char *why, size_t size);
int lxfw_snapshot_check_reservation(const struct lxfw_snapshot_file *file, char *why,
				    size_t size);
int lxfw_snapshot_check_submitted(const struct lxfw_snapshot_file *file, char *why,
				  size_t size);

/* No sum of amounts on a host overflows. */
int lxfw_snapshot_check_all(const struct lxfw_snapshot_file *file, char *why, size_t size);

#endif
