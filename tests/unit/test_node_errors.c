/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The node side with a failing system call, each in turn: no file stays open or locked,
 * no process of another user is touched, and the next pass corrects the result.
 * Everything is repeated with file descriptor 0 for the first file, as in a daemon
 * without standard input.
 */
#include "plugins/slurm/compat/step.h"
#include "plugins/slurm/spank-lxfw/affinity.h"
#include "plugins/slurm/spank-lxfw/cpu_map.h"
#include "plugins/slurm/spank-lxfw/cpuset.h"
#include "plugins/slurm/spank-lxfw/share_dir.h"
#include "tests/unit/fake_proc.h"
#include "tests/unit/spank_children.h"

#include <fcntl.h>

/* More calls than any test makes. */
#define CALLS_MOST 2000

static int files_before;
static int stride;	/* distance between the calls that fail */

int lxfw_step_machine_cpus(const struct lxfw_cpus *cores, struct lxfw_cpus *cpus)
{
	*cpus = *cores;
	return 0;
}

static int begin(void **state)
{
	if (proc_begin(state) < 0)
		return -1;
	files_before = calls_open_files();
	stride = 1;
	return 0;
}

static int begin_without_input(void **state)
{
	close(STDIN_FILENO);
	if (begin(state) < 0)
		return -1;
	stride = 7;
	return 0;
}

static int end(void **state)
{
	bool same = calls_open_files() == files_before;

	if (fcntl(STDIN_FILENO, F_GETFD) < 0 &&
	    open("/dev/null", O_RDONLY | O_CLOEXEC) != STDIN_FILENO)
		return -1;
	return tree_end(state) || !same ? -1 : 0;
}

static struct lxfw_cpus cpus_of(const char *list)
{
	struct lxfw_cpus cpus;

	assert_int_equal(lxfw_cpus_parse(&cpus, list), 0);
	return cpus;
}

/* --- the folder of a job ------------------------------------------------ */

static struct lxfw_node_share share_of(unsigned processors)
{
	struct lxfw_node_share share = { .processors = processors };

	share.cores = cpus_of("0-1");
	return share;
}

/* Use a folder as a step does, until a call fails. */
static void use_folder(void)
{
	struct lxfw_node_share share = share_of(2), read;
	struct lxfw_job_share *jobs;
	struct lxfw_share_dir dir;
	size_t count;

	if (lxfw_share_dir_open(&dir, tree_path("base"), "n1", JOB) == 0) {
		(void)lxfw_share_dir_used(tree_path("base"), "n1", JOB);
		lxfw_share_dir_sweep(&dir);
		(void)lxfw_share_dir_leads(&dir);
		(void)lxfw_share_dir_asks(&dir);
		(void)lxfw_share_dir_begin(&dir, &share, &share.cores);
		if (lxfw_share_dir_jobs(&dir, &jobs, &count) == 0)
			free(jobs);
		share = share_of(1);
		(void)lxfw_share_dir_tell(&dir, JOB, &share);
		/* Either the old content or the new one. */
		if (lxfw_share_dir_read(&dir, &read) == LXFW_SHARE_READ)
			assert_true(read.processors == 1 || read.processors == 2);
	}
	lxfw_share_dir_close(&dir);
}

/* The next step can use the folder, and leaves nothing behind. */
static void expect_free_folder(void)
{
	struct lxfw_node_share share = share_of(2);
	struct lxfw_share_dir dir;

	assert_false(lxfw_share_dir_used(tree_path("base"), "n1", JOB));
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), "n1", JOB), 0);
	assert_true(lxfw_share_dir_leads(&dir));
	assert_true(lxfw_share_dir_asks(&dir));
	assert_int_equal(lxfw_share_dir_begin(&dir, &share, &share.cores), 0);
	lxfw_share_dir_sweep(&dir);
	lxfw_share_dir_close(&dir);
	assert_int_equal(calls_open_files(), files_before);
	assert_int_equal(rmdir(tree_path("base")), 0);
}

static void test_folder(void **state)
{
	static const int reasons[] = { EIO, 0 };
	bool failed;
	int nth;

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (failed = true, nth = 1; failed; nth += stride) {
			assert_true(nth < CALLS_MOST);
			calls_arm(nth, reasons[i]);
			use_folder();
			failed = calls_disarm();
			assert_int_equal(calls_open_files(), files_before);
			expect_free_folder();
		}
		assert_true(nth > 2);
	}
}

