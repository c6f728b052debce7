/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Licenses of Slurm as pools of the library: jobs wait for them in its order, with
   reservations. */
#include "tests/unit/bridge_loop.h"

#include "plugins/slurm/bridge/known.h"

#define LICENSES 4

/* Four nodes, and four licenses "lic". */
static void start_cluster(void)
{
	four_nodes();
	fake_license("lic", LICENSES);
}

/* Submit a job of one processor that needs licenses. */
static job_record_t *submit(uint32_t minutes, uint32_t licenses)
{
	job_record_t *job = fake_job("all", minutes);

	fake_need(job, "lic", licenses);
	return job;
}

static struct lxfw_known_job *known_of(const job_record_t *job)
{
	return lxfw_table_find(&bridge.agent.jobs, lxfw_record_id(job));
}

static uint32_t used(void)
{
	uint32_t sum = 0;

	for (size_t i = 0; i < fake_active_count; i++) {
		const licenses_t *one = fake_active[i]->license_list ?
			list_peek(fake_active[i]->license_list) : NULL;

		sum += one ? one->total : 0;
	}
	return sum;
}

/* A stream of small jobs does not overtake a large one; those that end before its start do. */
static void stream(void **state)
{
	job_record_t *large, *longest, *brief;

	(void)state;
	start_cluster();
	submit(2, 1);
	longest = submit(5, 1);
	passes(&bridge);
	live(10);
	large = submit(1, LICENSES);
	live(1);
	assert_true(IS_JOB_PENDING(large));
	assert_int_equal(large->state_reason, WAIT_LICENSES);
	assert_int_equal(large->start_time, longest->end_time);
	for (int i = 0; i < 30; i++) {
		submit(10, 1);
		live(2);
		assert_int_equal(large->start_time, longest->end_time);
		assert_int_equal(used(), 2);
	}
	brief = submit(1, 2);
	live(1);
	assert_true(IS_JOB_RUNNING(brief));
	for (int i = 0; i < 300 && IS_JOB_PENDING(large); i++) {
		live(1);
		assert_true(used() <= LICENSES);
	}
	assert_true(IS_JOB_RUNNING(large));
	assert_true(large->start_time <= longest->end_time + 1);
	assert_int_equal(bridge.agent.total.refusals, 0);
}

/* A job without licenses uses the node meanwhile, for longer. */
static void nodes_are_not_held(void **state)
{
	job_record_t *large, *other;

	(void)state;
	start_cluster();
	submit(5, 2);
	passes(&bridge);
	large = submit(5, LICENSES);
	live(1);
	other = fake_job("all", 100);
	fake_tasks(other, 16, 1);
	live(1);
	assert_true(IS_JOB_PENDING(large));
	assert_true(IS_JOB_RUNNING(other));
}

/* A job has its licenses until its nodes are clean. No start is requested that Slurm refuses. */
static void cleaning(void **state)
{
	job_record_t *first, *next;

	(void)state;
	start_cluster();
	first = submit(5, 3);
	live(3);
	assert_true(IS_JOB_RUNNING(first));
	next = submit(5, 2);
	live(2);
	fake_end(first);
	first->job_state |= JOB_COMPLETING;
	fake_licenses_count();
	live(10);
	assert_true(IS_JOB_PENDING(next));
	assert_int_equal(bridge.agent.total.refusals, 0);
	assert_true(known_of(next)->reserved_start > time(NULL) &&
		    known_of(next)->reserved_start <= time(NULL) + 2);
	first->job_state &= ~(uint32_t)JOB_COMPLETING;
	fake_licenses_count();
	last_job_update = time(NULL);
	live(3);
	assert_true(IS_JOB_RUNNING(next));
}

/* The licenses of an advance reservation are not for others. */
static void reservation(void **state)
{
	slurmctld_resv_t resv = {
		.name = (char *)"r", .resv_id = 1, .start_time = NOW + 600,
		.end_time = NOW + 1200, .boot_time = 60,
	};
	job_record_t *brief, *longer;

	(void)state;
	start_cluster();
	fake_reserve_license(&resv, "lic", 3);
	list_append(resv_list, &resv);
	longer = submit(20, 2);
	brief = submit(9, 2);
	live(1);
	assert_true(IS_JOB_PENDING(brief));	/* not 9 minutes before the nodes may boot */
	assert_true(IS_JOB_PENDING(longer));
	assert_int_equal(brief->start_time, NOW + 1200);
	brief->time_limit = 8;
	last_job_update = time(NULL);
	live(1);
	assert_true(IS_JOB_RUNNING(brief));
	assert_int_equal(bridge.agent.total.refusals, 0);
	FREE_NULL_LIST(resv.license_list);
}

