/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times and durations are whole seconds; times are of the adapter's clock. */
#ifndef LXFW_MODEL_TIME_H
#define LXFW_MODEL_TIME_H

#include <stdint.h>

/* A time that is later than every other. */
#define LXFW_NEVER INT64_MAX

/* Times and durations are within +- this many seconds, so that the sum of two cannot
   overflow. */
#define LXFW_TIME_MAX (INT64_C(1) << 60)

#endif
