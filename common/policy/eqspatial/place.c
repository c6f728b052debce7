/* SPDX-License-Identifier: GPL-2.0-or-later */
/* EQspatial: the host on which a job is placed, and the order in which jobs are tried. */
#include "common/policy/eqspatial/private.h"

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/queue.h"
#include "common/books/run.h"
#include "common/place/place.h"

/* --- choosing a host ------------------------------------------------------------- */

/* The expected end of a job that is placed on HOST now and gets an equal share, computed
   from the number of jobs. */
static int64_t expected_end(const struct lxfw_sched *sched, int32_t index,
			    const struct lxfw_request *request)
{
	const struct lxfw_eq_host *host = &lxfw_eq_of(sched)->hosts[index];
	int32_t share = lxfw_eq_total(sched, host, index) / (host->count + 1);

	if (share > request->unit.procs)
		share = request->unit.procs;
	if (share < 1)
		share = 1;
	return lxfw_time_add(sched->now,
			     lxfw_time_scale(request->estimate,
					     request->unit.procs, share));
}

/* Whether memory and extras are available, now and beside future holds. The holds must
   leave the minimum of every job of the host and of this one. */
static bool memory_fits(const struct lxfw_sched *sched, int32_t index,
			const struct lxfw_request *request)
{
	const struct lxfw_line *line = lxfw_profile_line(&sched->profile, index);
	const struct lxfw_eq_host *shared = &lxfw_eq_of(sched)->hosts[index];
	struct lxfw_resources need = request->unit, available;
	int64_t end, most;

	need.procs = INT32_MIN;
	if (!lxfw_resources_fit(&need, &line->free))
		return false;
	if (line->boundary_count == 0)
		return true;
	end = expected_end(sched, index, request);
	lxfw_profile_available(&sched->profile, index, sched->now, end,
			       &available);
	most = lxfw_eq_total(sched, shared, index) - shared->min_procs -
	       (request->min_procs > 1 ? request->min_procs : 1);
	for (int32_t i = 0; i < line->boundary_count &&
			    line->boundaries[i].time < end; i++) {
		if (line->boundaries[i].held.procs > most)
			return false;
	}
	return lxfw_resources_fit(&need, &available);
}

static bool is_eligible(const struct lxfw_sched *sched, int32_t index,
			const struct lxfw_request *request, int32_t alternative,
			bool memory)
{
	const struct lxfw_host *host = &sched->profile.hosts[index];

	return host->up &&
	       lxfw_host_allowed(sched, request, alternative, index) &&
	       lxfw_resources_fit(&request->unit, &host->total) &&
	       (!memory || memory_fits(sched, index, request));
}

/* Unallocated processors of HOST, or 0 if a job that was placed there before still waits
   for processors. */
static int32_t at_once(const struct lxfw_sched *sched, int32_t host)
{
	const struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	int32_t last = eq->hosts[host].assigned.last;
	int32_t free = lxfw_profile_free(&sched->profile, host)->procs;

	if (free < 0 || (last >= 0 && eq->jobs[last].procs < eq->jobs[last].asked))
		return 0;
	return free;
}

/* The first host in placement order that has the requested number of unallocated
   processors, or -1. */
static int32_t unallocated(const struct lxfw_sched *sched,
			   const struct lxfw_request *request,
			   int32_t alternative, bool memory)
{
	const struct lxfw_profile *profile = &sched->profile;
	int32_t at = lxfw_profile_order_from(profile, request->unit.procs);

	for (; at < profile->order_count; at++) {
		int32_t host = profile->order[at];

		if (at_once(sched, host) >= request->unit.procs &&
		    is_eligible(sched, host, request, alternative, memory))
			return host;
	}
	return -1;
}

/* The ratio that rule (b) compares: processors of a host divided by requested
   processors. */
struct ratio {
	int64_t procs, asked;	/* 0 to INT32_MAX, 1 to INT32_MAX */
};

static struct ratio ratio_of(const struct lxfw_sched *sched, int32_t index,
			     const struct lxfw_request *request)
{
	const struct lxfw_eq_host *host = &lxfw_eq_of(sched)->hosts[index];
	struct ratio ratio = {
		.procs = lxfw_eq_total(sched, host, index) - host->extra,
		.asked = host->asked + request->unit.procs,
	};

	if (ratio.procs < 0)
		ratio.procs = 0;
	if (ratio.asked > INT32_MAX)
		ratio.asked = INT32_MAX;
	return ratio;
}

