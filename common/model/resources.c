/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/model/resources.h"

static int32_t times(int64_t amount, int64_t available, int32_t most)
{
	if (amount <= 0)
		return available < 0 ? 0 : most;
	if (available < amount)
		return 0;
	return available / amount < most ? (int32_t)(available / amount) : most;
}

int32_t lxfw_resources_count(const struct lxfw_resources *unit,
			     const struct lxfw_resources *available,
			     int32_t most)
{
	most = times(unit->procs, available->procs, most);
	most = times(unit->memory_mb, available->memory_mb, most);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		most = times(unit->extras[i], available->extras[i], most);
	return most;
}
