/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/predict/live.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/copy.h"
#include "common/explain.h"
#include "common/place/place.h"
#include "common/profile/duration.h"

/* The id of a job that is not submitted; see ARRIVAL_ID of future.c. */
#define CANDIDATE_ID UINT64_C(0x00000000efffffff)
#define BESIDE_ID (CANDIDATE_ID - 1)
#define PROBE_ID(number) (CANDIDATE_ID - 2 - (number))

/* Slurm plans every 30 s by default, in whole minutes, and ends a job up to half a minute late. */
#define SLACK 60

bool lxfw_live_request(const struct lxfw_sched *sched, uint64_t id,
		       struct lxfw_request *request)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

	if (index < 0 || sched->jobs[index].state == LXFW_JOB_RUNNING)
		return false;
	*request = sched->jobs[index].request;
	return true;
}

int lxfw_live_ids(const struct lxfw_sched *sched, uint64_t **ids, size_t *count)
{
	*count = 0;
	*ids = calloc((size_t)sched->jobs_used + 1, sizeof(**ids));
	if (!*ids)
		return -1;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		uint64_t id = sched->jobs[i].request.id;

		/* Others are free places. */
		if (lxfw_id_map_get(&sched->job_by_id, id) == (int32_t)i)
			(*ids)[(*count)++] = id;
	}
	return 0;
}

/* A component that waits. */
struct component {
	uint64_t group, id;
};

static int by_group(const void *left, const void *right)
{
	const struct component *a = left, *b = right;

	if (a->group != b->group)
		return (a->group > b->group) - (a->group < b->group);
	return (a->id > b->id) - (a->id < b->id);
}

/* Sets *FOUND, to be freed, to all components that wait, by group. Returns their number, or -1 with errno
   ENOMEM. */
static int64_t find_components(const struct lxfw_sched *sched, struct component **found)
{
	struct lxfw_request request;
	uint64_t *ids;
	size_t all, count = 0;

	*found = NULL;
	if (lxfw_live_ids(sched, &ids, &all))
		return -1;
	*found = calloc(all + 1, sizeof(**found));
	for (size_t i = 0; i < all && *found; i++) {
		if (lxfw_live_request(sched, ids[i], &request) && request.group > 0)
			(*found)[count++] = (struct component) { request.group, ids[i] };
	}
	free(ids);
	if (!*found)
		return -1;
	qsort(*found, count, sizeof(**found), by_group);
	return (int64_t)count;
}

