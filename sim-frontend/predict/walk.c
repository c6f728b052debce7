/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/walk.h"

#include <errno.h>
#include <stdlib.h>

#include "common/util/grow.h"
#include "sim-frontend/engine/ends.h"
#include "sim-frontend/predict/measured.h"
#include "sim-frontend/util/random.h"

/* Ids of the scheduler are positions in the trace plus one, as in engine/simulation.h. */
#define POSITION(id) ((size_t)(id) - 1)

struct walker {
	struct lxfw_walk *walk;
	struct lxfw_experience experience;
	struct lxfw_history history;
	int64_t *submits;	/* in order of submission */
	size_t submitted;	/* number of submissions so far */
	int64_t *ran;		/* by position: run time of jobs that have ended; else -1 */
	struct lxfw_ends ends;	/* of the jobs that have started */
	struct lxfw_ends starts;	/* measured: of all jobs that are submitted */
	void *model;		/* measured: of priorities; NULL: none */
	size_t next;		/* next case */
	int64_t *scratch;
	int failed;
};

static void traits_at(const struct lxfw_walk *walk, size_t position,
		      struct lxfw_traits *traits)
{
	const struct lxfw_trace_job *job = &walk->trace->jobs[position];
	const struct lxfw_trace_owner *owner = &walk->trace->owners[position];

	*traits = (struct lxfw_traits) {
		.user = owner->user, .account = owner->group,
		.partition = owner->queue >= 0 ? owner->queue : owner->partition,
		.limit = lxfw_simulation_estimate(walk->options, job),
		.procs = job->procs,
	};
}

/* --- what is known ---------------------------------------------------------------- */

static void known_arrival(const void *context, size_t index, struct lxfw_arrival *arrival)
{
	const struct walker *walker = context;
	const struct lxfw_walk *walk = walker->walk;
	size_t position = lxfw_trace_at(walk->trace, index);

	lxfw_walk_request(walk, position, &arrival->request);
	traits_at(walk, position, &arrival->traits);
	arrival->ran = walker->ran[position];
	arrival->like = position + 1;
	arrival->priority = arrival->delay = 0;
}

static void known_traits(const void *context, const struct lxfw_request *request,
			 struct lxfw_traits *traits)
{
	const struct walker *walker = context;

	traits_at(walker->walk, POSITION(request->id), traits);
}

/* Jobs have ended by NOW. */
static int learn(struct walker *walker, int64_t now)
{
	const struct lxfw_walk *walk = walker->walk;
	struct lxfw_traits traits;

	while (walker->ends.count > 0 && walker->ends.heap[0].time <= now) {
		size_t position = POSITION(lxfw_ends_pop(&walker->ends));
		int64_t run = lxfw_simulation_run_time(walk->options,
						       &walk->trace->jobs[position]);

		traits_at(walk, position, &traits);
		walker->ran[position] = run;
		if (lxfw_experience_learn(&walker->experience, &traits, run))
			return -1;
	}
	return 0;
}

static int job_started(struct walker *walker, size_t position, int64_t now)
{
	const struct lxfw_walk *walk = walker->walk;
	const struct lxfw_trace_job *job = &walk->trace->jobs[position];
	struct lxfw_traits traits;

	traits_at(walk, position, &traits);
	if (lxfw_history_add(&walker->history, &traits, now - job->submit))
		return -1;
	return lxfw_ends_add(&walker->ends, now + lxfw_simulation_run_time(walk->options, job),
			     position + 1);
}

/* --- a case ----------------------------------------------------------------------- */

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

static int predict(struct walker *walker, struct lxfw_case *at,
		   const struct lxfw_run_moment *moment, struct lxfw_error *error)
{
	const struct lxfw_walk *walk = walker->walk;
	const struct lxfw_known known = {
		.experience = &walker->experience, .context = walker,
		.submits = walker->submits, .count = walker->submitted,
		.arrival = known_arrival, .traits = known_traits,
	};
	uint64_t id = at->position + 1;
	struct lxfw_futures futures = {
		.sched = moment->sched, .known = &known, .now = moment->now,
		.wake = moment->wake, .model = moment->model,
		.priorities = walk->options->priorities,
		.seed = walk->seed * 1000003 + id,
		.count = walk->futures, .threads = walk->threads,
		.horizon = walk->horizon, .watched = &id, .watched_count = 1,
	};

	if (lxfw_futures_run(&futures, at->waits, error))
		return -1;
	for (int i = 0; i < walk->futures; i++)
		at->waits[i] -= at->waits[i] == LXFW_NEVER ? 0 : at->submit;
	qsort(at->waits, (size_t)walk->futures, sizeof(*at->waits), ascending);
	futures.by_limits = true;
	futures.count = 1;
	if (lxfw_futures_run(&futures, &at->by_limits, error))
		return -1;
	at->by_limits -= at->by_limits == LXFW_NEVER ? 0 : at->submit;
	return 0;
}

