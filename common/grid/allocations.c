/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/allocations.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/grow.h"

int lxfw_allocations_begin(struct lxfw_allocations *allocations,
			   const struct lxfw_grid_site *sites, int32_t count)
{
	*allocations = (struct lxfw_allocations){
		.tables = calloc((size_t)count, sizeof(*allocations->tables)), .next = 1,
	};
	if (!allocations->tables)
		return -1;
	for (int32_t i = 0; i < count; i++) {
		allocations->sites++;
		if (lxfw_timetable_begin(&allocations->tables[i], sites[i].procs))
			return -1;
	}
	return 0;
}

void lxfw_allocations_clear(struct lxfw_allocations *allocations)
{
	for (int32_t i = 0; i < allocations->sites; i++)
		lxfw_timetable_clear(&allocations->tables[i]);
	for (size_t i = 0; i < allocations->count; i++)
		lxfw_allocation_free(allocations->list[i]);
	free(allocations->tables);
	free(allocations->list);
	free(allocations->order);
	*allocations = (struct lxfw_allocations){ 0 };
}

struct lxfw_allocation *lxfw_allocation_new(const struct lxfw_grid_job *job, int32_t count)
{
	struct lxfw_allocation *allocation = calloc(1, sizeof(*allocation));

	if (!allocation)
		return NULL;
	allocation->job = *job;
	allocation->count = count;
	allocation->parts = calloc((size_t)count, sizeof(*allocation->parts));
	allocation->seconds = calloc((size_t)count, sizeof(*allocation->seconds));
	allocation->procs = calloc((size_t)job->procs, sizeof(*allocation->procs));
	if (allocation->parts && allocation->seconds && allocation->procs)
		return allocation;
	lxfw_allocation_free(allocation);
	return NULL;
}

void lxfw_allocation_free(struct lxfw_allocation *allocation)
{
	if (!allocation)
		return;
	free(allocation->parts);
	free(allocation->seconds);
	free(allocation->procs);
	free(allocation);
}

/* --- the timetables ---------------------------------------------------------------------- */

/* The end of a part. A job that runs and should have ended ends after NOW. */
static int64_t part_end(const struct lxfw_allocation *allocation, int32_t part, int64_t now)
{
	int64_t end = lxfw_time_add(allocation->start, allocation->seconds[part]);

	if (allocation->state == LXFW_ALLOCATION_RUNNING && end <= now)
		end = now + 1;
	return end < LXFW_NEVER ? end : LXFW_NEVER - 1;
}

static int enter(struct lxfw_allocations *allocations,
		 const struct lxfw_allocation *allocation, int64_t now)
{
	const int32_t *proc = allocation->procs;

	for (int32_t i = 0; i < allocation->count; i++) {
		const struct lxfw_grid_part *part = &allocation->parts[i];
		const struct lxfw_timetable_use use = {
			allocation->start, part_end(allocation, i, now), allocation->id,
		};

		for (int32_t j = 0; j < part->procs; j++, proc++) {
			if (allocation->seconds[i] > 0 &&
			    lxfw_timetable_add(&allocations->tables[part->site], *proc, &use))
				return -1;
		}
	}
	return 0;
}

/* Removes a part; PROC is its first processor. */
static void remove_part(struct lxfw_allocations *allocations,
			const struct lxfw_allocation *allocation, int32_t index,
			const int32_t *proc)
{
	const struct lxfw_grid_part *part = &allocation->parts[index];

	for (int32_t i = 0; i < part->procs; i++)
		lxfw_timetable_remove(&allocations->tables[part->site], proc[i],
				      allocation->id);
}

int lxfw_allocations_add(struct lxfw_allocations *allocations,
			 struct lxfw_allocation *allocation)
{
	if (LXFW_GROW(allocations->list, allocations->size, allocations->count + 1)) {
		lxfw_allocation_free(allocation);
		return -1;
	}
	allocation->id = allocations->next++;
	allocations->list[allocations->count++] = allocation;
	return enter(allocations, allocation, -LXFW_TIME_MAX);
}

void lxfw_allocations_take(struct lxfw_allocations *allocations,
			   struct lxfw_allocation *allocation)
{
	const int32_t *proc = allocation->procs;
	size_t i = 0;

	for (int32_t j = 0; j < allocation->count; j++) {
		remove_part(allocations, allocation, j, proc);
		proc += allocation->parts[j].procs;
	}
	while (allocations->list[i] != allocation)
		i++;
	memmove(&allocations->list[i], &allocations->list[i + 1],
		(allocations->count - i - 1) * sizeof(*allocations->list));
	allocations->count--;
}

