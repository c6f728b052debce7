/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/barred.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* Bound of their number. */
#define LISTS_MAX 500

static bool is_list(const struct lxfw_pbs_barred *barred, const int32_t *hosts, int32_t count)
{
	return barred->hosts && barred->count == count &&
	       memcmp(barred->hosts, hosts, (size_t)count * sizeof(*hosts)) == 0;
}

uint32_t lxfw_pbs_bars_add(struct lxfw_pbs_bars *bars, const int32_t *hosts, int32_t count)
{
	size_t at = bars->count;
	int32_t *copy;

	if (count <= 0)
		return 0;
	for (size_t i = 0; i < bars->count; i++) {
		if (is_list(&bars->list[i], hosts, count))
			return (uint32_t)i + 1;
		if (!bars->list[i].hosts && at == bars->count)
			at = i;
	}
	if (at == LISTS_MAX || LXFW_GROW(bars->list, bars->size, at + 1))
		return 0;
	copy = malloc((size_t)count * sizeof(*copy));
	if (!copy)
		return 0;
	memcpy(copy, hosts, (size_t)count * sizeof(*copy));
	bars->list[at] = (struct lxfw_pbs_barred){ .hosts = copy, .count = count };
	if (at == bars->count)
		bars->count++;
	return (uint32_t)at + 1;
}

bool lxfw_pbs_bars_have(const struct lxfw_pbs_bars *bars, int64_t number, int32_t host)
{
	const struct lxfw_pbs_barred *barred;
	int32_t low = 0, high;

	if (number < 1 || (uint64_t)number > bars->count)
		return false;
	barred = &bars->list[number - 1];
	high = barred->count;
	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (barred->hosts[middle] == host)
			return true;
		if (barred->hosts[middle] < host)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

void lxfw_pbs_bars_need(struct lxfw_pbs_bars *bars, uint32_t number)
{
	if (number >= 1 && number <= bars->count)
		bars->list[number - 1].needed = true;
}

static void vacate(struct lxfw_pbs_barred *barred)
{
	free(barred->hosts);
	*barred = (struct lxfw_pbs_barred){ 0 };
}

void lxfw_pbs_bars_evict(struct lxfw_pbs_bars *bars)
{
	for (size_t i = 0; i < bars->count; i++) {
		if (!bars->list[i].needed)
			vacate(&bars->list[i]);
		bars->list[i].needed = false;
	}
}

void lxfw_pbs_bars_clear(struct lxfw_pbs_bars *bars)
{
	for (size_t i = 0; i < bars->count; i++)
		vacate(&bars->list[i]);
	free(bars->list);
	memset(bars, 0, sizeof(*bars));
}
