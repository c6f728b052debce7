/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options of jobs that decide which nodes they get and for how long. */
#include "tests/unit/unit.h"

#include <string.h>

#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/limit.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;

/* Nodes n0 to n3 of 16 processors, n2 and n3 with feature "fast". */
static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	fake_nodes("n", 4, 16, 16000, 0);
	fake_node_feature(2, "fast");
	fake_node_feature(3, "fast");
	fake_nodes_done();
	fake_part("all", 0, 3);
	passes(&bridge);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

static job_record_t *submit(uint32_t minutes, uint32_t tasks)
{
	job_record_t *job = fake_job("all", minutes);

	fake_tasks(job, tasks, 1);
	return job;
}

/* A job that has one whole node. */
static job_record_t *fill(int node, uint32_t minutes)
{
	job_record_t *job = submit(minutes, 16);

	fake_require(job, "n", node);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	return job;
}

static int node_of(const job_record_t *job)
{
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bit_set_count(job->node_bitmap), 1);
	return (int)bit_ffs(job->node_bitmap);
}

/* --- QOS flag NoReserve ----------------------------------------------------------- */

/* A job for all nodes waits for one that has three of them. Another one on the fourth node,
   which ends later, starts only if the first has no reservation. */
static job_record_t *overtake(job_record_t *wide)
{
	job_record_t *later = submit(60, 16);

	passes(&bridge);
	assert_true(IS_JOB_PENDING(wide));
	return later;
}

static void test_no_reserve(void **state)
{
	slurmdb_qos_rec_t standby = { .id = 2, .flags = QOS_FLAG_NO_RESERVE };
	slurmdb_qos_rec_t normal = { .id = 1 };
	job_record_t *wide, *later;

	(void)state;
	for (int i = 0; i < 3; i++)
		fill(i, 10);
	wide = submit(10, 64);
	wide->qos_ptr = &normal;
	later = overtake(wide);
	assert_true(IS_JOB_PENDING(later));
	/* An administrator sets the flag while the jobs wait. */
	normal.flags = QOS_FLAG_NO_RESERVE;
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(later));
	wide->qos_ptr = &standby;
	passes(&bridge);
	assert_true(IS_JOB_PENDING(wide));
	wide->qos_ptr = NULL;
}

/* Below MinPrioThreshold of the QOS, which counts if limits are enforced. */
static void test_priority_threshold(void **state)
{
	slurmdb_qos_rec_t qos = { .id = 1, .min_prio_thresh = 1000 };
	slurmdb_assoc_rec_t assoc = { .id = 1 };
	job_record_t *wide, *later;

	(void)state;
	for (int i = 0; i < 3; i++)
		fill(i, 10);
	wide = submit(10, 64);
	wide->qos_ptr = &qos;
	wide->assoc_ptr = &assoc;
	wide->priority = 999;
	later = overtake(wide);
	assert_true(IS_JOB_PENDING(later));
	accounting_enforce = ACCOUNTING_ENFORCE_LIMITS;
	wide->priority = 1000;
	passes(&bridge);
	assert_true(IS_JOB_PENDING(later));
	wide->priority = 999;
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(later));
	accounting_enforce = 0;
	wide->qos_ptr = NULL;
	wide->assoc_ptr = NULL;
}

/* The same for a job that the library does not schedule. */
static void test_no_reserve_when_offered(void **state)
{
	slurmdb_qos_rec_t standby = { .id = 2, .flags = QOS_FLAG_NO_RESERVE };
	job_record_t *wide;

	(void)state;
	for (int i = 0; i < 3; i++)
		fill(i, 10);
	wide = submit(10, 64);
	wide->details->contiguous = 1;
	wide->qos_ptr = &standby;
	for (int i = 0; i < 5; i++)
		passes(&bridge);
	assert_int_equal(bridge.holds.count, 0);
	assert_true(IS_JOB_RUNNING(overtake(wide)));
	wide->qos_ptr = NULL;
	for (int i = 0; i < 5; i++)
		passes(&bridge);
	assert_int_equal(bridge.holds.count, 1);
}

/* --- magnetic reservations -------------------------------------------------------- */

/* A job that a magnetic reservation attracts is tried there first, if the reservation has
   begun and has idle nodes. */
