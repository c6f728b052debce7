/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Table 3: the effect of each weight on each job measure, tested by which job starts
 * first. Two jobs wait for a host of 10 processors and 1000 MB, which has room for one
 * of them only. The mean memory per processor is 100 MB unless a test says otherwise.
 */
#include "tests/unit/scene.h"

#define HOUR 3600
#define WEIGHTS(ww, wx, wp)                                                    \
	"lxfw_policy=priority,lxfw_ww=" #ww ",lxfw_wx=" #wx ",lxfw_wp=" #wp

/* The host is busy until the first decision. */
static void begin_busy(struct scene *scene, const char *params)
{
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };
	const int32_t hosts[] = { 0 };

	begin(scene, params);
	host_with(scene, 0, 10, 1000);
	event.host_set.count = 1;
	event.host_set.hosts = hosts;
	apply(scene, &event);
	submit(scene, 1, 10, 0, 1000000);
	decide(scene, 0);
	assert_true(starts(scene, 1));
}

static void add(struct scene *scene, uint64_t id, int64_t submit, int32_t procs,
		int64_t memory_mb, int64_t estimate)
{
	struct lxfw_request job =
		request(id, submit, procs, memory_mb, estimate);

	job.exclusive = true;
	job.host_set_count = 1;
	job.host_sets[0] = 0;
	submit_request(scene, &job);
}

/* Return which of the jobs 2 and 3 starts when the host is free. */
static uint64_t first_at(struct scene *scene, int64_t now)
{
	uint64_t first;

	scene->now = now;
	end(scene, 1);
	decide(scene, now);
	assert_true(starts(scene, 2) != starts(scene, 3));
	first = starts(scene, 2) ? 2 : 3;
	finish(scene);
	return first;
}

/* Job 2 has waited for three hours; job 3 was just submitted and has PROCS processors. */
static uint64_t first_by_wait(const char *params, int64_t estimate, int32_t procs)
{
	struct scene scene;

	begin_busy(&scene, params);
	add(&scene, 2, 0, 1, 0, estimate);
	scene.now = 3 * HOUR;
	add(&scene, 3, 3 * HOUR, procs, 0, estimate);
	return first_at(&scene, 3 * HOUR);
}

static void counts_hours_of_waiting(void **state)
{
	(void)state;
	/* 3 + 1 against 0 + PROCS */
	assert_int_equal(first_by_wait(WEIGHTS(1, 0, 1), HOUR, 3),
			 2);
	assert_int_equal(first_by_wait(WEIGHTS(1, 0, 1), HOUR, 5),
			 3);
	/* 2 * 3 + 1 */
	assert_int_equal(first_by_wait(WEIGHTS(2, 0, 1), HOUR, 6),
			 2);
	assert_int_equal(first_by_wait(WEIGHTS(2, 0, 1), HOUR, 8),
			 3);
}

static void counts_the_expansion_factor(void **state)
{
	(void)state;
	/* (3 + 1) / 1 + 1 = 5 against 1 + PROCS */
	assert_int_equal(first_by_wait(WEIGHTS(0, 1, 1), HOUR, 3),
			 2);
	assert_int_equal(first_by_wait(WEIGHTS(0, 1, 1), HOUR, 5),
			 3);
	/* (3 + 0.5) / 0.5 + 1 = 8 */
	assert_int_equal(first_by_wait(WEIGHTS(0, 1, 1),
				       HOUR / 2, 6), 2);
	assert_int_equal(first_by_wait(WEIGHTS(0, 1, 1),
				       HOUR / 2, 8), 3);
}

/* A job that has not waited has an expansion factor of one, whatever it requests. */
static void begins_at_one(void **state)
{
	struct scene scene;

	(void)state;
	begin_busy(&scene, WEIGHTS(0, 1, 0));
	add(&scene, 3, 0, 1, 0, HOUR);
	add(&scene, 2, 0, 1, 0, 100 * HOUR);
	assert_int_equal(first_at(&scene, 0), 2);	/* by id */
}

/* Job 2 requests 2 processors and 500 MB, job 3 requests PROCS and MEMORY. */
static uint64_t first_by_size(const char *params, int32_t procs,
			      int64_t memory_mb)
{
	struct scene scene;

	begin_busy(&scene, params);
	add(&scene, 2, 0, 2, 500, HOUR);
	add(&scene, 3, 0, procs, memory_mb, HOUR);
	return first_at(&scene, 0);
}

static void counts_processors_and_memory(void **state)
{
	(void)state;
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 1), 1, 600), 2);
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 1), 3, 0), 3);
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 0) ",lxfw_wm=1", 9, 400), 2);
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 0) ",lxfw_wm=1", 1, 600), 3);
	/* 2 + 5 = 7 */
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 1) ",lxfw_wm=1", 6, 0), 2);
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 1) ",lxfw_wm=1", 8, 0), 3);
	/* 2 + 2 * 5 = 12 */
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 1) ",lxfw_wm=2", 9, 100),
			 2);
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 1) ",lxfw_wm=2", 9, 200),
			 3);
}

