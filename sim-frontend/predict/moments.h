/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Predictions at past moments of a journal, and the later starts of their jobs. While the
 * journal is read, the starts of the jobs that wait at each chosen moment are predicted from what was
 * known then, by the same futures as those of the present (live.h). What is read later
 * has their starts.
 */
#ifndef LXFW_PREDICT_MOMENTS_H
#define LXFW_PREDICT_MOMENTS_H

#include "sim-frontend/predict/live.h"
#include "sim-frontend/predict/remaining.h"

/* {0} is empty. */
struct lxfw_moments {
	/* Set by the caller. */
	uint64_t seed;
	int futures, threads;
	int64_t horizon;	/* seconds */
	bool look;		/* as if nothing but the state at each moment were known */
	int array_tasks;	/* as of lxfw_futures */
	size_t most;		/* jobs per moment; if more wait, that many at equal distances
				   in the order of the queue */
	int64_t *times;		/* ascending */
	size_t count;
	void (*progress)(size_t done, size_t all);	/* may be NULL */

	/* Results, in order of the moments. */
	struct lxfw_promises promises;

	/* Private. */
	size_t next;		/* first moment that is not over */
	struct lxfw_id_map last;	/* by job: its last promise + 1 */
	uint32_t *before;	/* by promise: the one before of the same job + 1; 0: none */
	size_t before_size;
};

/*
 * Predict at each moment before TIME, the time of the next record. SCHED and PAST have the
 * records so far. Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_moments_until(struct lxfw_moments *moments, int64_t time,
		       const struct lxfw_sched *sched, const struct lxfw_past *past,
		       struct lxfw_error *error);

/* Enter later events and actions, of which the starts of the jobs are known. */
void lxfw_moments_event(struct lxfw_moments *moments, const struct lxfw_event *event);
void lxfw_moments_action(struct lxfw_moments *moments, const struct lxfw_action *action,
			 int64_t now);

void lxfw_moments_clear(struct lxfw_moments *moments);

#endif
