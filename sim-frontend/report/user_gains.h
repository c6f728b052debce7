/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The users whose jobs gain and lose most from one schedule to another, as a table. */
#ifndef LXFW_REPORT_USER_GAINS_H
#define LXFW_REPORT_USER_GAINS_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/util/output.h"

/* Users with fewer jobs are left out: one job would be the user. */
#define LXFW_USER_GAINS_JOBS 10

/* Of one job, or of several of a user. */
struct lxfw_user_gain {
	int32_t user;
	size_t jobs;
	double before, after;	/* waits, of all of them together, s */
};

/* GAINS, in any order and several a user, are changed. NAMES are the two schedules' in
   our own words; USER_NAMES by number, NULL: numbers are shown. Nothing is written of
   fewer than two users. */
void lxfw_user_gains(struct lxfw_output *output, const char *const names[2],
		     struct lxfw_user_gain *gains, size_t count,
		     char *const *user_names);

#endif