static void test_magnetic(void **state)
{
	slurmctld_resv_t resv = {
		.name = "mg", .flags = RESERVE_FLAG_MAGNETIC,
		.start_time = NOW - 10, .end_time = NOW + 3600,
	};
	job_record_t *job;

	(void)state;
	resv.node_bitmap = bit_alloc(node_record_count);
	bit_set(resv.node_bitmap, 3);
	fake_magnetic = &resv;
	job = submit(10, 16);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.offers, 1);
	assert_int_equal(fake_counts.refusals, 0);
	bit_clear(idle_node_bitmap, 3);
	job = submit(10, 16);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.offers, 1);
	bit_set(idle_node_bitmap, 3);
	resv.start_time = NOW + 1800;
	job = submit(10, 16);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.offers, 1);
	resv.start_time = NOW - 10;
	resv.end_time = NOW + 300;	/* before the job would end */
	job = submit(10, 4);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.offers, 1);
	resv.end_time = NOW + 3600;
	slurmctld_config.boot_time = NOW + 60;	/* it waited before a restart */
	job = submit(10, 4);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.offers, 1);
	slurmctld_config.boot_time = NOW - 1000;
	fake_magnetic = NULL;
	FREE_NULL_BITMAP(resv.node_bitmap);
}

/* A job that does not start there waits in the library. */
static void test_magnetic_in_vain(void **state)
{
	slurmctld_resv_t resv = {
		.name = "mg", .flags = RESERVE_FLAG_MAGNETIC,
		.start_time = NOW - 10, .end_time = NOW + 3600,
	};
	job_record_t *job;

	(void)state;
	for (int i = 0; i < 4; i++)
		fill(i, 10);
	resv.node_bitmap = bit_alloc(node_record_count);
	bit_set(resv.node_bitmap, 3);
	fake_magnetic = &resv;
	job = submit(10, 16);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_non_null(lxfw_table_find(&bridge.agent.jobs, lxfw_record_id(job)));
	assert_false(bridge.agent.stale);
	fake_magnetic = NULL;
	FREE_NULL_BITMAP(resv.node_bitmap);
}

/* --- preferred features ----------------------------------------------------------- */

static job_record_t *submit_fast(uint32_t tasks)
{
	job_record_t *job = submit(10, tasks);

	fake_prefer(job, "fast");
	passes(&bridge);
	return job;
}

static void test_prefer(void **state)
{
	(void)state;
	assert_in_range(node_of(submit_fast(16)), 2, 3);
	assert_in_range(node_of(submit_fast(16)), 2, 3);
	assert_in_range(node_of(submit_fast(16)), 0, 1);
	assert_int_equal(fake_counts.refusals, 0);
}

/* Nodes that do not satisfy --constraint are used if they have the preferred features. */
static void test_prefer_and_constraint(void **state)
{
	job_record_t *job;

	(void)state;
	fake_node_feature(0, "slow");
	for (int i = 0; i < 3; i++) {
		job = submit(10, 16);
		fake_features(job, "slow", 0);
		fake_prefer(job, "fast");
		passes(&bridge);
		assert_in_range(node_of(job), i < 2 ? 2 : 0, i < 2 ? 3 : 0);
	}
	job = submit(10, 1);
	fake_features(job, "slow", 0);
	fake_prefer(job, "fast");
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(fake_counts.refusals, 0);
}

/* No node has the preferred feature. */
static void test_prefer_nothing(void **state)
{
	job_record_t *job = submit(10, 1);

	(void)state;
	fake_prefer(job, "none");
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.offers, 0);
}

/* Such a job is offered to Slurm, with the preferred features first. */
static void test_prefer_when_offered(void **state)
{
	job_record_t *job = submit(10, 16);

	(void)state;
	job->details->contiguous = 1;
	fake_prefer(job, "fast");
	passes(&bridge);
	assert_in_range(node_of(job), 2, 3);
	fill(0, 10);
	fill(5 - node_of(job), 10);
	job = submit(10, 16);
	job->details->contiguous = 1;
	fake_prefer(job, "fast");
	passes(&bridge);
	assert_int_equal(node_of(job), 1);
}

/* --- the choice of nodes ---------------------------------------------------------- */

/* Slurm chooses among all nodes on which the job delays no reservation. */
static void test_least_loaded(void **state)
{
	job_record_t *first;

	(void)state;
	fill(0, 10);
	submit(10, 1);
	passes(&bridge);
	assert_int_equal(fake_counts.choice, 1);
	((part_record_t *)list_peek(part_list))->flags |= PART_FLAG_LLN;
	submit(10, 1);
	passes(&bridge);
	assert_int_equal(fake_counts.choice, 4);
	/* All nodes are reserved in ten minutes. */
	first = submit(10, 64);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(first));
	submit(11, 1);
	submit(9, 1);
	passes(&bridge);
	assert_int_equal(fake_counts.choice, 4);
	assert_int_equal(fake_waiting(), 2);
}

