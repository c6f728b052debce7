/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The virtual clock: takes events from a world in the order of time, hands them
 * to the scheduler, asks it to decide, and carries its decisions out.
 *
 * lxfw_engine_run() runs a world to its end. A caller with several worlds, or that submits jobs
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
 * lxfw_params_interrupt() is true of; then engine/progress.c keeps account of what each
 * has done. An end counts before a decision of the same second: a job whose work is
 * done at the end of its quantum is over, whatever is decided then. Otherwise jobs
 * end after what `started` returned, and nothing is kept of them.
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

/* The state of a run at a time, from which lxfw_engine_resume() continues. */
struct lxfw_run_moment {
	int64_t now;
	int64_t wake;		/* the next decision if nothing happens before */
	const struct lxfw_sched *sched;
	const void *model;	/* of priorities; NULL: none, or it does not count */
};

/* The environment of an engine. Functions end the run by returning -1 with errno and
   ERROR set. */
struct lxfw_world {
	void *context;

	/* Returns the next submission in order of time: sets *REQUEST and *TIME and
	   returns 1, or returns 0 if there are no more. NULL: only those of
	   lxfw_engine_submit(). */
	int (*submission)(void *context, struct lxfw_request *request,
			  int64_t *time);

	/* Called after ends and starts of jobs. Returns whether the next submission has
	   become another one, whose time is not before the clock: `submission` is then
	   called again, and returns the former one later. NULL: never. */
	bool (*sooner)(void *context);

	/* The job is submitted, after the ends of the same time. May change the estimate of
	   the request, which `submission` returned at the submission before. May be
	   NULL. */
	void (*submitted)(void *context, struct lxfw_request *request);

	/* Returns the workload manager's priority and delay of a job of `submission`
	   when it is submitted (LXFW_EVENT_JOB_PRIORITY). NULL: all are 0. */
	void (*priority)(void *context, uint64_t job, int64_t *priority,
			 int64_t *delay);

	/* Returns the job whose owner and QOS a submitted job has, for the model of
	   priorities. NULL: itself. */
	uint64_t (*like)(void *context, uint64_t job);

	/* A submission that the scheduler rejects is left out; otherwise it ends the
	   run. */
	bool lenient;

	/* A model of that priority, in place of the priority that the function above
	   gives. It is used only under parameters whose order counts the priority. A
	   calculation that changed none is followed by no decision. NULL: there is
	   none. */
	const struct lxfw_priorities *priorities;

	/* The job of the action starts. Returns the time for which it holds its hosts
	   on all processors requested: 1 or more seconds, or LXFW_NEVER. A requeued
	   job starts from the beginning. */
	int64_t (*started)(void *context, const struct lxfw_action *action,
			   struct lxfw_error *error);

	/* The job has left the scheduler, because it has ended. May be NULL. */
	void (*left)(void *context, uint64_t job, int64_t now);

	/* The following functions for jobs are called only if jobs may be interrupted.
	   used_memory() returns the total memory in KB that the job uses, -1 if
	   unknown; may be NULL. */
	int64_t (*used_memory)(void *context, uint64_t job);

	/* Called at each start. Returns the maximum time for which the job may hold
	   its hosts, without suspensions: 1 or more seconds, or LXFW_NEVER. May be
	   NULL. */
	int64_t (*most)(void *context, uint64_t job);

	/* The job ends at this maximum. On all its processors, the rest of its work
	   would have taken LEFT more seconds, rounded down. Followed by `ended`. May
	   be NULL. */
	void (*cut_off)(void *context, uint64_t job, int64_t left);

	/* The job is suspended, resumed, requeued or resized. May be NULL. */
	void (*interrupted)(void *context, const struct lxfw_action *action);

	/* The job has ended. May be NULL. */
	void (*ended)(void *context, uint64_t job, int64_t now);

	/* Speed of jobs on fewer processors; NULL: linear. */
	const struct lxfw_speedup *speedup;

	/* Other events may include parameters that interrupt jobs. */
	bool may_interrupt;

	/* Returns the next other event in order of time, valid until the next call, or
	   NULL if there are no more. May be NULL: there are none. */
	const struct lxfw_event *(*other)(void *context);

	/* Called after each decision, before it is executed. May be NULL. */
	void (*decided)(void *context, int64_t now,
			const struct lxfw_decision *decision);

	/* Called at each time after its decisions were executed. May be NULL. */
	int (*stepped)(void *context, const struct lxfw_run_moment *moment,
		       struct lxfw_error *error);

	/* Called repeatedly with the number of submissions so far. May be NULL. */
	void (*progress)(void *context, size_t done);

	/* Called at each time. Returns true to end the run with errno ECANCELED. May
	   be NULL. */
	bool (*stop)(void *context);
};

