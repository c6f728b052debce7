/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Job classes with limits and priorities per host: NCSA-LSF* (Chiang and Vernon 2001,
 * section 2.1). model/job_classes.h defines the classes.
 *
 * The free processors and memory of a host go to the waiting jobs of the size class that
 * is first in the host's order. Within the size class, jobs are ordered by the rank of
 * their time class on the host, then by submit time; jobs that do not fit are skipped.
 * The next size class follows when the first one has reached its limit of running jobs,
 * or has no waiting job that could run on the host. A job could run there if it fits on
 * the empty host and its time class has not reached its limit on all hosts together.
 *
 * When a job ends on a host, the first job that has waited for the reserve wait of its
 * class (table 1: that long or longer) and has no special reservation starts there, or
 * the host is reserved for it: free resources of the host are kept until that job can
 * start. The order is that of the host: size class, rank, submit time. Limits also apply
 * to reservations, so that reserved resources can be used: a reservation is made within
 * the limits only, and counts as a running job in the limit of the time class.
 *
 * The paper leaves open:
 *
 * - A host has at most one special reservation, and each end of a job makes at most one.
 *   The end of a job on a reserved host serves that reservation only.
 * - A job with a special reservation waits like any other. It starts on the first host
 *   where it can, and the resources reserved for it become free. For other size classes
 *   it counts as waiting on every host.
 * - A reservation is cancelled when its job leaves the queue or changes, and when its
 *   host goes down or can no longer hold the job. The job may get another one when a job
 *   ends. No reservation is made if the start of the job cannot be predicted.
 * - Hosts are served by index, repeatedly until nothing changes: a start or a reservation
 *   on one host may allow another host to continue with its next size class.
 * - Tiers come before ranks within a size class. Jobs that were first seen running, so
 *   that their requests are unknown, count in no limit.
 *
 * The policy needs no wake-up, since all changes follow events. The expected start of a
 * reservation is announced, and announced again when it changes.
 */
#include "common/policy/classes/private.h"

#include <string.h>

#include "common/books/candidate.h"
#include "common/books/decision.h"
#include "common/books/reservation.h"
#include "common/books/run.h"
#include "common/place/place.h"

/* --- what a host could run ------------------------------------------------------------ */

/* Whether a job with these requests fits on the empty host. */
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

/* Whether a job with these requests can start on the host now. Puts the share into
   sched->found. */
static bool fits_now(struct lxfw_sched *sched, const struct lxfw_class *class,
		     int32_t host, int32_t *host_set)
{
	return lxfw_resources_fit(&class->sum,
				  lxfw_profile_free(&sched->profile, host)) &&
	       lxfw_place_on(sched, &class->request, host, host_set);
}

static bool size_at_limit(const struct lxfw_sched *sched, int32_t host,
			  int32_t size)
{
	return classes_of(sched)->hosts[host].running[size] >=
	       rules_of(sched, host)->running_most[size];
}

/* Whether the limit on all hosts prevents another job of a time class from starting. OWN:
   the job itself has one of the reservations that are counted. */
static bool time_at_limit(const struct lxfw_job_classes_state *state, int32_t time,
			  bool own)
{
	return (int64_t)state->running[time] + state->reserved[time] - own >=
	       state->classes->times[time].running_most;
}

/* The sort key of a job among those of its size class. */
static struct lxfw_candidate candidate(const struct lxfw_sched *sched,
				       int32_t job, int32_t rank)
{
	struct lxfw_candidate candidate = lxfw_candidate_of(sched, job);

	candidate.priority = -(double)rank;
	return candidate;
}

/* --- special reservations -------------------------------------------------------------- */

/* The time class of a waiting job. */
static int32_t time_of(const struct lxfw_sched *sched, int32_t job)
{
	return lxfw_job_class_time(classes_of(sched)->classes,
		sched->classes[sched->jobs[job].class].job_class);
}

/* Whether a reservation can still be used. */
static bool still_good(const struct lxfw_sched *sched,
		       const struct lxfw_reservation *reservation)
{
	const struct lxfw_job *job = &sched->jobs[reservation->job];
	const struct lxfw_class *class = &sched->classes[job->class];
	int32_t host = reservation->host;

	return sched->profile.hosts[host].up && could_hold(sched, class, host) &&
	       reservation->start != LXFW_NEVER;
}

