/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job classes with limits and priorities per host (Chiang and Vernon 2001, section
 * 2.1), on scenes small enough to be worked out by hand. Charts have a row for each
 * processor, time goes to the right, a dot is an idle processor and a colon one that
 * is kept idle for a special reservation.
 */
#include "tests/unit/scene.h"

#define HOUR 3600
#define GB 1024

/* Of the scenes: time classes s (short, 100 s, reserve wait 50 s) and l (long,
   reserve wait 200 s); size classes S (2 processors) and B (big). Every host has the
   rules of `everywhere`, until a scene changes its copy: B > S, s > l. */
enum { s, l };
enum { S, B };

struct site {
	struct lxfw_job_classes classes;
	struct lxfw_host_rules rules[3];
	int32_t rules_of[3];
};

static const struct lxfw_host_rules everywhere = {
	.running_most = { LXFW_NO_COUNT_LIMIT, LXFW_NO_COUNT_LIMIT },
	.order = { B, S }, .order_count = 2,
	.rank = { 0, 1 },
};

static void site_make(struct site *site, int32_t hosts)
{
	*site = (struct site){
		.classes = {
			.time_count = 2, .size_count = 2,
			.times = {
				{ "s", 100, LXFW_NO_TIME_LIMIT, 50,
				  LXFW_NO_COUNT_LIMIT },
				{ "l", LXFW_NO_TIME_LIMIT, LXFW_NO_TIME_LIMIT,
				  200, LXFW_NO_COUNT_LIMIT },
			},
			.sizes = {
				{ "S", 2, LXFW_NO_MEMORY_LIMIT },
				{ "B", LXFW_NO_COUNT_LIMIT,
				  LXFW_NO_MEMORY_LIMIT },
			},
			.rules_count = hosts, .host_count = hosts,
		},
		.rules = { everywhere, everywhere, everywhere },
		.rules_of = { 0, 1, 2 },
	};
	site->classes.rules = site->rules;
	site->classes.rules_of = site->rules_of;
}

static void tell(struct scene *scene, const struct site *site)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CLASSES };

	event.job_classes = &site->classes;
	apply(scene, &event);
}

/* Hosts of four processors each. */
static void open_site(struct scene *scene, const struct site *site)
{
	begin(scene, "lxfw_policy=classes");
	for (int32_t i = 0; i < site->classes.host_count; i++)
		host_with(scene, i, 4, 100);
	tell(scene, site);
}

static bool loses(const struct scene *scene, uint64_t id)
{
	return action_of(scene, LXFW_ACTION_UNRESERVE, id) != NULL;
}

static int32_t reserved_on(const struct scene *scene, uint64_t id)
{
	const struct lxfw_action *action =
		action_of(scene, LXFW_ACTION_RESERVE, id);

	assert_non_null(action);
	assert_int_equal(action->count, 1);
	return action->shares[0].host;
}

static void nothing_is_done(const struct scene *scene)
{
	assert_int_equal(scene->decision.count, 0);
}

static void only_action(const struct scene *scene)
{
	assert_int_equal(scene->decision.count, 1);
}

/* --- the class of a job ------------------------------------------------------------- */

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
	/* either side of each limit */
	assert_int_equal(class_of(1, 0, 1), VST * 3 + SJ);
	assert_int_equal(class_of(8, 2 * GB, 5 * HOUR), VST * 3 + SJ);
	assert_int_equal(class_of(8, 2 * GB, 5 * HOUR + 1), ST * 3 + SJ);
	assert_int_equal(class_of(8, 2 * GB + 1, 50 * HOUR), ST * 3 + MJ);
	assert_int_equal(class_of(9, 1, 50 * HOUR + 1), MT * 3 + MJ);
	assert_int_equal(class_of(17, 1, 200 * HOUR + 1), LT * 3 + LJ);
	assert_int_equal(class_of(64, 16 * GB, 400 * HOUR), LT * 3 + LJ);
	/* beyond every one */
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
	event.job_classes = &site.classes;	/* of two hosts */
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