/* Whether host A is better than B, which comes before it, by the ratio, then by the
   placement rule. */
static bool is_better(const struct lxfw_sched *sched, int32_t a, int32_t b,
		      const struct lxfw_request *request)
{
	const struct lxfw_resources *x = lxfw_profile_free(&sched->profile, a);
	const struct lxfw_resources *y = lxfw_profile_free(&sched->profile, b);
	struct ratio p = ratio_of(sched, a, request);
	struct ratio q = ratio_of(sched, b, request);

	if (p.procs * q.asked != q.procs * p.asked)
		return p.procs * q.asked > q.procs * p.asked;
	if (x->procs != y->procs)
		return x->procs < y->procs;
	return x->memory_mb < y->memory_mb;
}

static int32_t best_ratio(const struct lxfw_sched *sched,
			  const struct lxfw_request *request,
			  int32_t alternative, bool memory)
{
	const struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	int32_t best = -1;

	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		if (lxfw_eq_total(sched, &eq->hosts[i], i) > 0 &&
		    is_eligible(sched, i, request, alternative, memory) &&
		    (best < 0 || is_better(sched, i, best, request)))
			best = i;
	}
	return best;
}

int32_t lxfw_eq_choose(struct lxfw_sched *sched,
		       const struct lxfw_request *request, bool memory,
		       int32_t *host_set)
{
	int32_t alternatives = lxfw_request_alternatives(request), host;

	lxfw_profile_order(&sched->profile);
	for (*host_set = 0; *host_set < alternatives; ++*host_set) {
		host = unallocated(sched, request, *host_set, memory);
		if (host >= 0)
			return host;
	}
	for (*host_set = 0; *host_set < alternatives; ++*host_set) {
		host = best_ratio(sched, request, *host_set, memory);
		if (host >= 0)
			return host;
	}
	return -1;
}

/* --- placing ---------------------------------------------------------------------- */

/* Assign the job to HOST: allocate its memory, and as many of its requested processors as
   are available. Jobs with processors are thus always the first of the assigned jobs, and
   gather() in divide.c finds all of them. */
static int assign(struct lxfw_sched *sched, int32_t index,
		  const struct lxfw_request *request, int32_t host,
		  int32_t host_set)
{
	struct lxfw_eq_job *job = &lxfw_eq_of(sched)->jobs[index];
	struct lxfw_share share = { .host = host, .amount = request->unit };
	int32_t most = at_once(sched, host);

	if (lxfw_profile_ready_run(&sched->profile, 1) < 0)
		return -1;
	if (share.amount.procs > most)
		share.amount.procs = most;
	lxfw_queue_remove(sched, index);
	sched->jobs[index].state = LXFW_JOB_ASSIGNED;
	if (job->state == LXFW_EQ_COUNTED)
		lxfw_eq_leave(sched, index);
	job->claim = lxfw_profile_run(&sched->profile, &share, 1, LXFW_NEVER);
	job->asked = request->unit.procs;
	job->min_procs = request->min_procs > 1 ? request->min_procs : 1;
	job->procs = share.amount.procs;
	job->equal = 0;
	job->host_set = host_set;
	job->catching_up = job->lacks > 0;
	job->placed = lxfw_eq_of(sched)->placements++;
	job->since = sched->now;
	job->rate = 0;
	lxfw_eq_enter(sched, index, LXFW_EQ_ASSIGNED, host);
	return 0;
}

/* An exclusive job starts on an empty host. */
static int start_alone(struct lxfw_sched *sched, int32_t index)
{
	int32_t host_set = 0, count;

	count = lxfw_place_now(sched, &sched->jobs[index].request, &host_set);
	if (count <= 0)
		return count;
	return lxfw_job_start(sched, index, count, host_set, LXFW_NEVER) < 0 ?
		       -1 : 1;
}

/* Place a job. Returns 1, 0 if it fits on no host, or -1 with errno ENOMEM. */
static int place(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_request request =
		lxfw_request_simplest(sched, &sched->jobs[index].request);
	int32_t host, host_set;

	if (request.shape != LXFW_SHAPE_HOSTS || request.count != 1)
		return 0;
	if (request.exclusive)
		return start_alone(sched, index);
	host = lxfw_eq_choose(sched, &request, true, &host_set);
	if (host < 0)
		return 0;
	return assign(sched, index, &request, host, host_set) < 0 ? -1 : 1;
}

