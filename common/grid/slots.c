/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The times at which processors of sites are free. */
#include <stdlib.h>
#include <string.h>

#include "common/grid/plan.h"

int lxfw_slots_begin(struct lxfw_slots *slots, int32_t sites,
		     int32_t (*procs)(const void *context, int32_t site), const void *context)
{
	size_t all = 0;

	*slots = (struct lxfw_slots){
		.sites = sites, .at = calloc((size_t)sites + 1, sizeof(*slots->at)),
	};
	if (!slots->at)
		return -1;
	for (int32_t i = 0; i < sites; i++) {
		slots->at[i] = all;
		all += (size_t)procs(context, i);
	}
	slots->at[sites] = all;
	slots->times = calloc(all + 1, sizeof(*slots->times));
	return slots->times ? 0 : -1;
}

void lxfw_slots_clear(struct lxfw_slots *slots)
{
	free(slots->times);
	free(slots->at);
	*slots = (struct lxfw_slots){ 0 };
}

void lxfw_slots_reset(struct lxfw_slots *slots, int64_t time)
{
	for (size_t i = 0; i < slots->at[slots->sites]; i++)
		slots->times[i] = time;
}

int64_t lxfw_slots_start(const struct lxfw_slots *slots, int32_t site, int32_t procs)
{
	return slots->times[slots->at[site] + (size_t)procs - 1];
}

int64_t lxfw_slots_cluster_start(const struct lxfw_slots *slots,
				 const struct lxfw_grid_cluster *cluster)
{
	int64_t start = INT64_MIN;

	for (int32_t i = 0; i < cluster->count; i++) {
		int64_t last = slots->times[slots->at[cluster->sites[i] + 1] - 1];

		start = last > start ? last : start;
	}
	return start;
}

void lxfw_slots_take(struct lxfw_slots *slots, int32_t site, int32_t procs, int64_t end)
{
	int64_t *times = &slots->times[slots->at[site]];
	size_t count = slots->at[site + 1] - slots->at[site];
	size_t taken = (size_t)procs, at = taken;

	while (at < count && times[at] < end)
		at++;
	memmove(times, times + taken, (at - taken) * sizeof(*times));
	for (size_t i = at - taken; i < at; i++)
		times[i] = end;
}

void lxfw_slots_take_cluster(struct lxfw_slots *slots,
			     const struct lxfw_grid_cluster *cluster, int64_t end)
{
	for (int32_t i = 0; i < cluster->count; i++) {
		int32_t site = cluster->sites[i];

		for (size_t j = slots->at[site]; j < slots->at[site + 1]; j++)
			slots->times[j] = end;
	}
}
