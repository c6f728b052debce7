/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Validation of events: for each field, the last value that is accepted and the first
 * that is not. A refused event changes nothing.
 */
#include "tests/unit/scene.h"

#include "common/books/check.h"

/* One host of 4 processors, a host set with it, and running job 9. */
static void begin_small(struct scene *scene)
{
	const int32_t hosts[] = { 0 };
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };

	begin(scene, "lxfw_policy=easy");
	host_with(scene, 0, 4, 1000);
	host_with(scene, 1, 4, 1000);
	event.host_set.count = 1;
	event.host_set.hosts = hosts;
	apply(scene, &event);
}

static bool is_taken(struct scene *scene, const struct lxfw_request *job)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT,
		.request = job,
	};
	struct lxfw_error error;

	event.time = scene->now;
	errno = 0;
	if (lxfw_sched_apply(scene->sched, &event, &error) < 0) {
		assert_int_equal(errno, EINVAL);
		assert_non_null(strstr(error.text, "malformed request of job "));
		return false;
	}
	end(scene, job->id);
	return true;
}

#define TAKEN(field, value)                                                    \
	do {                                                                   \
		struct lxfw_request job = good;                                \
		job.field = (value);                                           \
		if (!is_taken(&scene, &job))                                   \
			fail_msg("refused: " #field " = " #value);             \
	} while (0)

#define NOT_TAKEN(field, value)                                                \
	do {                                                                   \
		struct lxfw_request job = good;                                \
		job.field = (value);                                           \
		if (is_taken(&scene, &job))                                    \
			fail_msg("taken: " #field " = " #value);               \
	} while (0)

static void bounds_each_field(void **state)
{
	struct lxfw_request good = request(7, 0, 2, 10, 60);
	struct scene scene;

	(void)state;
	begin_small(&scene);
	NOT_TAKEN(id, 0);
	TAKEN(id, 1);
	TAKEN(id, UINT64_MAX);
	TAKEN(estimate, 1);
	NOT_TAKEN(estimate, 0);
	NOT_TAKEN(estimate, -1);
	TAKEN(estimate, LXFW_TIME_MAX);
	NOT_TAKEN(estimate, LXFW_TIME_MAX + 1);
	TAKEN(submit, -LXFW_TIME_MAX);
	TAKEN(submit, LXFW_TIME_MAX);
	NOT_TAKEN(submit, -LXFW_TIME_MAX - 1);
	NOT_TAKEN(submit, LXFW_TIME_MAX + 1);
	TAKEN(count, 1);
	NOT_TAKEN(count, 0);
	NOT_TAKEN(count, -1);
	TAKEN(max_hosts, 0);
	TAKEN(max_hosts, 1);
	NOT_TAKEN(max_hosts, -1);
	TAKEN(unit.procs, 1);
	NOT_TAKEN(unit.procs, 0);
	TAKEN(unit.memory_mb, 0);
	NOT_TAKEN(unit.memory_mb, -1);
	TAKEN(unit.memory_mb, LXFW_MEMORY_UNLIMITED - 1);
	NOT_TAKEN(unit.memory_mb, LXFW_MEMORY_UNLIMITED);
	TAKEN(shape, LXFW_SHAPE_HOSTS);
	TAKEN(shape, LXFW_SHAPE_ANYWHERE);
	NOT_TAKEN(shape, 0);
	NOT_TAKEN(shape, LXFW_SHAPE_ANYWHERE + 1);
	NOT_TAKEN(unit.extras[0], -1);
	NOT_TAKEN(unit.extras[LXFW_EXTRAS_MAX - 1], -1);
	TAKEN(unit.extras[LXFW_EXTRAS_MAX - 1], INT32_MAX);
	finish(&scene);
}

/* No amount in the model overflows, neither of one job nor in a sum over jobs. */
static void bounds_products(void **state)
{
	struct lxfw_request good = request(7, 0, 1, 10, 60);
	struct scene scene;

	(void)state;
	begin_small(&scene);
	TAKEN(count, INT32_MAX);
	TAKEN(unit.procs, INT32_MAX);
	good.count = 65536;
	TAKEN(unit.procs, 32767);
	NOT_TAKEN(unit.procs, 32768);
	NOT_TAKEN(unit.procs, 65536);		/* 2^32 is 0 in 32 bits */
	TAKEN(unit.extras[0], 32767);
	NOT_TAKEN(unit.extras[0], 32768);
	NOT_TAKEN(unit.extras[LXFW_EXTRAS_MAX - 1], 65536);
	/* A job may request at most a quarter of the representable range in total. */
	good.count = 1 << 12;
	TAKEN(unit.memory_mb, INT64_MAX / 4 / (1 << 12));
	NOT_TAKEN(unit.memory_mb, INT64_MAX / 4 / (1 << 12) + 1);
	finish(&scene);
}

static void bounds_what_eqspatial_takes(void **state)
{
	struct lxfw_request good = request(7, 0, 2, 10, 60);
	struct scene scene;

	(void)state;
	begin_small(&scene);
	TAKEN(min_procs, 0);
	TAKEN(min_procs, 2);
	NOT_TAKEN(min_procs, -1);
	NOT_TAKEN(min_procs, 3);
	good.rigid = true;
	TAKEN(min_procs, 0);
	NOT_TAKEN(min_procs, 1);
	finish(&scene);
}

static void knows_host_sets(void **state)
{
	struct lxfw_request good = request(7, 0, 2, 10, 60);
	struct scene scene;

	(void)state;
	begin_small(&scene);
	TAKEN(host_set_count, LXFW_HOST_SETS_MAX);
	NOT_TAKEN(host_set_count, LXFW_HOST_SETS_MAX + 1);
	good.host_set_count = 1;
	TAKEN(host_sets[0], 0);
	NOT_TAKEN(host_sets[0], 1);
	NOT_TAKEN(host_sets[0], -1);
	good.host_set_count = 2;
	TAKEN(host_sets[1], 0);
	NOT_TAKEN(host_sets[0], 1);
	NOT_TAKEN(host_sets[1], 1);
	/* Elements beyond their number are ignored. */
	TAKEN(host_sets[2], 77);
	finish(&scene);
}

/* --- shares ------------------------------------------------------------- */

static bool runs_on(struct scene *scene, const struct lxfw_share *shares,
		    int32_t count)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { .id = 5, .expected_end = 100, .count = count,
			 .shares = shares },
	};
	struct lxfw_error error;

	if (lxfw_sched_apply(scene->sched, &event, &error) < 0)
		return false;
	end(scene, 5);
	return true;
}

