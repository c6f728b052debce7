/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/util/zone.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define DAY 86400

/* Checks that the zone's file exists, since the C library silently treats an unknown
   name as UTC. */
bool lxfw_zone_set(const char *name)
{
	struct stat status;
	char path[128];

	if (!*name || strstr(name, "..") || *name == '/' || *name == ':' ||
	    snprintf(path, sizeof(path), "/usr/share/zoneinfo/%s", name) >=
	    (int)sizeof(path) || stat(path, &status) ||
	    !S_ISREG(status.st_mode) || access(path, R_OK))
		return false;
	if (setenv("TZ", name, 1))
		return false;
	tzset();
	return true;
}

/* Returns the offset of the zone from UTC at a moment, in seconds. */
static int64_t offset_at(int64_t moment)
{
	time_t time = moment;
	struct tm tm;

	return localtime_r(&time, &tm) ? tm.tm_gmtoff : 0;
}

/*
 * The offset changes at most once in two days. Candidates are therefore the offsets one
 * day before and one day after.
 */
void lxfw_zone_moments(bool set, int64_t local,
		       struct lxfw_zone_moments *moments)
{
	int64_t offsets[2] = { 0, 0 };

	*moments = (struct lxfw_zone_moments) { .count = 0 };
	if (set) {
		offsets[0] = offset_at(local - DAY);
		offsets[1] = offset_at(local + DAY);
	}
	for (int i = 0; i < 2; i++) {
		int64_t moment = local - offsets[i];

		if (i == 1 && offsets[1] == offsets[0])
			break;
		if (offsets[0] == offsets[1] ||
		    moment + offset_at(moment) == local)
			moments->at[moments->count++] = moment;
	}
	if (moments->count == 0) {
		moments->skipped = true;
		moments->at[moments->count++] = local - offsets[0];
	}
	for (int i = 0; i < moments->count; i++) {
		if (local >= 0 && moments->at[i] < 0)
			moments->at[i] = 0;
	}
}

int64_t lxfw_zone_nearest(const struct lxfw_zone_moments *moments, int64_t time)
{
	int64_t first = moments->at[0], second = moments->at[1];

	if (moments->count < 2 || time < 0)
		return first;
	return llabs(first - time) <= llabs(second - time) ? first : second;
}
