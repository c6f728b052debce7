/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EQspatial with rigid jobs, and with jobs that have a minimum of processors: scenes
   computed by hand, and random ones. */
#include "tests/unit/eq_scene.h"

static void submit_rigid(struct scene *scene, uint64_t id, int32_t procs,
			 int64_t estimate)
{
	struct lxfw_request job = request(id, scene->now, procs, 10, estimate);

	job.rigid = true;
	submit_request(scene, &job);
}

static void submit_least(struct scene *scene, uint64_t id, int32_t procs,
			 int32_t min_procs, int64_t estimate)
{
	struct lxfw_request job = request(id, scene->now, procs, 10, estimate);

	job.min_procs = min_procs;
	submit_request(scene, &job);
}

static void submit_wide(struct scene *scene, uint64_t id, int32_t hosts,
			int32_t procs, int64_t estimate)
{
	struct lxfw_request job = request(id, scene->now, procs, 10, estimate);

	job.rigid = true;
	job.count = hosts;
	submit_request(scene, &job);
}

/* --- room --------------------------------------------------------------- */

/* A rigid job gets free processors, and keeps them. */
static void test_rigid_keeps_its_request(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit_rigid(&scene, 1, 4, 100);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 1), 4);
	submit(&scene, 2, 16, 10, 100);
	decide(&scene, 1);
	assert_int_equal(started(&scene, 2), 12);
	submit(&scene, 3, 16, 10, 100);
	decide(&scene, 2);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(resized(&scene, 2), 6);
	assert_int_equal(started(&scene, 3), 6);
	end(&scene, 1);
	decide(&scene, 3);
	assert_int_equal(resized(&scene, 2), 8);
	assert_int_equal(resized(&scene, 3), 8);
	finish(&scene);
}

/* If it requests no more than another adaptive job would get, adaptive jobs shrink
 * first. */
static void test_room_for_an_equal_share(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit(&scene, 1, 16, 10, 100);
	decide(&scene, 0);
	submit_rigid(&scene, 2, 8, 100);
	decide(&scene, 1);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(scene.decision.actions[0].type, LXFW_ACTION_RESIZE);
	assert_int_equal(resized(&scene, 1), 8);
	assert_int_equal(started(&scene, 2), 8);
	end(&scene, 2);
	decide(&scene, 2);
	assert_int_equal(resized(&scene, 1), 16);
	finish(&scene);
}

/* If it requests more, they shrink when its reservation is due at the latest, by as
   much as they can. */
static void test_room_when_the_reservation_is_due(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit_least(&scene, 1, 16, 2, 100);
	decide(&scene, 0);
	submit_rigid(&scene, 2, 12, 100);
	decide(&scene, 10);
	assert_int_equal(scene.decision.count, 1);
	assert_int_equal(reserved(&scene, 2), 100);
	assert_int_equal(scene.decision.wake, 100);
	/* Job 1 does not end. */
	decide(&scene, 100);
	assert_int_equal(resized(&scene, 1), 4);
	assert_int_equal(started(&scene, 2), 12);
	finish(&scene);
}

/* Job 2 gets the processors of job 1 and ends before the start announced for job 3: at
 * 1050. */
static void test_reservation_moves_up_with_a_resize(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 8, 1000);
	submit(&scene, 1, 8, 10, 100);
	submit(&scene, 2, 8, 10, 1000);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 2), 4);
	submit_rigid(&scene, 3, 8, 100);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 3), 2000);
	end(&scene, 1);
	decide(&scene, 100);
	assert_int_equal(resized(&scene, 2), 8);
	/* The next pass takes the repartition into account. */
	decide(&scene, 101);
	assert_int_equal(reserved(&scene, 3), 1050);
	scene.now = 1050;
	end(&scene, 2);
	decide(&scene, 1050);
	assert_int_equal(started(&scene, 3), 8);
	finish(&scene);
}

