/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/preemption.h"

#include <stdlib.h>

#include "common/books/block.h"
#include "common/books/observer.h"
#include "common/books/run.h"
#include "common/pass/suspended.h"
#include "common/place/place.h"
#include "common/place/placing.h"
#include "common/util/grow.h"

/* --- the running jobs ------------------------------------------------------------------ */

/* Lowest priority first; of equal ones the job that was submitted last. */
static int by_priority(const void *one, const void *other)
{
	const struct lxfw_preemptable *a = one, *b = other;

	if (a->tier != b->tier)
		return a->tier < b->tier ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	if (a->submit != b->submit)
		return a->submit > b->submit ? -1 : 1;
	return (a->id < b->id) - (a->id > b->id);
}

static bool may_be_preempted(const struct lxfw_job *job)
{
	return job->state == LXFW_JOB_RUNNING && job->request.estimate > 0 &&
	       !job->request.exclusive && job->group < 0 && job->quantum < 0 &&
	       !job->stopped && job->claim >= 0;
}

bool lxfw_preemption_is_obstacle(const struct lxfw_sched *sched, int32_t index)
{
	static const struct lxfw_resources nothing;
	const struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_resources rest = job->request.unit;

	rest.procs = 0;
	return !may_be_preempted(job) || !lxfw_resources_fit(&rest, &nothing) ||
	       lxfw_request_has_hosts(&job->request);
}

/* Record a job that may be preempted from AT on. */
static void note_young(struct lxfw_preemption *preemption, int32_t tier, double priority,
		       int64_t at)
{
	bool first = preemption->young_until == LXFW_NEVER;

	if (at < preemption->young_until)
		preemption->young_until = at;
	if (first || tier < preemption->young_tier)
		preemption->young_tier = tier;
	if (first || priority < preemption->young_priority)
		preemption->young_priority = priority;
}

int64_t lxfw_preemption_later(const struct lxfw_preemption *preemption, int32_t tier,
			      double priority)
{
	return preemption->young_tier < tier ||
			       (preemption->young_tier == tier &&
				preemption->young_priority < priority) ?
		       preemption->young_until : LXFW_NEVER;
}

int lxfw_preemption_collect(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			 double (*priority)(const struct lxfw_sched *sched,
					    const struct lxfw_job *job))
{
	size_t hosts = (size_t)sched->profile.host_count, shares = 0;
	int64_t least = sched->policy->backfill.by_tier ? sched->params.preempt_min_run :
							  sched->params.rem_min_run;

	/* Claims are made again in a search. */
	if (lxfw_profile_ready_run(&sched->profile, 0) < 0)
		return -1;
	preemption->job_count = 0;
	preemption->young_until = LXFW_NEVER;
	preemption->obstacles |= sched->block_count > 0;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];
		int64_t from = lxfw_time_add(job->continued, least);
		struct lxfw_preemptable *new;
		int32_t count;

		if (!may_be_preempted(job)) {
			preemption->obstacles |= job->state == LXFW_JOB_RUNNING;
			continue;
		}
		if (from > sched->now)
			note_young(preemption, lxfw_preemption_tier(sched, job),
				   priority(sched, job), from);
		if (LXFW_GROW(preemption->jobs, preemption->jobs_size,
			      preemption->job_count + 1) ||
		    LXFW_GROW(preemption->by_size, preemption->by_size_size,
			      preemption->job_count + 1) ||
		    LXFW_GROW(preemption->shares, preemption->shares_size,
			      shares + hosts + 1))
			return -1;
		new = &preemption->jobs[preemption->job_count++];
		count = lxfw_profile_shares(&sched->profile, job->claim,
					    preemption->shares + shares);
		*new = (struct lxfw_preemptable){
			.priority = priority(sched, job), .submit = lxfw_job_since(job),
			.id = job->request.id, .job = (int32_t)i,
			.tier = lxfw_preemption_tier(sched, job), .young = from > sched->now,
			.shares = shares, .share_count = count,
		};
		for (int32_t j = 0; j < count; j++) {
			const struct lxfw_share *share = &preemption->shares[shares + (size_t)j];

			new->procs += share->amount.procs;
			new->memory_mb += share->amount.memory_mb;
		}
		shares += (size_t)count;
	}
	if (preemption->job_count > 1)
		qsort(preemption->jobs, preemption->job_count,
		      sizeof(*preemption->jobs), by_priority);
	return 0;
}

