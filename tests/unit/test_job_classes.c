/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job classes with limits and priorities per host (Chiang and Vernon 2001, section
 * 2.1), in scenes computed by hand: the class of a job, and the order of jobs.
 */
#include "tests/unit/class_site.h"

#define HOUR 3600
#define GB 1024

/* --- the class of a job ------------------------------------------------- */

/* Table 1. */
static const struct lxfw_job_classes table_1 = {
	.time_count = 4, .size_count = 3,
	.times = {
		{ "vst", 5 * HOUR, 11 * HOUR / 2, 12 * HOUR, INT32_MAX },
		{ "st", 50 * HOUR, INT64_MAX, 45 * HOUR, INT32_MAX },
		{ "mt", 200 * HOUR, INT64_MAX, 180 * HOUR, 48 },
		{ "lt", 400 * HOUR, INT64_MAX, 360 * HOUR, 20 },
	},
	.sizes = {
		{ "sj", 8, 2 * GB }, { "mj", 16, 4 * GB }, { "lj", 64, 16 * GB },
	},
};

enum { VST, ST, MT, LT };
enum { SJ, MJ, LJ };

static int32_t class_of(int32_t procs, int64_t memory_mb, int64_t estimate)
{
	struct lxfw_request job = request(1, 0, procs, memory_mb, estimate);

	return lxfw_job_class_of(&table_1, &job);
}

static void tells_the_class(void **state)
{
	(void)state;
	assert_true(lxfw_job_classes_valid(&table_1));
	/* the paper's example: 16 processors, 4 GB, 300 x 16 hours */
	assert_int_equal(class_of(16, 4 * GB, 300 * HOUR), LT * 3 + MJ);
	/* both sides of each limit */
	assert_int_equal(class_of(1, 0, 1), VST * 3 + SJ);
	assert_int_equal(class_of(8, 2 * GB, 5 * HOUR), VST * 3 + SJ);
	assert_int_equal(class_of(8, 2 * GB, 5 * HOUR + 1), ST * 3 + SJ);
	assert_int_equal(class_of(8, 2 * GB + 1, 50 * HOUR), ST * 3 + MJ);
	assert_int_equal(class_of(9, 1, 50 * HOUR + 1), MT * 3 + MJ);
	assert_int_equal(class_of(17, 1, 200 * HOUR + 1), LT * 3 + LJ);
	assert_int_equal(class_of(64, 16 * GB, 400 * HOUR), LT * 3 + LJ);
	/* beyond all limits */
	assert_int_equal(class_of(65, 1, 1), -1);
	assert_int_equal(class_of(1, 16 * GB + 1, 1), -1);
	assert_int_equal(class_of(1, 1, 400 * HOUR + 1), -1);
}

static void runs_on_one_host(void **state)
{
	struct lxfw_request job = request(1, 0, 1, GB, 60);

	(void)state;
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 9;	/* pieces of 1 GB */
	assert_int_equal(lxfw_job_class_of(&table_1, &job), VST * 3 + LJ);
	job.shape = LXFW_SHAPE_HOSTS;
	job.count = 2;
	assert_int_equal(lxfw_job_class_of(&table_1, &job), -1);
}

static void refuses_bad_classes(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CLASSES };
	struct lxfw_job_classes descending = table_1;
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	begin(&scene, "lxfw_policy=classes");
	host_with(&scene, 0, 4, 100);
	event.job_classes = &site.classes;	/* for two hosts */
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	site_make(&site, 1);
	site.rules[0].order[1] = B;		/* twice */
	event.job_classes = &site.classes;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	descending.times[2].cpu_per_proc = HOUR;
	event.job_classes = &descending;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	finish(&scene);
}

/* --- the order of jobs */

/*
 * The first size class is served first, even if its job was submitted last. Within it
 * the time class decides, then the order of submission.
 *
 *   arrive  1: S s   2: B l   3: B s   4: B l   (3 processors each B, 1 s S)
 *
 *   at 0, four processors:  3 3 3 .     B before S, s before l; 1 waits: 2 and 4
 *   are of class B and do not fit
 *   when 3 has ended:         2 2 2 .
 *   when 2 has ended:       4 4 4 1     no B is waiting: S is served
 */
