/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/future.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/copy.h"
#include "common/explain.h"
#include "common/params/policy.h"
#include "common/pass/probe.h"
#include "common/snapshot.h"
#include "common/util/grow.h"
#include "common/util/id_map.h"
#include "sim-frontend/engine/engine.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/predict/ages.h"
#include "sim-frontend/predict/array_rest.h"
#include "sim-frontend/util/pool.h"

#define DAY INT64_C(86400)
#define WEEK (7 * DAY)

/* Ids of jobs that are submitted in a future. They are beyond those of traces and, since
   ids are compared by their lower half first, after other jobs of the same second. */
#define ARRIVAL_ID(number) (UINT64_C(0xfffffff000000000) + (number) + UINT64_C(0xf0000000))

/* Share of jobs of the same kind that run for the same time as others of that kind in the
   same future. */
#define ALIKE 0.5

/* The scheduler at the moment, for those of the futures. */
struct origin {
	struct lxfw_snapshot state;
	bool known;		/* otherwise the scheduler is copied */
	struct lxfw_array_rest rest;	/* which `state` lacks */
	size_t fork;		/* waiting jobs up to which futures of probes are forked; SIZE_MAX:
				   they have no common beginning */
	double shape;		/* of run times of which nothing is known */
};

struct future {
	const struct lxfw_futures *of;
	const struct origin *origin;
	uint64_t number;
	const struct lxfw_request *candidate;	/* that is submitted; NULL: none, or there are
						   probes */
	struct lxfw_engine *engine;
	struct lxfw_random random;	/* for the days */
	int64_t begin;
	/* Submissions: those of the day of the past that begins at BEGIN - shift. */
	int64_t day_end;	/* in the future */
	int64_t shift;		/* to be added to a time of the past */
	size_t next;		/* index of the next submission */
	bool no_arrivals;
	/* Jobs submitted so far, and the next one. */
	struct arrived {
		struct lxfw_traits traits;
		int64_t submit, ran, priority, delay;
		uint64_t like;
		bool started;
	} *arrived;
	size_t arrived_count, arrived_size;
	int64_t *starts;	/* of watched jobs, with a stride of of->count */
	const struct lxfw_id_map *watched;
	size_t left;		/* watched jobs that have not started */
	size_t started;		/* all jobs that have */
	struct waits_for_end {
		struct lxfw_request request;
		int64_t end;	/* the first one on its hosts, or its planned time */
	} *held;		/* the jobs of of->held that wait, and then the candidate */
	size_t held_count;
	size_t after_left;	/* of of->after, whose times are not known */
	int64_t after;		/* the last one of those that are */
	size_t *late;		/* of each part of origin->rest, the tasks that are submitted */
	int64_t *awake;		/* of each host with a boot time, when it is up; 0: not known. NULL:
				   all are up */
	bool failed;		/* memory ran out */
};

/* --- run times -------------------------------------------------------------------- */

static bool is_known(const struct lxfw_futures *of, uint64_t id)
{
	return of->ran && of->ran(of->context, id) > 0;
}

