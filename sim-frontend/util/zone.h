/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Local times of a time zone, given by its name in the IANA database. Uses the C library,
 * which supports one zone per process, that of TZ.
 */
#ifndef LXFW_UTIL_ZONE_H
#define LXFW_UTIL_ZONE_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the zone of the process to NAME ("Europe/Berlin"). Returns false, without
   effect, if the system does not know it. Call before threads are created. */
bool lxfw_zone_set(const char *name);

/* The moments, in seconds since 1970, at which clocks of the zone show LOCAL. LOCAL is
   the Unix time of the same clock reading in UTC. A moment before 1970 becomes 0,
   unless LOCAL is negative. */
struct lxfw_zone_moments {
	int64_t at[2];		/* in ascending order */
	int count;		/* 2 in the repeated hour when clocks are set back */
	bool skipped;		/* clocks skip LOCAL; the moment is computed with the
				   offset before the change */
};

/* Uses the zone of the process, or UTC if SET is false. */
void lxfw_zone_moments(bool set, int64_t local,
		       struct lxfw_zone_moments *moments);

/* Returns the moment closest to TIME, or the first one if TIME is negative. */
int64_t lxfw_zone_nearest(const struct lxfw_zone_moments *moments, int64_t time);

#endif
