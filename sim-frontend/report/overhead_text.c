/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/overhead_text.h"

#include <stdio.h>

const char *lxfw_overhead_text(const struct lxfw_start_delay *estimate, char *text,
			       size_t size)
{
	const char *which = estimate->beside ?
			    "had free processors besides all running and "
			    	"waiting jobs" :
			    "arrived at an empty queue and had free processors";

	if (!estimate->known)
		snprintf(text, size, "unknown: only %zu of the jobs %s",
			 estimate->jobs, which);
	else if (estimate->clean)
		snprintf(text, size, "estimated from %zu jobs that %s: the mean, "
			 "%lld to %lld s with 95 %% confidence",
			 estimate->jobs, which, (long long)estimate->low,
			 (long long)estimate->high);
	else
		snprintf(text, size, "estimated from %zu jobs that %s: the "
			 "first decile, because too many waited for another "
			 "reason to use the mean", estimate->jobs, which);
	return text;
}
