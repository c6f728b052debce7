/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/future.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/copy.h"
#include "common/explain.h"
#include "common/snapshot.h"
#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/predict/ages.h"
#include "sim-frontend/predict/future_state.h"

#define DAY INT64_C(86400)
#define WEEK (7 * DAY)

/* Ids of jobs that are submitted in a future. They are beyond those of traces and, since
   ids are compared by their lower half first, after other jobs of the same second. */
#define ARRIVAL_ID(number) (UINT64_C(0xfffffff000000000) + (number) + UINT64_C(0xf0000000))

/* Share of jobs of the same kind that run for the same time as others of that kind in the
   same future. */
#define ALIKE 0.5

/* --- run times -------------------------------------------------------------------- */

static bool is_known(const struct lxfw_futures *of, uint64_t id)
{
	return of->ran && of->ran(of->context, id) > 0;
}

static int64_t draw(const struct lxfw_future *future, uint64_t id,
		    const struct lxfw_traits *traits, int64_t elapsed)
{
	const struct lxfw_futures *of = future->of;
	struct lxfw_random random;

	if (is_known(of, id))
		return of->ran(of->context, id);
	if (of->by_limits)
		return traits->limit > elapsed ? traits->limit : elapsed + 1;
	lxfw_random_seed(&random, of->seed + id * UINT64_C(0x9e3779b97f4a7c15),
			 future->number);
	if (lxfw_random_uniform(&random) < ALIKE)
		lxfw_random_seed(&random, of->seed ^ lxfw_experience_key(traits),
				 future->number);
	return lxfw_experience_draw(of->known->experience, traits, elapsed,
				    future->origin->shape, &random);
}

/* Counts processors at the times of `use` from NOW until END, which is excluded. */
static void count_use(const struct lxfw_future *future, int64_t procs, int64_t now, int64_t end)
{
	const struct lxfw_futures *of = future->of;
	int64_t *use = of->use + future->number * of->use_count;
	int64_t first = (now - future->begin + of->use_step - 1) / of->use_step;

	for (size_t i = (size_t)first; i < of->use_count &&
	     future->begin + (int64_t)i * of->use_step < end; i++)
		use[i] += procs;
}

/* Counts processors that are allocated from NOW until END. */
static void count_busy(const struct lxfw_future *future, int64_t procs, int64_t now, int64_t end)
{
	int64_t last = future->begin + future->of->horizon;

	if (end > last)
		end = last;
	if (future->of->use && end > now)
		count_use(future, procs, now, end);
	if (future->of->busy && end > now)
		future->of->busy[future->number] += (double)procs * (double)(end - now);
}

int64_t lxfw_future_allocated(const struct lxfw_profile *profile, int32_t claim)
{
	const struct lxfw_release *nodes = profile->releases.nodes;
	int64_t procs = 0;

	for (int32_t i = claim; i >= 0; i = nodes[i].next)
		procs += nodes[i].host < 0 ? 0 : nodes[i].amount.procs;
	return procs;
}

/* Whether nothing is known of the end of a job that was first seen running. */
static bool of_unknown_end(const struct lxfw_job *job)
{
	return job->request.estimate <= 0 && job->due == LXFW_NEVER;
}

/* --- jobs that are held ----------------------------------------------------------- */

static void hold(struct lxfw_future *future, const struct lxfw_request *request, int64_t planned)
{
	future->held[future->held_count++] = (struct waits_for_end) { *request, planned };
}

/* Takes the jobs that are held from the scheduler of the future. Returns 0, or -1 with errno ENOMEM. */
static int hold_jobs(struct lxfw_future *future, struct lxfw_sched *sched)
{
	const struct lxfw_futures *of = future->of;
	size_t count = of->held ? of->held->count : 0;
	int failed = 0;

	future->held = calloc(count + 1, sizeof(*future->held));
	if (!future->held)
		return -1;
	for (size_t i = 0; i < count && !failed; i++) {
		const struct lxfw_held_job *job = &of->held->jobs[i];
		int32_t index = lxfw_id_map_get(&sched->job_by_id, job->id);

		if (index < 0 || sched->jobs[index].state == LXFW_JOB_RUNNING)
			continue;
		hold(future, &sched->jobs[index].request, job->planned);
		failed = lxfw_sched_apply(sched, &(struct lxfw_event) {
			.type = LXFW_EVENT_JOB_END, .time = sched->now, .end.id = job->id,
		}, NULL);
	}
	if (!failed && of->candidate_held)
		hold(future, of->candidate, LXFW_NEVER);
	return failed;
}