/* A failed write is reported, and the file keeps its content. */
static void test_written_or_not(void **state)
{
	static const int reasons[] = { EIO, ENOSPC, 0 };
	struct lxfw_node_share old = share_of(2), fresh = share_of(1), read;
	struct lxfw_share_dir dir;
	bool failed = true;
	int nth, result, why;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		for (failed = true, nth = 1; failed; nth += stride) {
			assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"),
							     "n1", JOB), 0);
			assert_int_equal(lxfw_share_dir_begin(&dir, &old,
							      &old.cores), 0);
			calls_arm(nth, reasons[i]);
			result = lxfw_share_dir_begin(&dir, &fresh, &fresh.cores);
			why = errno;
			failed = calls_disarm();
			assert_int_equal(lxfw_share_dir_read(&dir, &read),
					 LXFW_SHARE_READ);
			assert_in_range(read.processors, 1, 2);
			if (result < 0)
				assert_int_equal(why, reasons[i] ? reasons[i] : EIO);
			else
				assert_string_equal(tree_read("base/n1.17/count"),
						    "1\n");
			lxfw_share_dir_close(&dir);
			assert_int_equal(rmdir(tree_path("base")), 0);
		}
	}
}

/* Any of its files may have descriptor 0; an absent file has none. */
static void test_numbers_of_files(void **state)
{
	struct lxfw_share_dir dir;
	int taken = fcntl(STDIN_FILENO, F_DUPFD, 0);

	(void)state;
	assert_false(lxfw_share_dir_used(tree_path("base"), "n1", JOB));
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), "n1", JOB), 0);
	if (taken >= 0)
		close(STDIN_FILENO);
	else if (dir.base == STDIN_FILENO)
		assert_true((dir.base = dup(STDIN_FILENO)) > 0 &&
			    close(STDIN_FILENO) == 0);
	assert_true(lxfw_share_dir_asks(&dir));
	assert_int_equal(dir.asker, STDIN_FILENO);
	assert_true(lxfw_share_dir_leads(&dir));
	lxfw_share_dir_close(&dir);
	assert_false(tree_has("base/n1.asker"));
	assert_int_equal(rmdir(tree_path("base")), 0);
	if (taken >= 0) {
		assert_int_equal(dup2(taken, STDIN_FILENO), STDIN_FILENO);
		close(taken);
	}
}

/* Folders of killed steps are removed or stay; no file stays open. */
static void test_sweep(void **state)
{
	struct lxfw_share_dir dir;

	(void)state;
	assert_int_equal(lxfw_share_dir_open(&dir, tree_path("base"), "n1", JOB), 0);
	tree_file("base/n1.6/users", "");
	assert_int_equal(mkdir(tree_path("base/n1.7"), 0755), 0);
	lxfw_share_dir_sweep(&dir);
	assert_false(tree_has("base/n1.6"));
	assert_false(tree_has("base/n1.7"));
	lxfw_share_dir_close(&dir);
	assert_int_equal(rmdir(tree_path("base")), 0);
}

/* --- owner of a process */

