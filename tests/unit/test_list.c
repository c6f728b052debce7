/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Orders that are lists (order/list.h), on examples worked by hand from Yahyapour 2002,
 * section 2.5, and the rule by which a list is computed again.
 */
#include "common/books/books.h"
#include "common/order/list.h"
#include "common/outlook.h"
#include "tests/unit/scene.h"

#define PROCS 10
#define MOST 8

struct size {
	int32_t procs;
	int64_t estimate;
};

typedef int order(struct lxfw_listed *jobs, size_t count, int64_t procs,
		  enum lxfw_job_weight weight);

/* EXPECTED has the numbers of the jobs, from 1, as text. The jobs are given in reverse. */
static void check(order *by, const struct size *sizes, size_t count,
		  enum lxfw_job_weight weight, const char *expected)
{
	struct lxfw_listed jobs[MOST];
	char is[2 * MOST + 1] = "";

	for (size_t i = 0; i < count; i++)
		jobs[count - 1 - i] = (struct lxfw_listed){
			.job = (int32_t)i, .procs = sizes[i].procs,
			.estimate = sizes[i].estimate, .since = 5, .id = i + 1,
		};
	assert_int_equal(by(jobs, count, PROCS, weight), 0);
	for (size_t i = 0; i < count; i++)
		snprintf(is + strlen(is), sizeof(is) - strlen(is), "%d",
			 jobs[i].job + 1);
	assert_string_equal(is, expected);
}

/*
 * Bins by estimate are ]8,16] with jobs 4 to 8 and ]64,128] with jobs 1 to 3.
 *
 *   job   processors  seconds   area
 *    1         6        100      600
 *    2         4         80      320
 *    3         5        120      600
 *    4         3         10       30
 *    5         8         16      128
 *    6         2          9       18
 *    7         6          9       54
 *    8         4         15       60
 */
static const struct size smart[] = {
	{ 6, 100 }, { 4, 80 }, { 5, 120 }, { 3, 10 }, { 8, 16 }, { 2, 9 }, { 6, 9 },
	{ 4, 15 },
};

/*
 * By area: 6 4 7 8 5, and 2 1 3. On the shelves of 10 processors: A = 6 4 (5 used),
 * 7 needs 6: B = 7, 8 fits on A, 5 needs 8: C = 5. D = 2 1, E = 3.
 *
 *   shelf    jobs   longest   weights 1      weights area
 *     A      6 4 8    15      3/15  = .200   108/15 = 7.2
 *     B      7         9      1/9   = .111    54/9  = 6.0
 *     C      5        16      1/16  = .063   128/16 = 8.0
 *     D      2 1     100      2/100 = .020   920/100 = 9.2
 *     E      3       120      1/120 = .008   600/120 = 5.0
 */
static void ffia(void **state)
{
	(void)state;
	check(lxfw_list_ffia, smart, 8, LXFW_JOB_WEIGHT_EQUAL, "64875213");
	check(lxfw_list_ffia, smart, 8, LXFW_JOB_WEIGHT_WORK, "21564873");
}

/*
 * Weights 1, by width: 6 4 8 7 5, and 2 3 1. A = 6 4 8 (9 used): 3/15 = .200,
 * B = 7: 1/9 = .111, C = 5: 1/16 = .063, D = 2 3: 2/120 = .0167, E = 1: 1/100 = .010.
 *
 * Weights area, width/area = 1/seconds, so the longest is first: 5 8 4 6 7, and 3 1 2.
 * A = 5 (8 used), B = 8 4 6 (9 used; 6 would fit on A, which is not the last shelf),
 * C = 7, D = 3 (5 used), E = 1 2.
 *   A 128/16 = 8.0, B 108/15 = 7.2, C 54/9 = 6.0, D 600/120 = 5.0, E 920/100 = 9.2
 */
static void nfiw(void **state)
{
	(void)state;
	check(lxfw_list_nfiw, smart, 8, LXFW_JOB_WEIGHT_EQUAL, "64875231");
	check(lxfw_list_nfiw, smart, 8, LXFW_JOB_WEIGHT_WORK, "12584673");
}

