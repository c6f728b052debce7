/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The reasons of pending jobs. */
#include "tests/unit/unit.h"

#include <string.h>

#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/reason.h"
#include "tests/unit/bridge_pass.h"

#define NOW 1700000000

static struct lxfw_bridge bridge;

/* Nodes n0 to n3 of 16 processors. */
static int set_up(void **state)
{
	(void)state;
	fake_start(NOW, true);
	bridge_start(&bridge);
	fake_nodes("n", 4, 16, 16000, 0);
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
static void fill(int node, uint32_t minutes)
{
	job_record_t *job = submit(minutes, 16);

	fake_require(job, "n", node);
	passes(&bridge);
	assert_true(IS_JOB_RUNNING(job));
}

static void test_licenses(void **state)
{
	job_record_t *job = submit(10, 1);

	(void)state;
	job->license_list = list_create(NULL);
	fake_licenses_busy = true;
	passes(&bridge);
	assert_int_equal(job->state_reason, WAIT_LICENSES);
	for (int i = 0; i < 4; i++)
		fill(i, 10);
	fake_licenses_busy = false;
	last_job_update = time(NULL);
	passes_for(&bridge, 1);
	assert_true(job->state_reason == WAIT_PRIORITY ||
		    job->state_reason == WAIT_RESOURCES);
	FREE_NULL_LIST(job->license_list);
}

static void test_lost_nodes(void **state)
{
	job_record_t *named, *many;

	(void)state;
	fill(1, 10);
	named = submit(10, 16);
	fake_require(named, "n", 1);
	many = submit(10, 4);
	fake_node_count(many, 4, 4);
	fake_exclusive(many);
	passes(&bridge);
	assert_int_equal(named->state_reason, WAIT_RESOURCES);
	fake_node_down(1, true);
	passes_for(&bridge, 2);
	assert_int_equal(named->state_reason, WAIT_NODE_NOT_AVAIL);
	assert_string_equal(named->state_desc,
			    "ReqNodeNotAvail, UnavailableNodes:n1");
	assert_int_equal(many->state_reason, WAIT_RESOURCES);
	assert_non_null(many->state_desc);
	fake_node_down(1, false);
	passes_for(&bridge, 2);
	assert_null(many->state_desc);
	assert_int_not_equal(named->state_reason, WAIT_NODE_NOT_AVAIL);
}

/* Enough nodes are up, but not the one that the job names. */
static void test_named_node_stays_lost(void **state)
{
	job_record_t *named = submit(10, 16);

	(void)state;
	fake_require(named, "n", 1);
	fake_node_down(1, true);
	named->state_reason = WAIT_NODE_NOT_AVAIL;
	lxfw_reason_nodes_back(named);
	assert_int_equal(named->state_reason, WAIT_NODE_NOT_AVAIL);
	fake_node_down(1, false);
	lxfw_reason_nodes_back(named);
	assert_int_equal(named->state_reason, WAIT_NO_REASON);
}

/* --- advance reservations ----------------------------------------------------------- */

/* A job on 4 nodes, or on n1 if NAMED, which the reservation of the nodes from FIRST on keeps
   from starting. Slurm answers ERROR_CODE. */
static job_record_t *kept_out(int error_code, int first, bool named)
{
	static slurmctld_resv_t resv;
	job_record_t *job = submit(10, 4);

	if (named)
		fake_require(job, "n", 1);
	else
		fake_node_count(job, 4, 4);
	resv = (slurmctld_resv_t){ .start_time = time(NULL) + 60,
				   .end_time = time(NULL) + 600 };
	resv.node_bitmap = bit_alloc(node_record_count);
	for (int i = first; i < node_record_count; i++)
		bit_set(resv.node_bitmap, i);
	list_append(resv_list, &resv);
	fake_kept_out.error_code = error_code;
	fake_kept_out.nodes = resv.node_bitmap;
	last_resv_update = time(NULL);
	passes_for(&bridge, 1);
	return job;
}

static void end_reservation(void)
{
	slurmctld_resv_t *resv = list_pop(resv_list);

	FREE_NULL_BITMAP(resv->node_bitmap);
	fake_kept_out = (struct fake_kept_out){ 0 };
	last_resv_update = time(NULL);
	passes_for(&bridge, 1);
}

static void expect_not_available(const job_record_t *job, const char *description)
{
	assert_int_equal(job->state_reason, WAIT_NODE_NOT_AVAIL);
	assert_string_equal(job->state_desc, description);
}

static void test_reserved_for_maintenance(void **state)
{
	job_record_t *job = kept_out(ESLURM_RESERVATION_MAINT, 0, false);

	(void)state;
	expect_not_available(job, "ReqNodeNotAvail, Reserved for maintenance");
	end_reservation();
	assert_true(IS_JOB_RUNNING(job));
}

static void test_too_few_nodes_are_left(void **state)
{
	job_record_t *job;

	(void)state;
	fill(0, 60);
	job = kept_out(SLURM_SUCCESS, 2, false);
	expect_not_available(job, "ReqNodeNotAvail, May be reserved for other job");
	/* A node that remains is in use by a job that does not share it. */
	bit_clear(share_node_bitmap, 0);
	passes_for(&bridge, 31);
	assert_int_equal(job->state_reason, WAIT_RESOURCES);
	bit_set(share_node_bitmap, 0);
	end_reservation();
	assert_int_equal(job->state_reason, WAIT_RESOURCES);
	assert_null(job->state_desc);
}

static void test_enough_nodes_are_left(void **state)
{
	job_record_t *job;

	(void)state;
	fill(0, 60);
	job = kept_out(SLURM_SUCCESS, node_record_count, false);
	assert_int_equal(job->state_reason, WAIT_RESOURCES);
	end_reservation();
}

static void test_named_node_is_reserved(void **state)
{
	job_record_t *job = kept_out(ESLURM_NODES_BUSY, 1, true);

	(void)state;
	expect_not_available(job, "ReqNodeNotAvail, May be reserved for other job");
	fake_node_down(1, true);
	passes_for(&bridge, 31);
	expect_not_available(job, "ReqNodeNotAvail, UnavailableNodes:n1");
	end_reservation();
}

/* The nodes of one partition are reserved, those of the other one are not all. */
static void test_reserved_in_one_partition(void **state)
{
	job_record_t *job, *none;

	(void)state;
	fake_part("slow", 0, 1);
	for (int i = 0; i < 4; i++)
		fill(i, 60);
	fake_kept_out.nodes = bit_alloc(node_record_count);
	bit_set(fake_kept_out.nodes, 0);
	bit_set(fake_kept_out.nodes, 1);
	list_append(resv_list, &(slurmctld_resv_t){ .start_time = time(NULL) + 3000,
						    .end_time = time(NULL) + 6000 });
	job = fake_job("all,slow", 100);
	none = fake_job("slow", 100);
	passes_for(&bridge, 1);
	assert_int_not_equal(job->state_reason, WAIT_NODE_NOT_AVAIL);
	expect_not_available(none, "ReqNodeNotAvail, May be reserved for other job");
	(void)list_pop(resv_list);
	FREE_NULL_BITMAP(fake_kept_out.nodes);
}

static bool say_reserved(job_record_t *job)
{
	struct lxfw_known_job *known = lxfw_table_find(&bridge.agent.jobs, job->job_id);

	assert_non_null(known);
	return lxfw_say_reserved(&bridge, job, &lxfw_own_of(known)->places);
}

/* If the tests of a pass took long, a part of the jobs is tested in the next one, and the others
   keep their reason. */
static void test_reserved_in_turn(void **state)
{
	job_record_t *job = kept_out(ESLURM_RESERVATION_MAINT, 0, false);
	int changes = 0;

	(void)state;
	bridge.reserved_cost.us = 70000;
	bridge.reserved_cost.parts = 1;
	bridge.agent.pass++;
	assert_true(say_reserved(job));
	assert_int_equal(bridge.reserved_cost.parts, 4);
	for (int i = 0; i < 4; i++) {
		fake_kept_out.error_code = ESLURM_RESERVATION_MAINT;
		bridge.reserved_cost.parts = 1;
		assert_true(say_reserved(job));
		fake_kept_out.error_code = ESLURM_NODES_BUSY;
		bridge.reserved_cost.parts = 4;
		bridge.reserved_cost.pass = ++bridge.agent.pass;
		assert_true(say_reserved(job));
		changes += strstr(job->state_desc, "May be reserved") != NULL;
	}
	assert_int_equal(changes, 1);
	/* No test begins when those of this pass have taken the time. */
	fake_kept_out.error_code = ESLURM_RESERVATION_MAINT;
	bridge.reserved_cost.parts = 1;
	bridge.reserved_cost.us = 20000;
	assert_true(say_reserved(job));
	assert_non_null(strstr(job->state_desc, "May be reserved"));
	bridge.reserved_cost.us = 0;
	assert_true(say_reserved(job));
	assert_non_null(strstr(job->state_desc, "maintenance"));
	end_reservation();
}

/* The partition of a job may be without nodes. */
static void test_no_nodes_to_name(void **state)
{
	job_record_t *job = kept_out(ESLURM_NODES_BUSY, 0, false);
	part_record_t *part = job->part_ptr;
	part_record_t empty = *part;

	(void)state;
	empty.node_bitmap = NULL;
	job->part_ptr = &empty;
	lxfw_say_not_available(job);
	assert_string_equal(job->state_desc, "ReqNodeNotAvail, May be reserved for other job");
	job->part_ptr = NULL;
	lxfw_say_not_available(job);
	job->part_ptr = part;
	end_reservation();
}

/* A reason of another kind stays. */
static void test_reserved_and_unlicensed(void **state)
{
	job_record_t *job;

	(void)state;
	fake_licenses_busy = true;
	job = kept_out(ESLURM_RESERVATION_MAINT, 0, false);
	job->license_list = list_create(NULL);
	passes_for(&bridge, 31);
	assert_int_equal(job->state_reason, WAIT_LICENSES);
	FREE_NULL_LIST(job->license_list);
	fake_licenses_busy = false;
	end_reservation();
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_licenses),
		TEST(test_lost_nodes),
		TEST(test_named_node_stays_lost),
		TEST(test_reserved_for_maintenance),
		TEST(test_too_few_nodes_are_left),
		TEST(test_enough_nodes_are_left),
		TEST(test_named_node_is_reserved),
		TEST(test_reserved_in_one_partition),
		TEST(test_reserved_in_turn),
		TEST(test_no_nodes_to_name),
		TEST(test_reserved_and_unlicensed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
