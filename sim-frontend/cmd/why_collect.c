/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/cmd/why_collect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int lxfw_why_segment(void *context)
{
	struct lxfw_why_collect *collect = context;

	collect->unseen = collect->why.job != 0;
	collect->later_segment |= collect->segments++ > 0;
	return 0;
}

static int add(struct lxfw_why_collect *collect, enum lxfw_why_kind kind, int64_t time)
{
	const struct lxfw_why_entry entry = {
		.kind = kind, .time = time, .second = LXFW_NEVER,
	};

	return lxfw_why_add(&collect->why, &entry);
}

/* Begin with a job. An earlier one with the same number is forgotten. */
static void follow(struct lxfw_why_collect *collect, uint64_t job)
{
	struct lxfw_why *why = &collect->why;

	lxfw_why_clear(why);
	*why = (struct lxfw_why){
		.job = job, .names = why->names, .pools = why->pools, .dates = why->dates,
		.extras = why->extras, .nameless = why->nameless, .watched = why->watched, .now = why->now,
		.refused_until = LXFW_NEVER,
	};
	collect->reserved = LXFW_NEVER;
	collect->share_count = 0;
	collect->ran = 0;
	collect->unseen = false;
}

/* --- changes of its state ---------------------------------------------------------- */

static void begin_run(struct lxfw_why_collect *collect, int64_t time)
{
	collect->why.state = LXFW_WHY_RUNNING;
	collect->why.refused_until = LXFW_NEVER;
	collect->continued = time;
	collect->ran = 0;
	collect->reserved = LXFW_NEVER;
}

static void stop(struct lxfw_why_collect *collect, int64_t time)
{
	collect->why.state = LXFW_WHY_IS_SUSPENDED;
	collect->why.suspensions++;
	collect->ran += time - collect->continued;
	collect->stopped = time;
}

/* It is not suspended any more at TIME. */
static void end_stop(struct lxfw_why_collect *collect, int64_t time)
{
	if (collect->why.state == LXFW_WHY_IS_SUSPENDED)
		collect->why.suspended += time - collect->stopped;
	collect->continued = time;
}

static bool is_kept(const struct lxfw_why *why)
{
	return why->state == LXFW_WHY_NOT_ELIGIBLE || why->state == LXFW_WHY_LEFT;
}

/* The present reason has kept the job until TIME. */
void lxfw_why_end_kept(struct lxfw_why *why, int64_t time)
{
	const struct lxfw_why_entry *reason = &why->reason;
	int i = 0;

	if (!is_kept(why) || time <= reason->time)
		return;
	while (i < why->kept_count && (why->kept[i].reason != reason->reason ||
				       why->kept[i].limited != reason->limited))
		i++;
	if (i == LXFW_WHY_KEPT_REASONS)
		return;
	if (i == why->kept_count)
		why->kept[why->kept_count++] = (struct lxfw_why_kept){
			.reason = reason->reason, .limited = reason->limited,
		};
	why->kept[i].seconds += time - reason->time;
}

/* The start that was decided last, unless something has followed it. */
static struct lxfw_why_entry *last_start(const struct lxfw_why_collect *collect)
{
	const struct lxfw_why *why = &collect->why;

	if (why->state != LXFW_WHY_RUNNING || why->count == 0 ||
	    why->entries[why->count - 1].kind != LXFW_WHY_STARTED ||
	    why->entries[why->count - 1].label == LXFW_WHY_BY_HAND)
		return NULL;
	return &why->entries[why->count - 1];
}

/* A start and an end in the same second: in journals without reasons, the workload manager
   has not carried out the start. */
static bool was_withdrawn(const struct lxfw_why_collect *collect, int64_t time)
{
	const struct lxfw_why_entry *start = last_start(collect);

	return collect->why.unstated && start && start->time == time;
}

static int end(struct lxfw_why_collect *collect, int64_t time)
{
	/* The scheduler has it no more, since it is kept. */
	if (is_kept(&collect->why))
		return 0;
	if (was_withdrawn(collect, time)) {
		collect->why.count--;
		collect->why.state = LXFW_WHY_GONE;
		return add(collect, LXFW_WHY_WITHDRAWN, time);
	}
	end_stop(collect, time);
	collect->why.state = LXFW_WHY_GONE;
	return add(collect, LXFW_WHY_ENDED, time);
}

