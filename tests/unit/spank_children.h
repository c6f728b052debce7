/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Real processes with threads, for tests of CPU sets. main() of a test calls
 * child_main() first, because the test executes itself as the child.
 */
#ifndef LXFW_TESTS_SPANK_CHILDREN_H
#define LXFW_TESTS_SPANK_CHILDREN_H

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "plugins/slurm/spank-lxfw/cpu_list.h"
#include "tests/unit/tree.h"

#define CHILD_JOB 4711
#define CHILD_NODE "testnode"

static void *child_thread(void *unused)
{
	(void)unused;
	while (pause() < 0)
		;
	return NULL;
}

/* In the child: start threads, then create the file that reports it; never returns. A
   child ends when the test ends. */
static inline void child_main(int count, char **arguments)
{
	pthread_t thread;
	FILE *file;
	int i;

	if (count != 4 || strcmp(arguments[1], "--child") != 0)
		return;
	alarm(120);
	for (i = 1; i < atoi(arguments[2]); i++)
		if (pthread_create(&thread, NULL, child_thread, NULL) != 0)
			_exit(1);
	file = fopen(arguments[3], "w");
	if (!file || fprintf(file, "%ld\n", (long)getpid()) < 0 || fclose(file))
		_exit(1);
	child_thread(NULL);
	_exit(1);
}

/* Execute the child. PID is written to the file NAME when its threads run. */
static inline void child_run(const char *name, int threads, uint32_t job)
{
	char number[16], id[32];
	char *arguments[] = { (char *)"test", (char *)"--child", number,
			      (char *)tree_path(name), NULL };
	char *environment[] = { id, (char *)"SLURMD_NODENAME=" CHILD_NODE, NULL };

	snprintf(number, sizeof(number), "%d", threads);
	snprintf(id, sizeof(id), "SLURM_JOB_ID=%u", (unsigned)job);
	execve("/proc/self/exe", arguments, environment);
	_exit(1);
}

/* Start a child and return its pid. */
static inline pid_t child_start(const char *name, int threads)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		child_run(name, threads, 1);
	tree_await(atol(tree_read(name)) == pid);
	return pid;
}

/* Start a process in a new session whose parent has ended, and return its pid. */
static inline pid_t child_start_orphan(const char *name, int threads, uint32_t job)
{
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		if (fork() == 0) {
			setsid();
			child_run(name, threads, job);
		}
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	tree_await(atol(tree_read(name)) > 0);
	return (pid_t)atol(tree_read(name));
}

static inline void child_end(pid_t pid)
{
	kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
}

/* True if the process has COUNT threads, all with exactly these CPUs. */
static inline bool child_has(pid_t pid, int count, const struct lxfw_cpus *cpus)
{
	char path[64];
	const struct dirent *entry;
	bool all = true;
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%ld/task", (long)pid);
	threads = opendir(path);
	assert_non_null(threads);
	while ((entry = readdir(threads))) {
		struct lxfw_cpus has;

		if (entry->d_name[0] == '.')
			continue;
		lxfw_cpus_clear(&has);
		assert_true(sched_getaffinity((pid_t)atol(entry->d_name),
					      sizeof(has), has.word) >= 0);
		all = all && lxfw_cpus_equal(&has, cpus);
		count--;
	}
	closedir(threads);
	return all && count == 0;
}

/* Get the CPUs that this process may use, and the first and the second of them. Return
   false if there is only one. */
static inline bool child_cpus(struct lxfw_cpus *all, struct lxfw_cpus *first,
			      struct lxfw_cpus *second)
{
	unsigned cpu, count = 0;

	lxfw_cpus_clear(all);
	lxfw_cpus_clear(first);
	lxfw_cpus_clear(second);
	assert_true(sched_getaffinity(0, sizeof(*all), all->word) >= 0);
	for (cpu = 0; cpu < LXFW_CPU_LIMIT && count < 2; cpu++)
		if (lxfw_cpus_has(all, cpu))
			lxfw_cpus_add(count++ ? second : first, cpu);
	if (count == 2)
		return true;
	print_message("# one CPU only: nothing to move between\n");
	return false;
}

#endif
