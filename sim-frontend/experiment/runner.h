/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Executes a list of simulations on several threads. Each writes only to its own record
 * and is independent of the others, so that results do not depend on the number of
 * threads or their timing.
 */
#ifndef LXFW_EXPERIMENT_RUNNER_H
#define LXFW_EXPERIMENT_RUNNER_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/engine/simulation.h"

struct lxfw_run {
	char label[64];		/* name in messages */
	/* Set by the caller; not owned, shared between runs, and not modified. */
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	const struct lxfw_job_classes *classes;	/* NULL unless the policy needs them */
	struct lxfw_simulation_options options;
	/* If `until` is above `from`, the processor time between them that was idle on
	   hosts kept for a reservation is measured. */
	int64_t from, until;	/* seconds */

	/* Results; freed by lxfw_runs_clear(). */
	int64_t *waits;		/* by index of the trace's jobs: response time minus
				   run time on the requested processors, seconds */
	bool *at_once;		/* by index of the trace's jobs: placed for full
				   execution (not in a quantum) at submission. Under
				   EQspatial, a job that was placed starts within
				   MinInterval */
	double held;		/* fraction of all processor time; otherwise 0 */
	size_t events, preemptions, requeues;
	double seconds;		/* duration of the run, which varies */
};

/*
 * Executes all runs on THREADS threads (1 or more; fewer if the system cannot create as
 * many). PROGRESS, which may be NULL, is called on the calling thread with numbers of
 * jobs. Returns 0, or -1 with errno and ERROR set by the failed run that is first in the
 * list.
 */
int lxfw_runs_carry_out(struct lxfw_run *runs, size_t count, int threads,
			void (*progress)(size_t done, size_t all),
			struct lxfw_error *error);

/* Returns the response time (turnaround time) of the job at POSITION, after the run. */
static inline int64_t lxfw_run_response(const struct lxfw_run *run, size_t position)
{
	return run->waits[position] +
	       lxfw_simulation_run_time(&run->options, &run->trace->jobs[position]);
}

void lxfw_runs_clear(struct lxfw_run *runs, size_t count);

#endif
