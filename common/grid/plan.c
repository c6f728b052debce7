/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/plan.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/profile/duration.h"

/* A plan in the making. */
struct draft {
	int32_t *places;
	int64_t *starts;
	size_t *order;
	size_t placed;		/* jobs in `order` */
	double sum;
	int64_t *times;		/* of slots */
};

struct maker {
	struct lxfw_plan *plan;
	struct lxfw_slots slots;	/* with the times of the draft in the making */
	struct draft parallel;	/* the jobs on clusters only */
	struct draft one, other, best;
	int32_t *sites;		/* of each job: where it ends first */
	int64_t *ends;		/* its end there */
};

int lxfw_plan_begin(struct lxfw_plan *plan)
{
	plan->places = calloc(plan->count + 1, sizeof(*plan->places));
	plan->starts = calloc(plan->count + 1, sizeof(*plan->starts));
	plan->order = calloc(plan->count + 1, sizeof(*plan->order));
	return plan->places && plan->starts && plan->order ? 0 : -1;
}

void lxfw_plan_clear(struct lxfw_plan *plan)
{
	free(plan->places);
	free(plan->starts);
	free(plan->order);
	plan->places = NULL;
	plan->starts = NULL;
	plan->order = NULL;
}

/* --- drafts ----------------------------------------------------------------------------- */

static size_t slot_count(const struct lxfw_plan *plan)
{
	return plan->slots->at[plan->slots->sites];
}

static int begin_draft(const struct lxfw_plan *plan, struct draft *draft)
{
	draft->places = calloc(plan->count + 1, sizeof(*draft->places));
	draft->starts = calloc(plan->count + 1, sizeof(*draft->starts));
	draft->order = calloc(plan->count + 1, sizeof(*draft->order));
	draft->times = calloc(slot_count(plan) + 1, sizeof(*draft->times));
	if (!draft->places || !draft->starts || !draft->order || !draft->times)
		return -1;
	for (size_t i = 0; i < plan->count; i++)
		draft->places[i] = -1;
	memcpy(draft->times, plan->slots->times, slot_count(plan) * sizeof(*draft->times));
	return 0;
}

static void clear_draft(struct draft *draft)
{
	free(draft->places);
	free(draft->starts);
	free(draft->order);
	free(draft->times);
}

static void copy_draft(const struct lxfw_plan *plan, struct draft *to,
		       const struct draft *from)
{
	memcpy(to->places, from->places, plan->count * sizeof(*to->places));
	memcpy(to->starts, from->starts, plan->count * sizeof(*to->starts));
	memcpy(to->order, from->order, plan->count * sizeof(*to->order));
	memcpy(to->times, from->times, slot_count(plan) * sizeof(*to->times));
	to->placed = from->placed;
	to->sum = from->sum;
}

static void swap(struct draft *one, struct draft *other)
{
	struct draft kept = *one;

	*one = *other;
	*other = kept;
}

static void note(struct draft *draft, size_t job, int32_t place, int64_t start, int64_t end)
{
	draft->places[job] = place;
	draft->starts[job] = start;
	draft->order[draft->placed++] = job;
	draft->sum += (double)end;
}

/* --- sequential ---------------------------------------------------------------------------- */

static int64_t seconds_at(const struct lxfw_plan *plan, size_t job, int32_t place)
{
	size_t places = (size_t)plan->slots->sites + (size_t)plan->cluster_count;

	return plan->seconds[job * places + (size_t)place];
}

/* Returns the end of a job, before LXFW_NEVER. */
static int64_t end_of(int64_t start, int64_t seconds)
{
	int64_t end = lxfw_time_add(start, seconds);

	return end < LXFW_NEVER ? end : LXFW_NEVER - 1;
}

/* Finds the site at which the job ends first; -1 and LXFW_NEVER: none. */
static void find_site(struct maker *maker, size_t job)
{
	const struct lxfw_plan *plan = maker->plan;

	maker->sites[job] = -1;
	maker->ends[job] = LXFW_NEVER;
	for (int32_t i = 0; i < plan->slots->sites; i++) {
		int64_t seconds = seconds_at(plan, job, i), end;

		if (seconds == LXFW_NEVER)
			continue;
		end = end_of(lxfw_slots_start(&maker->slots, i, plan->procs[job]), seconds);
		if (end < maker->ends[job]) {
			maker->ends[job] = end;
			maker->sites[job] = i;
		}
	}
}

/* Returns the job that is to be placed next, or the number of jobs if there is none. */
static size_t choose(const struct maker *maker, const struct draft *draft, bool last)
{
	size_t best = maker->plan->count;

	for (size_t i = 0; i < maker->plan->count; i++) {
		if (draft->places[i] >= 0 || maker->sites[i] < 0)
			continue;
		if (best == maker->plan->count ||
		    (last ? maker->ends[i] > maker->ends[best] :
			    maker->ends[i] < maker->ends[best]))
			best = i;
	}
	return best;
}

/* Adds the jobs that are not in the draft yet. The best site of a job changes only when a
   job is placed there, since all others are free no earlier than before. */