/* Job 1 does not shrink below its minimum: at most 8 processors become free. */
static void test_no_room_beyond_the_minimum(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit_least(&scene, 1, 16, 8, 100);
	decide(&scene, 0);
	submit_rigid(&scene, 2, 9, 100);
	decide(&scene, 1);
	decide(&scene, 100);
	assert_false(starts(&scene, 2));
	assert_null(action_of(&scene, LXFW_ACTION_RESIZE, 1));
	end(&scene, 1);
	decide(&scene, 120);
	assert_int_equal(started(&scene, 2), 9);
	finish(&scene);
}

static void test_room_on_several_hosts(void **state)
{
	const struct lxfw_action *action;
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	for (int32_t i = 0; i < 3; i++) {
		host_with(&scene, i, 8, 1000);
		submit(&scene, (uint64_t)i + 1, 8, 10, 100);
	}
	decide(&scene, 0);
	submit_wide(&scene, 4, 3, 4, 100);
	decide(&scene, 1);
	for (uint64_t id = 1; id <= 3; id++)
		assert_int_equal(resized(&scene, id), 4);
	action = said(&scene, 4);
	assert_int_equal(action->type, LXFW_ACTION_START);
	assert_int_equal(action->count, 3);
	finish(&scene);
}

/* A host is repartitioned for a rigid job no more often than for others. */
static void test_room_when_the_host_is_due(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial,lxfw_eq_min_interval=100");
	host_with(&scene, 0, 16, 1000);
	submit(&scene, 1, 16, 10, 1000);
	submit(&scene, 2, 16, 10, 1000);
	decide(&scene, 0);
	submit(&scene, 3, 16, 10, 1000);
	decide(&scene, 20);	/* a repartition */
	assert_int_equal(started(&scene, 3), 5);
	submit_rigid(&scene, 4, 4, 100);
	decide(&scene, 30);
	assert_false(starts(&scene, 4));
	assert_int_equal(scene.decision.wake, 120);
	decide(&scene, 120);
	assert_int_equal(started(&scene, 4), 4);
	assert_int_equal(resized(&scene, 1), 4);
	finish(&scene);
}

/* Rigid jobs get processors in their order: 4 of 16 are an equal share for 6, 3 of 12
   for 5; for 4, which arrived first, 2 of 9 would be. */
static void test_room_in_order(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit(&scene, 1, 16, 10, 1000);
	submit(&scene, 2, 16, 10, 1000);
	decide(&scene, 0);
	submit(&scene, 3, 16, 10, 1000);
	decide(&scene, 20);
	for (int32_t tier = 0; tier < 3; tier++) {
		struct lxfw_request job = request(4 + (uint64_t)tier, 20,
						  tier == 2 ? 4 : 3, 10,
						  100 + tier);

		job.rigid = true;
		job.tier = tier;
		submit_request(&scene, &job);
	}
	decide(&scene, 120);
	assert_int_equal(started(&scene, 6), 4);
	assert_int_equal(started(&scene, 5), 3);
	assert_false(starts(&scene, 4));
	finish(&scene);
}

/* Job 3 requests an equal share, but would delay job 2. */
static void test_reservation_is_not_delayed(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit(&scene, 1, 16, 10, 100);
	decide(&scene, 0);
	submit_rigid(&scene, 2, 12, 100);
	decide(&scene, 1);
	assert_int_equal(reserved(&scene, 2), 100);
	submit_rigid(&scene, 3, 8, 200);
	decide(&scene, 2);
	assert_false(starts(&scene, 3));
	submit_rigid(&scene, 4, 8, 98);
	decide(&scene, 2);
	assert_int_equal(started(&scene, 4), 8);
	finish(&scene);
}

/* --- minimum of processors */

static void test_starts_on_at_least_its_minimum(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit_least(&scene, 1, 16, 6, 100);
	decide(&scene, 0);
	submit_least(&scene, 2, 16, 12, 100);
	decide(&scene, 1);
	says_nothing(&scene);
	submit_least(&scene, 3, 16, 2, 100);
	decide(&scene, 2);
	/* Job 2 was placed before it. */
	says_nothing(&scene);
	end(&scene, 1);
	decide(&scene, 3);
	assert_int_equal(started(&scene, 2), 12);
	assert_int_equal(started(&scene, 3), 4);
	finish(&scene);
}