/* --- who comes first ------------------------------------------------------------------- */

/*
 * The size class that is first comes first though it came last; within it the time
 * class, then first come first served.
 *
 *   arrive  1: S s   2: B l   3: B s   4: B l   (3 processors each B, 1 s S)
 *
 *   at 0, four processors:  3 3 3 .     B before S, s before l; 1 has to wait: 2
 *   and 4 are of class B and do not fit
 *   when 3 is over:         2 2 2 .
 *   when 2 is over:         4 4 4 1     no more of B waits: S has its turn
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

/* Two time classes of equal rank are one queue: l came first. */
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
 * Within a size class those that do not fit are skipped, across they are not.
 *
 *   job 1 (B) has three of four processors; 2 (B, 4) waits; 3 (S, 1) waits
 *     1 1 1 .      3 would fit, but 2 is of a class before its own and could run
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
 * Two B may run at once, each on one processor (by their memory):
 *     1 2 S .      3 (B) waits though it would fit, and S has its turn
 */
static void goes_on_when_the_limit_is_reached(void **state)
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
	/* a place among the two, and only that, lets the third in */
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

/* One job of class l may run on all hosts together. It runs on host 0; that 2 (B l)
   waits keeps nobody of S from starting. When 1 is over, 2 may. */
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

/* Job 1 asks for more memory than host 0 has: there S has its turn, though 1 waits
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

/* Host 0 runs S only, host 1 B only and of time class s only. */
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

/* A host of no rules runs nothing. */
static void leaves_other_hosts_alone(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	site.rules_of[0] = -1;
	open_site(&scene, &site);
	host_with(&scene, 2, 4, 100);	/* came later */
	submit(&scene, 1, 1, 1, 50);
	submit(&scene, 2, 4, 1, 50);
	decide(&scene, 0);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 2), 1);
	finish(&scene);
}

/*
 * Hosts are served by index, but a start on a later one may let an earlier one go on.
 *   1 (B, 3) runs on host 0 and 2 (B, 4) on host 1; 3 (B, 4) and 4 (S, 1) wait: 4
 *   may not pass by 3 on host 0. When 2 is over, 3 starts on host 1; none of B waits
 *   any more, and 4 starts on host 0 in the same pass.
 */
static void comes_back_to_earlier_hosts(void **state)
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

/* Without classes: first come first served, what does not fit is skipped, for ever. */
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

/* --- special reservations ----------------------------------------------------------------- */

/*
 * Job 4 (B s, 4 processors) waits from 0 on and is overdue after 50 s, when a job
 * ends on the host.
 *
 *         0    49   60   65   70   80
 *   p0    1    1    1    1    4    6
 *   p1    1    1    1    1    4    7
 *   p2    2    5    :    :    4    .
 *   p3    3    3    3    :    4    .
 *
 * The end of 2 at 49 comes too soon: 5 (B, by its memory) takes the processor, skipping
 * 4. From the end of 5 at 60 on processors are kept, and 6 (B too) does not get one,
 * nor does 7 when 3 has ended at 65. All is for 4, which is expected at 100, when 1 is
 * to be over, and starts when 1 is, at 70. Then 6 and 7 have to wait for 4.
 */
