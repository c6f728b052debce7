/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The state of immediate service.
 *
 * A job in its quantum runs on processors that are free and on processors that
 * suspended jobs, its victims, *lend* it. In the profile a victim's claim stays as
 * it is, so that nothing else is placed there, and only its end moves; the served
 * job claims what it takes beyond what is lent.
 */
#ifndef LXFW_SERVICE_QUANTA_H
#define LXFW_SERVICE_QUANTA_H

#include "common/books/books.h"

struct lxfw_victim {
	int32_t job;
	int64_t since;		/* suspended */
};

struct lxfw_quantum {
	bool used;		/* else a free slot */
	int32_t job;		/* -1 when it has left before the end */
	int64_t end;
	struct lxfw_share *shares;	/* all that the job runs on */
	int32_t share_count;
	struct lxfw_victim *victims;
	int32_t victim_count;
};

/* A running job that takes part in no quantum. */
struct lxfw_runner {
	int64_t submit;
	int64_t continued, ran, paused;	/* as in struct lxfw_job */
	uint64_t id;
	int64_t procs;			/* that it would lend in all */
	int32_t job;
	int32_t suspensions;
};

/* Processors of a host that an eligible job would lend. */
struct lxfw_offer {
	int32_t host, procs;
	int32_t runner;			/* -1 when it has been taken */
};

struct lxfw_quanta {
	struct lxfw_quantum *quanta;
	size_t quanta_size, quantum_count;
	int64_t next_end;		/* when one ends, or now if one has */
	struct lxfw_runner *runners;	/* in no order */
	size_t runners_size, runner_count;
	struct lxfw_arrival {		/* jobs to be served, in order */
		uint64_t id;
		int32_t job;		/* if it is still that one's slot */
	} *arrivals;
	size_t arrivals_size, arrival_count;
	size_t arrivals_tried;	/* of these, with gains as they were */
	uint64_t tried_gains;
	int64_t next_eligible;		/* when a further job may be preempted */
	int64_t lendable;		/* processors of all that may be, now; -1
					   until it is counted */

	/* Scratch. */
	struct lxfw_share *shares;
	size_t shares_size;
	struct lxfw_offer *offers;
	size_t offers_size;
	int32_t *offers_at;		/* first offer of each host, and the end */
	size_t offers_at_size;
	int32_t *preempted;			/* processors, by host, that victims
					   chosen so far lend there */
	size_t preempted_size;
	bool *taken;			/* hosts chosen so far */
	size_t taken_size;
	int32_t *victims, *tried;	/* runners */
	size_t victims_size, tried_size, victim_count;
};

#endif