static void takes_each_host_once(void **state)
{
	struct lxfw_share on_both[] = { { .host = 0, .amount = { .procs = 1 } },
					{ .host = 1, .amount = { .procs = 1 } } };
	struct lxfw_share twice[] = { { .host = 1, .amount = { .procs = 1 } },
				      { .host = 1, .amount = { .procs = 1 } } };
	struct lxfw_share falling[] = { { .host = 1, .amount = { .procs = 1 } },
					{ .host = 0, .amount = { .procs = 1 } } };
	struct scene scene;

	(void)state;
	begin_small(&scene);
	assert_true(runs_on(&scene, on_both, 2));
	assert_true(runs_on(&scene, on_both, 1));
	assert_true(runs_on(&scene, on_both, 0));
	assert_false(runs_on(&scene, on_both, -1));
	assert_false(runs_on(&scene, twice, 2));
	assert_false(runs_on(&scene, falling, 2));
	/* A refused event has changed nothing in the model. */
	submit(&scene, 1, 4, 1000, 10);
	submit(&scene, 2, 4, 1000, 10);
	decide(&scene, 0);
	assert_true(starts(&scene, 1) && starts(&scene, 2));
	finish(&scene);
}

static void takes_no_strange_share(void **state)
{
	struct lxfw_share share = { .host = 0, .amount = { .procs = 0 } };
	struct scene scene;

	(void)state;
	begin_small(&scene);
	assert_true(runs_on(&scene, &share, 1));	/* suspended */
	share.amount.procs = -1;
	assert_false(runs_on(&scene, &share, 1));
	share.amount.procs = 1;
	share.amount.memory_mb = -1;
	assert_false(runs_on(&scene, &share, 1));
	share.amount.memory_mb = 0;
	share.host = -1;
	assert_false(runs_on(&scene, &share, 1));
	share.host = 2;
	assert_false(runs_on(&scene, &share, 1));
	share.host = 1;
	assert_true(runs_on(&scene, &share, 1));
	finish(&scene);
}

