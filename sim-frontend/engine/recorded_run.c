/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Simulates a recorded run: the same submissions, new decisions. */
#include <errno.h>
#include <stdlib.h>

#include "common/params/policy.h"
#include "common/util/id_map.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/util/text.h"

struct world {
	struct lxfw_recorded *recorded;
	const struct lxfw_params *params;	/* NULL: the recorded ones */
	const struct lxfw_overhead *overhead;
	struct lxfw_id_map waiting;	/* id to index */
	struct lxfw_id_map groups;	/* number of jobs of each group that are
					   simulated */
	struct arrival *arrivals;	/* in order of time */
	size_t next_job, next_event;
};

struct arrival {
	int64_t time;
	size_t job;
};

/*
 * Returns the arrival time of the job in the simulation. It is the time at which it was
 * received minus the system overhead, which the simulation adds to the start, but not
 * before its submission or before its hosts were known. For a held job, it is the time at
 * which it became eligible, minus the overhead as well.
 */
static int64_t arrival(const struct world *world,
		       const struct lxfw_recorded_job *job)
{
	int64_t time = job->seen - world->overhead->start;

	if (job->held && job->eligible > job->seen)
		time = job->eligible - world->overhead->start;
	if (time < job->request.submit)
		time = job->request.submit < job->seen ? job->request.submit :
							 job->seen;
	return time < job->possible ? job->possible : time;
}

/* Returns whether the job is simulated and has not left before its arrival. */
static bool takes_part(const struct world *world,
		       const struct lxfw_recorded_job *job, int64_t time)
{
	return !lxfw_recorded_left_out(world->recorded, job) &&
	       !(lxfw_recorded_cancelled(job) && job->end <= time);
}

static int by_arrival(const void *left, const void *right)
{
	const struct arrival *a = left, *b = right;

	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

/* Lists the arrivals. Jobs that were not held arrive in the order in which they were
   received, so that times do not decrease if one was possible only later. */
static int list_arrivals(struct world *world)
{
	const struct lxfw_recorded *recorded = world->recorded;
	int64_t latest = INT64_MIN;

	world->arrivals = malloc((recorded->count + 1) *
				 sizeof(*world->arrivals));
	if (!world->arrivals)
		return -1;
	for (size_t i = 0; i < recorded->count; i++) {
		int64_t time = arrival(world, &recorded->jobs[i]);

		if (time < latest)
			time = latest;
		if (!recorded->jobs[i].held)
			latest = time;
		world->arrivals[i] = (struct arrival) { time, i };
	}
	if (recorded->count > 1)
		qsort(world->arrivals, recorded->count,
		      sizeof(*world->arrivals), by_arrival);
	return 0;
}

/* Count the jobs of each group that take part, if the policy can start groups. */
static int count_groups(struct world *world)
{
	const struct lxfw_recorded *recorded = world->recorded;
	const struct lxfw_policy_type *policy = lxfw_params_policy(
		world->params ? world->params : &recorded->params);

	if (!policy || !lxfw_policy_type_groups(policy))
		return 0;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct arrival *next = &world->arrivals[i];
		const struct lxfw_recorded_job *job = &recorded->jobs[next->job];
		uint64_t group = job->request.group;
		int32_t count = group ? lxfw_id_map_get(&world->groups, group) : 0;

		if (!group || !takes_part(world, job, next->time))
			continue;
		if (count > 0)
			lxfw_id_map_set(&world->groups, group, count + 1);
		else if (lxfw_id_map_add(&world->groups, group, 1) < 0)
			return -1;
	}
	return 0;
}

/* Some jobs of the group may not be simulated. */
static void correct_group(const struct world *world, struct lxfw_request *request)
{
	int32_t count = request->group ?
		lxfw_id_map_get(&world->groups, request->group) : 0;

	if (count < 2)
		request->group = 0;
	request->group_count = count < 2 ? 0 : count;
}

static int next_submission(void *context, struct lxfw_request *request,
			   int64_t *time)
{
	struct world *world = context;
	const struct arrival *next = &world->arrivals[world->next_job];

	for (;; world->next_job++, next++) {
		if (world->next_job == world->recorded->count)
			return 0;
		if (takes_part(world, &world->recorded->jobs[next->job],
			       next->time))
			break;
	}
	*request = world->recorded->jobs[next->job].request;
	correct_group(world, request);
	*time = next->time;
	if (lxfw_id_map_add(&world->waiting, request->id, (int32_t)next->job))
		return -1;
	world->next_job++;
	return 1;
}

static struct lxfw_recorded_job *find(const struct world *world, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&world->waiting, id);

	return index < 0 ? NULL : &world->recorded->jobs[index];
}

static void priority_of(void *context, uint64_t id, int64_t *priority, int64_t *delay)
{
	const struct lxfw_recorded_job *job = find(context, id);

	*priority = job->priority;
	*delay = job->delay;
}

/* Returns how long the job holds its hosts if it is started at START. */
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
		hold = job->request.estimate;	/* the job waited at the end of the
						   record */
	else
		hold = LXFW_NEVER;	/* the job ran at the end of the record */
	return hold > 0 ? hold : 1;
}

static int64_t job_started(void *context, const struct lxfw_action *action,
			   struct lxfw_error *error)
{
	struct world *world = context;
	struct lxfw_recorded_job *job = find(world, action->job);

	if (!job) {
		lxfw_error_format(error, "job %llu started although it was "
					 "not waiting",
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

/* The recorded parameters may change during the record. */
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
	};
	const struct lxfw_world world = {
		.context = &context, .submission = next_submission,
		.priority = priority_of, .priorities = recorded->priorities,
		.started = job_started, .interrupted = job_interrupted,
		.ended = job_ended, .other = next_other,
		.progress = tell_progress,
		.may_interrupt = may_interrupt(&context),
	};
	int failed;

	for (size_t i = 0; i < recorded->count; i++)
		recorded->jobs[i].simulated = LXFW_UNKNOWN;
	if (list_arrivals(&context) || count_groups(&context)) {
		lxfw_id_map_clear(&context.groups);
		free(context.arrivals);
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	failed = lxfw_engine_run(&world, params ? params : &recorded->params,
				 LXFW_PASS_TIMESTAMP, NULL, result, error);
	/* Jobs that waited at the end of the record may wait at the end of the
	   simulation. */
	if (failed && errno == EDEADLK)
		failed = 0;
	lxfw_id_map_clear(&context.waiting);
	lxfw_id_map_clear(&context.groups);
	free(context.arrivals);
	return failed;
}
