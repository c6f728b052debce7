/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list of simulations carried out on several threads. Each writes to its own
 * record only and knows nothing of the others, so that what comes out does not
 * depend on how many threads there are or which of them is faster.
 */
#ifndef LXFW_EXPERIMENT_RUNNER_H
#define LXFW_EXPERIMENT_RUNNER_H

#include <stddef.h>
#include <stdint.h>

#include "sim-frontend/engine/simulation.h"

struct lxfw_run {
	char label[64];		/* what messages call it */
	/* given; not owned, shared between runs and not written to */
	const struct lxfw_trace *trace;
	const struct lxfw_cluster *cluster;
	const struct lxfw_job_classes *classes;	/* NULL unless the policy has them */
	struct lxfw_simulation_options options;
	/* Where `until` is above `from`: count the processor time in between
	   that was idle on hosts kept for a reservation. */
	int64_t from, until;	/* s */

	/* results; freed by lxfw_runs_clear() */
	int64_t *waits;		/* by position in the trace's jobs: response less
				   run time on the processors requested, s */
	bool *at_once;		/* the same: placed for full execution (no quantum)
				   when it was submitted. Under EQspatial a job
				   that was placed starts within MinInterval */
	double held;		/* its share of all processor time; else 0 */
	size_t events, preemptions, requeues;
	double seconds;		/* that it took; not the same twice */
};

/*
 * Carry out all of them on so many threads (1 or more; fewer if the system does
 * not give as many). PROGRESS may be NULL, it is called by the calling thread, in
 * jobs. 0, or -1 with errno and ERROR set by the first run of the list that
 * failed.
 */
int lxfw_runs_carry_out(struct lxfw_run *runs, size_t count, int threads,
			void (*progress)(size_t done, size_t all),
			struct lxfw_error *error);

void lxfw_runs_clear(struct lxfw_run *runs, size_t count);

#endif
