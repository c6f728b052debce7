/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a job waits at the end of the records, and what would start it sooner. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/block.h"
#include "common/books/books.h"
#include "common/explain.h"
#include "common/outlook.h"
#include "common/params/policy.h"
#include "sim-frontend/cmd/why_collect.h"
#include "sim-frontend/history/experience.h"
#include "sim-frontend/predict/ages.h"
#include "sim-frontend/predict/live.h"
#include "sim-frontend/report/why_words.h"
#include "sim-frontend/util/pool.h"

/* Whether a job of the queue is this one, or the first component of the heterogeneous job that it is
   part of, which stands for all. */
static bool stands_for(const struct lxfw_replayer *replay, uint64_t job, const struct lxfw_why *why)
{
	const struct lxfw_replay_job *first;

	if (job == why->job || why->request.group == 0)
		return job == why->job;
	first = lxfw_replay_jobs_find(&replay->jobs, job);
	return first && first->request.group == why->request.group;
}

/* Find its place in the queue and the first jobs before it. */
static int find_place(struct lxfw_why *why, const struct lxfw_replayer *replay)
{
	struct lxfw_queued *queue;
	int32_t count = lxfw_sched_queue(replay->sched, why->now, &queue);

	if (count < 0)
		return -1;
	why->ahead = -1;
	why->waiting = count;
	why->own.reserved = LXFW_NEVER;
	for (int32_t i = 0; i < count && why->ahead < 0; i++) {
		if (stands_for(replay, queue[i].job, why)) {
			why->ahead = i;
			why->own = queue[i];
		} else if (i < LXFW_WHY_AHEAD) {
			why->before[i] = queue[i];
		}
	}
	free(queue);
	return 0;
}

/* Sets what the jobs before each of LIST request. BY_ID has their indices; NULL: there is one.
   Returns 0, or -1 with errno ENOMEM. */
static int count_procs(struct lxfw_why_collect *list, const struct lxfw_id_map *by_id,
		       const struct lxfw_replayer *replay)
{
	struct lxfw_queued *queue;
	int32_t count = lxfw_sched_queue(replay->sched, list->why.now, &queue);
	int64_t procs = 0;

	if (count < 0)
		return -1;
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_replay_job *job =
			lxfw_replay_jobs_find(&replay->jobs, queue[i].job);
		int32_t at = by_id ? lxfw_id_map_get(by_id, queue[i].job) :
				     -!stands_for(replay, queue[i].job, &list->why);

		if (at >= 0)
			list[at].why.procs_ahead = procs;
		if (job)
			procs += lxfw_sched_occupies(replay->sched, &job->request);
	}
	free(queue);
	return 0;
}

/* --- for whose end it waits ---------------------------------------------------------- */

/* What is too little or in use, as a mask: processors, memory, and each extra. */
static uint32_t more_than(const struct lxfw_resources *amount, const struct lxfw_resources *than)
{
	uint32_t mask = (uint32_t)(amount->procs > than->procs) |
			(uint32_t)(amount->memory_mb > than->memory_mb) << 1;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		mask |= (uint32_t)(amount->extras[i] > than->extras[i]) << (2 + i);
	return mask;
}

/* Whether a job that runs has on a host what it has too little of now for this share. */
static bool is_in_the_way(const struct lxfw_replayer *replay, const struct lxfw_share *share,
			  const struct lxfw_resources *of_job)
{
	static const struct lxfw_resources none;
	const struct lxfw_resources *free = lxfw_profile_free(&replay->sched->profile,
							      share->host);

	return more_than(&share->amount, free) & more_than(of_job, &none);
}

/* Processors of a job on the hosts of the reservation, where it is in the way. */
static int32_t procs_there(const struct lxfw_why_collect *collect,
			   const struct lxfw_replayer *replay,
			   const struct lxfw_replay_job *job)
{
	int32_t procs = 0, at = 0;

	for (int32_t i = 0; i < job->count; i++) {
		while (at < collect->share_count &&
		       collect->shares[at].host < job->shares[i].host)
			at++;
		if (at < collect->share_count &&
		    collect->shares[at].host == job->shares[i].host &&
		    is_in_the_way(replay, &collect->shares[at], &job->shares[i].amount))
			procs += job->shares[i].amount.procs;
	}
	return procs;
}

