/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The workload of a simulation: one compact record per job, in the order of the file. A
 * trace is read from a file in the Standard Workload Format or from the accounting of a
 * batch system (see log.h); the format is detected from the content.
 *
 * Processors are those requested, otherwise those used. The estimate is the requested
 * time, otherwise the run time. Jobs without run time or processors are left out and
 * counted. A run time of 0 means less than half a second and is replaced by 1 s. However,
 * a job with run time 0 that was cancelled (status 5) or used 0 processors never started
 * and has no run time.
 */
#ifndef LXFW_TRACE_TRACE_H
#define LXFW_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/needs.h"
#include "sim-frontend/trace/odd.h"

struct lxfw_trace_job {
	int64_t number;		/* job number in the trace; may not be unique */
	int64_t submit;		/* seconds */
	int64_t run;		/* seconds, 1 or more */
	int64_t limit;		/* requested time in seconds, 1 or more */
	int64_t wait;		/* as recorded, seconds; -1: unknown */
	int64_t memory_kb;	/* of the whole job; 0: none requested */
	int64_t used_memory_kb;	/* of the whole job; -1: unknown */
	int32_t procs;		/* 1 or more */
	int32_t min_procs;		/* minimum number of processors of an adaptive
					   job; 0: not adaptive. Set by
					   lxfw_adaptive_choose(), since logs do not
					   state it */
};

/* Returns the memory in MB that the job requests in total, rounded up. */
static inline int64_t lxfw_job_memory_mb(const struct lxfw_trace_job *job)
{
	return job->memory_kb / 1024 + (job->memory_kb % 1024 > 0);
}

/* Owner, queue and final status (column 11) of a job, as numbers in the log; -1:
   unknown. */
struct lxfw_trace_owner {
	int32_t user, group, queue, partition, status;
	int32_t request;	/* column 14: other requirements, see needs.h */
	bool no_limit;		/* the log states no limit: the job's limit is its run
				   time */
};

/* Columns 17 and 18: the preceding job, and the think time, the seconds from its end to the
   submission of this job. */
struct lxfw_trace_preceding {
	int64_t number;		/* of the preceding job; -1: none */
	int64_t think;		/* -1: unknown. The job then cannot start before the end of
				   the preceding one */
};

/* A job that was cancelled before it started. Its run time is 0, its wait ends with
   the cancellation, and its processors may be 0 if unknown. */
struct lxfw_trace_cancelled {
	struct lxfw_trace_job job;
	struct lxfw_trace_owner owner;
};

/* Meaning of the memory columns, requested (10) and used (7). */
enum lxfw_trace_memory {
	LXFW_MEMORY_KB_PER_PROC,	/* the format's own definition */
	LXFW_MEMORY_KB_PER_JOB,		/* LPC-EGEE */
	LXFW_MEMORY_BYTES_PER_JOB,	/* the wagap trace */
	LXFW_MEMORY_NONE,		/* ignore the columns */
};

struct lxfw_trace_header {
	char *key, *value;
};

struct lxfw_trace {
	struct lxfw_trace_job *jobs;	/* in the order of the file */
	size_t count, size;
	struct lxfw_trace_owner *owners;	/* parallel to the jobs, if requested */
	size_t owners_size;
	bool with_owners;
	/* Parallel to the jobs; NULL if no job of the log has a preceding job. */
	struct lxfw_trace_preceding *preceding;
	size_t preceding_size;
	/* Requirements on a cluster of different hosts, and the index of those of each
	   job. NULL if only processors and memory matter. */
	struct lxfw_needs *needs;
	uint32_t *need_of;
	uint32_t *order;	/* by submit time, stable; NULL if the jobs are in this
				   order */
	struct lxfw_trace_header *headers;
	size_t header_count, header_size;
	/* Numbers of jobs that were left out. */
	size_t no_run_time, no_procs;
	/* Jobs without run time that were cancelled before they started, in the order
	   of the file. Read only with owners. */
	struct lxfw_trace_cancelled *cancelled;
	size_t cancelled_count, cancelled_size;
	size_t zero_run;	/* number of jobs of run time 0, replaced by 1 s */
	/* Number of jobs submitted before the job on the previous line. */
	size_t out_of_order;
	bool hosts_named;	/* accounting records name two or more hosts */
	struct lxfw_odd odd;	/* lines of SWF that are no job; `told` states those of
				   accounting records */
	char *told;	/* summary of accounting records; NULL for SWF */
};

