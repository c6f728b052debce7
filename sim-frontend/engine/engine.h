/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The virtual clock: takes events from a world in the order of time, hands them
 * to the scheduler, asks it to decide, and carries its decisions out.
 *
 * lxfw_engine_run() runs a world to its end. Who has several of them, or submits jobs
 * while the clock runs, opens engines and steps each to the time of its next event.
 *
 * At one time: other events (hosts, parameters, changes) first, then the ends of
 * jobs in the order in which they were started, then a calculation of priorities if one
 * is due, then submissions in their order.
 * With LXFW_PASS_TIMESTAMP one decision follows all of them, as in the live
 * plugin; with LXFW_PASS_EVENT one follows each single end and submission, as in
 * many simulators.
 *
 * Jobs may be interrupted (suspended, requeued, resized) under parameters for which
 * lxfw_params_interrupt() says so; then engine/progress.c keeps account of what each
 * has done. An end counts before a decision of the same second: a job whose work is
 * done at the end of its quantum is over, whatever is decided then. Otherwise jobs
 * end after what `started` said, and nothing is kept of them.
 */
#ifndef LXFW_ENGINE_ENGINE_H
#define LXFW_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/sched.h"
#include "sim-frontend/engine/journal_writer.h"
#include "sim-frontend/engine/priorities.h"
#include "sim-frontend/engine/speedup.h"

enum lxfw_pass {
	LXFW_PASS_TIMESTAMP,
	LXFW_PASS_EVENT,
};

/* What the engine runs in. Functions return -1 with errno and ERROR set to end
   the run. */
struct lxfw_world {
	void *context;

	/* The next submission, in the order of time: fills in *REQUEST and
	   *TIME and returns 1; 0 when there are no more. NULL: there are none but
	   those of lxfw_engine_submit(). */
	int (*submission)(void *context, struct lxfw_request *request,
			  int64_t *time);

	/* The workload manager's own priority of a job of `submission`, and its delay,
	   as it comes (LXFW_EVENT_JOB_PRIORITY). NULL: all are 0. */
	void (*priority)(void *context, uint64_t job, int64_t *priority,
			 int64_t *delay);

	/* A model of that priority, in place of the priority that the function above
	   gives. It is asked only under parameters whose order counts the priority. A
	   calculation that changed none is followed by no decision. NULL: there is
	   none. */
	const struct lxfw_priorities *priorities;

	/* The job of the action starts now; how long it holds its hosts, on all
	   the processors that it requested, is returned: 1 or more seconds, or
	   LXFW_NEVER. A job that was requeued starts anew. */
	int64_t (*started)(void *context, const struct lxfw_action *action,
			   struct lxfw_error *error);

	/* The rest of what concerns jobs is asked and told only where they may be
	   interrupted. Memory in KB that the job uses in all, -1 = not known;
	   may be NULL. */
	int64_t (*used_memory)(void *context, uint64_t job);

	/* How long at most the job may hold its hosts from its start on, suspensions
	   apart, 1 or more seconds, or LXFW_NEVER: asked with each start; may be
	   NULL. */
	int64_t (*most)(void *context, uint64_t job);

	/* The job ends now because of that; on all its processors the rest of its
	   work would have taken LEFT more seconds, rounded down. `ended` follows.
	   May be NULL. */
	void (*cut_off)(void *context, uint64_t job, int64_t left);

	/* The job is suspended, resumed, requeued or resized now. May be NULL. */
	void (*interrupted)(void *context, const struct lxfw_action *action);

	/* The job has ended. May be NULL. */
	void (*ended)(void *context, uint64_t job, int64_t now);

	/* How fast jobs are on fewer processors; NULL = linear. */
	const struct lxfw_speedup *speedup;

	/* Which of the hosts that fit a job gets; NULL = the paper's rule. */
	const struct lxfw_placement_rule *placement;

	/* Other events may bring parameters that interrupt jobs. */
	bool may_interrupt;

	/* The next other event, in the order of time; NULL when there are no
	   more. Valid until the next call. May be NULL: there are none. */
	const struct lxfw_event *(*other)(void *context);

	/* Called after each decision, before it is carried out. May be NULL. */
	void (*decided)(void *context, int64_t now,
			const struct lxfw_decision *decision);

	/* Called now and then; DONE submissions so far. May be NULL. */
	void (*progress)(void *context, size_t done);

	/* Whether to end the run with errno ECANCELED; asked at each time. May be
	   NULL. */
	bool (*stop)(void *context);
};

/* Whether the order of waiting jobs under PARAMS counts the workload manager's own
   priority. */
bool lxfw_engine_counts_priority(const struct lxfw_params *params);

struct lxfw_engine_result {
	size_t submitted, ended;
	size_t started;		/* each time that a job is counts */
	size_t events;		/* handed to the scheduler */
	size_t decisions;
	size_t waiting;		/* left at the end */
};

struct lxfw_engine;

/*
 * An engine before its first event. WORLD, with all that it points at, and JOURNAL, which
 * may be NULL, must live as long; PARAMS are copied. NULL with errno and ERROR set.
 */
struct lxfw_engine *lxfw_engine_open(const struct lxfw_world *world,
				     const struct lxfw_params *params,
				     enum lxfw_pass pass,
				     struct lxfw_journal_writer *journal,
				     struct lxfw_error *error);

/* The time of the next event: of the world, of the scheduler, or submitted. LXFW_NEVER if
   there is none, or if jobs wait that can never start. */
int64_t lxfw_engine_next(struct lxfw_engine *engine);

/*
 * Advance the clock to NOW and carry out what is due then. NOW is neither before the
 * clock nor after lxfw_engine_next(). 0, or -1 with errno and ERROR set: EINVAL for
 * another time; after any other error the engine can only be closed.
 */
int lxfw_engine_step(struct lxfw_engine *engine, int64_t now,
		     struct lxfw_error *error);

/*
 * Submit a job at TIME, which is not before the clock: the step to that time has it,
 * behind jobs that were submitted at that time before. The id is of no other job in the
 * engine. 0, or -1 with errno EINVAL or ENOMEM.
 */
int lxfw_engine_submit(struct lxfw_engine *engine,
		       const struct lxfw_request *request, int64_t time);

/*
 * Withdraw a job at the time of the clock, whether it is still to be submitted, waits or
 * runs; the next step, to the same time, decides without it. The functions of the world
 * are not called. 0, or -1 with errno and ERROR set, ENOENT if there is no such job.
 */
int lxfw_engine_withdraw(struct lxfw_engine *engine, uint64_t job,
			 struct lxfw_error *error);

/* What has come of it so far. */
const struct lxfw_engine_result *
lxfw_engine_result(const struct lxfw_engine *engine);

/* ENGINE may be NULL. Keeps errno. */
void lxfw_engine_close(struct lxfw_engine *engine);

/*
 * Run the world to its end. JOURNAL may be NULL. 0, or -1 with errno and ERROR
 * set; EDEADLK when jobs wait that can never start (ERROR is for the caller to
 * fill: it knows which).
 */
int lxfw_engine_run(const struct lxfw_world *world,
		    const struct lxfw_params *params, enum lxfw_pass pass,
		    struct lxfw_journal_writer *journal,
		    struct lxfw_engine_result *result,
		    struct lxfw_error *error);

#endif
