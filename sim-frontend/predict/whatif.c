/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/whatif.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/params/policy.h"
#include "sim-frontend/predict/past.h"

#define DAY INT64_C(86400)

struct side {
	const struct lxfw_whatif *whatif;
	const int64_t *submits;		/* of the submissions of the snapshot */
	const struct lxfw_change *change;	/* NULL: as things are */
};

void lxfw_whatif_clear(struct lxfw_whatif_result *result)
{
	free(result->jobs);
	free(result->starts);
	free(result->busy[0]);
	free(result->busy[1]);
	free(result->arrivals[0]);
	free(result->arrivals[1]);
	*result = (struct lxfw_whatif_result) { 0 };
}

const char *lxfw_whatif_refuses(const struct lxfw_params *params)
{
	if (lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE) ||
	    lxfw_policy_has(params->policy, LXFW_TRAIT_MOLDABLE) ||
	    lxfw_params_has(params, LXFW_TRAIT_INTERRUPTS))
		return "it suspends, requeues or resizes jobs, which is not modelled";
	if (lxfw_policy_has(params->policy, LXFW_TRAIT_CLASSES))
		return "its job classes are not in a snapshot";
	return lxfw_policy_has(params->policy, LXFW_TRAIT_SCRIPT) ?
	       "it is in a file, which is not in a snapshot" : NULL;
}

bool lxfw_whatif_knows_submissions(const struct lxfw_snapshot_file *file)
{
	return file->submitted_count > 0 &&
	       file->state.now - file->submitted[0].request.submit >= DAY;
}

/* --- a scheduler ---------------------------------------------------------------------- */

static bool is_of(const struct lxfw_request *request, int32_t set)
{
	for (int i = 0; i < request->host_set_count; i++) {
		if (request->host_sets[i] == set)
			return true;
	}
	return false;
}

static int apply_set(struct lxfw_sched *sched, const struct lxfw_snapshot *state,
		     const struct lxfw_changed_set *set)
{
	struct lxfw_event event = {
		.type = LXFW_EVENT_HOST_SET, .time = state->now, .host_set.id = set->set,
		.host_set.count = set->count, .host_set.hosts = set->hosts,
	};
	int failed = lxfw_sched_apply(sched, &event, NULL);

	for (size_t i = 0; set->changes_tier && i < state->job_count && !failed; i++) {
		struct lxfw_request request = state->jobs[i].request;

		if (state->jobs[i].state >= LXFW_SNAPSHOT_RUNNING ||
		    !is_of(&request, set->set))
			continue;
		request.tier = set->tier;
		event = (struct lxfw_event) {
			.type = LXFW_EVENT_JOB_CHANGE, .time = state->now,
			.request = &request,
		};
		failed = lxfw_sched_apply(sched, &event, NULL);
	}
	return failed;
}

static int apply_change(struct lxfw_sched *sched, const struct lxfw_snapshot *state,
			const struct lxfw_change *change)
{
	int failed = 0;

	for (size_t i = 0; i < change->down_count && !failed; i++) {
		const struct lxfw_snapshot_host *host = &state->hosts[change->down[i]];
		struct lxfw_event event = {
			.type = LXFW_EVENT_HOST, .time = state->now,
			.host.index = change->down[i], .host.total = host->total,
			.host.weight = host->weight, .host.boot = host->boot,
		};

		failed = lxfw_sched_apply(sched, &event, NULL);
	}
	for (size_t i = 0; i < change->block_count && !failed; i++) {
		const struct lxfw_snapshot_block *block = &change->blocks[i];
		struct lxfw_event event = {
			.type = LXFW_EVENT_BLOCK, .time = state->now,
			.block.id = block->id, .block.start = block->start,
			.block.end = block->end, .block.count = block->count,
			.block.shares = block->shares,
		};

		failed = lxfw_sched_apply(sched, &event, NULL);
	}
	for (size_t i = 0; i < change->set_count && !failed; i++)
		failed = apply_set(sched, state, &change->sets[i]);
	return failed;
}

