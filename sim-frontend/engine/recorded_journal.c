/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Makes a recorded run from the journal of a live scheduler. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/engine/recorded.h"
#include "sim-frontend/trace/job_names.h"
#include "sim-frontend/trace/journal_read.h"
#include "sim-frontend/util/text.h"

/* Added to the id of a job for each further life. Live ids are much smaller. */
#define LIFE (UINT64_C(1) << 48)

#define TIME_MAX INT64_C(1000000000000)

/* Work that an interrupted job has done since its start. */
struct work {
	uint64_t id;		/* id in the journal, the same for all lives of the job */
	double done;		/* processor-seconds as of `since` */
	int64_t start;		/* as recorded */
	int64_t since;
	int64_t procs;		/* allocated, limited to the number requested */
	int64_t requeued;	/* time of the last requeue by the scheduler */
	int32_t former;		/* index + 1 of the life that ran when a new segment
				   reported the job again; 0: none */
	bool interrupted;
};

/* A job that was not scheduled here for a time. */
struct kept {
	int64_t since;		/* not eligible since this time, or LXFW_UNKNOWN */
	int64_t seconds;	/* not eligible, before that */
	bool left;		/* the workload manager is left to start it */
	bool known;		/* this is not its first record */
};

struct reader {
	struct lxfw_recorded *recorded;
	struct work *works;		/* by job */
	size_t works_size;
	struct lxfw_id_map open;	/* jobs that have not ended */
	struct lxfw_id_map latest;	/* the latest life of every job */
	struct kept *kept;		/* jobs that were not scheduled here */
	size_t kept_count, kept_size;
	struct lxfw_id_map kept_by_id;	/* index in `kept` */
	struct lxfw_job_names names;
	int64_t time;			/* of the last event */
	int64_t hosts_known;		/* last time at which hosts or sets were
					   reported */
	bool roll_call;			/* a restarted controller is reporting the
					   existing jobs */
};

/* Limits times so that sums cannot overflow. */
static bool is_sane(int64_t time)
{
	return time >= 0 && time <= TIME_MAX;
}

static struct lxfw_recorded_job *find(const struct reader *reader, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&reader->open, id);

	return index < 0 ? NULL : &reader->recorded->jobs[index];
}

/* A job that is submitted again (requeued, or released from a hold) is a different job
   for the simulation, in which its first life may last longer. */
static uint64_t next_life(const struct reader *reader, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&reader->latest, id);

	return index < 0 ? id : reader->recorded->jobs[index].request.id + LIFE;
}

static int64_t requested(const struct lxfw_recorded_job *job)
{
	return (int64_t)job->request.unit.procs * job->request.count;
}

static int64_t procs_of(const struct lxfw_recorded_job *job,
			const struct lxfw_share *shares, int32_t count)
{
	int64_t procs = 0;

	for (int32_t i = 0; i < count; i++)
		procs += shares[i].amount.procs;
	return procs < requested(job) ? procs : requested(job);
}

/* From TIME on, the job has these processors. */
static void go_on(struct work *work, int64_t time, int64_t procs)
{
	work->done += (double)(time - work->since) * (double)work->procs;
	work->since = time;
	work->procs = procs;
}

/* Returns the start with which an interrupted job would have had the same end on the
   requested processors without interruption. Its last second may be incomplete. */
static int64_t start_without(const struct lxfw_recorded_job *job,
			     const struct work *work)
{
	double seconds = floor(work->done / (double)requested(job));
	int64_t most = job->end - job->start;

	if (seconds < 1)
		seconds = 1;
	return seconds < (double)most ? job->end - (int64_t)seconds :
					job->start;
}

static struct work *work_of(const struct reader *reader,
			    const struct lxfw_recorded_job *job)
{
	return &reader->works[job - reader->recorded->jobs];
}

static int take_end(struct reader *reader, const struct lxfw_event *event);

/* At the beginning of a segment, a submission of a running job means that it was
   requeued in the meantime, unless the next event reports it as running. Returns its
   index plus one, 0 if this does not apply, or -1 with errno ENOMEM. */
