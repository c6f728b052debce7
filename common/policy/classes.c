/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job classes with limits and priorities per host: NCSA-LSF* (Chiang and Vernon
 * 2001, section 2.1). model/job_classes.h has the classes.
 *
 * A host's free processors and memory go to the waiting jobs of the size class that
 * is first in the host's order: by the rank of their time class there, then first
 * come first served, and those that do not fit are skipped. The next size class has
 * its turn when the limit of running jobs of the first is reached, or when none waits
 * that could run there. Only what can run counts: not a job that the empty host could
 * not hold, nor one whose time class has reached its limit on all hosts together.
 *
 * When a job has ended on a host, the first of those that have waited for the reserve
 * wait of their class (table 1: that long or longer) and hold no special reservation
 * is started there, or the host is reserved for it: what is free there is kept until
 * that job can start. The order is the host's: size class, rank, first come. So that
 * what is kept can be used, limits hold for reservations too: one is made only within
 * the limits, and counts as its job running in that of the time class.
 *
 * What the paper leaves open:
 * - A host has one special reservation at most, and each end of a job makes at most
 *   one. One job's end on a host with a reservation only serves that.
 * - A job with a special reservation waits like any other: it starts wherever it
 *   first can, and what was kept for it is free. For other size classes it counts as
 *   waiting on every host.
 * - A reservation goes when its job leaves the queue or changes, and when its host
 *   goes down or could no longer hold the job. The job may get another at the next
 *   end. None is made where nothing says when the job could start.
 * - Hosts are served by index, again and again until nothing more is done: a start or
 *   a reservation on one may let another go on to its next size class.
 * - Tiers come before ranks within a size class. Jobs that were first seen running,
 *   of which no request is known, count in no limit.
 *
 * Nothing of this happens without an event, so there is nothing to wake up for; but
 * the expected start of a reservation is told, and told anew when it moves.
 */
#include "common/policy/observer.h"
#include "common/policy/order.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

#define LISTS_MAX (LXFW_TIME_CLASSES_MAX * LXFW_SIZE_CLASSES_MAX)

struct host_state {
	int32_t running[LXFW_SIZE_CLASSES_MAX];	/* jobs of each size class */
	int32_t ended;		/* jobs that did since the last pass */
	int32_t reserved;	/* job that the host is kept for, or -1; good
				   during a pass */
};

struct lxfw_job_classes_state {
	struct lxfw_job_classes *classes;
	bool told;		/* else one class of everything, on every host */
	bool stale;		/* what follows is to be counted anew */
	struct host_state *hosts;
	size_t hosts_size;
	int32_t running[LXFW_TIME_CLASSES_MAX];	/* jobs, on all hosts */
	int32_t reserved[LXFW_TIME_CLASSES_MAX];	/* reservations; good
							   during a pass */
	int32_t lists[LISTS_MAX];	/* of each job class, classes of equal
					   requests in no particular order */
};

/* --- the classes -------------------------------------------------------------- */

/* One class of everything, without limits. */
static struct lxfw_job_classes *one_class(void)
{
	static const struct lxfw_host_rules rules = {
		.running_most = { LXFW_NO_COUNT_LIMIT }, .order_count = 1,
	};
	static const struct lxfw_job_classes classes = {
		.time_count = 1, .size_count = 1,
		.times = { { "any", LXFW_NO_TIME_LIMIT, LXFW_NO_TIME_LIMIT,
			     LXFW_NO_TIME_LIMIT, LXFW_NO_COUNT_LIMIT } },
		.sizes = { { "any", LXFW_NO_COUNT_LIMIT,
			     LXFW_NO_MEMORY_LIMIT } },
		.rules_count = 1, .rules = &rules,
	};

	return lxfw_job_classes_copy(&classes);
}

/* NULL where no job runs. */
static const struct lxfw_host_rules *rules_of(const struct lxfw_sched *sched,
					      int32_t host)
{
	const struct lxfw_job_classes_state *state = sched->job_classes;

	return state->told ? lxfw_job_classes_rules(state->classes, host) :
			     state->classes->rules;
}