/* Processors that an assigned job has below its minimum are not idle if others can use
 * them. */
static void test_releases_less_than_the_minimum(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit_least(&scene, 1, 10, 10, 100);
	submit_least(&scene, 2, 4, 1, 100);
	decide(&scene, 0);
	submit_least(&scene, 3, 16, 8, 100);	/* gets the 2 free processors */
	decide(&scene, 1);
	says_nothing(&scene);
	end(&scene, 2);
	decide(&scene, 2);
	says_nothing(&scene);
	submit_rigid(&scene, 4, 6, 100);
	decide(&scene, 3);
	assert_int_equal(started(&scene, 4), 6);
	end(&scene, 1);
	decide(&scene, 4);
	assert_int_equal(started(&scene, 3), 10);
	finish(&scene);
}

/*
 * Jobs 3 to 7 request 5 processors with a minimum of 4, job 8 requests 2. On a host of
 * 5, where job 1 is rigid:
 *
 *        0  1 2 2 . .	4 are not available: 2 stay idle
 *        2  1 2 2 . .	job 8 does not use them either: it is last
 *       10  2 3 3 3 3	a repartition; the next one may be at 110
 *       20  . 3 3 3 3	and does not happen earlier
 *      110  3 3 3 3 3
 */
static void test_gets_nothing_out_of_order(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial,lxfw_eq_min_interval=100");
	host_with(&scene, 0, 5, 1000);
	submit_rigid(&scene, 1, 1, 1000);
	submit(&scene, 2, 2, 10, 1000);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 2), 2);
	for (uint64_t id = 3; id <= 7; id++)
		submit_least(&scene, id, 5, 4, 1000);
	decide(&scene, 1);
	says_nothing(&scene);
	submit(&scene, 8, 2, 10, 1000);
	decide(&scene, 2);
	says_nothing(&scene);
	end(&scene, 1);
	decide(&scene, 10);
	assert_int_equal(scene.decision.count, 2);
	assert_int_equal(resized(&scene, 2), 1);
	assert_int_equal(started(&scene, 3), 4);
	end(&scene, 2);
	decide(&scene, 20);
	says_nothing(&scene);
	assert_int_equal(scene.decision.wake, 110);
	decide(&scene, 110);
	assert_int_equal(scene.decision.count, 1);
	assert_int_equal(resized(&scene, 3), 5);
	finish(&scene);
}

/* Such processors do not count in placement either. Of hosts with 4 and 3 processors,
   the first has fewer free ones, but job 3 waits for them. */
static void test_placed_where_no_job_waits(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 4, 1000);
	host_with(&scene, 1, 3, 1000);
	submit(&scene, 1, 2, 10, 1000);
	decide(&scene, 0);
	assert_int_equal(host_of(&scene, 1), 1);
	submit(&scene, 2, 2, 10, 1000);
	decide(&scene, 1);
	assert_int_equal(host_of(&scene, 2), 0);
	end(&scene, 1);
	submit_least(&scene, 3, 4, 4, 1000);
	decide(&scene, 2);
	says_nothing(&scene);
	submit(&scene, 4, 2, 10, 1000);
	decide(&scene, 3);
	assert_int_equal(host_of(&scene, 4), 1);
	assert_int_equal(started(&scene, 4), 2);
	finish(&scene);
}

/* --- jobs that others have started -------------------------------------- */

/* The adapter was restarted: an adaptive job is submitted, then reported as running. */
static void test_shares_with_a_reported_job(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit_least(&scene, 1, 16, 1, 100);
	told_to_run(&scene, 1, 0, 6, 10);
	decide(&scene, 0);
	assert_int_equal(resized(&scene, 1), 16);
	submit(&scene, 2, 16, 10, 100);
	told_to_run(&scene, 2, 0, 8, 10);
	/* A job of others that was not submitted here is left alone. */
	decide(&scene, 1);
	assert_int_equal(resized(&scene, 1), 8);
	assert_null(said(&scene, 2));
	finish(&scene);
}

