/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adaptive processor allocation in a heterogeneous grid (Huang, Shih and Chung 2009, figure
 * 1). Jobs wait in one queue, in the order of submission, and are moldable: the broker chooses
 * the site and the processors of the first one when a job was submitted or has ended.
 *
 * The computing power of processors is their number times their speed. A job requires that of
 * the processors which it requests, at its home.
 *
 *   adaptive   If no other job waits, the job gets all free processors of the site with the
 *              most free power. Otherwise it gets processors of the site whose free power is
 *              closest to the required one: of the sites that have the required power free,
 *              the one with the least; if there is none, the one with the most. It gets as
 *              many as the required power takes, or all free ones if these are fewer.
 *   adaptive_procs   The site is chosen by processors, as if all speeds were equal: of those
 *              with enough free processors the one with the fewest, otherwise the one with
 *              the most. A job gets the processors that it requests, or all free ones if
 *              these are fewer. The paper's figures are those of this rule (doc/huang.md)
 *
 * If the job gets less than it requires and there is a threshold, it starts only if its
 * turnaround time is then below that share of the turnaround time if it waits until a site
 * has enough free. Turnaround times count from the submission and use estimates.
 *
 * The text of the paper names the sites that are picked; figure 1 is a drawing. Assumed: that a
 * site with enough is closer than one without, that the first of equal sites is picked, and the
 * number of processors.
 */
#include <stdlib.h>
#include <string.h>

#include "common/grid/brokers.h"
#include "common/grid/uses.h"
#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/grow.h"

struct adaptive {
	struct lxfw_grid_job *waiting;	/* in the order of submission */
	size_t count, size;
	size_t first;			/* those before it have started */
	struct lxfw_grid_uses uses;
	int32_t *free;			/* processors, by site */
	bool *tried;			/* scratch: sites that cannot start the job */
	bool changed;			/* since the last decision */
	bool by_procs;			/* not by computing power */
};

static int begin(struct lxfw_grid *grid)
{
	size_t count = (size_t)grid->site_count;
	struct adaptive *adaptive = calloc(1, sizeof(*adaptive));

	grid->state = adaptive;
	if (!adaptive)
		return -1;
	adaptive->free = calloc(count, sizeof(*adaptive->free));
	adaptive->tried = calloc(count, sizeof(*adaptive->tried));
	return adaptive->free && adaptive->tried ? 0 : -1;
}

static int begin_by_procs(struct lxfw_grid *grid)
{
	int failed = begin(grid);
	struct adaptive *adaptive = grid->state;

	if (adaptive)
		adaptive->by_procs = true;
	return failed;
}

static void end(struct lxfw_grid *grid)
{
	struct adaptive *adaptive = grid->state;

	if (!adaptive)
		return;
	free(adaptive->waiting);
	lxfw_grid_uses_clear(&adaptive->uses);
	free(adaptive->free);
	free(adaptive->tried);
	free(adaptive);
}

static int submitted(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	struct adaptive *adaptive = grid->state;

	if (LXFW_GROW(adaptive->waiting, adaptive->size, adaptive->count + 1))
		return -1;
	adaptive->waiting[adaptive->count++] = *job;
	adaptive->changed = true;
	return 0;
}

static int ended(struct lxfw_grid *grid, int32_t site, uint64_t job)
{
	struct adaptive *adaptive = grid->state;

	lxfw_grid_uses_remove(&adaptive->uses, site, job);
	adaptive->changed = true;
	return 0;
}

static void count_free(struct lxfw_grid *grid)
{
	struct adaptive *adaptive = grid->state;

	for (int32_t i = 0; i < grid->site_count; i++) {
		struct lxfw_sched_state state;

		lxfw_sched_state(grid->sites[i].sched, &state);
		adaptive->free[i] = (int32_t)state.free;
	}
}

/* --- computing power, or processors ------------------------------------------------------- */

static int64_t power(const struct lxfw_grid *grid, int32_t site, int32_t procs)
{
	const struct adaptive *adaptive = grid->state;

	return adaptive->by_procs ? procs : (int64_t)procs * grid->sites[site].speed;
}

static int64_t required(const struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	return power(grid, job->home, job->procs);
}

/* The processors at SITE that have the required power; they may be more than it has. */
static int64_t enough(const struct lxfw_grid *grid, const struct lxfw_grid_job *job,
		      int32_t site)
{
	int64_t one = power(grid, site, 1);

	return (required(grid, job) + one - 1) / one;
}

/* Whether free power A is a better choice than B. */
static bool is_closer(int64_t a, int64_t b, int64_t need)
{
	return a >= need ? b < need || a < b : a > b;
}

/* The site to pick of those that were not tried, or -1. */
static int32_t pick(const struct lxfw_grid *grid, const struct lxfw_grid_job *job, bool alone)
{
	const struct adaptive *adaptive = grid->state;
	int64_t need = alone ? INT64_MAX : required(grid, job), best_free = 0;
	int32_t best = -1;

	for (int32_t i = 0; i < grid->site_count; i++) {
		int64_t have = power(grid, i, adaptive->free[i]);

		if (adaptive->free[i] <= 0 || adaptive->tried[i] ||
		    (best >= 0 && !is_closer(have, best_free, need)))
			continue;
		best = i;
		best_free = have;
	}
	return best;
}

