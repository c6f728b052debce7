/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/report/processors.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* A start or an end of a job. */
struct change {
	int64_t time;
	size_t job;
	bool start;
};

/* What is free, in ascending order and apart from each other. */
struct free_ranges {
	struct lxfw_processor_range *list;
	size_t count, size;
	int64_t procs;
};

/* The ranges of a job, in the order in which jobs started. */
struct taken {
	size_t first, count;
};

static int by_time(const void *one, const void *other)
{
	const struct change *a = one, *b = other;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	if (a->start != b->start)
		return a->start ? 1 : -1;
	return (a->job > b->job) - (a->job < b->job);
}

/* Takes the lowest PROCS processors, unless fewer are free. */
static int take(struct free_ranges *free, int32_t procs, struct lxfw_processors *to,
		struct taken *taken)
{
	size_t used = 0;

	*taken = (struct taken) { to->count, 0 };
	if (procs > free->procs)
		return 0;
	free->procs -= procs;
	while (procs > 0) {
		struct lxfw_processor_range *range = &free->list[used];
		int32_t count = range->last - range->first + 1;

		if (LXFW_GROW(to->ranges, to->size, to->count + 1))
			return -1;
		if (count > procs)
			count = procs;
		to->ranges[to->count++] = (struct lxfw_processor_range) {
			range->first, range->first + count - 1,
		};
		taken->count++;
		procs -= count;
		range->first += count;
		used += range->first > range->last;
	}
	free->count -= used;
	memmove(free->list, free->list + used, free->count * sizeof(*free->list));
	return 0;
}

/* Returns the index of the first range after PROCESSOR. */
static size_t after(const struct free_ranges *free, int32_t processor)
{
	size_t low = 0, high = free->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (free->list[middle].first <= processor)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int give(struct free_ranges *free, const struct lxfw_processor_range *range)
{
	size_t at = after(free, range->first);
	bool joins_before = at > 0 && free->list[at - 1].last + 1 == range->first;
	bool joins_after = at < free->count && range->last + 1 == free->list[at].first;

	free->procs += range->last - range->first + 1;
	if (joins_before && joins_after) {
		free->list[at - 1].last = free->list[at].last;
		free->count--;
		memmove(&free->list[at], &free->list[at + 1],
			(free->count - at) * sizeof(*free->list));
		return 0;
	}
	if (joins_before) {
		free->list[at - 1].last = range->last;
		return 0;
	}
	if (joins_after) {
		free->list[at].first = range->first;
		return 0;
	}
	if (LXFW_GROW(free->list, free->size, free->count + 1))
		return -1;
	memmove(&free->list[at + 1], &free->list[at],
		(free->count - at) * sizeof(*free->list));
	free->list[at] = *range;
	free->count++;
	return 0;
}

/* Returns the starts and ends in order of time, or NULL. */
static struct change *changes_of(const struct lxfw_simulation *sim)
{
	size_t count = sim->trace->count;
	struct change *changes = malloc((2 * count + 1) * sizeof(*changes));

	for (size_t i = 0; changes && i < count; i++) {
		changes[2 * i] = (struct change) { sim->starts[i], i, true };
		changes[2 * i + 1] = (struct change) { sim->ends[i], i, false };
	}
	if (changes)
		qsort(changes, 2 * count, sizeof(*changes), by_time);
	return changes;
}

/* Puts the ranges in the order of the jobs. */
static int sort(struct lxfw_processors *processors, const struct taken *taken, size_t jobs)
{
	struct lxfw_processor_range *sorted =
		malloc((processors->count + 1) * sizeof(*sorted));
	size_t count = 0;

	processors->at = malloc((jobs + 1) * sizeof(*processors->at));
	if (!sorted || !processors->at) {
		free(sorted);
		return -1;
	}
	for (size_t i = 0; i < jobs; i++) {
		processors->at[i] = count;
		memcpy(sorted + count, processors->ranges + taken[i].first,
		       taken[i].count * sizeof(*sorted));
		count += taken[i].count;
	}
	processors->at[jobs] = count;
	free(processors->ranges);
	processors->ranges = sorted;
	return 0;
}

int lxfw_processors_assign(struct lxfw_processors *processors,
			   const struct lxfw_simulation *sim)
{
	size_t count = sim->trace->count;
	int32_t procs = sim->cluster->hosts[0].total.procs;
	struct lxfw_processor_range all = { 0, procs - 1 };
	struct taken *taken = calloc(count + 1, sizeof(*taken));
	struct change *changes = changes_of(sim);
	struct free_ranges unused = { 0 };
	int failed = !taken || !changes || LXFW_GROW(processors->ranges, processors->size, 1) ||
		     give(&unused, &all);

	for (size_t i = 0; i < 2 * count && !failed; i++) {
		size_t job = changes[i].job;

		if (changes[i].start)
			failed = take(&unused, sim->trace->jobs[job].procs, processors,
				      &taken[job]);
		for (size_t j = 0; j < taken[job].count && !changes[i].start && !failed; j++)
			failed = give(&unused, &processors->ranges[taken[job].first + j]);
	}
	failed = failed || sort(processors, taken, count);
	free(changes);
	free(taken);
	free(unused.list);
	return failed ? -1 : 0;
}

void lxfw_processors_clear(struct lxfw_processors *processors)
{
	free(processors->ranges);
	free(processors->at);
}