void lxfw_allocations_ended(struct lxfw_allocations *allocations, int32_t site, uint64_t job)
{
	struct lxfw_allocation *allocation = NULL;
	const int32_t *proc;
	bool runs = false;

	for (size_t i = 0; i < allocations->count && !allocation; i++) {
		if (allocations->list[i]->job.id == job &&
		    allocations->list[i]->state == LXFW_ALLOCATION_RUNNING)
			allocation = allocations->list[i];
	}
	if (!allocation)
		return;
	proc = allocation->procs;
	for (int32_t i = 0; i < allocation->count; i++) {
		if (allocation->parts[i].site == site) {
			remove_part(allocations, allocation, i, proc);
			allocation->seconds[i] = 0;
		}
		runs |= allocation->seconds[i] > 0;
		proc += allocation->parts[i].procs;
	}
	if (!runs) {
		lxfw_allocations_take(allocations, allocation);
		lxfw_allocation_free(allocation);
	}
}

/* --- delays ------------------------------------------------------------------------------ */

static bool is_late(const struct lxfw_allocation *allocation, int64_t now)
{
	if (allocation->state != LXFW_ALLOCATION_RUNNING)
		return allocation->start < now || allocation->start > allocation->agreed;
	for (int32_t i = 0; i < allocation->count; i++) {
		if (allocation->seconds[i] > 0 &&
		    lxfw_time_add(allocation->start, allocation->seconds[i]) <= now)
			return true;
	}
	return false;
}

/* Those that run first, then by start. */
static int by_start(const void *one, const void *other)
{
	const struct lxfw_allocation *a = *(struct lxfw_allocation *const *)one;
	const struct lxfw_allocation *b = *(struct lxfw_allocation *const *)other;
	bool runs = a->state == LXFW_ALLOCATION_RUNNING;

	if (runs != (b->state == LXFW_ALLOCATION_RUNNING))
		return runs ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

static int sort(struct lxfw_allocations *allocations)
{
	size_t count = allocations->count;

	if (LXFW_GROW(allocations->order, allocations->order_size, count + 1))
		return -1;
	if (count == 0)
		return 0;
	memcpy(allocations->order, allocations->list, count * sizeof(*allocations->order));
	qsort(allocations->order, count, sizeof(*allocations->order), by_start);
	return 0;
}

/* When the processors of an allocation are free of those before it. */
static int64_t free_at(const struct lxfw_allocations *allocations,
		       const struct lxfw_allocation *allocation)
{
	const int32_t *proc = allocation->procs;
	int64_t free = -LXFW_TIME_MAX;

	for (int32_t i = 0; i < allocation->count; i++) {
		const struct lxfw_timetable *table =
			&allocations->tables[allocation->parts[i].site];

		for (int32_t j = 0; j < allocation->parts[i].procs; j++, proc++) {
			const struct lxfw_timetable_row *row = &table->rows[*proc];

			if (row->count > 0 && row->uses[row->count - 1].end > free)
				free = row->uses[row->count - 1].end;
		}
	}
	return free;
}

static int64_t later(int64_t a, int64_t b)
{
	return a > b ? a : b;
}

int lxfw_allocations_settle(struct lxfw_allocations *allocations, int64_t now)
{
	bool late = false;

	for (size_t i = 0; i < allocations->count && !late; i++)
		late = is_late(allocations->list[i], now);
	if (!late)
		return 0;
	if (sort(allocations))
		return -1;
	for (int32_t i = 0; i < allocations->sites; i++)
		lxfw_timetable_empty(&allocations->tables[i]);
	for (size_t i = 0; i < allocations->count; i++) {
		struct lxfw_allocation *allocation = allocations->order[i];

		if (allocation->state != LXFW_ALLOCATION_RUNNING)
			allocation->start = later(later(allocation->agreed, now),
						  free_at(allocations, allocation));
		if (enter(allocations, allocation, now))
			return -1;
	}
	return 0;
}

struct lxfw_allocation **lxfw_allocations_due(struct lxfw_allocations *allocations,
					      int64_t now, size_t *count)
{
	*count = 0;
	if (LXFW_GROW(allocations->order, allocations->order_size, allocations->count + 1))
		return NULL;
	for (size_t i = 0; i < allocations->count; i++) {
		struct lxfw_allocation *allocation = allocations->list[i];

		if (allocation->state == LXFW_ALLOCATION_PLANNED && allocation->start <= now)
			allocations->order[(*count)++] = allocation;
	}
	if (*count > 0)
		qsort(allocations->order, *count, sizeof(*allocations->order), by_start);
	return allocations->order;
}

int64_t lxfw_allocations_next(const struct lxfw_allocations *allocations, int64_t now)
{
	int64_t next = LXFW_NEVER;

	for (size_t i = 0; i < allocations->count; i++) {
		const struct lxfw_allocation *allocation = allocations->list[i];

		if (allocation->state == LXFW_ALLOCATION_PLANNED &&
		    allocation->start == allocation->agreed && allocation->start > now &&
		    allocation->start < next)
			next = allocation->start;
	}
	return next;
}
