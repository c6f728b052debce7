/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/pass/group.h"

#include <stdlib.h>
#include <string.h>

#include "common/books/decision.h"
#include "common/books/reservation.h"
#include "common/books/run.h"
#include "common/place/place.h"
#include "common/util/grow.h"

static struct lxfw_job_group *group_of(struct lxfw_sched *sched, int32_t first)
{
	return &sched->groups.groups[sched->jobs[first].group];
}

static const struct lxfw_request *request_of(const struct lxfw_sched *sched,
					     const struct lxfw_planned *planned)
{
	return &sched->jobs[planned->job].request;
}

/* Seconds for which a job has the hosts of PLAN at least. */
static int64_t seconds_of(const struct lxfw_sched *sched, const struct lxfw_plan *plan,
			  const struct lxfw_planned *planned)
{
	return lxfw_time_add(lxfw_request_least(request_of(sched, planned)),
			     lxfw_boot_of(sched, &plan->shares[planned->at],
					  planned->count));
}

/* --- finding hosts -------------------------------------------------------------- */

/* Limits of the effort, in placements: searches for the hosts of one job. */
#define ORDERS_MAX 8		/* orders of the jobs at one time */
#define EXACT_MOST 1000		/* in one search, at all times */
#define CLOSE_MOST 4000		/* in one search, at times that differ by an eighth of the
				   wait or more; then by the wait */
#define DECISION_MOST 20000	/* in one decision, before the turn of the last group, without
				   those of groups that have a reservation, and of the
				   first group */

/* Seconds after which a group without a possible start is searched for again. */
#define SEARCH_AGAIN 300

enum when {
	NOW,
	THEN,			/* at the start of the trial */
	WHEN_EMPTY,		/* as if no job ran and nothing was reserved */
};