/* What a job has of a pool. */
static int32_t amount_of(const struct lxfw_replay_job *job, int32_t pool)
{
	for (int32_t i = 0; i < job->count; i++) {
		if (job->shares[i].host == pool)
			return job->shares[i].amount.extras[0];
	}
	return 0;
}

/* Sums up what jobs have of the pools. */
static void count_pools(struct lxfw_why *why, const struct lxfw_replayer *replay)
{
	for (int pool = 0; pool < why->request.pool_count; pool++) {
		why->pool_used[pool] = 0;
		for (size_t i = 0; i < replay->jobs.count; i++) {
			const struct lxfw_replay_job *job = &replay->jobs.jobs[i];

			if (job->id && job->state != LXFW_REPLAY_WAITING)
				why->pool_used[pool] +=
					amount_of(job, why->request.pools[pool].pool);
		}
	}
}

/* Insert a job into the list of those that end first. */
static void insert(struct lxfw_why *why, const struct lxfw_why_blocker *blocker)
{
	size_t at = why->blocker_count < LXFW_WHY_BLOCKERS ? why->blocker_count :
							     LXFW_WHY_BLOCKERS;

	if (blocker->limitless && (why->limitless++ == 0 || blocker->end < why->limitless_end))
		why->limitless_end = blocker->end;
	if (why->blocker_count++ == 0 || blocker->end > why->last_end)
		why->last_end = blocker->end;
	while (at > 0 && why->blockers[at - 1].end > blocker->end) {
		if (at < LXFW_WHY_BLOCKERS)
			why->blockers[at] = why->blockers[at - 1];
		at--;
	}
	if (at < LXFW_WHY_BLOCKERS)
		why->blockers[at] = *blocker;
}

/* Whether a job that runs has no time limit, or that which stands for none. */
static bool is_limitless(const struct lxfw_sched *sched, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

	return index >= 0 && lxfw_ages_limit(&sched->jobs[index]) >= LXFW_EXPERIENCE_LIMITLESS;
}

/* Whether too little of a pool is left now, or that is not known. */
static bool is_short(const struct lxfw_why *why, int pool)
{
	const struct lxfw_pool_name *name = lxfw_why_pool(why, pool);

	return !name || name->total - why->pool_used[pool] < why->request.pools[pool].amount;
}

/* The jobs that have what it waits for and end by its start, on the hosts of collect->shares as well as
   of pools. */
static void find_blockers(struct lxfw_why_collect *collect, const struct lxfw_replayer *replay,
			  int64_t start)
{
	struct lxfw_why *why = &collect->why;

	if (start == LXFW_NEVER)
		return;
	for (size_t i = 0; i < replay->jobs.count; i++) {
		const struct lxfw_replay_job *job = &replay->jobs.jobs[i];
		struct lxfw_why_blocker blocker = {
			.job = job->id, .end = job->expected_end, .pool = -1,
			.limitless = is_limitless(replay->sched, job->id),
		};

		if (!job->id || job->state != LXFW_REPLAY_RUNNING ||
		    job->expected_end > start)
			continue;
		if (!collect->for_pools)
			blocker.procs = procs_there(collect, replay, job);
		for (int j = 0; j < why->request.pool_count && blocker.pool < 0; j++) {
			blocker.amount = amount_of(job, why->request.pools[j].pool);
			if (blocker.amount > 0 && is_short(why, j))
				blocker.pool = j;
		}
		if (blocker.procs > 0 || blocker.pool >= 0)
			insert(why, &blocker);
	}
}

/* A start that is this far away is after use of hosts of which no end is known, seconds. */
#define UNKNOWN (INT64_C(1000) * 86400)

static int64_t known_start(const struct lxfw_why *why, int64_t start)
{
	return start != LXFW_NEVER && start - why->now > UNKNOWN ? LXFW_NEVER : start;
}

/* Whether the block is on one of the hosts that the job will have, or these are not known. Both are in
   the order of the hosts. */