static void keeps_processors_for_the_overdue(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.classes.sizes[S].memory_mb = 5;
	open_site(&scene, &site);
	submit(&scene, 1, 2, 10, 100);
	submit(&scene, 2, 1, 10, 90);
	submit(&scene, 3, 1, 10, 90);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 3);
	submit(&scene, 4, 4, 10, 80);
	decide(&scene, 0);
	nothing_is_done(&scene);
	scene.now = 49;
	end(&scene, 2);
	submit(&scene, 5, 1, 10, 90);
	decide(&scene, 49);
	only_action(&scene);
	assert_true(starts(&scene, 5));
	/* waiting alone does not reserve */
	decide(&scene, 55);
	nothing_is_done(&scene);
	scene.now = 60;
	end(&scene, 5);
	submit(&scene, 6, 1, 10, 10);
	decide(&scene, 60);
	only_action(&scene);
	assert_int_equal(reserved_on(&scene, 4), 0);
	assert_int_equal(reserved(&scene, 4), 100);
	assert_int_equal(scene.decision.wake, 100);
	scene.now = 65;
	end(&scene, 3);
	submit(&scene, 7, 1, 10, 10);
	decide(&scene, 65);
	nothing_is_done(&scene);
	scene.now = 70;
	end(&scene, 1);
	decide(&scene, 70);
	only_action(&scene);
	assert_true(starts(&scene, 4));
	scene.now = 80;
	end(&scene, 4);
	decide(&scene, 80);
	assert_int_equal(scene.decision.count, 2);
	assert_true(starts(&scene, 6) && starts(&scene, 7));
	finish(&scene);
}

/* Table 1 says "at least": who has waited for 50 s to the second is overdue, a second
   earlier not. */
static void waits_for_the_threshold(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	for (int64_t at = 49; at <= 50; at++) {
		site_make(&site, 1);
		open_site(&scene, &site);
		submit(&scene, 1, 3, 1, 1000);
		submit(&scene, 2, 1, 1, 1000);
		decide(&scene, 0);
		submit(&scene, 3, 4, 1, 100);
		scene.now = at;
		end(&scene, 2);
		decide(&scene, at);
		assert_int_equal(scene.decision.count, at == 50);
		assert_int_equal(reserved(&scene, 3), at == 50 ? 1000 : -1);
		finish(&scene);
	}
}

/* The expected start moves with what it waits for, and is told anew. */
static void tells_when_it_moves(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct lxfw_share share = { 0, { .procs = 3, .memory_mb = 1 } };
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 3, 4, 1, 100);
	scene.now = 60;
	end(&scene, 2);
	decide(&scene, 60);
	assert_int_equal(reserved(&scene, 3), 1000);
	decide(&scene, 61);
	nothing_is_done(&scene);
	scene.now = 70;
	event.run.id = 1;
	event.run.expected_end = 200;
	event.run.count = 1;
	event.run.shares = &share;
	apply(&scene, &event);
	decide(&scene, 70);
	only_action(&scene);
	assert_int_equal(reserved(&scene, 3), 200);
	/* nothing says any more when: the reservation goes */
	event.run.expected_end = LXFW_NEVER;
	apply(&scene, &event);
	decide(&scene, 71);
	decide(&scene, 72);
	assert_true(loses(&scene, 3));
	finish(&scene);
}

/* Who is overdue and fits starts, before others that came earlier or that are of a
   time class before its own. */
static void starts_the_overdue_first(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	open_site(&scene, &site);
	submit(&scene, 1, 4, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 3, 1, 500);		/* B l, overdue at 200 */
	scene.now = 195;
	submit(&scene, 3, 3, 1, 50);		/* B s, overdue at 245 */
	scene.now = 200;
	end(&scene, 1);
	decide(&scene, 200);
	only_action(&scene);
	assert_true(starts(&scene, 2));
	finish(&scene);
}

/* Of several the host's order decides: B before S, s before l, then who came first. */
static void reserves_in_the_order_of_the_host(void **state)
{
	static const struct {
		int32_t procs;
		int64_t estimate;
	} jobs[] = { { 2, 50 }, { 4, 500 }, { 4, 50 }, { 3, 50 } };
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	decide(&scene, 0);
	for (uint64_t i = 0; i < 4; i++)	/* jobs 10 to 13 */
		submit(&scene, 10 + i, jobs[i].procs, 1, jobs[i].estimate);
	scene.now = 300;
	end(&scene, 2);
	decide(&scene, 300);
	only_action(&scene);
	assert_int_equal(reserved(&scene, 12), 1000);
	finish(&scene);
}

/*
 * One reservation for each job and one for each host. Hosts 0 and 1 are taken by 1 and
 * 2 but for a processor each, with 3 and 4. 5 and 6 (B, 4) are overdue.
 *   3 ends on host 0: kept for 5.
 *   4 ends on host 1: 5 has one, kept for 6.
 *   7 (S) fits beside 1 and 2, and starts nowhere.
 */