/* The time since which it runs is known, so that it gets its full request when it has
 * run long enough. */
static void test_reported_with_its_run_time(void **state)
{
	const struct lxfw_share share = { .amount.procs = 4 };
	struct lxfw_event event = { .type = LXFW_EVENT_JOB_RUN };
	struct scene scene;

	(void)state;
	begin(&scene, "lxfw_policy=eqspatial,lxfw_eq_min_interval=0,lxfw_eq_full_after=100");
	host_with(&scene, 0, 16, 1000);
	scene.now = 1000;
	submit_least(&scene, 1, 16, 1, 500);
	event.run.id = 1;
	event.run.expected_end = 5000;
	event.run.count = 1;
	event.run.shares = &share;
	event.run.past = (struct lxfw_run_past){ .since = 910, .submit = 900 };
	apply(&scene, &event);
	submit(&scene, 2, 16, 10, 500);
	decide(&scene, 1000);
	assert_int_equal(resized(&scene, 1), 8);
	assert_int_equal(started(&scene, 2), 8);
	assert_int_equal(scene.decision.wake, 1010);
	decide(&scene, 1010);
	assert_int_equal(resized(&scene, 1), 15);
	assert_int_equal(resized(&scene, 2), 1);
	finish(&scene);
}

/* The deficit of a job that waited for memory was tracked relative to the others. */
static void test_reported_while_tracked(void **state)
{
	struct scene scene;

	(void)state;
	begin(&scene, EQ_0);
	host_with(&scene, 0, 16, 1000);
	submit(&scene, 9, 16, 900, 100);
	decide(&scene, 0);
	assert_int_equal(started(&scene, 9), 16);
	for (uint64_t id = 1; id <= 3; id++) {
		struct lxfw_request job = request(id, 0, 16, 300, 100);

		job.min_procs = 1;
		submit_request(&scene, &job);
	}
	decide(&scene, 0);
	says_nothing(&scene);
	told_to_run(&scene, 2, 0, 4, 100);
	decide(&scene, 1);
	assert_int_equal(resized(&scene, 9), 8);
	assert_int_equal(resized(&scene, 2), 8);
	end(&scene, 9);
	decide(&scene, 2);
	/* The other jobs catch up. */
	assert_int_equal(started(&scene, 1), 14);
	assert_int_equal(started(&scene, 3), 1);
	assert_int_equal(resized(&scene, 2), 1);
	for (uint64_t id = 1; id <= 3; id++)
		end(&scene, id);
	decide(&scene, 3);
	assert_int_equal(scene.decision.running, 0);
	finish(&scene);
}

/* --- random scenes */

#define JOBS 40
#define HOSTS 3
#define PROCS 16

struct any_job {
	struct lxfw_request request;
	bool running, ended;
	int32_t procs, host;	/* for one host */
	struct lxfw_share shares[HOSTS];
	int32_t count;
	int64_t until;		/* for a rigid job */
	int64_t work;		/* remaining processor-seconds of an adaptive job */
};

static int32_t used_on(const struct any_job *jobs, int32_t host, bool min_procs)
{
	int32_t used = 0;

	for (int i = 0; i < JOBS; i++) {
		for (int32_t j = 0; jobs[i].running && j < jobs[i].count; j++) {
			if (jobs[i].shares[j].host != host)
				continue;
			used += min_procs && !jobs[i].request.rigid ?
				jobs[i].request.min_procs :
				jobs[i].shares[j].amount.procs;
		}
	}
	return used;
}