static void takes_the_order_of_the_host(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	open_site(&scene, &site);
	submit(&scene, 1, 1, 1, 10);
	submit(&scene, 2, 3, 1, 500);
	submit(&scene, 3, 3, 1, 10);
	submit(&scene, 4, 3, 1, 500);
	decide(&scene, 0);
	only_action(&scene);
	assert_true(starts(&scene, 3));
	scene.now = 10;
	end(&scene, 3);
	decide(&scene, 10);
	only_action(&scene);
	assert_true(starts(&scene, 2));
	scene.now = 20;
	end(&scene, 2);
	decide(&scene, 20);
	assert_int_equal(scene.decision.count, 2);
	assert_true(starts(&scene, 4));
	assert_true(starts(&scene, 1));
	finish(&scene);
}

/* Two time classes of equal rank form one queue: l was submitted first. */
static void serves_equal_ranks_as_they_come(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.rules[0].rank[l] = 0;
	open_site(&scene, &site);
	submit(&scene, 1, 4, 1, 500);
	scene.now = 5;
	submit(&scene, 2, 4, 1, 10);
	decide(&scene, 5);
	only_action(&scene);
	assert_true(starts(&scene, 1));
	finish(&scene);
}

/*
 * Jobs that do not fit are skipped within a size class, but not across size classes.
 *
 *   job 1 (B) has three of four processors; 2 (B, 4) waits; 3 (S, 1) waits
 *     1 1 1 .      3 would fit, but the class of 2 precedes and 2 could run
 *   4 arrives, of class B by its memory of 60 MB, with one processor:
 *     1 1 1 4      2 is skipped
 */
static void skips_within_a_size_class_only(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.classes.sizes[S].memory_mb = 50;
	open_site(&scene, &site);
	submit(&scene, 1, 3, 10, 500);
	decide(&scene, 0);
	assert_true(starts(&scene, 1));
	submit(&scene, 2, 4, 10, 50);
	submit(&scene, 3, 1, 10, 50);
	decide(&scene, 1);
	nothing_is_done(&scene);
	scene.now = 2;
	submit(&scene, 4, 1, 60, 500);
	decide(&scene, 2);
	only_action(&scene);
	assert_true(starts(&scene, 4));
	finish(&scene);
}

/*
 * Two B may run at a time, each on one processor (B by their memory):
 *     1 2 S .      3 (B) waits though it would fit, and S is served
 */
static void continues_when_the_limit_is_reached(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.classes.sizes[S].memory_mb = 20;
	site.rules[0].running_most[B] = 2;
	open_site(&scene, &site);
	for (uint64_t id = 1; id <= 3; id++)
		submit(&scene, id, 1, 25, 50);
	submit(&scene, 4, 1, 10, 50);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 3);
	assert_true(starts(&scene, 1) && starts(&scene, 2) && starts(&scene, 4));
	/* only the end of one of the two lets the third one start */
	scene.now = 5;
	end(&scene, 4);
	decide(&scene, 5);
	nothing_is_done(&scene);
	end(&scene, 2);
	decide(&scene, 5);
	only_action(&scene);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

/* One job of class l may run on all hosts together. It runs on host 0. Job 2 (B l)
   waits, and does not delay jobs of S. When 1 has ended, 2 may start. */
static void counts_limits_on_all_hosts(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	site.classes.times[l].running_most = 1;
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 500);
	submit(&scene, 2, 3, 1, 500);
	submit(&scene, 3, 1, 1, 50);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(host_of(&scene, 1), 0);
	assert_int_equal(host_of(&scene, 3), 0);
	scene.now = 5;
	end(&scene, 1);
	decide(&scene, 5);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 2), 0);
	finish(&scene);
}

/* Job 1 requests more memory than host 0 has. There jobs of S may start, while 1 waits
   and keeps S from host 1, which could hold it. */
