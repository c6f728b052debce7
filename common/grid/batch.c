/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Batches of jobs for sites and clusters of sites (Collins and George 2001, sections 3, 5.3
 * and 5.4). Jobs wait for the next multiple of the quantum; then the batch is planned, by
 * priority: those of high priority first, and so on. A plan is kept: a later batch is
 * planned after the jobs that have a place. A job starts as soon as those planned before it
 * at its place have ended, whether sooner or later than expected.
 *
 *   olb   opportunistic load balancing: no plan; the first job starts at the site that has
 *         been free for the longest time
 *   sjs   the plan of lxfw_plan_sequential()
 *   pjs   that of lxfw_plan_parallel()
 *
 * With preemption, jobs of high priority are planned as if there were no jobs of low
 * priority. One that is in the way loses its place, and its work if it runs, and belongs to
 * the batch. Jobs of medium priority neither preempt nor are preempted.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/grid/brokers.h"
#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/grow.h"

#define WAITS INT64_MIN		/* a start: not yet */

struct item {
	struct lxfw_grid_job job;
	int32_t place;
	int32_t parts;		/* that run */
	int32_t stopped;	/* number of times */
	int64_t seconds;	/* expected at its place */
	int64_t start;
	int64_t planned;	/* start, when it was planned */
};

struct batch {
	struct item *waiting;	/* without a place; by priority and submission */
	size_t waiting_count, waiting_size;
	struct item *placed;	/* in the order of their plans */
	size_t placed_count, placed_size;
	size_t ready;		/* olb: the first of `waiting`, whose batch has begun */
	int64_t due;		/* the next batch; LXFW_NEVER: none */
	int32_t *used;		/* processors, by site */
	bool *blocked;		/* scratch, by site */
	int64_t *idle;		/* since when, by site */
	struct lxfw_slots slots;	/* scratch */
};

static int decide(struct lxfw_grid *grid);

/* --- begin and end -------------------------------------------------------------------- */

static int32_t procs_of(const void *context, int32_t site)
{
	return ((const struct lxfw_grid *)context)->sites[site].procs;
}

static int begin(struct lxfw_grid *grid)
{
	size_t count = (size_t)grid->site_count;
	struct batch *batch = calloc(1, sizeof(*batch));

	grid->state = batch;
	if (!batch)
		return -1;
	batch->due = LXFW_NEVER;
	batch->used = calloc(count, sizeof(*batch->used));
	batch->blocked = calloc(count, sizeof(*batch->blocked));
	batch->idle = calloc(count, sizeof(*batch->idle));
	if (!batch->used || !batch->blocked || !batch->idle)
		return -1;
	return lxfw_slots_begin(&batch->slots, grid->site_count, procs_of, grid);
}

static void end(struct lxfw_grid *grid)
{
	struct batch *batch = grid->state;

	if (!batch)
		return;
	free(batch->waiting);
	free(batch->placed);
	free(batch->used);
	free(batch->blocked);
	free(batch->idle);
	lxfw_slots_clear(&batch->slots);
	free(batch);
}

/* --- lists ------------------------------------------------------------------------------ */

static int append(struct item **list, size_t *count, size_t *size, const struct item *item)
{
	if (LXFW_GROW(*list, *size, *count + 1))
		return -1;
	(*list)[(*count)++] = *item;
	return 0;
}

static void remove_at(struct item *list, size_t *count, size_t at)
{
	memmove(&list[at], &list[at + 1], (*count - at - 1) * sizeof(*list));
	--*count;
}

static int by_priority(const void *one, const void *other)
{
	const struct item *a = one, *b = other;

	if (a->job.priority != b->job.priority)
		return a->job.priority < b->job.priority ? -1 : 1;
	if (a->job.submit != b->job.submit)
		return a->job.submit < b->job.submit ? -1 : 1;
	return (a->job.id > b->job.id) - (a->job.id < b->job.id);
}

static int submitted(struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	struct batch *batch = grid->state;
	const struct item item = { .job = *job, .place = -1, .start = WAITS };
	int64_t quantum = grid->params.quantum > 0 ? grid->params.quantum : 1;
	int64_t late = (grid->now % quantum + quantum) % quantum;
	int32_t i = 0;

	while (i < grid->site_count && lxfw_grid_expected(grid, job, i) == LXFW_NEVER)
		i++;
	if (i == grid->site_count) {
		errno = EINVAL;
		return -1;
	}
	batch->due = late ? grid->now + quantum - late : grid->now;
	return append(&batch->waiting, &batch->waiting_count, &batch->waiting_size, &item);
}

