/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The market: gaps of a timetable (common/grid/timetable.h), the bucket algorithm
 * (common/grid/offers.h) on the example of the thesis and on random timetables, and delays of
 * allocations (common/grid/allocations.h).
 */
#include <stdio.h>
#include <string.h>

#include "common/grid/allocations.h"
#include "common/grid/market.h"
#include "common/grid/offers.h"
#include "common/model/time.h"
#include "tests/unit/unit.h"

/* --- the example of section 6.2 ------------------------------------------------------------- */

#define EXAMPLE_PROCS 7

/* Utility and price of the tests: the earliest start, then the smallest area before it. */
static int earliest(void *context, const struct lxfw_offer_terms *terms, double *price,
		    double *utility)
{
	(void)context;
	*price = terms->under;
	*utility = (double)-terms->start;
	return 0;
}

static void allocate(struct lxfw_timetable *table, int32_t proc, int64_t start, int64_t end)
{
	const struct lxfw_timetable_use use = { start, end, 1 };

	assert_int_equal(lxfw_timetable_add(table, proc, &use), 0);
}

/* A job of 3 processors and 20 s in the window 0 to 100. The buckets of the example are
   1, 2 and 5 (figure 6.4), 3 (6.5), and 4 and 7 (6.6). Processor 6 is never free for long
   enough. The processors of the timetable are numbered from 0 on. */
static void make_example(struct lxfw_timetable *table)
{
	assert_int_equal(lxfw_timetable_begin(table, EXAMPLE_PROCS), 0);
	for (int32_t i = 0; i < EXAMPLE_PROCS; i++) {
		const int64_t begin = i == 2 ? 20 : i == 3 || i == 6 ? 30 : 10;
		const int64_t end = i == 2 ? 80 : i == 3 || i == 6 ? 90 : i == 5 ? 20 : 70;

		allocate(table, i, 0, begin);
		allocate(table, i, end, 100);
	}
}

static int number_of_sets(int of, int choose)
{
	return choose == 0 ? 1 : of * number_of_sets(of - 1, choose - 1) / choose;
}

/* The number of sets of processors that the offer stands for: of the buckets 0, 1 and 4 (of
   which only REDUCED remain), 2, and 3 and 6. */
static int sets_of(const struct lxfw_offer_search *search, const struct lxfw_offer *offer,
		   int reduced)
{
	int taken[3] = { 0, 0, 0 };

	for (int32_t i = 0; i < search->procs; i++) {
		int32_t proc = lxfw_offer_proc(search, offer, i);

		assert_int_not_equal(proc, 5);
		taken[proc == 2 ? 1 : proc == 3 || proc == 6 ? 2 : 0]++;
	}
	return number_of_sets(taken[0] < 3 ? reduced : 3, taken[0]) *
	       number_of_sets(1, taken[1]) * number_of_sets(2, taken[2]);
}

static void example(void **state)
{
	struct lxfw_timetable table;
	struct lxfw_gaps gaps = { 0 };
	struct lxfw_offer_search search = {
		.gaps = &gaps, .procs = 3, .seconds = 20, .earliest = 0, .latest = 100,
		.limits = { 1000, 1000, 1 }, .value = earliest,
	};
	int sets = 0;

	(void)state;
	make_example(&table);
	assert_int_equal(lxfw_gaps_find(&gaps, &table, 0), 0);
	/* Seven in the window, and all after it. */
	assert_int_equal(gaps.count, 14);
	assert_int_equal(lxfw_offers_find(&search), 0);
	/* {1,2,5}, then two or one of 1 and 2 with 3, 4 and 7, and 3, 4 and 7 together. The
	   list of the thesis has ten sets, all but {2,4,7}, which is as good as {1,4,7}. */
	assert_int_equal(search.count, 6);
	for (size_t i = 0; i < search.count; i++)
		sets += sets_of(&search, &search.offers[i], 2);
	assert_int_equal(sets, 1 + 10);

	/* The first: processors 0, 1 and 4 from 10 to 30, best since it starts first. */
	assert_int_equal(search.offers[0].terms.start, 10);
	assert_int_equal(search.offers[0].first, 10);
	assert_int_equal(search.offers[0].last, 70);
	assert_int_equal(lxfw_offer_proc(&search, &search.offers[0], 2), 4);
	/* Free after it: three times 40 s. Beside it: processor 2 from 20, and 5 to 20. */
	assert_true(search.offers[0].terms.under == 0);
	assert_true(search.offers[0].terms.over == 120);
	assert_true(search.offers[0].terms.left_right == 20);

	/* Bounds. With one combination at a time, {1,2,5}, then {1,2,3} when 3 has been free for
	   20 s; it is the first one with 4 and 7 too. After 1, 2 and 5 have left: {3,4,7}. */
	search.limits.combinations = 1;
	assert_int_equal(lxfw_offers_find(&search), 0);
	assert_int_equal(search.count, 3);
	search.limits.offers = 1;
	assert_int_equal(lxfw_offers_find(&search), 0);
	assert_int_equal(search.count, 1);
	lxfw_offers_clear(&search);
	lxfw_gaps_clear(&gaps);
	lxfw_timetable_clear(&table);
}

