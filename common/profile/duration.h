/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Arithmetic with times and durations, in seconds, that does not overflow. */
#ifndef LXFW_PROFILE_DURATION_H
#define LXFW_PROFILE_DURATION_H

#include <stdint.h>

/* END of something that begins at START and lasts DURATION, without overflow. */
int64_t lxfw_time_add(int64_t start, int64_t duration);

/* How long what takes DURATION (0 or more) with FROM processors takes with TO of
   them, both 1 or more; at most LXFW_TIME_MAX. */
int64_t lxfw_time_scale(int64_t duration, int32_t from, int32_t to);

#endif