/* Whether the order of waiting jobs under PARAMS counts the workload manager's own
   priority. */
bool lxfw_engine_counts_priority(const struct lxfw_params *params);

struct lxfw_engine_result {
	size_t submitted, ended;
	size_t started;		/* number of starts, including restarts */
	size_t events;		/* number of events passed to the scheduler */
	size_t decisions;
	size_t waiting;		/* number of waiting jobs at the end */
};

struct lxfw_engine;

/*
 * Creates an engine before its first event. WORLD and all that it refers to, and JOURNAL,
 * which may be NULL, must outlive the engine. PARAMS are copied. Returns NULL with errno
 * and ERROR set on failure.
 */
struct lxfw_engine *lxfw_engine_open(const struct lxfw_world *world,
				     const struct lxfw_params *params,
				     enum lxfw_pass pass,
				     struct lxfw_journal_writer *journal,
				     struct lxfw_error *error);

/*
 * Creates an engine that continues from MOMENT. SCHED and MODEL are a scheduler and a run of
 * world->priorities in that state; the engine owns them, also on failure. MODEL is NULL if
 * there is none. Jobs must not be interrupted. The hosts that the world returns as other
 * events are not those of the scheduler: `other` must be NULL. The ends of running jobs are
 * unknown, see lxfw_engine_end_at(). The caller ends the run: lxfw_engine_next() returns a
 * time even if jobs wait that can never start.
 */
struct lxfw_engine *lxfw_engine_resume(const struct lxfw_world *world,
				       const struct lxfw_run_moment *moment,
				       struct lxfw_sched *sched, void *model,
				       struct lxfw_error *error);

/*
 * Creates an engine that continues from the last step of ENGINE, which has no model and no
 * submissions of its world that are to come, with its ends and submissions. SCHED is a scheduler
 * in the state of that of ENGINE; the new engine owns it, also on failure. WORLD as for
 * lxfw_engine_resume(). Returns NULL with errno ENOMEM and ERROR set.
 */
struct lxfw_engine *lxfw_engine_fork(const struct lxfw_engine *engine,
				     const struct lxfw_world *world, struct lxfw_sched *sched,
				     struct lxfw_error *error);

/* A job that runs at the moment ends at TIME, after the clock. Returns 0, or -1 with errno
   ENOMEM. */
int lxfw_engine_end_at(struct lxfw_engine *engine, uint64_t job, int64_t time);

/* Returns the time of the next event of the world, of the scheduler or of a
   submission. Returns LXFW_NEVER if there is none, or if only jobs wait that can never
   start. */
int64_t lxfw_engine_next(struct lxfw_engine *engine);

/*
 * Advances the clock to NOW and processes the events that are due. NOW must be neither
 * before the clock nor after lxfw_engine_next(). Returns 0, or -1 with errno and ERROR
 * set: EINVAL for another time. After any other error, the engine can only be closed.
 */
int lxfw_engine_step(struct lxfw_engine *engine, int64_t now,
		     struct lxfw_error *error);

/*
 * Submits a job at TIME, which must not be before the clock. It is processed by the step
 * to that time, after jobs submitted earlier with the same time. Its id must be unique in
 * the engine. Returns 0, or -1 with errno EINVAL or ENOMEM.
 */
int lxfw_engine_submit(struct lxfw_engine *engine,
		       const struct lxfw_request *request, int64_t time);

/*
 * Withdraws a job at the time of the clock, whether it is not submitted yet, waiting or
 * running. The next step, to the same time, makes a decision without it. No functions of
 * the world are called. Returns 0, or -1 with errno and ERROR set; ENOENT if there is no
 * such job.
 */
int lxfw_engine_withdraw(struct lxfw_engine *engine, uint64_t job,
			 struct lxfw_error *error);

/* Returns the scheduler, for queries. */
struct lxfw_sched *lxfw_engine_sched(struct lxfw_engine *engine);

/* Returns the result so far. */
const struct lxfw_engine_result *
lxfw_engine_result(const struct lxfw_engine *engine);

/* Preserves errno. ENGINE may be NULL. */
void lxfw_engine_close(struct lxfw_engine *engine);

/*
 * Runs the world to its end. JOURNAL may be NULL. Returns 0, or -1 with errno and ERROR
 * set. errno is EDEADLK if jobs wait that can never start; the caller sets ERROR, since
 * it knows the jobs.
 */
int lxfw_engine_run(const struct lxfw_world *world,
		    const struct lxfw_params *params, enum lxfw_pass pass,
		    struct lxfw_journal_writer *journal,
		    struct lxfw_engine_result *result,
		    struct lxfw_error *error);

#endif
