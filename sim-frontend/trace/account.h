/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs as batch systems account for them: one reader for what Slurm's sacct and
 * slurmrestd, OpenPBS and Torque, LSF and Grid Engine write. What differs between them ends
 * here; what a trace makes of a job is in log.h.
 *
 * Times are seconds since 1970. Slurm's and PBS's texts of a time are local and do
 * not say where: they are of the zone of the process (zone.h) if the caller says so,
 * else taken as though they were UTC.
 */
#ifndef LXFW_TRACE_ACCOUNT_H
#define LXFW_TRACE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/input.h"

/* The longest a limit is taken to be: for jobs without one. */
#define LXFW_ACCOUNT_NO_LIMIT (INT64_C(365) * 86400)

/* Values as SWF has them. */
enum lxfw_account_status {
	LXFW_ACCOUNT_FAILED = 0,
	LXFW_ACCOUNT_COMPLETED = 1,
	LXFW_ACCOUNT_CANCELLED = 5,
};

struct lxfw_account {
	bool step;		/* not a job: only the number of its job and
				   the memory used */
	bool over;		/* it has ended, or was cancelled while it waited */
	bool part;		/* of a heterogeneous job */
	bool deleted;		/* while it waited, by notes alone */
	int64_t number;		/* the job's */
	int64_t submit;		/* s; the rest -1 where it is not known: */
	int64_t eligible;	/* when it was free to start: not before submit */
	int64_t start;		/* -1: never started */
	int64_t end;
	int64_t run;		/* s, without the time it was suspended */
	int64_t suspended;	/* s, 0 if never */
	int64_t limit;		/* s; LXFW_ACCOUNT_NO_LIMIT */
	int64_t procs;		/* what it held, else what it asked for; 0 or more */
	bool rounded;		/* procs, by sacct */
	int64_t hosts;		/* how many; 0 = not known */
	int64_t memory_kb;	/* asked for, of the whole job; 0 = none */
	int64_t used_memory_kb;	/* of the whole job */
	enum lxfw_account_status status;
	/* Empty where not known. Valid until the next call. */
	struct lxfw_slice user, group, queue, cluster;
	/* What tells it from jobs of the same number, such as the task of an array;
	   empty if the number does. */
	struct lxfw_slice id;
	/* Hosts as "n[1-3],m" with even shares, or told as each format does:
	   to be had one by one from lxfw_account_hosts(). */
	struct lxfw_slice host_list;
	/* What it needs besides: see needs.h. Empty, 0 or false where not told. */
	struct lxfw_slice gres;		/* Slurm's "...,gres/gpu=4,..." */
	struct lxfw_slice reservation;	/* in which it was */
	struct lxfw_slice qos;
	int64_t asked_hosts;		/* the fewest that it asked for */
	bool host_memory;		/* memory was asked for by host */
	bool exclusive;			/* it had its hosts for itself */
};

/* What became of the records of a log. Each is in one of these. */
struct lxfw_account_counts {
	size_t records;
	size_t jobs;		/* made a job */
	size_t steps;		/* of jobs */
	size_t not_over;	/* of jobs that still wait or run */
	size_t notes;		/* that tell of no job's end: queued, started ... */
	size_t parents;		/* of a job array as a whole */
	size_t damaged;		/* with too few fields; the first on that line */
	long damaged_line;
	/* not records: */
	size_t hosts_cut;	/* with a list of hosts that is cut off */
	size_t local;		/* that have local times, which tell no zone */
	size_t skipped;		/* of these, with one that clocks skipped when they
				   were put forward */
	size_t unclear;		/* with one of the hour that comes twice of which
				   nothing tells which it is: the first */
	size_t deleted;		/* jobs deleted while they waited, by notes */
	size_t open;		/* jobs of notes that have neither end nor deletion */
	size_t parts;		/* jobs that are parts of heterogeneous ones */
};

/* Told of each host of a job with the processors it had there; non-zero with
   errno set ends it. */
typedef int lxfw_account_host_fn(void *context, const char *name, int64_t procs);

/* A format of logs; log_formats.c has the table of all. */
struct lxfw_log_format {
	const char *name;		/* "pbs", for --format-in and messages */

	/* Whether LINE, the first of a file that is not empty, from its first character
	   that is not blank, is of this format. Formats before it in the table did not
	   recognize it. */
	bool (*recognizes)(const char *line, size_t length);

	/* The queue of a job is a partition of Slurm. */
	bool partitions;

	/* The reader. open() returns its state, or NULL with errno and ERROR set; next()
	   fills an ACCOUNT of which nothing is known yet and adds to COUNTS, and returns
	   1, 0 at the end, or -1 with errno and ERROR set; hosts() calls HOST for each
	   host of an account and returns what HOST returned where that is not 0. */
	void *(*open)(struct lxfw_input *input, bool in_zone,
		      struct lxfw_error *error);
	void (*close)(void *state);
	int (*next)(void *state, struct lxfw_account *account,
		    struct lxfw_account_counts *counts,
		    struct lxfw_error *error);
	int (*hosts)(const struct lxfw_account *account,
		     lxfw_account_host_fn *host, void *context);
};

struct lxfw_account_reader;

/* A reader of INPUT, which stays the caller's and must live longer. FORMAT has a
   reader: it is neither SWF nor a journal. IN_ZONE tells whether local times are of the zone of the
   process. NULL with errno and ERROR set. */
struct lxfw_account_reader *
lxfw_account_open(struct lxfw_input *input, const struct lxfw_log_format *format,
		  bool in_zone, struct lxfw_error *error);
void lxfw_account_close(struct lxfw_account_reader *reader);

/* The next job or step. 1, 0 at the end, -1 with errno and ERROR set: EPROTO where
   the log is an answer of Slurm's that tells of an error. */
int lxfw_account_next(struct lxfw_account_reader *reader,
		      struct lxfw_account *account, struct lxfw_error *error);

const struct lxfw_account_counts *
lxfw_account_counts(const struct lxfw_account_reader *reader);

/* The hosts of ACCOUNT, a host perhaps more than once. A list that cannot be read
   has none. 0, or what HOST returned. */
int lxfw_account_hosts(const struct lxfw_account_reader *reader,
		       const struct lxfw_account *account,
		       lxfw_account_host_fn *host, void *context);

/* Whether records name two hosts or more, so that `lxfw import --cluster-out` can tell of
   nodes. {0} before the first record. */
struct lxfw_hosts_named {
	char first[64];
	bool several;
};

void lxfw_hosts_named_look(struct lxfw_hosts_named *named,
			   const struct lxfw_account_reader *reader,
			   const struct lxfw_account *account);

/* When the scheduler could first start the job: when it was submitted, or later
   when something else held it back (a begin time, a dependency, a hold). */
int64_t lxfw_account_seen(const struct lxfw_account *account);

/* Whether it ran; a job cancelled while it waited may have a start, its end or a later
   one for which it was planned. */
bool lxfw_account_started(const struct lxfw_account *account);

/* ---- for the readers of the formats ---------------------------------------------- */

/* An account of which nothing is known. */
void lxfw_account_clear(struct lxfw_account *account);

/* Slurm's lists: "n[1-3],m", the processors shared evenly. */
int lxfw_account_even_hosts(const struct lxfw_account *account,
			    lxfw_account_host_fn *host, void *context);

/* What Slurm's words for a state mean. */
void lxfw_account_slurm_state(struct lxfw_account *account, const char *word,
			      size_t length);

#endif
