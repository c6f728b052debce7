/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values of the keys of a snapshot. */
#ifndef LXFW_PREDICT_SNAPSHOT_VALUE_H
#define LXFW_PREDICT_SNAPSHOT_VALUE_H

#include <stddef.h>

#include "sim-frontend/predict/snapshot_fields.h"

/* Parses TEXT and sets the member of OBJECT, which was 0 before. Returns 0, or -1 with
   errno EINVAL and WHY set to what was expected, or ENOMEM. */
int lxfw_snapshot_value(const struct lxfw_snapshot_field *field, const char *text,
			void *object, char *why, size_t size);

#endif
