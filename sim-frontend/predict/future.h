/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Futures: the scheduler is advanced from a moment, many times, with run times and
 * submissions that are drawn from what is known at that moment.
 *
 *   run times    of running and waiting jobs by experience.h
 *   submissions  those of earlier weeks at the same time of the week, one day at a time;
 *                each day of a future is a day of one of the last LXFW_FUTURE_WEEKS weeks,
 *                chosen at random. If less than a week is known, those of earlier days;
 *                with less than a day, none.
 *
 * The scheduler knows the requested times only. All futures have the same hosts and
 * blocks. Futures run on the engine (engine.h), as simulations do. The workload manager's own
 * priorities are computed by a model, if one is given; otherwise they stay as they are, and
 * those of submissions are those of the earlier jobs when they were submitted.
 * A future depends on the seed, its number and what is known, and not on the
 * number of threads or on other futures.
 */
#ifndef LXFW_PREDICT_FUTURE_H
#define LXFW_PREDICT_FUTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"
#include "sim-frontend/engine/priorities.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/predict/held.h"

#define LXFW_FUTURE_WEEKS 8
#define LXFW_FUTURE_PROBES 64

/* Fewer weeks than this differ too little from each other. */
#define LXFW_FUTURE_WEEKS_FEW 4

/* A job that was submitted. */
struct lxfw_arrival {
	struct lxfw_request request;
	struct lxfw_traits traits;
	int64_t ran;		/* run time; -1: it has not ended */
	uint64_t like;		/* the job whose owner it has, for a model of priorities */
	int64_t priority, delay;	/* without a model (LXFW_EVENT_JOB_PRIORITY) */
};

/* What is known at a moment. The functions may be called by several threads. */
struct lxfw_known {
	const struct lxfw_experience *experience;
	const void *context;
	/* Submissions up to the moment, in order of time. */
	const int64_t *submits;
	size_t count;
	void (*arrival)(const void *context, size_t index, struct lxfw_arrival *arrival);
	/* Returns the traits of a job of the scheduler, with its request. */
	void (*traits)(const void *context, const struct lxfw_request *request,
		       struct lxfw_traits *traits);
};

/* The jobs that are submitted in a future. */
struct lxfw_future_arrivals {
	size_t count;
	double wait;		/* sum of their waits in seconds; of those that do not start, to
				   the horizon */
};

/* A job after which another one is submitted. */
struct lxfw_future_after {
	uint64_t job;		/* waits or runs */
	bool started;		/* after its start, otherwise after its end */
	int64_t delay;		/* seconds */
};

struct lxfw_futures {
	const struct lxfw_sched *sched;	/* not changed */
	int64_t now;		/* the moment, not before the time of the scheduler */
	const struct lxfw_known *known;
	uint64_t seed;
	int count;		/* number of futures */
	int threads;
	int64_t horizon;	/* a future ends this many seconds after the moment */
	/* Waiting jobs whose starts are wanted. A future ends when all have started. */
	const uint64_t *watched;
	size_t watched_count;
	size_t most_starts;	/* a future ends after this many, if they are not all; 0: any number */
	/* Of an array, this many of the tasks that wait are in the queue at a time (array_rest.h); 0:
	   all. Not with `make`. */
	int array_tasks;
	/* Waiting jobs that are considered from the first end of a job on one of their hosts on, or from
	   their planned time (held.h). */
	const struct lxfw_held *held;	/* NULL: none */
	/* A job that is submitted in addition, with an id of its own, at the moment, or at
	   `candidate_begin`, or after all jobs of `after`, whichever is last; NULL: none. */
	const struct lxfw_request *candidate;
	const struct lxfw_request *beside;	/* that starts together with it, by their group; NULL:
						   none */
	/* Requests, in place of `candidate`, with ids of their own that are watched in this order: each is
	   submitted alone, at the moment. Their futures have a common beginning, in which they are
	   probes (common/pass/probe.h). */
	const struct lxfw_request *probes;
	size_t probe_count;	/* LXFW_FUTURE_PROBES at most */
	/* It ends while this many jobs more wait than may have reservations. 0: a number that makes that
	   fast; -1: there is none, as a test compares. */
	int fork_before;
	int64_t candidate_begin;
	bool candidate_held;	/* it is submitted as the jobs of `held` are */
	const struct lxfw_future_after *after;
	size_t after_count;
	int64_t candidate_priority;	/* without a model */
	/* A model of priorities and its run up to the moment, which is not changed; NULL:
	   none. `sched` has the priorities that it computed. */
	const struct lxfw_priorities *priorities;
	const void *model;
	bool by_limits;		/* every job runs for its requested time and none is
				   submitted: the expectation of a scheduler that knows
				   requests only */
	/* For a scheduler that is not the present one. */
	const void *context;
	/* Returns the scheduler of a future, which is destroyed at its end, or NULL with
	   errno ENOMEM. NULL: one that decides as `sched` does. */
	struct lxfw_sched *(*make)(const void *context);
	/* Returns the known run time of a job in seconds, or -1. May be NULL. */
	int64_t (*ran)(const void *context, uint64_t id);
	int64_t wake;		/* the first decision if nothing happens before; 0: at
				   `now` */
	bool no_arrivals;	/* no job is submitted */
	bool any_day;		/* if less than LXFW_FUTURE_WEEKS_FEW weeks are known, a day of
				   a future is any day of them, so that futures differ */
	/* A future is simulated to its horizon, also after all watched jobs have started. */
	bool to_the_horizon;
	double *busy;		/* for each future, set to the allocated processor-seconds
				   from `now` to the horizon, if all jobs that wait are
				   watched and none is submitted, or with
				   `to_the_horizon`; may be NULL */
	/* For each future, with `to_the_horizon`; may be NULL. */
	struct lxfw_future_arrivals *arrivals;
	/* With `to_the_horizon`: for each future the processors that are allocated at `now`
	   and every `use_step` seconds after it, USE_COUNT times. NULL: not wanted. */
	int64_t *use;
	int64_t use_step;
	size_t use_count;
	/* With `arrivals`: called at the start of each job that is submitted in future NUMBER,
	   or at the horizon, by one thread for each future. May be NULL. */
	void (*waited)(void *waits, uint64_t number, int64_t submit, int64_t wait);
	void *waits;
};

/*
 * Sets STARTS[W * count + F] to the start of watched job W in future F; LXFW_NEVER: not
 * before the horizon. Returns 0, or -1 with errno and ERROR set.
 */
int lxfw_futures_run(const struct lxfw_futures *futures, int64_t *starts,
		     struct lxfw_error *error);

/* Number of processors that a running job has, by its claim. */
struct lxfw_profile;
int64_t lxfw_future_allocated(const struct lxfw_profile *profile, int32_t claim);

/* Whether the job waits. */
bool lxfw_future_waits(const struct lxfw_sched *sched, uint64_t id);

#endif