/* --- terms and starts ----------------------------------------------------------------------- */

/* Two processors; the first is in use to 40, the second to 10 and from 60 to 100. */
static void make_two(struct lxfw_timetable *table, struct lxfw_gaps *gaps)
{
	assert_int_equal(lxfw_timetable_begin(table, 2), 0);
	allocate(table, 0, 0, 40);
	allocate(table, 1, 0, 10);
	allocate(table, 1, 60, 100);
	assert_int_equal(lxfw_gaps_find(gaps, table, 0), 0);
}

static int cheapest_after(void *context, const struct lxfw_offer_terms *terms, double *price,
			  double *utility)
{
	(void)context;
	*price = terms->over;
	*utility = -terms->over;
	return 0;
}

static void terms(void **state)
{
	struct lxfw_timetable table;
	struct lxfw_gaps gaps = { 0 };
	struct lxfw_offer_search search = {
		.gaps = &gaps, .procs = 2, .seconds = 10, .earliest = 0,
		.latest = LXFW_NEVER, .limits = { 8, 8, 3 }, .value = earliest,
	};
	const struct lxfw_offer *offer;

	(void)state;
	make_two(&table, &gaps);
	assert_int_equal(gaps.end, 100);
	assert_true(gaps.allocated == 90);
	assert_true(lxfw_gaps_area(&gaps, 0, 100) == 110);
	assert_true(lxfw_gaps_area(&gaps, 35, 65) == 25 + 25);
	/* Both from 40 to 50: the second was free for 30 s and is so for 10 more, the first
	   until 100, where the timetable ends. */
	assert_int_equal(lxfw_offers_find(&search), 0);
	offer = &search.offers[0];
	assert_int_equal(offer->terms.start, 40);
	assert_true(offer->terms.under == 30);
	assert_true(offer->terms.over == 10 + 50);
	assert_true(offer->terms.left_right == 0);
	assert_true(offer->terms.utilization == (90. + 20) / 200);
	/* The window of the first combination is 40 to 60; starts at 40, 45 and 50 are tried. */
	search.value = cheapest_after;
	search.limits.offers = 1;
	assert_int_equal(lxfw_offers_find(&search), 0);
	assert_int_equal(search.count, 1);
	assert_int_equal(search.offers[0].terms.start, 50);
	assert_true(search.offers[0].price == 40);
	/* The last start is tried, too: 42 in a window of 18 s that begins at 40, 41 or 42. */
	search.seconds = 18;
	assert_int_equal(lxfw_offers_find(&search), 0);
	assert_int_equal(search.offers[0].terms.start, 42);
	/* A job that ends after all times has no offer. */
	search.seconds = LXFW_NEVER - 1;
	assert_int_equal(lxfw_offers_find(&search), 0);
	assert_int_equal(search.count, 0);
	/* One processor, beside which the other is free for a part of the time. */
	search.procs = 1;
	search.seconds = 30;
	search.value = earliest;
	assert_int_equal(lxfw_offers_find(&search), 0);
	offer = &search.offers[0];
	assert_int_equal(offer->terms.start, 10);
	assert_int_equal(lxfw_offer_proc(&search, offer, 0), 1);
	assert_true(offer->terms.left_right == 0);
	/* A deadline that only the first gap of the second processor keeps, and one that none
	   keeps. */
	search.limits.offers = 8;
	search.latest = 45;
	assert_int_equal(lxfw_offers_find(&search), 0);
	assert_int_equal(search.count, 1);
	assert_int_equal(search.offers[0].last, 45);
	search.latest = 39;
	assert_int_equal(lxfw_offers_find(&search), 0);
	assert_int_equal(search.count, 0);
	lxfw_offers_clear(&search);
	lxfw_gaps_clear(&gaps);
	lxfw_timetable_clear(&table);
}