static bool is_there(const struct lxfw_why_collect *collect, const struct lxfw_block *block)
{
	int32_t at = 0;

	for (int32_t i = 0; i < block->count && !collect->for_pools; i++) {
		while (at < collect->share_count && collect->shares[at].host < block->shares[i].host)
			at++;
		if (at < collect->share_count && collect->shares[at].host == block->shares[i].host)
			return true;
	}
	return collect->for_pools || collect->share_count == 0;
}

/* Whether a start is when an advance reservation, or use that is not shown, ends there. */
static void note_block(struct lxfw_why_collect *collect, const struct lxfw_sched *sched, int64_t start)
{
	struct lxfw_why *why = &collect->why;

	for (size_t i = 0; i < sched->block_count && start != LXFW_NEVER; i++) {
		const struct lxfw_block *block = &sched->blocks[i];
		bool ends = block->end == start && block->start < block->end &&
			    is_there(collect, block);

		why->after_hidden |= ends && block->id <= LXFW_BLOCK_PASSING_MAX;
		why->after_block |= ends && block->id > LXFW_BLOCK_PASSING_MAX;
	}
}

/* Whether it waits for these, and not for jobs that end before. */
static void find_block(struct lxfw_why_collect *collect, const struct lxfw_sched *sched)
{
	struct lxfw_why *why = &collect->why;

	/* The end of one that repeats for ever (watch/hosts.c). */
	if (why->own.reserved == LXFW_TIME_MAX) {
		why->repeats = true;
		why->own.reserved = LXFW_NEVER;
	}
	note_block(collect, sched, why->own.reserved);
	why->own.reserved = known_start(why, why->own.reserved);
}

/* --- its expected start -------------------------------------------------------------- */

/* The longest time from the start of ACTION until its hosts are up. */
static int64_t boot_of(const struct lxfw_outlook *outlook, const struct lxfw_action *action)
{
	int64_t most = 0;

	for (int32_t i = 0; i < action->count; i++) {
		int64_t boot = lxfw_outlook_boot(outlook, action->shares[i].host);

		most = boot > most ? boot : most;
	}
	return most;
}

/* A copy of the model, which is advanced until the job starts. */
struct trial {
	const struct lxfw_why *why;
	struct lxfw_outlook *outlook;
	struct lxfw_why_collect *place;	/* gets the hosts of the start; NULL: nothing does */
	const char *what;	/* is changed */
	int64_t start;		/* when the hosts are up */
	int64_t boot;		/* the part of the wait in which they boot */
};

/* The job itself, and with each change. */
#define TRIALS (1 + LXFW_WHY_CHANGES)

/* A copy takes a quarter of a second or less if the product of the jobs before it and of those with
   reservations is up to this. Of 40 reservations instead of 200, expected starts differ by up to a sixth. */
#define RESERVED_WORK 400000
#define RESERVED_LEAST 40

/* The number of reservations in a copy: another scheduler's plan is an estimate in any case. */
static int32_t most_reserved(const struct lxfw_why *why)
{
	int32_t most;

	if (!why->watched || why->ahead < 0)
		return LXFW_RESERVATIONS_ALL;
	most = RESERVED_WORK / (why->ahead + 1);
	return most > RESERVED_LEAST ? most : RESERVED_LEAST;
}

static int begin_trial(struct trial *trial, const struct lxfw_why *why,
		       const struct lxfw_replayer *replay)
{
	*trial = (struct trial){ .why = why, .start = LXFW_NEVER };
	trial->outlook = lxfw_outlook_begin(replay->sched);
	if (!trial->outlook)
		return -1;
	if (lxfw_outlook_limit(trial->outlook, most_reserved(why)) == 0)
		return 0;
	lxfw_outlook_end(trial->outlook);
	trial->outlook = NULL;
	return -1;
}

