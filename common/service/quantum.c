/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Begin and end of a quantum, and its claims and expected ends meanwhile. */
#include "common/service/quantum.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/books/decision.h"
#include "common/books/overrun.h"
#include "common/books/queue.h"
#include "common/books/run.h"
#include "common/pass/suspended.h"
#include "common/service/runner.h"
#include "common/util/grow.h"

/* --- claim of a served job -------------------------------------------------------- */

/* Replace the claim of the served job by its shares less the processors of its victims.
   There is room, since the job has a claim of as many shares. */
static void claim_anew(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		       struct lxfw_quantum *quantum)
{
	struct lxfw_share *own = quanta->shares;
	struct lxfw_job *job = &sched->jobs[quantum->job];

	memcpy(own, quantum->shares,
	       (size_t)quantum->share_count * sizeof(*own));
	for (int32_t i = 0; i < quantum->victim_count; i++) {
		int32_t node = sched->jobs[quantum->victims[i].job].claim, at = 0;

		/* both ascending by host */
		for (; node >= 0; node = sched->profile.releases.nodes[node].next) {
			const struct lxfw_release *preempted =
				&sched->profile.releases.nodes[node];

			if (preempted->host < 0)
				continue;
			while (at < quantum->share_count &&
			       own[at].host < preempted->host)
				at++;
			if (at == quantum->share_count ||
			    own[at].host != preempted->host)
				continue;
			own[at].amount.procs -= preempted->amount.procs;
			if (own[at].amount.procs < 0)
				own[at].amount.procs = 0;
		}
	}
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = lxfw_profile_run(&sched->profile, own, quantum->share_count,
				      job->expected_end);
}

/* Move the expected end of a job. lxfw_expiry_ready() has been called. */
static void move_end(struct lxfw_sched *sched, int32_t index, int64_t seconds)
{
	struct lxfw_job *job = &sched->jobs[index];

	if (job->expected_end == LXFW_NEVER || seconds == 0)
		return;
	job->due = lxfw_time_add(job->due, seconds);
	job->expected_end = lxfw_time_add(job->expected_end, seconds);
	lxfw_profile_run_until(&sched->profile, job->claim, job->expected_end);
	lxfw_expiry_add(sched, index);
	if (lxfw_profile_disturbed(&sched->profile, job->claim))
		sched->disturbed = true;
}

/* Copy the shares of a job's claim, with or without processors, to the scratch array.
   Returns their number. */
static int32_t shares_of(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
			 int32_t index, bool procs)
{
	struct lxfw_share *shares = quanta->shares;
	int32_t node = sched->jobs[index].claim, count = 0;

	for (; node >= 0; node = sched->profile.releases.nodes[node].next) {
		const struct lxfw_release *release =
			&sched->profile.releases.nodes[node];

		if (release->host < 0)
			continue;
		shares[count].host = release->host;
		shares[count].amount = release->amount;
		if (!procs)
			shares[count].amount.procs = 0;
		count++;
	}
	return count;
}

/* Allocate the scratch array for a share of each host. Returns 0, or -1 with errno
   ENOMEM. */
static int shares_ready(struct lxfw_sched *sched, struct lxfw_quanta *quanta)
{
	if (LXFW_GROW(quanta->shares, quanta->shares_size,
		      (size_t)sched->profile.host_count))
		return -1;
	return 0;
}

/* --- begin ------------------------------------------------------------------------- */

/* Allocate a quantum with room for these numbers of shares and victims. Returns its slot,
   or -1 with errno ENOMEM. */
static int32_t quantum_new(struct lxfw_quanta *quanta, int32_t shares,
			   size_t victims)
{
	struct lxfw_quantum *quantum;
	int32_t slot = 0;

	while ((size_t)slot < quanta->quantum_count && quanta->quanta[slot].used)
		slot++;
	if (LXFW_GROW(quanta->quanta, quanta->quanta_size, (size_t)slot + 1))
		return -1;
	quantum = &quanta->quanta[slot];
	*quantum = (struct lxfw_quantum){
		.job = -1,
		.shares = malloc((size_t)shares * sizeof(*quantum->shares)),
		.share_count = shares,
		.victims = malloc((victims + 1) * sizeof(*quantum->victims)),
	};
	if ((size_t)slot == quanta->quantum_count)
		quanta->quantum_count++;
	if (quantum->shares && quantum->victims)
		return slot;
	free(quantum->shares);
	free(quantum->victims);
	*quantum = (struct lxfw_quantum){ .job = -1 };
	errno = ENOMEM;
	return -1;
}

