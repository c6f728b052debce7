/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/infer/infer.h"

#include <errno.h>
#include <stdlib.h>

#include "common/params/policy.h"
#include "common/util/grow.h"
#include "sim-frontend/infer/capacity.h"
#include "sim-frontend/infer/holds.h"

/* Minimum part of a job's wait for the job to be counted. */
#define WAIT_LEAST INT64_C(600)

/* Holds are rejected if more than PASSED_SHARE of the jobs that waited were passed, or
   less than IDLE_SHARE of these fitted beside all others. The site then orders jobs
   differently. */
#define PASSED_SHARE 0.1
#define IDLE_SHARE 0.05

/* Minimum number of passed jobs for the fraction to be meaningful. */
#define ORDER_LEAST 20

/* If a smaller fraction of starts passed the first job of the queue, the site did not
   backfill. */
#define PAST_SHARE 0.02

/* If part of the machine appears to be missing for a larger fraction of the time, this
   is the normal state: different nodes, or processors that jobs cannot use. */
#define PARTS_SHARE 0.35

/* Maximum delay of a start after its cause, seconds, unless the longest system
   overhead plus a quarter is larger. */
#define GRACE_LEAST INT64_C(60)

struct work {
	struct lxfw_inferred *inferred;
	const struct lxfw_recorded *recorded;
	const struct lxfw_infer_input *in;
	struct lxfw_sweep sweep;
	struct lxfw_sweep_job *jobs;
	struct lxfw_passes *passes;
	size_t users;
};

static int64_t grace_of(const struct work *work)
{
	int64_t grace = work->in->longest + work->in->longest / 4;

	return grace > GRACE_LEAST ? grace : GRACE_LEAST;
}

/* --- the measured schedule -------------------------------------------------------- */

/* As in common/order/line.c, without memory, which logs rarely state. */
static void set_priority(const struct lxfw_params *params,
			 struct lxfw_sweep_job *job)
{
	double hours = (double)(job->limit > 0 ? job->limit : 1) / 3600;
	const struct lxfw_policy_type *policy = lxfw_params_policy(params);

	if (policy && policy->order.ages)
		job->age_first = params->age_first;

	if (lxfw_policy_has(params->policy, LXFW_TRAIT_SHORTEST)) {
		job->base = -(double)job->limit;
	} else if (lxfw_policy_has(params->policy, LXFW_TRAIT_WEIGHTS) &&
		   !lxfw_policy_has(params->policy, LXFW_TRAIT_ADAPTIVE)) {
		job->base = params->wx +
			    (params->wp + params->wpe) * (double)job->procs;
		job->slope = (params->ww + params->wx / hours) / 3600;
	}
}

static int64_t last_time(const struct lxfw_recorded *recorded)
{
	int64_t last = INT64_MIN;

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *job = &recorded->jobs[i];

		if (job->seen > last)
			last = job->seen;
		if (job->start != LXFW_UNKNOWN && job->start > last)
			last = job->start;
		if (job->end != LXFW_UNKNOWN && job->end > last)
			last = job->end;
	}
	return last;
}

static void list_jobs(struct work *work)
{
	const struct lxfw_recorded *recorded = work->recorded;
	int64_t last = last_time(recorded);

	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_recorded_job *from = &recorded->jobs[i];
		struct lxfw_sweep_job *job = &work->jobs[i];

		*job = (struct lxfw_sweep_job) {
			.submit = from->seen, .free = from->seen,
			.start = LXFW_SWEEP_NEVER, .end = from->end,
			.limit = from->request.estimate,
			.procs = (int32_t)lxfw_request_sum(&from->request).procs,
			.user = from->user, .queue = from->queue,
		};
		if (from->start != LXFW_UNKNOWN)
			job->start = from->start > job->submit ? from->start :
								 job->submit;
		if (from->end == LXFW_UNKNOWN)
			job->end = last;
		if (job->end < job->submit)
			job->end = job->submit;
		if (from->start != LXFW_UNKNOWN && job->end < job->start)
			job->end = job->start;
		if (from->user >= 0 && (size_t)from->user >= work->users)
			work->users = (size_t)from->user + 1;
		set_priority(work->in->params, job);
	}
}