static int take_case(struct walker *walker, const struct lxfw_run_moment *moment,
		     struct lxfw_error *error)
{
	struct lxfw_walk *walk = walker->walk;
	struct lxfw_case *at = &walk->cases[walker->next];
	struct lxfw_traits traits;

	traits_at(walk, at->position, &traits);
	if (lxfw_history_guess(&walker->history, &traits, &at->history))
		return -1;
	at->waits = calloc((size_t)walk->futures, sizeof(*at->waits));
	if (!at->waits)
		return -1;
	at->at_once = !lxfw_future_waits(moment->sched, at->position + 1);
	if (!at->at_once && predict(walker, at, moment, error))
		return -1;
	walker->next++;
	if (walk->progress)
		walk->progress(walker->next, walk->count);
	return 0;
}

/* --- as simulated ----------------------------------------------------------------- */

static void see_decision(void *context, int64_t now, const struct lxfw_decision *decision)
{
	struct walker *walker = context;

	for (size_t i = 0; i < decision->count && !walker->failed; i++) {
		if (decision->actions[i].type == LXFW_ACTION_START)
			walker->failed = job_started(walker,
					POSITION(decision->actions[i].job), now);
	}
}

static int see_step(void *context, const struct lxfw_run_moment *moment,
		    struct lxfw_error *error)
{
	struct walker *walker = context;
	struct lxfw_walk *walk = walker->walk;
	int64_t now = moment->now;
	int failed = walker->failed;

	failed = failed || learn(walker, now);
	while (walker->submitted < walk->trace->count &&
	       walker->submits[walker->submitted] <= now)
		walker->submitted++;
	while (!failed && walker->next < walk->count &&
	       walk->cases[walker->next].submit <= now)
		failed = take_case(walker, moment, error);
	if (failed && errno == ENOMEM)
		lxfw_error_set(error, "out of memory");
	return failed ? -1 : 0;
}

static int walk_simulated(struct walker *walker, struct lxfw_error *error)
{
	struct lxfw_walk *walk = walker->walk;
	struct lxfw_simulation sim = {
		.trace = walk->trace, .cluster = walk->cluster, .options = walk->options,
		.observe = see_decision, .stepped = see_step, .observer = walker,
	};
	int result = lxfw_simulation_run(&sim, NULL, error);

	for (size_t i = 0; i < walk->count && result == 0; i++)
		walk->cases[i].wait = sim.starts[walk->cases[i].position] -
				      walk->cases[i].submit;
	lxfw_simulation_clear(&sim);
	return result;
}

/* --- as measured ------------------------------------------------------------------ */

/* A start for the model of priorities. Of the hosts only the partition is known. */
static int model_started(struct walker *walker, size_t position, int64_t time)
{
	const struct lxfw_walk *walk = walker->walk;
	const struct lxfw_need *need = lxfw_trace_need(walk->trace, position);
	struct lxfw_share share = { .amount.procs = walk->trace->jobs[position].procs };
	const struct lxfw_action action = {
		.type = LXFW_ACTION_START, .job = position + 1, .start = time,
		.count = 1, .shares = &share,
	};

	if (!walker->model)
		return 0;
	if (need && need->set_count > 0 && walk->cluster->sets[need->sets[0]].count > 0)
		share.host = walk->cluster->sets[need->sets[0]].hosts[0];
	return walk->options->priorities->started(walker->model, &action);
}

static int model_submitted(struct walker *walker, size_t position, int64_t time)
{
	struct lxfw_request request;

	if (!walker->model)
		return 0;
	lxfw_walk_request(walker->walk, position, &request);
	return walker->walk->options->priorities->submitted(walker->model, &request,
							    request.id, time);
}

/* Ends, a calculation of priorities, submissions and starts at TIME, in the order of the
   engine. */
static int see_measured(struct walker *walker, int64_t time)
{
	const struct lxfw_trace *trace = walker->walk->trace;
	const struct lxfw_priorities *priorities = walker->walk->options->priorities;

	if (learn(walker, time) ||
	    (walker->model && priorities->due(walker->model) <= time &&
	     priorities->step(walker->model, time)))
		return -1;
	while (walker->submitted < trace->count &&
	       walker->submits[walker->submitted] <= time) {
		size_t position = lxfw_trace_at(trace, walker->submitted++);
		const struct lxfw_trace_job *job = &trace->jobs[position];

		if (job->wait >= 0 &&
		    (model_submitted(walker, position, time) ||
		     lxfw_ends_add(&walker->starts, job->submit + job->wait, position + 1)))
			return -1;
	}
	while (walker->starts.count > 0 && walker->starts.heap[0].time <= time) {
		size_t position = POSITION(lxfw_ends_pop(&walker->starts));

		if (job_started(walker, position, time) ||
		    model_started(walker, position, time))
			return -1;
	}
	return 0;
}

static int64_t earlier(const struct lxfw_ends *ends, int64_t time)
{
	return ends->count > 0 && ends->heap[0].time < time ? ends->heap[0].time : time;
}

