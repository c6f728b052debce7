/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/ahead.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Number of waiting jobs that are examined, in order of submission. */
#define LOOK_MOST 1024

int lxfw_ahead_begin(struct lxfw_ahead *ahead, const struct lxfw_sweep *sweep)
{
	*ahead = (struct lxfw_ahead) {
		.sweep = sweep, .head = LXFW_SWEEP_NONE,
		.running = malloc((sweep->count + 1) * sizeof(*ahead->running)),
	};
	if (ahead->running)
		return 0;
	errno = ENOMEM;
	return -1;
}

static int64_t due(const struct lxfw_ahead *ahead, size_t job)
{
	return ahead->sweep->jobs[job].start + ahead->sweep->jobs[job].limit;
}

/* Returns the position of the job among the running ones. */
static size_t place_of(const struct lxfw_ahead *ahead, size_t job)
{
	int64_t time = due(ahead, job);
	size_t low = 0, high = ahead->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2, other = ahead->running[middle];
		int64_t at = due(ahead, other);

		if (at < time || (at == time && other < job))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void lxfw_ahead_follow(struct lxfw_ahead *ahead)
{
	const struct lxfw_sweep *sweep = ahead->sweep;

	for (size_t i = 0; i < sweep->started_count; i++) {
		size_t place = place_of(ahead, sweep->started[i]);

		memmove(&ahead->running[place + 1], &ahead->running[place],
			(ahead->count++ - place) * sizeof(*ahead->running));
		ahead->running[place] = sweep->started[i];
	}
	for (size_t i = 0; i < sweep->ended_count; i++) {
		size_t place = place_of(ahead, sweep->ended[i]);

		memmove(&ahead->running[place], &ahead->running[place + 1],
			(--ahead->count - place) * sizeof(*ahead->running));
	}
}

/* Computes when the head can start according to the limits of the running jobs, and
   the processors left then. */
static void look_ahead(struct lxfw_ahead *ahead)
{
	int64_t wanted = ahead->sweep->jobs[ahead->head].procs;
	int64_t room = ahead->room;

	for (size_t i = 0; i < ahead->count && room < wanted; i++) {
		room += ahead->sweep->jobs[ahead->running[i]].procs;
		if (due(ahead, ahead->running[i]) > ahead->shadow)
			ahead->shadow = due(ahead, ahead->running[i]);
	}
	ahead->spare = room - wanted;
}

bool lxfw_ahead_can_job(const struct lxfw_ahead *ahead, size_t job)
{
	const struct lxfw_sweep_job *at = &ahead->sweep->jobs[job];

	if (at->free > ahead->sweep->now || at->procs > ahead->room)
		return false;
	return ahead->shadow <= ahead->sweep->now || at->procs <= ahead->spare ||
	       ahead->sweep->now + at->limit <= ahead->shadow;
}

void lxfw_ahead_behind(struct lxfw_ahead *ahead, size_t head, int64_t room)
{
	ahead->head = head;
	ahead->room = room;
	ahead->shadow = ahead->sweep->now;
	look_ahead(ahead);
}

bool lxfw_ahead_can(struct lxfw_ahead *ahead, int64_t procs)
{
	const struct lxfw_sweep *sweep = ahead->sweep;
	int64_t shadow = ahead->shadow > sweep->now ? ahead->shadow : sweep->now;
	size_t head = ahead->head;
	int looked = 0;

	ahead->room = procs - sweep->in_use;
	ahead->head = lxfw_sweep_head(sweep, sweep->now, INT64_MAX);
	ahead->shadow = sweep->now;
	ahead->delayed = false;
	if (ahead->head == LXFW_SWEEP_NONE)
		return false;
	if (sweep->jobs[ahead->head].procs <= ahead->room)
		return true;
	look_ahead(ahead);
	ahead->delayed = head == ahead->head && sweep->started_count > 0 &&
			 ahead->shadow > shadow;
	for (size_t i = lxfw_sweep_first(sweep); ahead->room > 0 &&
	     i != LXFW_SWEEP_NONE && looked < LOOK_MOST;
	     i = lxfw_sweep_after(sweep, i), looked++) {
		if (lxfw_ahead_can_job(ahead, i))
			return true;
	}
	return false;
}

void lxfw_ahead_end(struct lxfw_ahead *ahead)
{
	free(ahead->running);
	*ahead = (struct lxfw_ahead) { 0 };
}