static int64_t draw(const struct future *future, uint64_t id,
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
static void count_use(const struct future *future, int64_t procs, int64_t now, int64_t end)
{
	const struct lxfw_futures *of = future->of;
	int64_t *use = of->use + future->number * of->use_count;
	int64_t first = (now - future->begin + of->use_step - 1) / of->use_step;

	for (size_t i = (size_t)first; i < of->use_count &&
	     future->begin + (int64_t)i * of->use_step < end; i++)
		use[i] += procs;
}

/* Counts processors that are allocated from NOW until END. */
static void count_busy(const struct future *future, int64_t procs, int64_t now, int64_t end)
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

static void hold(struct future *future, const struct lxfw_request *request, int64_t planned)
{
	future->held[future->held_count++] = (struct waits_for_end) { *request, planned };
}

/* Takes the jobs that are held from the scheduler of the future. Returns 0, or -1 with errno ENOMEM. */
static int hold_jobs(struct future *future, struct lxfw_sched *sched)
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
static void note_end(struct future *future, int32_t claim, int64_t end)
{
	for (size_t i = 0; i < future->held_count; i++) {
		struct waits_for_end *job = &future->held[i];

		if (end < job->end && lxfw_held_by(future->of->sched, &job->request, claim))
			job->end = end;
	}
}

/* When the job is considered. Without a job on its hosts that is at once. */
static int64_t held_until(const struct future *future, const struct waits_for_end *job)
{
	return job->end == LXFW_NEVER || job->end < future->begin ? future->begin : job->end;
}

static int submit_held(struct future *future)
{
	size_t count = future->held_count - future->of->candidate_held;
	int failed = 0;

	for (size_t i = 0; i < count && !failed; i++)
		failed = lxfw_engine_submit(future->engine, &future->held[i].request,
					    held_until(future, &future->held[i]));
	return failed;
}

/* Submits the candidate when it is known after which time. */
static int submit_candidate(struct future *future)
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
static bool take_after(struct future *future, uint64_t job, int64_t start, int64_t end)
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
static int draw_running(struct future *future)
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
static void choose_day(struct future *future)
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
static bool find_arrival(struct future *future, struct lxfw_arrival *arrival, int64_t *time)
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

static struct arrived *arrived_of(const struct future *future, uint64_t id)
{
	return id >= ARRIVAL_ID(0) ? &future->arrived[id - ARRIVAL_ID(0)] : NULL;
}

static int submission(void *context, struct lxfw_request *request, int64_t *time)
{
	struct future *future = context;
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
static bool is_candidate(const struct future *future, uint64_t id)
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
	const struct future *future = context;
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
static int64_t draw_started(const struct future *future, uint64_t id)
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
static void count_wait(const struct future *future, struct arrived *arrived, int64_t end)
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
static void submit_task(struct future *future, uint64_t job, int64_t now)
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
static int find_awake(struct future *future, const struct lxfw_sched *sched)
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
static int64_t when_up(struct future *future, const struct lxfw_action *action)
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
	struct future *future = context;
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

static struct lxfw_sched *make_sched(const struct future *future)
{
	const struct lxfw_futures *of = future->of;

	if (of->make)
		return of->make(of->context);
	if (future->origin->known)
		return lxfw_snapshot_restore(&future->origin->state, NULL, NULL);
	return lxfw_sched_copy(of->sched);
}

static int begin(struct future *future, const struct lxfw_world *world,
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
static bool is_over(const struct future *future)
{
	const struct lxfw_futures *of = future->of;

	return (future->left == 0 && !of->to_the_horizon) ||
	       (of->most_starts > 0 && future->started >= of->most_starts);
}

static struct lxfw_world world_of(struct future *future)
{
	return (struct lxfw_world){
		.context = future, .submission = submission, .started = started,
		.like = like, .priority = priority, .lenient = true,
		.priorities = future->of->priorities,
	};
}

/* Returns whether the future goes on before LAST. */
static bool goes_on(struct future *future, int64_t last)
{
	return !future->failed && !is_over(future) && lxfw_engine_next(future->engine) <= last;
}

static int run(struct future *future, struct lxfw_error *error)
{
	const struct lxfw_world world = world_of(future);
	int64_t last = future->of->now + future->of->horizon;
	int failed = begin(future, &world, error);

	while (!failed && goes_on(future, last))
		failed = lxfw_engine_step(future->engine, lxfw_engine_next(future->engine),
					  error);
	for (size_t i = 0; i < future->arrived_count && !failed; i++)
		count_wait(future, &future->arrived[i], last);
	return future->failed ? -1 : failed;
}

static void end(struct future *future)
{
	int saved = errno;

	lxfw_engine_close(future->engine);
	free(future->arrived);
	free(future->late);
	free(future->awake);
	free(future->held);
	errno = saved;
}

/* --- probes ------------------------------------------------------------------------ */

/* Futures are forked before few jobs more than those that may have reservations wait: no probe
   would have got one until then, unless as many start at once. */
#define FORK_BEFORE 64

/* The number of waiting jobs from which on probes have a common beginning, or SIZE_MAX. */
static size_t fork_at(const struct lxfw_futures *of, const struct origin *origin)
{
	const struct lxfw_sched *sched = of->sched;
	size_t behind = 0;

	if (of->fork_before < 0 || of->probe_count < 2 || !origin->known || of->model || of->make ||
	    of->after_count > 0 || !lxfw_probe_is_possible(sched))
		return SIZE_MAX;
	for (size_t i = 0; i < of->probe_count; i++) {
		if (!lxfw_probe_may_ask(&of->probes[i]))
			return SIZE_MAX;
	}
	for (size_t i = 0; i < sched->jobs_used; i++)
		behind += sched->jobs[i].state == LXFW_JOB_WAITING &&
			  sched->jobs[i].priority <= of->candidate_priority;
	behind += (size_t)(of->fork_before > 0 ? of->fork_before : FORK_BEFORE);
	behind += (size_t)lxfw_reservations_allowed(sched);
	return behind < sched->waiting ? behind : SIZE_MAX;
}

static int submit_probes(struct future *future)
{
	const struct lxfw_futures *of = future->of;
	int failed = 0;

	for (size_t i = 0; i < of->probe_count && !failed; i++) {
		struct lxfw_request request = of->probes[i];

		request.probe = true;
		request.submit = future->begin;
		failed = lxfw_engine_submit(future->engine, &request, future->begin);
	}
	return failed;
}

/* Runs the future of one probe, as a job, from the moment on. */
static int run_apart(const struct future *of, size_t probe, struct lxfw_error *error)
{
	struct future future = {
		.of = of->of, .origin = of->origin, .number = of->number, .starts = of->starts,
		.watched = of->watched, .candidate = &of->of->probes[probe],
	};
	int result = run(&future, error);

	end(&future);
	return result;
}

/* Takes those that would have started, or got a reservation, from the queue. *APART has a bit for
   each probe whose future is to be run from the moment on. */
static int take_probed(struct future *future, uint64_t *apart)
{
	const struct lxfw_futures *of = future->of;
	struct lxfw_sched *sched = lxfw_engine_sched(future->engine);
	int failed = 0;

	for (size_t i = 0; i < of->probe_count && sched->probed > 0 && !failed; i++) {
		int32_t index = lxfw_id_map_get(&sched->job_by_id, of->probes[i].id);
		enum lxfw_probed probed = index < 0 ? LXFW_PROBED_WAITS :
						      sched->jobs[index].probed;

		if (probed == LXFW_PROBED_WAITS)
			continue;
		if (probed == LXFW_PROBED_STARTS)
			future->starts[i * (size_t)of->count] = sched->now;
		else
			*apart |= UINT64_C(1) << i;
		future->left--;
		failed = lxfw_sched_apply(sched, &(struct lxfw_event) {
			.type = LXFW_EVENT_JOB_END, .time = sched->now, .end.id = of->probes[i].id,
		}, NULL);
	}
	sched->probed = 0;
	return failed;
}

/* Of a snapshot, the probes are no part of what is continued. */
static void leave_probes(struct lxfw_snapshot *state)
{
	size_t kept = 0;

	for (size_t i = 0; i < state->job_count; i++) {
		if (state->jobs[i].request.probe)
			free(state->jobs[i].shares);
		else
			state->jobs[kept++] = state->jobs[i];
	}
	state->job_count = kept;
}

/* The job was submitted at the moment, and has waited. */
static int submit_late(struct future *future, struct lxfw_sched *sched)
{
	struct lxfw_request request = *future->candidate;
	struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_SUBMIT, .time = sched->now, .request = &request,
	};

	request.submit = future->begin;
	if (lxfw_sched_apply(sched, &event, NULL))
		return -1;
	event = (struct lxfw_event){
		.type = LXFW_EVENT_JOB_PRIORITY, .time = sched->now, .priority.id = request.id,
		.priority.priority = future->of->candidate_priority,
	};
	return lxfw_sched_apply(sched, &event, NULL);
}

/* Continues a future with a probe that has become a job. */
static int run_forked(const struct future *from, const struct lxfw_snapshot *state, size_t probe,
		      struct lxfw_error *error)
{
	struct future future = *from;
	const struct lxfw_world world = world_of(&future);
	int64_t last = from->begin + from->of->horizon;
	struct lxfw_sched *sched = lxfw_snapshot_restore(state, NULL, NULL);
	int failed;

	future.candidate = &from->of->probes[probe];
	future.left = 1;
	future.engine = NULL;
	future.arrived = NULL;
	future.arrived_count = future.arrived_size = 0;
	future.awake = NULL;
	future.held = NULL;
	future.held_count = 0;
	future.late = calloc(from->origin->rest.part_count + 1, sizeof(*future.late));
	if (!sched || !future.late) {
		lxfw_sched_destroy(sched);
		end(&future);
		return -1;
	}
	memcpy(future.late, from->late, from->origin->rest.part_count * sizeof(*future.late));
	future.engine = lxfw_engine_fork(from->engine, &world, sched, error);
	failed = !future.engine || submit_late(&future, sched) ? -1 : 0;
	while (!failed && goes_on(&future, last))
		failed = lxfw_engine_step(future.engine, lxfw_engine_next(future.engine), error);
	end(&future);
	return future.failed ? -1 : failed;
}

/* Continues the future with each of the probes that still wait. */
static int fork_all(struct future *future, struct lxfw_error *error)
{
	const struct lxfw_futures *of = future->of;
	struct lxfw_sched *sched = lxfw_engine_sched(future->engine);
	struct lxfw_snapshot state = { 0 };
	int failed = lxfw_snapshot_take(&state, sched);

	if (!failed)
		leave_probes(&state);
	for (size_t i = 0; i < of->probe_count && !failed; i++) {
		if (lxfw_id_map_get(&sched->job_by_id, of->probes[i].id) >= 0)
			failed = run_forked(future, &state, i, error);
	}
	lxfw_snapshot_clear(&state);
	return failed;
}

/* Runs the common beginning of the futures of probes, and then each for itself. *APART as for
   take_probed(). */
static int run_probes(struct future *future, uint64_t *apart, struct lxfw_error *error)
{
	const struct lxfw_world world = world_of(future);
	int64_t last = future->of->now + future->of->horizon;
	int failed = begin(future, &world, error);
	struct lxfw_sched *sched;

	/* Jobs that arrive would be behind the probes. */
	if (failed || !future->no_arrivals) {
		*apart = UINT64_MAX;
		return failed;
	}
	sched = lxfw_engine_sched(future->engine);
	failed = submit_probes(future);
	while (!failed && goes_on(future, last)) {
		failed = lxfw_engine_step(future->engine, lxfw_engine_next(future->engine),
					  error);
		if (!failed)
			failed = take_probed(future, apart);
		if (!failed && future->left > 0 && sched->waiting <= future->origin->fork)
			return fork_all(future, error);
	}
	return future->failed ? -1 : failed;
}

static int run_all_probes(struct future *future, struct lxfw_error *error)
{
	uint64_t apart = future->origin->fork == SIZE_MAX ? UINT64_MAX : 0;
	int result = apart ? 0 : run_probes(future, &apart, error);

	for (size_t i = 0; i < future->of->probe_count && result == 0; i++) {
		if (apart >> i & 1)
			result = run_apart(future, i, error);
	}
	return result;
}

/* --- all of them ------------------------------------------------------------------- */

struct all {
	const struct lxfw_futures *futures;
	struct origin origin;
	struct lxfw_id_map watched;
	int64_t *starts;
};

static int run_one(void *context, size_t number, struct lxfw_error *error)
{
	const struct all *all = context;
	struct future future = {
		.of = all->futures, .origin = &all->origin, .number = number,
		.starts = all->starts + number, .watched = &all->watched,
		.candidate = all->futures->candidate,
	};
	int result;

	lxfw_error_set(error, "out of memory");
	result = all->futures->probe_count > 0 ? run_all_probes(&future, error) :
						 run(&future, error);
	if (result == 0)
		lxfw_error_set(error, "");
	end(&future);
	return result;
}

/* A snapshot has all that decides, a copy has no reservations and no passes in intervals. Some
   policies have a state that only a copy has. */
static int find_origin(const struct lxfw_futures *futures, struct origin *origin)
{
	struct lxfw_sched *sched, *fewer;

	if (futures->make || futures->sched->job_classes ||
	    lxfw_params_interrupt(lxfw_sched_params(futures->sched)) ||
	    lxfw_policy_has(lxfw_sched_params(futures->sched)->policy, LXFW_TRAIT_SCRIPT))
		return 0;
	if (lxfw_array_rest_find(&origin->rest, futures->sched, futures->array_tasks))
		return -1;
	fewer = origin->rest.count > 0 ? lxfw_array_rest_leave(&origin->rest, futures->sched) : NULL;
	if (origin->rest.count > 0 && !fewer)
		return -1;
	if (lxfw_snapshot_take(&origin->state, fewer ? fewer : futures->sched)) {
		lxfw_sched_destroy(fewer);
		return -1;
	}
	lxfw_sched_destroy(fewer);
	sched = lxfw_snapshot_restore(&origin->state, NULL, NULL);
	if (!sched && errno == ENOMEM)
		return -1;
	origin->known = sched != NULL;
	if (!sched)
		lxfw_array_rest_clear(&origin->rest);
	lxfw_sched_destroy(sched);
	return 0;
}

int lxfw_futures_run(const struct lxfw_futures *futures, int64_t *starts,
		     struct lxfw_error *error)
{
	struct all all = { .futures = futures, .starts = starts };
	const struct lxfw_pool pool = {
		.context = &all, .count = (size_t)futures->count,
		.threads = futures->threads, .work = run_one,
	};
	int result = find_origin(futures, &all.origin);

	all.origin.fork = fork_at(futures, &all.origin);
	all.origin.shape = futures->make || lxfw_experience_of_all(futures->known->experience) ? 1 :
			   lxfw_ages_shape(futures->sched, futures->now);
	for (size_t i = 0; i < futures->watched_count * (size_t)futures->count; i++)
		starts[i] = LXFW_NEVER;
	for (size_t i = 0; i < futures->watched_count && result == 0; i++)
		result = lxfw_id_map_add(&all.watched, futures->watched[i], (int32_t)i);
	if (result)
		lxfw_error_set(error, "out of memory");
	for (int i = 0; i < futures->count && futures->threads == 1 && result == 0; i++)
		result = run_one(&all, (size_t)i, error);
	if (result == 0 && futures->threads > 1)
		result = lxfw_pool_carry_out(&pool, error);
	lxfw_id_map_clear(&all.watched);
	lxfw_snapshot_clear(&all.origin.state);
	lxfw_array_rest_clear(&all.origin.rest);
	return result;
}

bool lxfw_future_waits(const struct lxfw_sched *sched, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

	return index >= 0 && sched->jobs[index].state != LXFW_JOB_RUNNING;
}
