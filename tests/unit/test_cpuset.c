/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Shares applied to control groups: simulated by files for both versions, and real
 * cpusets of cgroup v1 if the test may create some.
 */
#include "plugins/slurm/spank-lxfw/cpuset.h"
#include "tests/unit/spank_children.h"

static struct lxfw_step step;
static struct lxfw_given given;

static int begin(void **state)
{
	step = (struct lxfw_step){
		.proc = "/proc", .node = "n1", .job = 17, .user = 1000,
	};
	given = (struct lxfw_given){ .count = 0 };
	return tree_begin(state);
}

static void give(const char *list)
{
	struct lxfw_cpus cpus;

	assert_int_equal(lxfw_cpus_parse(&cpus, list), 0);
	lxfw_given_add(&given, &cpus);
}

/* Find the groups of a simulated machine with this cgroup version. */
static bool find(struct lxfw_cpuset *cpuset, int version)
{
	char mounts[512];

	snprintf(mounts, sizeof(mounts),
		 "proc /proc proc rw 0 0\n"
		 "cgroup %s/freezer cgroup rw,freezer 0 0\n"
		 "%s %s %s rw,relatime%s 0 0\n", tree_folder,
		 version == 2 ? "cgroup2" : "cgroup", tree_folder,
		 version == 2 ? "cgroup2" : "cgroup",
		 version == 2 ? "" : ",cpuset");
	tree_file("mounts", mounts);
	return lxfw_cpuset_find(cpuset, tree_path("mounts"), &step);
}

#define V1 "slurm/uid_1000"
#define V2 "system.slice/n1_slurmstepd.scope/job_17"

static void test_v1(void **state)
{
	struct lxfw_cpuset cpuset;

	(void)state;
	assert_false(find(&cpuset, 1));
	tree_file(V1 "/cpuset.cpus", "0-3\n");
	tree_file(V1 "/job_17/cpuset.cpus", "0-3\n");
	tree_file(V1 "/job_17/step_batch/cpuset.cpus", "0-3\n");
	tree_file(V1 "/job_17/step_batch/task_0/cpuset.cpus", "0-3\n");
	tree_file(V1 "/job_17/step_0/cpuset.cpus", "0-1\n");
	tree_file(V1 "/job_170/cpuset.cpus", "0-3\n");
	assert_true(find(&cpuset, 1));
	give("0-3");
	assert_int_equal(lxfw_cpuset_apply(&cpuset, &given), 0);
	/* Fewer CPUs: all groups change except the step's, whose own set is within the
	 * share. */
	give("0-1");
	assert_true(lxfw_cpuset_apply(&cpuset, &given) > 0);
	assert_string_equal(tree_read(V1 "/cpuset.cpus"), "0-3\n");
	assert_string_equal(tree_read(V1 "/job_17/cpuset.cpus"), "0-1");
	assert_string_equal(tree_read(V1 "/job_17/step_batch/cpuset.cpus"), "0-1");
	assert_string_equal(tree_read(V1 "/job_17/step_batch/task_0/cpuset.cpus"), "0-1");
	assert_string_equal(tree_read(V1 "/job_17/step_0/cpuset.cpus"), "0-1\n");
	assert_string_equal(tree_read(V1 "/job_170/cpuset.cpus"), "0-3\n");
	assert_int_equal(lxfw_cpuset_apply(&cpuset, &given), 0);
	/* Other CPUs than the user had set. */
	give("4-7");
	assert_true(lxfw_cpuset_apply(&cpuset, &given) > 0);
	assert_string_equal(tree_read(V1 "/cpuset.cpus"), "0-7");
	assert_string_equal(tree_read(V1 "/job_17/cpuset.cpus"), "4-7");
	assert_string_equal(tree_read(V1 "/job_17/step_batch/task_0/cpuset.cpus"), "4-7");
	assert_string_equal(tree_read(V1 "/job_17/step_0/cpuset.cpus"), "4-7");
	assert_string_equal(tree_read(V1 "/job_170/cpuset.cpus"), "0-3\n");
}

/* A new leader does not know the previous share. */
static void test_new_leader(void **state)
{
	struct lxfw_cpuset cpuset;

	(void)state;
	tree_file(V1 "/cpuset.cpus", "0-7\n");
	tree_file(V1 "/job_17/cpuset.cpus", "2-3\n");
	tree_file(V1 "/job_17/step_0/cpuset.cpus", "2-3\n");
	tree_file(V1 "/job_17/step_1/cpuset.cpus", "2\n");
	assert_true(find(&cpuset, 1));
	give("0-5");
	assert_true(lxfw_cpuset_apply(&cpuset, &given) > 0);
	assert_string_equal(tree_read(V1 "/job_17/cpuset.cpus"), "0-5");
	assert_string_equal(tree_read(V1 "/job_17/step_0/cpuset.cpus"), "0-5");
	assert_string_equal(tree_read(V1 "/job_17/step_1/cpuset.cpus"), "2\n");
}

