/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rearranged copies of a log: what the same users might have submitted instead, in other
 * weeks. Each session moves as a whole, at random, to one of the weeks of its part of the
 * log, at the same time of the week. A part has four weeks or more. A log of less than two
 * weeks is rearranged by days instead. The work of a part and its course over the week
 * stay, while the sessions that meet in the queue are others. In addition each copy
 * has the noise of shake.h.
 *
 * A session consists of jobs of one user, each submitted at most an hour after the
 * previous one and at most a day after the first. Of jobs whose users are unknown, and of all
 * jobs of a log with one user, those with the same processors and limit count as those of
 * one user.
 */
#ifndef LXFW_TRACE_REARRANGE_H
#define LXFW_TRACE_REARRANGE_H

#include "sim-frontend/trace/shake.h"
#include "sim-frontend/trace/trace.h"

struct lxfw_sessions {
	size_t *of;		/* session of each job, by position in the trace */
	int64_t *begin;		/* first submission of each session, seconds */
	size_t count;
};

/* Finds the sessions of TRACE. Returns 0, or -1 with errno ENOMEM. The caller clears
   SESSIONS in any case. */
int lxfw_sessions_find(struct lxfw_sessions *sessions, const struct lxfw_trace *trace);

void lxfw_sessions_clear(struct lxfw_sessions *sessions);

/*
 * Makes *COPY the rearranged copy number NUMBER of TRACE, with its jobs in the same
 * positions, but no headers or owners. The same seed and number give the same copy; copies
 * with different numbers are independent. Returns 0, or -1 with errno ENOMEM. Release with
 * lxfw_trace_clear().
 */
int lxfw_rearranged_copy(const struct lxfw_sessions *sessions,
			 const struct lxfw_shake *shake, const struct lxfw_trace *trace,
			 uint64_t number, struct lxfw_trace *copy);

#endif