/* max(Jp, Jm) of job 2 is 5, because of its memory. */
static void counts_the_greater_part(void **state)
{
	(void)state;
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 0) ",lxfw_wpe=1", 4, 400), 2);
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 0) ",lxfw_wpe=1", 4, 600), 3);
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 0) ",lxfw_wpe=1", 6, 0), 3);
	/* 2 + 2 * 5 = 12 against 3 * PROCS */
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 1) ",lxfw_wpe=2", 3, 0),
			 2);
	assert_int_equal(first_by_size(WEIGHTS(0, 0, 1) ",lxfw_wpe=2", 5, 0),
			 3);
}

/* All pieces of a job count. */
static void counts_all_pieces(void **state)
{
	struct lxfw_request job = request(3, 0, 1, 100, HOUR);
	struct scene scene;

	(void)state;
	job.shape = LXFW_SHAPE_ANYWHERE;
	job.count = 3;
	for (int by_memory = 0; by_memory < 2; by_memory++) {
		begin_busy(&scene, by_memory ? WEIGHTS(0, 0, 0) ",lxfw_wm=1" :
					       WEIGHTS(0, 0, 1));
		add(&scene, 2, 0, 2, 200, HOUR);
		submit_request(&scene, &job);
		assert_int_equal(first_at(&scene, 0), 3);
	}
}

/* --- the mean memory ---------------------------------------------------- */

/* Job 2 has 500 MB and 2 processors: 7 at 100 MB per processor. */
static void begin_mean(struct scene *scene)
{
	begin_busy(scene, WEIGHTS(0, 0, 1) ",lxfw_wm=1");
	add(scene, 2, 0, 2, 500, HOUR);
	add(scene, 3, 0, 5, 0, HOUR);
}

static void leaves_out_uncounted_memory(void **state)
{
	struct scene scene;

	(void)state;
	begin_mean(&scene);
	host_with(&scene, 1, 10, LXFW_MEMORY_UNLIMITED);
	host_with(&scene, 2, 10, INT64_MAX / 2);
	assert_int_equal(first_at(&scene, 0), 2);
	/* With the largest total that is counted, the memory of the job has almost no
	 * weight. */
	begin_mean(&scene);
	host_with(&scene, 1, 10, LXFW_MEMORY_UNLIMITED - 1);
	assert_int_equal(first_at(&scene, 0), 3);
}

static void takes_the_mean_over_all_hosts(void **state)
{
	struct scene scene;

	(void)state;
	/* 4000 MB over 20 processors: 2 + 2.5 */
	begin_mean(&scene);
	host_with(&scene, 1, 10, 3000);
	assert_int_equal(first_at(&scene, 0), 3);
	/* 3000 MB over 20: 2 + 3.33 */
	begin_mean(&scene);
	host_with(&scene, 1, 10, 2000);
	assert_int_equal(first_at(&scene, 0), 2);
	/* It is neither that of the first host nor that of the last. */
	begin_mean(&scene);
	host_with(&scene, 1, 10, 9000);
	host_with(&scene, 2, 80, 0);
	assert_int_equal(first_at(&scene, 0), 2);
}

/* Without memory, the memory of a job has no weight. */
static void knows_no_memory(void **state)
{
	struct scene scene;

	(void)state;
	begin_mean(&scene);
	host_with(&scene, 0, 10, LXFW_MEMORY_UNLIMITED);
	assert_int_equal(first_at(&scene, 0), 3);
	begin_busy(&scene, WEIGHTS(0, 0, 1) ",lxfw_wm=1");
	host_with(&scene, 0, 10, LXFW_MEMORY_UNLIMITED);
	add(&scene, 3, 0, 3, 900, HOUR);
	add(&scene, 2, 0, 4, 0, HOUR);
	assert_int_equal(first_at(&scene, 0), 2);
}

/* --- classes of equal requests ------------------------------------------ */

/*
 * Jobs with equal requests are evaluated together. Jobs 2 and 3 differ in one property
 * that keeps job 2 from starting. Job 3 must start nevertheless, and vice versa.
 */
static void judges_alike_only_what_is(struct lxfw_request unable,
				      struct lxfw_request able)
{
	for (int turn = 0; turn < 2; turn++) {
		struct scene scene;

		begin(&scene, "lxfw_policy=easy,lxfw_reservations=1000");
		host_with(&scene, 0, 4, 1000);	/* with 2 of extra 0 */
		host_with(&scene, 1, 4, 1000);
		submit(&scene, 1, 2, 0, 100);
		decide(&scene, 0);
		unable.id = turn ? 3 : 2;
		able.id = turn ? 2 : 3;
		submit_request(&scene, turn ? &able : &unable);
		submit_request(&scene, turn ? &unable : &able);
		decide(&scene, 0);
		assert_true(starts(&scene, able.id));
		assert_false(starts(&scene, unable.id));
		finish(&scene);
	}
}

