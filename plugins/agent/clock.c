/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

uint64_t lxfw_now_us(void)
{
	return read_clock(CLOCK_MONOTONIC);
}

uint64_t lxfw_processor_time_us(void)
{
	return read_clock(CLOCK_THREAD_CPUTIME_ID);
}
