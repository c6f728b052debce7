/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The remaining work of jobs, and their speed. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "common/model/event.h"
#include "sim-frontend/engine/progress.h"
#include "tests/unit/unit.h"

/* --- speed-up ----------------------------------------------------------- */

static struct lxfw_speedup parsed(const char *text)
{
	struct lxfw_speedup speedup;

	if (lxfw_speedup_parse(&speedup, text))
		fail_msg("'%s' is not taken", text);
	return speedup;
}

static void reads_speedups(void **state)
{
	static const char *const bad[] = {
		"", "none", "linear ", "linear:1", "amdahl", "amdahl:",
		"amdahl:1.1", "amdahl:-0.1", "amdahl:nan", "amdahl:0.1x",
		"amdahl:.", "downey:64", "downey:64,", "downey:0.5,1",
		"downey:64,1,2", "downey:64,1000001", "downey:,1",
	};
	struct lxfw_speedup speedup = parsed("amdahl:0.125");

	(void)state;
	assert_int_equal(speedup.kind, LXFW_SPEEDUP_AMDAHL);
	assert_true(speedup.serial == 0.125);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		if (lxfw_speedup_parse(&speedup, bad[i]) == 0)
			fail_msg("'%s' is taken", bad[i]);
		assert_true(speedup.serial == 0.125);
	}
	assert_int_equal(parsed("linear").kind, LXFW_SPEEDUP_LINEAR);
	speedup = parsed("downey:64.5,2");
	assert_int_equal(speedup.kind, LXFW_SPEEDUP_DOWNEY);
	assert_true(speedup.parallelism == 64.5);
	assert_true(speedup.variance == 2);
}

/* Check S(n) / S(r), as a fraction of full speed. */
static void assert_speed(const char *text, int64_t procs, int64_t requested,
			 double expected)
{
	struct lxfw_speedup speedup = parsed(text);
	double full = (double)lxfw_speedup_full(&speedup, requested);
	double is = (double)lxfw_speedup_rate(&speedup, procs, requested) / full;

	if (fabs(is - expected) > 1.0 / LXFW_SPEEDUP_UNIT)
		fail_msg("%s: %.9f on %d of %d, expected %.9f", text, is,
			 (int)procs, (int)requested, expected);
}

static void knows_the_curves(void **state)
{
	(void)state;
	assert_speed("linear", 3, 8, 3.0 / 8);
	assert_speed("linear", 0, 8, 0);
	assert_speed("linear", 9, 8, 1);
	/* S(2) = 1 / (1/4 + 3/8) = 8/5, S(4) = 1 / (1/4 + 3/16) = 16/7 */
	assert_speed("amdahl:0.25", 2, 4, (8.0 / 5) / (16.0 / 7));
	assert_speed("amdahl:0.25", 4, 4, 1);
	assert_speed("amdahl:1", 1, 64, 1);
	assert_speed("amdahl:0", 3, 64, 3.0 / 64);
	/* no variance: speed is proportional to processors, up to A */
	assert_speed("downey:8,0", 2, 6, 2.0 / 6);
	assert_speed("downey:8,0", 4, 32, 4.0 / 8);
	/* A = 4, SIGMA = 1/2: S(2) = 8 / (4 + 1/4), S(6) = 24 / (1.75 + 4.5),
	   S(7) = 28 / (1.75 + 5.25) = 4 = S(8) */
	assert_speed("downey:4,0.5", 2, 6, (8 / 4.25) / (24 / 6.25));
	assert_speed("downey:4,0.5", 6, 8, (24 / 6.25) / 4);
	assert_speed("downey:4,0.5", 7, 8, 1);
	/* A = 4, SIGMA = 2: S(2) = 24 / 14, S(10) = 120 / 30 = 4 = S(11) */
	assert_speed("downey:4,2", 2, 10, (24.0 / 14) / 4);
	assert_speed("downey:4,2", 10, 11, 1);
	/* the two formulas meet at SIGMA = 1 */
	assert_speed("downey:16,1", 5, 20, (80 / 18.0) / (320 / 25.5));
}

/* More processors never make a job slower, and speed never exceeds that of the full
 * request. */
static void is_monotone(void **state)
{
	static const char *const curves[] = {
		"linear", "amdahl:0.1", "downey:20,0.3", "downey:20,1",
		"downey:20,7",
	};

	(void)state;
	for (int i = 0; i < 5; i++) {
		struct lxfw_speedup speedup = parsed(curves[i]);
		int64_t last = 0;

		for (int64_t n = 1; n <= 128; n++) {
			int64_t rate = lxfw_speedup_rate(&speedup, n, 128);

			assert_true(rate >= last && rate > 0);
			last = rate;
		}
		assert_int_equal(last, lxfw_speedup_full(&speedup, 128));
	}
}