void lxfw_preemption_clear(struct lxfw_preemption *preemption)
{
	free(preemption->jobs);
	free(preemption->shares);
	free(preemption->waiting);
	free(preemption->by_size);
	free(preemption->scratch);
	free(preemption->most);
	*preemption = (struct lxfw_preemption){ 0 };
}

/* --- a search -------------------------------------------------------------------------- */

struct search {
	struct lxfw_sched *sched;
	struct lxfw_preemption *preemption;
	int32_t job;			/* that is to start */
	int64_t need, have;		/* its processors; those that are free and those
					   that the jobs taken out release */
	bool failed;			/* errno is ENOMEM */
	bool optimistic;		/* jobs taken out keep what they keep until their
					   expected end only; otherwise for ever */
	int32_t host_set;
};

/* Reduce the claim of a running job to what it would keep, or restore it. There is room
   for the claim, since the job has one of as many shares. */
static void take_out(struct search *search, size_t at, bool out)
{
	struct lxfw_sched *sched = search->sched;
	struct lxfw_preemptable *of = &search->preemption->jobs[at];
	struct lxfw_share *all = search->preemption->shares + of->shares;
	struct lxfw_share *kept = sched->found;	/* not in use here */
	struct lxfw_job *job = &sched->jobs[of->job];

	if (of->out == out)
		return;
	of->out = out;
	search->have += out ? of->procs : -of->procs;
	if (out) {
		for (int32_t i = 0; i < of->share_count; i++) {
			kept[i] = all[i];
			kept[i].amount.procs = 0;
			if (sched->params.rem_frees == LXFW_REM_FREES_ALL)
				kept[i].amount = (struct lxfw_resources){ 0 };
		}
	}
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = lxfw_profile_run(&sched->profile, out ? kept : all, of->share_count,
				      out && !search->optimistic ? LXFW_NEVER :
								   job->expected_end);
}

/* Find shares for the job. Returns their number, 0, or -1 with errno ENOMEM. */
static int32_t find(struct search *search)
{
	const struct lxfw_job *job = &search->sched->jobs[search->job];

	if (job->kept)
		return lxfw_suspended_now(search->sched, search->job);
	return lxfw_place_now(search->sched, &job->request, &search->host_set);
}

/* Whether the jobs taken out release enough. */
static bool is_enough(struct search *search)
{
	int32_t count;

	if (search->failed || search->have < search->need)
		return false;
	count = find(search);
	search->failed = count < 0;
	return count > 0;
}

static bool is_lower(const struct lxfw_preemptable *of, int32_t tier, double priority)
{
	return of->tier < tier || (of->tier == tier && of->priority < priority);
}

static bool can_go(const struct lxfw_sched *sched, const struct lxfw_preemptable *of)
{
	return sched->jobs[of->job].state == LXFW_JOB_RUNNING && !of->young;
}

static bool may_go(const struct lxfw_sched *sched, const struct lxfw_preemptable *of,
		   int32_t job, double priority)
{
	return can_go(sched, of) &&
	       is_lower(of, lxfw_preemption_tier(sched, &sched->jobs[job]), priority);
}

/* Whether the processors of all jobs that may go suffice. */
static bool have_enough(const struct search *search, double priority)
{
	const struct lxfw_preemption *preemption = search->preemption;
	int64_t have = search->have;

	for (size_t i = 0; i < preemption->job_count && have < search->need; i++) {
		if (may_go(search->sched, &preemption->jobs[i], search->job, priority))
			have += preemption->jobs[i].procs;
	}
	return have >= search->need;
}

/* Take out running jobs, the lowest priority first, until they release enough. Those that
   would keep what a reservation needs are left. Returns the index of the last one, or -1. */
static int64_t last_needed(struct search *search, double priority)
{
	const struct lxfw_preemption *preemption = search->preemption;

	for (size_t i = 0; i < preemption->job_count; i++) {
		if (!may_go(search->sched, &preemption->jobs[i], search->job, priority))
			continue;
		take_out(search, i, true);
		if (lxfw_suspended_hinders(search->sched,
					   preemption->shares + preemption->jobs[i].shares,
					   preemption->jobs[i].share_count))
			take_out(search, i, false);
		else if (is_enough(search))
			return (int64_t)i;
	}
	return -1;
}