/* The time at which the job ends if it waits until a site has the required power. */
static int64_t end_if_waits(const struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	const struct adaptive *adaptive = grid->state;
	int64_t earliest = LXFW_NEVER;

	for (int32_t i = 0; i < grid->site_count; i++) {
		int64_t procs = enough(grid, job, i), time;
		struct lxfw_grid_part part = { .site = i };

		if (procs > grid->sites[i].procs)
			continue;
		part.procs = (int32_t)procs;
		time = lxfw_grid_uses_free_at(&adaptive->uses, grid->now, adaptive->free[i],
					      part.procs, i, NULL);
		if (time == LXFW_NEVER)
			continue;
		time = lxfw_time_add(time, lxfw_grid_part_seconds(grid,
				     lxfw_grid_estimate(grid, job, &part), job->procs, &part,
				     0));
		earliest = time < earliest ? time : earliest;
	}
	return earliest;
}

/* --- starts --------------------------------------------------------------------------------- */

static int64_t end_on(const struct lxfw_grid *grid, const struct lxfw_grid_job *job,
		      const struct lxfw_grid_part *part)
{
	return lxfw_time_add(grid->now, lxfw_grid_part_seconds(grid,
			     lxfw_grid_estimate(grid, job, part), job->procs, part, 0));
}

/* Whether to start the job on less power than required. If nothing runs, more power will not
   become free. */
static bool is_better(struct lxfw_grid *grid, const struct lxfw_grid_job *job,
		      const struct lxfw_grid_part *part)
{
	struct adaptive *adaptive = grid->state;
	int64_t waits;

	if (grid->params.threshold == 0 || adaptive->uses.count == 0 ||
	    power(grid, part->site, part->procs) >= required(grid, job))
		return true;
	lxfw_grid_uses_sort(&adaptive->uses);
	waits = end_if_waits(grid, job);
	return waits == LXFW_NEVER ||
	       (double)(end_on(grid, job, part) - job->submit) * 100 <
	       (double)(waits - job->submit) * (double)grid->params.threshold;
}

static int send(struct lxfw_grid *grid, const struct lxfw_grid_job *job,
		const struct lxfw_grid_part *part)
{
	struct adaptive *adaptive = grid->state;
	const struct lxfw_grid_use use = {
		.job = job->id, .site = part->site, .procs = part->procs,
		.end = end_on(grid, job, part),
	};

	if (lxfw_grid_uses_add(&adaptive->uses, &use))
		return -1;
	grid->reason = (struct lxfw_grid_reason){
		.rule = adaptive->by_procs ? "closest free processors" :
					     "closest free computing power",
		.unit = adaptive->by_procs ? "processors" : "processors x speed per mille",
		.value = power(grid, part->site, adaptive->free[part->site]), .other = -1,
	};
	adaptive->free[part->site] -= part->procs;
	return grid->world->send(grid->world->context, job->id, part, 1, 0);
}

/* Returns 1 if the job has started, 0 if it waits, or -1 with errno. A site that cannot start
   it on the free processors, for lack of memory or because it fits on no host, is passed
   over. */
static int start(struct lxfw_grid *grid, const struct lxfw_grid_job *job, bool alone)
{
	struct adaptive *adaptive = grid->state;

	memset(adaptive->tried, 0, (size_t)grid->site_count * sizeof(*adaptive->tried));
	for (;;) {
		struct lxfw_grid_part part = { .site = pick(grid, job, alone) };
		int starts;

		if (part.site < 0)
			return 0;
		part.procs = adaptive->free[part.site];
		if (!alone && enough(grid, job, part.site) < part.procs)
			part.procs = (int32_t)enough(grid, job, part.site);
		starts = lxfw_grid_starts_now(grid, job, &part, 0);
		if (starts < 0)
			return -1;
		if (starts) {
			if (!is_better(grid, job, &part))
				return 0;
			return send(grid, job, &part) ? -1 : 1;
		}
		adaptive->tried[part.site] = true;
	}
}

/* Removes the jobs that have started from the list, once they are most of it. */
static void tidy(struct adaptive *adaptive)
{
	if (adaptive->first == 0 || adaptive->first * 2 < adaptive->count)
		return;
	adaptive->count -= adaptive->first;
	memmove(adaptive->waiting, adaptive->waiting + adaptive->first,
		adaptive->count * sizeof(*adaptive->waiting));
	adaptive->first = 0;
}

static int decide(struct lxfw_grid *grid)
{
	struct adaptive *adaptive = grid->state;
	int started = 1;

	if (!adaptive->changed)
		return 0;
	adaptive->changed = false;
	count_free(grid);
	while (started && adaptive->first < adaptive->count) {
		struct lxfw_grid_job job = adaptive->waiting[adaptive->first];

		started = start(grid, &job, !adaptive->by_procs &&
					    adaptive->first + 1 == adaptive->count);
		if (started < 0)
			return -1;
		adaptive->first += (size_t)started;
	}
	tidy(adaptive);
	return 0;
}

const struct lxfw_broker lxfw_broker_adaptive = {
	.name = "adaptive",
	.summary = "one queue in the order of submission; a job's site and processors by their "
		   "computing power",
	.molds = true,
	.begin = begin, .end = end, .submitted = submitted, .ended = ended, .decide = decide,
};

const struct lxfw_broker lxfw_broker_adaptive_procs = {
	.name = "adaptive_procs",
	.summary = "the same, by processors whatever their speed; no job gets more than it "
		   "requests",
	.molds = true,
	.begin = begin_by_procs, .end = end, .submitted = submitted, .ended = ended,
	.decide = decide,
};