/* Drop reservations that cannot be used, and record which hosts are reserved. */
static void settle_reservations(struct lxfw_sched *sched)
{
	struct lxfw_job_classes_state *state = classes_of(sched);

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

/* The expected start of a job on a host, or LXFW_NEVER if it cannot be predicted. */
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

/* Announce that the host is reserved for the job, and its expected start. */
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

/* Reserve the host for the job. Returns 1, 0 if its start cannot be predicted, or -1 with
   errno ENOMEM. */
static int reserve(struct lxfw_sched *sched, int32_t index, int32_t host)
{
	struct lxfw_job_classes_state *state = classes_of(sched);
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
		.job = index, .claim = -1, .aside = -1, .start = start, .host = host,
		.end = lxfw_time_add(start, job->request.estimate),
	};
	state->hosts[host].reserved = index;
	state->reserved[time_of(sched, index)]++;
	return 1;
}

/* Announce expected starts that have changed. */
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
		reservation->end = lxfw_time_add(
			start, sched->jobs[reservation->job].request.estimate);
	}
	return 0;
}

/* The first job of a class of requests that has no reservation and has waited for WAIT
   seconds, or -1. */
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

/* The first job of a size class that has waited long enough and could run on the host, or
   -1. */
static int32_t first_overdue(const struct lxfw_sched *sched, int32_t host,
			     int32_t size)
{
	const struct lxfw_job_classes_state *state = classes_of(sched);
	const struct lxfw_job_classes *classes = state->classes;
	const struct lxfw_host_rules *rules = rules_of(sched, host);
	struct lxfw_candidate best = { .job = -1 };

	for (int32_t time = 0; time < classes->time_count; time++) {
		int64_t wait = classes->times[time].reserve_wait;
		int32_t at = state->lists[time * classes->size_count + size];

		if (wait == LXFW_NO_TIME_LIMIT || rules->rank[time] < 0 ||
		    time_at_limit(state, time, false))
			continue;
		for (; at >= 0; at = sched->classes[at].job_class_next) {
			const struct lxfw_class *class = &sched->classes[at];
			int32_t job = overdue(sched, class, wait);
			struct lxfw_candidate this;

			if (job < 0 || class->request.no_reservation ||
			    !could_hold(sched, class, host))
				continue;
			this = candidate(sched, job, rules->rank[time]);
			if (best.job < 0 || lxfw_candidate_before(&this, &best))
				best = this;
		}
	}
	return best.job;
}

/* --- the pass ------------------------------------------------------------------------------ */

/* Start JOB on the share that was found last. Returns 1, or -1 with errno ENOMEM. */
static int start(struct lxfw_sched *sched, int32_t job, int32_t host_set)
{
	struct lxfw_job_classes_state *state = classes_of(sched);
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

/* Start the job for which the host is reserved, if it fits. Returns 1 if it has started,
   0, or -1. */
static int serve_reserved(struct lxfw_sched *sched, int32_t host)
{
	int32_t job = classes_of(sched)->hosts[host].reserved, host_set;
	const struct lxfw_class *class = &sched->classes[sched->jobs[job].class];
	int32_t size = lxfw_job_class_size(classes_of(sched)->classes,
					   class->job_class);

	if (size_at_limit(sched, host, size) ||
	    time_at_limit(classes_of(sched), time_of(sched, job), true) ||
	    !fits_now(sched, class, host, &host_set))
		return 0;
	return start(sched, job, host_set);
}

/* A job has ended on a host that is not reserved. Start the first job there that has
   waited long enough, or reserve the host for it. Returns 1, 0 if there is no such job,
   or -1. */
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

/* The first job of a size class that can start on the host now, or -1. *BLOCKED is set if
   another job could run there but does not fit. */
static int32_t first_that_fits(struct lxfw_sched *sched, int32_t host,
			       int32_t size, bool *blocked)
{
	const struct lxfw_job_classes_state *state = classes_of(sched);
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

			/* A job with a reservation is counted already. */
			if (time_at_limit(state, time, sched->jobs[class->head]
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

/* Give the free resources of a host that is not reserved to waiting jobs. Returns 1 if a
   job has started, 0, or -1. */
static int assign(struct lxfw_sched *sched, int32_t host)
{
	const struct lxfw_host_rules *rules = rules_of(sched, host);
	bool started = false, blocked = false;

	for (int32_t i = 0; i < rules->order_count && !blocked; i++) {
		int32_t size = rules->order[i], job, host_set;

		while (!size_at_limit(sched, host, size)) {
			if (lxfw_profile_free(&sched->profile, host)->procs < 1)
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

/* Do all that is due on a host. Returns 1 if anything changed, 0, or -1. */
static int serve(struct lxfw_sched *sched, int32_t index)
{
	struct host_state *host = &classes_of(sched)->hosts[index];
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
	if (lxfw_classes_count(sched) < 0 || lxfw_place_ready(sched) < 0)
		return -1;
	settle_reservations(sched);
	return 0;
}

int lxfw_classes_pass(struct lxfw_sched *sched)
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