/* Enter what was measured up to NOW, in the order of time. */
static int advance(struct walker *walker, int64_t now)
{
	const struct lxfw_walk *walk = walker->walk;
	int64_t time;

	do {
		time = earlier(&walker->starts, earlier(&walker->ends, now));
		if (walker->submitted < walk->trace->count &&
		    walker->submits[walker->submitted] < time)
			time = walker->submits[walker->submitted];
		if (walker->model && walk->options->priorities->due(walker->model) < time)
			time = walk->options->priorities->due(walker->model);
		if (see_measured(walker, time))
			return -1;
	} while (time < now);
	return 0;
}

/* Priorities of the site count from the first submission on. */
static int open_model(struct walker *walker)
{
	const struct lxfw_priorities *priorities = walker->walk->options->priorities;

	if (!priorities || walker->walk->trace->count == 0)
		return 0;
	walker->model = priorities->open(priorities->context, walker->submits[0]);
	return walker->model ? 0 : -1;
}

static int walk_measured(struct walker *walker, struct lxfw_error *error)
{
	struct lxfw_walk *walk = walker->walk;
	int result = open_model(walker);

	while (walker->next < walk->count && result == 0) {
		struct lxfw_case *at = &walk->cases[walker->next];
		struct lxfw_sched *sched;

		result = advance(walker, at->submit);
		if (result)
			break;
		at->wait = walk->trace->jobs[at->position].wait;
		sched = lxfw_measured_state(walk, at->position, walker->model,
					    &walk->not_placed, error);
		result = sched ? take_case(walker, &(struct lxfw_run_moment) {
			.now = at->submit, .sched = sched, .model = walker->model,
		}, error) : -1;
		lxfw_sched_destroy(sched);
	}
	if (result && errno == ENOMEM)
		lxfw_error_set(error, "out of memory");
	return result;
}

/* --- all of it -------------------------------------------------------------------- */

/* Choose the sample. */
static int choose(struct lxfw_walk *walk)
{
	const struct lxfw_trace *trace = walk->trace;
	size_t first = (size_t)(walk->warmup * (double)trace->count);
	size_t left = trace->count - first;
	struct lxfw_random random;
	double step, offset;

	walk->count = walk->sample < left ? walk->sample : left;
	walk->cases = calloc(walk->count + 1, sizeof(*walk->cases));
	if (!walk->cases)
		return -1;
	if (walk->count == 0)
		return 0;
	lxfw_random_seed(&random, walk->seed, 0);
	step = (double)left / (double)walk->count;
	offset = lxfw_random_uniform(&random) * step;
	for (size_t i = 0; i < walk->count; i++) {
		size_t at = first + (size_t)(offset + (double)i * step);
		size_t position = lxfw_trace_at(trace, at < trace->count ? at :
							trace->count - 1);

		walk->cases[i].position = position;
		walk->cases[i].submit = trace->jobs[position].submit;
	}
	return 0;
}

/* Jobs without a measured wait are no cases. */
static void drop_unknown(struct lxfw_walk *walk)
{
	size_t kept = 0;

	for (size_t i = 0; i < walk->count; i++) {
		if (!walk->measured || walk->trace->jobs[walk->cases[i].position].wait >= 0)
			walk->cases[kept++] = walk->cases[i];
	}
	walk->count = kept;
}

static int prepare(struct walker *walker)
{
	const struct lxfw_trace *trace = walker->walk->trace;

	walker->submits = malloc((trace->count + 1) * sizeof(*walker->submits));
	walker->ran = malloc((trace->count + 1) * sizeof(*walker->ran));
	if (!walker->submits || !walker->ran || choose(walker->walk))
		return -1;
	drop_unknown(walker->walk);
	for (size_t i = 0; i < trace->count; i++) {
		walker->submits[i] = trace->jobs[lxfw_trace_at(trace, i)].submit;
		walker->ran[i] = -1;
	}
	return 0;
}

int lxfw_walk_run(struct lxfw_walk *walk, struct lxfw_error *error)
{
	struct walker walker = { .walk = walk };
	int result = prepare(&walker), saved;

	if (result)
		lxfw_error_set(error, "out of memory");
	else
		result = (walk->measured ? walk_measured : walk_simulated)(&walker, error);
	saved = errno;
	lxfw_experience_clear(&walker.experience);
	lxfw_history_clear(&walker.history);
	free(walker.submits);
	free(walker.ran);
	free(walker.ends.heap);
	free(walker.starts.heap);
	if (walker.model)
		walk->options->priorities->close(walker.model);
	errno = saved;
	return result;
}

void lxfw_walk_clear(struct lxfw_walk *walk)
{
	for (size_t i = 0; i < walk->count && walk->cases; i++)
		free(walk->cases[i].waits);
	free(walk->cases);
	walk->cases = NULL;
	walk->count = 0;
}