/* --- random timetables -------------------------------------------------------------------------- */

#define MOST_PROCS 6
#define HORIZON 60

struct scene {
	struct lxfw_timetable table;
	bool used[MOST_PROCS][HORIZON];
	int64_t end;		/* of the last use */
};

static void make_scene(struct scene *scene, uint64_t *seed)
{
	int32_t procs = (int32_t)unit_between(seed, 1, MOST_PROCS);

	memset(scene, 0, sizeof(*scene));
	assert_int_equal(lxfw_timetable_begin(&scene->table, procs), 0);
	for (int32_t i = 0; i < procs; i++) {
		int64_t time = unit_between(seed, 0, 12);

		while (time < HORIZON - 16) {
			int64_t end = time + unit_between(seed, 1, 15);

			if (unit_between(seed, 0, 3)) {
				allocate(&scene->table, i, time, end);
				for (int64_t t = time; t < end; t++)
					scene->used[i][t] = true;
				scene->end = end > scene->end ? end : scene->end;
			}
			time = end + unit_between(seed, 0, 10);
		}
	}
}

static bool is_free(const struct scene *scene, int32_t proc, int64_t start, int64_t end)
{
	for (int64_t t = start; t < end && t < HORIZON; t++) {
		if (scene->used[proc][t])
			return false;
	}
	return true;
}

/* The area before or after a time at which a processor is free, to END. */
static int64_t area(const struct scene *scene, int32_t proc, int64_t from, int64_t to)
{
	int64_t count = 0;

	if (from < to) {
		for (int64_t t = from; t < to && is_free(scene, proc, t, t + 1); t++)
			count++;
	} else {
		for (int64_t t = from; t > to && is_free(scene, proc, t - 1, t); t--)
			count++;
	}
	return count;
}

static void check_offer(const struct scene *scene, const struct lxfw_offer_search *search,
			const struct lxfw_offer *offer, int64_t now)
{
	const struct lxfw_offer_terms *terms = &offer->terms;
	int64_t last = scene->end > terms->end ? scene->end : terms->end;
	int64_t under = 0, over = 0, beside = 0, allocated = 0;
	bool chosen[MOST_PROCS] = { false };

	assert_true(terms->start >= search->earliest && terms->end <= search->latest);
	assert_int_equal(terms->end - terms->start, search->seconds);
	last = last > now ? last : now;
	for (int32_t i = 0; i < search->procs; i++) {
		int32_t proc = lxfw_offer_proc(search, offer, i);

		assert_false(chosen[proc]);
		chosen[proc] = true;
		assert_true(is_free(scene, proc, terms->start, terms->end));
		under += area(scene, proc, terms->start, now);
		over += area(scene, proc, terms->end, last);
	}
	for (int32_t i = 0; i < scene->table.procs; i++) {
		for (int64_t t = terms->start; t < terms->end; t++)
			beside += !chosen[i] && is_free(scene, i, t, t + 1);
		for (int64_t t = now; t < HORIZON; t++)
			allocated += scene->used[i][t];
	}
	allocated += terms->procs * search->seconds;
	assert_true(terms->under == (double)under);
	assert_true(terms->over == (double)over);
	assert_true(terms->left_right == (double)beside);
	assert_true(terms->utilization == (double)allocated /
		    ((double)scene->table.procs * (double)(last - now)));
}