/* --- lists of waiting jobs -------------------------------------------------------- */

/* The job class of a class of equal requests, which is put first on its list. */
static void enlist(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job_classes_state *state = sched->job_classes;
	struct lxfw_class *class = &sched->classes[index];
	int32_t *first;

	class->job_class = lxfw_job_class_of(state->classes, &class->request);
	if (class->job_class < 0)
		return;
	first = &state->lists[class->job_class];
	class->job_class_previous = -1;
	class->job_class_next = *first;
	if (*first >= 0)
		sched->classes[*first].job_class_previous = index;
	*first = index;
}

static void class_made(struct lxfw_sched *sched, void *state, int32_t index)
{
	const struct lxfw_job_classes_state *classes = state;

	if (!classes->stale)
		enlist(sched, index);
}

static void class_gone(struct lxfw_sched *sched, void *state, int32_t index)
{
	const struct lxfw_class *class = &sched->classes[index];

	(void)state;
	if (class->job_class < 0 || sched->job_classes->stale)
		return;
	if (class->job_class_next >= 0)
		sched->classes[class->job_class_next].job_class_previous =
			class->job_class_previous;
	if (class->job_class_previous >= 0)
		sched->classes[class->job_class_previous].job_class_next =
			class->job_class_next;
	else
		sched->job_classes->lists[class->job_class] =
			class->job_class_next;
}

/* --- counts of running jobs ------------------------------------------------------- */

/* The first host of a running job's claim, or -1. */
static int32_t host_of(const struct lxfw_sched *sched, int32_t index)
{
	int32_t node = sched->jobs[index].claim;

	while (node >= 0 && sched->profile.releases.nodes[node].host < 0)
		node = sched->profile.releases.nodes[node].next;
	return node < 0 ? -1 : sched->profile.releases.nodes[node].host;
}

/* A running job counts, or no longer does: on all hosts and on its (first) one. */
static void count(struct lxfw_sched *sched, int32_t index, int32_t sign)
{
	struct lxfw_job_classes_state *state = sched->job_classes;
	const struct lxfw_job *job = &sched->jobs[index];
	int32_t host = host_of(sched, index), class = -1;

	if (job->request.estimate > 0)
		class = lxfw_job_class_of(state->classes, &job->request);
	if (class < 0)
		return;
	state->running[lxfw_job_class_time(state->classes, class)] += sign;
	if (host >= 0)
		state->hosts[host].running[lxfw_job_class_size(state->classes,
							       class)] += sign;
}

static int ready(struct lxfw_sched *sched, void *of)
{
	struct lxfw_job_classes_state *state = of;
	void *grown;

	if (state->hosts_size >= (size_t)sched->profile.host_count)
		return 0;
	grown = lxfw_grow(state->hosts, &state->hosts_size,
			  (size_t)sched->profile.host_count,
			  sizeof(*state->hosts));
	if (!grown)
		return -1;
	state->hosts = grown;
	return 0;
}

static void running(struct lxfw_sched *sched, void *of, int32_t job)
{
	const struct lxfw_job_classes_state *state = of;

	if (!state->stale)
		count(sched, job, 1);
}

static void leaving(struct lxfw_sched *sched, void *of, int32_t job)
{
	const struct lxfw_job_classes_state *state = of;

	if (!state->stale)
		count(sched, job, -1);
}

static void ended(struct lxfw_sched *sched, void *of, int32_t job)
{
	struct lxfw_job_classes_state *state = of;
	int32_t node = sched->jobs[job].claim;

	if (state->stale)
		return;
	for (; node >= 0; node = sched->profile.releases.nodes[node].next) {
		int32_t host = sched->profile.releases.nodes[node].host;

		if (host >= 0)
			state->hosts[host].ended++;
	}
}

/* All lists and counts anew: the classes are others, or the policy is in force
   again. */
