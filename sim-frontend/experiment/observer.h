/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Derives results other than waits from the decisions of a run: which jobs were placed
 * for full execution at submission, and how long hosts were kept for a reservation.
 */
#ifndef LXFW_EXPERIMENT_OBSERVER_H
#define LXFW_EXPERIMENT_OBSERVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/action.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/trace/trace.h"

/* A host had at least one reservation from FROM to TO. */
struct lxfw_observed_span {
	int64_t from, to;
	int32_t host;
};

struct lxfw_observer {
	bool *at_once;		/* by index of the trace's jobs: started for full
				   execution (not in a quantum) at most `grace` seconds
				   after submission */
	int32_t *hosts;		/* by index of the trace's jobs: the first host of its
				   last start; -1: none */
	struct lxfw_observed_span *spans;	/* completed spans */
	size_t span_count, span_size;
	bool failed;		/* memory ran out: results are incomplete */

	/* Set by the caller. */
	int64_t grace;		/* seconds; 0 after lxfw_observer_begin() */

	/* Private. */
	const struct lxfw_trace *trace;
	int32_t *reserved_on;	/* by job; -1: no reservation */
	struct lxfw_observed_pending {
		int64_t since;
		int32_t count;	/* number of reservations on the host */
	} *pending;		/* by host */
};

/* Returns 0, or -1 with errno ENOMEM. Call lxfw_observer_end() in either case. */
int lxfw_observer_begin(struct lxfw_observer *observer,
			const struct lxfw_trace *trace,
			const struct lxfw_cluster *cluster);

/* The `observe` function of a simulation. */
void lxfw_observer_see(void *observer, int64_t now,
		       const struct lxfw_decision *decision);

/*
 * Returns the fraction of the processor time of CLUSTER in [FROM, UNTIL) that was idle on
 * hosts while they had a reservation (section 2.1). STARTS and ENDS are by index of the
 * trace's jobs. Valid for jobs that run on one host each, without interruption, on the
 * processors they requested.
 */
double lxfw_observer_held(const struct lxfw_observer *observer,
			  const struct lxfw_cluster *cluster,
			  const int64_t *starts, const int64_t *ends,
			  int64_t from, int64_t until);

void lxfw_observer_end(struct lxfw_observer *observer);

#endif
