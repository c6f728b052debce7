/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Begin and end of a quantum, and its claims and expected ends meanwhile. */
#include "common/service/quantum.h"

#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/books/decision.h"
#include "common/books/overrun.h"
#include "common/books/queue.h"
#include "common/books/run.h"
#include "common/pass/suspended.h"
#include "common/service/claims.h"
#include "common/service/gang.h"
#include "common/service/runner.h"

/* --- begin ------------------------------------------------------------------------- */

/* Suspend a victim for the quantum in SLOT. */
static void suspend(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		    int32_t index, int32_t slot)
{
	struct lxfw_quantum *quantum = &quanta->quanta[slot];
	struct lxfw_job *job = &sched->jobs[index];
	int32_t count = lxfw_quantum_shares_of(sched, quanta, index, false);

	/* The memory has been allocated. */
	lxfw_job_suspend(sched, index, quanta->shares, count);
	lxfw_runner_remove(sched, quanta, index);
	if (job->suspensions < LXFW_SUSPENSIONS_UNKNOWN)
		job->suspensions++;
	job->quantum = slot;
	quantum->victims[quantum->victim_count++] =
		(struct lxfw_victim){ .job = index, .since = sched->now };
	lxfw_quantum_move_end(sched, index, quantum->end - sched->now);
}

int lxfw_quantum_begin(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		       int32_t index, int32_t count, int32_t host_set)
{
	struct lxfw_job *job = &sched->jobs[index];
	size_t victims = quanta->victim_count;
	struct lxfw_quantum *quantum;
	int32_t slot;

	if (lxfw_quantum_ready(sched, quanta, victims, count) < 0)
		return -1;
	slot = lxfw_quantum_new(quanta, count, victims);
	if (slot < 0)
		return -1;
	quantum = &quanta->quanta[slot];
	quantum->end = lxfw_time_add(sched->now, sched->params.quantum);
	quantum->used = true;
	if (quantum->end < quanta->next_end)
		quanta->next_end = quantum->end;
	memcpy(quantum->shares, sched->found,
	       (size_t)count * sizeof(*quantum->shares));
	/* Removing a runner moves another one, so store the indices of jobs instead. */
	for (size_t i = 0; i < victims; i++)
		quanta->victims[i] = quanta->runners[quanta->victims[i]].job;
	for (size_t i = 0; i < victims; i++)
		suspend(sched, quanta, quanta->victims[i], slot);
	quanta->lendable = -1;
	job->quantum = slot;
	if (lxfw_job_start(sched, index, count, host_set, quantum->end) < 0) {
		job->quantum = -1;	/* the next pass resumes the victims */
		quanta->next_end = sched->now;
		return -1;
	}
	quantum->job = index;
	job->served = true;
	if (victims > 0)
		lxfw_quantum_claim(sched, quanta, quantum);
	return 0;
}

/* --- end ----------------------------------------------------------------------------- */

/* Whether the job has all the memory that it requested. */
static bool has_its_memory(const struct lxfw_sched *sched,
			   const struct lxfw_quantum *quantum)
{
	const struct lxfw_request *request = &sched->jobs[quantum->job].request;
	int64_t asked = request->unit.memory_mb * request->count +
			request->per_host.memory_mb * quantum->share_count;
	int64_t has = 0;

	for (int32_t i = 0; i < quantum->share_count; i++)
		has += quantum->shares[i].amount.memory_mb;
	return has >= asked;
}

/* Requeue the job with the loss of its work. Returns 0, or -1 with errno ENOMEM. */
static int requeue(struct lxfw_sched *sched, int32_t index)
{
	if (lxfw_actions_ready(sched, 1, 0) < 0 ||
	    lxfw_queue_add(sched, index) < 0)
		return -1;
	return lxfw_job_requeue(sched, index);
}

/* Suspend or requeue the served job, which has not ended. Returns 0, or -1 with errno
   ENOMEM. */
static int stop_served(struct lxfw_sched *sched, struct lxfw_quantum *quantum)
{
	int32_t index = quantum->job;
	int rc;

	/* Adaptive jobs share their host and are never suspended on it. */
	if (sched->params.quantum_end == LXFW_QUANTUM_SUSPEND &&
	    !(sched->policy->traits & LXFW_TRAIT_ADAPTIVE) &&
	    has_its_memory(sched, quantum))
		rc = lxfw_suspended_begin(sched, index, quantum->shares,
					  quantum->share_count);
	else
		rc = requeue(sched, index);
	if (rc < 0)
		return -1;
	sched->jobs[index].quantum = -1;
	quantum->job = -1;
	sched->running--;
	sched->waiting++;
	sched->gains++;
	lxfw_improved(sched, LXFW_NEVER);
	return 0;
}

