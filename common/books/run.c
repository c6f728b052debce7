/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/books/run.h"

#include "common/books/books.h"
#include "common/books/candidate.h"
#include "common/books/decision.h"
#include "common/books/observer.h"
#include "common/books/overrun.h"
#include "common/books/queue.h"
#include "common/books/reservation.h"

static bool comes_before(const struct lxfw_sched *sched, int32_t job,
			 const struct lxfw_candidate *starts)
{
	struct lxfw_candidate waits = lxfw_candidate_of(sched, job);

	return lxfw_candidate_before(&waits, starts);
}

/* Count the job as bypassing every waiting job of higher priority (the last job measure
   of table 3). In a class these are the first jobs, most often all, unless a job that has
   waited longer was bypassed less often. */
static void count_bypassed(struct lxfw_sched *sched, int32_t started)
{
	struct lxfw_candidate starts = lxfw_candidate_of(sched, started);

	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];
		struct lxfw_class *class = &sched->classes[head->class];

		if (!head->uneven && lxfw_head_after(sched, head, &starts))
			continue;
		if (!head->uneven &&
		    comes_before(sched, class->tail, &starts)) {
			class->bypassed++;
			head->bypassed++;
			continue;
		}
		for (int32_t at = class->head; at >= 0;
		     at = sched->jobs[at].next) {
			if (comes_before(sched, at, &starts))
				sched->jobs[at].bypassed++;
			else if (!head->uneven)
				break;
		}
		head->bypassed = class->bypassed +
				 sched->jobs[class->head].bypassed;
	}
}

/* Expected run time on the processors of sched->found. The estimate is for all requested
   processors; with fewer processors the job runs proportionally longer. More processors
   than requested are of use to moldable jobs only. */
static int64_t estimate_on(const struct lxfw_sched *sched,
			   const struct lxfw_request *request, int32_t count)
{
	int32_t asked = request->unit.procs * request->count;
	bool grows = lxfw_molds(sched) && !request->exclusive;
	int64_t given = 0, seconds;

	for (int32_t i = 0; i < count; i++)
		given += sched->found[i].amount.procs;
	if (given < 1 || given == asked || (given > asked && !grows))
		return request->estimate;
	seconds = lxfw_time_scale(request->estimate, asked, (int32_t)given);
	return seconds > 0 ? seconds : 1;
}

/* Run time in seconds that a job with `min_estimate` gets on the shares of sched->found,
   which are available for that time: as much of its estimate as delays no reservation. */
static int64_t limit_on(const struct lxfw_sched *sched,
			const struct lxfw_request *request, int32_t count)
{
	int64_t begin = lxfw_time_add(sched->now,
				      lxfw_boot_of(sched, sched->found, count));
	int64_t end = lxfw_time_add(begin, request->estimate);

	for (int32_t i = 0; i < count; i++)
		end = lxfw_profile_until(&sched->profile, &sched->found[i],
					 sched->now, end);
	return end - begin > request->min_estimate ? end - begin :
						     request->min_estimate;
}

int lxfw_job_start(struct lxfw_sched *sched, int32_t index, int32_t count,
		   int32_t host_set, int64_t until)
{
	struct lxfw_job *job = &sched->jobs[index];
	int64_t seconds = estimate_on(sched, &job->request, count);
	struct lxfw_action action = {
		.type = LXFW_ACTION_START, .job = job->request.id,
		.start = sched->now, .until = until,
		.host_set = host_set, .count = count, .shares = sched->found,
	};

	for (int32_t i = 0; i < count; i++)
		sched->found[i].sockets = lxfw_profile_sockets(&sched->profile,
							       &sched->found[i]);
	if (job->request.min_estimate && until == LXFW_NEVER &&
	    seconds == job->request.estimate)
		seconds = limit_on(sched, &job->request, count);
	if (seconds < job->request.estimate)
		action.limit = seconds;
	job->start = sched->now;
	job->due = lxfw_time_add(sched->now,
				 seconds + lxfw_boot_of(sched, sched->found, count));
	if (until < job->due)
		job->due = until;
	job->expected_end = job->due;
	if (lxfw_profile_ready_run(&sched->profile, count) < 0 ||
	    lxfw_expiry_ready(sched, 1) < 0 ||
	    lxfw_observers_ready(sched) < 0 ||
	    lxfw_action_append(sched, &action) < 0)
		return -1;
	if (sched->params.wbypass != 0 && job->state == LXFW_JOB_WAITING)
		count_bypassed(sched, index);
	lxfw_reservation_use(sched, index);
	lxfw_queue_remove(sched, index);
	job->claim = lxfw_profile_run(&sched->profile, sched->found, count,
				      job->expected_end);
	lxfw_expiry_add(sched, index);
	job->state = LXFW_JOB_RUNNING;
	job->announced = false;
	job->ran = 0;
	job->paused = 0;
	job->suspensions = 0;
	job->continued = sched->now;
	sched->waiting--;
	sched->running++;
	lxfw_observed_running(sched, index);
	return 0;
}

int lxfw_job_resize(struct lxfw_sched *sched, int32_t index, int32_t procs)
{
	struct lxfw_job *job = &sched->jobs[index];
	bool on_time = job->due == job->expected_end;
	int64_t end = job->expected_end;
	struct lxfw_share share;
	const struct lxfw_action action = {
		.type = LXFW_ACTION_RESIZE, .job = job->request.id,
		.start = sched->now, .until = LXFW_NEVER,
		.count = 1, .shares = &share,
	};

	lxfw_profile_single(&sched->profile, job->claim, &share);
	if (end != LXFW_NEVER && share.amount.procs > 0)
		end = lxfw_time_add(sched->now,
				    lxfw_time_scale(end - sched->now,
						    share.amount.procs, procs));
	share.amount.procs = procs;
	if (lxfw_expiry_ready(sched, 1) < 0 ||
	    lxfw_action_append(sched, &action) < 0)
		return -1;
	lxfw_profile_resize(&sched->profile, job->claim, procs, end);
	/* Reservations may depend on the earlier end. */
	sched->sooner |= end < job->expected_end;
	job->expected_end = end;
	if (on_time)
		job->due = end;
	lxfw_expiry_add(sched, index);
	lxfw_observed_resized(sched, index);
	return 0;
}

static int append(struct lxfw_sched *sched, int32_t index, enum lxfw_action_type type,
		  const struct lxfw_share *shares, int32_t count)
{
	const struct lxfw_action action = {
		.type = type, .job = sched->jobs[index].request.id,
		.start = sched->now, .until = LXFW_NEVER,
		.count = count, .shares = shares,
	};

	return lxfw_action_append(sched, &action);
}

int lxfw_job_suspend(struct lxfw_sched *sched, int32_t index,
		     const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_job *job = &sched->jobs[index];

	if (append(sched, index, LXFW_ACTION_SUSPEND, shares, count) < 0)
		return -1;
	job->ran += sched->now - job->continued;
	return 0;
}

int lxfw_job_resume(struct lxfw_sched *sched, int32_t index,
		    const struct lxfw_share *shares, int32_t count)
{
	if (append(sched, index, LXFW_ACTION_RESUME, shares, count) < 0)
		return -1;
	sched->jobs[index].continued = sched->now;
	return 0;
}

int lxfw_job_requeue(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];

	if (append(sched, index, LXFW_ACTION_REQUEUE, NULL, 0) < 0)
		return -1;
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = -1;
	return 0;
}