static void reserves_once_for_each_job(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 3, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 3, 1, 900);
	submit(&scene, 4, 1, 1, 900);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 4), 1);
	submit(&scene, 5, 4, 1, 100);
	submit(&scene, 6, 4, 1, 100);
	scene.now = 100;
	end(&scene, 3);
	decide(&scene, 100);
	only_action(&scene);
	assert_int_equal(reserved_on(&scene, 5), 0);
	scene.now = 110;
	end(&scene, 4);
	submit(&scene, 7, 1, 1, 10);
	decide(&scene, 110);
	only_action(&scene);
	assert_int_equal(reserved_on(&scene, 6), 1);
	assert_int_equal(reserved(&scene, 6), 900);
	finish(&scene);
}

/*
 * Host 0 is kept for 5 (B, 4). On host 1, which 2 has to itself, 2 is over first: 5
 * starts there, and what host 0 has kept goes to 7 (S) in the same pass.
 *
 *        100  110             120
 *   h0   1 1 1 1 1 1 1 1 1    1 1 1
 *        1 1 1 1 1 1 1 1 1    1 1 1
 *        1 1 1 1 1 1 1 1 1    1 1 1
 *        3 : : : : : : : :    7 7 7
 *   h1   2 2 2 2 2 2 2 2 2    5 5 5   (four times)
 */
static void starts_elsewhere_if_it_can(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 3, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 2, 4, 1, 900);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 2), 1);
	submit(&scene, 5, 4, 1, 100);
	scene.now = 100;
	end(&scene, 3);
	decide(&scene, 100);
	assert_int_equal(reserved_on(&scene, 5), 0);
	scene.now = 110;
	submit(&scene, 7, 1, 1, 10);
	decide(&scene, 110);
	nothing_is_done(&scene);
	scene.now = 120;
	end(&scene, 2);
	decide(&scene, 120);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(host_of(&scene, 5), 1);
	assert_int_equal(host_of(&scene, 7), 0);
	finish(&scene);
}

/*
 * Limits hold for reservations: two of class l may run. 1 and 2 do when 3 (s) ends, so
 * there is none for 4 (B l, which only host 0 has the memory for). When 2 has ended
 * there is one, and it counts as the second: of 5 (S l) and 6 (S s), which fit on host
 * 1, only 6 starts. When 1 is over and 4 starts, 5 may too.
 *
 *         0    300  320
 *   h0    1    1    4
 *         1    1    4
 *         2    :    4
 *         3    :    4
 *   h1    .    6    5
 */
static void counts_reservations_in_limits(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 2);
	site.classes.times[l].running_most = 2;
	open_site(&scene, &site);
	host_with(&scene, 1, 4, 50);
	submit(&scene, 1, 2, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	submit(&scene, 3, 1, 1, 100);
	decide(&scene, 0);
	assert_int_equal(scene.decision.count, 3);
	submit(&scene, 4, 4, 60, 500);
	scene.now = 300;
	end(&scene, 3);
	decide(&scene, 300);
	nothing_is_done(&scene);
	end(&scene, 2);
	decide(&scene, 300);
	only_action(&scene);
	assert_int_equal(reserved_on(&scene, 4), 0);
	submit(&scene, 5, 1, 1, 500);
	submit(&scene, 6, 1, 1, 20);
	decide(&scene, 300);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 6), 1);
	scene.now = 320;
	end(&scene, 6);
	decide(&scene, 320);
	nothing_is_done(&scene);
	end(&scene, 1);
	decide(&scene, 320);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(host_of(&scene, 4), 0);
	assert_int_equal(host_of(&scene, 5), 1);
	finish(&scene);
}

/* A reservation does not stand in its own job's way: 3 is the one of class l that may
   run. */