/* Resume the victims on their hosts. Returns 0, or -1 with errno ENOMEM. */
static int resume_victims(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			  struct lxfw_quantum *quantum)
{
	while (quantum->victim_count > 0) {
		struct lxfw_victim *victim =
			&quantum->victims[quantum->victim_count - 1];
		struct lxfw_job *job = &sched->jobs[victim->job];
		int32_t count;

		if (lxfw_quantum_shares_ready(sched, quanta) < 0 ||
		    lxfw_expiry_ready(sched, 1) < 0 ||
		    lxfw_runner_ready(sched, quanta) < 0)
			return -1;
		count = lxfw_quantum_shares_of(sched, quanta, victim->job, true);
		if (lxfw_job_resume(sched, victim->job, quanta->shares, count) < 0)
			return -1;
		/* Its end was moved by a whole quantum. */
		if (sched->now != quantum->end)
			lxfw_improved(sched, LXFW_NEVER);
		lxfw_quantum_move_end(sched, victim->job, sched->now - quantum->end);
		job->quantum = -1;
		lxfw_quantum_go_on(sched, job, victim->since);
		lxfw_runner_add(sched, quanta, victim->job);
		quantum->victim_count--;
		sched->gains++;
	}
	return 0;
}

int lxfw_quanta_finish(struct lxfw_sched *sched, void *state)
{
	struct lxfw_quanta *quanta = state;
	int64_t next = LXFW_NEVER;

	if (quanta->next_end > sched->now)
		return 0;
	for (size_t i = 0; i < quanta->quantum_count; i++) {
		struct lxfw_quantum *quantum = &quanta->quanta[i];

		if (!quantum->used)
			continue;
		if (quantum->gang) {
			if (lxfw_gang_advance(sched, quanta, quantum) < 0)
				return -1;
			if (quantum->used && quantum->end < next)
				next = quantum->end;
			continue;
		}
		if (quantum->job >= 0 && quantum->end > sched->now) {
			if (quantum->end < next)
				next = quantum->end;
			continue;
		}
		if ((quantum->job >= 0 && stop_served(sched, quantum) < 0) ||
		    resume_victims(sched, quanta, quantum) < 0)
			return -1;
		lxfw_quantum_free(quantum);
	}
	while (quanta->quantum_count > 0 &&
	       !quanta->quanta[quanta->quantum_count - 1].used)
		quanta->quantum_count--;
	quanta->next_end = next;
	return 0;
}

void lxfw_quanta_leaving(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_quantum *quantum;
	int32_t at = 0;

	lxfw_runner_remove(sched, quanta, index);
	if (job->quantum < 0)
		return;
	quantum = &quanta->quanta[job->quantum];
	job->quantum = -1;
	if (quantum->job == index || quantum->gang)
		quanta->next_end = sched->now;
	if (quantum->job == index) {
		quantum->job = -1;
		return;
	}
	while (quantum->victims[at].job != index)
		at++;
	/* in case it continues to run */
	if (!quantum->aside)
		lxfw_quantum_go_on(sched, job, quantum->victims[at].since);
	quantum->victim_count--;
	memmove(&quantum->victims[at], &quantum->victims[at + 1],
		(size_t)(quantum->victim_count - at) * sizeof(*quantum->victims));
	/* Its claim is about to be removed. The served job runs on its processors. */
	if (quantum->job >= 0)
		lxfw_quantum_claim(sched, quanta, quantum);
}

bool lxfw_quanta_reported(struct lxfw_sched *sched, void *state, int32_t index,
			  const struct lxfw_share *shares, int32_t count)
{
	struct lxfw_quanta *quanta = state;
	struct lxfw_quantum *quantum;
	bool runs = false;

	if (sched->jobs[index].quantum < 0)
		return false;
	for (int32_t i = 0; i < count; i++)
		runs |= shares[i].amount.procs > 0;
	quantum = &quanta->quanta[sched->jobs[index].quantum];
	if (quantum->aside)
		return lxfw_gang_reported(sched, quanta, quantum, index, shares,
					  count, runs);
	if (quantum->job != index)
		return !runs;	/* with processors, it was resumed by others */
	if (count > quantum->share_count) {
		void *grown = realloc(quantum->shares,
				      (size_t)count * sizeof(*shares));

		if (!grown)
			return false;	/* the quantum is no longer valid */
		quantum->shares = grown;
	}
	quantum->share_count = count;
	memcpy(quantum->shares, shares,
	       (size_t)count * sizeof(*quantum->shares));
	lxfw_quantum_claim(sched, quanta, quantum);
	return true;
}