static void add_jobs(struct maker *maker, struct draft *draft, bool last)
{
	const struct lxfw_plan *plan = maker->plan;
	size_t job;

	maker->slots.times = draft->times;
	for (size_t i = 0; i < plan->count; i++) {
		if (draft->places[i] < 0)
			find_site(maker, i);
	}
	while ((job = choose(maker, draft, last)) < plan->count) {
		int32_t site = maker->sites[job];
		int64_t end = maker->ends[job];

		note(draft, job, site, end - seconds_at(plan, job, site), end);
		lxfw_slots_take(&maker->slots, site, plan->procs[job], end);
		for (size_t i = 0; i < plan->count; i++) {
			if (draft->places[i] < 0 && maker->sites[i] == site)
				find_site(maker, i);
		}
	}
	maker->plan->schedules++;
}

/* Sets maker->one to the better plan around the jobs on clusters. */
static void make_sequential(struct maker *maker)
{
	copy_draft(maker->plan, &maker->one, &maker->parallel);
	add_jobs(maker, &maker->one, false);
	copy_draft(maker->plan, &maker->other, &maker->parallel);
	add_jobs(maker, &maker->other, true);
	if (maker->other.sum < maker->one.sum)
		swap(&maker->one, &maker->other);
}

/* --- parallel --------------------------------------------------------------------------- */

/* The job that gains most on a cluster. */
struct offer {
	size_t job;
	int32_t place;
	int64_t profit, end;
};

static void look_at(const struct maker *maker, size_t job, struct offer *best)
{
	const struct lxfw_plan *plan = maker->plan;

	for (int32_t i = 0; i < plan->cluster_count; i++) {
		int32_t place = plan->slots->sites + i;
		int64_t seconds = seconds_at(plan, job, place), end;

		if (seconds == LXFW_NEVER)
			continue;
		end = end_of(lxfw_slots_cluster_start(&maker->slots, &plan->clusters[i]),
			     seconds);
		if (maker->ends[job] - end > best->profit)
			*best = (struct offer){ job, place, maker->ends[job] - end, end };
	}
}

/* Moves the job with the largest profit to a cluster. Returns false if there is no profit. */
static bool move_one(struct maker *maker)
{
	struct lxfw_plan *plan = maker->plan;
	struct draft *draft = &maker->parallel;
	struct offer best = { 0 };

	maker->slots.times = draft->times;
	for (size_t i = 0; i < plan->count; i++) {
		if (draft->places[i] >= 0)
			continue;
		find_site(maker, i);
		if (maker->sites[i] >= 0)
			look_at(maker, i, &best);
	}
	if (best.profit <= 0)
		return false;
	note(draft, best.job, best.place, best.end - seconds_at(plan, best.job, best.place),
	     best.end);
	lxfw_slots_take_cluster(&maker->slots, &plan->clusters[best.place - plan->slots->sites],
				best.end);
	return true;
}

/* --- both ----------------------------------------------------------------------------------- */

static int begin(struct maker *maker, struct lxfw_plan *plan)
{
	*maker = (struct maker){ .plan = plan, .slots = *plan->slots };
	maker->sites = calloc(plan->count + 1, sizeof(*maker->sites));
	maker->ends = calloc(plan->count + 1, sizeof(*maker->ends));
	plan->schedules = 0;
	if (!maker->sites || !maker->ends || begin_draft(plan, &maker->parallel) ||
	    begin_draft(plan, &maker->one) || begin_draft(plan, &maker->other) ||
	    begin_draft(plan, &maker->best))
		return -1;
	return 0;
}

static int finish(struct maker *maker, int failed)
{
	struct lxfw_plan *plan = maker->plan;
	const struct draft *best = &maker->best;

	if (!failed) {
		memcpy(plan->places, best->places, plan->count * sizeof(*plan->places));
		memcpy(plan->starts, best->starts, plan->count * sizeof(*plan->starts));
		memcpy(plan->order, best->order, plan->count * sizeof(*plan->order));
		plan->sum = best->sum;
		plan->placed = best->placed;
	}
	clear_draft(&maker->parallel);
	clear_draft(&maker->one);
	clear_draft(&maker->other);
	clear_draft(&maker->best);
	free(maker->sites);
	free(maker->ends);
	return failed;
}

int lxfw_plan_sequential(struct lxfw_plan *plan)
{
	struct maker maker;
	int failed = begin(&maker, plan);

	if (!failed) {
		make_sequential(&maker);
		swap(&maker.best, &maker.one);
	}
	return finish(&maker, failed);
}

int lxfw_plan_parallel(struct lxfw_plan *plan)
{
	struct maker maker;
	int failed = begin(&maker, plan);

	if (failed)
		return finish(&maker, failed);
	make_sequential(&maker);
	swap(&maker.best, &maker.one);
	while (move_one(&maker)) {
		make_sequential(&maker);
		if (maker.one.sum >= maker.best.sum)
			break;
		swap(&maker.best, &maker.one);
	}
	return finish(&maker, 0);
}