/* --- progress ----------------------------------------------------------- */

struct scene {
	struct lxfw_progress progress;
	struct lxfw_ends ends;
	struct lxfw_error error;
	int64_t run, used_kb;
};

/* Job 1 requests four processors and 1000 MB. */
static void set_scene(struct scene *scene)
{
	struct lxfw_request request = {
		.id = 1, .count = 4, .unit = { .procs = 1, .memory_mb = 250 },
	};

	memset(scene, 0, sizeof(*scene));
	scene->used_kb = -1;
	assert_int_equal(lxfw_progress_request(&scene->progress, &request), 0);
}

static void strike_scene(struct scene *scene)
{
	lxfw_progress_clear(&scene->progress);
	free(scene->ends.heap);
}

static int try_to(struct scene *scene, enum lxfw_action_type type, int64_t now,
		  int32_t procs, int64_t memory_mb)
{
	struct lxfw_share share = {
		.host = 0, .amount = { .procs = procs, .memory_mb = memory_mb },
	};
	struct lxfw_action action = {
		.type = type, .job = 1, .start = now, .until = LXFW_NEVER,
		.count = 1, .shares = &share,
	};

	return lxfw_progress_act(&scene->progress, &scene->ends, &action, now,
				 scene->run, scene->used_kb, &scene->error);
}

static void act(struct scene *scene, enum lxfw_action_type type, int64_t now,
		int32_t procs)
{
	if (try_to(scene, type, now, procs, 1000))
		fail_msg("%s", scene->error.text);
}

/* Return the end of job 1, which must be in the heap. */
static int64_t end_of(struct scene *scene)
{
	int64_t end = lxfw_progress_find(&scene->progress, 1)->end;
	bool found = end == LXFW_NEVER;

	for (size_t i = 0; i < scene->ends.count; i++)
		found |= scene->ends.heap[i].time == end &&
			 lxfw_progress_holds(&scene->progress,
					     &scene->ends.heap[i]);
	assert_true(found);
	return end;
}

/* 100 s on 4 processors are 400. */
static void follows_the_processors(void **state)
{
	struct scene scene;

	(void)state;
	set_scene(&scene);
	scene.run = 100;
	act(&scene, LXFW_ACTION_START, 1000, 4);
	assert_int_equal(end_of(&scene), 1100);
	act(&scene, LXFW_ACTION_RESIZE, 1010, 3);	/* 360 left */
	assert_int_equal(end_of(&scene), 1130);
	act(&scene, LXFW_ACTION_RESIZE, 1011, 4);	/* 357: 89.25 s */
	assert_int_equal(end_of(&scene), 1101);
	act(&scene, LXFW_ACTION_SUSPEND, 1031, 0);	/* 277 */
	assert_int_equal(end_of(&scene), LXFW_NEVER);
	act(&scene, LXFW_ACTION_RESUME, 2000, 1);
	assert_int_equal(end_of(&scene), 2277);
	/* the same end again */
	act(&scene, LXFW_ACTION_RESIZE, 2001, 1);
	assert_int_equal(end_of(&scene), 2277);
	/* more processors than requested do not increase the speed */
	act(&scene, LXFW_ACTION_RESIZE, 2001, 9);	/* 276 */
	assert_int_equal(end_of(&scene), 2070);
	strike_scene(&scene);
}

static void loses_its_work(void **state)
{
	struct scene scene;

	(void)state;
	set_scene(&scene);
	scene.run = 100;
	act(&scene, LXFW_ACTION_START, 1000, 4);
	act(&scene, LXFW_ACTION_REQUEUE, 1060, 0);
	assert_int_equal(end_of(&scene), LXFW_NEVER);
	act(&scene, LXFW_ACTION_START, 1500, 4);
	assert_int_equal(end_of(&scene), 1600);
	/* suspended, then stopped permanently */
	act(&scene, LXFW_ACTION_SUSPEND, 1510, 0);
	act(&scene, LXFW_ACTION_REQUEUE, 1520, 0);
	act(&scene, LXFW_ACTION_START, 1530, 2);
	assert_int_equal(end_of(&scene), 1730);
	strike_scene(&scene);
}

/* With less memory than it requested and uses, a job makes no progress. With less than
   it requested, but no less than it uses, it does; also if the use is unknown. */