static struct lxfw_sched *make(const void *context)
{
	const struct side *side = context;
	const struct lxfw_snapshot *state = &side->whatif->file->state;
	struct lxfw_sched *sched = lxfw_snapshot_restore(state,
			side->change ? side->change->params : NULL, NULL);

	if (!sched || !side->change || apply_change(sched, state, side->change) == 0)
		return sched;
	lxfw_sched_destroy(sched);
	return NULL;
}

static int64_t known_run(const void *context, uint64_t id)
{
	const struct lxfw_whatif *whatif = ((const struct side *)context)->whatif;

	return whatif->ran(whatif->context, id);
}

static void traits(const void *context, const struct lxfw_request *request,
		   struct lxfw_traits *to)
{
	(void)context;
	lxfw_past_traits(request, to);
}

/* --- the two sides -------------------------------------------------------------------- */

static bool has_effect(const struct lxfw_change *change)
{
	return change && (change->params || change->down_count > 0 ||
			  change->block_count > 0 || change->set_count > 0);
}

static void arrival(const void *context, size_t index, struct lxfw_arrival *to)
{
	const struct side *side = context;
	const struct lxfw_snapshot_submitted *job = &side->whatif->file->submitted[index];

	to->request = job->request;
	lxfw_past_traits(&job->request, &to->traits);
	to->ran = job->seconds > 0 ? job->seconds : -1;
	to->like = 0;
	to->priority = job->priority;
	to->delay = job->delay;
}

/* Puts the starts to STARTS, and the other sums to those of RESULT at AT. */
static int run_side(const struct side *side, const uint64_t *ids, size_t count,
		    int64_t *starts, struct lxfw_whatif_result *result, int at,
		    struct lxfw_error *error)
{
	const struct lxfw_whatif *whatif = side->whatif;
	const struct lxfw_snapshot *state = &whatif->file->state;
	struct lxfw_experience experience = { 0 };
	const struct lxfw_known known = {
		.experience = &experience, .traits = traits, .context = side,
		.submits = side->submits, .arrival = arrival,
		.count = whatif->submissions ? whatif->file->submitted_count : 0,
	};
	struct lxfw_futures futures = {
		.now = state->now, .known = &known, .seed = whatif->seed,
		.count = whatif->futures, .threads = whatif->threads,
		.horizon = whatif->horizon, .watched = ids, .watched_count = count,
		.by_limits = whatif->run_times != LXFW_RUN_TIMES_PREDICTED,
		.context = side, .make = make, .no_arrivals = !whatif->submissions,
		.any_day = true,
		.to_the_horizon = whatif->submissions, .busy = result->busy[at],
		.arrivals = result->arrivals[at],
		.ran = whatif->run_times == LXFW_RUN_TIMES_KNOWN ? known_run : NULL,
		/* A change is followed by a decision at once. */
		.wake = has_effect(side->change) || state->wake <= state->now ? 0 :
			state->wake,
	};
	struct lxfw_sched *sched = make(side);
	int failed = -1;

	futures.sched = sched;
	if (!sched || lxfw_snapshot_experience(whatif->file, &experience))
		lxfw_error_set(error, errno == ENOMEM ? "out of memory" :
							"the change is impossible");
	else
		failed = lxfw_futures_run(&futures, starts, error);
	lxfw_sched_destroy(sched);
	lxfw_experience_clear(&experience);
	return failed;
}

static int run_sides(const struct lxfw_whatif *whatif, struct lxfw_whatif_result *result,
		     const uint64_t *ids, const int64_t *submits, struct lxfw_error *error)
{
	size_t futures = (size_t)whatif->futures, all = result->count * futures;
	const struct side is = { whatif, submits, NULL };
	const struct side then = { whatif, submits, whatif->change };

	if (run_side(&is, ids, result->count, result->starts, result, 0, error))
		return -1;
	if (whatif->change)
		return run_side(&then, ids, result->count, result->starts + all, result, 1,
				error);
	memcpy(result->starts + all, result->starts, all * sizeof(*result->starts));
	memcpy(result->busy[1], result->busy[0], futures * sizeof(*result->busy[0]));
	memcpy(result->arrivals[1], result->arrivals[0],
	       futures * sizeof(*result->arrivals[0]));
	return 0;
}

