/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/grid/plan.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/time.h"
#include "common/profile/duration.h"
#include "common/util/heap.h"
#include "common/util/id_map.h"

/* A plan in the making. */
struct draft {
	int32_t *places;
	int64_t *starts;
	size_t *order;
	size_t placed;		/* jobs in `order` */
	double sum;
	int64_t *times;		/* of slots */
};

/* When a job would end at a site. */
struct candidate {
	int64_t end;
	int32_t site;
};

static bool ends_first(const void *of, const struct candidate *a, const struct candidate *b)
{
	(void)of;
	return a->end != b->end ? a->end < b->end : a->site < b->site;
}

LXFW_HEAP(candidates, struct candidate, void, ends_first)

/*
 * Jobs with the same processors and the same times at all places: what is best for one is
 * best for all, and the first one is taken. Their sites are in a heap. The ends of those
 * below the top may be those of an earlier moment, which are not later: sites are free no
 * earlier than before.
 */
struct class {
	size_t first, count;	/* its jobs, ascending, in `jobs` of the maker */
	size_t at;		/* the first one of them that has no place */
	struct candidate *heap;
	int32_t heap_count;
	struct candidate best;	/* site -1: none */
};

struct maker {
	struct lxfw_plan *plan;
	struct lxfw_slots slots;	/* with the times of the draft in the making */
	struct draft parallel;	/* the jobs on clusters only */
	struct draft one, other, best;
	struct class *classes;
	size_t class_count;
	size_t *jobs;		/* by class */
	size_t *class_of;	/* of each job */
	struct candidate *heaps;
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

static int64_t end_at(const struct maker *maker, size_t job, int32_t site)
{
	const struct lxfw_plan *plan = maker->plan;

	return end_of(lxfw_slots_start(&maker->slots, site, plan->procs[job]),
		      seconds_at(plan, job, site));
}

/* The first job of the class that has no place; its class has one. */
static size_t job_of(const struct maker *maker, const struct class *class)
{
	return maker->jobs[class->first + class->at];
}

/* Skips jobs of the class that have a place. Returns false if none is left. */
static bool has_job(const struct maker *maker, const struct draft *draft, struct class *class)
{
	while (class->at < class->count && draft->places[job_of(maker, class)] >= 0)
		class->at++;
	return class->at < class->count;
}

static void list_sites(const struct maker *maker, struct class *class)
{
	const struct lxfw_plan *plan = maker->plan;
	size_t job = maker->jobs[class->first];

	class->heap_count = 0;
	for (int32_t i = 0; i < plan->slots->sites; i++) {
		if (seconds_at(plan, job, i) != LXFW_NEVER)
			class->heap[class->heap_count++] =
				(struct candidate){ end_at(maker, job, i), i };
	}
	candidates_make(class->heap, (size_t)class->heap_count, NULL);
}

/* Sets the site at which the jobs of the class end first. */
static void find_best(const struct maker *maker, struct class *class)
{
	class->best = (struct candidate){ LXFW_NEVER, -1 };
	while (class->heap_count > 0) {
		struct candidate *top = class->heap;
		int64_t end = end_at(maker, maker->jobs[class->first], top->site);

		if (end == top->end) {
			class->best = *top;
			return;
		}
		top->end = end;
		candidates_sift(class->heap, (size_t)class->heap_count, 0, NULL);
	}
}

/* Finds the best site of each class beside the jobs of the draft. */
static void begin_classes(struct maker *maker, const struct draft *draft)
{
	for (size_t i = 0; i < maker->class_count; i++) {
		struct class *class = &maker->classes[i];

		class->at = 0;
		class->best.site = -1;
		if (!has_job(maker, draft, class))
			continue;
		list_sites(maker, class);
		find_best(maker, class);
	}
}

/* Returns the class whose first job is to be placed next, or NULL if there is none. */
static struct class *choose(struct maker *maker, bool last)
{
	struct class *best = NULL;

