/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs wait in one queue of the broker, in the order of submission, and are sent to sites
 * where they start at once: EASY backfilling over all sites. The first job that does not fit
 * gets a reservation: the earliest time at which enough processors are free if the jobs that
 * run end as expected. Later jobs start before it only if they do not delay it.
 *
 *   central      a job runs at one site, by BestFit (Yahyapour 2002, 5.6.2)
 *   multi_site   a job that no site can start is split: the sites with the most free
 *                processors first, so that there are few of them. It then runs longer
 *                (5.6.3). As in the thesis, it starts also if that delays the first job
 *                that waits (5.7.3: it may start before jobs submitted earlier)
 *   multi_site_fair   it does not
 */
#include <errno.h>
#include <stdlib.h>

#include "common/grid/brokers.h"
#include "common/grid/uses.h"
#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/grow.h"

struct central {
	struct lxfw_grid_job *waiting;	/* in the order of submission */
	size_t waiting_count, waiting_size;
	struct lxfw_grid_uses uses;
	int32_t *free;			/* processors, by site */
	int32_t *order;			/* scratch: sites */
	struct lxfw_grid_part *parts;	/* scratch */
	/* The reservation of the first job that waits, in a decision. */
	bool reserved;
	int64_t start;
	int32_t site;			/* -1: any sites */
	int32_t spare;			/* processors that it leaves free then */
};

static int begin(struct lxfw_grid *grid)
{
	size_t count = (size_t)grid->site_count;
	struct central *central = calloc(1, sizeof(*central));

	grid->state = central;
	if (!central)
		return -1;
	central->free = calloc(count, sizeof(*central->free));
	central->order = calloc(count, sizeof(*central->order));
	central->parts = calloc(count, sizeof(*central->parts));
	return central->free && central->order && central->parts ? 0 : -1;
}

static void end(struct lxfw_grid *grid)
{
	struct central *central = grid->state;

	if (!central)
		return;
	free(central->waiting);
	lxfw_grid_uses_clear(&central->uses);
	free(central->free);
	free(central->order);
	free(central->parts);
	free(central);
}

/* Whether the job can start on the empty grid. */
static bool can_start(const struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	int64_t all = 0;

	for (int32_t i = 0; i < grid->site_count; i++) {
		if (grid->sites[i].procs >= job->procs)
			return true;
		all += grid->sites[i].procs;
	}
	return grid->broker->splits && all >= job->procs;
}

static int submitted(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	struct central *central = grid->state;

	if (!can_start(grid, job)) {
		errno = EINVAL;
		return -1;
	}
	if (LXFW_GROW(central->waiting, central->waiting_size, central->waiting_count + 1))
		return -1;
	central->waiting[central->waiting_count++] = *job;
	return 0;
}

static int ended(struct lxfw_grid *grid, int32_t site, uint64_t job)
{
	struct central *central = grid->state;

	lxfw_grid_uses_remove(&central->uses, site, job);
	return 0;
}

static void count_free(struct lxfw_grid *grid)
{
	struct central *central = grid->state;

	for (int32_t i = 0; i < grid->site_count; i++) {
		struct lxfw_sched_state state;

		lxfw_sched_state(grid->sites[i].sched, &state);
		central->free[i] = (int32_t)state.free;
	}
}

/* --- the reservation ---------------------------------------------------------------- */

/* Finds the earliest time at which SITE, or all together (-1), have enough processors free.
   *SPARE is what is left then. */
static int64_t free_at(const struct lxfw_grid *grid, int32_t procs, int32_t site,
		       int32_t *spare)
{
	const struct central *central = grid->state;
	int64_t have = 0;

	for (int32_t i = 0; i < grid->site_count; i++)
		have += site < 0 || site == i ? central->free[i] : 0;
	return lxfw_grid_uses_free_at(&central->uses, grid->now, have, procs, site, spare);
}

static void reserve(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	struct central *central = grid->state;
	int32_t spare;

	central->reserved = true;
	central->site = -1;
	central->start = LXFW_NEVER;
	lxfw_grid_uses_sort(&central->uses);
	if (grid->broker->splits) {
		central->start = free_at(grid, job->procs, -1, &central->spare);
		return;
	}
	for (int32_t i = 0; i < grid->site_count; i++) {
		int64_t start = grid->sites[i].procs < job->procs ? LXFW_NEVER :
				free_at(grid, job->procs, i, &spare);

		if (start < central->start) {
			central->start = start;
			central->site = i;
			central->spare = spare;
		}
	}
}

/* Whether PROCS processors at the site until END leave the reservation as it is. */
static bool leaves_reservation(const struct central *central, int32_t site, int32_t procs,
			       int64_t end)
{
	if (!central->reserved || end <= central->start)
		return true;
	if (central->site >= 0 && site >= 0 && site != central->site)
		return true;
	return procs <= central->spare;
}

/* --- starts --------------------------------------------------------------------------- */

static int64_t end_at(const struct lxfw_grid *grid, const struct lxfw_grid_job *job,
		      const struct lxfw_grid_part *part, int32_t overhead)
{
	return lxfw_time_add(grid->now, lxfw_grid_seconds(lxfw_grid_estimate(grid, job, part),
			     grid->sites[part->site].speed, overhead));
}

