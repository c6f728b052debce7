/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes after a restart of the controller: those that have not registered, and those that
   registered recently. */
#include "tests/unit/unit.h"

#include "plugins/slurm/bridge/known.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000
#define NODES 4

static struct lxfw_bridge bridge;

/* A controller that was restarted a moment ago, when these jobs waited: WIDE needs all nodes, and
   NARROW one of them. */
static job_record_t *wide, *narrow;

static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	fake_nodes("n", NODES, 16, 16000, 0);
	fake_nodes_done();
	fake_part("all", 0, NODES - 1);
	slurmctld_config.boot_time = NOW;
	wide = fake_job("all", 10);
	fake_tasks(wide, 16 * NODES, 1);
	wide->details->submit_time = NOW - 200;
	narrow = fake_job("all", 100);
	fake_tasks(narrow, 16, 1);
	narrow->details->submit_time = NOW - 100;
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

static void look(void)
{
	last_node_update = last_job_update = time(NULL) + 1;
	passes_for(&bridge, 2);
}

static void expect_waiting(void)
{
	look();
	assert_true(IS_JOB_PENDING(wide));
	assert_true(IS_JOB_PENDING(narrow));
	assert_int_equal(bridge.left.count, 0);
}

static void register_node(int node)
{
	node_record_table_ptr[node]->slurmd_start_time = NOW;
}

/* The time for which a registered node is left alone is over. */
static void settle(void)
{
	for (int i = 0; i < NODES; i++)
		bridge.hosts.settled_us[i] = 1;
}

/* Slurm takes all nodes for idle. No job starts before they have registered and settled, and then
   the first one does. */
static void nodes_register(void **state)
{
	(void)state;
	expect_waiting();
	for (int i = 0; i < NODES; i++)
		register_node(i);
	expect_waiting();
	settle();
	look();
	assert_true(IS_JOB_RUNNING(wide));
	assert_true(IS_JOB_PENDING(narrow));
}

/* A node that is late keeps the first job waiting, and those that would delay it. After half a
   minute without a word it is taken for what Slurm says. */
static void node_is_late(void **state)
{
	(void)state;
	fake_node_down(NODES - 1, true);
	node_record_table_ptr[NODES - 1]->node_state = NODE_STATE_IDLE | NODE_STATE_NO_RESPOND;
	expect_waiting();
	for (int i = 0; i < NODES - 1; i++)
		register_node(i);
	expect_waiting();
	settle();
	bridge.hosts.settled_us[NODES - 1] = 0;
	expect_waiting();
	bridge.hosts.unheard_us = 1;
	look();
	assert_true(IS_JOB_PENDING(wide));
	assert_true(IS_JOB_RUNNING(narrow));
}

/* A node that is drained or down is not waited for. */
static void node_is_drained(void **state)
{
	(void)state;
	fake_node_down(NODES - 1, true);
	node_record_table_ptr[NODES - 1]->node_state = NODE_STATE_IDLE | NODE_STATE_DRAIN;
	for (int i = 0; i < NODES - 1; i++)
		register_node(i);
	look();
	settle();
	look();
	assert_true(IS_JOB_PENDING(wide));
	assert_true(IS_JOB_RUNNING(narrow));
}

/* A controller that was not restarted starts jobs on nodes at once. */
static void no_restart(void **state)
{
	(void)state;
	slurmctld_config.boot_time = NOW - 1000;
	look();
	assert_true(IS_JOB_RUNNING(wide));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(nodes_register),
		TEST(node_is_late),
		TEST(node_is_drained),
		TEST(no_restart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
