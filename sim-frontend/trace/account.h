/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Accounting records of batch systems. One reader interface covers the output of Slurm's
 * sacct and slurmrestd, the accounting files of OpenPBS, Torque, LSF, Grid Engine, HTCondor, Maui
 * and Moab, tables, and workloads that have not run. log.h converts the records to jobs of a
 * trace.
 *
 * Times are seconds since 1970. Times in text from Slurm and PBS are local and do not
 * state their time zone. They are interpreted in the time zone of the process (zone.h) if
 * the caller requests this, otherwise as UTC.
 */
#ifndef LXFW_TRACE_ACCOUNT_H
#define LXFW_TRACE_ACCOUNT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/util/error.h"
#include "sim-frontend/trace/account_text.h"
#include "sim-frontend/trace/input.h"
#include "sim-frontend/trace/odd.h"

/* The largest time limit, in seconds. Also the limit of jobs that have none. */
#define LXFW_ACCOUNT_NO_LIMIT (INT64_C(365) * 86400)

/* Job states with the values of the Standard Workload Format. */
enum lxfw_account_status {
	LXFW_ACCOUNT_FAILED = 0,
	LXFW_ACCOUNT_COMPLETED = 1,
	LXFW_ACCOUNT_CANCELLED = 5,
};

struct lxfw_account {
	bool step;		/* a step: only the number of its job and the memory
				   used are set */
	bool over;		/* the job has ended, or was cancelled while pending */
	bool part;		/* part of a heterogeneous job */
	int64_t het;		/* number of the heterogeneous job; 0: none or unknown */
	bool deleted;		/* deleted while pending, according to a record other
				   than that of its end */
	bool planned;		/* over, but of a workload that has not run: `run` is
				   known, start and end are -1 */
	int64_t number;		/* of the job */
	int64_t submit;		/* seconds; -1 if unknown, here and below */
	int64_t eligible;	/* when the job became eligible; not before submit */
	int64_t start;		/* -1: never started */
	int64_t end;
	int64_t run;		/* seconds, without the time suspended */
	int64_t suspended;	/* seconds; 0: never suspended */
	int64_t limit;		/* seconds; LXFW_ACCOUNT_NO_LIMIT: none */
	int64_t procs;		/* allocated, otherwise requested; 0 or more */
	bool rounded;		/* sacct printed a rounded procs */
	int64_t hosts;		/* number of hosts; 0: unknown */
	int64_t memory_kb;	/* allocated to the whole job, otherwise requested; 0:
				   none */
	int64_t used_memory_kb;	/* of the whole job */
	enum lxfw_account_status status;
	/* Empty if unknown. Valid until the next call. */
	struct lxfw_slice user, group, queue, cluster;
	struct lxfw_slice account;	/* Slurm's account that is charged */
	/* Distinguishes jobs that have the same number, such as the tasks of an array.
	   Empty if the number is sufficient. */
	struct lxfw_slice id;
	/* Hosts as "n[1-3],m" with equal shares, or in a form specific to the format.
	   Use lxfw_account_hosts() to enumerate them. */
	struct lxfw_slice host_list;
	/* Other requirements, see needs.h. Empty, 0 or false if unknown. */
	struct lxfw_slice gres;		/* Slurm's "...,gres/gpu=4,..." */
	struct lxfw_slice reservation;	/* the reservation in which the job ran */
	struct lxfw_slice qos;
	/* What the job waited for (dependency.h). */
	struct lxfw_slice dependency;
	bool limited;		/* task of an array of which few run at a time */
	int64_t asked_hosts;		/* smallest number of hosts requested */
	bool host_memory;		/* memory was requested per host */
	bool exclusive;			/* the job had its hosts exclusively */
};

/* Options of a submission that change the schedule and are not read. */
enum lxfw_unread {
	LXFW_UNREAD_CONSTRAINT, LXFW_UNREAD_DEPENDENCY, LXFW_UNREAD_GPUS_PER_TASK,
	LXFW_UNREAD_MEMORY_PER_GPU, LXFW_UNREAD_CANCEL_IN, LXFW_UNREADS,
};

/* "--constraint" */
extern const char *const lxfw_unread_names[LXFW_UNREADS];

/* Numbers of records of a log. A record is counted in `records` and in one of the
   members up to `odd`. */
struct lxfw_account_counts {
	size_t records;
	size_t jobs;		/* made into jobs */
	size_t steps;		/* of jobs */
	size_t not_over;	/* of jobs that are pending or running */
	size_t notes;		/* of other events: queued, started, ... */
	size_t parents;		/* of a job array as a whole */
	struct lxfw_odd odd;	/* that cannot be converted and are left out */
	/* The following are not numbers of records, or are counted in addition. */
	size_t hosts_cut;	/* records whose list of hosts is truncated */
	size_t local;		/* records with local times without a time zone */
	size_t skipped;		/* those of them with a time that was skipped when
				   clocks were set forward */
	size_t unclear;		/* those of them with an ambiguous time from the
				   repeated hour when clocks are set back; the first
				   occurrence is used */
	size_t deleted;		/* jobs deleted while pending, from event records */
	size_t open;		/* jobs with event records but no record of their end
				   or deletion */
	size_t parts;		/* jobs that are parts of heterogeneous jobs */
	size_t gpu_parts;	/* jobs with a share of a GPU, which counts as a whole one */
	size_t unread[LXFW_UNREADS];	/* jobs with this option */
	size_t unread_jobs;	/* jobs with one or more of them */
	int64_t machine_procs;	/* processors of the machine that the log states; 0: none */
};