/* The first component of a group in a list of COUNT. */
static int64_t first_of(const struct component *list, int64_t count, uint64_t group)
{
	int64_t low = 0, high = count;

	while (low < high) {
		int64_t middle = low + (high - low) / 2;

		if (list[middle].group < group)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int lxfw_live_components(const struct lxfw_sched *sched, struct lxfw_queued **queue, int32_t *count)
{
	struct component *list;
	int64_t all = find_components(sched, &list);
	struct lxfw_queued *more = all > 0 ? calloc((size_t)(*count + all) + 1, sizeof(*more)) : NULL;
	int32_t done = 0;

	for (int32_t i = 0; i < *count && more; i++) {
		struct lxfw_request request;

		more[done++] = (*queue)[i];
		if (!lxfw_live_request(sched, (*queue)[i].job, &request) || request.group == 0)
			continue;
		for (int64_t k = first_of(list, all, request.group);
		     k < all && list[k].group == request.group; k++) {
			if (list[k].id == request.id)
				continue;
			more[done] = (*queue)[i];
			more[done++].job = list[k].id;
		}
	}
	free(list);
	if (all == 0)
		return 0;
	if (!more)
		return -1;
	free(*queue);
	*queue = more;
	*count = done;
	return 0;
}

void lxfw_live_machine(const struct lxfw_sched *sched, struct lxfw_live_machine *machine)
{
	struct lxfw_sched_state state;

	lxfw_sched_state(sched, &state);
	*machine = (struct lxfw_live_machine) {
		.last = sched->now, .procs = state.procs,
		.host_sets = (int32_t)sched->host_set_count, .running = state.running, .waiting = state.waiting,
	};
	/* Others are those of pools, such as licenses. */
	for (int32_t i = 0; i < sched->profile.host_count; i++)
		machine->hosts += sched->profile.hosts[i].up &&
				  sched->profile.hosts[i].total.procs > 0;
}

static int ascending(const void *left, const void *right)
{
	int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

	return (a > b) - (a < b);
}

/* A time from a bound of the wait. */
static int64_t at(const struct lxfw_live *live, double wait, bool up)
{
	if (wait >= (double)live->horizon)
		return LXFW_NEVER;
	return live->now + (int64_t)(up ? ceil(wait) : floor(wait));
}

/* Sorts the starts, and makes waits of them. */
static void view_of(const struct lxfw_live *live, int64_t *starts, size_t count,
		    const struct lxfw_request *request, struct lxfw_view *view)
{
	struct lxfw_intervals intervals;
	int64_t median;

	for (size_t i = 0; i < count; i++)
		starts[i] -= starts[i] != LXFW_NEVER ? live->now : 0;
	qsort(starts, count, sizeof(*starts), ascending);
	median = starts[(count - 1) / 2];
	lxfw_intervals_of(starts, count, live->horizon, &intervals);
	view->raw.of[LXFW_HALF] = intervals.of[LXFW_COVERAGE_50];
	view->raw.of[LXFW_MOST] = intervals.of[LXFW_COVERAGE_90];
	view->sure = starts[0] == starts[count - 1];
	view->standing = (struct lxfw_standing) {
		.age = live->now > request->submit ? live->now - request->submit : 0,
		.expected = median < live->horizon ? median : live->horizon,
		.limit = request->estimate,
	};
}

static int64_t earlier(int64_t one, int64_t other)
{
	return one < other ? one : other;
}

static int64_t later(int64_t one, int64_t other)
{
	return one > other ? one : other;
}

static int64_t within(int64_t wait, const struct lxfw_interval *of)
{
	return (double)wait < of->low ? (int64_t)ceil(of->low) :
	       (double)wait > of->high ? (int64_t)floor(of->high) : wait;
}

int64_t lxfw_live_slack(const struct lxfw_sched *sched)
{
	return lxfw_sched_params(sched)->shadow == LXFW_SHADOW_OFF ? 0 : SLACK;
}

/* An interval of 90 % has this time before and after the expected start at least, and one of 50 %
   half of it. */
static void widen(const struct lxfw_live *live, struct lxfw_expected *job)
{
	int64_t slack = lxfw_live_slack(live->sched);

	if (job->never)
		return;
	job->low50 = earlier(job->low50, later(job->start - slack / 2, live->now));
	job->low90 = earlier(job->low90, later(job->start - slack, live->now));
	job->high50 = later(job->high50, job->start + slack / 2);
	job->high90 = later(job->high90, job->start + slack);
}

/* A job does not start before its time, whatever was learned from others. */
static void wait_for_begin(struct lxfw_expected *job)
{
	job->start = later(job->start, job->begin);
	job->low50 = later(job->low50, job->begin);
	job->low90 = later(job->low90, job->begin);
	job->high50 = later(job->high50, job->start);
	job->high90 = later(job->high90, job->start);
}

/* Nothing certain is known of its start. */
static void say_nothing(const struct lxfw_live *live, struct lxfw_expected *job)
{
	job->never = true;
	job->start = LXFW_NEVER;
	job->low50 = job->low90 = live->now;
	job->high50 = job->high90 = LXFW_NEVER;
	lxfw_skipped_text(&live->scheduling, job->skipped, job->obstacle);
}

/* Another scheduler does not consider it: the model does not know from when on it does. */
static void wait_for_turn(const struct lxfw_live *live, struct lxfw_expected *job)
{
	bool held = lxfw_held_until(&live->held, job->request.id) == LXFW_NEVER || job->held;

	if (job->skipped == LXFW_SKIPPED_NOT || job->never)
		return;
	if (held || (job->skipped < LXFW_SKIPPED_BOUNDS &&
		     job->start <= live->now + lxfw_live_slack(live->sched)))
		say_nothing(live, job);
	else if (job->skipped < LXFW_SKIPPED_BOUNDS)
		job->high50 = job->high90 = LXFW_NEVER;
}

/* Whether a job of a lower tier has a part of a host that the request may use. */
static bool is_victim(const struct lxfw_sched *sched, const struct lxfw_id_map *tiers,
		      const struct lxfw_request *request, const struct lxfw_job *job)
{
	int32_t tier;

	if (job->state != LXFW_JOB_RUNNING)
		return false;
	tier = lxfw_id_map_get(tiers, job->request.id);
	return (tier >= 0 ? tier : job->request.tier) < request->tier &&
	       lxfw_held_by(sched, request, job->claim);
}

static bool has_victims(const struct lxfw_live *live, const struct lxfw_request *request)
{
	const struct lxfw_sched *sched = live->sched;

	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (is_victim(sched, &live->tiers, request, &sched->jobs[i]))
			return true;
	}
	return false;
}

int64_t lxfw_live_victims(const struct lxfw_sched *sched, const struct lxfw_id_map *tiers,
			  uint64_t job)
{
	struct lxfw_request request;
	int64_t count = 0;

	if (!lxfw_live_request(sched, job, &request))
		return 0;
	for (size_t i = 0; i < sched->jobs_used; i++)
		count += is_victim(sched, tiers, &request, &sched->jobs[i]);
	return count;
}

/* Whether a request fits now if all jobs of lower tiers that are in its way are preempted. Returns -1
   with errno ENOMEM. */
static int fits_without_victims(const struct lxfw_live *live, const struct lxfw_request *request)
{
	struct lxfw_sched *copy = lxfw_sched_copy(live->sched);
	const struct lxfw_share *shares;
	int32_t found = copy ? 0 : -1;

	for (size_t i = 0; i < live->sched->jobs_used && found == 0; i++) {
		const struct lxfw_job *job = &live->sched->jobs[i];

		if (!is_victim(live->sched, &live->tiers, request, job))
			continue;
		found = lxfw_sched_apply(copy, &(struct lxfw_event) {
			.type = LXFW_EVENT_JOB_END, .time = copy->now, .end.id = job->request.id,
		}, NULL);
	}
	if (found == 0)
		found = lxfw_sched_place(copy, request, &shares);
	lxfw_sched_destroy(copy);
	return found < 0 ? -1 : found > 0;
}

/* It starts as soon as others are preempted for it. */
static void wait_for_victims(const struct lxfw_live *live, struct lxfw_expected *job)
{
	if (live->scheduling.preempts == LXFW_PREEMPTS_NONE || job->begin > live->now)
		return;
	if (live->scheduling.preempts == LXFW_PREEMPTS_TIER &&
	    !has_victims(live, &job->request))
		return;
	job->low50 = job->low90 = live->now;
}

/* It may start at any time until another scheduler plans it. */
static void wait_for_plan(const struct lxfw_live *live, struct lxfw_expected *job)
{
	int64_t planned = lxfw_held_until(&live->held, job->request.id);

	if (planned > 0 || job->held) {
		job->low50 = job->low90 = live->now;
		if (planned > 0 && !job->never)
			job->high90 = later(job->high90, planned);
	}
	wait_for_victims(live, job);
	wait_for_turn(live, job);
}

static int summarize(const struct lxfw_live *live, int64_t *starts, struct lxfw_expected *job)
{
	int64_t first[LXFW_LEARN_FUTURES], median;
	size_t count = (size_t)live->futures, before = 0;
	size_t few = count < LXFW_LEARN_FUTURES ? count : LXFW_LEARN_FUTURES;
	struct lxfw_bounds bounds;

	for (size_t i = 0; i < count; i++)
		before += starts[i] < live->before;
	job->chance = (double)before / (double)count;
	memcpy(first, starts, few * sizeof(*first));
	view_of(live, first, few, &job->request, &job->view);
	view_of(live, starts, count, &job->request, &job->said);
	median = starts[(count - 1) / 2];
	job->never = median == LXFW_NEVER;
	job->left = job->never && live->most_starts > 0;
	job->start = job->never ? median : median + live->now;
	if (job->never)
		(void)lxfw_usable_is_short(live->sched, &job->request, job->obstacle);
	bounds = job->said.raw;
	/* A start that is the same in all futures is not in doubt. */
	if (live->remaining && !job->said.sure &&
	    lxfw_remaining_correct(live->remaining, &job->said.standing, live->horizon,
				   &bounds))
		return -1;
	/* As likely as not it has started by the expected start: that is within the middle half. */
	if (live->remaining && !job->said.sure && !job->never)
		job->start = live->now + within(median, &bounds.of[LXFW_HALF]);
	job->low50 = at(live, bounds.of[LXFW_HALF].low, false);
	job->high50 = at(live, bounds.of[LXFW_HALF].high, true);
	job->low90 = at(live, bounds.of[LXFW_MOST].low, false);
	job->high90 = at(live, bounds.of[LXFW_MOST].high, true);
	widen(live, job);
	wait_for_plan(live, job);
	wait_for_begin(job);
	return 0;
}

/* What is submitted in the futures. */
struct asked {
	const struct lxfw_request *candidate, *beside;	/* NULL: none */
	const struct lxfw_request *probes;	/* instead, one for each job; NULL: none */
};

static int predict(const struct lxfw_live *live, const uint64_t *ids, size_t count,
		   const struct asked *asked, struct lxfw_expected *jobs, struct lxfw_error *error)
{
	const struct lxfw_request *candidate = asked->candidate, *beside = asked->beside;
	struct lxfw_known known;
	const struct lxfw_futures futures = {
		.sched = live->sched, .known = &known, .now = live->now,
		.seed = live->seed,
		.count = live->futures, .threads = live->threads,
		.horizon = live->horizon, .watched = ids, .watched_count = count,
		.array_tasks = live->array_tasks, 
		.most_starts = candidate || asked->probes ? 0 : live->most_starts,
		.probes = asked->probes, .probe_count = asked->probes ? count : 0,
		.held = &live->held, .candidate_held = candidate && jobs->held,
		.candidate = candidate, .beside = beside && beside->count > 0 ? beside : NULL,
		.candidate_begin = jobs->begin,
		.after = jobs->after, .after_count = jobs->after_count,
		.candidate_priority = lxfw_past_priority(live->past),
	};
	size_t all = (size_t)live->futures;
	int64_t *starts = calloc(count * all + 1, sizeof(*starts));
	int result;

	if (!starts) {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
		return -1;
	}
	lxfw_past_known(live->past, &known);
	result = lxfw_futures_run(&futures, starts, error);
	for (size_t i = 0; i < count && result == 0; i++) {
		result = summarize(live, starts + i * all, &jobs[i]);
		if (result)
			lxfw_error_set(error, "out of memory");
	}
	free(starts);
	return result;
}

static struct lxfw_expected without_start(struct lxfw_expected job)
{
	job.never = true;
	job.start = job.low50 = job.high50 = job.low90 = job.high90 = LXFW_NEVER;
	return job;
}

int lxfw_live_waiting(const struct lxfw_live *live, struct lxfw_expected *jobs,
		      size_t count, struct lxfw_error *error)
{
	uint64_t *ids = calloc(count + 1, sizeof(*ids));
	struct lxfw_expected *some = calloc(count + 1, sizeof(*some));
	size_t wanted = 0;
	int result = -1;

	for (size_t i = 0; i < count && ids && some; i++) {
		if (jobs[i].left)
			continue;
		ids[wanted] = jobs[i].request.id;
		some[wanted++] = jobs[i];
	}
	if (ids && some) {
		result = predict(live, ids, wanted, &(struct asked){ NULL }, some, error);
	} else {
		lxfw_error_set(error, "out of memory");
		errno = ENOMEM;
	}
	for (size_t i = count; i > 0 && result == 0; i--)
		jobs[i - 1] = jobs[i - 1].left ? without_start(jobs[i - 1]) : some[--wanted];
	free(some);
	free(ids);
	return result;
}

int32_t lxfw_live_forecast(struct lxfw_sched *sched, const struct lxfw_expected *job,
			   int64_t *start)
{
	const struct lxfw_share *shares;
	int32_t found = lxfw_sched_forecast(sched, &job->request, start, &shares);
	int64_t beside;

	if (found <= 0 || job->beside.count == 0)
		return found;
	found = lxfw_sched_forecast(sched, &job->beside, &beside, &shares);
	*start = beside > *start ? beside : *start;
	return found;
}

/* A request for which others are preempted starts at once; how long those take to end, and whether their
   partitions permit it, is not known. Returns 0, or -1 with ERROR set. */
static int preempt(const struct lxfw_live *live, const struct lxfw_request *candidate,
		   struct lxfw_expected *job, struct lxfw_error *error)
{
	int fits = 0;

	if (live->scheduling.preempts == LXFW_PREEMPTS_TIER && job->begin <= live->now &&
	    job->after_count == 0 && job->start > live->now && !job->never &&
	    has_victims(live, candidate))
		fits = fits_without_victims(live, candidate);
	if (fits > 0)
		job->start = live->now;
	if (fits < 0 && errno == ENOMEM) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	return 0;
}

/* The request of a job as it is submitted in the futures, and what starts together with it. Sets
   job->held. Returns 0, or -1 with errno and ERROR set. */
static int ask(const struct lxfw_live *live, struct lxfw_expected *job,
	       struct lxfw_request *candidate, struct lxfw_request *beside,
	       struct lxfw_error *error)
{
	int held;

	*candidate = job->request;
	*beside = job->beside;
	candidate->id = CANDIDATE_ID;
	/* A gap that it fits into to the second may not be one. */
	candidate->estimate = lxfw_time_add(candidate->estimate, lxfw_live_slack(live->sched));
	if (beside->count > 0) {
		beside->id = BESIDE_ID;
		beside->estimate = candidate->estimate;
		candidate->group = beside->group = BESIDE_ID;
		candidate->group_count = beside->group_count = 2;
		candidate->no_quantum = beside->no_quantum = true;
	}
	if (!live->whole_hosts || beside->count > 0 || job->begin > live->now ||
	    job->after_count > 0)
		return 0;
	held = lxfw_held_request(live->sched, live->now, candidate);
	if (held < 0) {
		lxfw_error_set(error, "out of memory");
		return -1;
	}
	job->held = held > 0;
	return 0;
}

int lxfw_live_request_start(const struct lxfw_live *live, struct lxfw_expected *job,
			    struct lxfw_error *error)
{
	struct lxfw_request candidate, beside;
	const struct asked asked = { .candidate = &candidate, .beside = &beside };
	uint64_t id = CANDIDATE_ID;

	if (ask(live, job, &candidate, &beside, error) ||
	    predict(live, &id, 1, &asked, job, error))
		return -1;
	return preempt(live, &candidate, job, error);
}

/* Whether a job is submitted at the moment, whatever others do. */
static bool is_simple(const struct lxfw_live *live, const struct lxfw_expected *job)
{
	return job->beside.count == 0 && job->begin <= live->now && job->after_count == 0 &&
	       !job->held;
}

/* Predicts the jobs, all of which are simple, in the same futures. */
static int predict_asked(const struct lxfw_live *live, struct lxfw_request *requests,
			 struct lxfw_expected *jobs, size_t count, struct lxfw_error *error)
{
	const struct asked asked = { .probes = requests };
	uint64_t ids[LXFW_FUTURE_PROBES];

	for (size_t i = 0; i < count; i++)
		ids[i] = requests[i].id = PROBE_ID(i);
	if (predict(live, ids, count, &asked, jobs, error))
		return -1;
	for (size_t i = 0; i < count; i++) {
		if (preempt(live, &requests[i], &jobs[i], error))
			return -1;
	}
	return 0;
}

int lxfw_live_requests_start(const struct lxfw_live *live, struct lxfw_expected *jobs,
			     size_t count, struct lxfw_error *error)
{
	struct lxfw_request requests[LXFW_FUTURE_PROBES], beside;
	bool together = count > 1 && count <= LXFW_FUTURE_PROBES;

	for (size_t i = 0; i < count && together; i++) {
		if (ask(live, &jobs[i], &requests[i], &beside, error))
			return -1;
		together = is_simple(live, &jobs[i]);
	}
	if (together)
		return predict_asked(live, requests, jobs, count, error);
	for (size_t i = 0; i < count; i++) {
		if (lxfw_live_request_start(live, &jobs[i], error))
			return -1;
	}
	return 0;
}