/* --- events ------------------------------------------------------------------------ */

/* Whether it was seen before, and left the scheduler without a start. */
static bool left_without_start(const struct lxfw_why *why)
{
	for (size_t i = why->count; i > 0 && why->state == LXFW_WHY_GONE; i--) {
		if (why->entries[i - 1].kind == LXFW_WHY_STARTED)
			return false;
	}
	return why->state == LXFW_WHY_GONE && why->count > 0;
}

static int submitted(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	struct lxfw_why *why = &collect->why;
	bool again = why->state == LXFW_WHY_WAITING, kept;

	why->request = *event->request;
	why->has_request = true;
	/* A new segment submits waiting jobs again, and some of those that run. */
	if (again || why->state == LXFW_WHY_RUNNING || why->state == LXFW_WHY_IS_SUSPENDED)
		return 0;
	kept = is_kept(why);
	lxfw_why_end_kept(why, event->time);
	why->returned |= kept || left_without_start(why);
	why->state = LXFW_WHY_WAITING;
	why->of_array = false;
	collect->fresh = true;
	collect->reserved = LXFW_NEVER;
	return add(collect, kept ? LXFW_WHY_ELIGIBLE : LXFW_WHY_SUBMITTED, event->time);
}

static int changed(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	struct lxfw_why *why = &collect->why;
	bool same = why->has_request &&
		    lxfw_request_asks_same(&why->request, event->request);

	why->request = *event->request;
	why->has_request = true;
	return same ? 0 : add(collect, LXFW_WHY_CHANGED, event->time);
}

/* Whether a job has processors: it is not suspended. */
static bool has_procs(const struct lxfw_event *event)
{
	for (int32_t i = 0; i < event->run.count; i++) {
		if (event->run.shares[i].amount.procs > 0)
			return true;
	}
	return false;
}

/* It runs, as the workload manager reports, or is suspended. */
static int reported(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	struct lxfw_why *why = &collect->why;
	enum lxfw_why_state before = why->state;
	bool runs = has_procs(event);
	struct lxfw_why_entry entry = {
		.kind = LXFW_WHY_STARTED, .time = event->time, .second = LXFW_NEVER,
		.label = LXFW_WHY_BY_HAND,
	};

	if (before == LXFW_WHY_RUNNING && !runs) {
		stop(collect, event->time);
		return add(collect, LXFW_WHY_SUSPENDED, event->time);
	}
	if (before == LXFW_WHY_IS_SUSPENDED && runs) {
		end_stop(collect, event->time);
		why->state = LXFW_WHY_RUNNING;
		return add(collect, LXFW_WHY_RESUMED, event->time);
	}
	if (before == LXFW_WHY_RUNNING || before == LXFW_WHY_IS_SUSPENDED)
		return 0;
	if (before == LXFW_WHY_LEFT)
		entry.label = LXFW_WHY_LEFT_START;
	if (event->run.past.since > 0)
		entry.time = event->run.past.since;
	lxfw_why_end_kept(why, entry.time);
	begin_run(collect, entry.time);
	if (lxfw_why_add(why, &entry))
		return -1;
	/* It was suspended when it was first seen. */
	if (runs)
		return 0;
	stop(collect, event->time);
	return add(collect, LXFW_WHY_SUSPENDED, event->time);
}

/* The start just decided was refused: it did not happen. */
static int refused(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	struct lxfw_why *why = &collect->why;
	const struct lxfw_why_entry entry = {
		.kind = LXFW_WHY_REFUSED, .time = event->time,
		.second = event->refused.until, .reason = event->refused.reason,
	};

	if (why->count > 0 && why->entries[why->count - 1].kind == LXFW_WHY_STARTED)
		why->count--;
	why->state = LXFW_WHY_WAITING;
	why->refused_until = event->refused.until;
	why->refusal = event->refused.reason;
	return lxfw_why_add(why, &entry);
}

static int requeued(struct lxfw_why_collect *collect, int64_t time);