static void test_topology(void **state)
{
	job_record_t *job;

	(void)state;
	slurm_conf.topology_plugin = xstrdup("topology/tree");
	submit(10, 1);
	passes(&bridge);
	assert_int_equal(fake_counts.choice, 1);
	job = submit(10, 32);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(fake_counts.choice, 4);
	assert_int_equal(bridge.agent.total.offers, 0);
	job = submit(10, 1);
	job->req_switch = 1;
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.offers, 1);
	xfree(slurm_conf.topology_plugin);
}

/* --- time limits ------------------------------------------------------------------ */

/* n0 is busy for ten minutes, then a job needs all nodes. */
static job_record_t *reserve_all(void)
{
	job_record_t *job;

	fill(0, 10);
	job = submit(10, 64);
	passes(&bridge);
	assert_int_equal(job->start_time, NOW + 600);
	return job;
}

static void test_time_min(void **state)
{
	job_record_t *waits = reserve_all(), *job;

	(void)state;
	fake_pass_seconds(30);
	job = submit(60, 16);
	job->time_min = 5;
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	/* 570 s */
	assert_int_equal(job->time_limit, 9);
	assert_int_equal(job->end_time, NOW + 30 + 540);
	job = submit(60, 16);
	job->time_min = 10;
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(job->time_limit, 60);
	passes_for(&bridge, 571);
	assert_true(IS_JOB_RUNNING(waits));
	assert_int_equal(waits->start_time, NOW + 600);
	assert_int_equal(bridge.agent.total.rebuilds, 1);
}

static void test_time_min_array(void **state)
{
	job_record_t *job;
	uint32_t id;

	(void)state;
	(void)reserve_all();
	job = submit(60, 16);
	id = job->job_id;
	job->time_min = 5;
	fake_array(job, 0, 3, 0);
	passes(&bridge);
	for (uint32_t task = 0; task < 3; task++)
		assert_int_equal(fake_task(id, task)->time_limit, 10);
	assert_true(IS_JOB_PENDING(fake_find(id)));
	assert_int_equal(fake_find(id)->time_limit, 60);
}

/* A refused start leaves the limit as it was. */
static void test_refused_with_time_min(void **state)
{
	job_record_t *job;

	(void)state;
	(void)reserve_all();
	fake_trouble.refuse = 1;
	job = submit(60, 16);
	job->time_min = 5;
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_true(fake_counts.refusals > 0);
	assert_int_equal(job->time_limit, 60);
}

static void test_deadline(void **state)
{
	job_record_t *job, *later;

	(void)state;
	for (int i = 0; i < 4; i++)
		fill(i, 10);
	submit(10, 64);
	job = submit(2, 1);
	job->deadline = NOW + 200;
	later = submit(2, 1);
	later->deadline = NOW + 100;
	passes(&bridge);
	assert_int_equal(later->job_state, JOB_DEADLINE);
	assert_true(IS_JOB_PENDING(job));
	assert_int_equal(bridge.agent.wake, NOW + 81);
	fake_pass_seconds(81);
	passes(&bridge);
	assert_int_equal(job->job_state, JOB_DEADLINE);
	assert_int_equal(fake_waiting(), 1);
}

/* In seconds, the limit exceeds 32 bits, so that Slurm does not cancel the job. No pass is
   due because of it. */
static void test_deadline_and_large_limit(void **state)
{
	job_record_t *job;

	(void)state;
	for (int i = 0; i < 4; i++)
		fill(i, 10);
	job = submit(71582789, 64);
	job->deadline = NOW + 3600;
	passes(&bridge);
	assert_true(IS_JOB_PENDING(job));
	assert_true(bridge.agent.wake > NOW);
}

/* A heterogeneous job does not start without the component that missed its deadline. */
static void test_deadline_of_component(void **state)
{
	job_record_t *leader, *second, *third;

	(void)state;
	for (int i = 0; i < 4; i++)
		fill(i, 2);
	leader = submit(2, 1);
	second = submit(2, 1);
	third = submit(2, 1);
	fake_component(leader, second);
	fake_component(leader, third);
	passes(&bridge);
	assert_int_equal(fake_waiting(), 3);
	second->deadline = NOW + 100;
	last_job_update = time(NULL);
	passes_for(&bridge, 121);
	assert_int_equal(leader->job_state, JOB_DEADLINE);
	assert_int_equal(second->job_state, JOB_DEADLINE);
	assert_int_equal(third->job_state, JOB_DEADLINE);
}

