/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/set_runs.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

static uint64_t hash_of(const int32_t *ids, int32_t count)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (int32_t i = 0; i < count; i++)
		hash = (hash ^ (uint32_t)ids[i]) * UINT64_C(0x100000001b3);
	return hash ^ hash >> 29;
}

static int32_t *chain_of(const struct lxfw_set_runs *runs, uint64_t hash)
{
	return &runs->chains[hash % LXFW_SET_RUN_CHAINS];
}

int32_t lxfw_set_runs_find(const struct lxfw_set_runs *runs, const int32_t *ids, int32_t count)
{
	uint64_t hash = hash_of(ids, count);

	if (!runs->chains)
		return -1;
	for (int32_t i = *chain_of(runs, hash); i >= 0; i = runs->run[i].next) {
		const struct lxfw_set_run *run = &runs->run[i];

		if (run->hash == hash && run->count == count &&
		    memcmp(run->ids, ids, (size_t)count * sizeof(*ids)) == 0)
			return run->first;
	}
	return -1;
}

static void link_run(struct lxfw_set_runs *runs, int32_t index)
{
	int32_t *chain = chain_of(runs, runs->run[index].hash);

	runs->run[index].next = *chain;
	*chain = index;
}

static void unlink_run(struct lxfw_set_runs *runs, int32_t index)
{
	int32_t *at = chain_of(runs, runs->run[index].hash);

	while (*at != index)
		at = &runs->run[*at].next;
	*at = runs->run[index].next;
}

static bool make_chains(struct lxfw_set_runs *runs)
{
	size_t size = LXFW_SET_RUN_CHAINS * sizeof(*runs->chains);

	if (!runs->chains) {
		runs->chains = malloc(size);
		if (runs->chains)
			memset(runs->chains, 0xff, size);
	}
	return runs->chains;
}

bool lxfw_set_runs_add(struct lxfw_set_runs *runs, const int32_t *ids, int32_t count,
		       int32_t first)
{
	size_t size = (size_t)count * sizeof(*ids);
	int32_t *copy;

	if (!make_chains(runs) || LXFW_GROW(runs->run, runs->size, (size_t)runs->count + 1))
		return false;
	copy = malloc(size);
	if (!copy)
		return false;
	memcpy(copy, ids, size);
	runs->run[runs->count] = (struct lxfw_set_run){
		.ids = copy, .count = count, .first = first, .hash = hash_of(ids, count),
	};
	link_run(runs, runs->count++);
	return true;
}

void lxfw_set_runs_remove(struct lxfw_set_runs *runs, int32_t index)
{
	int32_t last = runs->count - 1;

	unlink_run(runs, index);
	free(runs->run[index].ids);
	if (index != last) {
		unlink_run(runs, last);
		runs->run[index] = runs->run[last];
		link_run(runs, index);
	}
	runs->count = last;
}

void lxfw_set_runs_clear(struct lxfw_set_runs *runs)
{
	for (int32_t i = 0; i < runs->count; i++)
		free(runs->run[i].ids);
	free(runs->run);
	free(runs->chains);
	*runs = (struct lxfw_set_runs){ 0 };
}