/*
 *   job   processors  seconds   area
 *    1         4         10       40
 *    2         5         30      150
 *    3         9          8       72    wide
 *    4         3         40      120
 *    5         8         30      240    wide
 *    6         2        100      200
 *
 * Weights 1, by area: 1 3 4 2 6 5.
 *   time  0  1 starts. 6 of 10 are free, so the 8 s of job 3 begin to count.
 *         8  1 is suspended, 3 runs.
 *        16  3 ends, 1 resumes, 4 starts: 3 are free, 2 waits for 5.
 *        18  1 ends, 2 and 6 start: none is free.
 *        48  2 ends: 5 are free, so the 30 s of job 5 begin to count.
 *        56  4 ends: 8 are free, 5 starts.
 *        86  5 ends.   118  6 ends.
 * Bins of jobs that suspended none: ]16,32] 1, ]32,64] 4 2, ]64,128] 6 5 by area. Job 3
 * is in ]12,24], before the first of these.
 *
 * Weights area: all ratios are 1, in the order of submission.
 *   time  0  1 and 2 start: 1 is free.
 *        10  1 ends: 5 are free, so the 8 s of job 3 begin to count.
 *        18  2 is suspended, 3 runs.
 *        26  3 ends, 2 resumes, 4 starts: 2 are free, 5 waits until 5 are.
 *        38  2 ends: 7 are free, so the 30 s of job 5 begin to count.
 *        66  4 ends, 5 and 6 start.   96  5 ends.   166  6 ends.
 * Bins: ]8,16] 1, ]24,48] 3, ]32,64] 2, ]64,128] 4 5, ]128,256] 6.
 */
static void psrs(void **state)
{
	static const struct size sizes[] = {
		{ 4, 10 }, { 5, 30 }, { 9, 8 }, { 3, 40 }, { 8, 30 }, { 2, 100 },
	};

	(void)state;
	check(lxfw_list_psrs, sizes, 6, LXFW_JOB_WEIGHT_EQUAL, "314265");
	check(lxfw_list_psrs, sizes, 6, LXFW_JOB_WEIGHT_WORK, "132456");
}

/* A wide job that fits when its wait ends suspends no other one. By area: 3 1 2. 3 and 1
   start at 0, 5 are free, and the 12 s of job 2 begin to count. At 12 job 1 ends and 2
   starts. 2 ends at 24, 3 at 30, both are in ]16,32]. If 2 had suspended a job, it would
   be in ]12,24] and precede 3. */
static void psrs_at_the_limit(void **state)
{
	static const struct size sizes[] = { { 4, 12 }, { 6, 12 }, { 1, 30 } };
	static const struct size longer[] = { { 4, 13 }, { 6, 12 }, { 1, 30 } };

	(void)state;
	check(lxfw_list_psrs, sizes, 3, LXFW_JOB_WEIGHT_EQUAL, "132");
	/* Now 2 suspends 1 and 3, from 12 to 24; 1 ends at 25, 3 at 42. */
	check(lxfw_list_psrs, longer, 3, LXFW_JOB_WEIGHT_EQUAL, "213");
}

/* Bins are closed above: 64 s and 65 s differ, 65 s and 128 s do not. */
static void bins(void **state)
{
	(void)state;
	assert_int_equal(lxfw_list_bin(0, 1), 0);
	assert_int_equal(lxfw_list_bin(1, 1), 0);
	assert_int_equal(lxfw_list_bin(2, 1), 1);
	assert_int_equal(lxfw_list_bin(64, 1), 6);
	assert_int_equal(lxfw_list_bin(65, 1), 7);
	assert_int_equal(lxfw_list_bin(128, 1), 7);
	assert_int_equal(lxfw_list_bin(3, 3), 0);
	assert_int_equal(lxfw_list_bin(4, 3), 1);
	assert_int_equal(lxfw_list_bin(INT64_MAX, 1), 63);
	assert_int_equal(lxfw_list_work(INT32_MAX, INT64_MAX / 2), INT64_MAX);
	assert_int_equal(lxfw_list_work(3, 7), 21);
}

/* Jobs wider than the machine, and sums that overflow. */
static void extremes(void **state)
{
	static const struct size sizes[] = {
		{ 20, LXFW_TIME_MAX }, { INT32_MAX, LXFW_TIME_MAX }, { 11, 5 }, { 1, 1 },
	};
	order *const orders[] = { lxfw_list_ffia, lxfw_list_nfiw, lxfw_list_psrs };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		check(orders[i], sizes, 4, LXFW_JOB_WEIGHT_EQUAL, "4312");
		check(orders[i], sizes, 0, LXFW_JOB_WEIGHT_WORK, "");
	}
}

