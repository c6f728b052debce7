/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Preemptive priority by waiting and remaining time (Balasubramanian, Sussman and Sadeh
 * 2013, section 5.1: local scheduling).
 *
 * - The priority of a job is a * W - b * Trem. W is the time for which it has not run since
 *   its submission, suspensions included. Trem is the rest of its requested time, 0 or more.
 * - Jobs are considered in the order of priority. A job that does not fit preempts running
 *   jobs of lower priority if they release enough (pass/preemption.h, algorithm 1); otherwise
 *   it waits, and jobs behind it may start (backfill).
 * - A pass follows each submission and each end of a job, and lxfw_interval seconds (delta)
 *   after the last one while jobs wait. If a is 0 the interval matters only to jobs that
 *   were preempted in the last pass: the order of two jobs then changes only in favour of
 *   the one that runs. Passes that cannot change anything are omitted (next_change).
 * - A preempted job waits like any other job, and resumes where it was suspended.
 *
 * - A job that waits only because of its priority has no reservation: as in the paper, jobs
 *   that are backfilled are preempted for it later. The first job that would not fit even if
 *   all jobs that may be preempted were has a reservation, and jobs behind it delay it no
 *   more: they start beside it, and preempt no job that would keep what it needs. Suspended
 *   jobs that keep what it needs resume without regard to it. Thus with a > 0 no job waits
 *   forever. In the paper every job can be preempted and releases everything, so that there
 *   is no such job.
 *
 * Where the paper is silent or is not followed:
 * - Algorithm 1 first starts what fits, then preempts, also the jobs just started. Here one
 *   walk through the queue does both, so that no job is started and preempted at once.
 * - A job that is preempted in a pass is not considered again in the same pass, and one that
 *   starts or resumes in a pass is not preempted in it.
 * - The while condition of algorithm 1 continues while the priority is not 0; here, as in
 *   the text, a job preempts only jobs of lower priority.
 * - A job is not preempted in the first lxfw_rem_min_run seconds after its start or its
 *   resumption. The paper has no such bound; on a cluster the nodes need some seconds to
 *   suspend or resume a job.
 * - A preempted job releases its processors, or with lxfw_rem_frees=all all its resources,
 *   as in the paper, whose R is the set of all resources.
 * - Jobs of a lower tier have lower priority. Exclusive jobs and jobs of several components neither
 *   preempt nor are preempted; jobs with a minimum time limit do not preempt.
 * - With a >= b two jobs can preempt each other again and again, as the paper observes for
 *   a >= 1: they alternate once in each interval.
 */
#include "common/books/books.h"
#include "common/pass/preempting.h"
#include "common/policy/registry.h"

/* Seconds for which the job has run. */
static int64_t ran(const struct lxfw_sched *sched, const struct lxfw_job *job)
{
	if (job->state == LXFW_JOB_RUNNING)
		return job->ran + sched->now - job->continued;
	return job->kept ? job->ran : 0;
}

/* Rest of the requested time, 0 or more. */
static int64_t rest_of(const struct lxfw_sched *sched, const struct lxfw_job *job)
{
	int64_t rest = job->request.estimate - ran(sched, job);

	return rest > 0 ? rest : 0;
}

static double priority_of(const struct lxfw_sched *sched, const struct lxfw_job *job)
{
	return sched->params.rem_wait *
		       (double)(sched->now - lxfw_job_since(job) - ran(sched, job)) -
	       sched->params.rem_time * (double)rest_of(sched, job);
}

/* Set the priorities of waiting jobs; each is alone in its class. */
static int rank(struct lxfw_sched *sched)
{
	if (lxfw_preempting_collect(sched, priority_of) < 0)
		return -1;
	for (size_t i = 0; i < sched->head_count; i++) {
		struct lxfw_head *head = &sched->heads[i];

		head->intercept = priority_of(
			sched, &sched->jobs[sched->classes[head->class].head]);
	}
	return 0;
}

static int may_reserve(struct lxfw_sched *sched, int32_t index)
{
	int rc;

	if (lxfw_preempting_cannot(&sched->jobs[index]))
		return 1;
	rc = lxfw_preemption_suffices(sched, &lxfw_preempting_of(sched)->preemption, index);
	return rc < 0 ? -1 : !rc;
}

static int32_t make_room(struct lxfw_sched *sched, int32_t index, bool due)
{
	(void)due;
	return lxfw_preempting_make_room(sched, index,
					 priority_of(sched, &sched->jobs[index]));
}

static int sift(struct lxfw_sched *sched, int32_t reserved)
{
	return lxfw_preempting_sift(sched, reserved, priority_of);
}

static bool is_sifted(struct lxfw_sched *sched, int32_t index)
{
	return lxfw_preempting_is_sifted(sched, index,
					 priority_of(sched, &sched->jobs[index]));
}

/* If a < b, and nothing was decided now, a waiting job comes closer to a running one only
   when that one exceeds its requested time: until then the priority of a running job
   grows by b, that of a waiting one by a. */
static int64_t next_change(const struct lxfw_sched *sched)
{
	int64_t change = LXFW_NEVER;

	if (sched->action_count > 0 || sched->params.rem_wait >= sched->params.rem_time)
		return sched->now;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		const struct lxfw_job *job = &sched->jobs[i];
		int64_t end = sched->now + rest_of(sched, job);

		if (job->state == LXFW_JOB_RUNNING && end < change)
			change = end;
	}
	return change;
}

const struct lxfw_policy_type lxfw_policy_remaining = {
	.name = "remaining",
	.code = 23,
	.keys = LXFW_KEYS_REMAINING | LXFW_KEYS_PLACING,
	.no_reservations = " reserves for the first job that preemption cannot help",
	.preset = "lxfw_rem_wait=0.5,lxfw_rem_time=1,lxfw_interval=60",
	.traits = LXFW_TRAIT_INTERRUPTS | LXFW_TRAIT_SUSPENDS |
		  LXFW_TRAIT_QUEUES_SUSPENDED,
	.order = { .name = "wait and remaining time", .alone = true, .rank = rank },
	.backfill = { .reservations = 1, .preempts = true, .may_reserve = may_reserve,
		      .make_room = make_room, .sift = sift, .is_sifted = is_sifted },
	.begin = lxfw_preempting_begin,
	.end = lxfw_preempting_end,
	.next_change = next_change,
};
