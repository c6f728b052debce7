/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A measured run: the submissions, starts and ends of jobs, and other events of the
 * machine. It is read from a live journal, from accounting records, or from a log with
 * waits. It can be simulated with the same submissions on the same machine.
 */
#ifndef LXFW_ENGINE_RECORDED_H
#define LXFW_ENGINE_RECORDED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/event.h"
#include "sim-frontend/engine/engine.h"
#include "sim-frontend/metrics/start_delay.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/needs.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/util/calendar.h"

/* An unknown time, or the time of an event that did not occur. */
#define LXFW_UNKNOWN INT64_MIN

/*
 * Treatment of jobs that left the queue before they started: cancelled or, in a journal,
 * held. Their run times are unknown.
 */
enum lxfw_cancelled {
	LXFW_CANCELLED_LEAVE_OUT,	/* they are not simulated */
	LXFW_CANCELLED_UNTIL,		/* until the time at which they left, they
					   wait, and hold processors if started */
};

struct lxfw_recorded_job {
	struct lxfw_request request;
	int64_t priority, delay;	/* at its submission (LXFW_EVENT_JOB_PRIORITY) */
	int64_t number;		/* job number in its log */
	int64_t seen;		/* when the scheduler received it */
	int64_t kept;		/* seconds between its submission and `seen` in which it
				   was not eligible, as the journal states */
	int64_t possible;	/* lower bound of its arrival: when the scheduler
				   received the hosts and sets that the request may
				   name */
	int64_t start, end;	/* measured, or LXFW_UNKNOWN; the start of an
				   interrupted job is defined as for `simulated`; the
				   end of a job that never started is when it left the
				   queue */
	int64_t run;		/* run time without system overhead, or LXFW_UNKNOWN */
	bool interrupted;	/* in the measured run */
	int64_t simulated;	/* set by a simulation: the start; for an interrupted
				   job, the start with which it would have had the same
				   end without interruption */
	int32_t user, group, queue;	/* indices in the lists of names; -1: unknown */
	int32_t account, qos;	/* likewise, of Slurm */
	bool told;		/* for the reader: reported again after a restart */
	bool held;		/* set by infer/infer.h: not eligible before `eligible` */
	int64_t eligible;	/* valid if `held` */
	size_t first_share;	/* where it ran in the measured run: shares of the record,
				   ascending by host */
	int32_t share_count;	/* 0: unknown */
};

/* An event with the data that it refers to. */
struct lxfw_recorded_event {
	struct lxfw_event event;
	void *storage;
};

struct lxfw_recorded {
	struct lxfw_recorded_job *jobs;	/* sorted by `seen`, otherwise as recorded */
	size_t count, size;
	struct lxfw_recorded_event *events;	/* excludes starts, and ends of jobs
						   that started */
	size_t event_count, events_size;
	struct lxfw_share *shares;	/* of hosts, see lxfw_recorded_job */
	size_t share_count, shares_size;
	struct lxfw_params params;	/* the first parameters in force */
	bool has_params;
	bool partly_trial;		/* lxfw_shadow was on for a part of the time */
	size_t decisions;		/* number of recorded decisions */
	size_t kept;			/* number of jobs that were not eligible for a
					   time, as the journal states */
	size_t left;			/* number of jobs that were left to the workload
					   manager, likewise */
	size_t passed_over;		/* number of records that could not be used */
	struct lxfw_names users, groups, queues, accounts, qos;
	struct lxfw_calendar calendar;	/* of its times */
	int64_t procs;			/* of the machine, up or down */
	unsigned caps;			/* bit i: extra i is the processors that a partition
					   may use on a host */
	char *scheduler;	/* the scheduler according to the log, or NULL */
	/* Called during a simulation with numbers of submissions. Set by the caller,
	   may be NULL. */
	void (*progress)(size_t done, size_t all);
	/* Accounting records: a start is later than its cause, and causes are recorded
	   ends. In a journal, all times are those of the scheduler, and only
	   submissions are received late. */
	bool delayed_starts;
	/* The workload manager's own priorities as they are simulated, by the ids of
	   requests; for the caller, NULL = those that were recorded. */
	const struct lxfw_priorities *priorities;
	size_t cut_off;		/* bytes of incomplete records in the journal */
	enum lxfw_cancelled cancelled;	/* treatment in simulations; set by the caller */
	bool hosts_named;	/* the log names hosts, but the machine has only a
				   number of processors */
	unsigned given;		/* LXFW_GIVEN_... of metrics/verdict.h; set by the caller */
	struct lxfw_odd odd;	/* records that cannot be read and are left out */
	size_t doubles;		/* number of duplicate records, which are left out */
	size_t zero_run;	/* number of jobs of a trace with run time 0, replaced
				   by 1 s */
	struct lxfw_needs needs;	/* of the jobs in accounting records */
	struct lxfw_needs_told told;	/* facts to report about them */
};

/* Return whether the job left the queue before it started, and whether it is therefore
   not simulated. */
bool lxfw_recorded_cancelled(const struct lxfw_recorded_job *job);
bool lxfw_recorded_left_out(const struct lxfw_recorded *recorded,
			    const struct lxfw_recorded_job *job);
/* Returns the number of jobs that left the queue before they started. */
size_t lxfw_recorded_count_cancelled(const struct lxfw_recorded *recorded);

/* The time from which its wait is counted: its submission, later by the time for which it was
   not eligible, as far as the log states that. */
