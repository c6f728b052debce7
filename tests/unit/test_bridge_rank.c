/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What Slurm's priorities, nice values and priorities set by hand do to the order. */
#include "tests/unit/unit.h"

#include <string.h>

#include "plugins/agent/table.h"
#include "plugins/slurm/bridge/known.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000
#define PROCS 16

static struct lxfw_bridge bridge;

/* One node, which a job fills, under these parameters. */
static job_record_t *full_node(const char *params)
{
	struct lxfw_params parsed;
	const char *journal;
	int length;
	job_record_t *job;

	assert_int_equal(lxfw_params_parse(&parsed, params, &journal, &length, NULL), 0);
	fake_start(NOW, true);
	memset(&bridge, 0, sizeof(bridge));
	lxfw_bridge_init(&bridge, &parsed);
	fake_nodes("n", 1, PROCS, 32000, 0);
	fake_nodes_done();
	fake_part("all", 0, 0);
	passes(&bridge);
	job = fake_job("all", 60);
	fake_tasks(job, PROCS, 1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	return job;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

/* A job that needs the whole node, a second after the one before. */
static job_record_t *wait_with(uint32_t priority)
{
	job_record_t *job;

	fake_pass_seconds(1);
	job = fake_job("all", 60);
	fake_tasks(job, PROCS, 1);
	job->priority = priority;
	return job;
}

static void set_by_hand(job_record_t *job, uint32_t priority)
{
	job->priority = priority;
	job->direct_set_prio = 1;
	last_job_update = time(NULL);
}

/* The running job ends, and this one starts. */
static void expect_next(job_record_t **running, job_record_t *next)
{
	fake_pass_seconds(1);
	passes(&bridge);
	fake_end(*running);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(next));
	*running = next;
}

static const struct lxfw_known_job *known(const job_record_t *job)
{
	const struct lxfw_known_job *found =
		lxfw_table_find(&bridge.agent.jobs, lxfw_record_id(job));

	assert_non_null(found);
	return found;
}

/* --- the order is Slurm's --------------------------------------------------------- */

static void site_starts_by_priority(void **state)
{
	job_record_t *running = full_node("lxfw_policy=site");
	job_record_t *low = wait_with(1000), *high = wait_with(3000);
	job_record_t *between = wait_with(2000), *nice = wait_with(1500);

	(void)state;
	/* Slurm's priority contains nice values. */
	nice->details->nice = NICE_OFFSET + 100000;
	expect_next(&running, high);
	assert_int_equal(known(nice)->delay, 0);
	/* A priority that changes counts from the next look. */
	between->priority = 900;
	last_job_update = time(NULL);
	expect_next(&running, nice);
	expect_next(&running, low);
	expect_next(&running, between);
}

/* A job that the model does not represent. */
static job_record_t *offered_with(uint32_t priority)
{
	job_record_t *job = wait_with(priority);

	job->details->contiguous = 1;
	return job;
}

/* Holds of jobs that are passed to Slurm follow its order, too. */
static void site_orders_holds(void **state)
{
	job_record_t *running = full_node("lxfw_policy=site");
	job_record_t *oldest = offered_with(1000), *reserved = wait_with(2000);
	job_record_t *high = offered_with(4000), *between = offered_with(3000);

	(void)state;
	for (int i = 0; i < 100 && bridge.holds.count < 3; i++) {
		fake_pass_seconds(10);
		passes(&bridge);
	}
	assert_int_equal(bridge.holds.count, 3);
	assert_int_equal(bridge.holds.hold[0].job_id, high->job_id);
	assert_int_equal(bridge.holds.hold[1].job_id, between->job_id);
	assert_int_equal(bridge.holds.hold[2].job_id, oldest->job_id);
	assert_int_equal(bridge.holds.hold[0].start, running->end_time);
	assert_true(known(reserved)->reserved_start >= bridge.holds.hold[1].end);
	fake_end(running);
	for (int i = 0; i < 100 && IS_JOB_PENDING(high); i++) {
		fake_pass_seconds(1);
		passes(&bridge);
	}
	assert_true(IS_JOB_RUNNING(high));
	assert_true(IS_JOB_PENDING(reserved));
}

static void a_weight_of_the_priority_counts(void **state)
{
	job_record_t *running = full_node("lxfw_policy=lxfw,lxfw_wsite=100");
	job_record_t *low = wait_with(1000), *high = wait_with(30000);

	(void)state;
	expect_next(&running, high);
	expect_next(&running, low);
}

static void without_a_weight_it_does_not(void **state)
{
	job_record_t *running = full_node("lxfw_policy=lxfw");
	job_record_t *low = wait_with(1000), *high = wait_with(30000);

	(void)state;
	expect_next(&running, low);
	assert_int_equal(known(high)->priority, 0);
	expect_next(&running, high);
}

static void tasks_have_the_priority_of_their_array(void **state)
{
	job_record_t *running = full_node("lxfw_policy=site");
	job_record_t *plain = wait_with(1000), *array = wait_with(2000);
	uint32_t id = array->job_id;

	(void)state;
	fake_array(array, 1, 2, 0);
	expect_next(&running, fake_task(id, 1) ? fake_task(id, 1) : array);
	assert_true(IS_JOB_PENDING(plain));
}

/* --- several partitions ------------------------------------------------------------ */

static job_record_t *in_parts(const char *parts)
{
	job_record_t *job = fake_job(parts, 60);

	fake_tasks(job, PROCS, 1);
	passes(&bridge);
	return job;
}

static const char *part_of(const job_record_t *job, int i)
{
	return lxfw_place(&lxfw_own_of((struct lxfw_known_job *)known(job))->places, i)->part;
}

/* A job that waits in a partition of a high tier does not precede others in a partition of
   a low one, but starts there if there is room. */
static void a_tier_is_that_of_its_partition(void **state)
{
	job_record_t *first[2], *both[2], *low[2];

	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	fake_nodes("n", 2, PROCS, 32000, 0);
	fake_nodes_done();
	fake_part("high", 0, 0)->priority_tier = 2;
	fake_part("low", 1, 1);
	passes(&bridge);
	first[0] = in_parts("high");
	first[1] = fake_job("low", 1);
	fake_tasks(first[1], PROCS, 1);
	passes(&bridge);
	for (int i = 0; i < 2; i++) {
		assert_true(IS_JOB_RUNNING(first[i]));
		fake_pass_seconds(1);
		low[i] = fake_job("low", 1);
		fake_tasks(low[i], PROCS, 1);
	}
	fake_pass_seconds(1);
	both[0] = in_parts("low,high");
	both[1] = in_parts("high,low");
	for (int i = 0; i < 2; i++) {
		assert_int_equal(known(both[i])->request.tier, 6);
		assert_int_equal(known(both[i])->request.host_set_count, 1);
	}
	passes_for(&bridge, 60);
	assert_true(IS_JOB_RUNNING(low[0]));
	passes_for(&bridge, 60);
	assert_true(IS_JOB_RUNNING(low[1]));
	assert_true(IS_JOB_PENDING(both[0]) && IS_JOB_PENDING(both[1]));
	passes_for(&bridge, 100);
	assert_true(IS_JOB_RUNNING(both[0]));
	assert_string_equal(both[0]->part_ptr->name, "low");
	assert_true(IS_JOB_PENDING(both[1]));
}

static void partitions_are_tried_in_the_order_of_slurm(void **state)
{
	job_record_t *job, *tiers;
	part_record_t *part;

	(void)state;
	(void)full_node("lxfw_policy=site");
	fake_part("low", 0, 0)->priority_job_factor = 200;
	fake_part("high", 0, 0)->priority_job_factor = 5000;
	part = fake_part("tier", 0, 0);
	part->priority_job_factor = 10;
	part->priority_tier = 2;
	job = in_parts("low,all,high");
	assert_int_equal(known(job)->request.host_set_count, 3);
	assert_string_equal(part_of(job, 0), "high");
	assert_string_equal(part_of(job, 1), "all");
	assert_string_equal(part_of(job, 2), "low");
	assert_int_equal(known(job)->priority, 5000);
	assert_int_equal(job->priority, 5000);
	/* Within the highest tier, since tiers come before priorities. */
	tiers = in_parts("high,tier");
	assert_string_equal(part_of(tiers, 0), "tier");
	assert_int_equal(known(tiers)->request.tier, 6);
	assert_int_equal(known(tiers)->priority, 10);
	tiers = in_parts("tier,high");
	assert_string_equal(part_of(tiers, 0), "tier");
	assert_int_equal(known(tiers)->priority, 10);
	assert_int_equal(tiers->priority, 10);
}

/* --- by hand ------------------------------------------------------------------------ */

static void nice_delays(void **state)
{
	job_record_t *running = full_node("lxfw_policy=fcfs");
	job_record_t *first = wait_with(1000), *second = wait_with(1000);
	job_record_t *third = wait_with(1000);

	(void)state;
	first->details->nice = NICE_OFFSET + 100;
	third->details->nice = NICE_OFFSET - 100;
	expect_next(&running, third);
	assert_int_equal(known(first)->delay, 100);
	expect_next(&running, second);
	expect_next(&running, first);
}

/* With enable_user_top, a user's job moves before the user's others only: it gets a
   negative value, and they get positive ones. */
static void users_set_no_negative_nice(void **state)
{
	job_record_t *running = full_node("lxfw_policy=fcfs");
	job_record_t *other_user = wait_with(1000), *others = wait_with(1000);
	job_record_t *top = wait_with(1000);

	(void)state;
	bridge.user_top = true;
	top->details->nice = 0;
	others->details->nice = UINT32_MAX;
	expect_next(&running, other_user);
	expect_next(&running, top);
	expect_next(&running, others);
	bridge.user_top = false;
}

static void the_largest_nice_values_are_valid(void **state)
{
	job_record_t *running = full_node("lxfw_policy=lxfw");
	job_record_t *last = wait_with(1000), *second = wait_with(1000);
	job_record_t *first = wait_with(1000);

	(void)state;
	last->details->nice = UINT32_MAX;
	first->details->nice = 0;
	expect_next(&running, first);
	expect_next(&running, second);
	expect_next(&running, last);
}

static void a_priority_set_by_hand_is_first_or_last(void **state)
{
	job_record_t *running = full_node("lxfw_policy=fcfs");
	job_record_t *bottom = wait_with(1000), *among = wait_with(1000);
	job_record_t *computed = wait_with(1000), *other = wait_with(2000);
	job_record_t *top = wait_with(1000), *held = wait_with(0);

	(void)state;
	set_by_hand(bottom, 999);
	set_by_hand(among, 2000);	/* no more than the largest */
	set_by_hand(top, 2001);
	set_by_hand(held, 0);
	expect_next(&running, top);
	assert_int_equal(known(bottom)->request.tier, 2);
	assert_int_equal(known(among)->request.tier, 3);
	/* Released, it has a computed priority again. */
	bottom->direct_set_prio = 0;
	last_job_update = time(NULL);
	expect_next(&running, bottom);
	expect_next(&running, among);
	expect_next(&running, computed);
	expect_next(&running, other);
	assert_true(IS_JOB_PENDING(held));
}

static void a_tier_precedes_what_is_set_by_hand(void **state)
{
	job_record_t *running = full_node("lxfw_policy=fcfs");
	job_record_t *top = wait_with(1000), *plain = wait_with(1000), *tier;

	(void)state;
	fake_part("tier", 0, 0)->priority_tier = 2;
	tier = in_parts("tier");
	set_by_hand(top, 5000);
	set_by_hand(tier, 1);
	expect_next(&running, tier);
	expect_next(&running, top);
	expect_next(&running, plain);
}

static void priorities_by_hand_alone_mean_nothing(void **state)
{
	job_record_t *running = full_node("lxfw_policy=fcfs");
	job_record_t *first = wait_with(1000), *second = wait_with(1000);

	(void)state;
	set_by_hand(first, 10);
	set_by_hand(second, 20);
	expect_next(&running, first);
	assert_int_equal(known(second)->request.tier, 3);
	expect_next(&running, second);
}

static void under_site_it_is_one_of_the_priorities(void **state)
{
	job_record_t *running = full_node("lxfw_policy=site");
	job_record_t *plain = wait_with(1000), *top = wait_with(1000);

	(void)state;
	set_by_hand(top, 2000);
	expect_next(&running, top);
	expect_next(&running, plain);
}

#define TEST(name) cmocka_unit_test_teardown(name, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(site_starts_by_priority),
		TEST(site_orders_holds),
		TEST(a_weight_of_the_priority_counts),
		TEST(without_a_weight_it_does_not),
		TEST(tasks_have_the_priority_of_their_array),
		TEST(a_tier_is_that_of_its_partition),
		TEST(partitions_are_tried_in_the_order_of_slurm),
		TEST(nice_delays),
		TEST(users_set_no_negative_nice),
		TEST(the_largest_nice_values_are_valid),
		TEST(a_priority_set_by_hand_is_first_or_last),
		TEST(a_tier_precedes_what_is_set_by_hand),
		TEST(priorities_by_hand_alone_mean_nothing),
		TEST(under_site_it_is_one_of_the_priorities),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