/* --- places ------------------------------------------------------------------------------ */

static const struct lxfw_grid_cluster *cluster_of(const struct lxfw_grid *grid, int32_t place)
{
	return place < grid->site_count ? NULL : &grid->clusters[place - grid->site_count];
}

static int32_t site_count_of(const struct lxfw_grid *grid, int32_t place)
{
	const struct lxfw_grid_cluster *cluster = cluster_of(grid, place);

	return cluster ? cluster->count : 1;
}

static int32_t site_of(const struct lxfw_grid *grid, int32_t place, int32_t i)
{
	const struct lxfw_grid_cluster *cluster = cluster_of(grid, place);

	return cluster ? cluster->sites[i] : place;
}

static int32_t procs_at(const struct lxfw_grid *grid, const struct item *item, int32_t site)
{
	return item->place < grid->site_count ? item->job.procs : grid->sites[site].procs;
}

static bool shares_site(const struct lxfw_grid *grid, int32_t one, int32_t other)
{
	for (int32_t i = 0; i < site_count_of(grid, one); i++) {
		for (int32_t j = 0; j < site_count_of(grid, other); j++) {
			if (site_of(grid, one, i) == site_of(grid, other, j))
				return true;
		}
	}
	return false;
}

/* --- starts --------------------------------------------------------------------------- */

/* When its place is free for it by the plan; olb: since when it is free. */
static void explain(struct lxfw_grid *grid, const struct item *item)
{
	const struct batch *batch = grid->state;
	bool planned = grid->broker->decide == decide;

	grid->reason = (struct lxfw_grid_reason){
		.rule = planned ? "the plan of its batch, start" : "free for the longest time",
		.unit = "time", .other = -1,
		.value = planned ? item->planned : batch->idle[item->place],
	};
}

static int start(struct lxfw_grid *grid, struct item *item)
{
	struct batch *batch = grid->state;

	explain(grid, item);
	item->start = grid->now;
	item->parts = site_count_of(grid, item->place);
	for (int32_t i = 0; i < item->parts; i++) {
		int32_t site = site_of(grid, item->place, i);

		batch->used[site] += procs_at(grid, item, site);
	}
	return grid->world->run(grid->world->context, item->job.id, item->place,
				item->seconds);
}

static void free_part(struct lxfw_grid *grid, const struct item *item, int32_t site)
{
	struct batch *batch = grid->state;

	batch->used[site] -= procs_at(grid, item, site);
	batch->idle[site] = grid->now;
}

static int ended(struct lxfw_grid *grid, int32_t site, uint64_t job)
{
	struct batch *batch = grid->state;
	size_t i = 0;

	while (i < batch->placed_count && batch->placed[i].job.id != job)
		i++;
	if (i == batch->placed_count)
		return 0;
	free_part(grid, &batch->placed[i], site);
	if (--batch->placed[i].parts == 0)
		remove_at(batch->placed, &batch->placed_count, i);
	return 0;
}

static bool can_start(const struct lxfw_grid *grid, const struct item *item)
{
	const struct batch *batch = grid->state;

	for (int32_t i = 0; i < site_count_of(grid, item->place); i++) {
		int32_t site = site_of(grid, item->place, i);

		if (batch->blocked[site] || grid->sites[site].procs - batch->used[site] <
					    procs_at(grid, item, site))
			return false;
	}
	return true;
}

/* Starts each job whose turn it is at all sites of its place. The first job that waits for a
   site keeps the later ones from it, so that each gets its turn. */
static int start_placed(struct lxfw_grid *grid)
{
	struct batch *batch = grid->state;

	memset(batch->blocked, 0, (size_t)grid->site_count * sizeof(*batch->blocked));
	for (size_t i = 0; i < batch->placed_count; i++) {
		struct item *item = &batch->placed[i];

		if (item->start != WAITS)
			continue;
		if (can_start(grid, item)) {
			if (start(grid, item))
				return -1;
			continue;
		}
		for (int32_t j = 0; j < site_count_of(grid, item->place); j++)
			batch->blocked[site_of(grid, item->place, j)] = true;
	}
	return 0;
}

/* --- plans -------------------------------------------------------------------------------- */

/* Whether jobs of high priority may take the place of this one. */
static bool gives_way(const struct lxfw_grid *grid, const struct item *item)
{
	return item->job.priority == LXFW_GRID_LOW &&
	       (item->start == WAITS ? grid->params.preemptions > 0 :
				       item->stopped < grid->params.preemptions);
}