static inline int64_t lxfw_recorded_since(const struct lxfw_recorded_job *job)
{
	int64_t since = job->request.submit + job->kept;

	return job->kept == 0 ? job->request.submit : since < job->seen ? since : job->seen;
}

/* Readers. They return 0, or -1 with errno and ERROR set and *RECORDED empty. */
/* Reads COUNT files, at least one, each of which continues the previous one. */
int lxfw_recorded_from_journal(struct lxfw_recorded *recorded,
			       char *const *paths, size_t count,
			       struct lxfw_error *error);
int lxfw_recorded_from_accounts(struct lxfw_recorded *recorded,
				const char *path,
				const struct lxfw_cluster *cluster,
				bool one_host, struct lxfw_error *error);
/* If CLUSTER has no hosts, it is set to a machine with the processors stated by the
   trace; errno is EINVAL if it states none. MEMORY is as in trace.h. */
int lxfw_recorded_from_swf(struct lxfw_recorded *recorded, const char *path,
			   struct lxfw_cluster *cluster, bool one_host,
			   enum lxfw_trace_memory memory,
			   struct lxfw_error *error);

/* Converts a TRACE, with its owners if it has them. Jobs that do not fit on the
   cluster are left out of both. Returns 0, or -1 with errno ENOMEM and *RECORDED
   empty. */
int lxfw_recorded_from_trace(struct lxfw_recorded *recorded,
			     struct lxfw_trace *trace,
			     const struct lxfw_cluster *cluster, bool one_host);

/* Returns the kind of the file PATH: 'j' journal, 'a' accounting, 't' trace (SWF), or
   -1 with errno and ERROR set. */
int lxfw_recorded_kind(const char *path, struct lxfw_error *error);

/* Reads lines "JOBID SECONDS" with the run times of jobs. '#' begins a comment. */
int lxfw_recorded_run_times(struct lxfw_recorded *recorded, const char *path,
			    struct lxfw_error *error);

void lxfw_recorded_clear(struct lxfw_recorded *recorded);

/* Append; for the readers. Return 0 or the new job, or -1 or NULL with errno ENOMEM. */
struct lxfw_recorded_job *lxfw_recorded_add(struct lxfw_recorded *recorded);
int lxfw_recorded_add_event(struct lxfw_recorded *recorded,
			    const struct lxfw_event *event);
/* Adds the hosts and partitions of a cluster as events at TIME. */
int lxfw_recorded_add_cluster(struct lxfw_recorded *recorded,
			      const struct lxfw_cluster *cluster, int64_t time);
/* Merges the events from FIRST on with the earlier ones. Both parts are in order of
   time. */
int lxfw_recorded_merge_events(struct lxfw_recorded *recorded, size_t first);
/* Sorts the jobs by `seen`. The sort is stable. */
void lxfw_recorded_sort(struct lxfw_recorded *recorded);
/* Returns whether a job has a measured start. */
bool lxfw_recorded_any_start(const struct lxfw_recorded *recorded);
/* Adds an event for each job that left before it started. They follow the events of
   the cluster and are in order of time. */
int lxfw_recorded_add_departures(struct lxfw_recorded *recorded);

/* Returns the run time of a job with known start and end, at least 1 s; otherwise 0. */
int64_t lxfw_recorded_job_run(const struct lxfw_recorded_job *job);
/* Returns whether the job started in the measured run, but its end is not recorded: it
   still ran, or the log misses its end. */
bool lxfw_recorded_no_end(const struct lxfw_recorded_job *job);
/* Returns whether the job started in both the measured and the simulated run, and its
   measured end is known. Without it, its run time and slowdown are unknown. */
bool lxfw_recorded_in_both(const struct lxfw_recorded_job *job);
int32_t lxfw_recorded_job_procs(const struct lxfw_recorded_job *job);

/* Returns the time of the last submission, start or end, or LXFW_UNKNOWN if there are
   no jobs. */
int64_t lxfw_recorded_end(const struct lxfw_recorded *recorded);

/* Converts the measured or SIMULATED run to stays. STAYS has space for all jobs.
   Returns the number of stays. Jobs without a stay or with an unknown one are left
   out. */
size_t lxfw_recorded_stays(const struct lxfw_recorded *recorded, bool simulated,
			   struct lxfw_stay *stays);

/* System overhead per job. */
struct lxfw_overhead {
	int64_t start;		/* seconds from the cause of a start to the start; 0 if
				   neither given nor known */
	int64_t end;		/* seconds for which processors are held after the run
				   time; 0 if run times are unknown */
	bool end_known;
	bool start_given;	/* not estimated */
	struct lxfw_start_delay estimate;	/* estimate for the start from the log */
};

/* Estimates the overhead from the measured run, that of the start as in
   metrics/start_delay.h. Returns 0, or -1 with errno ENOMEM. */
int lxfw_recorded_overhead(const struct lxfw_recorded *recorded,
			   struct lxfw_overhead *overhead);

/* Returns an upper bound of the system overhead at a start in seconds, according to
   the log. It does not depend on the simulated overhead. */
int64_t lxfw_overhead_longest(const struct lxfw_overhead *overhead);

/*
 * Simulates the run and sets `simulated` of each job (LXFW_UNKNOWN if it did not start).
 * PARAMS replace the recorded ones unless NULL. Returns 0, or -1 with errno and ERROR
 * set.
 */
int lxfw_recorded_simulate(struct lxfw_recorded *recorded,
			   const struct lxfw_params *params,
			   const struct lxfw_overhead *overhead,
			   struct lxfw_engine_result *result,
			   struct lxfw_error *error);

#endif
