/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which processes belong to a job, with a /proc made of files. */
#include "tests/unit/fake_proc.h"

static bool is_found(const struct lxfw_processes *found, pid_t pid)
{
	size_t i;

	for (i = 0; i < found->count; i++)
		if (found->list[i].pid == pid)
			return true;
	return false;
}

/* Check that exactly these processes are found; PIDS are separated by spaces. */
static void expect(const char *pids)
{
	struct lxfw_processes found = { 0 };
	size_t count = 0;
	char *end;

	assert_int_equal(lxfw_processes_find(&found, &step), 0);
	while (*pids) {
		long pid = strtol(pids, &end, 10);

		assert_true(is_found(&found, (pid_t)pid));
		count++;
		pids = end + (*end == ' ');
	}
	assert_int_equal(found.count, count);
	lxfw_processes_free(&found);
}

static void test_descendants(void **state)
{
	(void)state;
	process(101, "bash", STEPD, USER, NULL, "");
	process(102, "a b) (c", 101, USER, NULL, "");
	process(103, "sudo", 101, 0, NULL, "");
	process(104, "child", 103, USER, NULL, "");
	process(105, "PPid:\t1", 104, USER, NULL, "");
	/* Slurm's own child, before it changes to the user. */
	process(106, "slurmstepd", STEPD, geteuid(), NULL, "");
	expect("101 102 104 105");
}

/* A descendant of another step belongs to that step, whatever its environment contains.
 */
