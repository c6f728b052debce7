/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/uses.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/util/grow.h"

int lxfw_grid_uses_add(struct lxfw_grid_uses *uses, const struct lxfw_grid_use *use)
{
	if (LXFW_GROW(uses->list, uses->size, uses->count + 1))
		return -1;
	uses->list[uses->count++] = *use;
	return 0;
}

void lxfw_grid_uses_remove(struct lxfw_grid_uses *uses, int32_t site, uint64_t job)
{
	size_t i = 0;

	while (i < uses->count && (uses->list[i].job != job || uses->list[i].site != site))
		i++;
	if (i == uses->count)
		return;
	memmove(&uses->list[i], &uses->list[i + 1],
		(uses->count - i - 1) * sizeof(*uses->list));
	uses->count--;
}

static int by_end(const void *one, const void *other)
{
	const struct lxfw_grid_use *a = one, *b = other;

	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	if (a->site != b->site)
		return a->site < b->site ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

void lxfw_grid_uses_sort(struct lxfw_grid_uses *uses)
{
	if (uses->count > 0)
		qsort(uses->list, uses->count, sizeof(*uses->list), by_end);
}

int64_t lxfw_grid_uses_free_at(const struct lxfw_grid_uses *uses, int64_t now, int64_t have,
			       int32_t procs, int32_t site, int32_t *spare)
{
	int64_t time = now;

	for (size_t i = 0; i < uses->count; i++) {
		const struct lxfw_grid_use *use = &uses->list[i];
		int64_t end = use->end > now ? use->end : now + 1;

		/* All that end at the same time are free then. */
		if (have >= procs && end > time)
			break;
		if (site >= 0 && use->site != site)
			continue;
		have += use->procs;
		time = end;
	}
	if (spare)
		*spare = (int32_t)(have - procs);
	return have >= procs ? time : LXFW_NEVER;
}

void lxfw_grid_uses_clear(struct lxfw_grid_uses *uses)
{
	free(uses->list);
	*uses = (struct lxfw_grid_uses){ 0 };
}