/* Slurm counts a use of which the library does not know. The job is tried less and less often,
   has no reservation that is due again and again, and delays no other job. */
static void refused(void **state)
{
	job_record_t *job, *other;
	uint64_t refusals;

	(void)state;
	start_cluster();
	fake_licenses_missing = 2;
	job = submit(5, 3);
	live(60);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(job->state_reason, WAIT_LICENSES);
	refusals = bridge.agent.total.refusals;
	assert_true(refusals > 0 && refusals < 10);
	other = submit(100, 2);
	live(30);
	assert_true(IS_JOB_RUNNING(other));
	fake_end(other);
	fake_licenses_missing = 0;
	last_license_update = time(NULL);
	live(31);
	assert_true(IS_JOB_RUNNING(job));
}

/* A job that Slurm starts by itself does not take what a reservation needs. */
static void leftovers(void **state)
{
	job_record_t *large, *left;

	(void)state;
	start_cluster();
	submit(5, 2);
	passes(&bridge);
	large = submit(5, LICENSES);
	live(1);
	left = submit(100, 1);
	left->details->contiguous = 1;
	live(40);
	assert_true(IS_JOB_PENDING(left));
	live(300);
	assert_true(IS_JOB_RUNNING(large));
	live(400);
	assert_true(IS_JOB_RUNNING(left));
}

/* A job with more kinds of licenses than a request has waits for Slurm's test, as one with a
   license that the cluster does not have. */
static void too_many_kinds(void **state)
{
	static const char *const names[] = { "a", "b", "c", "d" };
	job_record_t *first, *many;

	(void)state;
	start_cluster();
	for (int i = 0; i < 4; i++)
		fake_license(names[i], 1);
	first = submit(5, 1);
	fake_need(first, "d", 1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(first));
	many = submit(5, 1);
	for (int i = 0; i < 4; i++)
		fake_need(many, names[i], 1);
	live(2);
	assert_true(IS_JOB_PENDING(many));
	assert_int_equal(many->state_reason, WAIT_LICENSES);
	assert_true(!known_of(many) || known_of(many)->state == LXFW_KNOWN_NOT);
	fake_end(first);
	live(2);
	assert_true(IS_JOB_RUNNING(many));
}

/* Two licenses, of which one has too few at a time. */
static void two_kinds(void **state)
{
	job_record_t *job, *first, *second;

	(void)state;
	start_cluster();
	fake_license("other", 2);
	first = submit(3, 4);
	second = fake_job("all", 7);
	fake_need(second, "other", 2);
	live(1);
	assert_true(IS_JOB_RUNNING(first) && IS_JOB_RUNNING(second));
	job = submit(5, 1);
	fake_need(job, "other", 1);
	live(1);
	assert_int_equal(job->start_time, second->end_time);
	live(7 * 60);
	assert_true(IS_JOB_RUNNING(job));
}

/* The order in which a job names its licenses does not matter. */
static void kinds_in_any_order(void **state)
{
	static const char *const names[] = { "a", "b", "c" };

	(void)state;
	start_cluster();
	for (int i = 0; i < 3; i++)
		fake_license(names[i], 1);
	fake_need(fake_job("all", 5), "a", 1);
	live(1);
	for (int first = 0; first < 3; first++) {
		job_record_t *job = fake_job("all", 5);
		const struct lxfw_request *request;

		for (int i = 0; i < 3; i++)
			fake_need(job, names[first == 1 ? 2 - i : (i + first) % 3], 1);
		live(1);
		assert_true(IS_JOB_PENDING(job));
		assert_non_null(known_of(job));
		request = &known_of(job)->request;
		assert_int_equal(request->pool_count, 3);
		for (int i = 0; i < 3; i++)
			assert_true(request->pools[i].amount == 1 &&
				    (i == 0 || request->pools[i - 1].pool <
					       request->pools[i].pool));
	}
}