/* --- jobs that were held --------------------------------------------------------------- */

static bool was_passed(const struct work *work, size_t job)
{
	return work->inferred->holds[job].reason != LXFW_HELD_LIMIT &&
	       work->passes[job].count > 0 &&
	       work->jobs[job].free - work->jobs[job].submit >= WAIT_LEAST;
}

static int judge_order(struct work *work)
{
	struct lxfw_inferred *inferred = work->inferred;
	int64_t *idle = calloc(work->recorded->count + 1, sizeof(*idle));

	if (!idle)
		return -1;
	lxfw_idle_find(&work->sweep, work->recorded->procs, idle);
	for (size_t i = 0; i < work->recorded->count; i++) {
		const struct lxfw_sweep_job *job = &work->jobs[i];

		if (job->start == LXFW_SWEEP_NEVER ||
		    job->start - job->submit < WAIT_LEAST)
			continue;
		inferred->waited++;
		inferred->passed += was_passed(work, i);
		inferred->idle += was_passed(work, i) &&
				  idle[i] >= LXFW_INFER_LEAST;
	}
	inferred->order = inferred->passed >= ORDER_LEAST &&
			  ((double)inferred->passed >
			   PASSED_SHARE * (double)inferred->waited ||
			   (double)inferred->idle <
			   IDLE_SHARE * (double)inferred->passed);
	free(idle);
	return 0;
}

static void hold_passed(struct work *work)
{
	for (size_t i = 0; i < work->recorded->count; i++) {
		struct lxfw_held_job *hold = &work->inferred->holds[i];
		int64_t last = work->passes[i].last;

		if (hold->reason == LXFW_HELD_NOT && last != LXFW_SWEEP_NEVER &&
		    last - work->jobs[i].submit >= WAIT_LEAST)
			*hold = (struct lxfw_held_job) { last, LXFW_HELD_PASSED };
	}
}

/* By user and end. */
static int by_user(const void *left, const void *right)
{
	const struct lxfw_sweep_job *a = *(const struct lxfw_sweep_job *const *)left;
	const struct lxfw_sweep_job *b = *(const struct lxfw_sweep_job *const *)right;

	if (a->user != b->user)
		return a->user < b->user ? -1 : 1;
	return (a->end > b->end) - (a->end < b->end);
}

/* Returns the end of another job of the same user that was in the system at the job's
   submission and ended shortly before its start, or LXFW_SWEEP_NEVER. */
static int64_t follows(const struct work *work,
		       const struct lxfw_sweep_job *const *by_end, size_t count,
		       const struct lxfw_sweep_job *job)
{
	int64_t grace = grace_of(work);
	size_t low = 0, high = count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct lxfw_sweep_job *other = by_end[middle];

		if (other->user < job->user ||
		    (other->user == job->user && other->end <= job->start))
			low = middle + 1;
		else
			high = middle;
	}
	/* the last job that ended by then */
	while (low > 0 && by_end[low - 1]->user == job->user &&
	       by_end[low - 1]->end >= job->start - grace) {
		const struct lxfw_sweep_job *other = by_end[--low];

		if (other != job && other->end > job->submit)
			return other->end;
	}
	return LXFW_SWEEP_NEVER;
}

/* Finds the held jobs whose wait ended when another job of the user ended. */
static int find_chains(struct work *work)
{
	size_t count = 0;
	const struct lxfw_sweep_job **by_end =
		malloc((work->recorded->count + 1) * sizeof(const struct lxfw_sweep_job *));

	if (!by_end)
		return -1;
	for (size_t i = 0; i < work->recorded->count; i++) {
		if (work->jobs[i].start != LXFW_SWEEP_NEVER &&
		    work->jobs[i].user >= 0)
			by_end[count++] = &work->jobs[i];
	}
	if (count > 1)
		qsort(by_end, count, sizeof(const struct lxfw_sweep_job *), by_user);
	for (size_t i = 0; i < work->recorded->count; i++) {
		struct lxfw_held_job *hold = &work->inferred->holds[i];
		const struct lxfw_sweep_job *job = &work->jobs[i];
		int64_t end;

		if (hold->reason != LXFW_HELD_PASSED || job->user < 0 ||
		    job->start == LXFW_SWEEP_NEVER)
			continue;
		end = follows(work, by_end, count, job);
		if (end != LXFW_SWEEP_NEVER && end > hold->until)
			*hold = (struct lxfw_held_job) { end, LXFW_HELD_CHAIN };
	}
	free(by_end);
	return 0;
}

