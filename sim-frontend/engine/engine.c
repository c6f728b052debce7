/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/engine/engine_state.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "common/params/policy.h"
#include "common/util/grow.h"
#include "sim-frontend/util/text.h"

/* Maximum number of consecutive wake-ups without a start after the last event. After
   these, the remaining jobs are assumed to wait forever. */
#define FRUITLESS_MAX 1000

/* Minimum number of obsolete ends before they are removed. */
#define STALE_LEAST 64

static int out_of_memory(struct lxfw_engine *engine)
{
	lxfw_error_set(engine->error, "out of memory");
	errno = ENOMEM;
	return -1;
}

static int apply(struct lxfw_engine *engine, const struct lxfw_event *event)
{
	engine->result.events++;
	if (lxfw_sched_apply(engine->sched, event, engine->error))
		return -1;
	if (engine->journal &&
	    lxfw_journal_writer_event(engine->journal, event))
		return out_of_memory(engine);
	return 0;
}

/* What a function of the model returned. */
static int modelled(struct lxfw_engine *engine, int result)
{
	return result ? out_of_memory(engine) : 0;
}

/* Executes an action on a job that may be interrupted. */
static int act(struct lxfw_engine *engine, const struct lxfw_action *action,
	       int64_t hold)
{
	const struct lxfw_world *world = engine->world;
	int64_t used_kb = -1;

	if (action->type == LXFW_ACTION_START && world->used_memory)
		used_kb = world->used_memory(world->context, action->job);
	if (lxfw_progress_act(&engine->progress, &engine->ends, action,
			      engine->now, hold, used_kb, engine->error) == 0)
		return 0;
	return errno == ENOMEM ? out_of_memory(engine) : -1;
}

static int start(struct lxfw_engine *engine, const struct lxfw_action *action)
{
	int64_t hold = engine->world->started(engine->world->context, action,
					      engine->error);

	if (hold < 0)
		return -1;
	engine->result.started++;
	if (engine->model &&
	    modelled(engine, engine->priorities->started(engine->model, action)))
		return -1;
	if (engine->interrupts) {
		if (engine->world->most)
			lxfw_progress_bound(&engine->progress, action->job,
				engine->world->most(engine->world->context,
						    action->job));
		return act(engine, action, hold);
	}
	if (hold < LXFW_NEVER - engine->now &&
	    lxfw_ends_add(&engine->ends, engine->now + hold, action->job))
		return out_of_memory(engine);
	return 0;
}

/* Its priority is reported when the decision, whose actions an event would change, is over. */
static int note_requeue(struct lxfw_engine *engine, uint64_t job)
{
	if (LXFW_GROW(engine->requeued, engine->requeued_size,
		      engine->requeued_count + 1))
		return out_of_memory(engine);
	engine->requeued[engine->requeued_count++] = job;
	return modelled(engine, engine->priorities->requeued(engine->model, job,
							     engine->now));
}

static int interrupt(struct lxfw_engine *engine, const struct lxfw_action *action)
{
	if (act(engine, action, LXFW_NEVER))
		return -1;
	if (engine->model && action->type == LXFW_ACTION_REQUEUE &&
	    note_requeue(engine, action->job))
		return -1;
	if (engine->world->interrupted)
		engine->world->interrupted(engine->world->context, action);
	return 0;
}

/* Returns whether a job has completed its work, even if its end has not been
   processed. */
static bool is_over(const struct lxfw_engine *engine, uint64_t job)
{
	const struct lxfw_progress_job *known;

	if (!engine->interrupts)
		return false;
	known = lxfw_progress_find(&engine->progress, job);
	return known && known->end == engine->now;
}

static int carry_out(struct lxfw_engine *engine, const struct lxfw_action *action)
{
	switch (action->type) {
	case LXFW_ACTION_RESERVE:
	case LXFW_ACTION_UNRESERVE:
		return 0;
	case LXFW_ACTION_START:
		return is_over(engine, action->job) ? 0 : start(engine, action);
	default:
		return is_over(engine, action->job) ? 0 :
						      interrupt(engine, action);
	}
}

/* The job has a priority of its own, by the model or by what the world knows of it. */
static int apply_priority(struct lxfw_engine *engine, uint64_t job)
{
	const struct lxfw_world *world = engine->world;
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_PRIORITY, .time = engine->now,
		.priority.id = job,
	};

	if (world->priority)
		world->priority(world->context, job, &event.priority.priority,
				&event.priority.delay);
	if (engine->model)
		event.priority.priority =
			engine->priorities->priority(engine->model, job);
	if (event.priority.priority == 0 && event.priority.delay == 0)
		return 0;
	return apply(engine, &event);
}