static void test_limit_by_deadline(void **state)
{
	job_record_t *job = submit(NO_VAL, 1), *offered = submit(NO_VAL, 1);

	(void)state;
	job->time_min = offered->time_min = 1;
	job->deadline = offered->deadline = NOW + 601;
	offered->details->contiguous = 1;
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(job->time_limit, 10);
	assert_true(IS_JOB_RUNNING(offered));
	assert_int_equal(offered->time_limit, 10);
}

/* A limit is at least --time-min and one minute, and is restored if the job does not
   start. */
static void test_least_limit(void **state)
{
	job_record_t *job = submit(10, 1);
	struct lxfw_limit before;

	(void)state;
	lxfw_limit_shorten(job, 30, &before);
	assert_int_equal(job->time_limit, 1);
	lxfw_limit_started(job, false, &before);
	assert_int_equal(job->time_limit, 10);
	job->time_min = 5;
	lxfw_limit_shorten(job, 120, &before);
	assert_int_equal(job->time_limit, 5);
	assert_int_equal(job->limit_set.time, 0);
	lxfw_limit_started(job, true, &before);
	assert_int_equal(job->time_limit, 5);
	/* Slurm replaces a limit that was not set by the default of the partition. */
	job->time_min = 0;
	job->time_limit = NO_VAL;
	lxfw_limit_shorten(job, 120, &before);
	assert_int_equal(job->time_limit, 2);
	assert_int_equal(job->limit_set.time, 1);
	lxfw_limit_started(job, false, &before);
	assert_true(job->time_limit == NO_VAL);
	assert_int_equal(job->limit_set.time, 0);
}

/* --- differences between releases --------------------------------------------------- */

/* The text of the TRES per task agrees with the number of processors per task. */
static void test_tres_per_task(void **state)
{
	static const struct {
		const char *text, *set;
	} cases[] = {
		{ "cpu=16", "cpu=3" },
		{ "cpu:16,gres/gpu:2", "cpu:3,gres/gpu:2" },
		{ "gres/gpu=2,cpu=16,license/a=1", "gres/gpu=2,cpu=3,license/a=1" },
		{ "gres/xcpu=2", "gres/xcpu=2" },
		{ NULL, NULL },
	};
	job_record_t *job = submit(10, 1);

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		xfree(job->tres_per_task);
		job->tres_per_task = xstrdup(cases[i].text);
		lxfw_compat_set_cpus_per_task(job, 3);
		assert_int_equal(job->details->cpus_per_task, 3);
		if (cases[i].set)
			assert_string_equal(job->tres_per_task, cases[i].set);
		else
			assert_null(job->tres_per_task);
	}
	xfree(job->tres_per_task);
}

/* Only a maximum that the user requested is one. */
static void test_max_nodes(void **state)
{
	job_record_t *job = submit(10, 4);

	(void)state;
	assert_int_equal(lxfw_compat_max_nodes(job), 0);
	job->details->max_nodes = 4;
	assert_int_equal(lxfw_compat_max_nodes(job), 4);
#ifdef JOB_IMPLICIT_MAX_NODES
	job->bit_flags |= JOB_IMPLICIT_MAX_NODES;
	assert_int_equal(lxfw_compat_max_nodes(job), 0);
#endif
}

/* The job can run in the second of its partitions only. */
static void test_other_partition(void **state)
{
	job_record_t *job;

	(void)state;
	fake_part("slow", 0, 1);
	for (int i = 2; i < 4; i++)
		fill(i, 10);
	job = fake_job("slow,all", 10);
	fake_features(job, "fast", 0);
	passes_for(&bridge, 3);
	assert_true(IS_JOB_PENDING(job));
	assert_true(job->priority != 0);
	assert_int_equal(job->state_reason, WAIT_RESOURCES);
}

/* Limits count all processors of a node that a job uses alone. A job above its limit has
   no reservation. */
static void test_limit_of_whole_node(void **state)
{
	job_record_t *job;

	(void)state;
	for (int i = 0; i < 4; i++)
		fill(i, 2);
	job = submit(1, 2);
	fake_exclusive(job);
	fake_account(job);
	fake_limits.qos_cpus = 15;
	passes_for(&bridge, 3);
	assert_int_equal(job->state_reason, WAIT_QOS_GRP_CPU);
	assert_int_equal(job->start_time, 0);
	passes_for(&bridge, 200);
	assert_true(IS_JOB_PENDING(job));
	fake_limits.qos_cpus = 16;
	last_job_update = time(NULL);
	passes_for(&bridge, 1);
	assert_true(IS_JOB_RUNNING(job));
}