static void distinguishes_classes(void **state)
{
	/* At 0 the hosts have 2 and 4 processors. */
	const struct lxfw_request job = request(0, 0, 1, 100, 50);
	struct lxfw_request other = job;

	(void)state;
	other.unit.extras[0] = 3;
	judges_alike_only_what_is(other, job);
	other = job;
	other.unit.extras[LXFW_EXTRAS_MAX - 1] = 1;
	judges_alike_only_what_is(other, job);
	other = job;
	other.unit.procs = 5;
	judges_alike_only_what_is(other, job);
	other = job;
	other.unit.memory_mb = 1001;
	judges_alike_only_what_is(other, job);
	other = job;
	other.count = 3;
	judges_alike_only_what_is(other, job);
}

static void distinguishes_shapes(void **state)
{
	struct lxfw_request job = request(0, 0, 2, 100, 50), other;

	(void)state;
	/* Three pieces of 2 fit, but there are not three hosts. */
	job.count = 3;
	job.shape = LXFW_SHAPE_ANYWHERE;
	other = job;
	other.shape = LXFW_SHAPE_HOSTS;
	judges_alike_only_what_is(other, job);
	other = job;
	other.max_hosts = 1;
	judges_alike_only_what_is(other, job);
	/* Two hosts, one of which has another job. */
	job = request(0, 0, 2, 100, 50);
	job.count = 2;
	other = job;
	other.exclusive = true;
	judges_alike_only_what_is(other, job);
}

static void distinguishes_host_sets(void **state)
{
	static const int32_t first[] = { 0 }, second[] = { 1 };
	struct lxfw_event event = { .type = LXFW_EVENT_HOST_SET };

	(void)state;
	for (int turn = 0; turn < 2; turn++) {
		struct lxfw_request job = request(2, 0, 4, 100, 50);
		struct scene scene;

		begin(&scene, "lxfw_policy=easy,lxfw_reservations=1000");
		host_with(&scene, 0, 4, 1000);
		host_with(&scene, 1, 4, 1000);
		event.host_set.id = 0;
		event.host_set.count = 1;
		event.host_set.hosts = first;
		apply(&scene, &event);
		event.host_set.id = 1;
		event.host_set.hosts = second;
		apply(&scene, &event);
		submit(&scene, 1, 1, 0, 100);
		decide(&scene, 0);
		assert_int_equal(host_of(&scene, 1), 0);
		job.host_set_count = 1;
		job.host_sets[0] = turn;
		submit_request(&scene, &job);
		job.id = 3;
		job.host_sets[0] = !turn;
		submit_request(&scene, &job);
		decide(&scene, 0);
		assert_int_equal(starts(&scene, 2), turn == 1);
		assert_int_equal(starts(&scene, 3), turn == 0);
		finish(&scene);
	}
}

/* A higher tier is served first if all else is equal, though the job of the other tier
 * was submitted first. */
static void distinguishes_tiers(void **state)
{
	struct lxfw_request job = request(3, 0, 10, 0, HOUR);
	struct scene scene;

	(void)state;
	begin_busy(&scene, WEIGHTS(0, 0, 0));
	submit(&scene, 2, 10, 0, HOUR);
	job.tier = 1;
	submit_request(&scene, &job);
	assert_int_equal(first_at(&scene, 0), 3);
}

/* Of jobs with equal properties the first submitted is served first, then the lower id,
   whatever the order of the events was. */
static void orders_a_class(void **state)
{
	static const uint64_t ids[] = { 4, 2, 5, 3, 6 };
	static const int64_t submits[] = { 5, 5, 1, 9, 5 };
	static const uint64_t order[] = { 5, 2, 4, 6, 3 };
	struct scene scene;

	(void)state;
	begin_busy(&scene, "lxfw_policy=easy");
	scene.now = 10;
	for (int i = 0; i < 5; i++) {
		struct lxfw_request job =
			request(ids[i], submits[i], 10, 0, 100);

		submit_request(&scene, &job);
	}
	end(&scene, 1);
	for (int i = 0; i < 5; i++) {
		decide(&scene, 10 + i);
		assert_int_equal(scene.decision.running, 1);
		assert_true(starts(&scene, order[i]));
		end(&scene, order[i]);
	}
	finish(&scene);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(counts_hours_of_waiting),
		cmocka_unit_test(counts_the_expansion_factor),
		cmocka_unit_test(begins_at_one),
		cmocka_unit_test(counts_processors_and_memory),
		cmocka_unit_test(counts_the_greater_part),
		cmocka_unit_test(counts_all_pieces),
		cmocka_unit_test(leaves_out_uncounted_memory),
		cmocka_unit_test(takes_the_mean_over_all_hosts),
		cmocka_unit_test(knows_no_memory),
		cmocka_unit_test(distinguishes_classes),
		cmocka_unit_test(distinguishes_shapes),
		cmocka_unit_test(distinguishes_host_sets),
		cmocka_unit_test(distinguishes_tiers),
		cmocka_unit_test(orders_a_class),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