/* Returns the start of the job in the slots, which it takes. */
static int64_t take(struct lxfw_grid *grid, const struct item *item)
{
	struct batch *batch = grid->state;
	const struct lxfw_grid_cluster *cluster = cluster_of(grid, item->place);
	int64_t from = item->start, until;

	if (from == WAITS)
		from = cluster ? lxfw_slots_cluster_start(&batch->slots, cluster) :
				 lxfw_slots_start(&batch->slots, item->place,
						  item->job.procs);
	until = lxfw_time_add(from, item->seconds);
	if (until <= grid->now)
		until = grid->now + 1;	/* it is late, and may end at any moment */
	if (cluster)
		lxfw_slots_take_cluster(&batch->slots, cluster, until);
	else
		lxfw_slots_take(&batch->slots, item->place, item->job.procs, until);
	return from;
}

/* Sets the slots beside the jobs that have a place up to position LAST, if NICE without those
   that give way to others. Returns the start of the last one. */
static int64_t fill(struct lxfw_grid *grid, size_t last, bool nice)
{
	struct batch *batch = grid->state;
	int64_t from = grid->now;

	lxfw_slots_reset(&batch->slots, grid->now);
	for (int waits = 0; waits < 2; waits++) {
		for (size_t i = 0; i < batch->placed_count && i <= last; i++) {
			const struct item *item = &batch->placed[i];

			if ((item->start == WAITS) == waits &&
			    !(nice && gives_way(grid, item)))
				from = take(grid, item);
		}
	}
	return from;
}

/* The last job that shares a site with PLACE and gives way; -1: none. */
static int64_t find_victim(const struct lxfw_grid *grid, int32_t place)
{
	const struct batch *batch = grid->state;

	for (size_t i = batch->placed_count; i-- > 0;) {
		if (gives_way(grid, &batch->placed[i]) &&
		    shares_site(grid, place, batch->placed[i].place))
			return (int64_t)i;
	}
	return -1;
}

/* Takes the place from a job. */
static int displace(struct lxfw_grid *grid, size_t at)
{
	struct batch *batch = grid->state;
	struct item item = batch->placed[at];

	if (item.start != WAITS) {
		for (int32_t i = 0; i < site_count_of(grid, item.place); i++)
			free_part(grid, &item, site_of(grid, item.place, i));
		if (grid->world->recall(grid->world->context, item.job.id))
			return -1;
		item.stopped++;
	}
	remove_at(batch->placed, &batch->placed_count, at);
	item.start = WAITS;
	item.place = -1;
	item.parts = 0;
	return append(&batch->waiting, &batch->waiting_count, &batch->waiting_size, &item);
}

/* Displaces the jobs that keep those from position FIRST on from their planned starts. */
static int make_way(struct lxfw_grid *grid, size_t first)
{
	struct batch *batch = grid->state;

	for (size_t i = first; i < batch->placed_count; i++) {
		int64_t victim;

		while ((victim = find_victim(grid, batch->placed[i].place)) >= 0 &&
		       fill(grid, i, false) > batch->placed[i].planned) {
			if (displace(grid, (size_t)victim))
				return -1;
			i--;
		}
	}
	return 0;
}

/* Appends the planned jobs to those that have a place. */
static int keep(struct lxfw_grid *grid, const struct lxfw_plan *plan, const struct item *jobs)
{
	struct batch *batch = grid->state;
	size_t places = (size_t)grid->site_count + (size_t)grid->cluster_count;

	for (size_t i = 0; i < plan->placed; i++) {
		size_t job = plan->order[i];
		struct item item = jobs[job];

		item.place = plan->places[job];
		item.planned = plan->starts[job];
		item.seconds = plan->seconds[job * places + (size_t)item.place];
		if (append(&batch->placed, &batch->placed_count, &batch->placed_size, &item))
			return -1;
	}
	return 0;
}

