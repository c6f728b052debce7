/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of immediate service.
 *
 * A job in its quantum, the served job, runs on free processors and on the processors of
 * preempted jobs, its *victims*. In the profile the claim of a victim is kept, so that no
 * other job is placed there, and its end moves. The served job claims the rest of its
 * shares.
 */
#ifndef LXFW_SERVICE_QUANTA_H
#define LXFW_SERVICE_QUANTA_H

#include "common/books/books.h"

struct lxfw_victim {
	int32_t job;
	int64_t since;		/* time of its last suspension */
	int64_t left;		/* of a gang: rest of its expected run time then,
				   seconds */
};

struct lxfw_quantum {
	bool used;		/* false: a free slot */
	int32_t job;		/* -1: it has left before the end */
	int64_t end;		/* of a gang: the time of the next turn */
	struct lxfw_share *shares;	/* all shares of the job */
	int32_t share_count;
	struct lxfw_victim *victims;
	int32_t victim_count;
	/* A gang (gang.h) */
	bool gang;
	bool aside;		/* the job is suspended and its victims run */
	int64_t slice;		/* time between two turns, seconds */
	int64_t turns;		/* number of turns still permitted */
	int64_t since, left;	/* of the job, as in struct lxfw_victim */
};

/* A running job that is neither served nor suspended. */
struct lxfw_runner {
	int64_t submit;
	int64_t continued, ran, paused;	/* as in struct lxfw_job */
	uint64_t id;
	int64_t procs;			/* processors that its suspension would free */
	int32_t job;
	int32_t suspensions;
};

/* Processors that the suspension of an eligible job would free on a host. */
struct lxfw_offer {
	int32_t host, procs;
	int32_t runner;			/* index into `runners` */
};

struct lxfw_quanta {
	struct lxfw_quantum *quanta;
	size_t quanta_size, quantum_count;
	int64_t next_end;		/* end of the next quantum; not in the future if a
					   quantum has ended */
	struct lxfw_runner *runners;	/* in no particular order */
	size_t runners_size, runner_count;
	struct lxfw_arrival {		/* jobs to be served: by the time at which they
					   arrived, then by id */
		int64_t time;
		uint64_t id;
		int32_t job;		/* its slot, while the job in the slot has this
					   id */
	} *arrivals;
	size_t arrivals_size, arrival_count;
	size_t arrivals_tried;	/* number of arrivals that were tried, when `gains` was
				   tried_gains */
	uint64_t tried_gains;
	int64_t next_eligible;		/* time at which a further job may be preempted */
	int64_t lendable;		/* processors of all jobs that may be preempted
					   now; -1: not counted yet */
	bool serves;			/* immediate service has begun */
	const struct lxfw_victim_rule *rule;	/* of the present search for victims */
	int64_t interruption;		/* longest time for which they are suspended */
	int64_t needed_until;		/* when the hosts that are sought are free again */

	/* Scratch arrays. */
	struct lxfw_share *shares;
	size_t shares_size;
	struct lxfw_offer *offers;
	size_t offers_size;
	int32_t *offers_at;		/* index of the first offer of each host, and of
					   the end */
	size_t offers_at_size;
	int32_t *preempted;			/* by host: processors of the victims
						   chosen so far */
	size_t preempted_size;
	bool *taken;			/* by host: whether it is chosen */
	size_t taken_size;
	int32_t *victims, *tried;	/* indices into `runners` */
	size_t victims_size, tried_size, victim_count;
};

#endif