static void respects_its_memory(void **state)
{
	static const struct {
		int64_t used_kb, has_mb;
		bool ends;
	} cases[] = {
		{ -1, 200, true },
		{ 200 * 1024, 200, true },
		{ 200 * 1024 + 1, 200, false },
		{ 1100 * 1024, 1000, true },
	};
	struct scene scene;

	(void)state;
	for (int i = 0; i < 4; i++) {
		set_scene(&scene);
		scene.run = 100;
		scene.used_kb = cases[i].used_kb;
		assert_int_equal(try_to(&scene, LXFW_ACTION_START, 1000, 4,
					cases[i].has_mb), 0);
		assert_int_equal(end_of(&scene), cases[i].ends ? 1100 :
							       LXFW_NEVER);
		/* it has done no work so far, because it made no progress */
		act(&scene, LXFW_ACTION_RESIZE, 1050, 4);
		assert_int_equal(end_of(&scene), cases[i].ends ? 1100 : 1150);
		strike_scene(&scene);
	}
}

/* Work so large that sums would overflow, and infinite work. */
static void works_without_an_end(void **state)
{
	static const int64_t runs[] = { LXFW_NEVER, INT64_MAX / 8,
					INT64_C(1) << 60 };
	struct scene scene;

	(void)state;
	for (int i = 0; i < 3; i++) {
		set_scene(&scene);
		scene.run = runs[i];
		act(&scene, LXFW_ACTION_START, 1000, 4);
		assert_int_equal(end_of(&scene), LXFW_NEVER);
		act(&scene, LXFW_ACTION_SUSPEND, 2000, 0);
		act(&scene, LXFW_ACTION_RESUME, 3000, 4);
		assert_int_equal(end_of(&scene), LXFW_NEVER);
		strike_scene(&scene);
	}
}

static void refuses(struct scene *scene, enum lxfw_action_type type,
		    const char *state)
{
	char expected[100];

	assert_int_equal(try_to(scene, type, 1000, 4, 1000), -1);
	assert_int_equal(errno, EPROTO);
	snprintf(expected, sizeof(expected), "invalid action %d of job 1 at "
		 "1000: the job is not %s", (int)type, state);
	assert_string_equal(scene->error.text, expected);
}

static void knows_what_cannot_be(void **state)
{
	struct scene scene;

	(void)state;
	set_scene(&scene);
	scene.run = 100;
	refuses(&scene, LXFW_ACTION_SUSPEND, "running");
	refuses(&scene, LXFW_ACTION_RESUME, "suspended");
	refuses(&scene, LXFW_ACTION_REQUEUE, "started");
	refuses(&scene, LXFW_ACTION_RESIZE, "running");
	act(&scene, LXFW_ACTION_START, 1000, 4);
	refuses(&scene, LXFW_ACTION_START, "waiting");
	refuses(&scene, LXFW_ACTION_RESUME, "suspended");
	act(&scene, LXFW_ACTION_SUSPEND, 1000, 0);
	refuses(&scene, LXFW_ACTION_SUSPEND, "running");
	refuses(&scene, LXFW_ACTION_RESIZE, "running");
	assert_true(lxfw_progress_left(&scene.progress, 1));
	assert_false(lxfw_progress_left(&scene.progress, 1));
	refuses(&scene, LXFW_ACTION_RESUME, "there");
	strike_scene(&scene);
}

/* Slots are reused. Every job can be found while it exists. */
static void keeps_many(void **state)
{
	uint64_t random = unit_seed("progress");
	bool there[100] = { false };
	struct lxfw_progress progress = { 0 };

	(void)state;
	for (int i = 0; i < 20000; i++) {
		uint64_t id = (uint64_t)unit_between(&random, 1, 99);
		struct lxfw_request request = {
			.id = id, .count = 1, .unit.procs = (int32_t)id,
		};

		if (there[id]) {
			assert_int_equal(lxfw_progress_find(&progress, id)->procs,
					 id);
			assert_false(lxfw_progress_left(&progress, id));
		} else {
			assert_null(lxfw_progress_find(&progress, id));
			assert_int_equal(lxfw_progress_request(&progress,
							       &request), 0);
		}
		there[id] = !there[id];
	}
	assert_true(progress.count < 100);
	lxfw_progress_clear(&progress);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_speedups),
		cmocka_unit_test(knows_the_curves),
		cmocka_unit_test(is_monotone),
		cmocka_unit_test(follows_the_processors),
		cmocka_unit_test(loses_its_work),
		cmocka_unit_test(respects_its_memory),
		cmocka_unit_test(works_without_an_end),
		cmocka_unit_test(knows_what_cannot_be),
		cmocka_unit_test(keeps_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