static int by_eligible(const void *one, const void *other)
{
	const struct lxfw_planned *a = one, *b = other;

	if (a->eligible != b->eligible)
		return a->eligible < b->eligible ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* Make the trial a plan of the group without hosts, and allocate scratch space. */
static int begin(struct lxfw_sched *sched, int32_t first)
{
	struct lxfw_job_groups *groups = &sched->groups;
	struct lxfw_plan *trial = &groups->trial;
	size_t words = lxfw_job_groups_words(sched);
	size_t count = (size_t)group_of(sched, first)->count;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	if (LXFW_GROW(groups->taken, groups->taken_size, words))
		return -1;
	if (LXFW_GROW(groups->untaken, groups->untaken_size, words))
		return -1;
	if (LXFW_GROW(trial->jobs, trial->jobs_size, count))
		return -1;
	trial->job_count = 0;
	for (int32_t i = first; i >= 0; i = sched->jobs[i].group_next) {
		trial->jobs[trial->job_count] = (struct lxfw_planned){
			.job = i,
			.eligible = sched->jobs[i].eligible,
			.at = trial->job_count,
		};
		trial->job_count++;
	}
	qsort(trial->jobs, count, sizeof(*trial->jobs), by_eligible);
	return 0;
}

static void mark_taken(struct lxfw_sched *sched, int32_t host)
{
	sched->groups.taken[host / 64] |= UINT64_C(1) << (host % 64);
}

/* Keep the COUNT shares of sched->found for PLANNED. As if empty, these have no pools. */
static int take(struct lxfw_sched *sched, struct lxfw_planned *planned, int32_t count)
{
	const struct lxfw_request *request = request_of(sched, planned);
	struct lxfw_plan *trial = &sched->groups.trial;

	if (LXFW_GROW(trial->shares, trial->shares_size,
		      (size_t)trial->share_count + (size_t)count))
		return -1;
	planned->at = trial->share_count;
	planned->count = count;
	for (int32_t i = 0; i < count; i++) {
		trial->shares[trial->share_count++] = sched->found[i];
		mark_taken(sched, sched->found[i].host);
	}
	for (int i = 0; i < request->pool_count; i++)
		mark_taken(sched, request->pools[i].pool);
	return 0;
}

/* Whether another job of the group has a pool of the request. */
static bool is_pool_taken(const struct lxfw_sched *sched, const struct lxfw_request *request)
{
	for (int i = 0; i < request->pool_count; i++) {
		int32_t pool = request->pools[i].pool;

		if (sched->groups.taken[pool / 64] >> (pool % 64) & 1)
			return true;
	}
	return false;
}

/* Place one job. If it fits only after the time of the trial, *LATER is lowered to that
   time. Returns 1, 0, or -1 with errno ENOMEM. */
static int place(struct lxfw_sched *sched, struct lxfw_planned *planned, enum when when,
		 int64_t *later)
{
	const struct lxfw_request *request = request_of(sched, planned);
	int64_t start = sched->groups.trial.start;
	int32_t count;

	if (is_pool_taken(sched, request))
		return 0;
	sched->groups.placements++;
	sched->groups.counted += !sched->groups.exempt;
	sched->groups.placing = true;
	count = when == NOW ? lxfw_place_now(sched, request, &planned->host_set) :
		when == WHEN_EMPTY ? lxfw_place_empty(sched, request) :
		lxfw_place_earliest_from(sched, request, start, &start,
					 &planned->host_set);
	sched->groups.placing = false;
	if (count <= 0)
		return count;
	if (start > sched->groups.trial.start) {
		if (*later > start)
			*later = start;
		return 0;
	}
	return take(sched, planned, count) < 0 ? -1 : 1;
}

/* Place all jobs in their order. Returns 1, 0 with *FAILED set to the job that found no
   hosts, or -1 with errno ENOMEM. */
static int place_all(struct lxfw_sched *sched, enum when when, int64_t *later,
		     int32_t *failed)
{
	struct lxfw_plan *trial = &sched->groups.trial;

	memset(sched->groups.taken, 0,
	       lxfw_job_groups_words(sched) * sizeof(*sched->groups.taken));
	trial->share_count = 0;
	for (*failed = 0; *failed < trial->job_count; ++*failed) {
		int placed = place(sched, &trial->jobs[*failed], when, later);

		if (placed <= 0)
			return placed;
	}
	return 1;
}

/* Whether all jobs before AT have the same request, so that another order makes no
   difference. */
static bool are_alike(const struct lxfw_sched *sched, const struct lxfw_plan *plan,
		      int32_t at)
{
	const struct lxfw_request *request = request_of(sched, &plan->jobs[at]);

	for (int32_t i = at - 1; i >= 0; i--) {
		if (!lxfw_request_asks_same(request,
					    request_of(sched, &plan->jobs[i])))
			return false;
	}
	return true;
}

/* Place all jobs, in several orders. Returns 1, 0, or -1 with errno ENOMEM. */
static int try_orders(struct lxfw_sched *sched, enum when when, int64_t *later)
{
	struct lxfw_planned *jobs = sched->groups.trial.jobs;
	int32_t failed;

	for (int order = 0; order < ORDERS_MAX; order++) {
		int placed = place_all(sched, when, later, &failed);
		struct lxfw_planned moved;

		if (placed != 0)
			return placed;
		if (are_alike(sched, &sched->groups.trial, failed))
			return 0;
		moved = jobs[failed];
		memmove(&jobs[1], &jobs[0], (size_t)failed * sizeof(*jobs));
		jobs[0] = moved;
	}
	return 0;
}

int lxfw_group_possible(struct lxfw_sched *sched, int32_t first)
{
	int64_t later = LXFW_NEVER;

	for (int32_t i = first; i >= 0; i = sched->jobs[i].group_next) {
		int32_t count = lxfw_place_eligible(sched, &sched->jobs[i].request);

		if (count < 0)
			return -1;
		sched->jobs[i].eligible = count;
	}
	if (begin(sched, first) < 0)
		return -1;
	return try_orders(sched, WHEN_EMPTY, &later);
}

/* The first time after TIME at which the resources of a host may grow, or LXFW_NEVER. */
static int64_t next_gain(const struct lxfw_sched *sched, int64_t time)
{
	int64_t next = LXFW_NEVER;

	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		int64_t gain = lxfw_profile_next_gain(&sched->profile, i, time);

		if (next > gain)
			next = gain;
	}
	return next;
}