static int32_t end_former(struct reader *reader, const struct lxfw_event *event)
{
	uint64_t id = event->request->id;
	int32_t index = lxfw_id_map_get(&reader->open, id);
	struct lxfw_event end = {
		.type = LXFW_EVENT_JOB_END, .time = event->time, .end.id = id,
	};

	if (index < 0 || !reader->roll_call)
		return 0;
	return take_end(reader, &end) ? -1 : index + 1;
}

/* Removes the last job, which is not a new life: its former life continues. */
static int forget_new_life(struct reader *reader, uint64_t id)
{
	int32_t former = reader->works[--reader->recorded->count].former - 1;

	lxfw_id_map_remove(&reader->open, id);
	lxfw_id_map_remove(&reader->latest, id);
	return lxfw_id_map_add(&reader->latest, id, former);
}

/* Returns what is known of a job that was not scheduled here, or NULL. */
static struct kept *find_kept(const struct reader *reader, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&reader->kept_by_id, id);

	return index < 0 ? NULL : &reader->kept[index];
}

static struct kept *enter_kept(struct reader *reader, uint64_t id)
{
	struct kept *kept = find_kept(reader, id);

	if (kept)
		return kept;
	if (LXFW_GROW(reader->kept, reader->kept_size, reader->kept_count + 1) ||
	    lxfw_id_map_add(&reader->kept_by_id, id, (int32_t)reader->kept_count))
		return NULL;
	kept = &reader->kept[reader->kept_count++];
	*kept = (struct kept) { .since = LXFW_UNKNOWN };
	return kept;
}

/* Ends an interval in which the job was not eligible, which does not count before FROM. */
static void end_kept(struct kept *kept, int64_t from, int64_t time)
{
	int64_t since = kept->since > from ? kept->since : from;

	if (kept->since != LXFW_UNKNOWN && time > since)
		kept->seconds += time - since;
	kept->since = LXFW_UNKNOWN;
}

/* Returns for how many seconds the job, or the array of a task, was not eligible since it was
   submitted. */
static int64_t kept_seconds(struct reader *reader, const struct lxfw_event *event)
{
	uint64_t id = event->request->id;
	struct kept *kept = find_kept(reader, id), array = { .since = LXFW_UNKNOWN };

	if (!kept && id >> 32) {
		kept = find_kept(reader, id & UINT32_MAX);
		array = kept ? *kept : array;
		kept = kept ? &array : NULL;	/* it continues for the other tasks */
	}
	if (!kept)
		return 0;
	end_kept(kept, event->request->submit, event->time);
	kept->left = false;
	return kept->seconds;
}

/* Remembers jobs that are not scheduled here. A new segment repeats what is known. */
static int take_aside(struct reader *reader, const struct lxfw_event *event)
{
	enum lxfw_reason_part part = lxfw_reason_part((int)event->aside.reason);
	struct kept *kept = enter_kept(reader, event->aside.id);
	bool left = part == LXFW_REASONS_LEFT;
	struct lxfw_recorded_job *job = find(reader, event->aside.id);

	if (!kept)
		return -1;
	/* The start that was just decided was not carried out. */
	if (job && event->aside.reason == LXFW_REASON_CHANGED)
		job->start = LXFW_UNKNOWN;
	reader->recorded->left += left && !kept->left;
	kept->left = left;
	if (part != LXFW_REASONS_INELIGIBLE)
		end_kept(kept, kept->since, event->time);
	else if (kept->since == LXFW_UNKNOWN)
		kept->since = kept->known || !event->aside.submit ? event->time :
								    event->aside.submit;
	kept->known = true;
	return 0;
}