/* --- all steps -------------------------------------------------------------------- */

/* Returns whether free processors alone determine if a job fits: on one host without
   memory limits, or distributed over any hosts. */
static bool processors_tell_all(const struct lxfw_recorded *recorded)
{
	bool one_host = true;

	for (size_t i = 0; i < recorded->event_count; i++)
		one_host &= recorded->events[i].event.type != LXFW_EVENT_HOST ||
			    recorded->events[i].event.host.index == 0;
	for (size_t i = 0; i < recorded->count; i++) {
		const struct lxfw_request *request = &recorded->jobs[i].request;

		if (request->unit.memory_mb > 0 || request->host_set_count > 0 ||
		    (!one_host && (request->shape != LXFW_SHAPE_ANYWHERE ||
				   request->unit.procs > 1 ||
				   request->max_hosts > 0)))
			return false;
	}
	return true;
}

/* Returns whether the policy backfills beside one reservation and the site did so for
   a minimum fraction of the jobs that had to wait. */
static bool backfills(struct work *work)
{
	const struct lxfw_params *params = work->in->params;
	struct lxfw_sweep *sweep = &work->sweep;
	int64_t past = 0, waited = 0;

	lxfw_sweep_rewind(sweep);
	while (lxfw_sweep_next(sweep)) {
		size_t head = lxfw_sweep_head(sweep, sweep->now - 1, INT64_MAX);

		for (size_t i = 0; i < sweep->started_count; i++) {
			size_t job = sweep->started[i];

			past += head != LXFW_SWEEP_NONE &&
				lxfw_sweep_before(sweep, head, job);
			waited += work->jobs[job].start > work->jobs[job].submit;
		}
	}
	work->inferred->backfills = (double)past >= PAST_SHARE * (double)waited;
	return work->inferred->backfills &&
	       !lxfw_policy_has(params->policy, LXFW_TRAIT_IN_ORDER) &&
	       !lxfw_policy_has(params->policy, LXFW_TRAIT_RESERVES_ALL) &&
	       params->reservations == 1;
}

/* Returns the fraction of the time in which only part of the machine was missing. */
static double part_share(const struct work *work)
{
	const struct lxfw_inferred *inferred = work->inferred;
	size_t count = work->recorded->count;
	double seconds = 0, all = 1;

	for (size_t i = 0; i < inferred->outage_count; i++) {
		if (inferred->outages[i].procs > 0)
			seconds += (double)(inferred->outages[i].end -
					    inferred->outages[i].begin);
	}
	if (count > 0)
		all += (double)(work->jobs[count - 1].submit -
				work->jobs[0].submit);
	return seconds / all;
}

static int find_outages(struct work *work)
{
	struct lxfw_inferred *inferred = work->inferred;
	struct lxfw_capacity_input input = {
		.sweep = &work->sweep, .jobs = work->jobs,
		.procs = work->recorded->procs, .grace = grace_of(work),
		.given = work->in->given,
		.given_count = work->in->given_count,
		.given_from = work->in->given_from,
		.given_until = work->in->given_until,
		.backfills = backfills(work),
	};

	if (lxfw_capacity_find(inferred, &input))
		return -1;
	inferred->parts = part_share(work) > PARTS_SHARE;
	if (!inferred->parts)
		return 0;
	input.stops_only = true;
	inferred->outage_count = 0;
	return lxfw_capacity_find(inferred, &input);
}