/* The next time to try, LATER or after it: the longer the search, the fewer times. */
static int64_t next_time(const struct lxfw_sched *sched, int64_t later, int64_t placements)
{
	int64_t start = sched->groups.trial.start, wait = start - sched->now;
	int64_t least = placements <= EXACT_MOST ? start :
			placements <= CLOSE_MOST ? lxfw_time_add(start, wait / 8) :
						   lxfw_time_add(start, wait);

	return later > least ? later : least;
}

/* Find the earliest start. Returns 1 with the trial set, 0, or -1 with errno ENOMEM. A job
   that fits at no time beside the others may do so when they have other hosts. */
static int find_earliest(struct lxfw_sched *sched)
{
	struct lxfw_plan *trial = &sched->groups.trial;
	int64_t before = sched->groups.placements;
	int placed = 0;

	trial->start = sched->now;
	while (placed == 0) {
		int64_t later = LXFW_NEVER;

		placed = try_orders(sched, THEN, &later);
		if (placed == 0 && later == LXFW_NEVER)
			later = next_gain(sched, trial->start);
		if (placed == 0 && later == LXFW_NEVER)
			return 0;
		if (placed == 0)
			trial->start = next_time(sched, later,
						 sched->groups.placements - before);
	}
	return placed;
}

/* --- the plan of a reservation ---------------------------------------------------- */

static bool is_pool_of(const struct lxfw_request *request, int32_t host)
{
	for (int i = 0; i < request->pool_count; i++) {
		if (request->pools[i].pool == host)
			return true;
	}
	return false;
}

static bool share_fits(const struct lxfw_sched *sched, const struct lxfw_plan *plan,
		       const struct lxfw_planned *planned, const struct lxfw_share *share)
{
	const struct lxfw_request *request = request_of(sched, planned);
	const struct lxfw_host *host = &sched->profile.hosts[share->host];
	const struct lxfw_line *line = lxfw_profile_line(&sched->profile, share->host);
	bool now = plan->start <= sched->now;
	int64_t start = now ? sched->now : plan->start;
	bool is_pool = is_pool_of(request, share->host);
	struct lxfw_resources available;

	if (!host->up || (!is_pool && !lxfw_host_allowed(sched, request, planned->host_set,
							 share->host)))
		return false;
	if (now && (!lxfw_resources_fit(&share->amount, &line->free) ||
		    (request->exclusive && line->running > 0 && !is_pool)))
		return false;
	lxfw_profile_available(&sched->profile, share->host, start,
			       lxfw_time_add(start, seconds_of(sched, plan, planned)),
			       &available);
	return lxfw_resources_fit(&share->amount, &available);
}

/* Whether the group can start at the time of its plan, or now if that has come, on the
   hosts of the plan. */
static bool plan_fits(const struct lxfw_sched *sched, const struct lxfw_plan *plan)
{
	for (int32_t i = 0; i < plan->job_count; i++) {
		const struct lxfw_planned *planned = &plan->jobs[i];

		for (int32_t at = 0; at < planned->count; at++) {
			if (!share_fits(sched, plan, planned,
					&plan->shares[planned->at + at]))
				return false;
		}
	}
	return plan->job_count > 0;
}

static void exchange(struct lxfw_plan *a, struct lxfw_plan *b)
{
	struct lxfw_plan other = *a;

	*a = *b;
	*b = other;
}

/* --- starting --------------------------------------------------------------------- */