static int take_submit(struct reader *reader, const struct lxfw_event *event)
{
	uint64_t id = event->request->id;
	struct lxfw_recorded_job *job = find(reader, id);
	int32_t index, former;

	if (job && job->start == LXFW_UNKNOWN) {
		job->told = true;
		return 0;
	}
	former = end_former(reader, event);
	if (former < 0)
		return -1;
	job = lxfw_recorded_add(reader->recorded);
	if (!job || reader->recorded->count > INT32_MAX)
		return -1;
	if (LXFW_GROW(reader->works, reader->works_size, reader->recorded->count))
		return -1;
	index = (int32_t)reader->recorded->count - 1;
	reader->works[index] = (struct work) { .id = id, .requeued = LXFW_UNKNOWN,
				       .former = former };
	job->request = *event->request;
	job->request.id = next_life(reader, id);
	job->number = lxfw_job_names_number(&reader->names, id);
	job->seen = event->time;
	job->kept = kept_seconds(reader, event);
	reader->recorded->kept += job->kept > 0;
	job->possible = reader->hosts_known;
	job->told = true;
	lxfw_id_map_remove(&reader->open, id);
	lxfw_id_map_remove(&reader->latest, id);
	return lxfw_id_map_add(&reader->open, id, index) ||
	       lxfw_id_map_add(&reader->latest, id, index) ? -1 : 0;
}

/* Applies a change to the latest life of a job. That the job has had its quantum is a
   result of the recorded decisions and does not apply to a simulation. */
static int take_change(struct reader *reader, const struct lxfw_event *event)
{
	struct lxfw_recorded_job *job = find(reader, event->request->id);
	struct lxfw_request request = *event->request;
	struct lxfw_event change = *event;

	if (job) {
		request.id = job->request.id;
		if (work_of(reader, job)->requeued != LXFW_UNKNOWN)
			request.no_quantum = job->request.no_quantum;
	}
	change.request = &request;
	return lxfw_recorded_add_event(reader->recorded, &change);
}

/* Slurm could not suspend the job, so that an end and a run are reported in one
   second, and the job continues. *JOB remains NULL if this does not apply or the job
   is unknown. Returns -1 with errno ENOMEM. */
static int run_on(struct reader *reader, const struct lxfw_event *event,
		  struct lxfw_recorded_job **job)
{
	int32_t index = lxfw_id_map_get(&reader->latest, event->run.id);
	struct lxfw_recorded_job *latest;

	if (index < 0)
		return 0;
	latest = &reader->recorded->jobs[index];
	if (latest->start == LXFW_UNKNOWN || latest->end != event->time)
		return 0;
	if (lxfw_id_map_add(&reader->open, event->run.id, index))
		return -1;
	latest->end = LXFW_UNKNOWN;
	latest->start = reader->works[index].start;
	*job = latest;
	return 0;
}

/* A job that was never seen waiting occupies its hosts in a simulation as well. */
static int take_run(struct reader *reader, const struct lxfw_event *event)
{
	struct lxfw_recorded_job *job = find(reader, event->run.id);
	struct work *work;
	int64_t procs;

	if (job && job->start == LXFW_UNKNOWN && reader->roll_call &&
	    work_of(reader, job)->former &&
	    job == &reader->recorded->jobs[reader->recorded->count - 1]) {
		if (forget_new_life(reader, event->run.id))
			return -1;
		job = NULL;
	}
	if (!job && run_on(reader, event, &job))
		return -1;
	if (!job)
		return lxfw_recorded_add_event(reader->recorded, event);
	work = work_of(reader, job);
	procs = procs_of(job, event->run.shares, event->run.count);
	if (job->start == LXFW_UNKNOWN) {
		job->start = event->time;
		*work = (struct work) { .id = work->id, .since = event->time,
					.procs = procs };
	}
	work->requeued = LXFW_UNKNOWN;
	work->interrupted |= procs == 0;
	go_on(work, event->time, procs);
	job->told = true;
	return 0;
}

/* A job that the scheduler requeues leaves until Slurm has cleaned up. It is treated
   as waiting until it is submitted again, also in a simulation that did not requeue
   it, and even if the scheduler restarted it immediately elsewhere. */