/* Reads PATH into *TRACE. MEMORY applies to SWF only. Returns 0, or -1 with errno and
   ERROR set and *TRACE empty. */
int lxfw_trace_read(struct lxfw_trace *trace, const char *path,
		    enum lxfw_trace_memory memory, struct lxfw_error *error);

/* As lxfw_trace_read(), with the owners of the jobs. */
int lxfw_trace_read_owners(struct lxfw_trace *trace, const char *path,
			   enum lxfw_trace_memory memory,
			   struct lxfw_error *error);

/* Makes a trace with owners of accounting records, after lxfw_log_finish(), without memory.
   Returns 0, or -1 with errno ENOMEM and *TRACE empty. */
struct lxfw_log;
int lxfw_trace_of_log(struct lxfw_trace *trace, const struct lxfw_log *log);

void lxfw_trace_clear(struct lxfw_trace *trace);

/*
 * Sets `needs`: the requirements on CLUSTER of the jobs of TRACE, which must have owners.
 * The Slurm partition of a job is its queue or, if CLUSTER has no partition of that name,
 * its partition by column 16. A job without a limit gets that of its partition. Jobs that
 * ran in a reservation of CLUSTER are left out. Does nothing if requirements have no
 * effect. Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_trace_take_needs(struct lxfw_trace *trace,
			  const struct lxfw_cluster *cluster);

/* If CLUSTER has more GRES than a simulation counts, chooses those that the jobs of TRACE
   request (cluster_extras.h). Call before lxfw_trace_take_needs(). Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_trace_choose_gres(const struct lxfw_trace *trace, struct lxfw_cluster *cluster);

/* Returns the requirements of the job at POSITION, or NULL. */
static inline const struct lxfw_need *
lxfw_trace_need(const struct lxfw_trace *trace, size_t position)
{
	return trace->need_of ? &trace->needs->needs[trace->need_of[position]] :
				NULL;
}

/* Copies the requirements of TRACE to COPY, which has the same jobs in the same
   positions. Returns 0, or -1 with errno ENOMEM. */
int lxfw_trace_copy_needs(struct lxfw_trace *copy, const struct lxfw_trace *trace);

/* Makes *COPY a trace with the jobs of TRACE, in the same positions and order, and their
   requirements, but no headers or owners. Returns 0, or -1 with errno ENOMEM and *COPY
   empty. */
int lxfw_trace_copy(struct lxfw_trace *copy, const struct lxfw_trace *trace);

/* Returns the requirements of a job of OWNER that is not among the jobs of the trace.
   Returns NULL if the trace has no requirements, or with errno ENOMEM. Valid until the
   next call. */
const struct lxfw_need *lxfw_trace_need_of(const struct lxfw_trace *trace,
					   const struct lxfw_cluster *cluster,
					   const struct lxfw_trace_owner *owner);

/* Returns the name of a number according to the header, "; Queue: 3 short" with KEY
   "Queue": the rest of the comment, empty if there is none. */
struct lxfw_slice lxfw_trace_name(const struct lxfw_trace *trace, const char *key,
				  int64_t number);

/* Returns the value of a header comment, or NULL. */
const char *lxfw_trace_header(const struct lxfw_trace *trace, const char *key);

/* Returns the processors of the machine according to the header (MaxProcs, otherwise
   MaxNodes), or 0 if unknown. */
int32_t lxfw_trace_procs(const struct lxfw_trace *trace);

/*
 * Keeps only the jobs for which KEEP returns true. *LEFT_OUT is the number of the others.
 * Returns 0, or -1 with errno ENOMEM.
 */
typedef bool lxfw_trace_keep_fn(void *context, const struct lxfw_trace_job *job);

int lxfw_trace_filter(struct lxfw_trace *trace, lxfw_trace_keep_fn *keep,
		      void *context, size_t *left_out);

/* Recomputes `order` after jobs were changed. Returns 0, or -1 with errno ENOMEM. */
int lxfw_trace_sort(struct lxfw_trace *trace);

/* Returns the position in `jobs` of the job with index I in order of submission. */
static inline size_t lxfw_trace_at(const struct lxfw_trace *trace, size_t i)
{
	return trace->order ? trace->order[i] : i;
}

#endif
