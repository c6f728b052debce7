/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/groups.h"

#include <stdlib.h>

#include "common/util/grow.h"

static const struct {
	int64_t longest;	/* seconds */
	const char *name, *key;
} runs[LXFW_RUN_BINS] = {
	{ 60, "up to 1 min", "to_1m" },
	{ 600, "1-10 min", "1m_to_10m" },
	{ 3600, "10-60 min", "10m_to_1h" },
	{ 4 * 3600, "1-4 h", "1h_to_4h" },
	{ 12 * 3600, "4-12 h", "4h_to_12h" },
	{ 24 * 3600, "12-24 h", "12h_to_24h" },
	{ INT64_MAX, "over 24 h", "over_24h" },
};

static const struct {
	int64_t most;
	const char *name;
} sizes[LXFW_SIZE_CLASSES] = {
	{ 1, "1" },
	{ 4, "2-4" },
	{ 16, "5-16" },
	{ 64, "17-64" },
	{ 256, "65-256" },
	{ 1024, "257-1024" },
	{ 4096, "1025-4096" },
	{ INT64_MAX, "over 4096" },
};

static const char *const memories[LXFW_MEMORY_CLASSES][2] = {
	{ "none asked", "none" },
	{ "up to half the mean", "to_half" },
	{ "half to the mean", "half_to_mean" },
	{ "mean to twice the mean", "mean_to_twice" },
	{ "over twice the mean", "over_twice" },
};

int lxfw_run_bin(int64_t run)
{
	int bin = 0;

	while (run > runs[bin].longest)
		bin++;
	return bin;
}

int lxfw_size_class(int64_t procs)
{
	int size = 0;

	while (procs > sizes[size].most)
		size++;
	return size;
}

int lxfw_memory_class(int64_t memory_mb, int64_t procs, int64_t mean_mb)
{
	double share;

	if (memory_mb <= 0 || mean_mb <= 0)
		return 0;
	share = (double)memory_mb / ((double)procs * (double)mean_mb);
	return share <= 0.5 ? 1 : share <= 1 ? 2 : share <= 2 ? 3 : 4;
}

const char *lxfw_run_bin_name(int bin)
{
	return runs[bin].name;
}

const char *lxfw_run_bin_key(int bin)
{
	return runs[bin].key;
}

const char *lxfw_size_class_name(int size)
{
	return sizes[size].name;
}

const char *lxfw_memory_class_name(int memory)
{
	return memories[memory][0];
}

const char *lxfw_memory_class_key(int memory)
{
	return memories[memory][1];
}

int lxfw_groups_add(struct lxfw_groups *groups, size_t group,
		    const struct lxfw_outcome *outcome)
{
	if (group >= groups->count) {
		if (LXFW_GROW(groups->measures, groups->size, group + 1))
			return -1;
		for (; groups->count <= group; groups->count++) {
			lxfw_measure_begin(&groups->measures[groups->count], INT64_MIN);
			if (groups->bound > 0)
				groups->measures[groups->count].bound = groups->bound;
		}
	}
	return lxfw_measure_add(&groups->measures[group], outcome);
}

void lxfw_groups_end(struct lxfw_groups *groups, size_t count,
		     struct lxfw_metrics *metrics)
{
	for (size_t i = 0; i < count; i++) {
		metrics[i] = (struct lxfw_metrics) { 0 };
		if (i >= groups->count)
			continue;
		/* makes the makespan 0 */
		groups->measures[i].begin = groups->measures[i].last_end;
		lxfw_measure_end(&groups->measures[i], 0, &metrics[i]);
	}
	lxfw_groups_clear(groups);
}

void lxfw_groups_clear(struct lxfw_groups *groups)
{
	for (size_t i = 0; i < groups->count; i++)
		free(groups->measures[i].waits);
	free(groups->measures);
	*groups = (struct lxfw_groups) { 0 };
}
