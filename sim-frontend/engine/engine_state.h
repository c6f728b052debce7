/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The state of an engine, for the files that implement engine.h. */
#ifndef LXFW_ENGINE_ENGINE_STATE_H
#define LXFW_ENGINE_ENGINE_STATE_H

#include "sim-frontend/engine/ends.h"
#include "sim-frontend/engine/engine.h"
#include "sim-frontend/engine/progress.h"
#include "sim-frontend/engine/submissions.h"

struct lxfw_engine {
	const struct lxfw_world *world;
	struct lxfw_sched *sched;
	struct lxfw_journal_writer *journal;
	struct lxfw_error *error;
	struct lxfw_engine_result result;
	enum lxfw_pass pass;
	struct lxfw_ends ends;
	bool interrupts;		/* jobs may be interrupted; the following apply
					   then */
	struct lxfw_progress progress;
	bool only_later;		/* interruptions only delay ends */
	size_t ends_kept;		/* number of ends after the last removal of
					   obsolete ones */
	struct lxfw_submissions coming;
	const struct lxfw_event *other;	/* the next other event */
	struct lxfw_params params;
	bool begun;			/* the scheduler has the parameters */
	bool disturbed;			/* jobs were withdrawn since the last decision */
	int64_t now, wake;
	size_t waiting;
	int fruitless;			/* consecutive wake-ups */
	bool patient;			/* these do not end the run */
	/* The model of priorities; NULL = none, or they do not count. */
	const struct lxfw_priorities *priorities;
	void *model;			/* from the first event on */
	uint64_t *requeued;		/* in the decision that is carried out */
	size_t requeued_count, requeued_size;
	/* Result of find_next(), valid until something changes. */
	bool next_known, only_wake, only_step;
	int64_t next;
};

#endif