/* Whether A is smaller. The paper compares sets of resources and does not say how: here
   processors, then memory; of equal jobs the one submitted last is the smaller one. */
static bool is_smaller(const struct lxfw_preemptable *a, const struct lxfw_preemptable *b)
{
	if (a->procs != b->procs)
		return a->procs < b->procs;
	if (a->memory_mb != b->memory_mb)
		return a->memory_mb < b->memory_mb;
	if (a->submit != b->submit)
		return a->submit > b->submit;
	return a->id > b->id;
}

/* List the jobs taken out except LAST, the smallest first. Returns their number. */
static size_t list_others(struct lxfw_preemption *preemption, size_t last)
{
	int32_t *list = preemption->by_size;
	size_t count = 0;

	for (size_t i = 0; i < last; i++) {
		size_t at = count;

		if (!preemption->jobs[i].out)
			continue;
		for (; at > 0 && is_smaller(&preemption->jobs[i],
					    &preemption->jobs[list[at - 1]]); at--)
			list[at] = list[at - 1];
		list[at] = (int32_t)i;
		count++;
	}
	return count;
}

/* Restore jobs that are not needed beside LAST. */
static void reduce(struct search *search, size_t last)
{
	struct lxfw_preemption *preemption = search->preemption;
	size_t count = list_others(preemption, last);
	const int32_t *list = preemption->by_size;

	for (size_t i = 0; i < count; i++)
		take_out(search, (size_t)list[i], false);
	if (is_enough(search))
		return;
	for (size_t i = 0; i < count; i++) {
		take_out(search, (size_t)list[i], true);
		if (is_enough(search))
			return;
		take_out(search, (size_t)list[i], false);
	}
	for (size_t i = 0; i < count; i++)
		take_out(search, (size_t)list[i], true);
	for (size_t i = count; i-- > 0;) {
		take_out(search, (size_t)list[i], false);
		if (!is_enough(search))
			take_out(search, (size_t)list[i], true);
	}
}

/* Suspend the running job AT, which waits from now on. Returns 0, or -1 with errno
   ENOMEM. */
static int preempt(struct lxfw_sched *sched, struct lxfw_preemption *preemption, size_t at)
{
	const struct lxfw_preemptable *of = &preemption->jobs[at];

	lxfw_observed_leaving(sched, of->job);
	if (lxfw_suspended_begin(sched, of->job, preemption->shares + of->shares,
				 of->share_count) < 0)
		return -1;
	/* It is not considered again in this pass. */
	lxfw_head_of(sched, &sched->classes[sched->jobs[of->job].class])->blocked = true;
	sched->any_blocked = true;
	sched->running--;
	sched->waiting++;
	sched->gains++;
	lxfw_improved(sched, LXFW_NEVER);
	return 0;
}

/* A block may have the processors of running jobs, too: a host where one job completes and
   another one runs is blocked as a whole. */
bool lxfw_preemption_is_overcommitted(const struct lxfw_sched *sched, int32_t host)
{
	int64_t left = lxfw_profile_free(&sched->profile, host)->procs;

	return left < 0 && left + lxfw_blocked_procs(sched, host) < 0;
}

static bool is_overcommitted(const struct lxfw_sched *sched,
			     const struct lxfw_preemption *preemption, size_t at)
{
	const struct lxfw_preemptable *of = &preemption->jobs[at];

	for (int32_t i = 0; i < of->share_count; i++) {
		const struct lxfw_share *share = &preemption->shares[of->shares + (size_t)i];

		if (share->amount.procs > 0 &&
		    lxfw_preemption_is_overcommitted(sched, share->host))
			return true;
	}
	return false;
}

int lxfw_preemption_settle(struct lxfw_sched *sched, struct lxfw_preemption *preemption)
{
	for (size_t i = 0; i < preemption->job_count; i++) {
		if (!preemption->jobs[i].young && is_overcommitted(sched, preemption, i) &&
		    preempt(sched, preemption, i) < 0)
			return -1;
	}
	return 0;
}

/* Start or resume the job. Returns 1, or -1 with errno ENOMEM; the jobs that were
   preempted for it wait then. */
