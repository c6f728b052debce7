/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/clock.h"

#include <time.h>

uint64_t lxfw_now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