static int take_end(struct reader *reader, const struct lxfw_event *event)
{
	struct lxfw_recorded_job *job = find(reader, event->end.id);
	struct lxfw_event end = *event;

	if (job && work_of(reader, job)->requeued == event->time) {
		job->start = LXFW_UNKNOWN;
		return 0;
	}
	if (job) {
		end.end.id = job->request.id;
		lxfw_id_map_remove(&reader->open, event->end.id);
		if (job->start != LXFW_UNKNOWN) {
			struct work *work = work_of(reader, job);

			job->end = event->time;
			go_on(work, event->time, 0);
			job->interrupted = work->interrupted;
			work->start = job->start;
			if (job->interrupted)
				job->start = start_without(job, work);
			return 0;
		}
		job->end = event->time;
	}
	/* cancelled or held while it waited, or never seen waiting */
	return lxfw_recorded_add_event(reader->recorded, &end);
}

/* The first priority is part of the submission. */
static int take_priority(struct reader *reader, const struct lxfw_event *event)
{
	struct lxfw_recorded_job *job = find(reader, event->priority.id);
	struct lxfw_event priority = *event;

	if (!job)
		return 0;
	if (event->time == job->seen) {
		job->priority = event->priority.priority;
		job->delay = event->priority.delay;
		return 0;
	}
	priority.priority.id = job->request.id;
	return lxfw_recorded_add_event(reader->recorded, &priority);
}

static int take_event(struct reader *reader, const struct lxfw_event *event)
{
	struct lxfw_recorded *recorded = reader->recorded;
	struct lxfw_recorded_job *job;

	reader->time = event->time;
	switch (event->type) {
	case LXFW_EVENT_JOB_SUBMIT:
		return take_submit(reader, event);
	case LXFW_EVENT_JOB_RUN:
		return take_run(reader, event);
	case LXFW_EVENT_JOB_END:
		return take_end(reader, event);
	case LXFW_EVENT_JOB_REFUSED:
		job = find(reader, event->refused.id);
		if (job)
			job->start = LXFW_UNKNOWN;
		return 0;
	case LXFW_EVENT_PARAMS:
		if (!recorded->has_params)
			recorded->params = *event->params;
		recorded->has_params = true;
		recorded->partly_trial |=
			event->params->shadow != recorded->params.shadow;
		break;
	case LXFW_EVENT_JOB_CHANGE:
		return take_change(reader, event);
	case LXFW_EVENT_JOB_PRIORITY:
		return take_priority(reader, event);
	case LXFW_EVENT_BLOCK:
		/* The simulation makes its own starts. */
		if (event->block.id <= LXFW_BLOCK_PASSING_MAX)
			return 0;
		break;
	case LXFW_EVENT_HOST:
	case LXFW_EVENT_HOST_SET:
		reader->hosts_known = event->time;
		break;
	case LXFW_EVENT_JOB_CLASSES:
		break;
	case LXFW_EVENT_JOB_ASIDE:
		return take_aside(reader, event);
	case LXFW_EVENT_EXTRA:
		return 0;
	}
	return lxfw_recorded_add_event(recorded, event);
}

static void take_action(struct reader *reader, const struct lxfw_action *action)
{
	struct lxfw_recorded_job *job = find(reader, action->job);
	struct work *work = job ? work_of(reader, job) : NULL;

	if (!job || action->type == LXFW_ACTION_RESERVE ||
	    action->type == LXFW_ACTION_UNRESERVE)
		return;
	if (action->type == LXFW_ACTION_REQUEUE) {
		job->start = LXFW_UNKNOWN;
		work->requeued = action->start;
		return;
	}
	if (action->type == LXFW_ACTION_START) {
		job->start = action->start;
		*work = (struct work) { .id = work->id, .since = action->start,
					.requeued = work->requeued };
	}
	go_on(work, action->start,
	      procs_of(job, action->shares, action->count));
	work->interrupted |= action->type != LXFW_ACTION_START ||
			     work->procs < requested(job);
}

/* Returns whether the times in the record are in the valid range. */
static bool times_sane(const struct lxfw_record *record)
{
	const struct lxfw_event *event = &record->event;

	if (record->kind == LXFW_RECORD_ACTION)
		return record->action.type == LXFW_ACTION_RESERVE ||
		       record->action.type == LXFW_ACTION_UNRESERVE ||
		       is_sane(record->action.start);
	if (record->kind != LXFW_RECORD_EVENT)
		return true;
	return is_sane(event->time) &&
	       (event->type != LXFW_EVENT_JOB_SUBMIT ||
		is_sane(event->request->submit));
}