static void count_all(struct lxfw_sched *sched)
{
	struct lxfw_job_classes_state *state = sched->job_classes;

	memset(state->running, 0, sizeof(state->running));
	for (size_t i = 0; i < state->hosts_size; i++) {
		memset(state->hosts[i].running, 0,
		       sizeof(state->hosts[i].running));
		if (state->stale)
			state->hosts[i].ended = 0;
	}
	state->stale = false;
	for (int32_t i = 0; i < LISTS_MAX; i++)
		state->lists[i] = -1;
	for (size_t i = 0; i < sched->head_count; i++)
		enlist(sched, sched->heads[i].class);
	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (sched->jobs[i].state == LXFW_JOB_RUNNING)
			count(sched, (int32_t)i, 1);
	}
}

/* --- the state ------------------------------------------------------------------- */

static void clear(struct lxfw_sched *sched, void *of)
{
	struct lxfw_job_classes_state *state = of;

	free(state->classes);
	free(state->hosts);
	free(state);
	sched->job_classes = NULL;
}

static int state_ready(struct lxfw_sched *sched)
{
	static const struct lxfw_observer observer = {
		.ready = ready,
		.running = running,
		.leaving = leaving,
		.ended = ended,
		.class_made = class_made,
		.class_gone = class_gone,
		.clear = clear,
	};
	struct lxfw_job_classes_state *state = sched->job_classes;

	if (state)
		return 0;
	state = calloc(1, sizeof(*state));
	if (!state) {
		errno = ENOMEM;
		return -1;
	}
	state->classes = one_class();
	if (!state->classes) {
		free(state);
		errno = ENOMEM;
		return -1;
	}
	state->stale = true;
	sched->job_classes = state;
	lxfw_observe(sched, &observer, state);
	return 0;
}

int lxfw_job_classes_set(struct lxfw_sched *sched,
			 const struct lxfw_job_classes *classes)
{
	struct lxfw_job_classes *copy;

	if (state_ready(sched) < 0)
		return -1;
	copy = lxfw_job_classes_copy(classes);
	if (!copy)
		return -1;
	if (sched->params.policy == LXFW_POLICY_CLASSES)
		lxfw_reservations_drop_from(sched, 0);
	free(sched->job_classes->classes);
	sched->job_classes->classes = copy;
	sched->job_classes->told = true;
	sched->job_classes->stale = true;
	return 0;
}

void lxfw_job_classes_params(struct lxfw_sched *sched)
{
	if (sched->job_classes)
		sched->job_classes->stale = true;
}

/* --- what a host could run ------------------------------------------------------------ */

/* Whether the empty host could hold a job of these requests. */
static bool could_hold(const struct lxfw_sched *sched,
		       const struct lxfw_class *class, int32_t host)
{
	const struct lxfw_request *request = &class->request;

	if (!lxfw_resources_fit(&class->sum, &sched->profile.hosts[host].total))
		return false;
	for (int32_t i = 0; i < lxfw_request_alternatives(request); i++) {
		if (lxfw_host_allowed(sched, request, i, host))
			return true;
	}
	return false;
}

/* Whether a job of these requests can start on the host now; its share goes to
   sched->found. */
static bool fits_now(struct lxfw_sched *sched, const struct lxfw_class *class,
		     int32_t host, int32_t *host_set)
{
	return lxfw_resources_fit(&class->sum,
				  &sched->profile.hosts[host].free) &&
	       lxfw_place_on(sched, &class->request, host, host_set);
}

static bool size_at_limit(const struct lxfw_sched *sched, int32_t host,
			  int32_t size)
{
	return sched->job_classes->hosts[host].running[size] >=
	       rules_of(sched, host)->running_most[size];
}

/* Whether the limit on all hosts keeps one more job of a time class from starting.
   A reservation that it holds itself is its own. */
static bool time_at_limit(const struct lxfw_sched *sched, int32_t time, bool own)
{
	const struct lxfw_job_classes_state *state = sched->job_classes;

	return (int64_t)state->running[time] + state->reserved[time] - own >=
	       state->classes->times[time].running_most;
}

/* Where a job of a class stands among those of its size. */
static struct lxfw_candidate candidate(const struct lxfw_sched *sched,
				       int32_t job, int32_t rank)
{
	struct lxfw_candidate candidate = lxfw_candidate_of(sched, job);

	candidate.priority = -(double)rank;
	return candidate;
}

