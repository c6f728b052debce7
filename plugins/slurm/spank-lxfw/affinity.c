/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/spank-lxfw/affinity.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A program that makes threads faster than they are found is met again at the
   next look. */
#define PASSES_MAX 8

/* To the front, from where it is or as a new one. */
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

static int apply_thread(struct lxfw_given *given, pid_t thread)
{
	const struct lxfw_cpus *share = &given->shares[0];
	struct lxfw_cpus has;

	lxfw_cpus_clear(&has);
	if (sched_getaffinity(thread, sizeof(has), has.word) < 0 ||
	    !lxfw_given_follows(given, &has))
		return 0;
	if (sched_setaffinity(thread, sizeof(*share), share->word) < 0)
		return 0;
	lxfw_cpus_clear(&has);
	if (sched_getaffinity(thread, sizeof(has), has.word) >= 0)
		given->made = has;
	return 1;
}

static int apply_process(struct lxfw_given *given,
			 const struct lxfw_step *step, pid_t pid)
{
	char path[512];
	const struct dirent *entry;
	int changed = 0;
	DIR *threads;

	snprintf(path, sizeof(path), "%s/%ld/task", step->proc, (long)pid);
	threads = opendir(path);
	if (!threads)
		return 0;
	while ((entry = readdir(threads)))
		if (isdigit((unsigned char)entry->d_name[0]))
			changed += apply_thread(given,
						(pid_t)atol(entry->d_name));
	closedir(threads);
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
						 processes.pids[i]);
		total += changed;
		if (changed == 0)
			break;
	}
	lxfw_processes_free(&processes);
	return total;
}
