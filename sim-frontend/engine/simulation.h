/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Simulates a trace on a cluster under a policy: the world of an engine, and the results
 * for each job.
 */
#ifndef LXFW_ENGINE_SIMULATION_H
#define LXFW_ENGINE_SIMULATION_H

#include <stdbool.h>

#include "common/params/policy.h"
#include "common/util/id_map.h"
#include "sim-frontend/engine/engine.h"
#include "sim-frontend/engine/feedback.h"
#include "sim-frontend/engine/interruptions.h"
#include "sim-frontend/engine/request.h"
#include "sim-frontend/history/accuracy.h"
#include "sim-frontend/history/learned.h"
#include "sim-frontend/metrics/metrics.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/trace.h"

enum lxfw_estimates {
	LXFW_ESTIMATES_REQUESTED,	/* the requested time */
	LXFW_ESTIMATES_EXACT,		/* the run time */
	LXFW_ESTIMATES_FACTOR,		/* run time x factor, rounded up */
};

enum lxfw_overrun {
	LXFW_OVERRUN_EXTEND,	/* jobs run as recorded, even beyond their limits */
	LXFW_OVERRUN_KILL,	/* jobs end at their limits */
};

struct lxfw_simulation_options {
	struct lxfw_params params;
	enum lxfw_pass pass;
	enum lxfw_estimates estimates;
	double factor;		/* 1 or more */
	/* Estimates of jobs that are known of earlier ones; `estimates` and `factor` apply
	   to the others. NULL: none are. Positions are those of the trace. */
	const struct lxfw_learned *learned;
	/* Jobs that are submitted after the end of others. NULL: all have their recorded
	   submissions. Positions are those of the trace. */
	const struct lxfw_feedback *feedback;
	enum lxfw_overrun overrun;
	bool one_host;		/* every job runs on one host */
	/* the workload manager's own priorities; jobs are called by their position in
	   the trace, counted from 1. NULL = none */
	const struct lxfw_priorities *priorities;
	bool keep_hosts;	/* store the hosts of each job */
	struct lxfw_speedup speedup;	/* of jobs on fewer processors than requested;
					   {0}: linear */
	/* EQspatial: `min_procs` of each job determines whether it is adaptive; other
	   jobs have the shape of --shape. If false, all jobs are adaptive, on one host
	   each. */
	bool mixed;
	/* An adaptive job ends at its limit times this factor, as in Slurm; 0: never.
	   For LXFW_OVERRUN_KILL. */
	int64_t max_stretch;
	/* System overhead per job, seconds: from the decision to the job's start, and
	   from its end until its processors are free. */
	int64_t start_overhead, end_overhead;
};

struct lxfw_simulation {
	/* Set by the caller. */
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	const struct lxfw_simulation_options *options;
	const struct lxfw_job_classes *classes;	/* required by policy classes; NULL:
						   none */
	void (*progress)(size_t done, size_t all);	/* may be NULL */
	/* Called for every decision before it is executed; may be NULL. Job ids are
	   positions in the trace plus one. */
	void (*observe)(void *observer, int64_t now,
			const struct lxfw_decision *decision);
	/* Called at each time after its decisions were executed, with OBSERVER. Returns
	   0, or -1 with errno and ERROR set to end the run. May be NULL. */
	int (*stepped)(void *observer, const struct lxfw_run_moment *moment,
		       struct lxfw_error *error);
	void *observer;
	/* Returns true to end the run with errno ECANCELED. Called on the simulating
	   thread. May be NULL. */
	bool (*stop)(void);

	/* Results, by index of trace->jobs. */
	int64_t *starts;	/* start of the last run, or the first start if the job
				   was suspended; LXFW_NEVER: never started */
	int64_t *ends;		/* completion of the job; LXFW_NEVER: never */
	uint32_t *preemptions;	/* number of suspensions */
	uint32_t *requeues;	/* number of requeues; these three are NULL if the
				   parameters never interrupt jobs */
	struct lxfw_interruptions *interruptions;	/* cost of interruptions */
	int64_t *left_over;	/* seconds of the run time that the job did not
				   receive, since it ended early; NULL if no job can */
	size_t cut_off;		/* number of jobs that ended early */
	struct lxfw_expected_run *expected;	/* NULL unless estimates are learned */
	uint32_t *spans_at;	/* index of the first span of the job; NULL if not
				   stored */
	struct lxfw_span {
		int32_t first, count;	/* hosts; count < 0 ends the list */
	} *spans;
	size_t span_count, span_size;
	struct lxfw_engine_result result;

	/* Private. */
	size_t next;
	struct lxfw_feedback_run feedback;
	int32_t next_host, next_extra, next_set;
	size_t next_block, next_change;
	bool classes_told;
	struct lxfw_estimator estimator;
	bool learning_failed;		/* no memory */
	struct lxfw_id_map groups;	/* number of components of each heterogeneous
					   job */
	struct lxfw_event event;
};

/* Returns the run time of a job under the options. */
int64_t lxfw_simulation_run_time(const struct lxfw_simulation_options *options,
				 const struct lxfw_trace_job *job);

/* Returns the estimate for the scheduler, seconds. */
int64_t lxfw_simulation_estimate(const struct lxfw_simulation_options *options,
				 const struct lxfw_trace_job *job);

