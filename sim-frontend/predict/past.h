/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the events and decisions of a scheduler tell about the past: run times of jobs that
 * have ended, and submissions. A journal contains no users: jobs are alike by partition,
 * size and requested time.
 */
#ifndef LXFW_PREDICT_PAST_H
#define LXFW_PREDICT_PAST_H

#include <stdbool.h>

#include "common/model/action.h"
#include "common/model/event.h"
#include "common/util/id_map.h"
#include "sim-frontend/history/ran.h"
#include "sim-frontend/predict/future.h"
#include "sim-frontend/predict/owners.h"

/* {0} is empty. */
struct lxfw_past {
	struct lxfw_experience experience;
	struct lxfw_past_job {
		struct lxfw_request request;
		int64_t priority, delay;	/* the first ones; 0: none */
		bool ranked;		/* they are known */
		int64_t start;		/* -1: does not run, or was interrupted */
		int64_t ran;		/* -1: has not ended */
	} *jobs;
	size_t count, size;
	struct lxfw_id_map by_id;	/* jobs that have not ended */
	uint32_t *ended;	/* jobs that ran, in the order of their ends */
	size_t ended_count, ended_size;
	int64_t *submits;		/* submissions in order of time */
	uint32_t *submitted;		/* the job of each */
	size_t submit_count, submits_size, submitted_size;
	bool begins;		/* no event of the segment was seen yet */
	int64_t begin;		/* time of its first event */
	const struct lxfw_owners *owners;	/* of the present jobs; NULL: unknown */
};

void lxfw_past_clear(struct lxfw_past *past);

/* A segment begins: the scheduler learns of the jobs that are there. Those that were
   submitted earlier are no new submissions. */
void lxfw_past_segment(struct lxfw_past *past);

/* Returns 0, or -1 with errno ENOMEM. */
int lxfw_past_event(struct lxfw_past *past, const struct lxfw_event *event);

void lxfw_past_action(struct lxfw_past *past, const struct lxfw_action *action, int64_t now);

/* What is known, for lxfw_futures_run(). Valid until the past changes. */
void lxfw_past_known(const struct lxfw_past *past, struct lxfw_known *known);

/* Adds the jobs that have ended to RANS, in the order of their ends. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_past_rans(const struct lxfw_past *past, struct lxfw_rans *rans);

/* The median of the priorities that the last LXFW_PAST_RANKED jobs had first; 0: there are
   none. */
#define LXFW_PAST_RANKED 100
int64_t lxfw_past_priority(const struct lxfw_past *past);
/* The median of their tiers, likewise. */
int32_t lxfw_past_tier(const struct lxfw_past *past);

/* The traits of a request. */
void lxfw_past_traits(const struct lxfw_request *request, struct lxfw_traits *traits);

#endif