	for (size_t i = 0; i < maker->class_count; i++) {
		struct class *class = &maker->classes[i];

		if (class->best.site < 0)
			continue;
		if (!best || (last ? class->best.end > best->best.end :
				     class->best.end < best->best.end) ||
		    (class->best.end == best->best.end &&
		     job_of(maker, class) < job_of(maker, best)))
			best = class;
	}
	return best;
}

/* Adds the jobs that are not in the draft yet. The best site of a job changes only when a
   job is placed there, since all others are free no earlier than before. */
static void add_jobs(struct maker *maker, struct draft *draft, bool last)
{
	const struct lxfw_plan *plan = maker->plan;
	struct class *class;

	maker->slots.times = draft->times;
	begin_classes(maker, draft);
	while ((class = choose(maker, last))) {
		struct candidate best = class->best;
		size_t job = job_of(maker, class);

		note(draft, job, best.site, best.end - seconds_at(plan, job, best.site),
		     best.end);
		lxfw_slots_take(&maker->slots, best.site, plan->procs[job], best.end);
		if (!has_job(maker, draft, class))
			class->best.site = -1;
		for (size_t i = 0; i < maker->class_count; i++) {
			if (maker->classes[i].best.site == best.site)
				find_best(maker, &maker->classes[i]);
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

static void look_at(const struct maker *maker, const struct class *class, struct offer *best)
{
	const struct lxfw_plan *plan = maker->plan;
	size_t job = job_of(maker, class);

	for (int32_t i = 0; i < plan->cluster_count; i++) {
		int32_t place = plan->slots->sites + i;
		int64_t seconds = seconds_at(plan, job, place), end;

		if (seconds == LXFW_NEVER)
			continue;
		end = end_of(lxfw_slots_cluster_start(&maker->slots, &plan->clusters[i]),
			     seconds);
		if (class->best.end - end > best->profit ||
		    (class->best.end - end == best->profit && best->profit > 0 &&
		     job < best->job))
			*best = (struct offer){ job, place, class->best.end - end, end };
	}
}

/* Moves the job with the largest profit to a cluster. Returns false if there is no profit. */
static bool move_one(struct maker *maker)
{
	struct lxfw_plan *plan = maker->plan;
	struct draft *draft = &maker->parallel;
	struct offer best = { 0 };

	maker->slots.times = draft->times;
	begin_classes(maker, draft);
	for (size_t i = 0; i < maker->class_count; i++) {
		if (maker->classes[i].best.site >= 0)
			look_at(maker, &maker->classes[i], &best);
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

static size_t row_size(const struct lxfw_plan *plan)
{
	return ((size_t)plan->slots->sites + (size_t)plan->cluster_count) *
	       sizeof(*plan->seconds);
}

static bool is_same(const struct lxfw_plan *plan, size_t one, size_t other)
{
	return plan->procs[one] == plan->procs[other] &&
	       memcmp(&plan->seconds[one * (row_size(plan) / sizeof(*plan->seconds))],
		      &plan->seconds[other * (row_size(plan) / sizeof(*plan->seconds))],
		      row_size(plan)) == 0;
}

static uint64_t hash_of(const struct lxfw_plan *plan, size_t job)
{
	size_t places = (size_t)plan->slots->sites + (size_t)plan->cluster_count;
	uint64_t hash = UINT64_C(0xcbf29ce484222325) ^ (uint64_t)plan->procs[job];

	for (size_t i = 0; i < places; i++)
		hash = (hash ^ (uint64_t)plan->seconds[job * places + i]) *
		       UINT64_C(0x100000001b3) + (hash >> 29);
	return hash ? hash : 1;
}

/* Sets class_of, and the number of jobs of each class. Jobs whose numbers are equal by chance
   only, which are not the same, are classes of their own. */
static int find_classes(struct maker *maker)
{
	const struct lxfw_plan *plan = maker->plan;
	struct lxfw_id_map known = { 0 };
	int failed = 0;

	for (size_t i = 0; i < plan->count && !failed; i++) {
		uint64_t hash = hash_of(plan, i);
		int32_t at = lxfw_id_map_get(&known, hash);

		if (at < 0 || !is_same(plan, maker->classes[at].first, i)) {
			if (at < 0)
				failed = lxfw_id_map_add(&known, hash,
							 (int32_t)maker->class_count);
			at = (int32_t)maker->class_count++;
			maker->classes[at].first = i;	/* for now */
		}
		maker->class_of[i] = (size_t)at;
		maker->classes[at].count++;
	}
	lxfw_id_map_clear(&known);
	return failed;
}

static int make_classes(struct maker *maker)
{
	const struct lxfw_plan *plan = maker->plan;
	size_t sites = (size_t)plan->slots->sites, first = 0;

	maker->classes = calloc(plan->count + 1, sizeof(*maker->classes));
	maker->class_of = calloc(plan->count + 1, sizeof(*maker->class_of));
	maker->jobs = calloc(plan->count + 1, sizeof(*maker->jobs));
	if (!maker->classes || !maker->class_of || !maker->jobs || find_classes(maker))
		return -1;
	maker->heaps = calloc(maker->class_count * sites + 1, sizeof(*maker->heaps));
	if (!maker->heaps)
		return -1;
	for (size_t i = 0; i < maker->class_count; i++) {
		maker->classes[i].first = first;
		maker->classes[i].heap = &maker->heaps[i * sites];
		first += maker->classes[i].count;
	}
	for (size_t i = 0; i < plan->count; i++) {
		struct class *class = &maker->classes[maker->class_of[i]];

		maker->jobs[class->first + class->at++] = i;
	}
	return 0;
}

static int begin(struct maker *maker, struct lxfw_plan *plan)
{
	*maker = (struct maker){ .plan = plan, .slots = *plan->slots };
	plan->schedules = 0;
	if (make_classes(maker) || begin_draft(plan, &maker->parallel) ||
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
	free(maker->classes);
	free(maker->class_of);
	free(maker->jobs);
	free(maker->heaps);
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