/* Makes the job one that waits without the scheduler. */
static int begin_kept(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	struct lxfw_why *why = &collect->why;
	const struct lxfw_why_entry entry = {
		.kind = LXFW_WHY_KEPT, .time = event->time, .reason = event->aside.reason,
		.second = event->aside.until ? event->aside.until : LXFW_NEVER,
		.limited = event->aside.limited,
	};
	bool first = why->count == 0;

	lxfw_why_end_kept(why, event->time);
	why->reason = entry;
	/* It was kept from its submission on, unless the records begin later. */
	if (first && event->aside.submit && event->aside.submit < event->time &&
	    !collect->later_segment)
		why->reason.time = event->aside.submit;
	why->state = lxfw_reason_part((int)entry.reason) == LXFW_REASONS_LEFT ?
		     LXFW_WHY_LEFT : LXFW_WHY_NOT_ELIGIBLE;
	return lxfw_why_add(why, &entry);
}

/* A statement of the workload manager about a job that the scheduler does not have. */
static int aside(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	struct lxfw_why *why = &collect->why;
	bool kept = is_kept(why);
	size_t last = why->count;

	if (event->aside.submit)
		why->submit = event->aside.submit;
	if (event->aside.reason == LXFW_REASON_NONE) {
		lxfw_why_end_kept(why, event->time);
		if (!kept)
			return 0;
		why->state = LXFW_WHY_GONE;
		return add(collect, LXFW_WHY_ENDED, event->time);
	}
	/* A new segment repeats it. */
	if (kept && why->reason.reason == event->aside.reason &&
	    why->reason.limited == event->aside.limited) {
		why->reason.second = event->aside.until ? event->aside.until : LXFW_NEVER;
		return 0;
	}
	if (last_start(collect) && event->aside.reason == LXFW_REASON_CHANGED)
		why->count--;	/* it did not happen */
	else if (why->state == LXFW_WHY_RUNNING || why->state == LXFW_WHY_IS_SUSPENDED) {
		if (requeued(collect, event->time))
			return -1;
	} else if (why->state == LXFW_WHY_GONE && last > 0 &&
		   why->entries[last - 1].kind == LXFW_WHY_ENDED &&
		   why->entries[last - 1].time == event->time) {
		why->count--;
	}
	return begin_kept(collect, event);
}

/* Whether the event is about the array of the wanted task. */
static bool is_of_array(const struct lxfw_why_collect *collect,
			const struct lxfw_event *event)
{
	return event->type == LXFW_EVENT_JOB_ASIDE && collect->wanted >> 32 &&
	       event->aside.id == (collect->wanted & UINT32_MAX);
}

/* Counts tasks of the wanted array, or of the array of the wanted task. */
static void count_tasks(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	uint64_t job = lxfw_event_job(event);

	collect->tasks += event->type == LXFW_EVENT_JOB_SUBMIT && job >> 32 &&
			  (job & UINT32_MAX) == (collect->wanted & UINT32_MAX);
}

/* The array was mentioned, and not the task itself: it is as the others. */
static int take_of_array(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	struct lxfw_event own = *event;
	bool known = collect->why.job && !collect->why.of_array;

	/* A task that waits, runs or has ended has records of its own. */
	if (known && !is_kept(&collect->why))
		return 0;
	own.aside.id = collect->wanted;
	if (lxfw_why_take(collect, &own))
		return -1;
	collect->why.of_array = true;
	return 0;
}

int lxfw_why_event(void *context, struct lxfw_replayer *replay,
		   const struct lxfw_event *event)
{
	struct lxfw_why_collect *collect = context;
	uint64_t job = lxfw_event_job(event);

	collect->why.now = event->time;
	collect->format = replay->format;
	count_tasks(collect, event);
	if (is_of_array(collect, event))
		return take_of_array(collect, event);
	if (!job || !lxfw_job_names_match(&replay->names, job, collect->wanted,
					  collect->which))
		return 0;
	return lxfw_why_take(collect, event);
}