static int plan_jobs(struct lxfw_grid *grid, const struct item *jobs, size_t count)
{
	struct batch *batch = grid->state;
	int32_t places = grid->site_count + grid->cluster_count;
	int64_t *seconds = malloc(count * (size_t)places * sizeof(*seconds));
	int32_t *procs = malloc(count * sizeof(*procs));
	struct lxfw_plan plan = {
		.slots = &batch->slots, .clusters = grid->clusters,
		.cluster_count = grid->cluster_count, .count = count, .procs = procs,
		.seconds = seconds,
	};
	int failed = lxfw_plan_begin(&plan) || !seconds || !procs ? -1 : 0;

	for (size_t i = 0; i < count && !failed; i++) {
		procs[i] = jobs[i].job.procs;
		for (int32_t j = 0; j < places; j++)
			seconds[i * (size_t)places + (size_t)j] =
				lxfw_grid_expected(grid, &jobs[i].job, j);
	}
	if (!failed)
		failed = grid->broker->splits ? lxfw_plan_parallel(&plan) :
						lxfw_plan_sequential(&plan);
	if (!failed)
		failed = keep(grid, &plan, jobs);
	lxfw_plan_clear(&plan);
	free(seconds);
	free(procs);
	return failed;
}

/* Gives the waiting jobs of a priority, the first ones of the list, a place. */
static int plan_priority(struct lxfw_grid *grid, int32_t priority)
{
	struct batch *batch = grid->state;
	bool preempts = priority == LXFW_GRID_HIGH && grid->params.preemptions > 0;
	size_t count = 0, first = batch->placed_count;

	if (batch->waiting_count > 0)
		qsort(batch->waiting, batch->waiting_count, sizeof(*batch->waiting),
		      by_priority);
	while (count < batch->waiting_count && batch->waiting[count].job.priority == priority)
		count++;
	if (count == 0)
		return 0;
	(void)fill(grid, SIZE_MAX, preempts);
	if (plan_jobs(grid, batch->waiting, count))
		return -1;
	memmove(batch->waiting, batch->waiting + count,
		(batch->waiting_count - count) * sizeof(*batch->waiting));
	batch->waiting_count -= count;
	return preempts ? make_way(grid, first) : 0;
}

static int decide(struct lxfw_grid *grid)
{
	struct batch *batch = grid->state;

	if (batch->due <= grid->now) {
		batch->due = LXFW_NEVER;
		for (int32_t i = 0; i < LXFW_GRID_PRIORITIES; i++) {
			if (plan_priority(grid, i))
				return -1;
		}
	}
	return start_placed(grid);
}

static int64_t wake(struct lxfw_grid *grid)
{
	const struct batch *batch = grid->state;

	return batch->due;
}

/* --- opportunistic load balancing -------------------------------------------------------- */

/* Returns the site that has been free for the longest time, or -1. */
static int32_t find_idle(const struct lxfw_grid *grid, const struct lxfw_grid_job *job)
{
	const struct batch *batch = grid->state;
	int32_t best = -1;

	for (int32_t i = 0; i < grid->site_count; i++) {
		if (grid->sites[i].procs - batch->used[i] >= job->procs &&
		    (best < 0 || batch->idle[i] < batch->idle[best]) &&
		    lxfw_grid_expected(grid, job, i) != LXFW_NEVER)
			best = i;
	}
	return best;
}

static int decide_opportunistic(struct lxfw_grid *grid)
{
	struct batch *batch = grid->state;

	if (batch->due <= grid->now) {
		batch->due = LXFW_NEVER;
		batch->ready = batch->waiting_count;
		if (batch->ready > 0)
			qsort(batch->waiting, batch->ready, sizeof(*batch->waiting),
			      by_priority);
	}
	while (batch->ready > 0) {
		struct item item = batch->waiting[0];

		item.place = find_idle(grid, &item.job);
		if (item.place < 0)
			return 0;
		item.seconds = lxfw_grid_expected(grid, &item.job, item.place);
		if (append(&batch->placed, &batch->placed_count, &batch->placed_size, &item))
			return -1;
		remove_at(batch->waiting, &batch->waiting_count, 0);
		batch->ready--;
		if (start(grid, &batch->placed[batch->placed_count - 1]))
			return -1;
	}
	return 0;
}

const struct lxfw_broker lxfw_broker_olb = {
	.name = "olb",
	.summary = "batches: the first job runs at the site that was free for the longest time",
	.begin = begin, .end = end, .submitted = submitted, .ended = ended,
	.decide = decide_opportunistic, .wake = wake,
};

const struct lxfw_broker lxfw_broker_sjs = {
	.name = "sjs",
	.summary = "batches: the better one of a min-min and a min-max plan",
	.begin = begin, .end = end, .submitted = submitted, .ended = ended, .decide = decide,
	.wake = wake,
};

const struct lxfw_broker lxfw_broker_pjs = {
	.name = "pjs",
	.summary = "the same, with jobs on clusters of sites where that is better",
	.splits = true,
	.begin = begin, .end = end, .submitted = submitted, .ended = ended, .decide = decide,
	.wake = wake,
};
