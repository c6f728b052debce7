/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Components of heterogeneous jobs: limits and licenses that permit each of them, but not
   all together. */
#include "plugins/slurm/bridge/left.h"
#include "tests/unit/bridge_pass.h"
#include "tests/unit/unit.h"

#define NOW 1700000000
#define COUNT 2
#define MOST 3

static struct lxfw_bridge bridge;

static job_record_t *parts[MOST];

/* Four nodes of 16 processors, in a partition "all". */
static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	fake_nodes("n", 4, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, 3);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	assert_int_equal(fake_limits.kept_counts, 0);
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	slurm_conf.preempt_mode = PREEMPT_MODE_OFF;
	return 0;
}

/* Submits a heterogeneous job of components of this many tasks in partition PART. */
static void submit_many(const char *part, uint32_t tasks, int count)
{
	for (int i = 0; i < count; i++) {
		parts[i] = fake_job(part, 10);
		fake_tasks(parts[i], tasks, 1);
		fake_account(parts[i]);
		parts[i]->het_job_id = parts[0]->job_id;
		parts[i]->het_job_offset = (uint32_t)i;
	}
	parts[0]->het_job_list = list_create(NULL);
	for (int i = 0; i < count; i++)
		list_append(parts[0]->het_job_list, parts[i]);
}

static void submit(const char *part, uint32_t tasks)
{
	submit_many(part, tasks, COUNT);
}

static void expect_running(void)
{
	for (int i = 0; i < COUNT; i++)
		assert_true(IS_JOB_RUNNING(parts[i]));
}

/* No component has been started, and none counts as running. */
static void expect_pending(enum job_state_reason reason)
{
	for (int i = 0; i < COUNT; i++) {
		assert_true(IS_JOB_PENDING(parts[i]));
		assert_in_range(parts[i]->details->begin_time, 0, NOW);
	}
	assert_int_equal(fake_counts.starts, 0);
	assert_int_equal(parts[0]->state_reason, WAIT_RESOURCES);
	assert_int_equal(parts[1]->state_reason, reason);
	assert_true(fake_counts_no_job());
}

static void start_together(void **state)
{
	(void)state;
	submit("all", 6);
	passes(&bridge);
	expect_running();
	assert_false(bit_overlap_any(parts[0]->node_bitmap, parts[1]->node_bitmap));
}

/* Slurm does not choose other nodes for a component with -N1-4, as it does for other
   jobs. */
static void keep_to_their_nodes(void **state)
{
	(void)state;
	submit("all", 6);
	for (int i = 0; i < COUNT; i++)
		fake_node_count(parts[i], 1, 4);
	passes(&bridge);
	expect_running();
	assert_int_equal(fake_counts.choice, 1);
}

/* Components that were requeued start again while another one runs. */
static void rest_starts_together(void **state)
{
	(void)state;
	submit_many("all", 16, MOST);
	passes(&bridge);
	for (int i = 0; i < MOST; i++)
		assert_true(IS_JOB_RUNNING(parts[i]));
	for (int i = 1; i < MOST; i++)
		fake_requeue(parts[i]);
	passes_for(&bridge, 150);
	for (int i = 0; i < MOST; i++)
		assert_true(IS_JOB_RUNNING(parts[i]));
	assert_int_equal(parts[1]->start_time, parts[2]->start_time);
	assert_false(bridge.agent.rebuild);
}

/* A component starts alone if the others have ended. */
static void last_one_starts_alone(void **state)
{
	(void)state;
	submit("all", 6);
	parts[0]->job_state = JOB_COMPLETE;
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(parts[1]));
}

/* One component cannot be represented in the model, so that Slurm selects the nodes of
   both. */
static void one_passed_to_slurm(void **state)
{
	(void)state;
	submit("all", 6);
	parts[1]->details->contiguous = 1;
	passes_for(&bridge, 2);
	expect_running();
	assert_int_equal(parts[0]->start_time, parts[1]->start_time);
}

/* What one limit must be so that both components of six tasks may start. */
#define SUM(name, field, too_few, enough, reason)			\
	static void name(void **state)					\
	{								\
		(void)state;						\
		fake_limits.field = too_few;				\
		submit("all", 6);					\
		passes_for(&bridge, 3);					\
		expect_pending(reason);					\
		fake_limits.field = enough;				\
		last_job_update = time(NULL);				\
		passes_for(&bridge, 1);					\
		expect_running();					\
	}