int lxfw_why_take(struct lxfw_why_collect *collect, const struct lxfw_event *event)
{
	uint64_t job = lxfw_event_job(event);

	collect->why.now = event->time;
	if (job != collect->why.job)
		follow(collect, job);
	collect->unseen = false;
	collect->why.unstated = collect->format > 0 && collect->format < 4;
	switch (event->type) {
	case LXFW_EVENT_JOB_SUBMIT:
		return submitted(collect, event);
	case LXFW_EVENT_JOB_CHANGE:
		return changed(collect, event);
	case LXFW_EVENT_JOB_RUN:
		return reported(collect, event);
	case LXFW_EVENT_JOB_REFUSED:
		return refused(collect, event);
	case LXFW_EVENT_JOB_END:
		return end(collect, event->time);
	case LXFW_EVENT_JOB_ASIDE:
		return aside(collect, event);
	default:
		return 0;
	}
}

/* --- decisions --------------------------------------------------------------------- */

static bool starts(const struct lxfw_recorded_decision *recorded, uint64_t job)
{
	for (size_t i = 0; i < recorded->count; i++) {
		if (recorded->actions[i].type == LXFW_ACTION_START &&
		    recorded->actions[i].job == job)
			return true;
	}
	return false;
}

/* The number of jobs before this one that wait after the decision, or -1 with errno
   ENOMEM. */
static int64_t left_waiting(const struct lxfw_why_collect *collect,
			    const struct lxfw_replayer *replay)
{
	struct lxfw_queued *queue;
	int32_t count = lxfw_sched_queue(replay->sched, replay->recorded.now, &queue);
	int64_t left = 0;

	for (int32_t i = 0; i < count && queue[i].job != collect->why.job; i++)
		left += !starts(&replay->recorded, queue[i].job);
	free(queue);
	return count < 0 ? -1 : left;
}

static int started(struct lxfw_why_collect *collect, const struct lxfw_replayer *replay,
		   const struct lxfw_action *action)
{
	struct lxfw_why_entry entry = {
		.kind = LXFW_WHY_STARTED, .time = action->start, .second = action->until,
		.label = LXFW_WHY_IN_ORDER,
	};

	if (action->until != LXFW_NEVER)
		entry.label = LXFW_WHY_SERVED;
	else if (collect->fresh)
		entry.label = LXFW_WHY_AT_ONCE;
	else if (collect->reserved != LXFW_NEVER)
		entry.label = LXFW_WHY_RESERVATION;
	if (entry.label == LXFW_WHY_IN_ORDER) {
		entry.count = left_waiting(collect, replay);
		if (entry.count < 0)
			return -1;
		if (entry.count > 0)
			entry.label = LXFW_WHY_BACKFILLED;
	}
	begin_run(collect, action->start);
	return lxfw_why_add(&collect->why, &entry);
}

int lxfw_why_take_place(struct lxfw_why_collect *collect, const struct lxfw_action *action)
{
	size_t size = (size_t)action->count * sizeof(*action->shares);
	struct lxfw_share *shares = malloc(size + 1);

	if (!shares) {
		errno = ENOMEM;
		return -1;
	}
	if (size > 0)
		memcpy(shares, action->shares, size);
	free(collect->shares);
	collect->shares = shares;
	collect->share_count = action->count;
	return 0;
}

static int reserved(struct lxfw_why_collect *collect, const struct lxfw_action *action)
{
	const struct lxfw_why_entry entry = {
		.kind = LXFW_WHY_RESERVED, .time = collect->why.now,
		.second = action->start,
	};

	if (lxfw_why_take_place(collect, action))
		return -1;
	collect->reserved = action->start;
	return lxfw_why_add(&collect->why, &entry);
}

/* It is suspended by action AT, for the next job that starts. */
static int suspended(struct lxfw_why_collect *collect,
		     const struct lxfw_recorded_decision *recorded, size_t at)
{
	struct lxfw_why_entry entry = {
		.kind = LXFW_WHY_SUSPENDED, .time = recorded->now, .second = LXFW_NEVER,
	};

	for (size_t i = at; i < recorded->count && !entry.other; i++) {
		if (recorded->actions[i].type == LXFW_ACTION_START)
			entry.other = recorded->actions[i].job;
	}
	stop(collect, recorded->now);
	return lxfw_why_add(&collect->why, &entry);
}