/* Removes results that were not requested or are not reliable. */
static void drop(struct work *work)
{
	struct lxfw_inferred *inferred = work->inferred;
	unsigned kinds = work->in->kinds;

	if (!(kinds & LXFW_INFER_OUTAGES))
		inferred->outage_count = 0;
	if (!(kinds & LXFW_INFER_LIMITS))
		inferred->limit_count = 0;
	for (size_t i = 0; i < inferred->job_count; i++) {
		struct lxfw_held_job *hold = &inferred->holds[i];
		bool limit = hold->reason == LXFW_HELD_LIMIT;

		if (limit ? !(kinds & LXFW_INFER_LIMITS) :
			    !(kinds & LXFW_INFER_HOLDS) || inferred->order ||
			    lxfw_policy_has(work->in->params->policy,
					    LXFW_TRAIT_RESERVES_ALL))
			hold->reason = LXFW_HELD_NOT;
		if (hold->reason == LXFW_HELD_NOT)
			hold->until = LXFW_UNKNOWN;
		inferred->held[hold->reason]++;
	}
}

static int by_begin(const void *left, const void *right)
{
	const struct lxfw_outage *a = left, *b = right;

	return (a->begin > b->begin) - (a->begin < b->begin);
}

/* Adds the outages from records of the machine, which are simulated in any case. */
static int add_given(struct work *work)
{
	struct lxfw_inferred *inferred = work->inferred;
	size_t count = inferred->outage_count + work->in->given_count;
	struct lxfw_outage *outages;

	if (work->in->given_count == 0)
		return 0;
	if (LXFW_GROW(inferred->outages, inferred->outages_size, count))
		return -1;
	outages = inferred->outages;
	for (size_t i = 0; i < work->in->given_count; i++)
		outages[inferred->outage_count++] = work->in->given[i];
	qsort(outages, count, sizeof(*outages), by_begin);
	return 0;
}

static int find_all(struct work *work)
{
	struct lxfw_inferred *inferred = work->inferred;

	if (lxfw_passes_find(&work->sweep, work->jobs, grace_of(work),
			     lxfw_policy_has(work->in->params->policy,
					    LXFW_TRAIT_RESERVES_ALL),
			     work->users, work->passes) ||
	    lxfw_limits_find(inferred, &work->sweep, work->jobs, work->users,
			     work->passes))
		return -1;
	if (judge_order(work))
		return -1;
	if (!inferred->order)
		hold_passed(work);
	inferred->processors = processors_tell_all(work->recorded);
	if (inferred->processors && find_outages(work))
		return -1;
	if (!inferred->processors && (work->in->kinds & LXFW_INFER_OUTAGES) &&
	    work->in->given_count == 0 &&
	    lxfw_idle_hosts_find(&inferred->idle_hosts, work->recorded, grace_of(work)))
		return -1;
	if (find_chains(work))
		return -1;
	drop(work);
	return add_given(work);
}

int lxfw_infer(struct lxfw_inferred *inferred,
	       const struct lxfw_recorded *recorded,
	       const struct lxfw_infer_input *input)
{
	size_t count = recorded->count + 1;
	struct work work = {
		.inferred = inferred, .recorded = recorded, .in = input,
		.jobs = calloc(count, sizeof(*work.jobs)),
		.passes = calloc(count, sizeof(*work.passes)),
	};
	int failed;

	*inferred = (struct lxfw_inferred) {
		.job_count = recorded->count,
		.holds = calloc(count, sizeof(*inferred->holds)),
	};
	failed = !work.jobs || !work.passes || !inferred->holds;
	if (!failed) {
		list_jobs(&work);
		failed = lxfw_sweep_begin(&work.sweep, work.jobs,
					  recorded->count) ||
			 find_all(&work);
	}
	lxfw_sweep_end(&work.sweep);
	free(work.jobs);
	free(work.passes);
	if (failed) {
		lxfw_inferred_clear(inferred);
		errno = ENOMEM;
	}
	return failed ? -1 : 0;
}

void lxfw_inferred_clear(struct lxfw_inferred *inferred)
{
	free(inferred->outages);
	free(inferred->holds);
	free(inferred->limits);
	lxfw_idle_hosts_clear(&inferred->idle_hosts);
	*inferred = (struct lxfw_inferred) { 0 };
}
