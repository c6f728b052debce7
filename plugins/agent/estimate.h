/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expected starts of all pending jobs that the library schedules: an outlook of the
 * library (common/outlook.h) is computed between passes, some milliseconds at a time and
 * without locks. The entries of jobs have the results (struct lxfw_known_job). An outlook
 * that takes too long is left incomplete; the jobs that it did not reach keep their last
 * estimates.
 */
#ifndef LXFW_AGENT_ESTIMATE_H
#define LXFW_AGENT_ESTIMATE_H

#include <stdbool.h>
#include <stdint.h>

struct lxfw_agent;
struct lxfw_outlook;

struct lxfw_estimates {
	struct lxfw_outlook *outlook;	/* in progress; or NULL */
	uint32_t number;	/* of the outlook */
	uint64_t of_changes;	/* agent->changes when it began */
	uint64_t began_us, used_us;
	uint32_t starts;	/* that it has found */
	int64_t first;		/* earliest estimate that is not the time of its
				   beginning, or LXFW_NEVER */
	bool differs;		/* from the last one */
};

/* Works on an outlook for some milliseconds. Begins one if something has changed since
   the last one began, but rarely enough that all of them together take at most a tenth of
   a processor. When it ends with other estimates than the last one, agent->stale is set.
   Call without locks, between passes. */
void lxfw_estimates_work(struct lxfw_agent *agent);

/* Returns true if an outlook is in progress. */
bool lxfw_estimates_in_progress(const struct lxfw_agent *agent);

/* Ends an outlook in progress. */
void lxfw_estimates_stop(struct lxfw_agent *agent);

#endif
