/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Boundaries of holds, shared by profile.c and hold.c, which change the profile, and
   question.c, which queries it. The functions are inline, since every placement calls them
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

/* Processors that are released until TIME. */
static inline int32_t lxfw_released_procs(const struct lxfw_release *nodes, int32_t root,
					  int64_t time)
{
	int32_t procs = 0;

	while (root >= 0) {
		const struct lxfw_release *at = &nodes[root];

		if (at->time > time) {
			root = at->left;
			continue;
		}
		procs += at->amount.procs;
		if (at->left >= 0)
			procs += nodes[at->left].sum.procs;
		root = at->right;
	}
	return procs;
}

/* The processors of lxfw_available_at() alone. */
static inline int32_t lxfw_procs_at(const struct lxfw_profile *profile,
				    const struct lxfw_host *host, int64_t time, int32_t after)
{
	if (after > 0 && host->boundaries[after - 1].time == time)
		return host->boundaries[after - 1].left.procs;
	return host->free.procs - (after > 0 ? host->boundaries[after - 1].held.procs : 0) +
	       lxfw_released_procs(profile->releases.nodes, host->releases, time);
}

#endif