static int requeued(struct lxfw_why_collect *collect, int64_t time)
{
	collect->why.requeues++;
	collect->why.lost += collect->ran;
	if (collect->why.state == LXFW_WHY_RUNNING)
		collect->why.lost += time - collect->continued;
	end_stop(collect, time);
	collect->why.state = LXFW_WHY_WAITING;
	collect->fresh = false;
	return add(collect, LXFW_WHY_REQUEUED, time);
}

static int resized(struct lxfw_why_collect *collect, const struct lxfw_action *action)
{
	struct lxfw_why_entry entry = {
		.kind = LXFW_WHY_RESIZED, .time = collect->why.now, .second = LXFW_NEVER,
	};

	for (int32_t i = 0; i < action->count; i++)
		entry.count += action->shares[i].amount.procs;
	return lxfw_why_add(&collect->why, &entry);
}

/* An action on this job. */
static int act(struct lxfw_why_collect *collect, const struct lxfw_replayer *replay,
	       size_t at)
{
	const struct lxfw_action *action = &replay->recorded.actions[at];

	switch (action->type) {
	case LXFW_ACTION_START:
		return started(collect, replay, action);
	case LXFW_ACTION_RESERVE:
		return reserved(collect, action);
	case LXFW_ACTION_UNRESERVE:
		collect->reserved = LXFW_NEVER;
		return add(collect, LXFW_WHY_UNRESERVED, replay->recorded.now);
	case LXFW_ACTION_SUSPEND:
		return suspended(collect, &replay->recorded, at);
	case LXFW_ACTION_RESUME:
		end_stop(collect, replay->recorded.now);
		collect->why.state = LXFW_WHY_RUNNING;
		return add(collect, LXFW_WHY_RESUMED, replay->recorded.now);
	case LXFW_ACTION_REQUEUE:
		return requeued(collect, replay->recorded.now);
	case LXFW_ACTION_RESIZE:
		return resized(collect, action);
	}
	return 0;
}

/* Records the jobs of lower priority that start while this one waits. */
static void note_passers(struct lxfw_why_collect *collect,
			 const struct lxfw_replayer *replay)
{
	const struct lxfw_recorded_decision *recorded = &replay->recorded;
	struct lxfw_why *why = &collect->why;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_action *action = &recorded->actions[i];
		const struct lxfw_replay_job *job;

		if (action->type != LXFW_ACTION_START || action->job == why->job ||
		    !lxfw_sched_precedes(replay->sched, recorded->now, why->job,
					 action->job))
			continue;
		job = lxfw_replay_jobs_find(&replay->jobs, action->job);
		why->passers[why->passed++ % LXFW_WHY_PASSERS] = (struct lxfw_why_passer){
			.job = action->job, .time = recorded->now,
			.end = job ? job->expected_end : LXFW_NEVER,
			.reserved = collect->reserved,
		};
	}
}

/* A new segment does not have it. */
static int vanish(struct lxfw_why_collect *collect, int64_t time)
{
	lxfw_why_end_kept(&collect->why, time);
	if (is_kept(&collect->why))
		collect->why.state = LXFW_WHY_WAITING;
	return end(collect, time);
}

int lxfw_why_decision(void *context, struct lxfw_replayer *replay)
{
	struct lxfw_why_collect *collect = context;
	struct lxfw_why *why = &collect->why;
	bool waited = why->state == LXFW_WHY_WAITING;

	why->now = replay->recorded.now;
	if (collect->unseen && why->state != LXFW_WHY_GONE && vanish(collect, why->now))
		return -1;
	collect->unseen = false;
	for (size_t i = 0; i < replay->recorded.count && why->job; i++) {
		if (replay->recorded.actions[i].job == why->job &&
		    act(collect, replay, i))
			return -1;
	}
	if (waited && why->state == LXFW_WHY_WAITING)
		note_passers(collect, replay);
	if (waited)
		collect->fresh = false;
	return 0;
}

void lxfw_why_collect_clear(struct lxfw_why_collect *collect)
{
	lxfw_why_clear(&collect->why);
	free(collect->shares);
	collect->shares = NULL;
}
