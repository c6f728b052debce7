/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/series.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

#define POINTS_MOST 100000000

static void add(struct lxfw_series *series, int64_t time, size_t job,
		enum lxfw_series_state state, int64_t procs)
{
	if (LXFW_GROW(series->changes, series->size, series->count + 1)) {
		series->failed = true;
		return;
	}
	series->changes[series->count++] = (struct lxfw_series_change) {
		.time = time, .job = (uint32_t)job, .state = state,
		.procs = (int32_t)procs,
	};
}

static int64_t procs_of(const struct lxfw_action *action)
{
	int64_t procs = 0;

	for (int32_t i = 0; i < action->count; i++)
		procs += action->shares[i].amount.procs;
	return procs;
}

void lxfw_series_see(void *context, int64_t now,
		     const struct lxfw_decision *decision)
{
	struct lxfw_series *series = context;

	for (size_t i = 0; i < decision->count; i++) {
		const struct lxfw_action *action = &decision->actions[i];
		size_t job = (size_t)action->job - 1;

		switch (action->type) {
		case LXFW_ACTION_START:
		case LXFW_ACTION_RESUME:
		case LXFW_ACTION_RESIZE:
			add(series, now, job, LXFW_SERIES_RUNNING,
			    procs_of(action));
			break;
		case LXFW_ACTION_SUSPEND:
			add(series, now, job, LXFW_SERIES_SUSPENDED, 0);
			break;
		case LXFW_ACTION_REQUEUE:
			add(series, now, job, LXFW_SERIES_WAITING, 0);
			break;
		case LXFW_ACTION_RESERVE:
		case LXFW_ACTION_UNRESERVE:
			break;
		}
	}
}

/* The order of the engine: ends, submissions, then decisions in their order. */
static int rank(const struct lxfw_series_change *change, bool ends)
{
	return change->state == LXFW_SERIES_AWAY ? 0 : ends ? 1 : 2;
}

struct order {
	struct lxfw_series_change change;
	int rank;
	size_t place;
};

static int by_time(const void *left, const void *right)
{
	const struct order *a = left, *b = right;

	if (a->change.time != b->change.time)
		return a->change.time < b->change.time ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank - b->rank;
	return (a->place > b->place) - (a->place < b->place);
}

/* Sorts all changes. Decisions were recorded; submissions and ends are taken from the
   trace. */
static struct order *put_in_order(struct lxfw_series *series,
				  const struct lxfw_simulation *sim)
{
	size_t decided = series->count;
	struct order *order;

	for (size_t i = 0; i < sim->trace->count; i++) {
		add(series, lxfw_simulation_submit(sim, i), i, LXFW_SERIES_WAITING, 0);
		if (sim->ends[i] != LXFW_NEVER)
			add(series, sim->ends[i] + sim->options->end_overhead, i,
			    LXFW_SERIES_AWAY, 0);
	}
	order = series->failed ? NULL :
		malloc((series->count + 1) * sizeof(*order));
	for (size_t i = 0; order && i < series->count; i++)
		order[i] = (struct order) {
			series->changes[i],
			rank(&series->changes[i], i >= decided), i,
		};
	if (order && series->count > 1)
		qsort(order, series->count, sizeof(*order), by_time);
	return order;
}

struct sweep {
	const struct lxfw_trace *trace;
	struct lxfw_series_change *now;		/* by job */
	struct lxfw_series_point point;
};

static void apply(struct sweep *sweep, const struct lxfw_series_change *change)
{
	struct lxfw_series_change *now = &sweep->now[change->job];
	struct lxfw_series_point *point = &sweep->point;

	/* A decision at the second of the job's end, before the event of its end. */
	if (now->state == LXFW_SERIES_AWAY && now->time == change->time &&
	    change->state != LXFW_SERIES_WAITING)
		return;
	point->jobs[now->state]--;
	point->procs[now->state] -= now->procs;
	*now = *change;
	if (now->state != LXFW_SERIES_RUNNING)
		now->procs = sweep->trace->jobs[change->job].procs;
	point->jobs[now->state]++;
	point->procs[now->state] += now->procs;
}

/* Makes a point per STEP seconds with the state after all changes up to that time. */
static size_t steps(struct sweep *sweep, const struct order *order, size_t count,
		    int64_t step, struct lxfw_series_point *points)
{
	int64_t first = order[0].change.time;
	size_t used = 0;

	for (size_t i = 0; i < count; ) {
		int64_t time = first + (int64_t)used * step;

		for (; i < count && order[i].change.time <= time; i++)
			apply(sweep, &order[i].change);
		points[used] = sweep->point;
		points[used++].time = time;
	}
	return used;
}

static size_t changes(struct sweep *sweep, const struct order *order, size_t count,
		      struct lxfw_series_point *points)
{
	size_t used = 0;

	for (size_t i = 0; i < count; ) {
		int64_t time = order[i].change.time;

		for (; i < count && order[i].change.time == time; i++)
			apply(sweep, &order[i].change);
		points[used] = sweep->point;
		points[used++].time = time;
	}
	return used;
}

struct lxfw_series_point *
lxfw_series_points(struct lxfw_series *series, const struct lxfw_simulation *sim,
		   int64_t step, size_t *count)
{
	struct order *order = put_in_order(series, sim);
	struct sweep sweep = { .trace = sim->trace };
	struct lxfw_series_point *points = NULL;
	size_t room = series->count + 1;

	*count = 0;
	if (order && step > 0 && series->count > 0)
		room = (size_t)((order[series->count - 1].change.time -
				 order[0].change.time) / step + 2);
	if (order && room > POINTS_MOST) {
		free(order);
		errno = EOVERFLOW;
		return NULL;
	}
	sweep.now = calloc(sim->trace->count + 1, sizeof(*sweep.now));
	points = malloc(room * sizeof(*points));
	if (!order || !sweep.now || !points) {
		free(points);
		points = NULL;
		errno = ENOMEM;
	} else if (series->count > 0) {
		*count = step > 0 ?
			 steps(&sweep, order, series->count, step, points) :
			 changes(&sweep, order, series->count, points);
	}
	free(order);
	free(sweep.now);
	return points;
}

void lxfw_series_clear(struct lxfw_series *series)
{
	free(series->changes);
	*series = (struct lxfw_series) { 0 };
}