static void uses_its_own_place_in_limits(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.classes.times[l].running_most = 1;
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 100);
	submit(&scene, 2, 1, 1, 100);
	decide(&scene, 0);
	submit(&scene, 3, 4, 1, 500);
	scene.now = 200;
	end(&scene, 2);
	decide(&scene, 200);
	assert_int_equal(reserved_on(&scene, 3), 0);
	scene.now = 210;
	end(&scene, 1);
	decide(&scene, 210);
	only_action(&scene);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

/* Host 0 has as many B as it may: its end of an S is for S. */
static void reserves_within_the_limits_of_the_host(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.rules[0].running_most[B] = 1;
	open_site(&scene, &site);
	submit(&scene, 1, 3, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 3, 3, 1, 50);
	submit(&scene, 4, 2, 1, 50);
	scene.now = 60;
	end(&scene, 2);
	decide(&scene, 60);
	only_action(&scene);
	assert_int_equal(reserved(&scene, 4), 1000);
	finish(&scene);
}

/* --- when things change ---------------------------------------------------------------- */

/* Host 0 with a processor kept for job 3 (B, 4) beside job 1; at 60. */
static void open_reserved(struct scene *scene, struct site *site)
{
	site_make(site, 2);
	open_site(scene, site);
	submit(scene, 1, 3, 1, 1000);
	submit(scene, 2, 1, 1, 1000);
	decide(scene, 0);
	submit(scene, 9, 4, 1, 1000);
	decide(scene, 0);
	submit(scene, 3, 4, 1, 100);
	scene->now = 60;
	end(scene, 2);
	decide(scene, 60);
	assert_int_equal(reserved_on(scene, 3), 0);
	submit(scene, 4, 1, 1, 10);
	decide(scene, 61);
	nothing_is_done(scene);
}

static void set_host(struct scene *scene, int32_t index, bool up, int32_t procs)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = up;
	event.host.total.procs = procs;
	event.host.total.memory_mb = 100;
	apply(scene, &event);
}

static void gives_up_hosts_that_go(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	for (int i = 0; i < 2; i++) {
		open_reserved(&scene, &site);
		/* down, or too small for it */
		set_host(&scene, 0, i == 1, i == 1 ? 3 : 4);
		decide(&scene, 62);
		assert_true(loses(&scene, 3));
		only_action(&scene);
		set_host(&scene, 0, true, 4);
		decide(&scene, 63);
		nothing_is_done(&scene);	/* B waits */
		/* the next end on any host */
		scene.now = 64;
		end(&scene, 1);
		decide(&scene, 64);
		assert_int_equal(host_of(&scene, 3), 0);
		finish(&scene);
	}
}

static void gives_up_jobs_that_go(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	open_reserved(&scene, &site);
	end(&scene, 3);		/* cancelled */
	decide(&scene, 62);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 4), 0);
	finish(&scene);
}

static void gives_up_jobs_that_change(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CHANGE };
	struct lxfw_request job = request(3, 0, 1, 1, 100);
	struct scene scene;
	struct site site;

	(void)state;
	open_reserved(&scene, &site);
	event.request = &job;	/* S now, and it came before 4 */
	apply(&scene, &event);
	decide(&scene, 62);
	assert_int_equal(host_of(&scene, 3), 0);
	assert_false(starts(&scene, 4));
	finish(&scene);
}

/* The start of the job that the host was kept for does not happen: it is passed over,
   and what was kept for it goes to others. */
static void gives_up_jobs_that_are_refused(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_REFUSED };
	struct scene scene;
	struct site site;

	(void)state;
	open_reserved(&scene, &site);
	scene.now = 70;
	end(&scene, 1);
	decide(&scene, 70);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 3), 0);
	event.refused.id = 3;
	event.refused.until = 100;
	apply(&scene, &event);
	decide(&scene, 71);
	only_action(&scene);
	assert_int_equal(host_of(&scene, 4), 0);
	/* no end, no reservation; it counts as waiting again, and not as running */
	submit(&scene, 5, 1, 1, 10);
	decide(&scene, 100);
	nothing_is_done(&scene);
	scene.now = 101;
	end(&scene, 4);
	decide(&scene, 101);
	assert_int_equal(host_of(&scene, 3), 0);
	finish(&scene);
}