/* --- times -------------------------------------------------------------- */

static void bounds_times(void **state)
{
	struct lxfw_share share = { .host = 0, .amount = { .procs = 1 } };
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_RUN,
		.run = { .id = 5, .count = 1, .shares = &share },
	};
	struct scene scene;

	(void)state;
	assert_true(lxfw_is_time(LXFW_TIME_MAX));
	assert_true(lxfw_is_time(-LXFW_TIME_MAX));
	assert_false(lxfw_is_time(LXFW_TIME_MAX + 1));
	assert_false(lxfw_is_time(-LXFW_TIME_MAX - 1));
	begin_small(&scene);
	event.run.expected_end = LXFW_TIME_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.expected_end = LXFW_NEVER;
	apply(&scene, &event);
	event.run.past.since = LXFW_TIME_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past.since = 0;
	event.run.past.submit = LXFW_TIME_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past.submit = 0;
	event.run.past.ran = LXFW_TIME_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past.ran = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past = (struct lxfw_run_past){ .suspensions = -1 };
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past.suspensions = (int64_t)LXFW_SUSPENSIONS_UNKNOWN + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past = (struct lxfw_run_past){ .suspended = -1 };
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past.suspended = LXFW_TIME_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.run.past.suspended = 0;
	event.run.id = 0;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event = (struct lxfw_event){ .type = LXFW_EVENT_JOB_REFUSED };
	event.refused.id = 5;
	event.refused.until = LXFW_TIME_MAX + 1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	scene.now = LXFW_TIME_MAX + 1;
	event = (struct lxfw_event){ .type = LXFW_EVENT_JOB_END };
	event.end.id = 5;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	scene.now = 0;
	apply(&scene, &event);
	finish(&scene);
}

/* --- hosts and host sets ------------------------------------------------ */

static void knows_the_next_host(void **state)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST };
	struct scene scene;

	(void)state;
	begin_small(&scene);
	event.host.index = 3;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host.index = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host.index = 2;
	event.host.total.procs = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host.total.procs = 0;
	event.host.total.memory_mb = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host.total.memory_mb = 0;
	apply(&scene, &event);
	finish(&scene);
}

static void knows_the_next_host_set(void **state)
{
	int32_t hosts[] = { 0, 1 };
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };
	struct lxfw_request on_set = request(1, 0, 1, 0, 10);
	struct scene scene;

	(void)state;
	begin_small(&scene);
	event.host_set.hosts = hosts;
	event.host_set.id = 2;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host_set.id = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host_set.id = 1;
	event.host_set.count = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host_set.count = 2;
	hosts[1] = 2;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	hosts[1] = -1;
	assert_int_equal(refuse_to_apply(&scene, &event), EINVAL);
	event.host_set.count = 0;	/* an empty host set is valid too */
	apply(&scene, &event);
	on_set.host_set_count = 1;
	on_set.host_sets[0] = 1;
	submit_request(&scene, &on_set);
	decide(&scene, 0);
	assert_false(starts(&scene, 1));
	assert_int_equal(reserved(&scene, 1), -1);
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bounds_each_field),
		cmocka_unit_test(bounds_products),
		cmocka_unit_test(bounds_what_eqspatial_takes),
		cmocka_unit_test(knows_host_sets),
		cmocka_unit_test(takes_each_host_once),
		cmocka_unit_test(takes_no_strange_share),
		cmocka_unit_test(bounds_times),
		cmocka_unit_test(knows_the_next_host),
		cmocka_unit_test(knows_the_next_host_set),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
