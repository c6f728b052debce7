/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A trace on a cluster under a policy: the world in which the engine runs a
 * workload, and what came out for each job.
 */
#ifndef LXFW_ENGINE_SIMULATION_H
#define LXFW_ENGINE_SIMULATION_H

#include <stdbool.h>

#include "common/params/policy.h"
#include "sim-frontend/engine/engine.h"
#include "sim-frontend/engine/request.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/trace.h"

enum lxfw_estimates {
	LXFW_ESTIMATES_REQUESTED,	/* what the job's owner said */
	LXFW_ESTIMATES_EXACT,		/* the run time */
	LXFW_ESTIMATES_FACTOR,		/* run time x factor, rounded up */
};

enum lxfw_overrun {
	LXFW_OVERRUN_EXTEND,	/* runs as recorded, beyond its limit too */
	LXFW_OVERRUN_KILL,	/* ends at its limit */
};

struct lxfw_simulation_options {
	struct lxfw_params params;
	enum lxfw_pass pass;
	enum lxfw_estimates estimates;
	double factor;		/* 1 or more */
	enum lxfw_overrun overrun;
	bool one_host;		/* every job on one host, not anywhere */
	/* NULL = the paper's, and where there is a journal */
	const struct lxfw_placement_rule *placement;
	/* the workload manager's own priorities; jobs are called by their position in
	   the trace, counted from 1. NULL = none */
	const struct lxfw_priorities *priorities;
	bool keep_hosts;	/* remember where each job ran */
	struct lxfw_speedup speedup;	/* of jobs on fewer processors than
					   requested; {0} = linear */
	/* EQspatial: jobs adapt or not as `least` of each says, and those that do
	   not are as --shape has them; false: all adapt, on one host each. */
	bool mixed;
	/* An adaptive job is ended after so many times its limit, as Slurm would;
	   0 = never. For LXFW_OVERRUN_KILL. */
	int64_t max_stretch;
	/* The machine's own time per job, s: between the decision and the
	   job's start, between its end and its processors' being free. */
	int64_t start_overhead, end_overhead;
};

/* What interruptions cost a job, in s. */
struct lxfw_interruptions {
	int64_t lost;		/* ran before it was requeued */
	int64_t suspended;	/* in the run that counted */
	/* private */
	int64_t since;		/* it runs, or is suspended */
	int64_t ran;		/* before that */
	bool stopped;		/* it is suspended */
};

struct lxfw_simulation {
	/* given */
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	const struct lxfw_simulation_options *options;
	const struct lxfw_job_classes *classes;	/* of the policy of that name;
						   NULL = none */
	void (*progress)(size_t done, size_t all);	/* may be NULL */
	/* Sees every decision before it is carried out; may be NULL. Jobs are
	   called by their position in the trace, counted from 1. */
	void (*observe)(void *observer, int64_t now,
			const struct lxfw_decision *decision);
	void *observer;
	/* Whether to end the run with errno ECANCELED; on the thread that simulates.
	   May be NULL. */
	bool (*stop)(void);

	/* results, by position in trace->jobs */
	int64_t *starts;	/* first processor time of the run that counted,
				   of a suspended job its first; LXFW_NEVER =
				   never started */
	int64_t *ends;		/* when the job was done; LXFW_NEVER = never */
	uint32_t *preemptions;	/* times that the job was suspended, */
	uint32_t *requeues;	/* or requeued; NULL if the parameters never
				   interrupt jobs, */
	struct lxfw_interruptions *interruptions;	/* and this */
	int64_t *left_over;	/* s of its run time that a job was not given, since
				   it was ended before; NULL if none ever is */
	size_t cut_off;		/* jobs of which that is so */
	uint32_t *spans_at;	/* first span of the job; NULL if not kept */
	struct lxfw_span {
		int32_t first, count;	/* hosts; count < 0 ends the list */
	} *spans;
	size_t span_count, span_size;
	struct lxfw_engine_result result;

	/* private */
	size_t next;
	int32_t next_host, next_set;
	size_t next_block, next_change;
	bool classes_told;
	struct lxfw_event event;
};

/* The run time of a job under the options. */
int64_t lxfw_simulation_run_time(const struct lxfw_simulation_options *options,
				 const struct lxfw_trace_job *job);

/* What the scheduler is told of it, s. */
int64_t lxfw_simulation_estimate(const struct lxfw_simulation_options *options,
				 const struct lxfw_trace_job *job);

