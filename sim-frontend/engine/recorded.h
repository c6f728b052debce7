/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run as it was measured: which jobs came when, when they started and ended,
 * and what else happened to the machine. It is read from a live journal, from
 * accounting records, or from a log that has its own waits, and can be
 * simulated: the same submissions on the same machine, other starts.
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

/* A time that is not known, or of what did not happen. */
#define LXFW_UNKNOWN INT64_MIN

/*
 * What becomes of jobs that left the queue before they started: cancelled, or in a
 * journal held. How long they would have run is nobody's to know.
 */
enum lxfw_cancelled {
	LXFW_CANCELLED_LEAVE_OUT,	/* they are not simulated */
	LXFW_CANCELLED_UNTIL,		/* they wait, and hold processors if they
					   are started, until they left */
};

struct lxfw_recorded_job {
	struct lxfw_request request;
	int64_t priority, delay;	/* when it came (LXFW_EVENT_JOB_PRIORITY) */
	int64_t number;		/* what its log calls it */
	int64_t seen;		/* when the scheduler learned of it */
	int64_t possible;	/* not before: when it learned of the hosts and
				   sets that the request may name */
	int64_t start, end;	/* measured, or LXFW_UNKNOWN; the start of one
				   that was interrupted as for `simulated`; the
				   end of one that never started is when it left
				   the queue */
	int64_t run;		/* its own run time without the machine's
				   overhead, or LXFW_UNKNOWN */
	bool interrupted;	/* in the measured run */
	int64_t simulated;	/* filled in by a simulation: start, or for one
				   that was interrupted when it would have had
				   to start to end as it did without that */
	int32_t user, group, queue;	/* in the lists of names; -1 = not known */
	int32_t account, qos;	/* likewise, of Slurm */
	bool told;		/* for the reader: still there after a restart */
	bool held;		/* by infer/infer.h: it was not free to start before */
	int64_t eligible;	/* this time, if it was held */
};

/* An event with what it points at. */
struct lxfw_recorded_event {
	struct lxfw_event event;
	void *storage;
};

struct lxfw_recorded {
	struct lxfw_recorded_job *jobs;	/* by `seen`, else as recorded */
	size_t count, size;
	struct lxfw_recorded_event *events;	/* neither starts nor, of jobs
						   that started, ends */
	size_t event_count, events_size;
	struct lxfw_params params;	/* the first that were in force */
	bool has_params;
	size_t decisions;		/* recorded ones */
	size_t passed_over;		/* records that could not be used */
	struct lxfw_names users, groups, queues, accounts, qos;
	struct lxfw_calendar calendar;	/* of its times */
	int64_t procs;			/* of the machine, up or not */
	char *scheduler;	/* what the log says of its scheduler, or NULL */
	/* Told of submissions as they are simulated; for the caller, may be
	   NULL. */
	void (*progress)(size_t done, size_t all);
	/* In accounting records a start lies behind the reason for it, and the
	   next reason is the recorded end. A journal's times are those of the
	   scheduler itself: only submissions are seen late. */
	bool delayed_starts;
	/* The workload manager's own priorities as they are simulated, by the ids of
	   requests; for the caller, NULL = those that were recorded. */
	const struct lxfw_priorities *priorities;
	size_t cut_off;		/* bytes of half records in the journal */
	enum lxfw_cancelled cancelled;	/* how it is to be simulated; for the
					   caller */
	bool hosts_named;	/* the log names hosts, and the machine is but a number of
				   processors */
	size_t doubles;		/* records of jobs that others tell, left out */
	size_t zero_run;	/* jobs of a trace with run time 0: 1 s each */
	struct lxfw_needs needs;	/* of the jobs of accounting */
	struct lxfw_needs_told told;	/* what of theirs there is to tell */
};

/* Whether the job left the queue before it started, and is not simulated. */
bool lxfw_recorded_cancelled(const struct lxfw_recorded_job *job);
bool lxfw_recorded_left_out(const struct lxfw_recorded *recorded,
			    const struct lxfw_recorded_job *job);
/* How many left the queue before they started. */
size_t lxfw_recorded_count_cancelled(const struct lxfw_recorded *recorded);

/* Readers. 0, or -1 with errno and ERROR set and *RECORDED empty. */
/* COUNT files, at least one, each of which goes on where the one before ended. */
int lxfw_recorded_from_journal(struct lxfw_recorded *recorded,
			       char *const *paths, size_t count,
			       struct lxfw_error *error);