/* The site changes its licenses, and the operator those of a running job. */
static void changed(void **state)
{
	job_record_t *running, *job;

	(void)state;
	start_cluster();
	running = submit(50, 2);
	live(1);
	assert_true(IS_JOB_RUNNING(running));
	job = submit(5, 3);
	live(2);
	assert_true(IS_JOB_PENDING(job));
	fake_license("lic", 5);
	live(2);
	assert_true(IS_JOB_RUNNING(job));
	fake_end(job);
	job = submit(5, 4);
	live(2);
	assert_true(IS_JOB_PENDING(job));
	FREE_NULL_LIST(running->license_list);
	fake_need(running, "lic", 1);
	fake_licenses_count();
	last_job_update = time(NULL);
	live(2);
	assert_true(IS_JOB_RUNNING(job));
	fake_license("new", 1);
	live(3);
	assert_int_equal(bridge.agent.hosts.count, 6);
	fake_end(job);
	job = submit(5, 5);
	live(2);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(job->start_time, running->end_time);
	/* More than there are: it waits without a reservation, and is not passed to Slurm. */
	fake_license("lic", 4);
	live(3);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(known_of(job)->reserved_start, 0);
	assert_int_equal(bridge.leftover_count, 0);
}

/* The tasks of an array, and a job in two partitions. */
static void forms(void **state)
{
	job_record_t *array, *job;

	(void)state;
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	fake_part("some", 0, 1);
	fake_license("lic", LICENSES);
	array = submit(5, 2);
	fake_array(array, 1, 6, 0);
	job = fake_job("all,some", 5);
	fake_need(job, "lic", 1);
	live(1);
	assert_true(used() <= LICENSES);
	for (int i = 0; i < 1200 && fake_waiting() > 0; i++) {
		live(1);
		assert_true(used() <= LICENSES);
	}
	assert_int_equal(fake_waiting(), 0);
	assert_int_equal(fake_counts.starts, 7);
}

/* A policy that has no pools. */
static void without_pools(void **state)
{
	struct lxfw_params params;
	job_record_t *first, *second, *small;

	(void)state;
	lxfw_params_preset(&params, LXFW_POLICY_EQSPATIAL);
	lxfw_agent_set_params(&bridge.agent, &params);
	start_cluster();
	first = submit(5, 3);
	fake_adaptive(first, 1);
	live(1);
	assert_true(IS_JOB_RUNNING(first));
	second = submit(5, 2);
	small = submit(5, 1);
	live(2);
	assert_true(IS_JOB_PENDING(second));
	assert_int_equal(second->state_reason, WAIT_LICENSES);
	assert_true(IS_JOB_RUNNING(small));
	fake_end(first);
	live(2);
	assert_true(IS_JOB_RUNNING(second));
	assert_true(bridge.agent.total.rebuilds <= 1);	/* for the policy */
}

/* Ends a job, which has its licenses for a while. */
static void end_slowly(job_record_t *job)
{
	fake_end(job);
	job->job_state |= JOB_COMPLETING;
	fake_licenses_count();
}

static void clean(job_record_t *job)
{
	if (!job || !(job->job_state & JOB_COMPLETING))
		return;
	job->job_state &= ~(uint32_t)JOB_COMPLETING;
	fake_licenses_count();
	last_job_update = time(NULL);
}

/* Jobs come and go at random: the model knows what is in use, so that Slurm refuses no start. */
static void at_random(void **state)
{
	(void)state;
	start_cluster();
	fake_trouble.random = 7;
	for (int i = 0; i < 1500; i++) {
		if (fake_chance(3))
			(void)submit(1 + (uint32_t)(fake_random() % 9),
				     1 + (uint32_t)(fake_random() % LICENSES));
		if (fake_chance(5))
			(void)fake_job("all", 3);
		if (fake_chance(9) && fake_active_count > 0)
			end_slowly(fake_active[fake_random() % fake_active_count]);
		if (fake_chance(2))
			clean(fake_any_job());
		live(1);
		assert_true(used() <= LICENSES);
	}
	assert_int_equal(bridge.agent.total.refusals, 0);
	assert_true(fake_counts.starts > 200);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		LOOP(stream),
		LOOP(nodes_are_not_held),
		LOOP(cleaning),
		LOOP(reservation),
		LOOP(refused),
		LOOP(leftovers),
		LOOP(too_many_kinds),
		LOOP(two_kinds),
		LOOP(kinds_in_any_order),
		LOOP(changed),
		LOOP(forms),
		LOOP(without_pools),
		LOOP(at_random),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
