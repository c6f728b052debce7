/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A workload as the simulator needs it: one compact record a job, in the order
 * of the trace, read from a file in the Standard Workload Format or, told apart by
 * its content, from a batch system's accounting (see log.h).
 *
 * What a trace means: processors are the requested ones, else the used; the
 * estimate is the requested time, else the run time. Jobs with no run time or
 * no processors are left out and counted. A run time of 0 is one of less than half a
 * second, and counts as 1 s: but where the job was cancelled (status 5) or used 0
 * processors it never started, and has none.
 */
#ifndef LXFW_TRACE_TRACE_H
#define LXFW_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/needs.h"

struct lxfw_trace_job {
	int64_t number;		/* as the trace calls it; need not be unique */
	int64_t submit;		/* s */
	int64_t run;		/* s, 1 or more */
	int64_t limit;		/* requested time in s, 1 or more */
	int64_t wait;		/* as recorded, s; -1 = not known */
	int64_t memory_kb;	/* of the whole job; 0 = none asked */
	int64_t used_memory_kb;	/* of the whole job; -1 = not known */
	int32_t procs;		/* 1 or more */
	int32_t min_procs;		/* the fewest that it can do with if it is adaptive;
				   0 = it keeps what it asks for. No log tells:
				   see adaptive.h */
};

/* The memory in MB that the job asks of the scheduler in all, rounded up. */
static inline int64_t lxfw_job_memory_mb(const struct lxfw_trace_job *job)
{
	return job->memory_kb / 1024 + (job->memory_kb % 1024 > 0);
}

/* Whose the job is, where it was sent and how it ended (column 11): numbers of the log;
   -1 = not known. */
struct lxfw_trace_owner {
	int32_t user, group, queue, partition, status;
	int32_t request;	/* column 14: of what else it needs, see needs.h */
	bool no_limit;		/* the log tells none: the job's is its run time */
};

/* A job that was cancelled before it started: its run time is 0, it waited until it was
   cancelled, and its processors may be 0, not known. */
struct lxfw_trace_cancelled {
	struct lxfw_trace_job job;
	struct lxfw_trace_owner owner;
};

/* What the memory columns mean, requested (10) and used (7). */
enum lxfw_trace_memory {
	LXFW_MEMORY_KB_PER_PROC,	/* the format's own definition */
	LXFW_MEMORY_KB_PER_JOB,		/* LPC-EGEE */
	LXFW_MEMORY_BYTES_PER_JOB,	/* the wagap trace */
	LXFW_MEMORY_NONE,		/* not to be looked at */
};

struct lxfw_trace_header {
	char *key, *value;
};

struct lxfw_trace {
	struct lxfw_trace_job *jobs;	/* in the order of the file */
	size_t count, size;
	struct lxfw_trace_owner *owners;	/* beside the jobs, if wanted */
	size_t owners_size;
	bool with_owners;
	/* What the jobs need on a machine of several kinds of hosts, and beside the
	   jobs the position of each one's; NULL where nothing is looked at but
	   processors and memory. */
	struct lxfw_needs *needs;
	uint32_t *need_of;
	uint32_t *order;	/* by submit time, stable; NULL if in order */
	struct lxfw_trace_header *headers;
	size_t header_count, header_size;
	/* left out */
	size_t no_run_time, no_procs;
	/* of those without run time: cancelled before they started, in the order
	   of the file; kept where owners are wanted */
	struct lxfw_trace_cancelled *cancelled;
	size_t cancelled_count, cancelled_size;
	size_t zero_run;	/* jobs of run time 0: 1 s each */
	/* jobs submitted before the one in the line above */
	size_t out_of_order;
	bool hosts_named;	/* accounting records name two hosts or more */
	char *told;	/* what became of accounting records; NULL for SWF */
};

/* Read PATH into *TRACE; MEMORY is of SWF, accounting says itself what it means.
   0, or -1 with errno and ERROR set and *TRACE empty. */
int lxfw_trace_read(struct lxfw_trace *trace, const char *path,
		    enum lxfw_trace_memory memory, struct lxfw_error *error);

/* The same with the owners of the jobs. */
int lxfw_trace_read_owners(struct lxfw_trace *trace, const char *path,
			   enum lxfw_trace_memory memory,
			   struct lxfw_error *error);

void lxfw_trace_clear(struct lxfw_trace *trace);

/*
 * Look up what the jobs of TRACE, which has owners, need on CLUSTER: `needs`. Slurm's
 * partition is the queue of a job or, where CLUSTER has none of that name, its
 * partition by column 16. Jobs that the log tells no limit of get their partition's.
 * Those that were in a reservation of CLUSTER's are left out. Nothing is done where
 * there is nothing to tell. 0, or -1 with errno ENOMEM.
 */
int lxfw_trace_take_needs(struct lxfw_trace *trace,
			  const struct lxfw_cluster *cluster);

/* What the job at POSITION needs, or NULL. */
static inline const struct lxfw_need *
lxfw_trace_need(const struct lxfw_trace *trace, size_t position)
{
	return trace->need_of ? &trace->needs->needs[trace->need_of[position]] :
				NULL;
}

/* Give COPY, of the same jobs in the same places, what those of TRACE need. 0, or -1 with
   errno ENOMEM. */
int lxfw_trace_copy_needs(struct lxfw_trace *copy, const struct lxfw_trace *trace);

/* What a job of OWNER needs, whom the trace has apart from its jobs; NULL where nothing is
   looked at, or with errno ENOMEM. Valid until the next call. */
const struct lxfw_need *lxfw_trace_need_of(const struct lxfw_trace *trace,
					   const struct lxfw_cluster *cluster,
					   const struct lxfw_trace_owner *owner);

/* The name that the header has for a number, "; Queue: 3 short" with KEY "Queue": the
   rest of the comment; empty where it has none. */
struct lxfw_slice lxfw_trace_name(const struct lxfw_trace *trace, const char *key,
				  int64_t number);

/* The value of a header comment, or NULL. */
const char *lxfw_trace_header(const struct lxfw_trace *trace, const char *key);

/* Processors of the machine by the header (MaxProcs, else MaxNodes); 0 if it
   does not say. */
int32_t lxfw_trace_procs(const struct lxfw_trace *trace);

/*
 * Keep only the jobs for which KEEP returns true; *LEFT_OUT is the number of
 * others. 0, or -1 with errno ENOMEM.
 */
typedef bool lxfw_trace_keep_fn(void *context, const struct lxfw_trace_job *job);

int lxfw_trace_filter(struct lxfw_trace *trace, lxfw_trace_keep_fn *keep,
		      void *context, size_t *left_out);

/* Sort `order` anew (after jobs were changed). 0, or -1 with errno ENOMEM. */
int lxfw_trace_sort(struct lxfw_trace *trace);

/* The position in `jobs` of the I-th job by submit time. */
static inline size_t lxfw_trace_at(const struct lxfw_trace *trace, size_t i)
{
	return trace->order ? trace->order[i] : i;
}

#endif