static int apply_requeued(struct lxfw_engine *engine)
{
	for (size_t i = 0; i < engine->requeued_count; i++) {
		if (apply_priority(engine, engine->requeued[i]))
			return -1;
	}
	engine->requeued_count = 0;
	return 0;
}

/* Asks the world again for its next submission if another job has become the next one. */
static int renew_submission(struct lxfw_engine *engine)
{
	const struct lxfw_world *world = engine->world;

	return world->sooner && world->sooner(world->context) &&
	       lxfw_submissions_renew(&engine->coming, world) ? out_of_memory(engine) : 0;
}

static int decide(struct lxfw_engine *engine)
{
	struct lxfw_decision decision;

	engine->result.decisions++;
	if (lxfw_sched_decide(engine->sched, engine->now, &decision)) {
		if (errno != ENOEXEC)
			return out_of_memory(engine);
		lxfw_error_set(engine->error, decision.problem);
		return -1;
	}
	if (engine->journal &&
	    lxfw_journal_writer_decision(engine->journal, engine->now,
					 &decision))
		return out_of_memory(engine);
	if (engine->world->decided)
		engine->world->decided(engine->world->context, engine->now,
				       &decision);
	for (size_t i = 0; i < decision.count; i++) {
		if (carry_out(engine, &decision.actions[i]))
			return -1;
	}
	engine->wake = decision.wake > engine->now ? decision.wake :
						     engine->now + 1;
	engine->waiting = decision.waiting;
	return renew_submission(engine) || apply_requeued(engine) ? -1 : 0;
}

/* Applies an event that the scheduler accepted to the progress of jobs. */
static int follow(struct lxfw_engine *engine, const struct lxfw_event *event)
{
	switch (event->type) {
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		if (lxfw_progress_request(&engine->progress, event->request))
			return out_of_memory(engine);
		return 0;
	case LXFW_EVENT_JOB_END:
		lxfw_progress_left(&engine->progress, event->end.id);
		return 0;
	default:
		return 0;
	}
}

static int model_ended(struct lxfw_engine *engine, const struct lxfw_event *event)
{
	if (!engine->model || event->type != LXFW_EVENT_JOB_END)
		return 0;
	return modelled(engine, engine->priorities->ended(engine->model,
					event->end.id, engine->now));
}

/* Changes and cancellations from a recorded run may concern a job that is running or
   has left in this run. */
static int apply_others(struct lxfw_engine *engine)
{
	while (engine->other && engine->other->time <= engine->now) {
		struct lxfw_event event = *engine->other;

		event.time = engine->now;
		if (apply(engine, &event) == 0) {
			if ((engine->interrupts && follow(engine, &event)) ||
			    model_ended(engine, &event))
				return -1;
		} else if (errno != ENOENT) {
			return -1;
		}
		engine->other = engine->world->other(engine->world->context);
	}
	return 0;
}

/* Returns whether the end may be valid. An end without a known time may become valid
   again, at its position among those of the same second. */
static bool may_be_true(const void *context, const struct lxfw_end *end)
{
	const struct lxfw_progress_job *job =
		lxfw_progress_find(context, end->job);

	return job && (job->end == end->time || job->end == LXFW_NEVER);
}

/* Returns the time of the next end. If jobs may be interrupted, ends that have moved
   and ends of jobs that have left are skipped. */
static int64_t next_end(struct lxfw_engine *engine)
{
	struct lxfw_ends *ends = &engine->ends;

	if (engine->only_later &&
	    ends->count > 2 * engine->ends_kept + STALE_LEAST) {
		lxfw_ends_filter(ends, may_be_true, &engine->progress);
		engine->ends_kept = ends->count;
	}
	while (engine->interrupts && ends->count > 0 &&
	       !lxfw_progress_holds(&engine->progress, &ends->heap[0]))
		lxfw_ends_pop(ends);
	return ends->count > 0 ? ends->heap[0].time : LXFW_NEVER;
}

static int tell_end(struct lxfw_engine *engine, const struct lxfw_event *event)
{
	const struct lxfw_world *world = engine->world;
	const struct lxfw_progress_job *job =
		lxfw_progress_find(&engine->progress, event->end.id);

	if (job && job->cut_off && world->cut_off)
		world->cut_off(world->context, job->id,
			lxfw_progress_left_over(&engine->progress, job->id));
	if (follow(engine, event))
		return -1;
	if (world->ended)
		world->ended(world->context, event->end.id, engine->now);
	return 0;
}

static int apply_ends(struct lxfw_engine *engine)
{
	while (next_end(engine) == engine->now) {
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_END, .time = engine->now,
			.end.id = lxfw_ends_pop(&engine->ends),
		};

		if (apply(engine, &event)) {
			if (errno == ENOENT)
				continue;	/* cancelled in the meantime */
			return -1;
		}
		if ((engine->interrupts && tell_end(engine, &event)) ||
		    model_ended(engine, &event))
			return -1;
		if (engine->world->left)
			engine->world->left(engine->world->context, event.end.id,
					    engine->now);
		if (renew_submission(engine))
			return -1;
		engine->result.ended++;
		if (engine->pass == LXFW_PASS_EVENT && decide(engine))
			return -1;
	}
	return 0;
}

