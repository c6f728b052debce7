/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/trace/cluster_kinds.h"

#include <stdlib.h>
#include <string.h>

#include "sim-frontend/trace/cluster.h"

struct sorted {
	const struct lxfw_resources *total;
	int32_t host;
};

static int compare(const struct lxfw_resources *a, const struct lxfw_resources *b)
{
	if (a->procs != b->procs)
		return a->procs < b->procs ? -1 : 1;
	if (a->memory_mb != b->memory_mb)
		return a->memory_mb < b->memory_mb ? -1 : 1;
	return memcmp(a->extras, b->extras, sizeof(a->extras));
}

static int by_total(const void *left, const void *right)
{
	const struct sorted *a = left, *b = right;
	int order = compare(a->total, b->total);

	return order ? order : (a->host > b->host) - (a->host < b->host);
}

/* Fills KIND_OF by host, and FIRST by kind with its first host. Returns the number of kinds,
   or -1 with errno ENOMEM. */
static int32_t number_kinds(const struct lxfw_cluster *cluster, int32_t *kind_of, int32_t *first)
{
	struct sorted *hosts = malloc(((size_t)cluster->count + 1) * sizeof(*hosts));
	int32_t kinds = 0;

	if (!hosts)
		return -1;
	for (int32_t i = 0; i < cluster->count; i++)
		hosts[i] = (struct sorted) { &cluster->hosts[i].total, i };
	qsort(hosts, (size_t)cluster->count, sizeof(*hosts), by_total);
	for (int32_t i = 0; i < cluster->count; i++) {
		if (i == 0 || compare(hosts[i].total, hosts[i - 1].total) != 0)
			first[kinds++] = hosts[i].host;
		kind_of[hosts[i].host] = kinds - 1;
	}
	free(hosts);
	return kinds;
}

/* Makes a list of the kinds of which COUNTS, an array of SIZE, has hosts. */
static int list_kinds(struct lxfw_cluster_kinds *list, const int32_t *counts,
		      const int32_t *first, int32_t size)
{
	free(list->kinds);
	list->count = 0;
	list->kinds = malloc(((size_t)size + 1) * sizeof(*list->kinds));
	if (!list->kinds)
		return -1;
	for (int32_t i = 0; i < size; i++) {
		if (counts[i] > 0)
			list->kinds[list->count++] =
				(struct lxfw_cluster_kind) { first[i], counts[i] };
	}
	return 0;
}

static int list_all(struct lxfw_cluster *cluster, int32_t *numbers)
{
	int32_t *kind_of = numbers, *first = kind_of + cluster->count;
	int32_t *counts = first + cluster->count;
	int32_t size = number_kinds(cluster, kind_of, first);
	int failed = size < 0;

	for (int32_t i = 0; i < cluster->count && !failed; i++)
		counts[kind_of[i]]++;
	failed = failed || list_kinds(&cluster->kinds, counts, first, size);
	for (int32_t i = 0; i < cluster->set_count && !failed; i++) {
		struct lxfw_cluster_set *set = &cluster->sets[i];

		memset(counts, 0, (size_t)size * sizeof(*counts));
		for (int32_t j = 0; j < set->count; j++)
			counts[kind_of[set->hosts[j]]]++;
		failed = list_kinds(&set->kinds, counts, first, size);
	}
	return failed ? -1 : 0;
}

int lxfw_cluster_find_kinds(struct lxfw_cluster *cluster)
{
	int32_t *numbers = calloc(3 * (size_t)cluster->count + 1, sizeof(*numbers));
	int failed = numbers ? list_all(cluster, numbers) : -1;

	free(numbers);
	return failed;
}