/* Start the jobs on the hosts of the trial. */
static int start_all(struct lxfw_sched *sched)
{
	const struct lxfw_plan *trial = &sched->groups.trial;

	for (int32_t i = 0; i < trial->job_count; i++) {
		const struct lxfw_planned *planned = &trial->jobs[i];

		memcpy(sched->found, &trial->shares[planned->at],
		       (size_t)planned->count * sizeof(*sched->found));
		if (lxfw_job_start(sched, planned->job, planned->count,
				   planned->host_set, LXFW_NEVER) < 0)
			return -1;
	}
	return 1;
}

/*
 * Whether hosts may be searched for in this decision. If not all groups have their turn in
 * a decision, the others are before them in the next ones: otherwise a user with many
 * groups could keep those of lower priority from ever being searched for. The first group
 * always has its turn, as it may be the one to reserve for.
 */
static bool may_place(struct lxfw_sched *sched, int32_t first)
{
	struct lxfw_job_groups *groups = &sched->groups;
	struct lxfw_job_group *group = group_of(sched, first);
	bool had_turn = group->turn >= groups->round;

	if (group->turn == groups->decision)
		return true;
	groups->exempt = sched->jobs[first].reservation >= 0 ||
			 groups->placements == 0;
	if (groups->exempt || (!had_turn && groups->counted < DECISION_MOST)) {
		group->turn = groups->decision;
		return true;
	}
	group->left_out = groups->decision;
	groups->unfinished |= !had_turn;
	return false;
}

int32_t lxfw_group_start(struct lxfw_sched *sched, int32_t first)
{
	struct lxfw_plan *plan = &group_of(sched, first)->plan;
	int64_t later = LXFW_NEVER;
	int placed;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	if (sched->classes[sched->jobs[first].class].sum.procs >
		    sched->profile.free.procs ||
	    !may_place(sched, first))
		return 0;
	/* On the hosts of its reservation, if that is due: others may not suffice. */
	if (sched->jobs[first].reservation >= 0 && plan->start <= sched->now &&
	    plan_fits(sched, plan)) {
		exchange(plan, &sched->groups.trial);
		return start_all(sched);
	}
	if (begin(sched, first) < 0)
		return -1;
	sched->groups.trial.start = sched->now;
	placed = try_orders(sched, NOW, &later);
	/* A reservation for now may use other hosts. */
	if (placed == 0) {
		placed = try_orders(sched, THEN, &later);
		if (placed > 0 && !plan_fits(sched, &sched->groups.trial))
			placed = 0;
	}
	return placed <= 0 ? placed : start_all(sched);
}

/* --- reserving -------------------------------------------------------------------- */

/* FNV-1a over the hosts, the processors and the memory of all shares. */
static uint64_t digest_of(const struct lxfw_plan *plan)
{
	uint64_t digest = 14695981039346656037u;

	for (int32_t i = 0; i < plan->share_count; i++) {
		const struct lxfw_share *share = &plan->shares[i];

		digest = (digest ^ (uint64_t)share->host) * 1099511628211u;
		digest = (digest ^ (uint64_t)share->amount.procs) * 1099511628211u;
		digest = (digest ^ (uint64_t)share->amount.memory_mb) *
			 1099511628211u;
	}
	return digest;
}

/* Report the reservation of each job. */
static int announce(struct lxfw_sched *sched, const struct lxfw_plan *plan)
{
	for (int32_t i = 0; i < plan->job_count; i++) {
		const struct lxfw_planned *planned = &plan->jobs[i];
		const struct lxfw_action action = {
			.type = LXFW_ACTION_RESERVE,
			.job = request_of(sched, planned)->id,
			.start = plan->start, .until = LXFW_NEVER,
			.host_set = planned->host_set, .count = planned->count,
			.shares = &plan->shares[planned->at],
		};

		if (lxfw_action_append(sched, &action) < 0)
			return -1;
		sched->jobs[planned->job].announced = true;
	}
	return 0;
}

