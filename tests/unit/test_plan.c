/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans for jobs at sites and on clusters (common/grid/plan.h) on examples worked by hand, on
 * random worlds, and the history of run times (common/grid/history.h).
 */
#include <math.h>
#include <string.h>

#include "common/grid/history.h"
#include "common/grid/plan.h"
#include "common/model/time.h"
#include "tests/unit/unit.h"

#define MOST_JOBS 12
#define MOST_PLACES 9

#define NO LXFW_NEVER

static int32_t procs_of(const void *context, int32_t site)
{
	return ((const int32_t *)context)[site];
}

/* A world with SITES sites of these processors. */
struct scene {
	int32_t site_procs[MOST_PLACES];
	struct lxfw_slots slots;
	struct lxfw_plan plan;
	int32_t procs[MOST_JOBS];
};

static void begin(struct scene *scene, int32_t sites, const struct lxfw_grid_cluster *clusters,
		  int32_t cluster_count, size_t count, const int64_t *seconds)
{
	for (int i = 0; i < MOST_PLACES && scene->site_procs[i] == 0; i++)
		scene->site_procs[i] = 1;
	for (int i = 0; i < MOST_JOBS && scene->procs[i] == 0; i++)
		scene->procs[i] = 1;
	assert_int_equal(lxfw_slots_begin(&scene->slots, sites, procs_of, scene->site_procs),
			 0);
	scene->plan = (struct lxfw_plan){
		.slots = &scene->slots, .clusters = clusters, .cluster_count = cluster_count,
		.count = count, .procs = scene->procs, .seconds = seconds,
	};
	assert_int_equal(lxfw_plan_begin(&scene->plan), 0);
}

static void end(struct scene *scene)
{
	lxfw_plan_clear(&scene->plan);
	lxfw_slots_clear(&scene->slots);
}

/* EXPECTED has for each job in the order of the plan "job:place@start ". */
static void check(const struct scene *scene, const char *expected)
{
	char is[32 * MOST_JOBS] = "";

	for (size_t i = 0; i < scene->plan.placed; i++) {
		size_t job = scene->plan.order[i];

		snprintf(is + strlen(is), sizeof(is) - strlen(is), "%zu:%d@%lld ", job,
			 (int)scene->plan.places[job], (long long)scene->plan.starts[job]);
	}
	assert_string_equal(is, expected);
}

/*
 * Seconds at two sites: job 0: 10, 20; job 1: 6, 8; job 2: 4, 5.
 * Min-min: 2 ends first, at 4 at site 0. Then 0 would end at 14 or 20, 1 at 10 or 8: 1 at site
 * 1 until 8. 0 at site 0 until 14. Sum 26.
 * Min-max: 0 ends last, at 10 at site 0. Then 1 at 16 or 8, 2 at 14 or 5: 1 at site 1. 2 at 14
 * or 13: site 1. Sum 10 + 8 + 13 = 31.
 */
static void min_min(void **state)
{
	static const int64_t seconds[] = { 10, 20, 6, 8, 4, 5 };
	struct scene scene = { 0 };

	(void)state;
	begin(&scene, 2, NULL, 0, 3, seconds);
	assert_int_equal(lxfw_plan_sequential(&scene.plan), 0);
	check(&scene, "2:0@0 1:1@0 0:0@4 ");
	assert_true(scene.plan.sum == 26);
	end(&scene);
}

/*
 * Job 0: 2, 3; job 1: 4, 20.
 * Min-min: 0 at site 0 until 2, then 1 there until 6: 8. Min-max: 1 at site 0 until 4, 0 at site 1
 * until 3: 7.
 */
static void min_max(void **state)
{
	static const int64_t seconds[] = { 2, 3, 4, 20 };
	struct scene scene = { 0 };

	(void)state;
	begin(&scene, 2, NULL, 0, 2, seconds);
	assert_int_equal(lxfw_plan_sequential(&scene.plan), 0);
	check(&scene, "1:0@0 0:1@0 ");
	assert_true(scene.plan.sum == 7);
	end(&scene);
}