static int32_t go(struct search *search)
{
	int32_t count = find(search);

	if (count <= 0)
		return count;
	if (search->sched->jobs[search->job].kept)
		return lxfw_suspended_resume(search->sched, search->job) < 0 ? -1 : 1;
	return lxfw_job_start(search->sched, search->job, count, search->host_set,
			      LXFW_NEVER) < 0 ? -1 : 1;
}

int32_t lxfw_preemption_for(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			 int32_t job, double priority)
{
	struct search search = {
		.sched = sched, .preemption = preemption, .job = job,
		.need = sched->classes[sched->jobs[job].class].sum.procs,
		.have = sched->profile.free.procs,
	};
	int64_t last;

	if (!have_enough(&search, priority))
		return 0;
	if (lxfw_place_ready(sched) < 0)
		return -1;
	last = last_needed(&search, priority);
	if (last >= 0)
		reduce(&search, (size_t)last);
	/* All claims are restored; `out` then marks the jobs to preempt. */
	for (size_t i = 0; i < preemption->job_count; i++) {
		bool chosen = preemption->jobs[i].out && last >= 0 && !search.failed;

		take_out(&search, i, false);
		preemption->jobs[i].out = chosen;
	}
	if (last < 0 || search.failed)
		return search.failed ? -1 : 0;
	for (size_t i = 0; i < preemption->job_count; i++) {
		if (!preemption->jobs[i].out)
			continue;
		preemption->jobs[i].out = false;
		if (preempt(sched, preemption, i) < 0) {
			search.failed = true;
			while (++i < preemption->job_count)
				preemption->jobs[i].out = false;
		}
	}
	return search.failed ? -1 : go(&search);
}

/* --- the jobs that preemption cannot help --------------------------------------------- */

/* In the order in which jobs are preempted, so that each may preempt those that the one before
   it may. */
static int by_reach(const void *one, const void *other)
{
	const struct lxfw_preempter *a = one, *b = other;

	if (a->tier != b->tier)
		return a->tier < b->tier ? -1 : 1;
	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	return 0;	/* the order does not matter */
}

/* Leave the reservations from RESERVED on out of the profile (SIGN -1), or include them. */
static void count_reservations(struct lxfw_sched *sched, int32_t reserved, int sign)
{
	for (size_t i = (size_t)reserved; i < sched->reservation_count; i++)
		lxfw_profile_count_hold(&sched->profile, sched->reservations[i].claim, sign);
}

int lxfw_preemption_examine(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			    int32_t reserved)
{
	struct search search = {
		.sched = sched, .preemption = preemption, .optimistic = true,
		.have = sched->profile.free.procs,
	};
	size_t out = 0;

	if (preemption->waiting_count == 0)
		return 0;
	if (lxfw_place_ready(sched) < 0 ||
	    lxfw_suspended_aside(sched, preemption->waiting[0].job) < 0)
		return -1;
	count_reservations(sched, reserved, -1);
	qsort(preemption->waiting, preemption->waiting_count, sizeof(*preemption->waiting),
	      by_reach);
	for (size_t i = 0; i < preemption->waiting_count && !search.failed; i++) {
		struct lxfw_preempter *of = &preemption->waiting[i];

		for (; out < preemption->job_count &&
		       is_lower(&preemption->jobs[out], of->tier, of->priority); out++) {
			if (can_go(sched, &preemption->jobs[out]))
				take_out(&search, out, true);
		}
		search.job = of->job;
		search.need = sched->classes[sched->jobs[of->job].class].sum.procs;
		of->may_start = is_enough(&search);
	}
	while (out-- > 0)
		take_out(&search, out, false);
	count_reservations(sched, reserved, 1);
	lxfw_suspended_back(sched);
	return search.failed ? -1 : 0;
}

/* --- what preemption cannot release ---------------------------------------------------- */

/* Add what the job would release if it were preempted. */
static int add_released(const struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			const struct lxfw_job *job)
{
	bool all = sched->params.rem_frees == LXFW_REM_FREES_ALL;
	int32_t count;

	if (LXFW_GROW(preemption->scratch, preemption->scratch_size,
		      (size_t)sched->profile.host_count + 1))
		return -1;
	count = lxfw_profile_shares(&sched->profile, job->claim, preemption->scratch);
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_share *share = &preemption->scratch[i];
		struct lxfw_resources *most = &preemption->most[share->host];

		if (all)
			lxfw_resources_add(most, &share->amount);
		else
			most->procs += share->amount.procs;
	}
	return 0;
}

