/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Jobs that are suspended at the end of their quantum (lxfw_quantum_end=suspend), or that
 * were preempted by priority (pass/preemption.h).
 *
 * Such a job waits in the queue by its priority. On its hosts it keeps memory and extras,
 * so it needs processors only. When it is considered, it resumes there if it can. If it
 * can start elsewhere instead, or at an earlier time, it is requeued and starts there. It
 * then loses at most a quantum of work; otherwise jobs of one size would wait for each
 * other on the one host that fits them best while other hosts are idle. Only jobs on the
 * same single host share a class. A job is never suspended with less memory than
 * requested, so no suspended job waits for memory that another one keeps.
 *
 * An exclusive job gets no reservation on a host where a suspended job waits, whose
 * processors are free: neither of them could start.
 *
 * No job waits forever for resources that suspended jobs keep. If the next job to reserve
 * for can start at no time, the suspended jobs behind it are requeued, the last one
 * first, until it can.
 */
#include "common/pass/suspended.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/decision.h"
#include "common/books/observer.h"
#include "common/books/overrun.h"
#include "common/books/queue.h"
#include "common/books/reservation.h"
#include "common/books/run.h"
#include "common/place/place.h"

/* Claim what the job keeps. There is room for the claim, since the job has, or just had,
   one with as many shares. */
static void claim_kept(struct lxfw_sched *sched, struct lxfw_job *job)
{
	struct lxfw_share *shares = sched->found;

	for (int32_t i = 0; i < job->kept_count; i++) {
		shares[i] = job->kept[i];
		shares[i].amount.procs = 0;
		if (job->released)
			shares[i].amount = (struct lxfw_resources){ 0 };
	}
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = lxfw_profile_run(&sched->profile, shares, job->kept_count,
				      LXFW_NEVER);
	lxfw_profile_keep(&sched->profile, job->claim);
}

int lxfw_suspended_begin(struct lxfw_sched *sched, int32_t index,
			 const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_job *job = &sched->jobs[index];
	size_t size = (size_t)count * sizeof(*shares);
	struct lxfw_share *kept;

	if (lxfw_place_ready(sched) < 0 ||
	    lxfw_actions_ready(sched, 1, (size_t)count) < 0)
		return -1;
	kept = malloc(size);
	if (!kept) {
		errno = ENOMEM;
		return -1;
	}
	memcpy(kept, shares, size);
	free(job->kept);	/* of an earlier suspension */
	job->kept = kept;
	job->released = sched->policy->backfill.preempts &&
			sched->params.rem_frees == LXFW_REM_FREES_ALL;
	job->kept_count = count;
	job->request.min_estimate = 0;	/* it resumes for the rest of its estimate */
	if (lxfw_queue_add(sched, index) < 0) {
		free(job->kept);
		job->kept = NULL;
		return -1;
	}
	claim_kept(sched, job);
	/* It keeps what is claimed now. */
	return lxfw_job_suspend(sched, index, sched->found, count);
}

void lxfw_suspended_refused(struct lxfw_sched *sched, int32_t index)
{
	/* The arrays have had room for all hosts since the job was suspended, and the
	   number of hosts never falls. */
	claim_kept(sched, &sched->jobs[index]);
}

/* Put what the job needs to resume into sched->found: the processors of its shares, or all
   that it has released. Returns the number of shares. */
static int32_t needed(struct lxfw_sched *sched, const struct lxfw_job *job)
{
	for (int32_t i = 0; i < job->kept_count; i++)
		sched->found[i] = (struct lxfw_share){
			.host = job->kept[i].host, .sockets = job->kept[i].sockets,
			.amount.procs = job->kept[i].amount.procs,
		};
	for (int32_t i = 0; i < job->kept_count && job->released; i++)
		sched->found[i].amount = job->kept[i].amount;
	return job->kept_count;
}

/* --- the reservation of a policy that preempts ------------------------------------- */

/* Whether the job, or one of its group, runs on empty hosts only. */
static bool needs_empty_hosts(const struct lxfw_sched *sched, int32_t index)
{
	for (; index >= 0; index = sched->jobs[index].group_next) {
		if (sched->jobs[index].request.exclusive)
			return true;
	}
	return false;
}

/* Whether the jobs keep resources on the same host. Shares are ascending by host. */
static bool meet(const struct lxfw_job *a, const struct lxfw_job *b)
{
	int32_t i = 0, j = 0;

	while (i < a->kept_count && j < b->kept_count) {
		if (a->kept[i].host == b->kept[j].host)
			return true;
		if (a->kept[i].host < b->kept[j].host)
			i++;
		else
			j++;
	}
	return false;
}

static bool keeps_nothing(const struct lxfw_job *job)
{
	for (int32_t i = 0; i < job->kept_count && !job->released; i++) {
		struct lxfw_resources amount = job->kept[i].amount;

		amount.procs = 0;
		if (!lxfw_resources_are_none(&amount))
			return false;
	}
	return true;
}