/* The job that has the owner and the QOS of job ID. */
static uint64_t like_of(const struct lxfw_engine *engine, uint64_t id)
{
	const struct lxfw_world *world = engine->world;

	return world->like ? world->like(world->context, id) : id;
}

static int model_submitted(struct lxfw_engine *engine,
			   const struct lxfw_request *request)
{
	if (!engine->model)
		return 0;
	return modelled(engine, engine->priorities->submitted(engine->model, request,
			like_of(engine, request->id), engine->now));
}

/* The request of the next job to be submitted. */
static struct lxfw_request next_request(const struct lxfw_engine *engine)
{
	const struct lxfw_priorities *priorities = engine->world->priorities;
	struct lxfw_request request = *lxfw_submissions_first(&engine->coming);

	if (priorities && priorities->unreserved)
		request.no_reservation |= priorities->unreserved(priorities->context,
						like_of(engine, request.id));
	return request;
}

static int apply_submissions(struct lxfw_engine *engine)
{
	struct lxfw_submissions *coming = &engine->coming;

	while (coming->time == engine->now) {
		struct lxfw_request request = next_request(engine);
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_SUBMIT, .time = engine->now,
			.request = &request,
		};
		bool failed;

		if (engine->world->submitted)
			engine->world->submitted(engine->world->context, &request);
		if (apply(engine, &event) == 0)
			failed = (engine->interrupts && follow(engine, &event)) ||
				 model_submitted(engine, event.request) ||
				 apply_priority(engine, event.request->id);
		else
			failed = errno == ENOMEM || !engine->world->lenient;
		if (failed)
			return -1;
		engine->result.submitted++;
		if (engine->world->progress &&
		    engine->result.submitted % 1024 == 0)
			engine->world->progress(engine->world->context,
						engine->result.submitted);
		if (lxfw_submissions_drop(coming, engine->world))
			return out_of_memory(engine);
		if (engine->pass == LXFW_PASS_EVENT && decide(engine))
			return -1;
	}
	return 0;
}

/* Returns whether any event except wake-ups is pending. Jobs may run forever. */
static bool expects_event(struct lxfw_engine *engine)
{
	return engine->coming.time != LXFW_NEVER ||
	       engine->other || next_end(engine) != LXFW_NEVER;
}

/* When priorities are to be calculated, while anything is to come. */
static int64_t next_step(struct lxfw_engine *engine)
{
	int64_t due;

	if (!engine->model || !expects_event(engine))
		return LXFW_NEVER;
	due = engine->priorities->due(engine->model);
	return due > engine->now ? due : engine->now;
}

/* Calculate priorities if it is time; whether any changed. */
static int apply_step(struct lxfw_engine *engine, bool *changed)
{
	const struct lxfw_priorities *priorities = engine->priorities;
	const uint64_t *jobs;
	size_t count;

	*changed = false;
	if (!engine->model || priorities->due(engine->model) > engine->now)
		return 0;
	if (modelled(engine, priorities->step(engine->model, engine->now)))
		return -1;
	jobs = priorities->changed(engine->model, &count);
	for (size_t i = 0; i < count; i++) {
		if (apply_priority(engine, jobs[i]))
			return -1;
	}
	*changed = count > 0;
	return 0;
}

/* The time of the next event, and whether it is a wake-up or a calculation of priorities
   alone. */
static void find_next(struct lxfw_engine *engine)
{
	int64_t time = next_end(engine);
	int64_t submission = engine->coming.time;

	if (submission < time)
		time = submission;
	if (engine->other && engine->other->time < time)
		time = engine->other->time > engine->now ?
			engine->other->time : engine->now;
	if (engine->disturbed)
		time = engine->now;
	engine->only_wake = engine->wake < time;
	engine->next = engine->only_wake ? engine->wake : time;
	time = next_step(engine);
	engine->only_step = time < engine->next;
	if (engine->only_step) {
		engine->only_wake = false;
		engine->next = time;
	}
	if (engine->fruitless >= FRUITLESS_MAX && engine->only_wake &&
	    !engine->patient && !expects_event(engine))
		engine->next = LXFW_NEVER;
	engine->next_known = true;
}

int64_t lxfw_engine_next(struct lxfw_engine *engine)
{
	if (!engine->next_known)
		find_next(engine);
	return engine->next;
}

/* The clock begins at the first event. The parameters are written to the journal for
   replay. */