static void test_other_steps(void **state)
{
	(void)state;
	process(200, "slurmstepd", 1, geteuid(), NULL, "");
	process(201, "bash", 200, USER, "0::/system.slice/slurmstepd.scope/job_17/step_1\n",
		"SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	process(202, "x", 201, USER, NULL, "SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	expect("");
}

/* A process that calls itself slurmstepd, or that runs a program of root through a
 * link, is not slurmstepd. */
static void test_impostors(void **state)
{
	(void)state;
	if (geteuid() == USER) {
		print_message("# run by user %u: no other user is available\n", USER);
		skip();
	}
	process(120, "slurmstepd", STEPD, USER, NULL, "");
	process(121, "x", 120, USER, NULL, "");
	process(122, "slurmstepd", 1, USER, NULL, "");
	process(123, "x", 122, USER, NULL, "SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	process(124, "slurmstepd", STEPD, geteuid(), NULL, "");
	process(125, "x", 124, USER, NULL, "");
	expect("120 121 123");
	tree_file("slurmstepd", "");
	tree_file("sudo", "");
	assert_int_equal(symlink("../slurmstepd", tree_path("100/exe")), 0);
	assert_int_equal(symlink("../sudo", tree_path("124/exe")), 0);
	expect("120 121 123 125");
	assert_int_equal(unlink(tree_path("124/exe")), 0);
	assert_int_equal(symlink("../slurmstepd", tree_path("124/exe")), 0);
	expect("120 121 123");
}

/* The process id was reused. */
static void test_recycled(void **state)
{
	struct lxfw_processes found = { 0 };
	struct lxfw_process before;
	int folder;

	(void)state;
	process(130, "a) 1 2 (b", STEPD, USER, NULL, "");
	assert_int_equal(lxfw_processes_find(&found, &step), 0);
	assert_int_equal(found.count, 1);
	before = found.list[0];
	assert_int_equal(before.start, 1130);
	folder = lxfw_process_open(&step, &before);
	assert_true(folder >= 0);
	close(folder);
	before.start++;
	assert_int_equal(lxfw_process_open(&step, &before), -1);
	assert_int_equal(errno, ESRCH);
	before.pid = 131;
	assert_int_equal(lxfw_process_open(&step, &before), -1);
	assert_int_equal(errno, ENOENT);
	lxfw_processes_free(&found);
}

/* The parents have ended: the environment identifies the job. */
static void test_orphans_by_environment(void **state)
{
	(void)state;
	process(301, "x", 1, USER, NULL, "A=1|SLURM_JOB_ID=17|B=|SLURMD_NODENAME=n1|C=2");
	process(302, "x", 1, USER, NULL, "SLURM_JOB_ID=170|SLURMD_NODENAME=n1");
	process(303, "x", 1, USER, NULL, "SLURM_JOB_ID=17|SLURMD_NODENAME=n11");
	process(304, "x", 1, USER, NULL, "SLURM_JOB_ID=17");
	process(305, "x", 1, USER + 1, NULL, "SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	process(306, "x", 1, USER, NULL, "XSLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	process(307, "x", 301, USER, NULL, "");
	process(308, "x", 999, USER, NULL, "SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	/* In no job's control group: as before. In another job's group: not part of
	 * this job. */
	process(309, "x", 1, USER, "1:name=systemd:/user.slice\n0::/\n",
		"SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	process(310, "x", 1, USER, "3:cpuset:/slurm/uid_1000/job_18/step_0\n",
		"SLURM_JOB_ID=17|SLURMD_NODENAME=n1");
	expect("301 308 309");
}

static void test_orphans_by_group(void **state)
{
	(void)state;
	process(401, "x", 1, USER, "4:cpuset:/slurm/uid_1000/job_17/step_batch/task_0\n", "");
	process(402, "x", 1, USER, "0::/system.slice/n1_slurmstepd.scope/job_17/step_extern/user\n", "");
	process(403, "x", 1, USER + 1, "0::/system.slice/slurmstepd.scope/job_17/step_0\n", "");
	process(404, "x", 1, USER, "0::/system.slice/n2_slurmstepd.scope/job_17/step_0\n", "");
	process(405, "x", 1, USER, "0::/user.slice/job_17/step_0\n", "");
	expect("401 402");
}

static const struct {
	const char *line;
	int job;
	const char *folder;
} groups[] = {
	{ "4:cpuset:/slurm/uid_1000/job_17/step_0/task_0", 1,
	  "4:cpuset:/slurm/uid_1000/job_17" },
	{ "4:cpuset:/slurm_n1/uid_1000/job_17", 1,
	  "4:cpuset:/slurm_n1/uid_1000/job_17" },
	{ "0::/system.slice/slurmstepd.scope/job_17/step_0\n", 1,
	  "0::/system.slice/slurmstepd.scope/job_17" },
	{ "0::/system.slice/n1_slurmstepd.scope/job_17/step_0", 1,
	  "0::/system.slice/n1_slurmstepd.scope/job_17" },
	{ "0::/kubepods/x/slurm/uid_1000/job_17/step_0", 1,
	  "0::/kubepods/x/slurm/uid_1000/job_17" },
	{ "4:cpuset:/slurm/uid_1000/job_170/step_0", -1, NULL },
	{ "4:cpuset:/slurm/uid_1000/job_1/step_0", -1, NULL },
	{ "4:cpuset:/slurm/uid_100/job_17/step_0", -1, NULL },
	{ "4:cpuset:/slurm_n12/uid_1000/job_17", -1, NULL },
	{ "0::/system.slice/n_slurmstepd.scope/job_17", -1, NULL },
	{ "0::/system.slice/slurmstepd.scope/system", 0, NULL },
	{ "0::/job_17", 0, NULL },
	{ "0::/", 0, NULL },
	{ "4:cpuset:", 0, NULL },
	{ "", 0, NULL },
	{ "/////\n", 0, NULL },
};

static void test_groups(void **state)
{
	size_t i, length;

	(void)state;
	for (i = 0; i < sizeof(groups) / sizeof(*groups); i++) {
		length = 0;
		assert_int_equal(lxfw_cgroup_job(groups[i].line, &step, &length),
				 groups[i].job);
		if (groups[i].folder)
			assert_int_equal(length, strlen(groups[i].folder));
	}
}

/* Data may be inconsistent when it is read while it changes. That must do no harm. */
static void test_nonsense(void **state)
{
	(void)state;
	process(501, "x", 502, USER, "", "");
	process(502, "x", 501, USER, "", "");
	process(503, "x", 503, USER, "", "");
	tree_file("504/status", "");
	tree_file("505/status", "PPid:\nUid:");
	tree_file("506/status", "Name:\tx\nPPid:\t100\n");
	tree_file("507/environ", "");
	expect("");
}

static void test_no_proc(void **state)
{
	struct lxfw_processes found = { 0 };

	(void)state;
	step.proc = "/nonexistent";
	assert_int_equal(lxfw_processes_find(&found, &step), -1);
	assert_int_equal(errno, ENOENT);
	lxfw_processes_free(&found);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, proc_begin, tree_end)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_descendants),
		CASE(test_other_steps),
		CASE(test_impostors),
		CASE(test_recycled),
		CASE(test_orphans_by_environment),
		CASE(test_orphans_by_group),
		CASE(test_groups),
		CASE(test_nonsense),
		CASE(test_no_proc),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