/* There is room for the claims, which the jobs have had. */
int lxfw_suspended_aside(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *of = &sched->jobs[index];
	bool here = of->kept && lxfw_suspended_stays(sched, index);
	/* A claim of nothing is in the way only of one that needs empty hosts. */
	bool all = needs_empty_hosts(sched, index);

	if (lxfw_place_ready(sched) < 0)
		return -1;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		struct lxfw_job *job = &sched->jobs[i];

		if (job->state != LXFW_JOB_FREE && job->state != LXFW_JOB_RUNNING &&
		    job->kept && job->claim >= 0 && (!here || meet(of, job)) &&
		    (all || !keeps_nothing(job))) {
			lxfw_profile_stop(&sched->profile, job->claim);
			job->claim = -1;
			sched->aside = true;
		}
	}
	return 0;
}

void lxfw_suspended_back(struct lxfw_sched *sched)
{
	for (size_t i = 0; sched->aside && i < sched->jobs_used; i++) {
		struct lxfw_job *job = &sched->jobs[i];

		if (job->state != LXFW_JOB_FREE && job->state != LXFW_JOB_RUNNING &&
		    job->kept && job->claim < 0)
			claim_kept(sched, job);
	}
	sched->aside = false;
}

/* Whether a job that keeps resources on the hosts of SHARES is in the way of the reservation. */
static bool is_in_way(const struct lxfw_sched *sched, const struct lxfw_reservation *of,
		      const struct lxfw_share *shares, int32_t count)
{
	bool shared = false;

	for (int32_t hold = of->claim; hold >= 0; hold = sched->profile.holds[hold].next) {
		for (int32_t i = 0; i < count; i++)
			shared |= sched->profile.holds[hold].host == shares[i].host;
	}
	return shared && (lxfw_profile_overbooked(&sched->profile, of->claim) ||
			  needs_empty_hosts(sched, of->job));
}

bool lxfw_suspended_hinders(const struct lxfw_sched *sched,
			    const struct lxfw_share *shares, int32_t count)
{
	for (size_t i = 0; i < sched->reservation_count; i++) {
		if (is_in_way(sched, &sched->reservations[i], shares, count))
			return true;
	}
	return false;
}

/* Leave out the holds of the first reservation that the suspended job is in the way of, and of
   those behind it: they may begin only when that one does, and wait for the job, too. */
static void leave_out(struct lxfw_sched *sched, const struct lxfw_job *job)
{
	size_t first = 0;

	while (first < sched->reservation_count &&
	       !is_in_way(sched, &sched->reservations[first], job->kept, job->kept_count))
		first++;
	for (size_t i = first; i < sched->reservation_count; i++) {
		sched->reservations[i].left_out = true;
		lxfw_profile_count_hold(&sched->profile, sched->reservations[i].claim, -1);
	}
}

static void take_in(struct lxfw_sched *sched)
{
	for (size_t i = 0; i < sched->reservation_count; i++) {
		struct lxfw_reservation *of = &sched->reservations[i];

		if (of->left_out)
			lxfw_profile_count_hold(&sched->profile, of->claim, 1);
		of->left_out = false;
	}
}

/* Whether the job can resume beside the holds. sched->found has the COUNT shares. */
static bool fits_now(const struct lxfw_sched *sched, const struct lxfw_job *job,
		     int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_share *share = &sched->found[i];
		struct lxfw_resources available;

		lxfw_profile_available(&sched->profile, share->host, sched->now,
				       lxfw_time_add(sched->now,
						     job->request.estimate),
				       &available);
		lxfw_resources_lower(&available,
				     lxfw_profile_free(&sched->profile, share->host));
		if (share->amount.procs > available.procs ||
		    (job->released &&
		     !lxfw_resources_fit(&share->amount, &available)) ||
		    !sched->profile.hosts[share->host].up)
			return false;
	}
	return true;
}

int32_t lxfw_suspended_now(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	int32_t count;
	bool fits;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	count = needed(sched, job);
	if (sched->policy->backfill.preempts)
		leave_out(sched, job);
	fits = fits_now(sched, job, count);
	take_in(sched);
	return fits ? count : 0;
}

bool lxfw_suspended_stays(const struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];

	for (int32_t i = 0; i < job->kept_count; i++) {
		if (!sched->profile.hosts[job->kept[i].host].up)
			return false;
	}
	return sched->policy->backfill.preempts;
}

/* The earliest start on the job's own hosts, or LXFW_NEVER. */
static int64_t earliest_here(struct lxfw_sched *sched, int32_t index)
{
	const struct lxfw_job *job = &sched->jobs[index];
	int32_t count = needed(sched, job);
	int64_t start = sched->now;

	for (bool moved = true; moved;) {
		moved = false;
		for (int32_t i = 0; i < count; i++) {
			int64_t time = lxfw_profile_earliest(
				&sched->profile, sched->found[i].host,
				&sched->found[i].amount, job->request.estimate,
				start);

			if (time == LXFW_NEVER ||
			    !sched->profile.hosts[sched->found[i].host].up)
				return LXFW_NEVER;
			moved |= time > start;
			start = time;
		}
	}
	return start;
}