static void told_to_run(struct scene *scene, uint64_t id, int32_t host,
			int32_t procs)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct lxfw_share share = { host, { .procs = procs, .memory_mb = 1 } };

	event.run.id = id;
	event.run.expected_end = scene->now + 1000;
	event.run.count = 1;
	event.run.shares = &share;
	apply(scene, &event);
}

/*
 * Others start jobs too. One that waited here counts in the limits: the B that was told
 * to run on host 0 is the one that may. One of which nothing is known counts in none,
 * but its end is the end of a job.
 */
static void counts_what_others_start(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.rules[0].running_most[B] = 1;
	site.classes.sizes[S].memory_mb = 5;
	open_site(&scene, &site);
	told_to_run(&scene, 90, 0, 1);
	submit(&scene, 1, 1, 10, 500);
	told_to_run(&scene, 1, 0, 1);
	submit(&scene, 2, 1, 10, 500);
	submit(&scene, 3, 1, 1, 50);
	decide(&scene, 0);
	only_action(&scene);
	assert_true(starts(&scene, 3));
	scene.now = 10;
	end(&scene, 1);
	decide(&scene, 10);
	only_action(&scene);
	assert_true(starts(&scene, 2));
	submit(&scene, 4, 2, 1, 50);
	decide(&scene, 11);
	nothing_is_done(&scene);
	scene.now = 70;
	end(&scene, 90);
	decide(&scene, 70);
	assert_true(starts(&scene, 4));
	finish(&scene);
}

/* Others may take what was kept; the host is kept on. */
static void keeps_on_when_others_start(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	open_reserved(&scene, &site);
	scene.now = 62;
	told_to_run(&scene, 90, 0, 1);
	decide(&scene, 62);
	only_action(&scene);
	assert_int_equal(reserved(&scene, 3), 1062);
	scene.now = 63;
	end(&scene, 1);
	decide(&scene, 63);
	nothing_is_done(&scene);
	end(&scene, 90);
	decide(&scene, 64);
	assert_int_equal(host_of(&scene, 3), 0);
	finish(&scene);
}

/* One B may run on the host, which is kept for 3 (B). Then others start 4 (B) there:
   though 3 would fit beside it when 1 is over, it waits until 4 is. */
