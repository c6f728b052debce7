/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boundaries of holds, shared by line.c, which changes them, and question.c, which queries
   them. The functions are inline, since every placement calls them
   for each host. */
#ifndef LXFW_PROFILE_BOUNDARY_H
#define LXFW_PROFILE_BOUNDARY_H

#include "common/profile/profile.h"

/* Whether hosts have kinds. */
static inline bool lxfw_has_kinds(const struct lxfw_profile *profile)
{
	return profile->host_count > 1;
}

/* Record an opening of AMOUNT in [FROM, UNTIL), or its end (SIGN -1). */
static inline void lxfw_record_opening(struct lxfw_profile *profile, int64_t from,
				       int64_t until,
				       const struct lxfw_resources *amount, int sign)
{
	if (!profile->openings.recorded)
		return;
	if (sign > 0)
		lxfw_openings_add(&profile->openings, from, until, amount);
	else
		lxfw_openings_close(&profile->openings, from, until, amount);
}

/* Whether changes are recorded. */
static inline bool lxfw_is_recorded(const struct lxfw_profile *profile)
{
	return profile->openings.recorded || profile->changes.recorded;
}

/* The most memory of one host, MB, in a sum over hosts. The sum of half a million such
   hosts does not overflow; that of hosts with unlimited memory would. */
#define COUNTED_MEMORY_MOST ((int64_t)1 << 44)

static inline int64_t lxfw_counted_memory(int64_t memory_mb)
{
	if (memory_mb < 0)
		return 0;
	return memory_mb < COUNTED_MEMORY_MOST ? memory_mb : COUNTED_MEMORY_MOST;
}

/* Index of the first boundary of LINE after TIME, or the number of boundaries. */
static inline int32_t lxfw_boundary_after(const struct lxfw_line *line, int64_t time)
{
	int32_t low = 0, high = line->boundary_count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (line->boundaries[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Resources of LINE at TIME beside the holds of that time, if all running claims that are
   due have been released. AFTER is the index of the first boundary after TIME. */
static inline void
lxfw_available_at(const struct lxfw_profile *profile,
		  const struct lxfw_line *line, int64_t time, int32_t after,
		  struct lxfw_resources *available)
{
	if (after > 0 && line->boundaries[after - 1].time == time) {
		*available = line->boundaries[after - 1].left;
		return;
	}
	*available = line->free;
	lxfw_release_until(&profile->line_releases, line->releases, time, available);
	if (after > 0)
		lxfw_resources_subtract(available,
					&line->boundaries[after - 1].held);
}

/* The processors of lxfw_available_at() alone. */
static inline int32_t lxfw_procs_at(const struct lxfw_profile *profile,
				    const struct lxfw_line *line, int64_t time, int32_t after)
{
	if (after > 0 && line->boundaries[after - 1].time == time)
		return line->boundaries[after - 1].left.procs;
	return line->free.procs - (after > 0 ? line->boundaries[after - 1].held.procs : 0) +
	       lxfw_release_procs(&profile->line_releases, line->releases, time);
}

/* The minimum of the processors of LINE over [START, END). */
static inline int32_t lxfw_procs_until(const struct lxfw_profile *profile,
				       const struct lxfw_line *line, int64_t start, int64_t end)
{
	const struct lxfw_boundary *boundaries = line->boundaries;
	int32_t i = 0, procs;

	if (line->boundary_count > 0)
		i = lxfw_boundary_after(line, start);
	procs = lxfw_procs_at(profile, line, start, i);
	for (; i < line->boundary_count && boundaries[i].time < end; i++) {
		if (procs > boundaries[i].left.procs)
			procs = boundaries[i].left.procs;
	}
	return procs;
}

#endif