/* A job of the moment ends. */
static void note_end(struct lxfw_future *future, int32_t claim, int64_t end)
{
	for (size_t i = 0; i < future->held_count; i++) {
		struct waits_for_end *job = &future->held[i];

		if (end < job->end && lxfw_held_by(future->of->sched, &job->request, claim))
			job->end = end;
	}
}

/* When the job is considered. Without a job on its hosts that is at once. */
static int64_t held_until(const struct lxfw_future *future, const struct waits_for_end *job)
{
	return job->end == LXFW_NEVER || job->end < future->begin ? future->begin : job->end;
}

static int submit_held(struct lxfw_future *future)
{
	size_t count = future->held_count - future->of->candidate_held;
	int failed = 0;

	for (size_t i = 0; i < count && !failed; i++)
		failed = lxfw_engine_submit(future->engine, &future->held[i].request,
					    held_until(future, &future->held[i]));
	return failed;
}

/* Submits the candidate when it is known after which time. */
static int submit_candidate(struct lxfw_future *future)
{
	const struct lxfw_futures *of = future->of;
	struct lxfw_request request;

	if (!future->candidate || future->after_left > 0)
		return 0;
	request = *future->candidate;
	request.submit = future->after > of->candidate_begin ? future->after : of->candidate_begin;
	if (request.submit < future->begin)
		request.submit = future->begin;
	if (of->candidate_held) {
		int64_t held = held_until(future, &future->held[future->held_count - 1]);

		request.submit = held > request.submit ? held : request.submit;
	}
	if (of->beside) {
		struct lxfw_request beside = *of->beside;

		beside.submit = request.submit;
		if (lxfw_engine_submit(future->engine, &beside, beside.submit))
			return -1;
	}
	return lxfw_engine_submit(future->engine, &request, request.submit);
}

/* A job runs from START to END. Returns whether it was the last one after which the candidate is
   submitted. */
static bool take_after(struct lxfw_future *future, uint64_t job, int64_t start, int64_t end)
{
	const struct lxfw_futures *of = future->of;
	bool any = false;

	for (size_t i = 0; i < of->after_count; i++) {
		int64_t time = (of->after[i].started ? start : end) + of->after[i].delay;

		if (of->after[i].job != job)
			continue;
		any = true;
		future->after_left--;
		future->after = time > future->after ? time : future->after;
	}
	return any && future->after_left == 0;
}

/* The ends of the jobs that run at the moment. */
static int draw_running(struct lxfw_future *future)
{
	const struct lxfw_sched *sched = future->of->sched;
	const struct lxfw_known *known = future->of->known;

	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];
		struct lxfw_request request = job->request;
		struct lxfw_traits traits;
		int64_t elapsed, ends;

		if (job->state != LXFW_JOB_RUNNING)
			continue;
		request.estimate = lxfw_ages_limit(job);
		if (request.estimate <= 0)
			request.estimate = of_unknown_end(job) ? LXFW_EXPERIENCE_LIMITLESS : 1;
		known->traits(known->context, &request, &traits);
		elapsed = future->begin - job->start - job->paused;
		if (elapsed < 0)
			elapsed = 0;
		ends = future->begin - elapsed +
		       draw(future, request.id, &traits, elapsed);
		if (of_unknown_end(job) && future->of->by_limits)
			ends = future->begin + future->of->horizon + 1;
		if (ends <= future->begin)
			ends = future->begin + 1;
		(void)take_after(future, request.id, job->start, ends);
		note_end(future, job->claim, ends);
		count_busy(future, lxfw_future_allocated(&sched->profile, job->claim),
			   future->begin, ends);
		if (lxfw_engine_end_at(future->engine, request.id, ends))
			return -1;
	}
	return 0;
}

