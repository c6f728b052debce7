/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/affinity.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Limit of passes over the processes. A program that creates threads faster than they
   are found is handled again by the next update. */
#define PASSES_MAX 8

/* Moves SHARE to the front, or adds it there. */
static void remember(struct lxfw_given *given, const struct lxfw_cpus *share)
{
	const struct lxfw_cpus copy = *share;
	unsigned at = 0;

	while (at < given->count && !lxfw_cpus_equal(&given->shares[at], &copy))
		at++;
	if (at == LXFW_GIVEN_MAX)
		at--;
	else if (at == given->count)
		given->count++;
	memmove(&given->shares[1], &given->shares[0],
		at * sizeof(given->shares[0]));
	given->shares[0] = copy;
}

void lxfw_given_add(struct lxfw_given *given, const struct lxfw_cpus *share)
{
	if (given->count && lxfw_cpus_equal(&given->shares[0], share))
		return;
	if (given->count)
		remember(given, &given->made);
	remember(given, share);
	given->made = *share;
}

void lxfw_given_missed(struct lxfw_given *given, const struct lxfw_cpus *had)
{
	const struct lxfw_cpus last = given->shares[0];

	remember(given, had);
	remember(given, &last);
}

bool lxfw_given_follows(const struct lxfw_given *given,
			const struct lxfw_cpus *has)
{
	unsigned i;

	if (given->count == 0 || lxfw_cpus_equal(has, &given->shares[0]) ||
	    lxfw_cpus_equal(has, &given->made))
		return false;
	for (i = 1; i < given->count; i++)
		if (lxfw_cpus_equal(has, &given->shares[i]))
			return true;
	return !lxfw_cpus_within(has, &given->shares[0]);
}

/* Sets the effective user of this thread only. The C library's function would set it
   for all threads of the process. */
static int become(uid_t user)
{
#ifdef SYS_setresuid32
	return (int)syscall(SYS_setresuid32, -1, user, -1);
#else
	return (int)syscall(SYS_setresuid, -1, user, -1);
#endif
}

/*
 * Sets the CPUs of THREAD as the job's user. The id may have been reused for another
 * thread, and Linux offers no way to prevent that. With the user's rights, the kernel
 * refuses to change threads of other users. The saved user id stays root's: the user's
 * processes can neither trace nor signal this process, and the effective user can be
 * restored.
 */
static int set_as(uid_t user, pid_t thread, const struct lxfw_cpus *cpus)
{
	uid_t own = geteuid();
	int result;

	if (own != user && become(user) < 0)
		return -1;
	result = sched_setaffinity(thread, sizeof(*cpus), cpus->word);
	/* This fails only if the kernel temporarily lacks memory. */
	while (own != user && become(own) < 0)
		usleep(1000);
	return result;
}

/* Applies the share to the thread NAME if it must follow. TASKS is the directory of its
   process's threads. Returns 1 if the thread was changed, else 0. */
static int apply_thread(struct lxfw_given *given, const struct lxfw_step *step,
			int tasks, const char *name)
{
	const struct lxfw_cpus *share = &given->shares[0];
	pid_t thread = (pid_t)atol(name);
	struct lxfw_cpus has;

	lxfw_cpus_clear(&has);
	if (sched_getaffinity(thread, sizeof(has), has.word) < 0 ||
	    !lxfw_given_follows(given, &has))
		return 0;
	/* The thread still belongs to this process, and not to another job of the same
	   user. */
	if (faccessat(tasks, name, F_OK, 0) < 0 ||
	    set_as(step->user, thread, share) < 0)
		return 0;
	lxfw_cpus_clear(&has);
	if (sched_getaffinity(thread, sizeof(has), has.word) >= 0)
		given->made = has;
	return 1;
}

static int apply_process(struct lxfw_given *given, const struct lxfw_step *step,
			 const struct lxfw_process *process)
{
	int folder = lxfw_process_open(step, process);
	int tasks = folder < 0 ? -1 : openat(folder, "task",
					     O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *threads = tasks < 0 ? NULL : fdopendir(tasks);
	const struct dirent *entry;
	int changed = 0;

	while (threads && (entry = readdir(threads)))
		if (isdigit((unsigned char)entry->d_name[0]))
			changed += apply_thread(given, step, tasks,
						entry->d_name);
	if (threads)
		closedir(threads);
	else if (tasks >= 0)
		close(tasks);
	if (folder >= 0)
		close(folder);
	return changed;
}

int lxfw_affinity_apply(struct lxfw_given *given,
			const struct lxfw_step *step)
{
	struct lxfw_processes processes = { 0 };
	int total = 0, pass;

	if (given->count == 0)
		return 0;
	for (pass = 0; pass < PASSES_MAX; pass++) {
		int changed = 0;
		size_t i;

		if (lxfw_processes_find(&processes, step) < 0) {
			total = -1;
			break;
		}
		for (i = 0; i < processes.count; i++)
			changed += apply_process(given, step,
						 &processes.list[i]);
		total += changed;
		if (changed == 0)
			break;
	}
	lxfw_processes_free(&processes);
	return total;
}
