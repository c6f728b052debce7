/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an experiment counts beyond waits, told from the decisions of a run:
 * which jobs were placed for full execution at their submission, and for how long
 * hosts were kept for a reservation.
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
	bool *at_once;		/* by position in the trace's jobs: started for
				   full execution (no quantum) at most `grace` s
				   after its submission */
	int32_t *hosts;		/* the same: the (first) host it started on last;
				   -1 = none */
	struct lxfw_observed_span *spans;	/* complete ones */
	size_t span_count, span_size;
	bool failed;		/* memory ran out: results are not complete */

	/* given */
	int64_t grace;		/* 0 after lxfw_observer_begin() */

	/* private */
	const struct lxfw_trace *trace;
	int32_t *reserved_on;	/* by job; -1 = no reservation */
	struct lxfw_observed_pending {
		int64_t since;
		int32_t count;	/* reservations on the host */
	} *pending;		/* by host */
};

/* 0, or -1 with errno ENOMEM; lxfw_observer_end() in either case. */
int lxfw_observer_begin(struct lxfw_observer *observer,
			const struct lxfw_trace *trace,
			const struct lxfw_cluster *cluster);

/* For `observe` of a simulation. */
void lxfw_observer_see(void *observer, int64_t now,
		       const struct lxfw_decision *decision);

/*
 * The share of the processor time of CLUSTER in [FROM, UNTIL) that was idle on
 * hosts while these had a reservation (section 2.1). STARTS and ENDS are by
 * position in the trace's jobs. For jobs on one host each that run without
 * interruption on what they asked for.
 */
double lxfw_observer_held(const struct lxfw_observer *observer,
			  const struct lxfw_cluster *cluster,
			  const int64_t *starts, const int64_t *ends,
			  int64_t from, int64_t until);

void lxfw_observer_end(struct lxfw_observer *observer);

#endif
