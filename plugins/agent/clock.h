/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef LXFW_AGENT_CLOCK_H
#define LXFW_AGENT_CLOCK_H

#include <stdint.h>

/* Returns the monotonic clock in microseconds. */
uint64_t lxfw_now_us(void);

/* Returns the processor time of this thread in microseconds. */
uint64_t lxfw_processor_time_us(void);

#endif
