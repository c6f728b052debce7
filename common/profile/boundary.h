/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boundaries of holds, shared by profile.c, which changes the profile, and question.c,
   which queries it. The functions are inline, since every placement calls them for each
   host. */
#ifndef LXFW_PROFILE_BOUNDARY_H
#define LXFW_PROFILE_BOUNDARY_H

#include "common/profile/profile.h"

/* The most memory of one host, MB, in a sum over hosts. The sum of half a million such
   hosts does not overflow; that of hosts with unlimited memory would. */
#define COUNTED_MEMORY_MOST ((int64_t)1 << 44)

static inline int64_t lxfw_counted_memory(int64_t memory_mb)
{
	if (memory_mb < 0)
		return 0;
	return memory_mb < COUNTED_MEMORY_MOST ? memory_mb : COUNTED_MEMORY_MOST;
}

/* Index of the first boundary of HOST after TIME, or the number of boundaries. */
static inline int32_t lxfw_boundary_after(const struct lxfw_host *host, int64_t time)
{
	int32_t low = 0, high = host->boundary_count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (host->boundaries[middle].time <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Resources of HOST at TIME beside the holds of that time, if all running claims that are
   due have been released. AFTER is the index of the first boundary after TIME. */
static inline void
lxfw_available_at(const struct lxfw_profile *profile,
		  const struct lxfw_host *host, int64_t time, int32_t after,
		  struct lxfw_resources *available)
{
	if (after > 0 && host->boundaries[after - 1].time == time) {
		*available = host->boundaries[after - 1].left;
		return;
	}
	*available = host->free;
	lxfw_release_until(&profile->releases, host->releases, time, available);
	if (after > 0)
		lxfw_resources_subtract(available,
					&host->boundaries[after - 1].held);
}

#endif
