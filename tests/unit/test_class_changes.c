/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job classes and their special reservations when hosts and jobs disappear, when jobs
 * are started by others, and when classes or the policy change.
 */
#include "tests/unit/class_site.h"

/* A processor of host 0 is kept for job 3 (B, 4), and job 1 runs there; at 60. */
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

static void drops_reservation_when_host_fails(void **state)
{
	struct scene scene;
	struct site site;

	(void)state;
	for (int i = 0; i < 2; i++) {
		open_reserved(&scene, &site);
		/* the host is down, or too small for the job */
		set_host(&scene, 0, i == 1, i == 1 ? 3 : 4);
		decide(&scene, 62);
		assert_true(loses(&scene, 3));
		only_action(&scene);
		set_host(&scene, 0, true, 4);
		decide(&scene, 63);
		nothing_is_done(&scene);	/* no job of B starts */
		/* the next end on any host */
		scene.now = 64;
		end(&scene, 1);
		decide(&scene, 64);
		assert_int_equal(host_of(&scene, 3), 0);
		finish(&scene);
	}
}

static void drops_reservation_when_job_ends(void **state)
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

static void drops_reservation_when_job_changes(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_CHANGE };
	struct lxfw_request job = request(3, 0, 1, 1, 100);
	struct scene scene;
	struct site site;

	(void)state;
	open_reserved(&scene, &site);
	event.request = &job;	/* the job is of size S now and was submitted before 4 */
	apply(&scene, &event);
	decide(&scene, 62);
	assert_int_equal(host_of(&scene, 3), 0);
	assert_false(starts(&scene, 4));
	finish(&scene);
}

/* The start of the job for which the host was kept is refused. The job is passed over,
   and others get the processors kept for it. */
static void drops_reservation_when_job_is_refused(void **state)
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
	/* neither an end nor a reservation: it counts as waiting again, not as running */
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
	struct lxfw_share share = { .host = host, .amount = { .procs = procs, .memory_mb = 1 } };

	event.run.id = id;
	event.run.expected_end = scene->now + 1000;
	event.run.count = 1;
	event.run.shares = &share;
	apply(scene, &event);
}

/*
 * Jobs may be started by others too. If the job waited here, it counts in the limits:
 * job B, started by others on host 0, is the one that the limit permits. An unknown job
 * counts in no limit, but its end counts as the end of a job.
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

/* Jobs started by others may use processors that are kept. The host is still kept. */
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

/* One B may run on the host, which is kept for 3 (B). Then 4 (B) is started there by
   others. Though 3 would fit when 1 has ended, it waits until 4 has ended too. */
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
	told_to_run(&scene, 4, 0, 1);	/* a start by others is accepted even if it
	                             	 * exceeds a limit */
	end(&scene, 1);
	decide(&scene, 61);
	assert_false(starts(&scene, 3));
	scene.now = 62;
	end(&scene, 4);
	decide(&scene, 62);
	assert_true(starts(&scene, 3));
	finish(&scene);
}

/* No processors are kept if the time until when is unknown. */
static void keeps_nothing_without_an_end(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct lxfw_share share = { .host = 0, .amount = { .procs = 3, .memory_mb = 1 } };
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

/* New classes discard all reservations. Counts are computed again: with a limit of one
   B, job 1 is that one. */
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

/* Change to another policy and back. LXF&W has a reservation for 3 and backfills 4.
   After the change back no processors are kept for 3 before a job ends, and jobs
   started in the meantime count. */
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

/* No job runs into an announced maintenance, not even the one with a reservation: 3
   needs 100 s from 150 on and starts after the maintenance. */
static void keeps_clear_of_blocks(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_BLOCK };
	struct lxfw_share share = { .host = 0, .amount = { .procs = 4, .memory_mb = 100 } };
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
		cmocka_unit_test(drops_reservation_when_host_fails),
		cmocka_unit_test(drops_reservation_when_job_ends),
		cmocka_unit_test(drops_reservation_when_job_changes),
		cmocka_unit_test(drops_reservation_when_job_is_refused),
		cmocka_unit_test(counts_what_others_start),
		cmocka_unit_test(keeps_on_when_others_start),
		cmocka_unit_test(holds_limits_when_others_start),
		cmocka_unit_test(keeps_nothing_without_an_end),
		cmocka_unit_test(takes_other_classes),
		cmocka_unit_test(takes_over_from_other_policies),
		cmocka_unit_test(keeps_clear_of_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
