/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dependencies of jobs on the end of others, as batch systems write them:
 *
 *   afterok:12:13_4,afterany:14      Slurm's --dependency
 *   afterok:12.server:13[4].server   OpenPBS
 *   done(12) && ended("13[4]")       LSF
 *
 * Whether the preceding job succeeded does not matter, since a job of a trace did run. Other
 * dependencies are counted: on a start, on one job of several, on the name of a job, and
 * Slurm's singleton.
 */
#ifndef LXFW_TRACE_DEPENDENCY_H
#define LXFW_TRACE_DEPENDENCY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim-frontend/trace/account_text.h"

/* A job that another one waits for. */
struct lxfw_dependency {
	int64_t number;		/* of the job or the array, 1 or more */
	int64_t task;		/* of the array; LXFW_DEPENDENCY_ALL, or LXFW_DEPENDENCY_SAME:
				   the one with the same number as that of the waiting job */
};

enum { LXFW_DEPENDENCY_ALL = -1, LXFW_DEPENDENCY_SAME = -2 };

/* A non-zero return value ends the enumeration. */
typedef int lxfw_dependency_fn(void *context, const struct lxfw_dependency *dependency);

/* Calls EACH for the jobs that TEXT names. *OTHERS is increased for each part of it that is of
   another kind or cannot be read. Returns 0, or the non-zero value that EACH returned. */
int lxfw_dependency_each(struct lxfw_slice text, lxfw_dependency_fn *each, void *context,
			 size_t *others);

/* Returns the dependencies in a command line of sbatch, salloc or srun: the value of
   --dependency or -d; empty if there is none. */
struct lxfw_slice lxfw_dependency_option(struct lxfw_slice line);

/* Returns whether such a line limits the tasks of an array that run at a time: "--array=1-9%2". */
bool lxfw_dependency_limits(struct lxfw_slice line);

#endif