/*
 * A site of 3 processors, free at 0, 0 and 7: a job of 2 starts at 0, one of 3 at 7. Min-min
 * places job 1 (2 processors, 5 s) first, then job 0 (3 processors, 1 s) at 7. Job 2 may not
 * run anywhere.
 */
static void wide_jobs(void **state)
{
	static const int64_t seconds[] = { 1, 5, NO };
	struct scene scene = { .site_procs = { 3 }, .procs = { 3, 2, 1 } };

	(void)state;
	begin(&scene, 1, NULL, 0, 3, seconds);
	lxfw_slots_take(&scene.slots, 0, 1, 7);
	assert_int_equal(lxfw_plan_sequential(&scene.plan), 0);
	check(&scene, "1:0@0 0:0@7 ");
	assert_int_equal(scene.plan.places[2], -1);
	end(&scene);
}

/*
 * Sites 0 and 1 are a cluster, place 3; site 2 is slow.
 *   job 0: 20 20 40, cluster 8.  job 1: 10 10 20.  job 2: 10 10 20.
 * SJS: 1 and 2 at 0 and 1 until 10; 0 at 0 until 30 (or at 2 until 40): 50. Min-max: 0 at 0
 * until 20; then 1 at 1 until 10, 2 at 1 until 20 as at 2: 50. Equal: min-min.
 * PJS: the profit of 0 is 20 - 8 = 12. Then 1 and 2 at 18 each: 44 < 50. No further profit.
 */
static void cluster(void **state)
{
	static const int32_t members[] = { 0, 1 };
	static const struct lxfw_grid_cluster clusters[] = { { "c", members, 2 } };
	static const int64_t seconds[] = {
		20, 20, 40, 8, 10, 10, 20, NO, 10, 10, 20, NO,
	};
	struct scene scene = { 0 };

	(void)state;
	begin(&scene, 3, clusters, 1, 3, seconds);
	assert_int_equal(lxfw_plan_sequential(&scene.plan), 0);
	check(&scene, "1:0@0 2:1@0 0:0@10 ");
	assert_true(scene.plan.sum == 50);
	assert_int_equal(scene.plan.schedules, 2);
	assert_int_equal(lxfw_plan_parallel(&scene.plan), 0);
	check(&scene, "0:3@0 1:0@8 2:1@8 ");
	assert_true(scene.plan.sum == 44);
	assert_int_equal(scene.plan.schedules, 4);
	end(&scene);
}

/* The same with a cluster that is hardly faster: the others would lose more than job 0
   gains. 15 + 25 + 25 > 50, so that the sequential plan stays. */
static void no_gain(void **state)
{
	static const int32_t members[] = { 0, 1 };
	static const struct lxfw_grid_cluster clusters[] = { { "c", members, 2 } };
	static const int64_t seconds[] = {
		20, 20, 40, 15, 10, 10, 20, NO, 10, 10, 20, NO,
	};
	struct scene scene = { 0 };

	(void)state;
	begin(&scene, 3, clusters, 1, 3, seconds);
	assert_int_equal(lxfw_plan_parallel(&scene.plan), 0);
	check(&scene, "1:0@0 2:1@0 0:0@10 ");
	end(&scene);
}

/* --- random worlds ------------------------------------------------------------------------ */

/* When all processors of a cluster are free. */
static int64_t all_free(const struct lxfw_slots *slots, const struct lxfw_grid_cluster *cluster)
{
	int64_t last = 0;

	for (size_t i = slots->at[cluster->sites[0]];
	     i < slots->at[cluster->sites[cluster->count - 1] + 1]; i++)
		last = slots->times[i] > last ? slots->times[i] : last;
	return last;
}

/* The plan is possible: replayed in its order, each job starts when its place is free, and the
   sum is that of the ends. */
