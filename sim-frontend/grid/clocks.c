/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/grid/clocks.h"

#include <stdlib.h>

#include "common/model/event.h"

int lxfw_grid_clocks_begin(struct lxfw_grid_clocks *clocks, int32_t sites)
{
	size_t leaves = 1;

	while (leaves < (size_t)sites)
		leaves *= 2;
	clocks->times = malloc(2 * leaves * sizeof(*clocks->times));
	if (!clocks->times)
		return -1;
	clocks->leaves = leaves;
	for (size_t i = 0; i < 2 * leaves; i++)
		clocks->times[i] = LXFW_NEVER;
	return 0;
}

void lxfw_grid_clocks_end(struct lxfw_grid_clocks *clocks)
{
	free(clocks->times);
	*clocks = (struct lxfw_grid_clocks){ 0 };
}

void lxfw_grid_clocks_set(struct lxfw_grid_clocks *clocks, int32_t site, int64_t time)
{
	int64_t *times = clocks->times;
	size_t at = clocks->leaves + (size_t)site;

	times[at] = time;
	for (at /= 2; at > 0; at /= 2)
		times[at] = times[2 * at] < times[2 * at + 1] ? times[2 * at] :
								times[2 * at + 1];
}

int32_t lxfw_grid_clocks_due(const struct lxfw_grid_clocks *clocks, int32_t from, int64_t time)
{
	size_t at = clocks->leaves + (size_t)from;

	if ((size_t)from >= clocks->leaves)
		return -1;
	/* Up, to the right, until a part of the sites has one that is due; then down to it. */
	while (clocks->times[at] > time) {
		while (at % 2 == 1)
			at /= 2;
		if (at == 0)
			return -1;
		at++;
	}
	while (at < clocks->leaves)
		at = clocks->times[2 * at] <= time ? 2 * at : 2 * at + 1;
	return (int32_t)(at - clocks->leaves);
}
