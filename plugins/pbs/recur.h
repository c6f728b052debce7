/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times of a standing reservation, from its recurrence rule (RFC 5545, RRULE). */
#ifndef LXFW_PBS_RECUR_H
#define LXFW_PBS_RECUR_H

#include <stdint.h>

/*
 * Computes the first COUNT times that RULE yields from START on, in the time zone ZONE
 * ("Europe/Berlin"). The first one may be later than START. Returns their number, which is
 * less than COUNT if the rule ends before; or -1 if the rule or the zone cannot be read, or if
 * the program was built without libical.
 */
int32_t lxfw_pbs_recur(const char *rule, const char *zone, int64_t start, int64_t *times,
		       int32_t count);

#endif
