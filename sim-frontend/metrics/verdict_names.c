/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of levels, and what a verdict is if there is nothing to judge. */
#include <stdio.h>

#include "sim-frontend/metrics/verdict.h"

const char *lxfw_verdict_key(enum lxfw_verdict_level level)
{
	static const char *const keys[] = { "good", "care", "not", "none" };

	return keys[level];
}

const char *lxfw_verdict_name(enum lxfw_verdict_level level)
{
	static const char *const names[] = {
		"good for decisions", "usable with care",
		"not good for decisions", "none",
	};

	return names[level];
}

void lxfw_verdict_none(struct lxfw_verdict *verdict)
{
	*verdict = (struct lxfw_verdict) {
		.level = LXFW_VERDICT_NONE, .reason_count = 1,
		.weeks = -1, .sizes = -1, .run_times = -1, .queues = -1,
		.together = 2,
	};
	snprintf(verdict->reasons[0], sizeof(verdict->reasons[0]), "The log contains no "
		 "measured waits, so the accuracy of the simulation is "
		 "unknown.");
	snprintf(verdict->next, sizeof(verdict->next), "Use a log with measured "
		 "waits, such as the accounting of the site.");
}

double lxfw_verdict_unexplained(const struct lxfw_unexplained *measured,
				const struct lxfw_unexplained *simulated)
{
	double seconds = 0;

	for (int part = LXFW_WAIT_PASSED; part < LXFW_WAIT_PARTS; part++)
		seconds += measured->parts[part].seconds -
			   simulated->parts[part].seconds;
	return seconds > 0 && measured->wait_seconds > 0 ?
	       seconds / measured->wait_seconds : 0;
}