/* Sends the first COUNT of the scratch parts. */
static int send(struct lxfw_grid *grid, const struct lxfw_grid_job *job, int32_t count,
		int32_t overhead)
{
	struct central *central = grid->state;
	bool delays = false;

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_grid_part *part = &central->parts[i];
		int64_t end = end_at(grid, job, part, overhead);
		const struct lxfw_grid_use use = {
			.job = job->id, .site = part->site, .procs = part->procs, .end = end,
		};

		if (lxfw_grid_uses_add(&central->uses, &use))
			return -1;
		central->free[part->site] -= part->procs;
		delays |= central->reserved && end > central->start &&
			  (central->site < 0 || central->site == part->site);
	}
	if (delays)
		central->spare -= job->procs;
	return grid->world->send(grid->world->context, job->id, central->parts, count,
				 overhead);
}

/* Starts the job at the site on which it leaves the fewest processors free. Returns 1 if it
   has started, 0, or -1 with errno. */
static int start_at_one(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	struct central *central = grid->state;
	int32_t best = -1;

	for (int32_t i = 0; i < grid->site_count; i++) {
		const struct lxfw_grid_part part = { i, job->procs };
		int starts;

		if (central->free[i] < job->procs ||
		    (best >= 0 && central->free[i] >= central->free[best]) ||
		    !leaves_reservation(central, i, job->procs, end_at(grid, job, &part, 0)))
			continue;
		starts = lxfw_grid_starts_now(grid, job, &part, 0);
		if (starts < 0)
			return -1;
		if (starts)
			best = i;
	}
	if (best < 0)
		return 0;
	grid->reason = (struct lxfw_grid_reason){
		.rule = "starts now, fewest free processors", .unit = "processors",
		.value = central->free[best], .other = -1,
	};
	central->parts[0] = (struct lxfw_grid_part){ best, job->procs };
	return send(grid, job, 1, 0) ? -1 : 1;
}

/* Sorts the sites by their free processors, the most first. */
static void order_sites(const struct lxfw_grid *grid)
{
	struct central *central = grid->state;

	for (int32_t i = 0; i < grid->site_count; i++) {
		int32_t at = i;

		while (at > 0 && central->free[central->order[at - 1]] < central->free[i]) {
			central->order[at] = central->order[at - 1];
			at--;
		}
		central->order[at] = i;
	}
}

/* Starts the job at several sites. Returns as above. */
static int start_at_several(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	struct central *central = grid->state;
	int32_t left = job->procs, count = 0, overhead = grid->params.overhead;
	int64_t last = grid->now;

	order_sites(grid);
	/* A site with enough free processors keeps them for the first job that waits. */
	if (central->free[central->order[0]] >= job->procs)
		return 0;
	for (int32_t i = 0; i < grid->site_count && left > 0; i++) {
		int32_t site = central->order[i];
		struct lxfw_grid_part part = { site, central->free[site] };
		int64_t end;
		int starts;

		if (part.procs > left)
			part.procs = left;
		if (part.procs <= 0)
			break;
		end = end_at(grid, job, &part, overhead);
		starts = lxfw_grid_starts_now(grid, job, &part, overhead);
		if (starts < 0)
			return -1;
		if (!starts)
			continue;
		central->parts[count++] = part;
		left -= part.procs;
		last = end > last ? end : last;
	}
	if (left > 0 || (grid->broker->keeps &&
			 !leaves_reservation(central, -1, job->procs, last)))
		return 0;
	grid->reason = (struct lxfw_grid_reason){
		.rule = "no site starts it alone, most free processors first",
		.unit = "sites", .value = count, .other = -1,
	};
	return send(grid, job, count, overhead) ? -1 : 1;
}

static int start(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	int started = start_at_one(grid, job);

	return started == 0 && grid->broker->splits ? start_at_several(grid, job) : started;
}

static int decide(struct lxfw_grid *grid)
{
	struct central *central = grid->state;
	size_t left = 0;

	central->reserved = false;
	count_free(grid);
	for (size_t i = 0; i < central->waiting_count; i++) {
		struct lxfw_grid_job job = central->waiting[i];
		int started = start(grid, &job);

		if (started < 0)
			return -1;
		if (started)
			continue;
		if (!central->reserved)
			reserve(grid, &job);
		central->waiting[left++] = job;
	}
	central->waiting_count = left;
	return 0;
}

const struct lxfw_broker lxfw_broker_central = {
	.name = "central",
	.summary = "one queue with backfilling for all sites; a job runs at one site",
	.begin = begin, .end = end, .submitted = submitted, .ended = ended, .decide = decide,
};

const struct lxfw_broker lxfw_broker_multi_site = {
	.name = "multi_site",
	.summary = "the same, but a job that no site can start runs at several, which takes "
		   "longer",
	.splits = true,
	.begin = begin, .end = end, .submitted = submitted, .ended = ended, .decide = decide,
};

const struct lxfw_broker lxfw_broker_multi_site_fair = {
	.name = "multi_site_fair",
	.summary = "the same, but such a job does not delay the first one that waits",
	.splits = true, .keeps = true,
	.begin = begin, .end = end, .submitted = submitted, .ended = ended, .decide = decide,
};