int lxfw_recorded_from_accounts(struct lxfw_recorded *recorded,
				const char *path,
				const struct lxfw_cluster *cluster,
				bool one_host, struct lxfw_error *error);
/* With a CLUSTER of no hosts yet, it becomes one of as many processors as the
   trace tells; MEMORY as in trace.h. EINVAL where the trace does not. */
int lxfw_recorded_from_swf(struct lxfw_recorded *recorded, const char *path,
			   struct lxfw_cluster *cluster, bool one_host,
			   enum lxfw_trace_memory memory,
			   struct lxfw_error *error);

/* The same of a TRACE that was read, with owners if it has them; jobs that the cluster
   cannot hold are left out of both. 0, or -1 with errno ENOMEM and *RECORDED empty. */
int lxfw_recorded_from_trace(struct lxfw_recorded *recorded,
			     struct lxfw_trace *trace,
			     const struct lxfw_cluster *cluster, bool one_host);

/* What kind of file PATH is: 'j'ournal, 'a'ccounting, 't'race (SWF), or -1
   with errno and ERROR set. */
int lxfw_recorded_kind(const char *path, struct lxfw_error *error);

/* Lines "JOBID SECONDS" with the run time of each job; '#' begins a comment. */
int lxfw_recorded_run_times(struct lxfw_recorded *recorded, const char *path,
			    struct lxfw_error *error);

void lxfw_recorded_clear(struct lxfw_recorded *recorded);

/* For the readers: append. 0, or -1 with errno ENOMEM. */
struct lxfw_recorded_job *lxfw_recorded_add(struct lxfw_recorded *recorded);
int lxfw_recorded_add_event(struct lxfw_recorded *recorded,
			    const struct lxfw_event *event);
/* The hosts and partitions of a cluster as events of the time TIME. */
int lxfw_recorded_add_cluster(struct lxfw_recorded *recorded,
			      const struct lxfw_cluster *cluster, int64_t time);
/* The events from FIRST on are merged into those before; both are in the order of
   time. */
int lxfw_recorded_merge_events(struct lxfw_recorded *recorded, size_t first);
/* Sort the jobs by `seen`, stable. */
void lxfw_recorded_sort(struct lxfw_recorded *recorded);
/* Jobs that left before they started leave as they did: events behind those of the
   cluster, in the order of time. */
int lxfw_recorded_add_departures(struct lxfw_recorded *recorded);

/* The run time of a job whose start and end are known, 1 s at least; else 0. */
int64_t lxfw_recorded_job_run(const struct lxfw_recorded_job *job);
/* Whether it started, both measured and simulated. */
bool lxfw_recorded_in_both(const struct lxfw_recorded_job *job);
int32_t lxfw_recorded_job_procs(const struct lxfw_recorded_job *job);

/* The last submission, start or end; LXFW_UNKNOWN where there are no jobs. */
int64_t lxfw_recorded_end(const struct lxfw_recorded *recorded);

/* What the jobs did, as measured or SIMULATED, into COUNT stays at most; how many. Jobs
   that were not there, or of which that is not known, are left out. */
size_t lxfw_recorded_stays(const struct lxfw_recorded *recorded, bool simulated,
			   struct lxfw_stay *stays);

/* The machine's own time per job. */
struct lxfw_overhead {
	int64_t start;		/* s between a reason to start and the start; 0
				   where it is neither given nor known */
	int64_t end;		/* s for which processors are held beyond the
				   run time; needs known run times, else 0 */
	bool end_known;
	bool start_given;	/* not estimated */
	struct lxfw_start_delay estimate;	/* of the start, of the log */
};

/* Estimated from the measured run; the start as metrics/start_delay.h has it. 0, or -1
   with errno ENOMEM. */
int lxfw_recorded_overhead(const struct lxfw_recorded *recorded,
			   struct lxfw_overhead *overhead);

/* How long the machine hardly ever takes longer than to start a job, s: what the log tells
   of it, whatever is simulated with. */
int64_t lxfw_overhead_longest(const struct lxfw_overhead *overhead);

/*
 * Simulate: fills in `simulated` of each job (LXFW_UNKNOWN where it did not
 * start). PARAMS replace the recorded ones if not NULL. 0, or -1 with errno and
 * ERROR set.
 */
int lxfw_recorded_simulate(struct lxfw_recorded *recorded,
			   const struct lxfw_params *params,
			   const struct lxfw_overhead *overhead,
			   struct lxfw_engine_result *result,
			   struct lxfw_error *error);

#endif