/* --- special reservations -------------------------------------------------------------- */

/* The job class of a waiting job. */
static int32_t time_of(const struct lxfw_sched *sched, int32_t job)
{
	return lxfw_job_class_time(sched->job_classes->classes,
		sched->classes[sched->jobs[job].class].job_class);
}

/* Whether a reservation can still be used some day. */
static bool still_good(const struct lxfw_sched *sched,
		       const struct lxfw_reservation *reservation)
{
	const struct lxfw_job *job = &sched->jobs[reservation->job];
	const struct lxfw_class *class = &sched->classes[job->class];
	int32_t host = reservation->host;

	return sched->profile.hosts[host].up && could_hold(sched, class, host) &&
	       reservation->start != LXFW_NEVER;
}

/* Which hosts are kept for whom. */
static void settle_reservations(struct lxfw_sched *sched)
{
	struct lxfw_job_classes_state *state = sched->job_classes;

	memset(state->reserved, 0, sizeof(state->reserved));
	for (int32_t i = 0; i < sched->profile.host_count; i++)
		state->hosts[i].reserved = -1;
	for (size_t i = sched->reservation_count; i-- > 0;) {
		const struct lxfw_reservation *reservation =
			&sched->reservations[i];

		if (!still_good(sched, reservation)) {
			lxfw_reservation_drop(sched, reservation->job);
			continue;
		}
		state->hosts[reservation->host].reserved = reservation->job;
		state->reserved[time_of(sched, reservation->job)]++;
	}
}

/* When a job can start on a host as far as is known; LXFW_NEVER if nothing says. */
static int64_t expected_start(const struct lxfw_sched *sched, int32_t job,
			      int32_t host)
{
	const struct lxfw_class *class = &sched->classes[sched->jobs[job].class];
	struct lxfw_resources need = class->sum;

	if (class->request.exclusive)
		need.procs = sched->profile.hosts[host].total.procs;
	return lxfw_profile_earliest(&sched->profile, host, &need,
				     class->request.estimate, sched->now);
}

/* Say that the host is kept for the job, which can start then. */
static int tell(struct lxfw_sched *sched, int32_t job, int32_t host,
		int64_t start)
{
	const struct lxfw_request *request = &sched->jobs[job].request;
	struct lxfw_share share = {
		.host = host,
		.amount = sched->classes[sched->jobs[job].class].sum,
	};
	struct lxfw_action action = {
		.type = LXFW_ACTION_RESERVE, .job = request->id, .start = start,
		.until = LXFW_NEVER, .count = 1, .shares = &share,
	};

	if (request->exclusive)
		share.amount.procs = sched->profile.hosts[host].total.procs;
	while (!lxfw_host_allowed(sched, request, action.host_set, host))
		action.host_set++;
	return lxfw_action_append(sched, &action);
}

/* Keep the host for the job. 1, 0 if nothing says until when, or -1 with errno
   ENOMEM. */
static int reserve(struct lxfw_sched *sched, int32_t index, int32_t host)
{
	struct lxfw_job_classes_state *state = sched->job_classes;
	struct lxfw_job *job = &sched->jobs[index];
	int64_t start = expected_start(sched, index, host);

	if (start == LXFW_NEVER)
		return 0;
	if (lxfw_reservations_ready(sched) < 0 ||
	    tell(sched, index, host, start) < 0)
		return -1;
	job->reservation = (int32_t)sched->reservation_count++;
	job->announced = true;
	sched->reservations[job->reservation] = (struct lxfw_reservation){
		.job = index, .claim = -1, .start = start, .host = host,
	};
	state->hosts[host].reserved = index;
	state->reserved[time_of(sched, index)]++;
	return 1;
}

/* Tell of expected starts that have moved. */
static int tell_moved(struct lxfw_sched *sched)
{
	for (size_t i = 0; i < sched->reservation_count; i++) {
		struct lxfw_reservation *reservation = &sched->reservations[i];
		int64_t start = expected_start(sched, reservation->job,
					       reservation->host);

		if (start == reservation->start)
			continue;
		if (start != LXFW_NEVER &&
		    tell(sched, reservation->job, reservation->host, start) < 0)
			return -1;
		reservation->start = start;
	}
	return 0;
}