static void counts_only_what_the_host_could_hold(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	open_site(&scene, &site);
	host_with(&scene, 1, 4, 200);
	submit(&scene, 1, 3, 10, 50);
	submit(&scene, 2, 3, 10, 50);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 2);
	submit(&scene, 3, 3, 150, 50);
	submit(&scene, 4, 1, 1, 50);
	submit(&scene, 5, 1, 1, 50);
	decide(&scene, 1);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 4), 0);
	finish(&scene);
}

/* Host 0 runs S only; host 1 runs B only, and time class s only. */
static void keeps_classes_off_hosts(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	site.rules[0].order_count = site.rules[1].order_count = 1;
	site.rules[0].order[0] = S;
	site.rules[1].rank[l] = -1;
	open_site(&scene, &site);
	submit(&scene, 1, 4, 1, 50);
	submit(&scene, 2, 3, 1, 500);	/* B l: nowhere */
	submit(&scene, 3, 1, 1, 500);
	submit(&scene, 4, 2, 1, 50);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 3);
	assert_int_equal(host_of(&scene, 1), 1);
	assert_int_equal(host_of(&scene, 3), 0);
	assert_int_equal(host_of(&scene, 4), 0);
	scene.now = 10;
	end(&scene, 1);
	decide(&scene, 10);
	nothing_is_done(&scene);
	finish(&scene);
}

/* A host without rules runs no jobs. */
static void ignores_hosts_without_rules(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	site.rules_of[0] = -1;
	open_site(&scene, &site);
	host_with(&scene, 2, 4, 100);	/* submitted later */
	submit(&scene, 1, 1, 1, 50);
	submit(&scene, 2, 4, 1, 50);
	decide(&scene, 0);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 2), 1);
	finish(&scene);
}

/*
 * Hosts are served by index. A start on a host may permit a start on an earlier one.
 *   1 (B, 3) runs on host 0 and 2 (B, 4) on host 1; 3 (B, 4) and 4 (S, 1) wait: 4 may
 *   not overtake 3 on host 0. When 2 has ended, 3 starts on host 1. Then no B waits, and
 *   4 starts on host 0 in the same pass.
 */
static void returns_to_earlier_hosts(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 50);
	submit(&scene, 2, 4, 1, 50);
	decide(&scene, 0);
	submit(&scene, 3, 4, 1, 50);
	submit(&scene, 4, 1, 1, 50);
	decide(&scene, 1);
	nothing_is_done(&scene);
	scene.now = 2;
	end(&scene, 2);
	decide(&scene, 2);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(host_of(&scene, 3), 1);
	assert_int_equal(host_of(&scene, 4), 0);
	finish(&scene);
}

/* Without classes: first come first served, and jobs that do not fit are skipped
 * without a bound. */
static void is_one_class_by_default(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=classes");
	host_with(&scene, 0, 4, 100);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 2, 4, 1, 10);
	submit(&scene, 3, 1, 1, 10);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 2);
	assert_true(starts(&scene, 1) && starts(&scene, 3));
	scene.now = 999;
	submit(&scene, 4, 1, 1, 10);
	end(&scene, 3);
	decide(&scene, 999);
	only_action(&scene);
	assert_true(starts(&scene, 4));
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tells_the_class),
		cmocka_unit_test(runs_on_one_host),
		cmocka_unit_test(refuses_bad_classes),
		cmocka_unit_test(takes_the_order_of_the_host),
		cmocka_unit_test(serves_equal_ranks_as_they_come),
		cmocka_unit_test(skips_within_a_size_class_only),
		cmocka_unit_test(continues_when_the_limit_is_reached),
		cmocka_unit_test(counts_limits_on_all_hosts),
		cmocka_unit_test(counts_only_what_the_host_could_hold),
		cmocka_unit_test(keeps_classes_off_hosts),
		cmocka_unit_test(ignores_hosts_without_rules),
		cmocka_unit_test(returns_to_earlier_hosts),
		cmocka_unit_test(is_one_class_by_default),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
