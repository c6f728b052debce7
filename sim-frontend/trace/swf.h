/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Standard Workload Format: one job a line, 18 fields, header comments
 * "; Key: value" (Feitelson's Parallel Workloads Archive, version 2.2).
 *
 * Fields are integers; fractions occur in real logs. Times that tell a moment
 * lose their fraction, lengths of time are rounded up (a job of 0.4 s did run),
 * everything else is rounded down. Every negative number means "not known" and
 * becomes -1, except that a job that ran must have a submit time. Columns after the 18th
 * are passed over.
 */
#ifndef LXFW_TRACE_SWF_H
#define LXFW_TRACE_SWF_H

#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/input.h"

/* Largest values taken: with them no sum over a trace can overflow. */
#define LXFW_SWF_TIME_MAX INT64_C(1000000000000)	/* s */
#define LXFW_SWF_PROCS_MAX INT64_C(2147483647)
#define LXFW_SWF_MEMORY_MAX INT64_C(1000000000000)	/* KB */

struct lxfw_swf_record {
	int64_t number;
	int64_t submit;			/* s */
	int64_t wait;			/* s */
	int64_t run;			/* s */
	int64_t used_procs;
	double cpu_time;		/* s per processor */
	int64_t used_memory;		/* KB per processor */
	int64_t requested_procs;
	int64_t requested_time;		/* s */
	int64_t requested_memory;	/* KB per processor */
	int64_t status;
	int64_t user, group;
	int64_t executable;
	int64_t queue, partition;
	int64_t preceding_job;
	int64_t think_time;		/* s */
};

/* Told of every header comment "; Key: value" as it is read. */
typedef int lxfw_swf_header_fn(void *context, const char *key, int key_length,
			       const char *value, int value_length);

/*
 * The next job. HEADER may be NULL; if it returns non-zero with errno set,
 * reading ends with -1. Returns 1, 0 at the end, -1 with errno and ERROR set.
 */
int lxfw_swf_next(struct lxfw_input *input, struct lxfw_swf_record *record,
		  lxfw_swf_header_fn *header, void *context,
		  struct lxfw_error *error);

#endif