/* --- schedules ----------------------------------------------------------------- */

/* Job 1 has the machine until 100. At 1, SMART puts 4 before 2 and 3 (ratios 1/20, 1/50,
   1/200). At 2, 5 is the fourth job and the only new one: it is last, though its ratio is
   1/10. */
static void begin_list(struct scene *scene, const char *params)
{
	begin(scene, params);
	host_with(scene, 0, PROCS, 1000);
	submit(scene, 1, 10, 0, 100);
	decide(scene, 0);
	assert_true(starts(scene, 1));
	scene->now = 1;
	submit(scene, 2, 5, 0, 50);
	submit(scene, 3, 5, 0, 200);
	submit(scene, 4, 6, 0, 20);
	decide(scene, 1);
	scene->now = 2;
	submit(scene, 5, 4, 0, 10);
	decide(scene, 2);
	assert_int_equal(scene->decision.waiting, 4);
}

/* 2 does not fit beside 4, so 5 waits behind it. When 4 ends, 2 and 3 have the machine, and
   when 3 ends 5 runs. */
static void keeps_the_order(void **state)
{
	struct scene scene;

	(void)state;
	begin_list(&scene, "lxfw_policy=smart_ffia_strict");
	scene.now = 3;
	end(&scene, 1);
	decide(&scene, 3);
	assert_true(starts(&scene, 4));
	assert_int_equal(scene.sched->running, 1);
	assert_int_equal(reserved(&scene, 2), 23);
	scene.now = 23;
	end(&scene, 4);
	decide(&scene, 23);
	assert_true(starts(&scene, 2) && starts(&scene, 3));
	assert_false(starts(&scene, 5));
	finish(&scene);
}

/* With backfill 5 starts beside 4, since it ends before 2 is to start. */
static void fills_back(void **state)
{
	struct scene scene;

	(void)state;
	begin_list(&scene, "lxfw_policy=smart_ffia");
	scene.now = 3;
	end(&scene, 1);
	decide(&scene, 3);
	assert_true(starts(&scene, 4) && starts(&scene, 5));
	assert_int_equal(reserved(&scene, 2), 23);
	finish(&scene);
}

/* With a reservation for each job: 2 and 3 from 23 on. 6, which is new and last, would
   delay them until it ends at 33, under EASY 2 only. */
static void fills_back_conservatively(void **state)
{
	struct scene scene;

	(void)state;
	begin_list(&scene, "lxfw_policy=smart_ffia,lxfw_reservations=all,"
		   "lxfw_reservation_mode=compress");
	scene.now = 3;
	submit(&scene, 6, 4, 0, 500);
	end(&scene, 1);
	end(&scene, 5);
	decide(&scene, 3);
	assert_true(starts(&scene, 4));
	assert_int_equal(scene.sched->running, 1);
	assert_int_equal(reserved(&scene, 2), 23);
	assert_int_equal(reserved(&scene, 3), 23);
	assert_int_equal(reserved(&scene, 6), 73);	/* beside 3, after 2 */
	finish(&scene);
}

/* With 5 and 6 two of five jobs are new, and the list is computed again: 6 (1/5),
   5 (1/10), 4, 2, 3. */
static void computed_again(void **state)
{
	struct scene scene;

	(void)state;
	begin_list(&scene, "lxfw_policy=smart_ffia_strict");
	scene.now = 3;
	submit(&scene, 6, 1, 0, 5);
	decide(&scene, 3);
	scene.now = 4;
	end(&scene, 1);
	decide(&scene, 4);
	assert_true(starts(&scene, 6) && starts(&scene, 5));
	assert_false(starts(&scene, 4));
	finish(&scene);
}

/* A third is not more than a third: 2 and 3 are in the list, 8 is new and the shortest.
   When 2 and 3 have started, all jobs are new. */
static void a_third(void **state)
{
	struct scene scene;

	(void)state;
	begin_list(&scene, "lxfw_policy=smart_nfiw_strict");
	scene.now = 3;
	end(&scene, 4);
	end(&scene, 1);
	end(&scene, 5);
	submit(&scene, 8, 5, 0, 1);
	decide(&scene, 3);
	assert_true(starts(&scene, 2) && starts(&scene, 3));
	assert_false(starts(&scene, 8));
	scene.now = 4;
	submit(&scene, 9, 5, 0, 2);
	submit(&scene, 10, 5, 0, 1);
	decide(&scene, 4);
	end(&scene, 2);
	end(&scene, 3);
	decide(&scene, 5);
	/* 8 and 10 are on one shelf, 9 is in another bin */
	assert_true(starts(&scene, 8) && starts(&scene, 10));
	finish(&scene);
}