static void check_possible(struct scene *scene)
{
	struct lxfw_plan *plan = &scene->plan;
	size_t places = (size_t)plan->slots->sites + (size_t)plan->cluster_count;
	double sum = 0;

	lxfw_slots_reset(&scene->slots, 0);
	for (size_t i = 0; i < plan->placed; i++) {
		size_t job = plan->order[i];
		int32_t place = plan->places[job];
		int64_t start, until;

		if (place < plan->slots->sites)
			start = lxfw_slots_start(&scene->slots, place, plan->procs[job]);
		else
			start = all_free(&scene->slots,
					 &plan->clusters[place - plan->slots->sites]);
		assert_int_equal(start, plan->starts[job]);
		until = start + plan->seconds[job * places + (size_t)place];
		if (place < plan->slots->sites)
			lxfw_slots_take(&scene->slots, place, plan->procs[job], until);
		else
			lxfw_slots_take_cluster(&scene->slots,
				&plan->clusters[place - plan->slots->sites], until);
		sum += (double)until;
	}
	assert_true(sum == plan->sum);
	lxfw_slots_reset(&scene->slots, 0);
}

static void random_worlds(void **state)
{
	uint64_t random = unit_seed("plans");

	(void)state;
	for (int round = 0; round < 500; round++) {
		static const int32_t members[] = { 0, 1, 2, 3, 4, 5 };
		struct lxfw_grid_cluster clusters[2] = {
			{ "a", members, (int32_t)unit_between(&random, 1, 3) },
			{ "b", members + 2, (int32_t)unit_between(&random, 1, 4) },
		};
		int64_t seconds[MOST_JOBS * 8];
		size_t count = (size_t)unit_between(&random, 0, MOST_JOBS);
		struct scene scene = { 0 };
		double alone;

		for (int i = 0; i < 6; i++)
			scene.site_procs[i] = (int32_t)unit_between(&random, 1, 3);
		for (size_t i = 0; i < MOST_JOBS * 8; i++)
			seconds[i] = unit_between(&random, 1, 100);
		begin(&scene, 6, clusters, 2, count, seconds);
		assert_int_equal(lxfw_plan_sequential(&scene.plan), 0);
		assert_int_equal(scene.plan.placed, count);
		check_possible(&scene);
		alone = scene.plan.sum;
		assert_int_equal(lxfw_plan_parallel(&scene.plan), 0);
		assert_int_equal(scene.plan.placed, count);
		check_possible(&scene);
		assert_true(scene.plan.sum <= alone);
		end(&scene);
	}
}

/* A plan as plan.h describes it, job by job and site by site. Returns the sum of the ends. */
static double plan_simply(struct scene *scene, bool last, size_t *order, int32_t *places)
{
	const struct lxfw_plan *plan = &scene->plan;
	int32_t sites = plan->slots->sites;
	bool done[MOST_JOBS] = { false };
	double sum = 0;

	lxfw_slots_reset(&scene->slots, 0);
	for (size_t placed = 0; placed < plan->count; placed++) {
		int64_t best_end = 0;
		int32_t best_site = -1;
		size_t best = 0;

		for (size_t i = 0; i < plan->count; i++) {
			int64_t first = LXFW_NEVER;
			int32_t at = -1;

			for (int32_t j = 0; j < sites && !done[i]; j++) {
				int64_t until = lxfw_slots_start(&scene->slots, j,
						plan->procs[i]) +
					plan->seconds[i * (size_t)sites + (size_t)j];

				if (until < first) {
					first = until;
					at = j;
				}
			}
			if (at < 0 || (best_site >= 0 && (last ? first <= best_end :
								 first >= best_end)))
				continue;
			best = i;
			best_end = first;
			best_site = at;
		}
		done[best] = true;
		order[placed] = best;
		places[best] = best_site;
		sum += (double)best_end;
		lxfw_slots_take(&scene->slots, best_site, plan->procs[best], best_end);
	}
	lxfw_slots_reset(&scene->slots, 0);
	return sum;
}