/* --- virtual progress
   ---------------------------------------------------------------- */

/* Count the progress of a job on the host on which it would be placed now if memory did
   not matter. Returns 0, or -1 with errno ENOMEM. */
static int count_job(struct lxfw_sched *sched, int32_t index,
		     const struct lxfw_request *request)
{
	struct lxfw_eq_job *job = &lxfw_eq_of(sched)->jobs[index];
	int32_t host_set, host, part = 0;

	host = lxfw_eq_choose(sched, request, false, &host_set);
	if (host >= 0)
		part = lxfw_eq_part_of(sched, host, request->unit.procs);
	if (part < 0)
		return -1;
	if (job->state == LXFW_EQ_COUNTED)
		lxfw_eq_leave(sched, index);
	job->asked = request->unit.procs;
	job->since = sched->now;
	job->rate = part;
	lxfw_eq_enter(sched, index, LXFW_EQ_COUNTED, host);
	return 0;
}

/* Count the jobs of a class that does not fit, if they are not counted yet or their
   requests have changed. */
static int count_class(struct lxfw_sched *sched, int32_t head)
{
	struct lxfw_request request =
		lxfw_request_simplest(sched, &sched->jobs[head].request);

	if (request.shape != LXFW_SHAPE_HOSTS || request.count != 1 ||
	    request.exclusive)
		return 0;
	for (int32_t i = head; i >= 0; i = sched->jobs[i].next) {
		const struct lxfw_eq_job *job = &lxfw_eq_of(sched)->jobs[i];

		if ((job->state != LXFW_EQ_COUNTED ||
		     job->asked != request.unit.procs) &&
		    count_job(sched, i, &request) < 0)
			return -1;
	}
	return 0;
}

int lxfw_eq_count_elsewhere(struct lxfw_sched *sched, int32_t host)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	const struct lxfw_eq_list *list =
		host < 0 ? &eq->nowhere : &eq->hosts[host].counted;
	int32_t next;

	for (int32_t i = list->first, last = list->last; i >= 0; i = next) {
		struct lxfw_request request =
			lxfw_request_simplest(sched, &sched->jobs[i].request);

		next = i == last ? -1 : eq->jobs[i].next;
		if (count_job(sched, i, &request) < 0)
			return -1;
	}
	return 0;
}

/* --- the queue ------------------------------------------------------------------------ */

/* Make a heap of the heads of the classes that may have a job that fits. */
static int collect(struct lxfw_sched *sched)
{
	if (lxfw_candidates_begin(sched) < 0)
		return -1;
	for (size_t i = 0; i < sched->head_count; i++) {
		const struct lxfw_class *class =
			&sched->classes[sched->heads[i].class];

		if (sched->heads[i].failed != sched->gains &&
		    lxfw_is_shared(sched, &class->request))
			sched->heap[sched->heap_count++] =
				lxfw_candidate_of(sched, class->head);
	}
	lxfw_candidates_order(sched);
	return 0;
}

/* If the head of a class does not fit, no other job of the class does. */
static int pass_over(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_class *class =
		&sched->classes[sched->jobs[index].class];
	struct lxfw_head *head = lxfw_head_of(sched, class);
	bool arrivals = head->failed == UINT64_MAX;

	if (arrivals && count_class(sched, class->head) < 0)
		return -1;
	head->failed = sched->gains;
	return 0;
}

int lxfw_eq_place_waiting(struct lxfw_sched *sched)
{
	if (collect(sched) < 0)
		return -1;
	while (sched->heap_count > 0) {
		int32_t index = sched->heap[0].job;
		int32_t next = sched->jobs[index].next;
		int placed = place(sched, index);

		if (placed < 0 || (placed == 0 && pass_over(sched, index) < 0))
			return -1;
		if (placed > 0 && next >= 0)
			sched->heap[0] = lxfw_candidate_of(sched, next);
		else
			sched->heap[0] = sched->heap[--sched->heap_count];
		lxfw_candidates_sift(sched, 0);
	}
	return 0;
}