static void holds_limits_when_others_start(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	site.rules[0].running_most[B] = 1;
	open_site(&scene, &site);
	submit(&scene, 1, 2, 1, 1000);
	submit(&scene, 2, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 3, 3, 1, 100);
	scene.now = 60;
	end(&scene, 2);
	decide(&scene, 60);
	assert_int_equal(reserved_on(&scene, 3), 0);
	submit(&scene, 4, 3, 1, 100);
	told_to_run(&scene, 4, 0, 1);	/* they know better what it takes */
	end(&scene, 1);
	decide(&scene, 61);
	assert_false(starts(&scene, 3));
	scene.now = 62;
	end(&scene, 4);
	decide(&scene, 62);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

/* Nothing is kept where nothing says for how long. */
static void keeps_nothing_for_ever(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct lxfw_share share = { 0, { .procs = 3, .memory_mb = 1 } };
	struct scene scene;
	struct site site;

	(void)state;
	site_make(&site, 1);
	open_site(&scene, &site);
	event.run.id = 90;
	event.run.expected_end = LXFW_NEVER;
	event.run.count = 1;
	event.run.shares = &share;
	apply(&scene, &event);
	submit(&scene, 2, 1, 1, 1000);
	decide(&scene, 0);
	submit(&scene, 3, 4, 1, 100);
	scene.now = 60;
	end(&scene, 2);
	decide(&scene, 60);
	nothing_is_done(&scene);
	finish(&scene);
}

static void set_policy(struct scene *scene, enum lxfw_policy policy)
{
	struct lxfw_event event = { .type = LXFW_EVENT_PARAMS };
	struct lxfw_params params;

	lxfw_params_preset(&params, policy);
	event.params = &params;
	apply(scene, &event);
}

/* Other classes, other reservations: none is left of before. Counts are made anew:
   with one B at most, job 1 is that. */
static void takes_other_classes(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	open_reserved(&scene, &site);
	site.rules[0].running_most[B] = 1;
	tell(&scene, &site);
	decide(&scene, 62);
	assert_true(loses(&scene, 3));
	assert_int_equal(host_of(&scene, 4), 0);
	finish(&scene);
}

/* Under another policy and back. LXF&W reserves for 3 and backfills 4; back again
   nothing is kept for 3 before a job ends, and what has started meanwhile counts. */
static void takes_over_from_other_policies(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	open_reserved(&scene, &site);
	set_policy(&scene, LXFW_POLICY_EASY);
	decide(&scene, 62);
	assert_int_equal(reserved(&scene, 3), 1000);
	assert_int_equal(host_of(&scene, 4), 0);
	set_policy(&scene, LXFW_POLICY_CLASSES);
	decide(&scene, 63);
	assert_true(loses(&scene, 3));
	only_action(&scene);
	scene.now = 64;
	end(&scene, 4);
	decide(&scene, 64);
	assert_int_equal(reserved(&scene, 3), 1000);
	finish(&scene);
}

/* Nothing runs into a maintenance that has been announced, the job with a reservation
   neither: from 150 on, 3 needs 100 s and starts after it. */
static void keeps_clear_of_blocks(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };
	struct lxfw_share share = { 0, { .procs = 4, .memory_mb = 100 } };
	struct scene scene;
	struct site site;

	(void)state;
	open_reserved(&scene, &site);
	event.block.id = 100;
	event.block.start = 150;
	event.block.end = 200;
	event.block.count = 1;
	event.block.shares = &share;
	apply(&scene, &event);
	scene.now = 70;
	end(&scene, 1);
	decide(&scene, 70);
	only_action(&scene);
	assert_int_equal(reserved(&scene, 3), 200);
	decide(&scene, 150);
	nothing_is_done(&scene);
	decide(&scene, 200);
	assert_int_equal(host_of(&scene, 3), 0);
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
		cmocka_unit_test(goes_on_when_the_limit_is_reached),
		cmocka_unit_test(counts_limits_on_all_hosts),
		cmocka_unit_test(counts_only_what_the_host_could_hold),
		cmocka_unit_test(keeps_classes_off_hosts),
		cmocka_unit_test(leaves_other_hosts_alone),
		cmocka_unit_test(comes_back_to_earlier_hosts),
		cmocka_unit_test(is_one_class_by_default),
		cmocka_unit_test(keeps_processors_for_the_overdue),
		cmocka_unit_test(waits_for_the_threshold),
		cmocka_unit_test(tells_when_it_moves),
		cmocka_unit_test(starts_the_overdue_first),
		cmocka_unit_test(reserves_in_the_order_of_the_host),
		cmocka_unit_test(reserves_once_for_each_job),
		cmocka_unit_test(starts_elsewhere_if_it_can),
		cmocka_unit_test(counts_reservations_in_limits),
		cmocka_unit_test(uses_its_own_place_in_limits),
		cmocka_unit_test(reserves_within_the_limits_of_the_host),
		cmocka_unit_test(gives_up_hosts_that_go),
		cmocka_unit_test(gives_up_jobs_that_go),
		cmocka_unit_test(gives_up_jobs_that_change),
		cmocka_unit_test(gives_up_jobs_that_are_refused),
		cmocka_unit_test(counts_what_others_start),
		cmocka_unit_test(keeps_on_when_others_start),
		cmocka_unit_test(holds_limits_when_others_start),
		cmocka_unit_test(keeps_nothing_for_ever),
		cmocka_unit_test(takes_other_classes),
		cmocka_unit_test(takes_over_from_other_policies),
		cmocka_unit_test(keeps_clear_of_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
