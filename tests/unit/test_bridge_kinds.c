/* SPDX-License-Identifier: GPL-2.0-or-later */
/* More kinds of GRES than the library has extras: kinds that no node has together share one. */
#include "tests/unit/unit.h"

#include <string.h>

#include "plugins/agent/table.h"
#include "plugins/slurm/bridge/known.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;
static node_record_t *node[5];

/* Eleven kinds on five nodes, at most four on a node. */
static void five_nodes(void)
{
	fake_start(NOW, true);
	bridge_start(&bridge);
	for (int i = 0; i < 5; i++) {
		const char *names[] = { "n0", "n1", "n2", "n3", "n4" };

		node[i] = fake_node(names[i], 16, 16000, i < 2 ? 4 : 0);
	}
	fake_node_gres(node[0], "k2", 2);
	fake_node_gres(node[1], "k2", 2);
	fake_node_gres(node[2], "k3", 2);
	fake_node_gres(node[2], "k4", 2);
	fake_node_gres(node[3], "k5", 2);
	fake_node_gres(node[3], "k6", 2);
	fake_node_gres(node[3], "k7", 2);
	fake_node_gres(node[4], "k8", 4);
	fake_node_gres(node[4], "k9", 4);
	fake_node_gres(node[4], "k10", 4);
	fake_node_gres(node[4], "k11", 4);
	fake_nodes_done();
	fake_part("all", 0, 4);
}

static int tear_down(void **state)
{
	(void)state;
	lxfw_bridge_destroy(&bridge);
	fake_stop();
	return 0;
}

/* A job of one processor that requests COUNT of KIND. */
static job_record_t *asks(const char *kind, uint64_t count)
{
	job_record_t *job = fake_job("all", 60);

	fake_gres(job, kind)->gres_per_node = count;
	return job;
}

static int extra_of(const char *kind)
{
	return lxfw_extras_find(&bridge.hosts.extras, gres_build_id((char *)kind), NO_VAL);
}

static struct lxfw_known_job *known(const job_record_t *job)
{
	return lxfw_table_find(&bridge.agent.jobs, lxfw_record_id(job));
}

/* All of them are counted, and those of a node have different extras. */
static void all_are_counted(void **state)
{
	static const char *const of_node[][4] = {
		{ "gpu", "k2" }, { "k3", "k4" }, { "k5", "k6", "k7" },
		{ "k8", "k9", "k10", "k11" },
	};

	(void)state;
	five_nodes();
	passes(&bridge);
	for (int i = 0; i < 4; i++) {
		unsigned seen = 0;

		for (int j = 0; j < 4 && of_node[i][j]; j++) {
			int extra = extra_of(of_node[i][j]);

			assert_in_range(extra, 0, LXFW_EXTRAS_MAX - 1);
			assert_false(seen >> extra & 1);
			seen |= 1u << extra;
		}
	}
	/* A GPU shares with none that is not one. */
	assert_false(bridge.hosts.extras.shared >> extra_of("gpu") & 1);
	assert_int_equal(bridge.hosts.extras.gpus, 1 << extra_of("gpu"));
	assert_int_equal(bridge.agent.hosts.host[4].total.extras[extra_of("k8")], 4);
}

/* A job starts on the nodes of its kind, and waits for them with a reservation, although
   another kind with the same extra is free. */
static void they_are_not_mixed_up(void **state)
{
	job_record_t *job[2], *waits, *other;

	(void)state;
	five_nodes();
	passes(&bridge);
	assert_int_equal(extra_of("k2"), extra_of("k6"));
	job[0] = asks("k6", 1);
	job[1] = asks("k6", 1);
	passes(&bridge);
	for (int i = 0; i < 2; i++) {
		assert_true(IS_JOB_RUNNING(job[i]));
		assert_true(bit_test(job[i]->node_bitmap, 3));
	}
	waits = asks("k6", 2);
	other = asks("k2", 2);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(waits));
	assert_true(IS_JOB_RUNNING(other));
	assert_true(bit_test(other->node_bitmap, 0) || bit_test(other->node_bitmap, 1));
	assert_int_equal(known(waits)->state, LXFW_KNOWN_WAITING);
	assert_int_equal(known(waits)->reserved_start, NOW + 3600);
	assert_int_equal(known(waits)->reserved_count, 1);
	assert_int_equal(known(waits)->reserved_hosts[0], 3);
	fake_end(job[0]);
	fake_end(job[1]);
	fake_pass_seconds(1);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(waits));
	assert_int_equal(fake_counts.errors, 0);
	assert_int_equal(fake_counts.refusals, 0);
}

/* A kind appears when its node registers, and shares an extra of which jobs were reported. */
static void later(void **state)
{
	job_record_t *old, *new;

	(void)state;
	five_nodes();
	passes(&bridge);
	old = asks("k2", 2);
	asks("k2", 2);
	passes(&bridge);
	old = asks("k2", 1);
	passes(&bridge);
	assert_true(IS_JOB_PENDING(old));
	fake_node_gres(node[2], "shard", 8);
	fake_node_gres(node[4], "k3", 8);
	fake_pass_seconds(1);
	last_node_update = time(NULL);
	passes_for(&bridge, 2);
	assert_in_range(extra_of("shard"), 0, LXFW_EXTRAS_MAX - 1);
	new = asks("k3", 8);
	passes_for(&bridge, 2);
	assert_true(IS_JOB_RUNNING(new));
	assert_true(bit_test(new->node_bitmap, 4));
	assert_true(IS_JOB_PENDING(old));
	assert_int_equal(fake_counts.errors, 0);
}

/* Two kinds with the same extra on one node: the extras are assigned again. */
static void overlap(void **state)
{
	job_record_t *one, *other;

	(void)state;
	five_nodes();
	passes(&bridge);
	one = asks("k6", 2);
	passes(&bridge);
	assert_int_equal(extra_of("k2"), extra_of("k6"));
	fake_node_gres(node[0], "k6", 2);
	fake_pass_seconds(1);
	last_node_update = time(NULL);
	passes_for(&bridge, 3);
	assert_int_not_equal(extra_of("k2"), extra_of("k6"));
	assert_int_equal(bridge.agent.total.rebuilds, 2);
	other = asks("k6", 2);
	passes_for(&bridge, 2);
	assert_true(IS_JOB_RUNNING(one));
	assert_true(IS_JOB_RUNNING(other));
	assert_true(bit_test(other->node_bitmap, 0));
	assert_int_equal(fake_counts.errors, 0);
}

/* More kinds on one node than there are extras: Slurm starts jobs that request the others. */
static void too_many_on_a_node(void **state)
{
	static const char *const kinds[] = { "k2", "k3", "k4", "k5", "k6", "k7", "k8" };
	job_record_t *job;

	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	node[0] = fake_node("n0", 16, 16000, 0);
	for (int i = 0; i < 7; i++)
		fake_node_gres(node[0], kinds[i], 2);
	fake_nodes_done();
	fake_part("all", 0, 0);
	passes(&bridge);
	assert_int_equal(extra_of("k6"), LXFW_EXTRAS_MAX - 1);
	assert_int_equal(extra_of("k7"), -1);
	assert_int_equal(extra_of("k8"), -1);
	job = asks("k8", 1);
	passes_for(&bridge, 3);
	assert_true(IS_JOB_RUNNING(job));
	assert_int_equal(bridge.agent.total.rebuilds, 1);
}

#define TEST(function) cmocka_unit_test_teardown(function, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(all_are_counted),
		TEST(they_are_not_mixed_up),
		TEST(later),
		TEST(overlap),
		TEST(too_many_on_a_node),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
