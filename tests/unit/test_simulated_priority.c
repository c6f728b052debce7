/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Priorities of priority/multifactor in a simulation: two users of one account share a
 * machine of two nodes with 10 processors each; every job takes all of it. Fair share
 * decides: of two users the one with more shares for his usage has factor 1, the other 1/2;
 * without usage both have 1.
 */
#include "sim-frontend/engine/simulation.h"
#include "sim-frontend/priority/simulated.h"
#include "tests/unit/file.h"

#define CONF \
	"PriorityType=priority/multifactor\n" \
	"PriorityWeightFairshare=10000\n" \
	"PriorityDecayHalfLife=7-0\n" \
	"AccountingStorageType=accounting_storage/slurmdbd\n" \
	"NodeName=n[1-2] CPUs=10\n" \
	"PartitionName=p Nodes=n[1-2]\n"

static struct lxfw_error error;
static struct lxfw_cluster cluster;
static struct lxfw_simulated simulated;
static struct lxfw_simulation sim;
static struct lxfw_simulation_options options;
static struct lxfw_trace_job jobs[4];
static struct lxfw_trace trace;

static struct lxfw_slice slice(const char *text)
{
	return (struct lxfw_slice) { text, strlen(text) };
}

static void begin(const char *conf, const char *assocs)
{
	const char *path = unit_file("slurm.conf", conf);

	trace = (struct lxfw_trace) { .jobs = jobs };
	options = (struct lxfw_simulation_options) { .pass = LXFW_PASS_TIMESTAMP };
	assert_int_equal(lxfw_cluster_read(&cluster, path, &error), 0);
	if (lxfw_simulated_begin(&simulated, path, &cluster,
				 assocs ? unit_file("assocs", assocs) : NULL, NULL, &error))
		fail_msg("%s", error.text);
}

static int end(void **state)
{
	(void)state;
	lxfw_simulation_clear(&sim);
	lxfw_simulated_clear(&simulated);
	lxfw_cluster_clear(&cluster);
	return 0;
}

/* A job of an hour of all processors. */
static void add(const char *user, int64_t submit)
{
	struct lxfw_simulated_job job;
	size_t at = trace.count++;

	jobs[at] = (struct lxfw_trace_job) {
		.number = (int64_t)at, .submit = submit, .run = 3600, .limit = 3600,
		.wait = -1, .procs = 20,
	};
	assert_int_equal(lxfw_simulated_find(&simulated, slice("a"), slice(user),
					     slice(""), -1, &job), 0);
	assert_int_equal(lxfw_simulated_add(&simulated, at + 1, &job), 0);
}

static void run(const char *policy)
{
	lxfw_simulated_finish(&simulated);
	lxfw_params_preset(&options.params, lxfw_policy_by_name(policy,
							       (int)strlen(policy)));
	options.priorities = &simulated.priorities;
	sim = (struct lxfw_simulation) {
		.trace = &trace, .cluster = &cluster, .options = &options,
	};
	if (lxfw_simulation_run(&sim, NULL, &error))
		fail_msg("%s", error.text);
}

/* `much` uses the machine while a job of his and a later one of `little` wait. At the
   submissions nobody has used anything, and both have priority 10000; the calculation of
   second 300 makes that of `much` 5000. */
static void test_usage_decides(void **state)
{
	(void)state;
	begin(CONF, NULL);
	add("much", 0);
	add("much", 10);
	add("little", 20);
	run("site");
	assert_int_equal(sim.starts[2], 3600);
	assert_int_equal(sim.starts[1], 7200);
}

/* The order of easy does not count priorities: the model is not asked. */
static void test_other_policies_do_not_ask(void **state)
{
	(void)state;
	begin(CONF, NULL);
	add("much", 0);
	add("much", 10);
	add("little", 20);
	run("easy");
	assert_int_equal(sim.starts[1], 3600);
	assert_int_equal(sim.starts[2], 7200);
}

/* Without a calculation in time both wait with what they had when they came. */
static void test_calculates_in_its_period(void **state)
{
	(void)state;
	begin(CONF "PriorityCalcPeriod=120:00\n", NULL);
	add("much", 0);
	add("much", 10);
	add("little", 20);
	run("site");
	assert_int_equal(sim.starts[1], 3600);
	assert_int_equal(sim.starts[2], 7200);
}

/* Both have used an hour when the machine is free: level fair share is shares / usage,
   0.1 / 0.5 against 0.9 / 0.5, and the second comes first though he came later. */
static void test_shares_decide(void **state)
{
	(void)state;
	begin(CONF, "Account|User|ParentName|Share\n"
		    "root|||1\na||root|1\na|one||1\na|two||9\n");
	add("one", 0);
	add("two", 1);
	add("one", 2);
	add("two", 3);
	run("site");
	assert_int_equal(sim.starts[1], 3600);
	assert_int_equal(sim.starts[3], 7200);
	assert_int_equal(sim.starts[2], 10800);
	assert_int_equal(simulated.jobs_without_assoc, 0);
}

static void test_counts_jobs_without_assoc(void **state)
{
	(void)state;
	begin(CONF, "Account|User|ParentName|Share\n"
		    "root|||1\na||root|1\na|one||1\n");
	add("stranger", 0);
	add("one", 0);
	run("site");
	assert_int_equal(simulated.jobs_without_assoc, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_usage_decides, end),
		cmocka_unit_test_teardown(test_other_policies_do_not_ask, end),
		cmocka_unit_test_teardown(test_calculates_in_its_period, end),
		cmocka_unit_test_teardown(test_shares_decide, end),
		cmocka_unit_test_teardown(test_counts_jobs_without_assoc, end),
	};

	return cmocka_run_group_tests(tests, unit_files_begin, unit_files_end);
}
