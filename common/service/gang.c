/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/service/gang.h"

#include <string.h>

#include "common/books/books.h"
#include "common/books/overrun.h"
#include "common/books/run.h"
#include "common/service/claims.h"
#include "common/service/runner.h"

bool lxfw_gang_exists(const struct lxfw_quanta *quanta)
{
	for (size_t i = 0; i < quanta->quantum_count; i++) {
		if (quanta->quanta[i].used && quanta->quanta[i].gang)
			return true;
	}
	return false;
}

/* --- one job ----------------------------------------------------------------------- */

/* The rest of the expected run time of a running job, 1 s or more. */
static int64_t time_left(const struct lxfw_sched *sched, const struct lxfw_job *job)
{
	return job->due - sched->now > 1 ? job->due - sched->now : 1;
}

static void count_suspension(struct lxfw_job *job)
{
	if (job->suspensions < LXFW_SUSPENSIONS_UNKNOWN)
		job->suspensions++;
}

/* Suspend a victim. The memory has been allocated. */
static void suspend(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		    struct lxfw_victim *victim)
{
	struct lxfw_job *job = &sched->jobs[victim->job];
	int32_t count = lxfw_quantum_shares_of(sched, quanta, victim->job, false);

	victim->since = sched->now;
	victim->left = time_left(sched, job);
	lxfw_job_suspend(sched, victim->job, quanta->shares, count);
	count_suspension(job);
}

/* Resume a victim. Returns 0, or -1 with errno ENOMEM. */
static int resume(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		  const struct lxfw_victim *victim)
{
	int32_t count = lxfw_quantum_shares_of(sched, quanta, victim->job, true);

	if (lxfw_job_resume(sched, victim->job, quanta->shares, count) < 0)
		return -1;
	lxfw_quantum_go_on(sched, &sched->jobs[victim->job], victim->since);
	lxfw_quantum_set_end(sched, victim->job,
			     lxfw_time_add(sched->now, victim->left));
	return 0;
}

/* Allocate what a turn needs. Returns 0, or -1 with errno ENOMEM. */
static int ready(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		 const struct lxfw_quantum *gang)
{
	/* The last ends are of jobs that are suspended, which move as well. */
	return lxfw_quantum_ready(sched, quanta, (size_t)gang->victim_count,
				  gang->share_count) < 0 ||
			       lxfw_expiry_ready(sched, 2 * (size_t)gang->victim_count +
							2) < 0 ?
		       -1 : 0;
}

/* --- turns ----------------------------------------------------------------------------- */

static void next_turn(const struct lxfw_sched *sched, struct lxfw_quantum *gang)
{
	gang->end = gang->turns > 0 ? lxfw_time_add(sched->now, gang->slice) :
				      LXFW_NEVER;
}

/* Expect the victims to be resumed at the next turn, or if there is none, at the end of
   the job. */
static void expect_victims(struct lxfw_sched *sched, const struct lxfw_quantum *gang)
{
	int64_t resumed = sched->jobs[gang->job].expected_end;

	if (gang->end < resumed)
		resumed = gang->end;
	for (int32_t i = 0; i < gang->victim_count; i++)
		lxfw_quantum_set_end(sched, gang->victims[i].job,
				     lxfw_time_add(resumed, gang->victims[i].left));
}

/* Expect the job to be resumed at the next turn, or if there is none, at the end of its
   last victim. */
static void expect_job(struct lxfw_sched *sched, const struct lxfw_quantum *gang)
{
	int64_t resumed = sched->now;

	for (int32_t i = 0; i < gang->victim_count; i++) {
		int64_t end = sched->jobs[gang->victims[i].job].expected_end;

		if (end > resumed)
			resumed = end;
	}
	if (gang->end < resumed)
		resumed = gang->end;
	lxfw_quantum_set_end(sched, gang->job, lxfw_time_add(resumed, gang->left));
}

/* Put the shares of the job, with or without processors, into the scratch array. */
static void own_shares(struct lxfw_quanta *quanta, const struct lxfw_quantum *gang,
		       bool procs)
{
	memcpy(quanta->shares, gang->shares,
	       (size_t)gang->share_count * sizeof(*gang->shares));
	for (int32_t i = 0; i < gang->share_count && !procs; i++)
		quanta->shares[i].amount.procs = 0;
}

/* Suspend the job and resume its victims. Returns 0, or -1 with errno ENOMEM. */
static int step_aside(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		      struct lxfw_quantum *gang)
{
	struct lxfw_job *job = &sched->jobs[gang->job];

	if (ready(sched, quanta, gang) < 0)
		return -1;
	gang->since = sched->now;
	gang->left = time_left(sched, job);
	own_shares(quanta, gang, false);
	lxfw_job_suspend(sched, gang->job, quanta->shares, gang->share_count);
	count_suspension(job);
	gang->aside = true;
	gang->turns--;
	for (int32_t i = 0; i < gang->victim_count; i++) {
		if (resume(sched, quanta, &gang->victims[i]) < 0)
			return -1;
	}
	next_turn(sched, gang);
	expect_job(sched, gang);
	return 0;
}