/* The first job of a class of requests that has no reservation and has waited for
   WAIT, or -1. */
static int32_t overdue(const struct lxfw_sched *sched,
		       const struct lxfw_class *class, int64_t wait)
{
	int32_t job = class->head;

	while (job >= 0 && sched->jobs[job].reservation >= 0)
		job = sched->jobs[job].next;
	if (job >= 0 && sched->now - sched->jobs[job].request.submit < wait)
		return -1;
	return job;
}

/* Of the jobs of a size class that have waited long enough, the first that the host
   could run; or -1. */
static int32_t first_overdue(const struct lxfw_sched *sched, int32_t host,
			     int32_t size)
{
	const struct lxfw_job_classes_state *state = sched->job_classes;
	const struct lxfw_job_classes *classes = state->classes;
	const struct lxfw_host_rules *rules = rules_of(sched, host);
	struct lxfw_candidate best = { .job = -1 };

	for (int32_t time = 0; time < classes->time_count; time++) {
		int64_t wait = classes->times[time].reserve_wait;
		int32_t at = state->lists[time * classes->size_count + size];

		if (wait == LXFW_NO_TIME_LIMIT || rules->rank[time] < 0 ||
		    time_at_limit(sched, time, false))
			continue;
		for (; at >= 0; at = sched->classes[at].job_class_next) {
			const struct lxfw_class *class = &sched->classes[at];
			int32_t job = overdue(sched, class, wait);
			struct lxfw_candidate this;

			if (job < 0 || !could_hold(sched, class, host))
				continue;
			this = candidate(sched, job, rules->rank[time]);
			if (best.job < 0 || lxfw_candidate_before(&this, &best))
				best = this;
		}
	}
	return best.job;
}

/* --- the pass ------------------------------------------------------------------------------ */

/* Start JOB on the share that was found last. 1, or -1 with errno ENOMEM. */
static int start(struct lxfw_sched *sched, int32_t job, int32_t host_set)
{
	struct lxfw_job_classes_state *state = sched->job_classes;
	int32_t reservation = sched->jobs[job].reservation;
	int32_t time = time_of(sched, job), host = -1;

	if (reservation >= 0)
		host = sched->reservations[reservation].host;
	if (lxfw_job_start(sched, job, 1, host_set, LXFW_NEVER) < 0)
		return -1;
	if (host >= 0) {
		state->hosts[host].reserved = -1;
		state->reserved[time]--;
	}
	return 1;
}

/* The job that the host is kept for starts if it can. 1 when it has, 0, or -1. */
static int serve_reserved(struct lxfw_sched *sched, int32_t host)
{
	int32_t job = sched->job_classes->hosts[host].reserved, host_set;
	const struct lxfw_class *class = &sched->classes[sched->jobs[job].class];
	int32_t size = lxfw_job_class_size(sched->job_classes->classes,
					   class->job_class);

	if (size_at_limit(sched, host, size) ||
	    time_at_limit(sched, time_of(sched, job), true) ||
	    !fits_now(sched, class, host, &host_set))
		return 0;
	return start(sched, job, host_set);
}

/* A job has ended on a host that is kept for nobody: the first job that has waited
   long enough starts there, or the host is kept for it. 1, 0 if there is none, or
   -1. */
static int serve_overdue(struct lxfw_sched *sched, int32_t host)
{
	const struct lxfw_host_rules *rules = rules_of(sched, host);
	int32_t job = -1, host_set;

	for (int32_t i = 0; i < rules->order_count && job < 0; i++) {
		if (!size_at_limit(sched, host, rules->order[i]))
			job = first_overdue(sched, host, rules->order[i]);
	}
	if (job < 0)
		return 0;
	if (fits_now(sched, &sched->classes[sched->jobs[job].class], host,
		     &host_set))
		return start(sched, job, host_set);
	return reserve(sched, job, host);
}