/* --- submissions ------------------------------------------------------------------ */

/* Returns the index of the first submission after TIME. */
static size_t after(const struct lxfw_known *known, int64_t time)
{
	size_t low = 0, high = known->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (known->submits[middle] > time)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

/* Choose the day of the past for the next day of the future. */
static void choose_day(struct lxfw_future *future)
{
	const struct lxfw_known *known = future->of->known;
	int64_t past = known->count > 0 ? future->begin - known->submits[0] : 0;
	int64_t weeks = future->of->any_day ? LXFW_FUTURE_WEEKS_FEW : 1;
	int64_t period = past >= weeks * WEEK ? WEEK : DAY, begin = future->day_end;
	int64_t most = LXFW_FUTURE_WEEKS * WEEK / period, least, choices;

	/* A day must have ended at the moment, and begin after the first submission. */
	least = (begin + DAY - future->begin + period - 1) / period;
	choices = (past + begin - future->begin) / period - least + 1;
	if (choices < 1) {
		future->no_arrivals = true;
		return;
	}
	if (choices > most)
		choices = most;
	future->shift = period * (least + (int64_t)lxfw_random_below(&future->random,
							(uint64_t)choices));
	future->day_end = begin + DAY;
	future->next = after(known, begin - future->shift);
}

/* Finds the next submission. Returns whether there is one. */
static bool find_arrival(struct lxfw_future *future, struct lxfw_arrival *arrival, int64_t *time)
{
	const struct lxfw_known *known = future->of->known;
	int64_t end = future->begin + future->of->horizon;

	while (!future->no_arrivals) {
		if (future->next < known->count &&
		    known->submits[future->next] + future->shift <= future->day_end) {
			*time = known->submits[future->next] + future->shift;
			known->arrival(known->context, future->next++, arrival);
			return true;
		}
		if (future->day_end >= end)
			return false;
		choose_day(future);
	}
	return false;
}

/* --- the world of the engine ------------------------------------------------------- */

static struct arrived *arrived_of(const struct lxfw_future *future, uint64_t id)
{
	return id >= ARRIVAL_ID(0) ? &future->arrived[id - ARRIVAL_ID(0)] : NULL;
}

static int submission(void *context, struct lxfw_request *request, int64_t *time)
{
	struct lxfw_future *future = context;
	struct lxfw_arrival arrival = { .ran = -1 };

	if (!find_arrival(future, &arrival, time))
		return 0;
	if (LXFW_GROW(future->arrived, future->arrived_size, future->arrived_count + 1))
		return -1;
	*request = arrival.request;
	request->id = ARRIVAL_ID(future->arrived_count);
	request->submit = *time;
	/* Components of one job would need each other. */
	request->group = 0;
	request->group_count = 0;
	future->arrived[future->arrived_count++] = (struct arrived) {
		.traits = arrival.traits, .ran = arrival.ran, .like = arrival.like,
		.priority = arrival.priority, .delay = arrival.delay, .submit = *time,
	};
	return 1;
}

static uint64_t like(void *context, uint64_t id)
{
	const struct arrived *arrived = arrived_of(context, id);

	return arrived ? arrived->like : id;
}

/* Whether a job is the candidate, or submitted as if it were. */
static bool is_candidate(const struct lxfw_future *future, uint64_t id)
{
	const struct lxfw_futures *of = future->of;

	for (size_t i = 0; i < of->probe_count; i++) {
		if (of->probes[i].id == id)
			return true;
	}
	return (future->candidate && future->candidate->id == id) ||
	       (of->beside && of->beside->id == id);
}

/* Asked about jobs that are submitted, and those whose priority a model has changed. */
static void priority(void *context, uint64_t id, int64_t *priority, int64_t *delay)
{
	const struct lxfw_future *future = context;
	const struct arrived *arrived = arrived_of(future, id);
	int32_t index;

	if (arrived) {
		*priority = arrived->priority;
		*delay = arrived->delay;
		return;
	}
	if (is_candidate(future, id)) {
		*priority = future->of->candidate_priority;
		return;
	}
	index = lxfw_id_map_get(&future->of->sched->job_by_id, id);
	if (index < 0)
		return;
	*priority = future->of->sched->jobs[index].priority;
	*delay = future->of->sched->jobs[index].delay;
}

/* The run time of a job that starts. */
static int64_t draw_started(const struct lxfw_future *future, uint64_t id)
{
	const struct lxfw_known *known = future->of->known;
	const struct lxfw_sched *sched = lxfw_engine_sched(future->engine);
	const struct arrived *arrived = arrived_of(future, id);
	struct lxfw_traits traits;

	if (arrived)
		return arrived->ran >= 0 ? arrived->ran :
					   draw(future, id, &arrived->traits, 0);
	known->traits(known->context,
		      &sched->jobs[lxfw_id_map_get(&sched->job_by_id, id)].request, &traits);
	return draw(future, id, &traits, 0);
}

/* Counts the wait of a job that was submitted in the future, until its start or the horizon. */
static void count_wait(const struct lxfw_future *future, struct arrived *arrived, int64_t end)
{
	struct lxfw_future_arrivals *to = future->of->arrivals;

	if (!to || arrived->started)
		return;
	arrived->started = true;
	to[future->number].count++;
	to[future->number].wait += (double)(end - arrived->submit);
	if (future->of->waited)
		future->of->waited(future->of->waits, future->number, arrived->submit,
				   end - arrived->submit);
}

/* A task of an array has started: the next one takes its place in the queue. */
static void submit_task(struct lxfw_future *future, uint64_t job, int64_t now)
{
	const struct lxfw_array_rest *rest = &future->origin->rest;
	int32_t index = lxfw_array_rest_part(rest, job);
	size_t next;

	if (index < 0)
		return;
	next = rest->parts[index].first + future->late[index];
	if (next >= rest->parts[index].end)
		return;
	future->late[index]++;
	future->failed |= lxfw_engine_submit(future->engine, &rest->requests[next], now) != 0;
}

/* --- hosts that boot --------------------------------------------------------------- */

/* Those on which something runs at the moment boot already. Returns 0, or -1 with errno ENOMEM. */
static int find_awake(struct lxfw_future *future, const struct lxfw_sched *sched)
{
	const struct lxfw_profile *profile = &sched->profile;
	int64_t most = 0;

	for (int32_t i = 0; i < profile->host_count; i++)
		most = sched->weights.boot[i] > most ? sched->weights.boot[i] : most;
	if (most == 0)
		return 0;
	future->awake = calloc((size_t)profile->host_count + 1, sizeof(*future->awake));
	if (!future->awake)
		return -1;
	for (int32_t i = 0; i < profile->host_count; i++) {
		if (lxfw_profile_free(profile, i)->procs < profile->hosts[i].total.procs)
			future->awake[i] = future->begin + sched->weights.boot[i];
	}
	return 0;
}

/* Returns the time at which the hosts of a start are up. */
static int64_t when_up(struct lxfw_future *future, const struct lxfw_action *action)
{
	const struct lxfw_sched *sched = lxfw_engine_sched(future->engine);
	int64_t latest = action->start;

	for (int32_t i = 0; i < action->count && future->awake; i++) {
		int32_t host = action->shares[i].host;

		if (future->awake[host] == 0)
			future->awake[host] = action->start + sched->weights.boot[host];
		if (future->awake[host] > latest)
			latest = future->awake[host];
	}
	return latest;
}

static int64_t started(void *context, const struct lxfw_action *action,
		       struct lxfw_error *error)
{
	struct lxfw_future *future = context;
	int32_t watched = lxfw_id_map_get(future->watched, action->job);
	int64_t up = when_up(future, action), run;

	(void)error;
	future->started++;
	if (watched >= 0) {
		future->starts[(size_t)watched * (size_t)future->of->count] = up;
		future->left--;
	}
	if (arrived_of(future, action->job))
		count_wait(future, arrived_of(future, action->job), up);
	submit_task(future, action->job, action->start);
	run = draw_started(future, action->job);
	/* A job may be started for less time than it requested. */
	if (future->of->by_limits && action->limit > 0 && run > action->limit &&
	    !is_known(future->of, action->job))
		run = action->limit;
	for (int32_t i = 0; i < action->count && (future->of->busy || future->of->use); i++)
		count_busy(future, action->shares[i].amount.procs, action->start,
			   action->start + run);
	run = (run > 0 ? run : 1) + (up - action->start);
	if (take_after(future, action->job, up, action->start + run))
		future->failed |= submit_candidate(future) != 0;
	return run;
}

/* --- one future ------------------------------------------------------------------- */

static struct lxfw_sched *make_sched(const struct lxfw_future *future)
{
	const struct lxfw_futures *of = future->of;

	if (of->make)
		return of->make(of->context);
	if (future->origin->known)
		return lxfw_snapshot_restore(&future->origin->state, NULL, NULL);
	return lxfw_sched_copy(of->sched);
}

int lxfw_future_begin(struct lxfw_future *future, const struct lxfw_world *world,
		      struct lxfw_error *error)
{
	const struct lxfw_futures *of = future->of;
	const struct lxfw_run_moment moment = { .now = of->now, .wake = of->wake };
	struct lxfw_sched *sched = make_sched(future);
	void *model = NULL;

	if (sched && of->model)
		model = of->priorities->copy(of->model);
	if (!sched || (of->model && !model) || hold_jobs(future, sched)) {
		lxfw_sched_destroy(sched);
		return -1;
	}
	future->late = calloc(future->origin->rest.part_count + 1, sizeof(*future->late));
	future->failed = !future->late;
	future->begin = of->now;
	future->day_end = future->begin;
	future->next = of->known->count;
	future->no_arrivals = of->by_limits || of->no_arrivals;
	future->left = of->probe_count > 0 && future->candidate ? 1 : of->watched_count;
	lxfw_random_seed(&future->random, of->seed, future->number);
	future->engine = lxfw_engine_resume(world, &moment, sched, model, error);
	if (!future->engine || find_awake(future, sched))
		return -1;
	future->after_left = of->after_count;
	return draw_running(future) || submit_held(future) ? -1 : submit_candidate(future);
}

/* Whether nothing more is wanted of the future. */
static bool is_over(const struct lxfw_future *future)
{
	const struct lxfw_futures *of = future->of;

	return (future->left == 0 && !of->to_the_horizon) ||
	       (of->most_starts > 0 && future->started >= of->most_starts);
}

struct lxfw_world lxfw_future_world(struct lxfw_future *future)
{
	return (struct lxfw_world){
		.context = future, .submission = submission, .started = started,
		.like = like, .priority = priority, .lenient = true,
		.priorities = future->of->priorities,
	};
}

bool lxfw_future_goes_on(struct lxfw_future *future, int64_t last)
{
	return !future->failed && !is_over(future) && lxfw_engine_next(future->engine) <= last;
}

int lxfw_future_run(struct lxfw_future *future, struct lxfw_error *error)
{
	const struct lxfw_world world = lxfw_future_world(future);
	int64_t last = future->of->now + future->of->horizon;
	int failed = lxfw_future_begin(future, &world, error);

	while (!failed && lxfw_future_goes_on(future, last))
		failed = lxfw_engine_step(future->engine, lxfw_engine_next(future->engine),
					  error);
	for (size_t i = 0; i < future->arrived_count && !failed; i++)
		count_wait(future, &future->arrived[i], last);
	return future->failed ? -1 : failed;
}

void lxfw_future_end(struct lxfw_future *future)
{
	int saved = errno;

	lxfw_engine_close(future->engine);
	free(future->arrived);
	free(future->late);
	free(future->awake);
	free(future->held);
	errno = saved;
}

bool lxfw_future_waits(const struct lxfw_sched *sched, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

	return index >= 0 && sched->jobs[index].state != LXFW_JOB_RUNNING;
}
