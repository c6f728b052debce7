/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/metrics/timeline.h"

#include <errno.h>
#include <stdlib.h>

enum kind { SUBMIT, START, END, LEAVE };

struct change {
	int64_t time;
	int32_t procs;
	enum kind kind;
};

static int by_time(const void *left, const void *right)
{
	const struct change *a = left, *b = right;

	return (a->time > b->time) - (a->time < b->time);
}

static struct change *list(const struct lxfw_stay *stays, size_t count,
			   size_t *changes_count)
{
	struct change *changes = malloc((3 * count + 1) * sizeof(*changes));
	size_t n = 0;

	for (size_t i = 0; changes && i < count; i++) {
		const struct lxfw_stay *stay = &stays[i];

		changes[n++] = (struct change) { stay->submit, stay->procs,
						 SUBMIT };
		if (stay->start != LXFW_STAY_NEVER)
			changes[n++] = (struct change) { stay->start,
							 stay->procs, START };
		changes[n++] = (struct change) {
			stay->end, stay->procs,
			stay->start == LXFW_STAY_NEVER ? LEAVE : END,
		};
	}
	if (changes && n > 1)
		qsort(changes, n, sizeof(*changes), by_time);
	*changes_count = n;
	return changes;
}

static void apply(struct lxfw_stretch *stretch, const struct change *change)
{
	switch (change->kind) {
	case SUBMIT:
		stretch->wanted += change->procs;
		stretch->waiting++;
		stretch->came++;
		break;
	case START:
		stretch->held += change->procs;
		stretch->running++;
		stretch->started++;
		/* fall through */
	case LEAVE:
		stretch->wanted -= change->procs;
		stretch->waiting--;
		break;
	case END:
		stretch->held -= change->procs;
		stretch->running--;
		break;
	}
}

int lxfw_timeline_make(struct lxfw_timeline *timeline,
		       const struct lxfw_stay *stays, size_t count)
{
	struct lxfw_stretch now = { 0 };
	size_t changes_count;
	struct change *changes = list(stays, count, &changes_count);

	*timeline = (struct lxfw_timeline) {
		.stretches = malloc((changes_count + 1) *
				    sizeof(*timeline->stretches)),
	};
	if (!changes || !timeline->stretches) {
		free(changes);
		lxfw_timeline_clear(timeline);
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < changes_count; ) {
		now.begin = changes[i].time;
		now.came = now.started = 0;
		for (; i < changes_count && changes[i].time == now.begin; i++)
			apply(&now, &changes[i]);
		timeline->stretches[timeline->count++] = now;
	}
	free(changes);
	return 0;
}

void lxfw_timeline_clear(struct lxfw_timeline *timeline)
{
	free(timeline->stretches);
	*timeline = (struct lxfw_timeline) { 0 };
}

size_t lxfw_timeline_at(const struct lxfw_timeline *timeline, int64_t time)
{
	size_t low = 0, high = timeline->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (timeline->stretches[middle].begin < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Returns the amount of a stretch that is summed. */
typedef double amount_fn(const struct lxfw_stretch *stretch);

static double held(const struct lxfw_stretch *stretch)
{
	return (double)stretch->held;
}

static double waiting_jobs(const struct lxfw_stretch *stretch)
{
	return stretch->waiting;
}

static void sum_spans(const struct lxfw_timeline *timeline, int64_t begin,
		      int64_t width, size_t count, amount_fn *amount, double *sums)
{
	int64_t end = begin + width * (int64_t)count;

	for (size_t i = 0; i < count; i++)
		sums[i] = 0;
	for (size_t i = 0; i + 1 < timeline->count; i++) {
		const struct lxfw_stretch *stretch = &timeline->stretches[i];
		int64_t from = stretch->begin, until = stretch[1].begin;

		if (from < begin)
			from = begin;
		if (until > end)
			until = end;
		while (from < until) {
			int64_t span = (from - begin) / width;
			int64_t next = begin + (span + 1) * width;
			int64_t to = next < until ? next : until;

			sums[span] += (double)(to - from) * amount(stretch);
			from = to;
		}
	}
}

void lxfw_timeline_usage(const struct lxfw_timeline *timeline, int64_t begin,
			 int64_t width, size_t count, double *usage)
{
	sum_spans(timeline, begin, width, count, held, usage);
}

void lxfw_timeline_waiting(const struct lxfw_timeline *timeline, int64_t begin,
			   int64_t width, size_t count, double *waiting)
{
	sum_spans(timeline, begin, width, count, waiting_jobs, waiting);
}