/* Groups of v2 without a value inherit from their parent. */
static void test_v2(void **state)
{
	struct lxfw_cpuset cpuset;

	(void)state;
	tree_file("cpuset.cpus", "");
	tree_file(V2 "/cpuset.cpus", "0-3\n");
	tree_file(V2 "/step_0/cpuset.cpus", "0-3\n");
	tree_file(V2 "/step_0/user/cpuset.cpus", "\n");
	tree_file(V2 "/step_0/user/task_0/cpuset.cpus", "3\n");
	tree_file(V2 "/step_0/user/task_1/memory.max", "max\n");
	assert_true(find(&cpuset, 2));
	assert_false(cpuset.in_user);
	give("0-3");
	give("0-1");
	assert_true(lxfw_cpuset_apply(&cpuset, &given) > 0);
	assert_string_equal(tree_read(V2 "/cpuset.cpus"), "0-1");
	assert_string_equal(tree_read(V2 "/step_0/cpuset.cpus"), "0-1");
	assert_string_equal(tree_read(V2 "/step_0/user/cpuset.cpus"), "\n");
	assert_string_equal(tree_read(V2 "/step_0/user/task_0/cpuset.cpus"), "0-1");
	assert_string_equal(tree_read("system.slice/cpuset.cpus"), "");
	assert_false(tree_has(V2 "/step_0/user/task_1/cpuset.cpus"));
}

/* The group of the node's own name is used, never that of another node. */
static void test_names(void **state)
{
	struct lxfw_cpuset cpuset;

	(void)state;
	tree_file("slurm_n2/uid_1000/job_17/cpuset.cpus", "0\n");
	tree_file("slurm/uid_1001/job_17/cpuset.cpus", "0\n");
	tree_file("slurm/uid_1000/job_18/cpuset.cpus", "0\n");
	assert_false(find(&cpuset, 1));
	assert_string_equal(cpuset.folder, "");
	assert_int_equal(lxfw_cpuset_apply(&cpuset, &given), 0);
	tree_file("slurm_n1/uid_1000/job_17/cpuset.cpus", "0\n");
	assert_true(find(&cpuset, 1));
	tree_file("system.slice/slurmstepd.scope/job_17/cpuset.cpus", "0\n");
	assert_true(find(&cpuset, 2));
	assert_false(lxfw_cpuset_find(&cpuset, "/nonexistent", &step));
}

/* The kernel refuses a change. This is reported, and other groups are changed. */
static void test_refused(void **state)
{
	struct lxfw_cpuset cpuset;

	(void)state;
	tree_file(V1 "/cpuset.cpus", "0-3\n");
	tree_file(V1 "/job_17/cpuset.cpus", "0-3\n");
	tree_file(V1 "/job_17/step_0/cpuset.cpus", "0-3\n");
	assert_true(find(&cpuset, 1));
	/* Root may write to any regular file. This one is a folder, which cannot be
	   read as a list. */
	assert_int_equal(unlink(tree_path(V1 "/cpuset.cpus")), 0);
	assert_int_equal(symlink("/dev/full", tree_path(V1 "/cpuset.cpus")), 0);
	give("0-1");
	assert_int_equal(lxfw_cpuset_apply(&cpuset, &given), -1);
	assert_int_equal(errno, EFBIG);
	assert_string_equal(tree_read(V1 "/job_17/cpuset.cpus"), "0-1");
	assert_string_equal(tree_read(V1 "/job_17/step_0/cpuset.cpus"), "0-1");
}

/* --- real cpusets */

#define MOUNT "/sys/fs/cgroup/cpuset"

static bool put(const char *folder, const char *name, const char *text)
{
	char path[256];
	FILE *file;
	bool good;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "w");
	if (!file)
		return false;
	good = fputs(text, file) >= 0;
	return fclose(file) == 0 && good;
}

static bool make_group(const char *folder)
{
	return (mkdir(folder, 0755) == 0 || errno == EEXIST) &&
	       put(folder, "cpuset.cpus", "0-1") &&
	       put(folder, "cpuset.mems", "0");
}

/* Processes in real cpusets: the kernel applies what is written. */
static void test_real(void **state)
{
	char top[64], user[96], job[128], job_step[160], number[32];
	struct lxfw_cpus all, first, second;
	struct lxfw_cpuset cpuset;
	bool good;
	pid_t child = 0;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	step.node = "lxfwtest";
	snprintf(top, sizeof(top), MOUNT "/slurm_lxfwtest");
	snprintf(user, sizeof(user), "%s/uid_1000", top);
	snprintf(job, sizeof(job), "%s/job_17", user);
	snprintf(job_step, sizeof(job_step), "%s/step_0", job);
	good = make_group(top) && make_group(user) && make_group(job) &&
	       make_group(job_step);
	if (good) {
		child = child_start("child", 3);
		snprintf(number, sizeof(number), "%ld", (long)child);
		assert_true(put(job_step, "cgroup.procs", number));
		assert_true(lxfw_cpuset_find(&cpuset, "/proc/self/mounts", &step));
		give("0-1");
		give("1");
		assert_true(lxfw_cpuset_apply(&cpuset, &given) > 0);
		assert_true(child_has(child, 3, &second));
		give("0");
		assert_true(lxfw_cpuset_apply(&cpuset, &given) > 0);
		assert_true(child_has(child, 3, &first));
		give("0-1");
		assert_true(lxfw_cpuset_apply(&cpuset, &given) > 0);
		assert_int_equal(lxfw_cpuset_apply(&cpuset, &given), 0);
		assert_true(child_has(child, 3, &all));
		/* A CPU that the machine does not have is refused. */
		give("0-1,500");
		assert_int_equal(lxfw_cpuset_apply(&cpuset, &given), -1);
		child_end(child);
	}
	rmdir(job_step);
	rmdir(job);
	rmdir(user);
	rmdir(top);
	if (!good) {
		print_message("# no cpusets of cgroup v1 that we may make\n");
		skip();
	}
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, begin, tree_end)

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		CASE(test_v1),
		CASE(test_new_leader),
		CASE(test_v2),
		CASE(test_names),
		CASE(test_refused),
		CASE(test_real),
	};

	child_main(count, arguments);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
