/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/timetable.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/util/grow.h"

int lxfw_timetable_begin(struct lxfw_timetable *table, int32_t procs)
{
	*table = (struct lxfw_timetable){
		.rows = calloc((size_t)procs + 1, sizeof(*table->rows)),
	};
	if (!table->rows)
		return -1;
	table->procs = procs;
	return 0;
}

void lxfw_timetable_clear(struct lxfw_timetable *table)
{
	for (int32_t i = 0; i < table->procs; i++)
		free(table->rows[i].uses);
	free(table->rows);
	*table = (struct lxfw_timetable){ 0 };
}

void lxfw_timetable_empty(struct lxfw_timetable *table)
{
	for (int32_t i = 0; i < table->procs; i++)
		table->rows[i].count = 0;
}

int lxfw_timetable_add(struct lxfw_timetable *table, int32_t proc,
		       const struct lxfw_timetable_use *use)
{
	struct lxfw_timetable_row *row = &table->rows[proc];
	size_t at = row->count;

	if (LXFW_GROW(row->uses, row->size, row->count + 1))
		return -1;
	while (at > 0 && row->uses[at - 1].start > use->start)
		at--;
	memmove(&row->uses[at + 1], &row->uses[at], (row->count - at) * sizeof(*row->uses));
	row->uses[at] = *use;
	row->count++;
	return 0;
}

void lxfw_timetable_remove(struct lxfw_timetable *table, int32_t proc, uint64_t owner)
{
	struct lxfw_timetable_row *row = &table->rows[proc];
	size_t kept = 0;

	for (size_t i = 0; i < row->count; i++) {
		if (row->uses[i].owner != owner)
			row->uses[kept++] = row->uses[i];
	}
	row->count = kept;
}

/* --- gaps -------------------------------------------------------------------------------- */

static int add_gap(struct lxfw_gaps *gaps, int32_t proc, int64_t begin, int64_t end)
{
	if (begin >= end)
		return 0;
	if (LXFW_GROW(gaps->list, gaps->size, gaps->count + 1))
		return -1;
	gaps->list[gaps->count++] = (struct lxfw_gap){ begin, end, proc };
	return 0;
}

static int find_in_row(struct lxfw_gaps *gaps, const struct lxfw_timetable_row *row,
		       int32_t proc)
{
	int64_t free = gaps->now;

	for (size_t i = 0; i < row->count; i++) {
		const struct lxfw_timetable_use *use = &row->uses[i];

		if (use->end <= gaps->now)
			continue;
		if (add_gap(gaps, proc, free, use->start))
			return -1;
		gaps->allocated += (double)(use->end - (use->start > gaps->now ? use->start :
							gaps->now));
		free = use->end;
	}
	gaps->end = free > gaps->end ? free : gaps->end;
	return add_gap(gaps, proc, free, LXFW_NEVER);
}

static int by_interval(const void *one, const void *other)
{
	const struct lxfw_gap *a = one, *b = other;

	if (a->begin != b->begin)
		return a->begin < b->begin ? -1 : 1;
	if (a->end != b->end)
		return a->end < b->end ? -1 : 1;
	return (a->proc > b->proc) - (a->proc < b->proc);
}

static int by_time(const void *one, const void *other)
{
	const int64_t *a = one, *b = other;

	return (*a > *b) - (*a < *b);
}

/* Adds a step, whose FREE is set by the caller. */
static struct lxfw_gap_step *add_step(struct lxfw_gaps *gaps, int64_t time)
{
	struct lxfw_gap_step *step = &gaps->steps[gaps->step_count];
	const struct lxfw_gap_step *last = step - 1;

	*step = (struct lxfw_gap_step){ .time = time };
	if (gaps->step_count++ > 0) {
		step->free = last->free;
		step->area = last->area + (double)last->free * (double)(time - last->time);
	}
	return step;
}

/* The begins and the ends are both in their order. */
static int make_steps(struct lxfw_gaps *gaps)
{
	struct lxfw_gap_step *step;
	size_t begin = 0, end = 0;

	if (LXFW_GROW(gaps->ends, gaps->ends_size, gaps->count + 1) ||
	    LXFW_GROW(gaps->steps, gaps->steps_size, 2 * gaps->count + 1))
		return -1;
	for (size_t i = 0; i < gaps->count; i++)
		gaps->ends[i] = gaps->list[i].end;
	if (gaps->count > 0)
		qsort(gaps->ends, gaps->count, sizeof(*gaps->ends), by_time);
	gaps->step_count = 0;
	step = add_step(gaps, gaps->now);
	while (begin < gaps->count || (end < gaps->count && gaps->ends[end] < LXFW_NEVER)) {
		int64_t time = begin < gaps->count ? gaps->list[begin].begin : LXFW_NEVER;

		if (gaps->ends[end] < time)
			time = gaps->ends[end];
		if (time > step->time)
			step = add_step(gaps, time);
		for (; begin < gaps->count && gaps->list[begin].begin == time; begin++)
			step->free++;
		for (; end < gaps->count && gaps->ends[end] == time; end++)
			step->free--;
	}
	return 0;
}

int lxfw_gaps_find(struct lxfw_gaps *gaps, const struct lxfw_timetable *table, int64_t now)
{
	gaps->now = gaps->end = now;
	gaps->procs = table->procs;
	gaps->count = 0;
	gaps->allocated = 0;
	for (int32_t i = 0; i < table->procs; i++) {
		if (find_in_row(gaps, &table->rows[i], i))
			return -1;
	}
	if (gaps->count > 0)
		qsort(gaps->list, gaps->count, sizeof(*gaps->list), by_interval);
	return make_steps(gaps);
}

/* The free processor-seconds from the first step to TIME. */
static double area_to(const struct lxfw_gaps *gaps, int64_t time)
{
	size_t low = 0, high = gaps->step_count;
	const struct lxfw_gap_step *step;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (gaps->steps[middle].time <= time)
			low = middle;
		else
			high = middle;
	}
	step = &gaps->steps[low];
	return step->area + (double)step->free * (double)(time - step->time);
}

double lxfw_gaps_area(const struct lxfw_gaps *gaps, int64_t start, int64_t end)
{
	return area_to(gaps, end) - area_to(gaps, start);
}

void lxfw_gaps_clear(struct lxfw_gaps *gaps)
{
	free(gaps->list);
	free(gaps->steps);
	free(gaps->ends);
	*gaps = (struct lxfw_gaps){ 0 };
}
