/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Hosts that are asleep: the time that they take to boot. */
#include "tests/unit/scene.h"

#define BOOT 60

static void host_asleep(struct scene *scene, int32_t index, int32_t procs,
			int64_t boot)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };

	event.host.index = index;
	event.host.up = true;
	event.host.total.procs = procs;
	event.host.total.memory_mb = 1000;
	event.host.weight = boot ? 1000 : 0;
	event.host.boot = boot;
	apply(scene, &event);
}

/* Hosts 0, which is up, and 1, which is asleep, of 4 processors. */
static void begin_hosts(struct scene *scene, const char *params)
{
	begin(scene, params);
	host_asleep(scene, 0, 4, 0);
	host_asleep(scene, 1, 4, BOOT);
}

static void test_up_first(void **state)
{
	struct scene scene;

	(void)state;
	begin_hosts(&scene, "lxfw_policy=easy");
	submit(&scene, 1, 4, 0, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 0);
	submit(&scene, 2, 4, 0, 100);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 1);
	/* Job 2 ends after its host has booted. */
	submit(&scene, 3, 8, 0, 1);
	submit(&scene, 4, 4, 0, 1);
	decide(&scene, 2);
	assert_int_equal(reserved(&scene, 4), 100);
	host_asleep(&scene, 0, 1, 0);
	decide(&scene, 3);
	assert_int_equal(reserved(&scene, 4), 161);
	finish(&scene);
}

/* A job that fits before a reservation only without the boot time does not start. */
static void test_no_delay(void **state)
{
	struct lxfw_request both = request(2, 0, 4, 0, 10);
	struct scene scene;

	(void)state;
	begin_hosts(&scene, "lxfw_policy=easy");
	both.count = 2;
	submit(&scene, 1, 4, 0, 100);
	submit_request(&scene, &both);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 2), 100);
	submit(&scene, 3, 4, 0, 50);
	decide(&scene, 1);
	assert_false(starts(&scene, 3));
	submit(&scene, 4, 4, 0, 39);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 4), 1);
	finish(&scene);
}

/* A reservation on hosts that are asleep is longer by the boot time. */
static void test_reservation(void **state)
{
	struct lxfw_request both = request(2, 0, 4, 0, 10);
	struct scene scene;

	(void)state;
	begin_hosts(&scene, "lxfw_policy=easy,lxfw_reservations=2");
	both.count = 2;
	submit(&scene, 1, 4, 0, 100);
	submit_request(&scene, &both);
	submit(&scene, 3, 4, 0, 500);
	decide(&scene, 0);
	assert_int_equal(reserved(&scene, 2), 100);
	/* on host 0, after it has waited for host 1 */
	assert_int_equal(reserved(&scene, 3), 170);
	finish(&scene);
}

/* The limit of a shortened job is what remains after the boot. */
static void test_limit(void **state)
{
	struct lxfw_request both = request(2, 0, 4, 0, 10);
	struct lxfw_request job = request(3, 0, 4, 0, 500);
	struct scene scene;

	(void)state;
	begin_hosts(&scene, "lxfw_policy=easy");
	both.count = 2;
	submit(&scene, 1, 4, 0, 100);
	submit_request(&scene, &both);
	decide(&scene, 0);
	job.min_estimate = 41;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_false(starts(&scene, 3));
	job.id = 4;
	job.min_estimate = 40;
	submit_request(&scene, &job);
	decide(&scene, 0);
	assert_int_equal(action_of(&scene, LXFW_ACTION_START, 4)->limit, 40);
	finish(&scene);
}

/* The longest boot time counts, until the job is reported to run. */
static void test_several_boot_times(void **state)
{
	struct scene scene;

	(void)state;
	begin_hosts(&scene, "lxfw_policy=easy");
	host_asleep(&scene, 2, 8, 2 * BOOT);
	submit(&scene, 1, 4, 0, 100);
	submit(&scene, 2, 4, 0, 100);
	submit(&scene, 3, 8, 0, 100);
	submit(&scene, 4, 8, 0, 100);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 2), 1);
	assert_int_equal(host_of(&scene, 3), 2);
	assert_int_equal(reserved(&scene, 4), 220);
	finish(&scene);
}

static void test_invalid(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=easy");
	event.host.up = true;
	event.host.total.procs = 1;
	event.host.boot = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host.boot = LXFW_BOOT_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host.boot = LXFW_BOOT_MAX;
	apply(&scene, &event);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_up_first),
		cmocka_unit_test(test_no_delay),
		cmocka_unit_test(test_reservation),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_several_boot_times),
		cmocka_unit_test(test_invalid),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