/* The earliest start, by trying all. */
static int64_t earliest_start(const struct scene *scene,
			      const struct lxfw_offer_search *search)
{
	for (int64_t t = search->earliest; t <= 2 * HORIZON; t++) {
		int32_t free = 0;

		for (int32_t i = 0; i < scene->table.procs; i++)
			free += is_free(scene, i, t, t + search->seconds);
		if (free >= search->procs)
			return t + search->seconds <= search->latest ? t : -1;
	}
	return -1;
}

static int cases(void)
{
	const char *given = getenv("LXFW_CASES");

	return given ? atoi(given) : 3000;
}

/* Every offer is possible, with the areas that are stated, and the best is the earliest start. */
static void random_timetables(void **state)
{
	uint64_t seed = unit_seed("market");
	struct lxfw_offer_search search = { .value = earliest };
	struct lxfw_gaps gaps = { 0 };

	(void)state;
	for (int i = 0; i < cases(); i++) {
		struct scene scene;
		int64_t now = unit_between(&seed, 0, 20);

		make_scene(&scene, &seed);
		search.gaps = &gaps;
		search.procs = (int32_t)unit_between(&seed, 1, scene.table.procs);
		search.seconds = unit_between(&seed, 1, 20);
		search.earliest = now + unit_between(&seed, 0, 5);
		search.latest = unit_between(&seed, 0, 2) ? LXFW_NEVER :
				search.earliest + unit_between(&seed, 1, 50);
		search.limits = (struct lxfw_offer_limits){
			.offers = (int32_t)unit_between(&seed, 1, 40),
			.combinations = (int32_t)unit_between(&seed, 1, 10),
			.starts = (int32_t)unit_between(&seed, 1, 4),
		};
		assert_int_equal(lxfw_gaps_find(&gaps, &scene.table, now), 0);
		assert_int_equal(lxfw_offers_find(&search), 0);
		for (size_t j = 0; j < search.count; j++)
			check_offer(&scene, &search, &search.offers[j], now);
		assert_int_equal(search.count ? search.offers[0].terms.start : -1,
				 earliest_start(&scene, &search));
		lxfw_timetable_clear(&scene.table);
	}
	lxfw_offers_clear(&search);
	lxfw_gaps_clear(&gaps);
}

/* --- delays ------------------------------------------------------------------------------------- */

static struct lxfw_allocation *plan(struct lxfw_allocations *allocations, uint64_t id,
				    int32_t proc, int32_t procs, int64_t start,
				    int64_t seconds)
{
	const struct lxfw_grid_job job = { .id = id, .procs = procs };
	struct lxfw_allocation *allocation = lxfw_allocation_new(&job, 1);

	assert_non_null(allocation);
	allocation->state = LXFW_ALLOCATION_PLANNED;
	allocation->agreed = allocation->start = start;
	allocation->parts[0] = (struct lxfw_grid_part){ 0, procs };
	allocation->seconds[0] = seconds;
	for (int32_t i = 0; i < procs; i++)
		allocation->procs[i] = proc + i;
	assert_int_equal(lxfw_allocations_add(allocations, allocation), 0);
	return allocation;
}

