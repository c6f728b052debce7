/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Standard Workload Format: one job per line, 18 fields, header comments "; Key:
 * value" (Feitelson's Parallel Workloads Archive, version 2.2).
 *
 * Fields are integers, but fractions occur in real logs. Points in time are truncated,
 * durations are rounded up (a job of 0.4 s did run), other fields are rounded down. A
 * negative number means "unknown" and becomes -1; the submit time of a job that ran must
 * be known. Columns after the 18th are ignored.
 */
#ifndef LXFW_TRACE_SWF_H
#define LXFW_TRACE_SWF_H

#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/odd.h"

/* Maximum values. They ensure that no sum over a trace overflows. */
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

/* Called for each header comment "; Key: value" when it is read. */
typedef int lxfw_swf_header_fn(void *context, const char *key, int key_length,
			       const char *value, int value_length);

/*
 * Reads the next job. Lines that are no job are added to ODD; the caller calls
 * lxfw_odd_judge() at the end. HEADER may be NULL. If HEADER returns non-zero with errno set,
 * the function returns -1. Returns 1, 0 at the end, or -1 with errno and ERROR set.
 */
int lxfw_swf_next(struct lxfw_input *input, struct lxfw_swf_record *record,
		  lxfw_swf_header_fn *header, void *context, struct lxfw_odd *odd,
		  struct lxfw_error *error);

#endif