static void quantum_free(struct lxfw_quantum *quantum)
{
	free(quantum->shares);
	free(quantum->victims);
	*quantum = (struct lxfw_quantum){ .job = -1 };
}

/* Allocate all that the start of a quantum with VICTIMS and COUNT shares needs. Returns
   0, or -1 with errno ENOMEM. */
static int begin_ready(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		       size_t victims, int32_t count)
{
	size_t shares = (size_t)sched->profile.host_count * victims;

	return lxfw_actions_ready(sched, victims + 1, shares + (size_t)count) <
			       0 ||
			       lxfw_expiry_ready(sched, victims + 1) < 0 ||
			       lxfw_profile_ready_run(&sched->profile, count) < 0 ||
			       lxfw_runner_ready(sched, quanta) < 0 ||
			       shares_ready(sched, quanta) < 0 ?
		       -1 : 0;
}

/* Suspend a victim for the quantum in SLOT. */
static void suspend(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		    int32_t index, int32_t slot)
{
	struct lxfw_quantum *quantum = &quanta->quanta[slot];
	struct lxfw_job *job = &sched->jobs[index];
	int32_t count = shares_of(sched, quanta, index, false);

	/* The memory has been allocated. */
	lxfw_job_suspend(sched, index, quanta->shares, count);
	lxfw_runner_remove(sched, quanta, index);
	if (job->suspensions < LXFW_SUSPENSIONS_UNKNOWN)
		job->suspensions++;
	job->quantum = slot;
	quantum->victims[quantum->victim_count++] =
		(struct lxfw_victim){ index, sched->now };
	move_end(sched, index, quantum->end - sched->now);
}

int lxfw_quantum_begin(struct lxfw_sched *sched, struct lxfw_quanta *quanta,
		       int32_t index, int32_t count, int32_t host_set)
{
	struct lxfw_job *job = &sched->jobs[index];
	size_t victims = quanta->victim_count;
	struct lxfw_quantum *quantum;
	int32_t slot;

	if (begin_ready(sched, quanta, victims, count) < 0)
		return -1;
	slot = quantum_new(quanta, count, victims);
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
		claim_anew(sched, quanta, quantum);
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

/* Record that the job runs again after a suspension since SINCE. */
static void go_on(const struct lxfw_sched *sched, struct lxfw_job *job,
		  int64_t since)
{
	job->paused += sched->now - since;
	job->continued = sched->now;
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

		if (shares_ready(sched, quanta) < 0 ||
		    lxfw_expiry_ready(sched, 1) < 0 ||
		    lxfw_runner_ready(sched, quanta) < 0)
			return -1;
		count = shares_of(sched, quanta, victim->job, true);
		if (lxfw_job_resume(sched, victim->job, quanta->shares, count) < 0)
			return -1;
		/* Its end was moved by a whole quantum. */
		if (sched->now != quantum->end)
			lxfw_improved(sched, LXFW_NEVER);
		move_end(sched, victim->job, sched->now - quantum->end);
		job->quantum = -1;
		go_on(sched, job, victim->since);
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
		if (quantum->job >= 0 && quantum->end > sched->now) {
			if (quantum->end < next)
				next = quantum->end;
			continue;
		}
		if ((quantum->job >= 0 && stop_served(sched, quantum) < 0) ||
		    resume_victims(sched, quanta, quantum) < 0)
			return -1;
		quantum_free(quantum);
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
	if (quantum->job == index) {
		quantum->job = -1;
		quanta->next_end = sched->now;
		return;
	}
	while (quantum->victims[at].job != index)
		at++;
	go_on(sched, job, quantum->victims[at].since);	/* in case it continues to run */
	quantum->victim_count--;
	memmove(&quantum->victims[at], &quantum->victims[at + 1],
		(size_t)(quantum->victim_count - at) * sizeof(*quantum->victims));
	/* Its claim is about to be removed. The served job runs on its processors. */
	if (quantum->job >= 0)
		claim_anew(sched, quanta, quantum);
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
	claim_anew(sched, quanta, quantum);
	return true;
}