/* Resume the job on all its processors. Returns 0, or -1 with errno ENOMEM. */
static int resume_job(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		      struct lxfw_quantum *gang)
{
	own_shares(quanta, gang, true);
	if (lxfw_job_resume(sched, gang->job, quanta->shares, gang->share_count) < 0)
		return -1;
	lxfw_quantum_go_on(sched, &sched->jobs[gang->job], gang->since);
	lxfw_quantum_set_end(sched, gang->job,
			     lxfw_time_add(sched->now, gang->left));
	gang->aside = false;
	return 0;
}

/* Suspend the victims and resume the job. Returns 0, or -1 with errno ENOMEM. */
static int return_to_job(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			 struct lxfw_quantum *gang)
{
	if (ready(sched, quanta, gang) < 0)
		return -1;
	for (int32_t i = 0; i < gang->victim_count; i++)
		suspend(sched, quanta, &gang->victims[i]);
	if (resume_job(sched, quanta, gang) < 0)
		return -1;
	gang->turns--;
	next_turn(sched, gang);
	expect_victims(sched, gang);
	return 0;
}

/* --- begin and end ----------------------------------------------------------------------- */

int lxfw_gang_begin(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		    int32_t index, int32_t count, int32_t host_set, int64_t slice,
		    int64_t preemptions)
{
	size_t victims = quanta->victim_count;
	struct lxfw_quantum *gang;
	int32_t slot;

	if (lxfw_quantum_ready(sched, quanta, victims, count) < 0 ||
	    lxfw_expiry_ready(sched, 2 * victims + 2) < 0)
		return -1;
	slot = lxfw_quantum_new(quanta, count, victims);
	if (slot < 0)
		return -1;
	gang = &quanta->quanta[slot];
	gang->used = gang->gang = true;
	gang->slice = slice;
	gang->turns = preemptions > 0 ? preemptions - 1 : INT64_MAX;
	memcpy(gang->shares, sched->found, (size_t)count * sizeof(*gang->shares));
	/* Removing a runner moves another one, so store the indices of jobs first. */
	for (size_t i = 0; i < victims; i++)
		gang->victims[i].job =
			quanta->runners[quanta->victims[i]].job;
	gang->victim_count = (int32_t)victims;
	for (int32_t i = 0; i < gang->victim_count; i++) {
		int32_t victim = gang->victims[i].job;

		suspend(sched, quanta, &gang->victims[i]);
		lxfw_runner_remove(sched, quanta, victim);
		sched->jobs[victim].quantum = slot;
	}
	quanta->lendable = -1;
	sched->jobs[index].quantum = slot;
	if (lxfw_job_start(sched, index, count, host_set, LXFW_NEVER) < 0) {
		sched->jobs[index].quantum = -1;
		quanta->next_end = sched->now;	/* the next pass resumes the victims */
		return -1;
	}
	gang->job = index;
	lxfw_quantum_claim(sched, quanta, gang);
	next_turn(sched, gang);
	if (gang->end < quanta->next_end)
		quanta->next_end = gang->end;
	expect_victims(sched, gang);
	return 0;
}

/* The job, or one of the victims, no longer has a part in the gang. */
static void release(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		    int32_t index)
{
	sched->jobs[index].quantum = -1;
	lxfw_runner_add(sched, quanta, index);
}

/* The job has left. Its victims run, from now on or already. Returns 0, or -1 with errno
   ENOMEM. */
static int end_without_job(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			   struct lxfw_quantum *gang)
{
	while (gang->victim_count > 0) {
		struct lxfw_victim *victim = &gang->victims[gang->victim_count - 1];

		if (ready(sched, quanta, gang) < 0 ||
		    (!gang->aside && resume(sched, quanta, victim) < 0))
			return -1;
		release(sched, quanta, victim->job);
		gang->victim_count--;
	}
	lxfw_quantum_free(gang);
	return 0;
}

/* All victims have left. The job runs, from now on or already. Returns 0, or -1 with errno
   ENOMEM. */
static int end_without_victims(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			       struct lxfw_quantum *gang)
{
	if (ready(sched, quanta, gang) < 0)
		return -1;
	if (gang->aside && resume_job(sched, quanta, gang) < 0)
		return -1;
	release(sched, quanta, gang->job);
	lxfw_quantum_free(gang);
	return 0;
}

int lxfw_gang_advance(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		      struct lxfw_quantum *gang)
{
	bool over = gang->job < 0 || gang->victim_count == 0;
	int rc;

	if (!over && gang->end > sched->now)
		return 0;
	if (gang->job < 0)
		rc = end_without_job(sched, quanta, gang);
	else if (over)
		rc = end_without_victims(sched, quanta, gang);
	else
		rc = gang->aside ? return_to_job(sched, quanta, gang) :
				   step_aside(sched, quanta, gang);
	if (rc < 0)
		return -1;
	/* Expected ends have changed. */
	sched->gains++;
	lxfw_improved(sched, LXFW_NEVER);
	return 0;
}

/* --- reports --------------------------------------------------------------------------- */

bool lxfw_gang_reported(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			struct lxfw_quantum *gang, int32_t index,
			const struct lxfw_share *shares, int32_t count, bool runs)
{
	struct lxfw_job *job = &sched->jobs[index];

	if (!runs)
		return true;	/* the job as decided, or a victim suspended by others */
	if (gang->job == index)
		return false;	/* it was resumed by others */
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = lxfw_profile_run(&sched->profile, shares, count,
				      job->expected_end);
	if (gang->job >= 0)
		lxfw_quantum_claim(sched, quanta, gang);
	return true;
}