static int begin(struct lxfw_engine *engine)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_PARAMS, .time = engine->now,
		.params = &engine->params,
	};

	engine->begun = true;
	if (engine->priorities) {
		engine->model = engine->priorities->open(engine->priorities->context,
							 engine->now);
		if (!engine->model)
			return out_of_memory(engine);
	}
	return apply(engine, &event);
}

static bool is_told_to_stop(struct lxfw_engine *engine)
{
	if (!engine->world->stop || !engine->world->stop(engine->world->context))
		return false;
	lxfw_error_set(engine->error, "told to stop");
	errno = ECANCELED;
	return true;
}

static int show_moment(struct lxfw_engine *engine)
{
	const struct lxfw_run_moment moment = {
		.now = engine->now, .wake = engine->wake, .sched = engine->sched,
		.model = engine->model,
	};

	return engine->world->stepped ?
	       engine->world->stepped(engine->world->context, &moment, engine->error) : 0;
}

/* Processes all events due now, at the time determined by find_next(). */
static int carry_out_now(struct lxfw_engine *engine)
{
	size_t started = engine->result.started;
	bool only_wake = engine->only_wake, disturbed = engine->disturbed;
	bool decides = disturbed || only_wake ||
		       (engine->pass == LXFW_PASS_TIMESTAMP && !engine->only_step);
	bool changed;

	if (is_told_to_stop(engine))
		return -1;
	engine->next_known = engine->disturbed = false;
	if (!engine->begun && begin(engine))
		return -1;
	if (apply_others(engine) || apply_ends(engine) ||
	    apply_step(engine, &changed) || apply_submissions(engine))
		return -1;
	if ((decides || changed) && decide(engine))
		return -1;
	if (!only_wake || expects_event(engine) ||
	    engine->result.started > started)
		engine->fruitless = 0;
	else
		engine->fruitless++;
	return show_moment(engine);
}

int lxfw_engine_step(struct lxfw_engine *engine, int64_t now,
		     struct lxfw_error *error)
{
	int64_t next = lxfw_engine_next(engine);

	if (now < engine->now || now > next || now == LXFW_NEVER) {
		lxfw_error_set(error, "the clock cannot be advanced to this time");
		errno = EINVAL;
		return -1;
	}
	engine->error = error;
	engine->now = now;
	return now < next ? 0 : carry_out_now(engine);
}

int lxfw_engine_submit(struct lxfw_engine *engine,
		       const struct lxfw_request *request, int64_t time)
{
	if (time < engine->now || time == LXFW_NEVER) {
		errno = EINVAL;
		return -1;
	}
	engine->next_known = false;
	return lxfw_submissions_add(&engine->coming, request, time);
}

static bool is_other_job(const void *context, const struct lxfw_end *end)
{
	return end->job != *(const uint64_t *)context;
}

int lxfw_engine_withdraw(struct lxfw_engine *engine, uint64_t job,
			 struct lxfw_error *error)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_END, .time = engine->now, .end.id = job,
	};

	engine->error = error;
	if (lxfw_submissions_remove(&engine->coming, job)) {
		engine->next_known = false;
		return 0;
	}
	if (!engine->begun) {
		lxfw_error_set(error, "there is no such job");
		errno = ENOENT;
		return -1;
	}
	if (apply(engine, &event) ||
	    (engine->interrupts && follow(engine, &event)) ||
	    model_ended(engine, &event))
		return -1;
	/* a later job may have the same id */
	lxfw_ends_filter(&engine->ends, is_other_job, &job);
	engine->disturbed = true;
	engine->next_known = false;
	return 0;
}

struct lxfw_sched *lxfw_engine_sched(struct lxfw_engine *engine)
{
	return engine->sched;
}

const struct lxfw_engine_result *
lxfw_engine_result(const struct lxfw_engine *engine)
{
	return &engine->result;
}

int lxfw_engine_end_at(struct lxfw_engine *engine, uint64_t job, int64_t time)
{
	engine->next_known = false;
	return lxfw_ends_add(&engine->ends, time, job);
}

int lxfw_engine_run(const struct lxfw_world *world,
		    const struct lxfw_params *params, enum lxfw_pass pass,
		    struct lxfw_journal_writer *journal,
		    struct lxfw_engine_result *result,
		    struct lxfw_error *error)
{
	struct lxfw_engine *engine =
		lxfw_engine_open(world, params, pass, journal, error);
	int failed = 0;

	*result = (struct lxfw_engine_result) { 0 };
	if (!engine)
		return -1;
	engine->error = error;
	while (!failed && lxfw_engine_next(engine) != LXFW_NEVER) {
		engine->now = engine->next;
		failed = carry_out_now(engine);
	}
	*result = engine->result;
	if (!failed && engine->waiting > 0) {
		result->waiting = engine->waiting;
		errno = EDEADLK;
		failed = -1;
	}
	lxfw_engine_close(engine);
	return failed;
}