/* Plans of jobs that are often equal, at sites that are often equal. */
static void as_simply(void **state)
{
	uint64_t random = unit_seed("equal jobs");

	(void)state;
	for (int round = 0; round < 500; round++) {
		size_t order[2][MOST_JOBS], count = (size_t)unit_between(&random, 1, MOST_JOBS);
		int32_t places[2][MOST_JOBS] = { { 0 } };
		int64_t kinds[3][4], seconds[MOST_JOBS * 4];
		struct scene scene = { 0 };
		double sums[2];
		int better;

		for (int i = 0; i < 12; i++)
			kinds[i / 4][i % 4] = 10 * unit_between(&random, 1, 3);
		for (int i = 0; i < 4; i++)
			scene.site_procs[i] = (int32_t)unit_between(&random, 2, 3);
		for (size_t i = 0; i < count; i++) {
			scene.procs[i] = (int32_t)unit_between(&random, 1, 2);
			memcpy(&seconds[i * 4], kinds[unit_between(&random, 0, 2)],
			       sizeof(kinds[0]));
		}
		begin(&scene, 4, NULL, 0, count, seconds);
		for (int i = 0; i < 2; i++)
			sums[i] = plan_simply(&scene, i == 1, order[i], places[i]);
		better = sums[1] < sums[0];
		assert_int_equal(lxfw_plan_sequential(&scene.plan), 0);
		assert_true(scene.plan.sum == sums[better]);
		assert_memory_equal(scene.plan.order, order[better], count * sizeof(size_t));
		assert_memory_equal(scene.plan.places, places[better],
				    count * sizeof(int32_t));
		end(&scene);
	}
}

/* Times near the end of time do not overflow. */
static void long_times(void **state)
{
	static const int64_t seconds[] = {
		LXFW_TIME_MAX, LXFW_TIME_MAX, LXFW_TIME_MAX, LXFW_TIME_MAX, LXFW_TIME_MAX,
		LXFW_TIME_MAX, LXFW_TIME_MAX, LXFW_TIME_MAX, LXFW_TIME_MAX, LXFW_TIME_MAX,
	};
	struct scene scene = { 0 };

	(void)state;
	begin(&scene, 1, NULL, 0, 10, seconds);
	assert_int_equal(lxfw_plan_parallel(&scene.plan), 0);
	assert_int_equal(scene.plan.placed, 10);
	end(&scene);
}

/* --- history ------------------------------------------------------------------------------ */

/* 10, 20 and 30 s: mean 20, variance 100, confidence 3/4. The expectations were 10 for
   the 20 s and 15 for the 30 s: errors of 10 and 15 s in 50. */
static void history(void **state)
{
	struct lxfw_grid_history history = { 0 };
	struct lxfw_expected is = lxfw_grid_history_expect(&history, 4, 7);

	(void)state;
	assert_true(is.confidence == 0);
	for (int i = 10; i <= 30; i += 10)
		assert_int_equal(lxfw_grid_history_learn(&history, 4, 7, i), 0);
	is = lxfw_grid_history_expect(&history, 4, 7);
	assert_true(is.mean == 20 && fabs(is.variance - 100) < 1e-9 && is.confidence == 0.75);
	assert_int_equal(history.judged, 2);
	assert_true(history.errors == 25 && history.runs == 50);
	assert_true(lxfw_grid_history_expect(&history, 7, 4).confidence == 0);
	assert_true(lxfw_grid_history_expect(&history, 4, 0).confidence == 0);
	assert_int_equal(lxfw_grid_history_know(&history, 0, 0, 5), 0);
	assert_int_equal(lxfw_grid_history_learn(&history, 0, 0, 9), 0);
	is = lxfw_grid_history_expect(&history, 0, 0);
	assert_true(is.mean == 5 && is.confidence == 1);
	assert_int_equal(history.judged, 3);
	lxfw_grid_history_clear(&history);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(min_min), cmocka_unit_test(min_max),
		cmocka_unit_test(wide_jobs), cmocka_unit_test(cluster),
		cmocka_unit_test(no_gain), cmocka_unit_test(random_worlds),
		cmocka_unit_test(as_simply),
		cmocka_unit_test(long_times), cmocka_unit_test(history),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