/* --- the result ------------------------------------------------------------------------- */

static int by_start(const void *one, const void *other)
{
	const struct lxfw_whatif_job *a = one, *b = other;

	if (a->expected != b->expected)
		return a->expected < b->expected ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* Sets the expected starts and sorts the jobs by them. Returns 0, or -1 with errno
   ENOMEM. */
static int sort_jobs(struct lxfw_whatif_result *result)
{
	size_t futures = (size_t)result->futures;
	int64_t *starts = calloc(futures, sizeof(*starts));

	for (size_t i = 0; i < result->count && starts; i++) {
		struct lxfw_whatif_job *job = &result->jobs[i];

		job->now = result->starts + i * futures;
		job->then = result->starts + (result->count + i) * futures;
		memcpy(starts, job->now, futures * sizeof(*starts));
		qsort(starts, futures, sizeof(*starts), ascending);
		job->expected = starts[(futures - 1) / 2];
	}
	qsort(result->jobs, result->count, sizeof(*result->jobs), by_start);
	free(starts);
	return starts ? 0 : -1;
}

static int allocate(const struct lxfw_whatif *whatif, struct lxfw_whatif_result *result)
{
	size_t futures = (size_t)whatif->futures, jobs = whatif->file->state.job_count + 1;

	result->futures = whatif->futures;
	result->changed = whatif->change != NULL;
	result->jobs = calloc(jobs, sizeof(*result->jobs));
	result->starts = calloc(2 * jobs * futures, sizeof(*result->starts));
	for (int side = 0; side < 2; side++) {
		result->busy[side] = calloc(futures, sizeof(*result->busy[side]));
		result->arrivals[side] = calloc(futures, sizeof(*result->arrivals[side]));
		if (!result->busy[side] || !result->arrivals[side])
			return -1;
	}
	return result->jobs && result->starts ? 0 : -1;
}

/* Returns the times of the submissions of the snapshot, or NULL with errno ENOMEM. */
static int64_t *list_submits(const struct lxfw_snapshot_file *file)
{
	int64_t *submits = calloc(file->submitted_count + 1, sizeof(*submits));

	for (size_t i = 0; i < file->submitted_count && submits; i++)
		submits[i] = file->submitted[i].request.submit;
	return submits;
}

static void choose_jobs(const struct lxfw_snapshot *state, struct lxfw_whatif_result *result,
			uint64_t *ids)
{
	for (size_t i = 0; i < state->job_count; i++) {
		if (state->jobs[i].state >= LXFW_SNAPSHOT_RUNNING)
			continue;
		ids[result->count] = state->jobs[i].request.id;
		result->jobs[result->count++].index = i;
	}
}

int lxfw_whatif_run(const struct lxfw_whatif *whatif, struct lxfw_whatif_result *result,
		    struct lxfw_error *error)
{
	const struct lxfw_snapshot *state = &whatif->file->state;
	uint64_t *ids = calloc(state->job_count + 1, sizeof(*ids));
	int64_t *submits = list_submits(whatif->file);
	int failed = -1;

	*result = (struct lxfw_whatif_result) { 0 };
	lxfw_error_set(error, "out of memory");
	errno = ENOMEM;
	if (ids && submits && allocate(whatif, result) == 0) {
		choose_jobs(state, result, ids);
		failed = run_sides(whatif, result, ids, submits, error);
	}
	free(ids);
	free(submits);
	if (!failed && sort_jobs(result)) {
		lxfw_error_set(error, "out of memory");
		failed = -1;
	}
	if (failed)
		lxfw_whatif_clear(result);
	return failed;
}
