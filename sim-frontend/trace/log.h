/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Converts accounting logs to records of the Standard Workload Format, from which a trace
 * is made. Reading a log directly and reading it after conversion gives the same trace.
 *
 * Conversion: times are relative to the first submission. The submit time is the time at
 * which the job became eligible. Allocated and requested processors are both the number
 * allocated, which is the request as rounded up by the batch system. Memory is rounded
 * down to KB per processor. Users, groups and queues (Slurm partitions) are numbered from
 * 1 in the order of their first job; header comments hold their names. Column 14, in the
 * format the number of an executable, holds the number of the job's further requirements
 * (needs.h), whose text is a header comment as well. A job that never started has run
 * time -1 and the time it waited; a job that ran for less than half a second has run time
 * 0. A planned job, of a workload that has not run, has no wait. Columns 17 and 18 state
 * dependencies (log_dependencies.h).
 */
#ifndef LXFW_TRACE_LOG_H
#define LXFW_TRACE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/doubles.h"
#include "sim-frontend/trace/log_dependencies.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/swf.h"
#include "sim-frontend/util/output.h"

/* Resources of a host that a job held. */
struct lxfw_log_share {
	int64_t start, end;		/* seconds since 1970 */
	int64_t memory_kb;
	int32_t host, procs;
	int32_t partition;		/* -1: none */
	bool even_memory;	/* the log states memory for other hosts of the job: this
				   is an equal part, by processors */
};

/* GRES of that host that the job held. */
struct lxfw_log_extra {
	size_t share;			/* index of the share */
	int32_t extra, count;
};

struct lxfw_log {
	struct lxfw_swf_record *records;
	size_t count, size;
	const struct lxfw_log_format *format;	/* format of the last log */
	size_t logs;			/* number of logs; the parts of one log count
					   separately */
	const char *zone;		/* time zone of local times, which the caller
					   has set for the process (zone.h); NULL: UTC */
	const char *columns;		/* of tables, set by the caller (account.h) */
	struct lxfw_account_counts counts;
	size_t never_started, late, suspended, no_limit;	/* numbers of jobs */
	size_t disordered;	/* number of jobs that ended before their start, or
				   started before their submission */
	size_t rounded;			/* jobs whose number of processors sacct
					   rounded */
	size_t limited;			/* tasks of arrays of which few run at a time */
	size_t doubles;			/* duplicate records, which are left out;
					   `counts` includes them in `records` only */
	struct lxfw_doubles seen;
	struct lxfw_log_dependencies dependencies;
	int64_t begin;			/* seconds since 1970: time 0 of the records */
	int64_t most_procs;		/* maximum in use at a time */
	struct lxfw_names users, groups, queues;
	struct lxfw_names requests;	/* texts of requirements (needs.h) */
	struct lxfw_hosts_named hosts_named;
	struct lxfw_names clusters;	/* Slurm clusters named in records */
	/* The following are used only if hosts are wanted. */
	bool want_hosts;
	struct lxfw_names hosts;
	struct lxfw_log_share *shares;
	size_t share_count, shares_size;
	struct lxfw_names partitions;	/* Slurm partitions; queues of other systems
					   are not included */
	struct lxfw_names extras;	/* GRES, "gpu", "gpu:a100" */
	struct lxfw_log_extra *extra_shares;	/* in order of `shares` */
	size_t extra_count, extras_size;
};

/*
 * Appends the jobs of INPUT, a log in FORMAT, which must be an accounting format. {0} is
 * an empty log. Returns 0, or -1 with errno and ERROR set; the log must then be released
 * with lxfw_log_clear().
 */
int lxfw_log_add(struct lxfw_log *log, struct lxfw_input *input,
		 const struct lxfw_log_format *format, struct lxfw_error *error);

/* An ended job belongs to the window in which it ended. Other records belong to the
   window whose `to` is INT64_MAX. A job that ended before it was eligible belongs to
   none, since Slurm reports it or not depending on the length of the queried period. */
struct lxfw_log_window {
	int64_t from, to;		/* seconds since 1970; `to` is exclusive */
};

/* As lxfw_log_add(), but appends only records that belong to WINDOW. Others are not
   counted, and the result may be empty. The caller judges the odd ones of all parts
   (lxfw_account_judge()). errno may be EPROTO, see lxfw_account_next(). */
int lxfw_log_add_part(struct lxfw_log *log, struct lxfw_input *input,
		      const struct lxfw_log_format *format,
		      const struct lxfw_log_window *window,
		      struct lxfw_error *error);

/* Call after the last log. Sorts by submission, makes times relative and numbers
   names. Returns 0, or -1 with errno ENOMEM. */
int lxfw_log_finish(struct lxfw_log *log);

/* Calls HEADER for each header comment of the records. Returns 0, or the non-zero
   value that HEADER returned. */
int lxfw_log_headers(const struct lxfw_log *log, lxfw_swf_header_fn *header,
		     void *context);

/* Returns a sentence that summarizes the records, which the caller frees, or NULL with
   errno ENOMEM. */
char *lxfw_log_tell(const struct lxfw_log *log);

/*
 * Writes the hosts in the log as a cluster description. Each host has the maximum of
 * processors, memory and GRES that jobs held at a time, which is a lower bound of its
 * real size. Slurm partitions consist of the hosts that their jobs had. Returns the
 * number of hosts, or -1 with errno ENOMEM.
 */
int64_t lxfw_log_write_hosts(struct lxfw_log *log, struct lxfw_output *output);

void lxfw_log_clear(struct lxfw_log *log);

#endif