/* What a job had on a host. */
struct lxfw_account_host {
	const char *name;
	int64_t procs;
	int64_t memory_kb, gpus;	/* -1: the log does not state it for each host */
	int64_t start, end;		/* when the job had the host; 0: while it ran */
};

/* Called for each host of a job. A non-zero return value, with errno set, ends the
   enumeration. */
typedef int lxfw_account_host_fn(void *context, const struct lxfw_account_host *host);

/* What the caller knows of a log. */
struct lxfw_account_options {
	bool in_zone;		/* local times are in the time zone of the process */
	const char *columns;	/* of a table (table.c); NULL: known ones. Outlives the
				   reader */
};

/* A log format. log_formats.c has the table of all formats. */
struct lxfw_log_format {
	const char *name;		/* "pbs", for --format-in and messages */

	/* Returns whether LINE is in this format. LINE is the first non-empty line of
	   a file, from its first non-blank character. It is called only if no earlier
	   format in the table matched. */
	bool (*recognizes)(const char *line, size_t length);

	/* For a format that its first line may not show: LENGTH is that of the file from there
	   on, up to LXFW_INPUT_LOOK. NULL: recognizes() suffices. */
	bool (*recognizes_text)(const char *text, size_t length);

	/* Queues are Slurm partitions. */
	bool partitions;

	/*
	 * The reader. open() returns its state, or NULL with errno and ERROR set. next()
	 * fills ACCOUNT, which the caller has cleared, and updates COUNTS. It returns 1,
	 * 0 at the end, -1 with errno and ERROR set, or LXFW_ODD_RECORD after an odd
	 * record, which it has added to counts->odd but not to counts->records. hosts()
	 * calls HOST for each host of an account; if HOST returns non-zero, it stops and
	 * returns that value.
	 */
	void *(*open)(struct lxfw_input *input,
		      const struct lxfw_account_options *options,
		      struct lxfw_error *error);
	void (*close)(void *state);
	int (*next)(void *state, struct lxfw_account *account,
		    struct lxfw_account_counts *counts,
		    struct lxfw_error *error);
	int (*hosts)(const struct lxfw_account *account,
		     lxfw_account_host_fn *host, void *context);
};

struct lxfw_account_reader;

/*
 * Opens a reader of INPUT. The caller keeps ownership of INPUT, which must outlive the
 * reader. FORMAT must be an accounting format, not SWF or a journal. Returns NULL with errno
 * and ERROR set on failure.
 */
struct lxfw_account_reader *
lxfw_account_open(struct lxfw_input *input, const struct lxfw_log_format *format,
		  const struct lxfw_account_options *options,
		  struct lxfw_error *error);
void lxfw_account_close(struct lxfw_account_reader *reader);

/* Reads the next job or step. Odd records (odd.h) are counted and left out. Returns 1, 0 at
   the end, or -1 with errno and ERROR set. errno is EPROTO if the log is a response of
   slurmrestd that reports an error. */
int lxfw_account_next(struct lxfw_account_reader *reader,
		      struct lxfw_account *account, struct lxfw_error *error);

const struct lxfw_account_counts *
lxfw_account_counts(const struct lxfw_account_reader *reader);

/* Call at the end of a log. Returns 0, or -1 with errno EINVAL and ERROR set if it has too many
   odd records. */
int lxfw_account_judge(const struct lxfw_account_counts *counts, struct lxfw_error *error);

/* Enumerates the hosts of ACCOUNT. A host may occur more than once. A list that cannot
   be parsed is treated as empty. Returns 0, or the non-zero value that HOST returned. */
int lxfw_account_hosts(const struct lxfw_account_reader *reader,
		       const struct lxfw_account *account,
		       lxfw_account_host_fn *host, void *context);

/* Detects whether records name two or more hosts, in which case `lxfw import
   --cluster-out` can describe the nodes. Initialize to {0}. */
struct lxfw_hosts_named {
	char first[64];
	bool several;
};

void lxfw_hosts_named_look(struct lxfw_hosts_named *named,
			   const struct lxfw_account_reader *reader,
			   const struct lxfw_account *account);

/* Returns the time at which the job became eligible: the time of submission, or later
   if a begin time, a dependency or a hold delayed it. */
int64_t lxfw_account_seen(const struct lxfw_account *account);

/* Returns whether the job ran. The record of a job that was cancelled while pending
   may have a start time: the time of its end, or a later planned start. */
bool lxfw_account_started(const struct lxfw_account *account);

/* --- for the readers of the formats ----------------------------------------------- */

/* Sets all members of ACCOUNT to unknown. */
void lxfw_account_clear(struct lxfw_account *account);

/*
 * Checks the times of ACCOUNT, in which some systems and tools write 1970, or another time
 * long before, for a time that is not set. Such times of eligibility and start become -1.
 * Returns NULL, or what is wrong with the record: its submission or end is such a time.
 */
const char *lxfw_account_check_times(struct lxfw_account *account);

/* Enumerates hosts of a list in Slurm's syntax, "n[1-3],m", with the processors
   divided evenly among them. */
int lxfw_account_even_hosts(const struct lxfw_account *account,
			    lxfw_account_host_fn *host, void *context);

/* Sets the state of ACCOUNT from the name of a job state in Slurm. */
void lxfw_account_slurm_state(struct lxfw_account *account, const char *word,
			      size_t length);

#endif