/* At each submission: 5 (1/10) precedes 4 (1/20), and both start when 1 ends. */
static void at_each_submission(void **state)
{
	struct scene scene;

	(void)state;
	begin_list(&scene, "lxfw_policy=smart_ffia_strict,"
		   "lxfw_list_update=submission");
	scene.now = 3;
	end(&scene, 1);
	decide(&scene, 3);
	assert_true(starts(&scene, 4) && starts(&scene, 5));
	finish(&scene);
}

/* New parameters: the list is computed again, or there is none any more. */
static void other_parameters(void **state)
{
	static const char *const texts[] = {
		"lxfw_policy=smart_ffia_strict,lxfw_interval=7",
		"lxfw_policy=fcfs", "lxfw_policy=psrs_strict",
	};
	static const uint64_t first[] = { 5, 2, 5 };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
		struct lxfw_params params;
		struct scene scene;

		begin_list(&scene, "lxfw_policy=smart_ffia_strict");
		assert_int_equal(lxfw_params_parse(&params, texts[i], NULL, NULL, NULL),
				 0);
		event.params = &params;
		scene.now = 3;
		apply(&scene, &event);
		end(&scene, 1);
		decide(&scene, 3);
		assert_true(starts(&scene, first[i]));
		for (size_t j = 0; i == 1 && j < scene.sched->jobs_used; j++)
			assert_int_equal(scene.sched->jobs[j].place, 0);
		finish(&scene);
	}
}

/* A job whose start is refused keeps its place; one of an earlier list is listed again. */
static void refused(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct scene scene;

	(void)state;
	begin_list(&scene, "lxfw_policy=smart_ffia_strict");
	scene.now = 3;
	end(&scene, 1);
	decide(&scene, 3);
	assert_true(starts(&scene, 4));
	event.refused.id = 4;
	event.refused.until = 10;
	apply(&scene, &event);
	decide(&scene, 3);
	assert_true(starts(&scene, 2) && starts(&scene, 3));
	end(&scene, 2);
	end(&scene, 3);
	/* 4 has a place, 5 and 6 have none and are a half of all jobs */
	submit(&scene, 6, 10, 0, 7);
	decide(&scene, 9);
	assert_true(starts(&scene, 6));
	scene.now = 10;
	end(&scene, 6);
	decide(&scene, 10);
	assert_true(starts(&scene, 5) && starts(&scene, 4));
	finish(&scene);
}

/* Expected starts are those of the same list, not of one that is computed now. */
static void outlook(void **state)
{
	static const uint64_t expected[] = { 4, 2, 3, 5 };
	struct lxfw_outlook *outlook;
	struct lxfw_decision decision;
	struct scene scene;
	int64_t time;
	size_t at = 0;

	(void)state;
	begin_list(&scene, "lxfw_policy=smart_ffia_strict");
	outlook = lxfw_outlook_begin(scene.sched);
	assert_non_null(outlook);
	while (lxfw_outlook_next(outlook, &time, &decision) > 0) {
		for (size_t i = 0; i < decision.count; i++) {
			if (decision.actions[i].type == LXFW_ACTION_START)
				assert_int_equal(decision.actions[i].job,
						 expected[at++]);
		}
	}
	assert_int_equal(at, 4);
	lxfw_outlook_end(outlook);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ffia),
		cmocka_unit_test(nfiw),
		cmocka_unit_test(psrs),
		cmocka_unit_test(psrs_at_the_limit),
		cmocka_unit_test(bins),
		cmocka_unit_test(extremes),
		cmocka_unit_test(keeps_the_order),
		cmocka_unit_test(fills_back),
		cmocka_unit_test(fills_back_conservatively),
		cmocka_unit_test(computed_again),
		cmocka_unit_test(a_third),
		cmocka_unit_test(at_each_submission),
		cmocka_unit_test(other_parameters),
		cmocka_unit_test(refused),
		cmocka_unit_test(outlook),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
