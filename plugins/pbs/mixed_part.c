/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/mixed_part.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* --- ids ---------------------------------------------------------------------------------- */

/* The upper half of an id is 1 plus the number of the task, or 0. Here it has its first bit set,
   7 bits of the part, and 24 of the task. */
#define IS_PART (UINT64_C(1) << 63)
#define TASK_MAX ((UINT64_C(1) << 24) - 1)

uint64_t lxfw_pbs_part_id(uint64_t id, int32_t index)
{
	if (id >> 32 > TASK_MAX)
		return 0;
	return index ? IS_PART | (uint64_t)index << 56 | id : id;
}

int32_t lxfw_pbs_part_index(uint64_t id)
{
	return id & IS_PART ? (int32_t)(id >> 56 & 0x7f) : 0;
}

/* --- parts -------------------------------------------------------------------------------- */

void lxfw_pbs_mixed_clear_parts(struct lxfw_pbs_mixed *mixed)
{
	for (int32_t i = 0; i < mixed->count; i++) {
		lxfw_pbs_parsed_clear(&mixed->part[i].parsed);
		free(mixed->part[i].kind);
		free(mixed->part[i].hosts);
	}
	mixed->count = 0;
	free(mixed->within);
	mixed->within = NULL;
}

void lxfw_pbs_mixed_clear(struct lxfw_pbs_mixed *mixed)
{
	lxfw_pbs_mixed_clear_parts(mixed);
	free(mixed->part);
	free(mixed->kind);
	memset(mixed, 0, sizeof(*mixed));
}

struct lxfw_pbs_job lxfw_pbs_part_of(const struct lxfw_pbs_mixed *mixed,
				     const struct lxfw_pbs_job *job, int32_t index)
{
	struct lxfw_pbs_job part = *job;

	part.parsed = &mixed->part[index].parsed;
	/* A single one uses placement sets as any job. */
	part.part = mixed->count > 1;
	part.within = part.part ? mixed->within : NULL;
	part.bundles = mixed->part[index].bundles;
	part.only = mixed->part[index].hosts;
	part.barred = 0;
	part.barred_now = false;
	if (index > 0)
		part.wide_count = 0;	/* the first has the pools */
	return part;
}

struct lxfw_pbs_part *lxfw_pbs_mixed_add(struct lxfw_pbs_mixed *mixed)
{
	size_t size = (size_t)mixed->size;
	struct lxfw_pbs_part *part;

	if (LXFW_GROW(mixed->part, size, (size_t)mixed->count + 1))
		return NULL;
	mixed->size = (int32_t)size;
	part = &mixed->part[mixed->count++];
	*part = (struct lxfw_pbs_part){ .parsed = { .known = true } };
	return part;
}

bool lxfw_pbs_part_add(struct lxfw_pbs_part *part, const struct lxfw_pbs_chunk *chunk,
		       size_t kind)
{
	struct lxfw_pbs_select *select = &part->parsed.select;
	size_t *kinds = realloc(part->kind, (select->count + 1) * sizeof(*kinds));

	if (!kinds)
		return false;
	part->kind = kinds;
	if (LXFW_GROW(select->chunk, select->size, select->count + 1))
		return false;
	select->chunk[select->count] = *chunk;
	select->chunk[select->count].wanted = strdup(chunk->wanted);
	if (!select->chunk[select->count].wanted)
		return false;
	kinds[select->count++] = kind;
	select->total += chunk->count;
	return true;
}