/* What of it the job at POSITION was given, 1 s or more. */
int64_t lxfw_simulation_ran(const struct lxfw_simulation *simulation,
			    size_t position);

/* How often the job was suspended, and requeued. */
static inline uint32_t
lxfw_simulation_preemptions(const struct lxfw_simulation *simulation, size_t job)
{
	return simulation->preemptions ? simulation->preemptions[job] : 0;
}

static inline uint32_t
lxfw_simulation_requeues(const struct lxfw_simulation *simulation, size_t job)
{
	return simulation->requeues ? simulation->requeues[job] : 0;
}

/* What became of the job at POSITION, for lxfw_measure_add(). */
struct lxfw_outcome lxfw_simulation_outcome(
	const struct lxfw_simulation *simulation, size_t position);

/* Whether every job runs on one host under the options: EQspatial divides the
   processors of a host. Those that keep what they ask for may have several. */
static inline bool
lxfw_simulation_one_host(const struct lxfw_simulation_options *options)
{
	return options->one_host ||
	       (lxfw_policy_has(options->params.policy, LXFW_TRAIT_ADAPTIVE) &&
		!options->mixed);
}

/*
 * Adaptive jobs run on one host: those that no host of the empty cluster could hold,
 * *WIDE in number, keep what they ask for (their `least` becomes 0), or are left out of
 * TRACE with REFUSE. 0, or -1 with errno ENOMEM.
 */
int lxfw_simulation_fit_adaptive(struct lxfw_trace *trace,
				 const struct lxfw_cluster *cluster, bool refuse,
				 size_t *wide);

/* Leave out of TRACE the jobs that the empty cluster cannot hold; *TOO_LARGE is
   their number. Adaptive ones need one host. 0, or -1 with errno ENOMEM. */
int lxfw_simulation_fit(struct lxfw_trace *trace,
			const struct lxfw_cluster *cluster, bool one_host,
			size_t *too_large);

/* Leave out of TRACE the jobs that are beyond every job class, or for whose class no
   host of the empty cluster has room. Likewise. */
int lxfw_simulation_fit_classes(struct lxfw_trace *trace,
				const struct lxfw_cluster *cluster,
				const struct lxfw_job_classes *classes,
				const struct lxfw_simulation_options *options,
				size_t *left_out);

/* 0, or -1 with errno and ERROR set; a job that can never start is named. */
int lxfw_simulation_run(struct lxfw_simulation *simulation,
			struct lxfw_journal_writer *journal,
			struct lxfw_error *error);

/* What became of the job at POSITION, which has ended. */
struct lxfw_outcome
lxfw_simulation_outcome(const struct lxfw_simulation *simulation, size_t position);

/* Which jobs count in figures, and how. */
struct lxfw_counting {
	int64_t warmup;		/* jobs submitted less than so many s after the
				   first one do not, */
	int64_t cooldown;	/* nor those submitted less than so many s before
				   the last one; 0 = all do */
	int64_t bound;		/* of the bounded slowdown, s; 0 = 10 */
};

/* Submissions of TRACE from *BEGIN to *UNTIL count; the latter is INT64_MAX without a
   cool-down. */
void lxfw_counting_window(const struct lxfw_counting *counting,
			  const struct lxfw_trace *trace, int64_t *begin,
			  int64_t *until);

/* Metrics over the jobs that count. 0, or -1 with errno ENOMEM. */
int lxfw_simulation_measure_counting(const struct lxfw_simulation *simulation,
				     const struct lxfw_counting *counting,
				     struct lxfw_metrics *metrics);

/* The same with nothing but a warm-up. */
int lxfw_simulation_measure(const struct lxfw_simulation *simulation,
			    int64_t warmup, struct lxfw_metrics *metrics);

/* The same of jobs that keep what they ask for, [0], and of adaptive ones, [1]; without
   utilization and makespan. */
int lxfw_simulation_measure_kinds(const struct lxfw_simulation *simulation,
				  const struct lxfw_counting *counting,
				  struct lxfw_metrics kinds[2]);

/* The hosts of a job as a list of names, to be freed; NULL with errno ENOMEM. */
char *lxfw_simulation_hosts(const struct lxfw_simulation *simulation,
			    size_t job);

void lxfw_simulation_clear(struct lxfw_simulation *simulation);

#endif