/* If ACTION starts the job at TIME, returns 0, or -1 with errno ENOMEM. */
static int take_start(struct trial *trial, const struct lxfw_action *action, int64_t time)
{
	/* The end of an advance reservation that repeats for ever. */
	if (action->type != LXFW_ACTION_START || action->job != trial->why->job ||
	    time == LXFW_TIME_MAX)
		return 0;
	trial->boot = boot_of(trial->outlook, action);
	trial->start = lxfw_time_add(time, trial->boot);
	return trial->place && lxfw_why_take_place(trial->place, action) ? -1 : 0;
}

/* Advances the copy and ends it. Returns 0, or -1 with errno ENOMEM. */
static int end_trial(struct trial *trial)
{
	struct lxfw_decision decision;
	int64_t time;
	int more = 1;

	while (more > 0 && trial->start == LXFW_NEVER) {
		more = lxfw_outlook_next(trial->outlook, &time, &decision);
		for (size_t i = 0; more > 0 && i < decision.count; i++) {
			if (take_start(trial, &decision.actions[i], time))
				more = -1;
		}
	}
	lxfw_outlook_end(trial->outlook);
	trial->outlook = NULL;
	return more < 0 ? -1 : 0;
}

static int end_one(void *context, size_t number, struct lxfw_error *error)
{
	if (end_trial((struct trial *)context + number) == 0)
		return 0;
	lxfw_error_set(error, "out of memory");
	return -1;
}

/* Advances and ends all COUNT copies, which are independent of each other. */
static int end_trials(struct trial *trials, size_t count, int threads)
{
	const struct lxfw_pool pool = {
		.context = trials, .count = count, .threads = threads, .work = end_one,
	};
	int result = lxfw_pool_carry_out(&pool, NULL);

	/* After a failure those that were not tried are left. */
	for (size_t i = 0; i < count; i++)
		lxfw_outlook_end(trials[i].outlook);
	return result;
}

/* Changes the request in the model. Returns 1, 0 if that is not possible, or -1 with errno
   ENOMEM. */
static int change(const struct lxfw_why *why, struct lxfw_replayer *replay,
		  const struct lxfw_request *request)
{
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_CHANGE, .time = why->now, .request = request,
	};

	if (lxfw_sched_apply(replay->sched, &event, NULL) == 0)
		return 1;
	return errno == ENOMEM ? -1 : 0;
}

/* Adds a trial with another request to those of TRIALS, and restores the request. */
static int add_trial(const struct lxfw_why *why, struct lxfw_replayer *replay, const char *what,
		     const struct lxfw_request *request, struct trial *trials, size_t *count)
{
	int changed;

	if (*count == TRIALS || lxfw_request_asks_same(request, &why->request) ||
	    !lxfw_request_is_valid(request))
		return 0;
	changed = change(why, replay, request);
	if (changed <= 0)
		return changed;
	if (begin_trial(&trials[*count], why, replay))
		return -1;
	trials[(*count)++].what = what;
	return change(why, replay, &why->request) < 0 ? -1 : 0;
}

/* Whether it could start now if it needed no pools: then it waits for these alone. Returns 1, 0, or
   -1 with errno ENOMEM. */
static int waits_for_pools(const struct lxfw_why *why, struct lxfw_replayer *replay)
{
	struct lxfw_request request = why->request;
	struct trial trial;
	int changed;

	if (request.pool_count == 0 || request.group)
		return 0;
	request.pool_count = 0;
	memset(request.pools, 0, sizeof(request.pools));
	changed = change(why, replay, &request);
	if (changed <= 0)
		return changed;
	if (begin_trial(&trial, why, replay) || end_trial(&trial) ||
	    change(why, replay, &why->request) < 0)
		return -1;
	return trial.start != LXFW_NEVER && trial.start - trial.boot <= why->now;
}

static void halve_procs(struct lxfw_request *request)
{
	if (request->count > 1)
		request->count /= 2;
	else if (request->unit.procs > 1)
		request->unit.procs /= 2;
	if (request->min_hosts > request->count)
		request->min_hosts = request->count;
	if (request->min_procs > request->unit.procs)
		request->min_procs = request->unit.procs;
}

/* With SLACK, which a gap must be longer. */
static void limit_to(struct lxfw_request *request, int64_t estimate, int64_t slack)
{
	request->estimate = (estimate > 0 ? estimate : 1) + slack;
	if (request->min_estimate >= request->estimate)
		request->min_estimate = 0;
}

