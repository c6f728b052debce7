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
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/names.h"
#include "sim-frontend/trace/trace.h"
#include "sim-frontend/workload/calendar.h"

/* A time that is not known, or of what did not happen. */
#define LXFW_UNKNOWN INT64_MIN

struct lxfw_recorded_job {
	struct lxfw_request request;
	int64_t number;		/* what its log calls it */
	int64_t seen;		/* when the scheduler learned of it */
	int64_t possible;	/* not before: when it learned of the hosts and
				   sets that the request may name */
	int64_t start, end;	/* measured, or LXFW_UNKNOWN; the start of one
				   that was interrupted as for `simulated` */
	int64_t run;		/* its own run time without the machine's
				   overhead, or LXFW_UNKNOWN */
	bool interrupted;	/* in the measured run */
	int64_t simulated;	/* filled in by a simulation: start, or for one
				   that was interrupted when it would have had
				   to start to end as it did without that */
	int32_t user, group, queue;	/* in the lists of names; -1 = not known */
	bool told;		/* for the reader: still there after a restart */
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
	struct lxfw_names users, groups, queues;
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
	size_t cut_off;		/* bytes of half records in the journal */
};

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
/* Sort the jobs by `seen`, stable. */
void lxfw_recorded_sort(struct lxfw_recorded *recorded);

/* The machine's own time per job. */
struct lxfw_overhead {
	int64_t start;		/* s between a reason to start and the start */
	int64_t end;		/* s for which processors are held beyond the
				   run time; needs known run times, else 0 */
	bool end_known;
};

void lxfw_recorded_overhead(const struct lxfw_recorded *recorded,
			    struct lxfw_overhead *overhead);

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