SUM(cpus_of_qos, qos_cpus, 11, 12, WAIT_QOS_GRP_CPU)
SUM(cpus_of_user, user_cpus, 11, 12, WAIT_QOS_MAX_CPU_PER_USER)
SUM(nodes_of_association, assoc_nodes, 1, 2, WAIT_ASSOC_GRP_NODE)
SUM(time_of_qos, qos_cpu_seconds, 7199, 7200, WAIT_QOS_GRP_CPU_RUN_MIN)
SUM(jobs_of_qos, qos_jobs, 1, 2, WAIT_QOS_GRP_JOB)
SUM(jobs_of_user, user_jobs, 1, 2, WAIT_QOS_MAX_JOB_PER_USER)
SUM(jobs_of_account, account_jobs, 1, 2, WAIT_QOS_JOB_LIMIT)
SUM(jobs_of_association, assoc_jobs, 1, 2, WAIT_ASSOC_JOB_LIMIT)

/* Slurm counts all 16 processors of each node. */
static void whole_nodes(void **state)
{
	(void)state;
	fake_limits.qos_cpus = 31;
	submit("all", 6);
	for (int i = 0; i < COUNT; i++)
		fake_exclusive(parts[i]);
	passes_for(&bridge, 3);
	expect_pending(WAIT_QOS_GRP_CPU);
	fake_limits.qos_cpus = 32;
	last_job_update = time(NULL);
	passes_for(&bridge, 1);
	expect_running();
}

/* The association of a component was removed, or replaced by another one. */
static void association_removed(void **state)
{
	(void)state;
	submit("all", 6);
	parts[1]->assoc_id++;
	passes_for(&bridge, 3);
	assert_int_equal(fake_counts.starts, 0);
	assert_true(fake_counts_no_job());
	parts[1]->assoc_id--;
	last_job_update = time(NULL);
	passes_for(&bridge, 1);
	expect_running();
}

/* Slurm cannot represent these components in the model, so that it selects the nodes. */
static void passed_to_slurm(void **state)
{
	(void)state;
	fake_limits.qos_cpus = 11;
	submit("all", 6);
	parts[0]->details->contiguous = 1;
	parts[1]->details->contiguous = 1;
	passes_for(&bridge, 3);
	expect_pending(WAIT_QOS_GRP_CPU);
	fake_limits.qos_cpus = 12;
	last_job_update = time(NULL);
	passes_for(&bridge, 35);
	expect_running();
}

static void licenses(void **state)
{
	static licenses_t license[COUNT] = { { .name = "lic", .total = 3 },
					     { .name = "lic", .total = 3 } };

	(void)state;
	fake_limits.licenses = 5;
	submit("all", 6);
	for (int i = 0; i < COUNT; i++) {
		parts[i]->license_list = list_create(NULL);
		list_append(parts[i]->license_list, &license[i]);
	}
	passes_for(&bridge, 3);
	expect_pending(WAIT_LICENSES);
	assert_int_equal(license[1].total, 3);
	license[1].name = "other";
	last_job_update = time(NULL);
	passes_for(&bridge, 1);
	expect_running();
	for (int i = 0; i < COUNT; i++)
		FREE_NULL_LIST(parts[i]->license_list);
}

/* A job that starts in the same pass leaves too little for the components. */
static void used_in_the_same_pass(void **state)
{
	job_record_t *before;

	(void)state;
	fake_limits.qos_cpus = 15;
	before = fake_job("all", 1);
	fake_tasks(before, 4, 1);
	fake_account(before);
	before->details->submit_time -= 900;
	submit("all", 6);
	passes_for(&bridge, 2);
	assert_true(IS_JOB_RUNNING(before));
	assert_int_equal(fake_counts.starts, 1);
	for (int i = 0; i < COUNT; i++) {
		assert_true(IS_JOB_PENDING(parts[i]));
		assert_in_range(parts[i]->details->begin_time, 0, NOW);
	}
	assert_int_equal(parts[1]->state_reason, WAIT_QOS_GRP_CPU);
}

/* Each component fits, but not all of them together. */
static void never_fit_together(void **state)
{
	(void)state;
	submit_many("all", 32, MOST);
	passes_for(&bridge, 3);
	for (int i = 0; i < MOST; i++) {
		assert_true(IS_JOB_PENDING(parts[i]));
		assert_int_equal(parts[i]->state_reason, WAIT_RESOURCES);
	}
	assert_true(lxfw_left_find(&bridge, parts[0]->job_id)->said);
}

/* Slurm cancels one component, and the other one would be pending forever. */
static void deadline_of_one(void **state)
{
	(void)state;
	submit("all", 6);
	parts[1]->deadline = NOW + 500;
	passes_for(&bridge, 2);
	for (int i = 0; i < COUNT; i++)
		assert_int_equal(parts[i]->job_state & JOB_STATE_BASE, JOB_DEADLINE);
	assert_int_equal(fake_counts.starts, 0);
}