/* Adds trials with smaller requests. */
static int add_changes(const struct lxfw_why *why, struct lxfw_replayer *replay,
		       struct trial *trials, size_t *count)
{
	struct lxfw_request procs = why->request, half = why->request,
			    memory = why->request, quarter = why->request;
	int64_t slack = lxfw_live_slack(replay->sched);

	/* The components of a heterogeneous job cannot be changed alone. */
	if (why->request.group)
		return 0;
	halve_procs(&procs);
	limit_to(&half, why->request.estimate / 2, slack);
	memory.unit.memory_mb /= 2;
	memory.per_host.memory_mb /= 2;
	limit_to(&quarter, why->request.estimate / 4, slack);
	return add_trial(why, replay, "half of the processors", &procs, trials, count) ||
	       add_trial(why, replay, "half of the time limit", &half, trials, count) ||
	       add_trial(why, replay, "half of the memory", &memory, trials, count) ||
	       add_trial(why, replay, "a quarter of the time limit", &quarter, trials, count) ?
	       -1 : 0;
}

static void take_change(struct lxfw_why *why, const struct trial *trial)
{
	why->changes[why->change_count++] = (struct lxfw_why_change){
		.what = trial->what, .start = known_start(why, trial->start),
	};
}

/* Finds the starts with smaller requests. */
static int try_changes(struct lxfw_why *why, struct lxfw_replayer *replay)
{
	struct trial trials[TRIALS];
	size_t count = 1;	/* the first one is that of the job itself */

	if (add_changes(why, replay, trials, &count)) {
		while (--count > 0)
			lxfw_outlook_end(trials[count].outlook);
		return -1;
	}
	if (end_trials(trials + 1, count - 1, 1))
		return -1;
	for (size_t i = 1; i < count; i++)
		take_change(why, &trials[i]);
	return 0;
}

/* All but the expected start and the changes. Returns 1 if these can be found, 0 if not, or
   -1 with errno ENOMEM. */
static int find_reasons(struct lxfw_why_collect *collect, struct lxfw_replayer *replay)
{
	struct lxfw_why *why = &collect->why;
	const struct lxfw_params *params;
	int possible, pools;

	if (why->state == LXFW_WHY_IS_SUSPENDED)
		why->suspended += why->now - collect->stopped;
	lxfw_why_end_kept(why, why->now);
	if (why->state != LXFW_WHY_WAITING)
		return 0;
	params = lxfw_sched_params(replay->sched);
	why->policy = lxfw_policy_name(params->policy);
	why->weighted = lxfw_policy_has(params->policy, LXFW_TRAIT_WEIGHTS);
	if (why->refused_until <= why->now)
		why->refused_until = LXFW_NEVER;
	possible = lxfw_sched_can_start(replay->sched, why->job);
	if (possible < 0 || find_place(why, replay))
		return -1;
	why->possible = possible;
	if (!possible && why->has_request)
		(void)lxfw_usable_is_short(replay->sched, &why->request, why->obstacle);
	why->expected = LXFW_NEVER;
	count_pools(why, replay);
	pools = possible ? waits_for_pools(why, replay) : 0;
	if (pools < 0)
		return -1;
	collect->for_pools = pools > 0;
	find_blockers(collect, replay, why->own.reserved);
	find_block(collect, replay->sched);
	return possible;
}

/* A start after the end of a job without a time limit is not expected. Call when all is found. */
static void forget_unknown(struct lxfw_why *why)
{
	/* Its reservation is later than its start is expected, or waits for others than these, too. */
	if (why->expected < why->limitless_end || why->after_hidden)
		why->limitless = 0;
	if (why->limitless == 0)
		return;
	why->expected = LXFW_NEVER;
	for (int i = 0; i < why->change_count; i++) {
		if (why->changes[i].start >= why->limitless_end)
			why->changes[i].start = LXFW_NEVER;
	}
}

/* Whether it has no reservation in the plan, and may have an expected start. */
static bool is_unplanned(const struct lxfw_why *why)
{
	return why->own.reserved == LXFW_NEVER && !why->repeats && !why->after_hidden;
}