static void delays(void **state)
{
	const struct lxfw_grid_site site = { .name = "s", .procs = 3, .speed = 1000 };
	struct lxfw_allocations allocations;
	struct lxfw_allocation *a, *b, *c, **due;
	size_t count;

	(void)state;
	assert_int_equal(lxfw_allocations_begin(&allocations, &site, 1), 0);
	a = plan(&allocations, 1, 0, 1, 0, 10);
	b = plan(&allocations, 2, 0, 2, 10, 20);	/* after A */
	c = plan(&allocations, 3, 1, 2, 30, 5);		/* after B */
	assert_int_equal(lxfw_allocations_next(&allocations, 0), 10);
	due = lxfw_allocations_due(&allocations, 0, &count);
	assert_int_equal(count, 1);
	assert_ptr_equal(due[0], a);
	a->state = LXFW_ALLOCATION_RUNNING;
	/* A should have ended: B is expected after any moment, C after B. Neither is woken. */
	assert_int_equal(lxfw_allocations_settle(&allocations, 10), 0);
	assert_int_equal(b->start, 11);
	assert_int_equal(c->start, 31);
	assert_int_equal(lxfw_allocations_next(&allocations, 10), LXFW_NEVER);
	assert_int_equal(lxfw_allocations_settle(&allocations, 14), 0);
	assert_int_equal(b->start, 15);
	/* A job that ends in time restores what was agreed, as far as time has not passed. */
	lxfw_allocations_ended(&allocations, 0, 1);
	assert_int_equal(lxfw_allocations_settle(&allocations, 14), 0);
	assert_int_equal(b->start, 14);
	assert_int_equal(c->start, 34);
	due = lxfw_allocations_due(&allocations, 14, &count);
	assert_int_equal(count, 1);
	assert_ptr_equal(due[0], b);
	b->state = LXFW_ALLOCATION_RUNNING;
	/* B ends early: C starts when it was agreed, not before. */
	lxfw_allocations_ended(&allocations, 0, 2);
	assert_int_equal(lxfw_allocations_settle(&allocations, 20), 0);
	assert_int_equal(c->start, 30);
	assert_int_equal(lxfw_allocations_next(&allocations, 20), 30);
	lxfw_allocations_clear(&allocations);
}

/* Those that are to start at the same time do so in the order in which they were planned; an offer
   does not start. */
static void due_at_once(void **state)
{
	const struct lxfw_grid_site site = { .name = "s", .procs = 3, .speed = 1000 };
	struct lxfw_allocations allocations;
	struct lxfw_allocation *first, *second, *offer, **due;
	size_t count;

	(void)state;
	assert_int_equal(lxfw_allocations_begin(&allocations, &site, 1), 0);
	offer = plan(&allocations, 1, 2, 1, 5, 10);
	offer->state = LXFW_ALLOCATION_OFFERED;
	first = plan(&allocations, 2, 0, 1, 5, 10);
	second = plan(&allocations, 3, 1, 1, 5, 10);
	due = lxfw_allocations_due(&allocations, 5, &count);
	assert_int_equal(count, 2);
	assert_ptr_equal(due[0], first);
	assert_ptr_equal(due[1], second);
	lxfw_allocations_clear(&allocations);
}

/* A part that has ended leaves its processors, although the other one runs and is late. */
static void parts(void **state)
{
	const struct lxfw_grid_site sites[] = {
		{ .name = "s", .procs = 1, .speed = 1000 },
		{ .name = "t", .procs = 1, .speed = 1000 },
	};
	const struct lxfw_grid_job job = { .id = 1, .procs = 2 };
	struct lxfw_allocations allocations;
	struct lxfw_allocation *allocation;
	struct lxfw_gaps gaps = { 0 };

	(void)state;
	assert_int_equal(lxfw_allocations_begin(&allocations, sites, 2), 0);
	allocation = lxfw_allocation_new(&job, 2);
	assert_non_null(allocation);
	allocation->state = LXFW_ALLOCATION_RUNNING;
	allocation->parts[0] = (struct lxfw_grid_part){ 0, 1 };
	allocation->parts[1] = (struct lxfw_grid_part){ 1, 1 };
	allocation->seconds[0] = 10;
	allocation->seconds[1] = 20;
	assert_int_equal(lxfw_allocations_add(&allocations, allocation), 0);
	lxfw_allocations_ended(&allocations, 0, 1);
	assert_int_equal(allocations.count, 1);
	assert_int_equal(lxfw_allocations_settle(&allocations, 25), 0);
	assert_int_equal(lxfw_gaps_find(&gaps, &allocations.tables[0], 25), 0);
	assert_int_equal(gaps.list[0].begin, 25);
	assert_int_equal(lxfw_gaps_find(&gaps, &allocations.tables[1], 25), 0);
	assert_int_equal(gaps.list[0].begin, 26);
	lxfw_allocations_ended(&allocations, 1, 1);
	assert_int_equal(allocations.count, 0);
	lxfw_gaps_clear(&gaps);
	lxfw_allocations_clear(&allocations);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(example), cmocka_unit_test(terms),
		cmocka_unit_test(random_timetables), cmocka_unit_test(delays),
		cmocka_unit_test(due_at_once), cmocka_unit_test(parts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
