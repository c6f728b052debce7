/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Detects jobs that were passed by later ones. If a later job of the same queue requests
 * no fewer processors, no less time, no less memory and nothing less on each host, and may
 * run only where the earlier one may, it can start only when the
 * earlier one could start as well, and has a lower priority under every policy of this
 * library with preset weights. If it starts first, the earlier job was not eligible:
 * held, dependent on another job, stopped by a limit of its user, or bound to nodes or
 * features that the log does not state.
 */
#ifndef LXFW_METRICS_PASSED_H
#define LXFW_METRICS_PASSED_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/metrics/timeline.h"

/* The first and the last such start; equal if there was none. */
struct lxfw_passed {
	int64_t first, last;
};

/* Each start is compared with the first 4096 jobs of its queue. PASSED has COUNT
   items, parallel to STAYS. Returns 0, or -1 with errno ENOMEM. */
int lxfw_passed_find(const struct lxfw_stay *stays, size_t count,
		     struct lxfw_passed *passed);

#endif
