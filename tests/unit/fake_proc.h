/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A simulated /proc made of files, and the step whose processes are searched. */
#ifndef LXFW_TESTS_FAKE_PROC_H
#define LXFW_TESTS_FAKE_PROC_H

#include "plugins/slurm/spank-lxfw/processes.h"
#include "tests/unit/tree.h"

#define JOB 17
#define USER 1000
#define STEPD 100

static struct lxfw_step step;

/* Create a process. Entries of ENVIRONMENT are separated by '|'; CGROUP may be NULL. */
static inline void process(long pid, const char *name, long parent, unsigned user,
		    const char *cgroup, const char *environment)
{
	char file[64], text[512], *bar;
	size_t length;

	snprintf(file, sizeof(file), "%ld/status", pid);
	snprintf(text, sizeof(text),
		 "Name:\t%s\nUmask:\t0022\nState:\tS (sleeping)\nPid:\t%ld\n"
		 "PPid:\t%ld\nTracerPid:\t0\nUid:\t%u\t0\t0\t0\n",
		 name, pid, parent, user);
	tree_file(file, text);
	snprintf(file, sizeof(file), "%ld/stat", pid);
	snprintf(text, sizeof(text),
		 "%ld (%s) S %ld 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 %ld 23\n",
		 pid, name, parent, 1000 + pid);
	tree_file(file, text);
	snprintf(file, sizeof(file), "%ld/cgroup", pid);
	if (cgroup)
		tree_file(file, cgroup);
	snprintf(file, sizeof(file), "%ld/environ", pid);
	length = (size_t)snprintf(text, sizeof(text), "%s", environment) + 1;
	for (bar = text; (bar = strchr(bar, '|')); bar++)
		*bar = '\0';
	tree_write(file, text, length);
}

/* Setup of cmocka: init, slurmd, and the slurmstepd of the step. */
static inline int proc_begin(void **state)
{
	if (tree_begin(state) < 0)
		return -1;
	step = (struct lxfw_step){
		.proc = tree_folder, .node = "n1", .job = JOB, .user = USER,
		.daemon = STEPD,
	};
	/* The user who runs the tests also runs the daemons of this machine. */
	process(1, "init", 0, 0, NULL, "");
	process(50, "slurmd", 1, geteuid(), NULL, "");
	process(STEPD, "slurmstepd", 1, geteuid(), NULL, "");
	return 0;
}

#endif
