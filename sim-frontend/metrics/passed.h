/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which jobs of a schedule others were let past. A job that came later, to the same
 * queue, and asked for no fewer processors, no less time and no less memory, can start
 * only where the earlier one could have too, and comes behind it under every policy of
 * this library with a preset's weights. If it is started first, the earlier one was not
 * free to: held, depending on another job, stopped by a limit of its user, or bound to
 * nodes or features of which the log does not tell.
 */
#ifndef LXFW_METRICS_PASSED_H
#define LXFW_METRICS_PASSED_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/timeline.h"

/* From the first such start to the last; equal where there was none. */
struct lxfw_passed {
	int64_t first, last;
};

/* At each start the 4096 jobs of its queue that came first are looked at. PASSED has
   COUNT items, in the order of STAYS. 0, or -1 with errno ENOMEM. */
int lxfw_passed_find(const struct lxfw_stay *stays, size_t count,
		     struct lxfw_passed *passed);

#endif