static void people_proc(void)
{
	process(101, "x", STEPD, USER, NULL, "");
	process(102, "x", 1, USER, "0::/system.slice/slurmstepd.scope/job_17/step_0\n", "");
	process(103, "x", 1, USER, NULL, "SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	process(104, "x", 1, USER, "0::/system.slice/slurmstepd.scope/job_18/step_0\n",
		"SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	process(105, "x", STEPD, USER + 1, NULL, "SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
}

/* A process that cannot be read completely is left out, or found in the next pass. A
   process of another job or user is never returned. */
static void test_processes(void **state)
{
	struct lxfw_processes found = { 0 };
	size_t i, most = 0;
	bool failed = true;
	int nth;

	(void)state;
	people_proc();
	for (nth = 1; failed; nth += stride) {
		assert_true(nth < CALLS_MOST);
		calls_arm(nth, EIO);
		if (lxfw_processes_find(&found, &step) < 0) {
			assert_int_equal(errno, EIO);
			assert_int_equal(found.count, 0);
		}
		failed = calls_disarm();
		assert_int_equal(calls_open_files(), files_before);
		for (i = 0; i < found.count; i++)
			assert_in_range(found.list[i].pid, 101, 103);
		most = found.count > most ? found.count : most;
	}
	assert_int_equal(most, 3);
	assert_int_equal(found.count, 3);
	lxfw_processes_free(&found);
}

/* The folder is that of the process that was found, or none. */
static void test_process_open(void **state)
{
	struct lxfw_process ours = { .pid = 101, .start = 1101 };
	bool failed = true;
	int nth, folder = -1;

	(void)state;
	people_proc();
	for (nth = 1; failed; nth += stride) {
		assert_true(nth < CALLS_MOST);
		calls_arm(nth, EIO);
		folder = lxfw_process_open(&step, &ours);
		failed = calls_disarm();
		assert_true(failed || folder >= 0);
		if (folder >= 0)
			close(folder);
		assert_int_equal(calls_open_files(), files_before);
	}
	/* The process has ended, and its id was reused. */
	ours.start = 1100;
	assert_int_equal(lxfw_process_open(&step, &ours), -1);
	assert_int_equal(errno, ESRCH);
	tree_file("101/stat", "101 (x) S 1 5 6\n");
	assert_int_equal(lxfw_process_open(&step, &ours), -1);
	assert_int_equal(calls_open_files(), files_before);
}

/* --- applying a share */

static void test_threads(void **state)
{
	struct lxfw_cpus all, first, second;
	bool failed = true;
	pid_t child;
	int nth;

	(void)state;
	if (!child_cpus(&all, &first, &second))
		skip();
	child = child_start("child", 2);
	step.proc = "/proc";
	step.user = getuid();
	step.daemon = getpid();
	/* Reading other processes takes too many calls to fail each of them. */
	for (nth = 1; failed && nth < 40; nth += 3 * stride) {
		struct lxfw_given given = { .count = 0 };

		lxfw_given_add(&given, &all);
		lxfw_given_add(&given, nth % 2 ? &first : &second);
		calls_arm(nth, EIO);
		(void)lxfw_affinity_apply(&given, &step);
		failed = calls_disarm();
		assert_int_equal(calls_open_files(), files_before);
		assert_true(lxfw_affinity_apply(&given, &step) >= 0);
		assert_true(child_has(child, 2, nth % 2 ? &first : &second));
		assert_int_equal(calls_open_files(), files_before);
	}
	child_end(child);
}

#define USER_GROUP "slurm/uid_1000"

static void make_groups(struct lxfw_cpuset *cpuset)
{
	char mounts[256];

	snprintf(mounts, sizeof(mounts), "cgroup %s cgroup rw,cpuset 0 0\n",
		 tree_folder);
	tree_file("mounts", mounts);
	tree_file(USER_GROUP "/cpuset.cpus", "0-7\n");
	tree_file(USER_GROUP "/job_17/cpuset.cpus", "2-3\n");
	tree_file(USER_GROUP "/job_17/step_0/cpuset.cpus", "2-3\n");
	tree_file(USER_GROUP "/job_17/step_0/task_0/cpuset.cpus", "2-3\n");
	tree_file(USER_GROUP "/job_17/step_1/cpuset.cpus", "2\n");
	assert_true(lxfw_cpuset_find(cpuset, tree_path("mounts"), &step));
}

/* Only some groups were changed. This is reported, and the next pass changes the
   others. The leader started after the groups were created. */
static void test_groups(void **state)
{
	static const int reasons[] = { EBUSY, 0 };
	struct lxfw_cpus share = cpus_of("0-5"), narrow = cpus_of("3-4");
	struct lxfw_cpuset cpuset;
	bool failed;
	int nth, result;

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		const char *want = i % 2 ? "3-4" : "0-5";

		for (failed = true, nth = 1; failed; nth += stride) {
			struct lxfw_given given = { .count = 0 };

			assert_true(nth < CALLS_MOST);
			make_groups(&cpuset);
			lxfw_given_add(&given, i % 2 ? &narrow : &share);
			calls_arm(nth, reasons[i / 2]);
			errno = 0;
			result = lxfw_cpuset_apply(&cpuset, &given);
			failed = calls_disarm();
			assert_int_equal(calls_open_files(), files_before);
			if (failed && result < 0)
				assert_true(errno == (reasons[i / 2] ?
						      reasons[i / 2] : EIO));
			/* Files of this test accept partial writes; files of the kernel
			   do not. */
			if (failed && !reasons[i / 2]) {
				assert_int_equal(result, -1);
				continue;
			}
			(void)lxfw_cpuset_apply(&cpuset, &given);
			assert_string_equal(tree_read(USER_GROUP "/job_17/cpuset.cpus"), want);
			assert_string_equal(tree_read(USER_GROUP "/job_17/step_0/cpuset.cpus"), want);
			assert_string_equal(tree_read(USER_GROUP "/job_17/step_0/task_0/cpuset.cpus"), want);
			assert_int_equal(lxfw_cpuset_apply(&cpuset, &given), 0);
		}
	}
}

static void test_cpu_map(void **state)
{
	struct lxfw_cpu_map map;
	bool failed = true;
	int nth;

	(void)state;
	tree_file("present", "0-1\n");
	tree_file("cpu0/topology/thread_siblings_list", "0-1\n");
	tree_file("cpu1/topology/thread_siblings_list", "0-1\n");
	for (nth = 1; failed; nth += stride) {
		calls_arm(nth, EIO);
		if (lxfw_cpu_map_read(&map, tree_folder) < 0)
			assert_true(nth <= 2 && errno == EIO && !map.machine);
		else
			assert_int_equal(map.count, 2);
		failed = calls_disarm();
		assert_int_equal(calls_open_files(), files_before);
		lxfw_cpu_map_free(&map);
	}
	assert_true(nth > 3);	/* at least this many calls */
}

#define CASE(name)                                                         \
	cmocka_unit_test_setup_teardown(name, begin, end),                 \
	{ #name "_without_input", name, begin_without_input, end, NULL }

int main(int count, char **arguments)
{
	const struct CMUnitTest tests[] = {
		CASE(test_folder),
		CASE(test_written_or_not),
		CASE(test_numbers_of_files),
		CASE(test_sweep),
		CASE(test_processes),
		CASE(test_process_open),
		CASE(test_threads),
		CASE(test_groups),
		CASE(test_cpu_map),
	};

	child_main(count, arguments);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
