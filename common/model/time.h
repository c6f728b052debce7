/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Times are whole seconds of the adapter's clock. */
#ifndef LXFW_MODEL_TIME_H
#define LXFW_MODEL_TIME_H

#include <stdint.h>

/* A time that never comes. */
#define LXFW_NEVER INT64_MAX

/* Times and durations lie within +- this many seconds, so that no sum of two can
   overflow. */
#define LXFW_TIME_MAX (INT64_C(1) << 60)

#endif
