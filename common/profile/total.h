/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Holds of all hosts together, for a bound of the time at which a job may start. */
#ifndef LXFW_PROFILE_TOTAL_H
#define LXFW_PROFILE_TOTAL_H

#include <stdint.h>

#include "common/profile/profile.h"

/* Allocate what COUNT more holds need. Returns 0, or -1 with errno ENOMEM. */
int lxfw_totals_ready(struct lxfw_profile *profile, int32_t count);

/* Add a hold of PROCS processors in [FROM, UNTIL), or remove it (SIGN -1). */
void lxfw_totals_change(struct lxfw_profile *profile, int64_t from, int64_t until,
			int64_t procs, int sign);

/* Count PROCS more processors, or fewer, of a hold in [FROM, UNTIL) that was added. */
void lxfw_totals_count(struct lxfw_profile *profile, int64_t from, int64_t until, int64_t procs);

/* The totals are not those of the holds of hosts that are up. They are valid again when
   there are no holds. */
void lxfw_totals_invalidate(struct lxfw_profile *profile);
void lxfw_totals_reset(struct lxfw_profile *profile);

#endif