/* Returns what is known of the job at POSITION for an estimate that is learned, or NULL. */
const struct lxfw_estimate_of *lxfw_simulation_known(const struct lxfw_simulation *sim,
						     size_t position);

/* Returns the estimate that the scheduler had of the job at POSITION. */
int64_t lxfw_simulation_estimate_at(const struct lxfw_simulation *simulation,
				    size_t position);

/* Returns the run time that the job at POSITION received, 1 s or more. */
int64_t lxfw_simulation_ran(const struct lxfw_simulation *simulation,
			    size_t position);

/* Return how often the job was suspended, and requeued. */
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

/* Returns the submission of the job at POSITION: as recorded, or after the end of the jobs that
   it follows. */
static inline int64_t
lxfw_simulation_submit(const struct lxfw_simulation *simulation, size_t position)
{
	return simulation->feedback.of ? simulation->feedback.submits[position] :
					 simulation->trace->jobs[position].submit;
}

/* Returns the outcome of the job at POSITION, for lxfw_measure_add(). */
struct lxfw_outcome lxfw_simulation_outcome(
	const struct lxfw_simulation *simulation, size_t position);

/* Returns whether every job runs on one host under the options: EQspatial divides the
   processors of a host. Jobs that are not adaptive may use several. */
static inline bool
lxfw_simulation_one_host(const struct lxfw_simulation_options *options)
{
	return options->one_host ||
	       (lxfw_policy_has(options->params.policy, LXFW_TRAIT_ADAPTIVE) &&
		!options->mixed);
}

/*
 * Adaptive jobs run on one host. Those that do not fit on any host of the empty cluster,
 * *WIDE in number, become rigid (`min_procs` 0) or, with REFUSE, are left out of TRACE.
 * Returns 0, or -1 with errno ENOMEM.
 */
int lxfw_simulation_fit_adaptive(struct lxfw_trace *trace,
				 const struct lxfw_cluster *cluster, bool refuse,
				 size_t *wide);

/* Leaves out of TRACE the jobs that do not fit on the empty cluster; *TOO_LARGE is
   their number. Adaptive jobs need one host. Returns 0, or -1 with errno ENOMEM. */
int lxfw_simulation_fit(struct lxfw_trace *trace,
			const struct lxfw_cluster *cluster, bool one_host,
			size_t *too_large);

/* Leaves out of TRACE the jobs that exceed every job class, or that fit on no host of
   the empty cluster which accepts their class. Returns 0, or -1 with errno ENOMEM. */
int lxfw_simulation_fit_classes(struct lxfw_trace *trace,
				const struct lxfw_cluster *cluster,
				const struct lxfw_job_classes *classes,
				const struct lxfw_simulation_options *options,
				size_t *left_out);

/* Returns 0, or -1 with errno and ERROR set, which names a job that can never start. */
int lxfw_simulation_run(struct lxfw_simulation *simulation,
			struct lxfw_journal_writer *journal,
			struct lxfw_error *error);

/* Returns the outcome of the job at POSITION, which must have ended. */
struct lxfw_outcome
lxfw_simulation_outcome(const struct lxfw_simulation *simulation, size_t position);

/* Selects the jobs that count in metrics, and how. Jobs are selected by their recorded
   submissions, so that all schedules of a trace count the same ones. */
struct lxfw_counting {
	int64_t warmup;		/* seconds after the first submission in which
				   submitted jobs do not count */
	int64_t cooldown;	/* seconds before the last submission in which
				   submitted jobs do not count; 0: none */
	int64_t bound;		/* of the bounded slowdown, seconds; 0: the default, 10 */
};

/* Submissions of TRACE from *BEGIN to *UNTIL count. *UNTIL is INT64_MAX without a
   cool-down. */
void lxfw_counting_window(const struct lxfw_counting *counting,
			  const struct lxfw_trace *trace, int64_t *begin,
			  int64_t *until);

/* Computes metrics over the jobs that count. Returns 0, or -1 with errno ENOMEM. */
int lxfw_simulation_measure_counting(const struct lxfw_simulation *simulation,
				     const struct lxfw_counting *counting,
				     struct lxfw_metrics *metrics);

/* As above, with a warm-up only. */
int lxfw_simulation_measure(const struct lxfw_simulation *simulation,
			    int64_t warmup, struct lxfw_metrics *metrics);

/* Computes metrics of rigid jobs, [0], and of adaptive jobs, [1], without utilization
   and makespan. Returns 0, or -1 with errno ENOMEM. */
int lxfw_simulation_measure_kinds(const struct lxfw_simulation *simulation,
				  const struct lxfw_counting *counting,
				  struct lxfw_metrics kinds[2]);

/* Judges estimates that were learned, of the jobs that count. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_simulation_accuracy(const struct lxfw_simulation *simulation,
			  const struct lxfw_counting *counting,
			  struct lxfw_accuracy *accuracy);

/* Returns the hosts of a job as a list of names, which the caller frees, or NULL with
   errno ENOMEM. */
char *lxfw_simulation_hosts(const struct lxfw_simulation *simulation,
			    size_t job);

void lxfw_simulation_clear(struct lxfw_simulation *simulation);

#endif
