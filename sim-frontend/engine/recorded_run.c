/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A recorded run simulated: the same submissions, decided anew. */
#include <errno.h>

#include "common/util/id_map.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/util/text.h"

struct world {
	struct lxfw_recorded *recorded;
	const struct lxfw_params *params;	/* NULL: the recorded ones */
	const struct lxfw_overhead *overhead;
	struct lxfw_id_map waiting;	/* id to position */
	size_t next_job, next_event;
	int64_t arrived;		/* the job before */
};

/*
 * When the job comes in the simulation: earlier than it was seen by the time
 * that the machine takes, which the simulation adds to its start, but not before
 * it was submitted, nor before its hosts were known.
 */
static int64_t arrival(const struct world *world,
		       const struct lxfw_recorded_job *job)
{
	int64_t time = job->seen - world->overhead->start;

	if (time < job->request.submit)
		time = job->request.submit < job->seen ? job->request.submit :
							 job->seen;
	return time < job->possible ? job->possible : time;
}

/* Not left out, and not gone by the time at which it would come. */
static bool takes_part(const struct world *world,
		       const struct lxfw_recorded_job *job, int64_t time)
{
	return !lxfw_recorded_left_out(world->recorded, job) &&
	       !(lxfw_recorded_cancelled(job) && job->end <= time);
}

/* Arrivals need not be in the order in which jobs were seen, but nearly are:
   the clock of the simulation must not run backwards. */
static int next_submission(void *context, struct lxfw_request *request,
			   int64_t *time)
{
	struct world *world = context;
	struct lxfw_recorded *recorded = world->recorded;
	const struct lxfw_recorded_job *job;

	for (;; world->next_job++) {
		if (world->next_job == recorded->count)
			return 0;
		job = &recorded->jobs[world->next_job];
		*time = arrival(world, job);
		if (*time < world->arrived)
			*time = world->arrived;
		if (takes_part(world, job, *time))
			break;
	}
	*request = job->request;
	world->arrived = *time;
	if (lxfw_id_map_add(&world->waiting, request->id,
			    (int32_t)world->next_job))
		return -1;
	world->next_job++;
	return 1;
}

static struct lxfw_recorded_job *find(const struct world *world, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&world->waiting, id);

	return index < 0 ? NULL : &world->recorded->jobs[index];
}

/* How long the job holds its hosts if it is started at START. */
static int64_t hold_of(const struct world *world,
		       const struct lxfw_recorded_job *job, int64_t start)
{
	int64_t hold;

	if (lxfw_recorded_cancelled(job))
		hold = job->end - start;
	else if (job->run != LXFW_UNKNOWN && (world->overhead->end_known ||
					      job->end == LXFW_UNKNOWN))
		hold = world->overhead->start + job->run + world->overhead->end;
	else if (job->start != LXFW_UNKNOWN && job->end != LXFW_UNKNOWN)
		hold = job->end - job->start +
		       (world->recorded->delayed_starts ?
			world->overhead->start : 0);
	else if (job->start == LXFW_UNKNOWN && job->run == LXFW_UNKNOWN)
		hold = job->request.estimate;	/* it waited when the record
						   ended */
	else
		hold = LXFW_NEVER;	/* still ran when the record ended */
	return hold > 0 ? hold : 1;
}

static int64_t job_started(void *context, const struct lxfw_action *action,
			   struct lxfw_error *error)
{
	struct world *world = context;
	struct lxfw_recorded_job *job = find(world, action->job);

	if (!job) {
		lxfw_error_format(error, "job %llu started that did not wait",
				  (unsigned long long)action->job);
		return -1;
	}
	job->simulated = action->start + world->overhead->start;
	return hold_of(world, job, action->start);
}

static void tell_progress(void *context, size_t done)
{
	const struct world *world = context;

	if (world->recorded->progress)
		world->recorded->progress(done, world->recorded->count);
}

static void job_interrupted(void *context, const struct lxfw_action *action)
{
	struct lxfw_recorded_job *job = find(context, action->job);

	if (job && action->type == LXFW_ACTION_REQUEUE)
		job->simulated = LXFW_UNKNOWN;
}

static void job_ended(void *context, uint64_t id, int64_t now)
{
	const struct world *world = context;
	struct lxfw_recorded_job *job = find(world, id);

	if (job && !lxfw_recorded_cancelled(job))
		job->simulated = now - hold_of(world, job, now) +
				 world->overhead->start;
}

/* The recorded parameters may change as the record goes on. */
static bool may_interrupt(const struct world *world)
{
	const struct lxfw_recorded *recorded = world->recorded;

	for (size_t i = 0; i < recorded->event_count && !world->params; i++) {
		const struct lxfw_event *event = &recorded->events[i].event;

		if (event->type == LXFW_EVENT_PARAMS &&
		    lxfw_params_interrupt(event->params))
			return true;
	}
	return false;
}

static const struct lxfw_event *next_other(void *context)
{
	struct world *world = context;
	const struct lxfw_recorded *recorded = world->recorded;

	while (world->next_event < recorded->event_count) {
		const struct lxfw_event *event =
			&recorded->events[world->next_event++].event;

		if (event->type != LXFW_EVENT_PARAMS || !world->params)
			return event;
	}
	return NULL;
}

int lxfw_recorded_simulate(struct lxfw_recorded *recorded,
			   const struct lxfw_params *params,
			   const struct lxfw_overhead *overhead,
			   struct lxfw_engine_result *result,
			   struct lxfw_error *error)
{
	struct world context = {
		.recorded = recorded, .params = params, .overhead = overhead,
		.arrived = INT64_MIN,
	};
	const struct lxfw_world world = {
		.context = &context, .submission = next_submission,
		.started = job_started, .interrupted = job_interrupted,
		.ended = job_ended, .other = next_other,
		.progress = tell_progress,
		.may_interrupt = may_interrupt(&context),
	};
	int failed;

	for (size_t i = 0; i < recorded->count; i++)
		recorded->jobs[i].simulated = LXFW_UNKNOWN;
	failed = lxfw_engine_run(&world, params ? params : &recorded->params,
				 LXFW_PASS_TIMESTAMP, NULL, result, error);
	/* What waited to the end of the record may wait to the end here. */
	if (failed && errno == EDEADLK)
		failed = 0;
	lxfw_id_map_clear(&context.waiting);
	return failed;
}
