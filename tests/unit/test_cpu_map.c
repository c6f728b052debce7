/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The map from Slurm's cores to the machine's CPUs, for machines simulated by files. */
#include "plugins/slurm/compat/step.h"
#include "plugins/slurm/spank-lxfw/cpu_map.h"
#include "tests/unit/tree.h"

/* The map reported by slurmd, if a test sets it. */
static const char *slurmd_says;

int lxfw_step_machine_cpus(const struct lxfw_cpus *cores, struct lxfw_cpus *cpus)
{
	(void)cores;
	if (slurmd_says)
		return lxfw_cpus_parse(cpus, slurmd_says);
	errno = ENOSYS;
	return -1;
}

/* Add a CPU of a machine, with the CPUs of its core and its socket. */
static void cpu(unsigned number, const char *core, const char *socket)
{
	char name[64];

	snprintf(name, sizeof(name), "cpu%u/topology/thread_siblings_list", number);
	tree_file(name, core);
	snprintf(name, sizeof(name), "cpu%u/topology/core_siblings_list", number);
	tree_file(name, socket);
}

static void expect(const struct lxfw_cpu_map *map, const char *cores,
		   const char *want)
{
	struct lxfw_cpus asked, cpus;
	char text[256];

	assert_int_equal(lxfw_cpus_parse(&asked, cores), 0);
	lxfw_cpu_map_machine(map, &asked, &cpus);
	assert_int_equal(lxfw_cpus_format(&cpus, text, sizeof(text)), 0);
	assert_string_equal(text, want);
}

/* Two sockets of two cores with two threads each. Consecutive CPUs alternate between
   the sockets, and the second threads follow all first ones. */
static void test_round_the_sockets(void **state)
{
	struct lxfw_cpu_map map;

	(void)state;
	tree_file("present", "0-7\n");
	cpu(0, "0,4\n", "0,2,4,6\n");
	cpu(1, "1,5\n", "1,3,5,7\n");
	cpu(2, "2,6\n", "0,2,4,6\n");
	cpu(3, "3,7\n", "1,3,5,7\n");
	cpu(4, "0,4\n", "0,2,4,6\n");
	cpu(5, "1,5\n", "1,3,5,7\n");
	cpu(6, "2,6\n", "0,2,4,6\n");
	cpu(7, "3,7\n", "1,3,5,7\n");
	assert_int_equal(lxfw_cpu_map_read(&map, tree_folder), 0);
	assert_int_equal(map.count, 8);
	assert_int_equal(map.threads, 2);
	expect(&map, "0", "0,4");
	expect(&map, "1", "2,6");
	expect(&map, "0-1", "0,2,4,6");
	expect(&map, "2", "1,5");
	expect(&map, "3", "3,7");
	expect(&map, "0-3", "0-7");
	/* Configured with more CPUs than exist. */
	expect(&map, "4", "0,4");
	expect(&map, "5,7", "2-3,6-7");
	lxfw_cpu_map_free(&map);
}

/* Four sockets of two cores, numbered as in the comment of Slurm's own
   _compute_block_map(): 0 1 3 2 0 1 3 2. There sockets are ordered by id; here, as in
   hwloc, by their first CPU. */
static void test_blocks(void **state)
{
	struct lxfw_cpu_map map;
	unsigned i;

	(void)state;
	tree_file("present", "0-7\n");
	for (i = 0; i < 8; i++) {
		char core[8], socket[8];

		snprintf(core, sizeof(core), "%u\n", i);
		snprintf(socket, sizeof(socket), "%u,%u\n", i % 4, i % 4 + 4);
		cpu(i, core, socket);
	}
	assert_int_equal(lxfw_cpu_map_read(&map, tree_folder), 0);
	assert_int_equal(map.threads, 1);
	expect(&map, "0", "0");
	expect(&map, "1", "4");
	expect(&map, "2-3", "1,5");
	expect(&map, "0-7", "0-7");
	lxfw_cpu_map_free(&map);
}

