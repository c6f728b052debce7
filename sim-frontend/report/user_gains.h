/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The users whose jobs gain and lose most from one schedule to another, as a table. */
#ifndef LXFW_REPORT_USER_GAINS_H
#define LXFW_REPORT_USER_GAINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/util/output.h"

/* Users with fewer jobs are omitted, since one job would dominate. */
#define LXFW_USER_GAINS_JOBS 10

/* Waits of one or several jobs of a user. */
struct lxfw_user_gain {
	int32_t user;
	size_t jobs;
	double before, after;	/* sums of waits, seconds */
};

/*
 * Writes the table. GAINS may be in any order, with several entries per user; it is
 * modified. NAMES are those of the schedules, written without escaping. USER_NAMES is
 * indexed by user; NULL: numbers are shown. Nothing is written for fewer than two users.
 */
void lxfw_user_gains(struct lxfw_output *output, const char *const names[2],
		     struct lxfw_user_gain *gains, size_t count,
		     char *const *user_names);

/* Sets the waits of the job at position AT in two schedules, seconds. Returns false if it is
   not in both; the waits are then ignored. */
typedef bool lxfw_waits_of(const void *context, size_t at, double waits[2]);

/* Writes the table for the jobs of RECORDED. Returns 0, or -1 with errno ENOMEM. */
int lxfw_user_gains_recorded(struct lxfw_output *output, const char *const names[2],
			     const struct lxfw_recorded *recorded,
			     lxfw_waits_of *waits_of, const void *context);

#endif