/* The model has the time that a node needs to resume. */
static void test_boot_time(void **state)
{
	const int32_t asleep = 3;

	(void)state;
	assert_int_equal(lxfw_mirror_boot(&bridge.agent, &asleep, 1), 0);
	slurm_conf.resume_timeout = 77;
	node_record_table_ptr[asleep]->resume_timeout = NO_VAL16;
	node_record_table_ptr[asleep]->node_state |= NODE_STATE_POWERED_DOWN;
	last_node_update = time(NULL) + 1;
	passes_for(&bridge, 1);
	assert_int_equal(lxfw_mirror_boot(&bridge.agent, &asleep, 1), 77);
	assert_int_equal(lxfw_mirror_most_boot(&bridge.agent), 77);
	slurm_conf.resume_timeout = 0;
}

static void set_power(int node, uint32_t flags)
{
	uint32_t *state = &node_record_table_ptr[node]->node_state;

	*state = (*state & ~(NODE_STATE_POWERED_DOWN | NODE_STATE_POWERING_UP)) | flags;
	last_node_update = time(NULL) + 1;
	passes_for(&bridge, 1);
}

/* Starts a job while all nodes are asleep, and returns the node that it boots. */
static int booted_node(void)
{
	job_record_t *job;
	int node;

	for (int i = 0; i < 4; i++)
		set_power(i, NODE_STATE_POWERED_DOWN);
	job = submit(10, 16);
	passes_for(&bridge, 1);
	assert_true(IS_JOB_RUNNING(job));
	node = bit_ffs(job->node_bitmap);
	fake_end(job);
	passes_for(&bridge, 3);
	return node;
}

/* A node that did not boot is used after all others for an hour, or until it boots. */
static void test_failed_boot(void **state)
{
	int first;

	(void)state;
	slurm_conf.resume_timeout = 30;
	first = booted_node();
	set_power(first, NODE_STATE_POWERING_UP);
	fake_node_down(first, true);
	set_power(first, NODE_STATE_POWERED_DOWN);
	fake_node_down(first, false);
	assert_int_not_equal(booted_node(), first);
	passes_for(&bridge, 3600);
	assert_int_equal(booted_node(), first);
	set_power(first, NODE_STATE_POWERING_UP);
	set_power(first, NODE_STATE_POWERED_DOWN);
	assert_int_not_equal(booted_node(), first);
	set_power(first, NODE_STATE_POWERING_UP);
	set_power(first, 0);
	assert_int_equal(booted_node(), first);
	slurm_conf.resume_timeout = 0;
}

/* A job without a reservation shows the estimate, unless its time has passed. */
static void test_estimated_start(void **state)
{
	struct lxfw_known_job *known;
	job_record_t *first, *second;

	(void)state;
	for (int i = 0; i < 4; i++)
		fill(i, 10);
	first = submit(10, 64);
	second = submit(10, 64);
	passes_for(&bridge, 1);
	assert_true(first->start_time > 0);
	known = lxfw_table_find(&bridge.agent.jobs, second->job_id);
	assert_non_null(known);
	assert_int_equal(known->reserved_start, 0);
	known->estimated_start = bridge.agent.clock + 5;
	second->start_time = 0;
	last_job_update = time(NULL) + 1;
	passes_for(&bridge, 1);
	assert_int_equal(second->start_time, known->estimated_start);
	second->start_time = 0;
	passes_for(&bridge, 10);
	assert_int_equal(second->start_time, 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_no_reserve),
		TEST(test_priority_threshold),
		TEST(test_no_reserve_when_offered),
		TEST(test_magnetic),
		TEST(test_magnetic_in_vain),
		TEST(test_prefer),
		TEST(test_prefer_and_constraint),
		TEST(test_prefer_nothing),
		TEST(test_prefer_when_offered),
		TEST(test_least_loaded),
		TEST(test_topology),
		TEST(test_time_min),
		TEST(test_time_min_array),
		TEST(test_refused_with_time_min),
		TEST(test_deadline),
		TEST(test_deadline_of_component),
		TEST(test_deadline_and_large_limit),
		TEST(test_limit_by_deadline),
		TEST(test_least_limit),
		TEST(test_tres_per_task),
		TEST(test_max_nodes),
		TEST(test_other_partition),
		TEST(test_limit_of_whole_node),
		TEST(test_boot_time),
		TEST(test_failed_boot),
		TEST(test_estimated_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