static void take(struct scene *scene, struct any_job *jobs)
{
	for (size_t i = 0; i < scene->decision.count; i++) {
		const struct lxfw_action *action = &scene->decision.actions[i];
		struct any_job *job = &jobs[action->job - 1];
		int32_t procs = 0;

		if (action->type != LXFW_ACTION_START &&
		    action->type != LXFW_ACTION_RESIZE)
			continue;
		assert_int_equal(job->running,
				 action->type == LXFW_ACTION_RESIZE);
		job->running = true;
		job->count = action->count;
		for (int32_t j = 0; j < action->count; j++) {
			job->shares[j] = action->shares[j];
			procs += action->shares[j].amount.procs;
			/* In this order, no processors are ever allocated twice. */
			assert_true(used_on(jobs, action->shares[j].host,
					    false) <= PROCS);
		}
		job->procs = procs;
		if (job->request.rigid) {
			assert_int_equal(action->type, LXFW_ACTION_START);
			assert_int_equal(procs, job->request.unit.procs *
						job->request.count);
			job->until = scene->now + job->request.estimate;
		} else {
			assert_in_range(procs, job->request.min_procs,
					job->request.unit.procs);
		}
	}
}

/* Advance by one second. */
static int tick(struct scene *scene, struct any_job *jobs)
{
	int ended = 0;

	scene->now++;
	for (int i = 0; i < JOBS; i++) {
		struct any_job *job = &jobs[i];

		job->work -= job->running ? job->procs : 0;
		if (job->running &&
		    (job->request.rigid ? job->until <= scene->now :
					  job->work <= 0)) {
			job->running = false;
			job->ended = true;
			end(scene, job->request.id);
		}
		ended += job->ended;
	}
	return ended;
}

static void any_request(uint64_t *random, uint64_t id, struct any_job *job)
{
	int32_t procs = (int32_t)unit_between(random, 1, PROCS);

	job->request = request(id, 0, procs, 10,
			       (int64_t)unit_between(random, 1, 60));
	job->request.rigid = unit_between(random, 0, 1);
	if (job->request.rigid && unit_between(random, 0, 3) == 0)
		job->request.count = (int32_t)unit_between(random, 1, HOSTS);
	else if (!job->request.rigid)
		job->request.min_procs = (int32_t)unit_between(random, 1, procs);
	job->work = job->request.estimate * procs;
}

static void test_any(void **state)
{
	uint64_t random = unit_seed("rigid and adaptive");

	(void)state;
	for (int i = 0; i < 300; i++) {
		struct any_job jobs[JOBS] = { 0 };
		int submitted = 0, ended = 0;
		struct scene scene;
		char text[80];

		snprintf(text, sizeof(text),
			 "lxfw_policy=eqspatial,lxfw_eq_min_interval=%d,lxfw_reservations=%d",
			 (int)unit_between(&random, 0, 20),
			 (int)unit_between(&random, 1, 4));
		begin(&scene, text);
		for (int32_t host = 0; host < HOSTS; host++)
			host_with(&scene, host, PROCS, 100000);
		while (ended < JOBS) {
			while (submitted < JOBS &&
			       unit_between(&random, 0, 4) == 0) {
				struct any_job *job = &jobs[submitted++];

				any_request(&random, (uint64_t)submitted, job);
				job->request.submit = scene.now;
				submit_request(&scene, &job->request);
			}
			decide(&scene, scene.now);
			take(&scene, jobs);
			ended = tick(&scene, jobs);
			/* No job waits forever. */
			assert_true(scene.now < 20000);
		}
		finish(&scene);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rigid_keeps_its_request),
		cmocka_unit_test(test_room_for_an_equal_share),
		cmocka_unit_test(test_room_when_the_reservation_is_due),
		cmocka_unit_test(test_reservation_moves_up_with_a_resize),
		cmocka_unit_test(test_no_room_beyond_the_minimum),
		cmocka_unit_test(test_room_on_several_hosts),
		cmocka_unit_test(test_room_when_the_host_is_due),
		cmocka_unit_test(test_room_in_order),
		cmocka_unit_test(test_reservation_is_not_delayed),
		cmocka_unit_test(test_starts_on_at_least_its_minimum),
		cmocka_unit_test(test_releases_less_than_the_minimum),
		cmocka_unit_test(test_gets_nothing_out_of_order),
		cmocka_unit_test(test_placed_where_no_job_waits),
		cmocka_unit_test(test_shares_with_a_reported_job),
		cmocka_unit_test(test_reported_with_its_run_time),
		cmocka_unit_test(test_reported_while_tracked),
		cmocka_unit_test(test_any),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
