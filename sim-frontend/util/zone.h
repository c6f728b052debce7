/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Local times of a time zone by its name in the IANA's data base, with the C library,
 * which knows one zone a process: that of TZ.
 */
#ifndef LXFW_UTIL_ZONE_H
#define LXFW_UTIL_ZONE_H

#include <stdbool.h>
#include <stdint.h>

/* Make NAME ("Europe/Berlin") the zone of the process. False if the system does not
   have it; then nothing has changed. Before there are threads. */
bool lxfw_zone_set(const char *name);

/* The moments, s since 1970 and not before, at which clocks of the zone show LOCAL, which
   is what it would be if it were UTC. */
struct lxfw_zone_moments {
	int64_t at[2];		/* ascending */
	int count;		/* 2 in the hour that comes twice */
	bool skipped;		/* clocks never show it: as though they had not been
				   put forward yet */
};

/* As of the zone of the process, or, without one (SET is false), UTC. */
void lxfw_zone_moments(bool set, int64_t local,
		       struct lxfw_zone_moments *moments);

/* The one of MOMENTS that is nearer to TIME; the first if TIME is negative. */
int64_t lxfw_zone_nearest(const struct lxfw_zone_moments *moments, int64_t time);

#endif
