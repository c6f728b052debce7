/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/total.h"

#include <string.h>

#include "common/model/event.h"
#include "common/util/grow.h"

int lxfw_totals_ready(struct lxfw_profile *profile, int32_t count)
{
	return LXFW_GROW(profile->totals, profile->totals_size,
			 (size_t)profile->total_count + 2 * (size_t)count) ? -1 : 0;
}

void lxfw_totals_invalidate(struct lxfw_profile *profile)
{
	profile->totals_invalid = true;
	profile->total_count = 0;
}

void lxfw_totals_reset(struct lxfw_profile *profile)
{
	profile->totals_invalid = false;
	profile->total_count = 0;
}

/* Index of the first total after TIME. */
static int32_t after(const struct lxfw_profile *profile, int64_t time)
{
	int32_t low = 0, high = profile->total_count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (profile->totals[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void use(struct lxfw_profile *profile, int64_t time)
{
	struct lxfw_total *totals = profile->totals;
	int32_t at = after(profile, time);

	if (at == 0 || totals[at - 1].time != time) {
		memmove(&totals[at + 1], &totals[at],
			(size_t)(profile->total_count - at) * sizeof(*totals));
		totals[at] = (struct lxfw_total){
			.time = time, .held = at > 0 ? totals[at - 1].held : 0,
		};
		profile->total_count++;
		at++;
	}
	totals[at - 1].uses++;
}

static void leave(struct lxfw_profile *profile, int64_t time)
{
	struct lxfw_total *totals = profile->totals;
	int32_t at = after(profile, time) - 1;

	if (--totals[at].uses > 0)
		return;
	profile->total_count--;
	memmove(&totals[at], &totals[at + 1],
		(size_t)(profile->total_count - at) * sizeof(*totals));
}

void lxfw_totals_count(struct lxfw_profile *profile, int64_t from, int64_t until, int64_t procs)
{
	struct lxfw_total *totals = profile->totals;

	if (profile->totals_invalid || from >= until)
		return;
	for (int32_t i = after(profile, from) - 1;
	     i < profile->total_count && totals[i].time < until; i++)
		totals[i].held += procs;
}

void lxfw_totals_change(struct lxfw_profile *profile, int64_t from, int64_t until,
			int64_t procs, int sign)
{
	if (profile->totals_invalid || from >= until)
		return;
	if (sign > 0) {
		use(profile, from);
		use(profile, until);
	}
	lxfw_totals_count(profile, from, until, sign * procs);
	if (sign < 0) {
		leave(profile, from);
		leave(profile, until);
	}
}

/* --- the bound ------------------------------------------------------------- */

/* Whether MORE processors than are free now have been released until TIME. */
static bool has_released(const struct lxfw_profile *profile, int64_t more, int64_t time)
{
	return more <= 0 ||
	       lxfw_release_procs(&profile->releases, profile->all_releases, time) >= more;
}

/* The first time, FROM or later, at which MORE processors than are free now have been
   released. */
static int64_t released(const struct lxfw_profile *profile, int64_t more, int64_t from)
{
	int64_t time;

	if (more <= 0)
		return from;
	time = lxfw_release_when_procs(&profile->releases, profile->all_releases, more);
	return time > from ? time : from;
}

/* The last total from AT on and before END at which PROCS processors are not available,
   or -1. */
static int32_t obstacle(const struct lxfw_profile *profile, int64_t procs, int32_t at,
			int64_t end)
{
	const struct lxfw_total *totals = profile->totals;
	int32_t found = -1;

	for (; at < profile->total_count && totals[at].time < end; at++) {
		if (!has_released(profile, procs + totals[at].held - profile->free.procs,
				  totals[at].time))
			found = at;
	}
	return found;
}

int64_t lxfw_profile_bound(const struct lxfw_profile *profile, int64_t procs,
			   int64_t duration, int64_t from)
{
	return lxfw_profile_bound_before(profile, procs, duration, from, LXFW_NEVER);
}

int64_t lxfw_profile_bound_before(const struct lxfw_profile *profile, int64_t procs,
				  int64_t duration, int64_t from, int64_t before)
{
	const struct lxfw_total *totals = profile->totals;
	int64_t start = from;
	int32_t at;

	if (profile->host_count <= 1 || profile->uncounted > 0 ||
	    profile->totals_invalid || profile->kinds.overbooked > 0)
		return from;
	at = after(profile, from);
	while (start < before) {
		int64_t held = at > 0 ? totals[at - 1].held : 0;
		int64_t time = released(profile, procs + held - profile->free.procs, start);
		int64_t end;
		int32_t found;

		if (at < profile->total_count && time >= totals[at].time) {
			start = totals[at++].time;
			continue;
		}
		if (time >= before)
			return time;
		end = lxfw_time_add(time, duration);
		found = obstacle(profile, procs, at, end < before ? end : before);
		if (found < 0)
			return time;
		start = totals[found].time;
		at = found + 1;
	}
	return start;
}