/* What follows from the expected start. A job behind those with reservations has a place in the plan,
   too: collect->shares. */
static void take_expected(struct lxfw_why_collect *collect, const struct lxfw_replayer *replay)
{
	struct lxfw_why *why = &collect->why;

	if (is_unplanned(why) && why->expected > why->now) {
		note_block(collect, replay->sched, why->expected);
		find_blockers(collect, replay, why->expected);
	}
	why->expected = known_start(why, why->expected);
}

/* Finds the expected start, and those with smaller requests. */
static int expect(struct lxfw_why_collect *collect, struct lxfw_replayer *replay)
{
	struct lxfw_why *why = &collect->why;
	struct trial trials[TRIALS];
	size_t count = 0;
	int result = begin_trial(&trials[0], why, replay);

	if (result == 0) {
		trials[0].place = is_unplanned(why) ? collect : NULL;
		count = 1;
		result = add_changes(why, replay, trials, &count);
	}
	if (result) {
		while (count > 0)
			lxfw_outlook_end(trials[--count].outlook);
		return -1;
	}
	if (end_trials(trials, count, lxfw_pool_threads()))
		return -1;
	why->expected = trials[0].start;
	why->boot = trials[0].boot;
	take_expected(collect, replay);
	for (size_t i = 1; i < count; i++)
		take_change(why, &trials[i]);
	return 0;
}

int lxfw_why_finish(struct lxfw_why_collect *collect, struct lxfw_replayer *replay)
{
	struct lxfw_why *why = &collect->why;
	int more = find_reasons(collect, replay);

	if (why->state == LXFW_WHY_WAITING && more >= 0 && count_procs(collect, NULL, replay))
		return -1;
	if (more <= 0)
		return more;
	if (expect(collect, replay))
		return -1;
	forget_unknown(why);
	if (lxfw_why_is_passed_over(why))
		why->change_count = 0;	/* nor are the starts of smaller requests known */
	return 0;
}

/* Sets the expected starts of all jobs of the list. */
static int expect_all(struct lxfw_why_collect *list, const struct lxfw_id_map *by_id,
		      const struct lxfw_replayer *replay)
{
	struct lxfw_outlook *outlook = lxfw_outlook_begin(replay->sched);
	struct lxfw_decision decision;
	int64_t time;
	int more = outlook ? 1 : -1;

	while (more > 0) {
		more = lxfw_outlook_next(outlook, &time, &decision);
		for (size_t i = 0; more > 0 && i < decision.count; i++) {
			int32_t at = lxfw_id_map_get(by_id, decision.actions[i].job);

			if (decision.actions[i].type != LXFW_ACTION_START || at < 0 ||
			    time == LXFW_TIME_MAX)
				continue;
			list[at].why.boot = boot_of(outlook, &decision.actions[i]);
			list[at].why.expected = lxfw_time_add(time, list[at].why.boot);
			if (is_unplanned(&list[at].why) &&
			    lxfw_why_take_place(&list[at], &decision.actions[i]))
				more = -1;
		}
	}
	lxfw_outlook_end(outlook);
	return more;
}

int lxfw_why_finish_all(struct lxfw_why_collect *list, size_t count,
			const struct lxfw_id_map *by_id, size_t changes,
			struct lxfw_replayer *replay)
{
	for (size_t i = 0; i < count; i++) {
		if (find_reasons(&list[i], replay) < 0)
			return -1;
	}
	if (count > 0 && count_procs(list, by_id, replay))
		return -1;
	if (expect_all(list, by_id, replay))
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (list[i].why.state == LXFW_WHY_WAITING && list[i].why.possible)
			take_expected(&list[i], replay);
	}
	for (size_t i = 0; i < count && i < changes; i++) {
		struct lxfw_why *why = &list[i].why;

		if (why->state == LXFW_WHY_WAITING && why->possible &&
		    try_changes(why, replay))
			return -1;
	}
	for (size_t i = 0; i < count; i++)
		forget_unknown(&list[i].why);
	return 0;
}
