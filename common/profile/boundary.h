/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Between profile.c, which changes the profile, and question.c, which asks it. Inline:
   every placement asks for them, host by host. */
#ifndef LXFW_PROFILE_BOUNDARY_H
#define LXFW_PROFILE_BOUNDARY_H

#include "common/profile/profile.h"

/* Memory of one host, MB, that counts in a sum over hosts. Many hosts of unlimited
   memory would overflow it; half a million of these do not. */
#define COUNTED_MEMORY_MOST ((int64_t)1 << 44)

static inline int64_t lxfw_counted_memory(int64_t memory_mb)
{
	if (memory_mb < 0)
		return 0;
	return memory_mb < COUNTED_MEMORY_MOST ? memory_mb : COUNTED_MEMORY_MOST;
}

/* The first boundary of HOST after TIME, or their number. */
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

/* What HOST has at TIME, all that is due by then given back, beside the holds
   that are on then. AFTER is the first boundary after TIME. */
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