/* The first job of a size class that can start on the host now, or -1. *BLOCKED
   tells of others that could run there but do not fit. */
static int32_t first_that_fits(struct lxfw_sched *sched, int32_t host,
			       int32_t size, bool *blocked)
{
	const struct lxfw_job_classes_state *state = sched->job_classes;
	const struct lxfw_job_classes *classes = state->classes;
	const struct lxfw_host_rules *rules = rules_of(sched, host);
	struct lxfw_candidate best = { .job = -1 };
	int32_t host_set;

	*blocked = false;
	for (int32_t time = 0; time < classes->time_count; time++) {
		int32_t at = state->lists[time * classes->size_count + size];

		if (rules->rank[time] < 0)
			continue;
		for (; at >= 0; at = sched->classes[at].job_class_next) {
			const struct lxfw_class *class = &sched->classes[at];
			struct lxfw_candidate this;

			/* Whoever has a reservation counts there already. */
			if (time_at_limit(sched, time, sched->jobs[class->head]
						       .reservation >= 0))
				continue;
			if (!fits_now(sched, class, host, &host_set)) {
				*blocked = *blocked ||
					   could_hold(sched, class, host);
				continue;
			}
			this = candidate(sched, class->head, rules->rank[time]);
			if (best.job < 0 || lxfw_candidate_before(&this, &best))
				best = this;
		}
	}
	return best.job;
}

/* Give what is free on a host that is kept for nobody to waiting jobs. 1 when one has
   started, 0, or -1. */
static int assign(struct lxfw_sched *sched, int32_t host)
{
	const struct lxfw_host_rules *rules = rules_of(sched, host);
	bool started = false, blocked = false;

	for (int32_t i = 0; i < rules->order_count && !blocked; i++) {
		int32_t size = rules->order[i], job, host_set;

		while (!size_at_limit(sched, host, size)) {
			if (sched->profile.hosts[host].free.procs < 1)
				return started;
			job = first_that_fits(sched, host, size, &blocked);
			if (job < 0)
				break;
			fits_now(sched, &sched->classes[sched->jobs[job].class],
				 host, &host_set);
			if (start(sched, job, host_set) < 0)
				return -1;
			started = true;
			blocked = false;
		}
	}
	return started;
}

/* All that is to be done on a host. 1 when anything was, 0, or -1. */
static int serve(struct lxfw_sched *sched, int32_t index)
{
	struct host_state *host = &sched->job_classes->hosts[index];
	int done = 0, rc = 0;

	if (!sched->profile.hosts[index].up || !rules_of(sched, index)) {
		host->ended = 0;
		return 0;
	}
	if (host->reserved >= 0) {
		done = serve_reserved(sched, index);
		if (host->ended > 0 && done > 0)
			host->ended--;
	}
	while (rc >= 0 && done >= 0 && host->ended > 0 && host->reserved < 0) {
		rc = serve_overdue(sched, index);
		host->ended -= rc >= 0;
		done |= rc > 0;
	}
	if (rc < 0 || done < 0)
		return -1;
	host->ended = 0;
	if (host->reserved < 0) {
		rc = assign(sched, index);
		done |= rc > 0;
	}
	return rc < 0 ? -1 : done;
}

static int prepare(struct lxfw_sched *sched)
{
	if (state_ready(sched) < 0 || ready(sched, sched->job_classes) < 0 ||
	    lxfw_place_ready(sched) < 0)
		return -1;
	/* A quantum of another policy's time may have ended. */
	if (sched->job_classes->stale || sched->quanta)
		count_all(sched);
	settle_reservations(sched);
	return 0;
}

int lxfw_job_classes_pass(struct lxfw_sched *sched)
{
	int32_t hosts = sched->profile.host_count, left = hosts, host = 0;

	if (prepare(sched) < 0)
		return -1;
	for (; left > 0; host = (host + 1) % hosts) {
		int rc = serve(sched, host);

		if (rc < 0)
			return -1;
		left = rc > 0 ? hosts : left - 1;
	}
	if (tell_moved(sched) < 0)
		return -1;
	return lxfw_reservations_tell(sched);
}
