/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site's logs as records of the Standard Workload Format, which is what a trace
 * is made of: a log read at once and one that was converted before are the same
 * trace.
 *
 * What a record means here: times count from the first submission; a job is
 * submitted when it was free to start; processors, allocated and requested, are
 * those it held, which is what it asked for rounded up by its batch system; memory
 * is rounded down to KB per processor; user, group and queue, which is Slurm's
 * partition, are numbered from 1 in the order of their first job, and header comments
 * have their names; so are the texts of what jobs need besides (needs.h), in column 14,
 * of which the format says that it is the number of an executable. A job that
 * never started has no run time (-1) and the time it waited; one that ran for less than
 * half a second has 0.
 */
#ifndef LXFW_TRACE_LOG_H
#define LXFW_TRACE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account.h"
#include "sim-frontend/trace/doubles.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/swf.h"
#include "sim-frontend/util/output.h"

/* What a job held of a host. */
struct lxfw_log_share {
	int64_t start, end;		/* s since 1970 */
	int64_t memory_kb;
	int32_t host, procs;
	int32_t partition;		/* -1 = none */
};

/* What it held of a GRES there. */
struct lxfw_log_extra {
	size_t share;			/* position in the shares */
	int32_t extra, count;
};

struct lxfw_log {
	struct lxfw_swf_record *records;
	size_t count, size;
	const struct lxfw_log_format *format;	/* of the log read last */
	size_t logs;			/* parts of one are one each */
	const char *zone;		/* of local times, set for the process by the
					   caller (zone.h); NULL: UTC */
	struct lxfw_account_counts counts;
	size_t never_started, late, suspended, no_limit;	/* among the jobs */
	size_t rounded;			/* processors that sacct rounded */
	size_t doubles;			/* records of jobs that others tell, left out:
					   of `counts` only `records` has them */
	struct lxfw_doubles seen;
	int64_t begin;			/* s since 1970: time 0 of the records */
	int64_t most_procs;		/* held at once */
	struct lxfw_names users, groups, queues;
	struct lxfw_names requests;	/* texts of needs.h */
	struct lxfw_hosts_named hosts_named;
	struct lxfw_names clusters;	/* of Slurm, where records tell */
	/* only if hosts are wanted */
	bool want_hosts;
	struct lxfw_names hosts;
	struct lxfw_log_share *shares;
	size_t share_count, shares_size;
	struct lxfw_names partitions;	/* Slurm's; other systems' queues are none */
	struct lxfw_names extras;	/* GRES, "gpu", "gpu:a100" */
	struct lxfw_log_extra *extra_shares;	/* by start of `shares` */
	size_t extra_count, extras_size;
};

/*
 * Add the jobs of INPUT, a log of FORMAT, neither SWF nor a journal. {0} is
 * an empty log. 0, or -1 with errno and ERROR set; then only lxfw_log_clear() is
 * of use.
 */
int lxfw_log_add(struct lxfw_log *log, struct lxfw_input *input,
		 const struct lxfw_log_format *format, struct lxfw_error *error);

/* Jobs that are over belong to the window in which they end, other records to the one
   whose `to` is INT64_MAX. What left before it was free to start belongs to none:
   whether Slurm tells of it depends on how long a time it is asked about. */
struct lxfw_log_window {
	int64_t from, to;		/* s since 1970; to is not in it */
};

/* As lxfw_log_add(), but of INPUT only what belongs to WINDOW; the rest is not
   counted, and there may be nothing. errno is EPROTO as with lxfw_account_next(). */
int lxfw_log_add_part(struct lxfw_log *log, struct lxfw_input *input,
		      const struct lxfw_log_format *format,
		      const struct lxfw_log_window *window,
		      struct lxfw_error *error);

/* After the last one: sort by submission, count times from the first, number
   names. 0, or -1 with errno ENOMEM. */
int lxfw_log_finish(struct lxfw_log *log);

/* Tell HEADER of the comments that belong to the records. 0, or what it returned. */
int lxfw_log_headers(const struct lxfw_log *log, lxfw_swf_header_fn *header,
		     void *context);

/* What became of the records, a sentence; to be freed. NULL with errno ENOMEM. */
char *lxfw_log_tell(const struct lxfw_log *log);

/*
 * Write the hosts that the log names as a cluster description, each with the most
 * processors, memory and GRES that jobs held of it at once: no less than it has to
 * have; and Slurm's partitions, each of the hosts that its jobs had. The number of hosts, or -1 with errno ENOMEM.
 */
int64_t lxfw_log_write_hosts(struct lxfw_log *log, struct lxfw_output *output);

void lxfw_log_clear(struct lxfw_log *log);

#endif