/* Begins a segment. Jobs that are not reported until its first decision left while no
   journal was written. */
static void begin_roll_call(struct reader *reader)
{
	for (size_t i = 0; i < reader->recorded->count; i++)
		reader->recorded->jobs[i].told = false;
	reader->roll_call = reader->recorded->count > 0;
}

static int end_roll_call(struct reader *reader)
{
	reader->roll_call = false;
	for (size_t i = 0; i < reader->recorded->count; i++) {
		const struct lxfw_recorded_job *job =
			&reader->recorded->jobs[i];
		struct lxfw_event event = {
			.type = LXFW_EVENT_JOB_END, .time = reader->time,
			.end.id = reader->works[i].id,
		};

		if (!job->told && find(reader, event.end.id) == job &&
		    take_end(reader, &event))
			return -1;
	}
	return 0;
}

static int take_record(void *context, const struct lxfw_record *record)
{
	struct reader *reader = context;

	if (!times_sane(record)) {
		errno = EBADMSG;
		return -1;
	}
	if (lxfw_job_names_take(&reader->names, record))
		return -1;
	switch (record->kind) {
	case LXFW_RECORD_EVENT:
		return take_event(reader, &record->event);
	case LXFW_RECORD_ACTION:
		take_action(reader, &record->action);
		return 0;
	case LXFW_RECORD_DECIDED:
		reader->recorded->decisions++;
		return 0;
	case LXFW_RECORD_MAGIC:
		begin_roll_call(reader);
		return 0;
	case LXFW_RECORD_DECIDE:
		return reader->roll_call ? end_roll_call(reader) : 0;
	case LXFW_RECORD_NAME:
		return 0;
	}
	return 0;
}

/* Computes the machine's processors from the last report of each host. */
static int count_procs(struct lxfw_recorded *recorded)
{
	struct lxfw_id_map procs = { 0 };
	int failed = 0;

	for (size_t i = 0; i < recorded->event_count && !failed; i++) {
		const struct lxfw_event *event = &recorded->events[i].event;
		uint64_t id;
		int32_t before;

		if (event->type != LXFW_EVENT_HOST)
			continue;
		id = (uint64_t)event->host.index + 1;
		before = lxfw_id_map_get(&procs, id);
		lxfw_id_map_remove(&procs, id);
		failed = lxfw_id_map_add(&procs, id, event->host.total.procs);
		recorded->procs += event->host.total.procs -
				   (before < 0 ? 0 : before);
	}
	lxfw_id_map_clear(&procs);
	return failed;
}

int lxfw_recorded_from_journal(struct lxfw_recorded *recorded,
			       char *const *paths, size_t count,
			       struct lxfw_error *error)
{
	struct reader reader = { .recorded = recorded };
	struct lxfw_journal_reach reach;
	int result = 0;

	*recorded = (struct lxfw_recorded) { 0 };
	for (size_t i = 0; i < count && result == 0; i++) {
		result = lxfw_journal_read(paths[i], take_record, &reader,
					   &reach, error);
		recorded->cut_off += reach.passed_over + reach.length -
				     reach.taken;
	}
	if (result == 0 && recorded->count == 0)
		result = lxfw_error_at(error, paths[count - 1], 0,
				       "the journal contains no submission of "
				       	"a job");
	if (result == 0 && count_procs(recorded))
		result = lxfw_error_system(error, paths[0]);
	lxfw_id_map_clear(&reader.open);
	lxfw_id_map_clear(&reader.latest);
	lxfw_id_map_clear(&reader.kept_by_id);
	free(reader.kept);
	lxfw_job_names_clear(&reader.names);
	free(reader.works);
	if (result)
		lxfw_recorded_clear(recorded);
	else
		lxfw_recorded_sort(recorded);
	if (result == 0)
		recorded->calendar = (struct lxfw_calendar) {
			.known = lxfw_calendar_is_unix(recorded->jobs[0].seen),
			.zone = "UTC",
		};
	return result;
}