/* Compute what each host would have free if all jobs that may be preempted were. */
static int find_most(const struct lxfw_sched *sched, struct lxfw_preemption *preemption)
{
	const struct lxfw_profile *profile = &sched->profile;

	if (preemption->most_pass == sched->passes &&
	    preemption->most_actions == sched->action_count)
		return 0;
	if (LXFW_GROW(preemption->most, preemption->most_size,
		      (size_t)profile->host_count + 1))
		return -1;
	for (int32_t i = 0; i < profile->host_count; i++)
		preemption->most[i] = *lxfw_profile_free(profile, i);
	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (may_be_preempted(&sched->jobs[i]) &&
		    add_released(sched, preemption, &sched->jobs[i]) < 0)
			return -1;
	}
	preemption->most_pass = sched->passes;
	preemption->most_actions = sched->action_count;
	return 0;
}

/* What the host would have beside blocks, for SECONDS from now on. */
static struct lxfw_resources beside_blocks(const struct lxfw_sched *sched,
					   const struct lxfw_preemption *preemption,
					   int32_t index, int64_t seconds)
{
	const struct lxfw_line *line = lxfw_profile_line(&sched->profile, index);
	struct lxfw_resources left = preemption->most[index], low = left;
	int64_t end = lxfw_time_add(sched->now, seconds);

	for (int32_t i = 0; i < line->boundary_count && line->boundaries[i].time < end; i++) {
		struct lxfw_resources rest = left;

		if (i + 1 < line->boundary_count &&
		    line->boundaries[i + 1].time <= sched->now)
			continue;
		lxfw_resources_subtract(&rest, &line->boundaries[i].held);
		lxfw_resources_lower(&low, &rest);
	}
	return low;
}

/* Whether a suspended job would fit on its hosts. */
static bool resumption_fits(const struct lxfw_sched *sched,
			    const struct lxfw_preemption *preemption,
			    const struct lxfw_job *job)
{
	for (int32_t i = 0; i < job->kept_count; i++) {
		struct lxfw_resources need = job->kept[i].amount;
		struct lxfw_resources left = beside_blocks(
			sched, preemption, job->kept[i].host, job->request.estimate);

		if (!job->released)
			need = (struct lxfw_resources){ .procs = need.procs };
		if (!lxfw_resources_fit(&need, &left))
			return false;
	}
	return true;
}

/* Whether the request would fit on the hosts of one of its sets. */
static bool start_fits(struct lxfw_sched *sched, const struct lxfw_preemption *preemption,
		       const struct lxfw_request *request, int32_t alternative)
{
	struct lxfw_placing placing = { .sched = sched, .request = request };
	int32_t count = 0;

	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		struct lxfw_resources left;
		int32_t pieces;

		if (!sched->profile.hosts[i].up ||
		    !lxfw_host_allowed(sched, request, alternative, i))
			continue;
		left = beside_blocks(sched, preemption, i, request->estimate);
		pieces = request->shape == LXFW_SHAPE_HOSTS ?
				 lxfw_resources_fit(&request->unit, &left) :
				 lxfw_request_pieces(request, &left, request->count);
		if (pieces > 0)
			sched->ranked[count++] = (struct lxfw_ranked_host){
				.procs = pieces, .host = i,
			};
	}
	if (request->shape == LXFW_SHAPE_HOSTS)
		return count >= request->count;
	return lxfw_placing_widest(&placing, count) > 0;
}

int lxfw_preemption_suffices(struct lxfw_sched *sched, struct lxfw_preemption *preemption,
			     int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_request request = lxfw_request_simplest(sched, &job->request);

	if (!preemption->obstacles)
		return 1;
	if (lxfw_place_ready(sched) < 0 || find_most(sched, preemption) < 0)
		return -1;
	if (lxfw_suspended_stays(sched, index) && job->kept)
		return resumption_fits(sched, preemption, job);
	for (int32_t i = 0; i < lxfw_request_alternatives(&request); i++) {
		if (start_fits(sched, preemption, &request, i))
			return 1;
	}
	return 0;
}
