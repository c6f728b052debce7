/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Dependencies of the jobs of an accounting log, in a trace.
 *
 * The submission of a job in a trace is when it became eligible, so its dependencies are in it. A
 * simulation in which the preceding jobs end at other times needs the jobs themselves. Columns 17
 * and 18 of the Standard Workload Format have the preceding job that ended last, and the seconds
 * from its end until the job was eligible; -1 if the job was submitted after that end, for it then
 * did not wait. A header comment has what the columns cannot state:
 *
 *   ; Dependency: 17 40 12,13	job 17 was submitted at 40, and waited for the jobs 12 and 13
 *
 * A long list takes several of them. Preceding jobs that are not among the records, never
 * started, or ended after the start of the job are left out.
 */
#ifndef LXFW_TRACE_LOG_DEPENDENCIES_H
#define LXFW_TRACE_LOG_DEPENDENCIES_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/swf.h"

/* Most preceding jobs of a job. Of more, those that ended last are kept. */
#define LXFW_DEPENDENCIES_MOST 100

/* {0} is empty. */
struct lxfw_log_dependencies {
	struct lxfw_log_dependent {
		size_t record;		/* position of the job in the log */
		int64_t submit;		/* its own submission, seconds since 1970 */
		int64_t task;		/* of an array; -1: none */
		size_t first, count;	/* in `wanted` */
	} *jobs;
	size_t count, size;
	struct lxfw_log_wanted {
		int64_t number, task;
	} *wanted;
	size_t wanted_count, wanted_size;
	/* Tasks of arrays: the array's number is not that of the job in some logs. */
	struct lxfw_log_task {
		int64_t array, task;
		size_t record;
	} *tasks;
	size_t task_count, tasks_size;
	char **lines;			/* of the header comments */
	size_t line_count, lines_size;
	size_t dependent;		/* number of jobs with a preceding job */
	size_t lost;			/* number of jobs with dependencies, none of which is kept */
	size_t others;			/* dependencies of other kinds */
	size_t cut;			/* jobs with more than LXFW_DEPENDENCIES_MOST */
};

/* Adds the dependencies of ACCOUNT, whose record has the position RECORD, and its place in an
   array. Returns 0, or -1 with errno ENOMEM. */
int lxfw_log_dependencies_add(struct lxfw_log_dependencies *of, const struct lxfw_account *account,
			      size_t record);

/* Sets columns 17 and 18 of RECORDS and the header comments. Records are sorted, with times
   relative to BEGIN; `think_time` has the position in the log and `preceding_job` is -1.
   Columns of jobs without dependencies become -1. Returns 0, or -1 with errno ENOMEM. */
int lxfw_log_dependencies_settle(struct lxfw_log_dependencies *of,
				 struct lxfw_swf_record *records, size_t count, int64_t begin);

/* Preserves errno. */
void lxfw_log_dependencies_clear(struct lxfw_log_dependencies *of);

#endif