/* Expected end of the last job. */
static int64_t end_of(const struct lxfw_sched *sched, const struct lxfw_plan *plan)
{
	int64_t longest = 0;

	for (int32_t i = 0; i < plan->job_count; i++) {
		int64_t seconds = seconds_of(sched, plan, &plan->jobs[i]);

		if (longest < seconds)
			longest = seconds;
	}
	return lxfw_time_add(plan->start, longest);
}

static int32_t hold(struct lxfw_sched *sched, const struct lxfw_plan *plan)
{
	int32_t claim = -1;

	for (int32_t i = 0; i < plan->job_count; i++) {
		const struct lxfw_planned *planned = &plan->jobs[i];
		int64_t end = lxfw_time_add(plan->start,
					    seconds_of(sched, plan, planned));

		claim = lxfw_profile_join(
			&sched->profile,
			lxfw_profile_hold(&sched->profile,
					  &plan->shares[planned->at],
					  planned->count, plan->start, end),
			claim);
	}
	return claim;
}

/* Choose the plan of the reservation. Returns 1, 0 if there is none, or -1 with errno
   ENOMEM. */
static int choose(struct lxfw_sched *sched, int32_t first)
{
	struct lxfw_plan *plan = &group_of(sched, first)->plan;
	int found;

	if (begin(sched, first) < 0)
		return -1;
	found = find_earliest(sched);
	if (found < 0)
		return -1;
	if (sched->jobs[first].reservation >= 0 && plan->start > sched->now &&
	    (found == 0 || plan->start < sched->groups.trial.start) &&
	    plan_fits(sched, plan))
		return 1;
	if (found > 0)
		exchange(plan, &sched->groups.trial);
	return found;
}

bool lxfw_group_left_out(const struct lxfw_sched *sched, int32_t first)
{
	const struct lxfw_job_groups *groups = &sched->groups;

	return groups->groups[sched->jobs[first].group].left_out == groups->decision;
}

bool lxfw_group_may_search(struct lxfw_sched *sched, int32_t first)
{
	const struct lxfw_job_group *group = group_of(sched, first);

	return may_place(sched, first) && (group->searched != sched->machine ||
					   group->search_again <= sched->now);
}

int lxfw_group_earliest(struct lxfw_sched *sched, int32_t first, int64_t *start)
{
	struct lxfw_job_group *group = group_of(sched, first);
	int chosen = choose(sched, first);

	if (chosen > 0)
		*start = group->plan.start;
	/* Resources that suspended jobs keep may become free at once. */
	if (chosen == 0 && sched->suspended == 0) {
		group->searched = sched->machine;
		group->search_again = lxfw_time_add(sched->now, SEARCH_AGAIN);
	}
	return chosen;
}

int lxfw_group_reserve(struct lxfw_sched *sched, int32_t first)
{
	struct lxfw_job *job = &sched->jobs[first];
	struct lxfw_reservation old = { .start = LXFW_NEVER };
	const struct lxfw_plan *plan = &group_of(sched, first)->plan;
	uint64_t digest = digest_of(plan);

	if (job->reservation >= 0)
		old = sched->reservations[job->reservation];
	if (lxfw_reservations_ready(sched) < 0 ||
	    lxfw_profile_ready_hold(&sched->profile, plan->share_count) < 0)
		return -1;
	if (old.start != plan->start || old.digest != digest) {
		if (announce(sched, plan) < 0)
			return -1;
		if (job->reservation >= 0) {
			sched->gains++;
			lxfw_reservation_moved(
				sched, lxfw_reservation_end(sched, first));
		}
	}
	if (job->reservation < 0)
		job->reservation = (int32_t)sched->reservation_count++;
	sched->reservations[job->reservation] = (struct lxfw_reservation){
		.job = first,
		.start = plan->start,
		.end = end_of(sched, plan),
		.digest = digest,
		.claim = hold(sched, plan), .aside = -1,
	};
	return 1;
}
