/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of a future, for the files that implement future.h. */
#ifndef LXFW_PREDICT_FUTURE_STATE_H
#define LXFW_PREDICT_FUTURE_STATE_H

#include "common/snapshot.h"
#include "common/util/error.h"
#include "sim-frontend/engine/engine.h"
#include "sim-frontend/predict/array_rest.h"
#include "sim-frontend/predict/future.h"
#include "sim-frontend/util/random.h"

/* The scheduler at the moment, for those of the futures. */
struct lxfw_future_origin {
	struct lxfw_snapshot state;
	bool known;		/* otherwise the scheduler is copied */
	struct lxfw_array_rest rest;	/* which `state` lacks */
	size_t fork;		/* waiting jobs up to which futures of probes are forked; SIZE_MAX:
				   they have no common beginning */
	double shape;		/* of run times of which nothing is known */
};

struct lxfw_future {
	const struct lxfw_futures *of;
	const struct lxfw_future_origin *origin;
	uint64_t number;
	const struct lxfw_request *candidate;	/* that is submitted; NULL: none, or there are
						   probes */
	struct lxfw_engine *engine;
	struct lxfw_random random;	/* for the days */
	int64_t begin;
	/* Submissions: those of the day of the past that begins at BEGIN - shift. */
	int64_t day_end;	/* in the future */
	int64_t shift;		/* to be added to a time of the past */
	size_t next;		/* index of the next submission */
	bool no_arrivals;
	/* Jobs submitted so far, and the next one. */
	struct arrived {
		struct lxfw_traits traits;
		int64_t submit, ran, priority, delay;
		uint64_t like;
		bool started;
	} *arrived;
	size_t arrived_count, arrived_size;
	int64_t *starts;	/* of watched jobs, with a stride of of->count */
	const struct lxfw_id_map *watched;
	size_t left;		/* watched jobs that have not started */
	size_t started;		/* all jobs that have */
	struct waits_for_end {
		struct lxfw_request request;
		int64_t end;	/* the first one on its hosts, or its planned time */
	} *held;		/* the jobs of of->held that wait, and then the candidate */
	size_t held_count;
	size_t after_left;	/* of of->after, whose times are not known */
	int64_t after;		/* the last one of those that are */
	size_t *late;		/* of each part of origin->rest, the tasks that are submitted */
	int64_t *awake;		/* of each host with a boot time, when it is up; 0: not known. NULL:
				   all are up */
	bool failed;		/* memory ran out */
};

/* What the engine of a future asks. It refers to FUTURE. */
struct lxfw_world lxfw_future_world(struct lxfw_future *future);

/* Makes the engine of a future at the moment, with the ends of running jobs and the submissions that
   are known. WORLD is that of lxfw_future_world(). Returns 0, or -1 with errno and ERROR set. */
int lxfw_future_begin(struct lxfw_future *future, const struct lxfw_world *world,
		      struct lxfw_error *error);

/* Whether more is wanted of a future, and happens by LAST. */
bool lxfw_future_goes_on(struct lxfw_future *future, int64_t last);

/* Begins a future and runs it to its end. Returns 0, or -1 with errno and ERROR set. */
int lxfw_future_run(struct lxfw_future *future, struct lxfw_error *error);

/* Frees what a future has. Preserves errno. */
void lxfw_future_end(struct lxfw_future *future);

/* The number of waiting jobs from which on probes have a common beginning, or SIZE_MAX. */
size_t lxfw_future_fork_at(const struct lxfw_futures *of,
			   const struct lxfw_future_origin *origin);

/* Runs the futures of all probes. Returns 0, or -1 with errno and ERROR set. */
int lxfw_future_run_probes(struct lxfw_future *future, struct lxfw_error *error);

#endif