/* A virtual machine without topology. CPUs may be missing. */
static void test_no_topology(void **state)
{
	struct lxfw_cpu_map map;

	(void)state;
	tree_file("present", "0,2-3\n");
	assert_int_equal(lxfw_cpu_map_read(&map, tree_folder), 0);
	assert_int_equal(map.count, 3);
	expect(&map, "0", "0");
	expect(&map, "1", "2");
	expect(&map, "0-63", "0,2-3");
	lxfw_cpu_map_free(&map);
}

/* Fast cores have two threads, slow ones have one. */
static void test_cores_of_two_kinds(void **state)
{
	struct lxfw_cpu_map map;

	(void)state;
	tree_file("present", "0-3\n");
	cpu(0, "0-1\n", "0-3\n");
	cpu(1, "0-1\n", "0-3\n");
	cpu(2, "2\n", "0-3\n");
	cpu(3, "3\n", "0-3\n");
	assert_int_equal(lxfw_cpu_map_read(&map, tree_folder), 0);
	assert_int_equal(map.threads, 1);
	expect(&map, "1-2", "1-2");
	lxfw_cpu_map_free(&map);
}

/* A list longer than the buffer is truncated, and describes fewer CPUs. */
static void test_long_list(void **state)
{
	static char list[LXFW_CPU_LIST_TEXT + 1];
	struct lxfw_cpu_map map;
	size_t length = 0;
	unsigned cpu;

	(void)state;
	for (cpu = 1000; length + 5 < sizeof(list); cpu += 2)
		length += (size_t)snprintf(list + length, sizeof(list) - length,
					   "%u,", cpu);
	assert_true(length >= LXFW_CPU_LIST_TEXT - 1);
	tree_file("present", list);
	assert_int_equal(lxfw_cpu_map_read(&map, tree_folder), -1);
	assert_int_equal(errno, EFBIG);
}

static void test_unreadable(void **state)
{
	struct lxfw_cpu_map map;

	(void)state;
	assert_int_equal(lxfw_cpu_map_read(&map, tree_path("nowhere")), -1);
	assert_int_equal(errno, ENOENT);
	assert_int_equal(map.count, 0);
	/* The map is unknown, and nothing is requested. */
	expect(&map, "0-3", "");
	slurmd_says = "1-2";
	expect(&map, "0-3", "1-2");
	slurmd_says = NULL;
	tree_file("present", "all\n");
	assert_int_equal(lxfw_cpu_map_read(&map, tree_folder), -1);
	assert_int_equal(errno, EINVAL);
	tree_file("present", "\n");
	assert_int_equal(lxfw_cpu_map_read(&map, tree_folder), -1);
	assert_int_equal(errno, EINVAL);
	assert_int_equal(map.count, 0);
	lxfw_cpu_map_free(&map);
}

/* slurmd's map takes precedence, except for CPUs that do not exist. */
static void test_slurmd(void **state)
{
	struct lxfw_cpu_map map;

	(void)state;
	tree_file("present", "0-1\n");
	assert_int_equal(lxfw_cpu_map_read(&map, tree_folder), 0);
	slurmd_says = "1";
	expect(&map, "0", "1");
	slurmd_says = "1-5";
	expect(&map, "0", "1");
	slurmd_says = "4-5";
	expect(&map, "0", "");
	slurmd_says = NULL;
	lxfw_cpu_map_free(&map);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_round_the_sockets,
						tree_begin, tree_end),
		cmocka_unit_test_setup_teardown(test_blocks, tree_begin,
						tree_end),
		cmocka_unit_test_setup_teardown(test_no_topology, tree_begin,
						tree_end),
		cmocka_unit_test_setup_teardown(test_cores_of_two_kinds,
						tree_begin, tree_end),
		cmocka_unit_test_setup_teardown(test_long_list, tree_begin,
						tree_end),
		cmocka_unit_test_setup_teardown(test_unreadable, tree_begin,
						tree_end),
		cmocka_unit_test_setup_teardown(test_slurmd, tree_begin,
						tree_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