/* --- preemption ------------------------------------------------------------------- */

/* Lets COUNT jobs of PART run on a node each, and adds a partition "high" whose jobs preempt
   those of the others. */
static void fill(const char *part, int count, job_record_t **victims)
{
	slurm_conf.preempt_mode = PREEMPT_MODE_REQUEUE;
	fake_part("high", 0, 3)->priority_tier = 2;
	for (int i = 0; i < count; i++) {
		victims[i] = fake_job(part, 60);
		fake_tasks(victims[i], 16, 1);
		fake_account(victims[i]);
	}
	passes(&bridge);
	for (int i = 0; i < count; i++)
		assert_true(IS_JOB_RUNNING(victims[i]));
	fake_pass_seconds(1);
}

/* One component fits on the node that is free, and one job is preempted for the other.
   Both start at once, and the preempted job does not get the nodes. */
static void preempt_as_few_as_needed(void **state)
{
	job_record_t *victims[3];

	(void)state;
	fill("all", 3, victims);
	submit("high", 16);
	passes(&bridge);
	assert_int_equal(fake_counts.requeues, 1);
	passes_for(&bridge, 2);
	expect_running();
	assert_int_equal(parts[0]->start_time, parts[1]->start_time);
	passes_for(&bridge, 100);
	assert_int_equal(fake_counts.requeues, 1);
	assert_int_equal(bridge.holds.count, 0);
	assert_int_equal(fake_counts.errors, 0);
}

static void preempt_for_several(void **state)
{
	job_record_t *victims[4];

	(void)state;
	fill("all", 4, victims);
	submit_many("high", 16, MOST);
	passes(&bridge);
	passes_for(&bridge, 2);
	for (int i = 0; i < MOST; i++) {
		assert_true(IS_JOB_RUNNING(parts[i]));
		assert_int_equal(parts[i]->start_time, parts[0]->start_time);
	}
	assert_int_equal(fake_counts.requeues, MOST);
}

/* No job is preempted, since the other component does not fit. */
static void preempt_none_without_effect(void **state)
{
	job_record_t *others[3], *victim[1];

	(void)state;
	fill("high", 3, others);
	fill("all", 1, victim);
	submit("high", 16);
	passes_for(&bridge, 40);
	for (int i = 0; i < COUNT; i++)
		assert_true(IS_JOB_PENDING(parts[i]));
	assert_int_equal(fake_counts.requeues, 0);
	assert_true(IS_JOB_RUNNING(victim[0]));
}

/* The first component is in a partition whose jobs preempt no others. */
static void one_preempts(void **state)
{
	job_record_t *victims[3];

	(void)state;
	fill("all", 3, victims);
	submit("high", 16);
	parts[0]->part_ptr = find_part_record("all");
	xfree(parts[0]->partition);
	parts[0]->partition = xstrdup("all");
	passes(&bridge);
	passes_for(&bridge, 1);
	expect_running();
	assert_int_equal(fake_counts.requeues, 1);
}

/* During the grace time of the preempted jobs, no others are preempted, and the component
   that fits does not start. */
static void preempt_with_grace(void **state)
{
	job_record_t *victims[3];

	(void)state;
	fill("all", 3, victims);
	find_part_record("all")->grace_time = 20;
	submit("high", 16);
	passes_for(&bridge, 15);
	for (int i = 0; i < COUNT; i++)
		assert_true(IS_JOB_PENDING(parts[i]));
	assert_int_equal(fake_counts.requeues, 0);
	passes_for(&bridge, 10);
	expect_running();
	assert_int_equal(parts[0]->start_time, parts[1]->start_time);
	assert_int_equal(fake_counts.requeues, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(start_together),
		TEST(keep_to_their_nodes),
		TEST(rest_starts_together),
		TEST(last_one_starts_alone),
		TEST(one_passed_to_slurm),
		TEST(cpus_of_qos),
		TEST(cpus_of_user),
		TEST(nodes_of_association),
		TEST(time_of_qos),
		TEST(jobs_of_qos),
		TEST(jobs_of_user),
		TEST(jobs_of_account),
		TEST(jobs_of_association),
		TEST(whole_nodes),
		TEST(association_removed),
		TEST(passed_to_slurm),
		TEST(licenses),
		TEST(used_in_the_same_pass),
		TEST(never_fit_together),
		TEST(deadline_of_one),
		TEST(preempt_as_few_as_needed),
		TEST(preempt_for_several),
		TEST(preempt_none_without_effect),
		TEST(one_preempts),
		TEST(preempt_with_grace),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