int32_t lxfw_suspended_earliest(struct lxfw_sched *sched, int32_t index,
				int64_t *start, int32_t *host_set)
{
	const struct lxfw_job *job = &sched->jobs[index];
	int64_t here, elsewhere;
	int32_t count;

	if (lxfw_place_ready(sched) < 0)
		return -1;
	here = earliest_here(sched, index);
	if (lxfw_suspended_stays(sched, index)) {
		*start = here;
		*host_set = 0;
		return here == LXFW_NEVER ? 0 : needed(sched, job);
	}
	count = lxfw_place_earliest(sched, &job->request, &elsewhere, host_set);
	*start = elsewhere;
	if (count < 0 || here == LXFW_NEVER || (count > 0 && elsewhere < here))
		return count;
	*start = here;
	return needed(sched, job);
}

int lxfw_suspended_resume(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	int64_t left = job->request.estimate - job->ran;

	if (lxfw_expiry_ready(sched, 1) < 0 || lxfw_observers_ready(sched) < 0 ||
	    lxfw_job_resume(sched, index, job->kept, job->kept_count) < 0)
		return -1;
	lxfw_reservation_use(sched, index);
	lxfw_queue_remove(sched, index);
	job->due = lxfw_time_add(sched->now, left < 1 ? 1 : left);
	job->expected_end = job->due;
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = lxfw_profile_run(&sched->profile, job->kept,
				      job->kept_count, job->expected_end);
	lxfw_expiry_add(sched, index);
	job->state = LXFW_JOB_RUNNING;
	job->announced = false;
	job->paused = sched->now - job->start - job->ran;
	sched->waiting--;
	sched->running++;
	lxfw_observed_running(sched, index);
	return 0;
}

/* Requeue the job with the loss of its work. Its place in the queue is kept. */
static void give_up(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];

	lxfw_job_requeue(sched, index);		/* the memory has been allocated */
	free(job->kept);
	job->kept = NULL;
	job->kept_count = 0;
	job->ran = 0;
	sched->gains++;
	lxfw_improved(sched, LXFW_NEVER);
}

int lxfw_suspended_leave(struct lxfw_sched *sched, int32_t index, int32_t count)
{
	if (lxfw_actions_ready(sched, 2, (size_t)count) < 0 ||
	    lxfw_profile_ready_run(&sched->profile, count) < 0 ||
	    lxfw_expiry_ready(sched, 1) < 0 || lxfw_observers_ready(sched) < 0)
		return -1;
	give_up(sched, index);
	return 0;
}

/* --- making room ----------------------------------------------------------------- */

/* The last suspended job in the order of priority that comes after FIRST, or -1. */
static int32_t last_after(const struct lxfw_sched *sched, int32_t first)
{
	struct lxfw_candidate last = lxfw_candidate_of(sched, first);
	int32_t found = -1;

	for (size_t i = 0; i < sched->head_count; i++) {
		const struct lxfw_class *class =
			&sched->classes[sched->heads[i].class];
		struct lxfw_candidate candidate;

		if (class->host < 0)
			continue;
		candidate = lxfw_candidate_of(sched, class->tail);
		if (!lxfw_candidate_before(&last, &candidate))
			continue;
		last = candidate;
		found = class->tail;
	}
	return found;
}

/* Requeue the job. It loses its work and waits like any other job. */
static int put_back(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_share *kept = job->kept;

	if (lxfw_actions_ready(sched, 1, 0) < 0)
		return -1;
	lxfw_reservation_drop(sched, index);
	lxfw_queue_remove(sched, index);
	job->kept = NULL;
	if (lxfw_queue_add(sched, index) < 0) {
		/* Its old class still exists, or its slot has just become free, so there
		   is room. */
		job->kept = kept;
		if (lxfw_queue_add(sched, index) < 0)
			lxfw_queue_refuse(sched, index);
		errno = ENOMEM;
		return -1;
	}
	job->kept = kept;
	give_up(sched, index);
	return 0;
}

int lxfw_suspended_make_way(struct lxfw_sched *sched)
{
	int32_t stuck = sched->stuck, index, host_set, count = 0;
	int64_t start;

	sched->stuck = -1;
	while (count == 0) {
		index = last_after(sched, stuck);
		if (index < 0) {
			sched->suspended = 0;
			return 0;
		}
		if (put_back(sched, index) < 0)
			return -1;
		count = lxfw_place_earliest(sched, &sched->jobs[stuck].request,
					    &start, &host_set);
	}
	return count < 0 ? -1 : 0;
}

void lxfw_suspended_count(struct lxfw_sched *sched)
{
	sched->suspended = 0;
	for (size_t i = 0; i < sched->head_count; i++)
		sched->suspended += sched->classes[sched->heads[i].class].host >= 0;
}

int lxfw_suspended_end(struct lxfw_sched *sched)
{
	size_t i = 0;

	while (sched->suspends && i < sched->head_count) {
		int32_t class = sched->heads[i].class;

		if (sched->classes[class].host < 0)
			i++;	/* otherwise the class loses a job, or another class takes
				   its place */
		else if (put_back(sched, sched->classes[class].head) < 0)
			return -1;
	}
	return 0;
}
