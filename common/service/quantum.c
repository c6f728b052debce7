/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Immediate service: a quantum of run time for every job that arrives and cannot
 * start (Chiang and Vernon 2001, section 2.4). What the paper leaves open:
 *
 * - A job that cannot be served when it arrives (too little free memory, no job
 *   has run long enough) is tried again at every pass until it was served or has
 *   started; each job is served once. Those that arrive together are served in the
 *   order of submission.
 * - Nobody is suspended where free processors do. Nothing that a reservation holds
 *   within the quantum is used for it.
 * - A victim's expected end, and with it a reservation that counts on it, moves by
 *   as long as it is suspended: at most by one quantum in every least run. A served
 *   job's own reservation is given up and made anew afterwards.
 * - A victim that would have ended meanwhile ends that much later. One that leaves
 *   while it is suspended gives its processors to the served job, then to all.
 * - What victims lend beyond the need stays idle until they go on.
 * - An exclusive job is no victim, and is served only on hosts that are empty: it
 *   never shares a host, be it with suspended jobs.
 * - A host that goes down takes no part in new quanta; what becomes of the jobs on
 *   it is told by events.
 */
#include "common/service/quantum.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/books.h"
#include "common/books/decision.h"
#include "common/books/observer.h"
#include "common/books/overrun.h"
#include "common/books/queue.h"
#include "common/books/run.h"
#include "common/pass/suspended.h"
#include "common/service/service.h"
#include "common/util/grow.h"

/* --- who runs, who has arrived --------------------------------------------------- */

/* Make room for one more runner. 0, or -1 with errno ENOMEM. */
static int ready(struct lxfw_sched *sched, void *state)
{
	struct lxfw_quanta *quanta = state;
	void *grown;

	(void)sched;
	grown = lxfw_grow(quanta->runners, &quanta->runners_size,
			  quanta->runner_count + 1, sizeof(*quanta->runners));
	if (!grown)
		return -1;
	quanta->runners = grown;
	return 0;
}

static int64_t procs_of(const struct lxfw_sched *sched, int32_t claim)
{
	int64_t procs = 0;

	for (; claim >= 0; claim = sched->profile.releases.nodes[claim].next) {
		const struct lxfw_release *release =
			&sched->profile.releases.nodes[claim];

		if (release->host >= 0)
			procs += release->amount.procs;
	}
	return procs;
}

/* Somebody else may have suspended the job, or let it go on. */
static void note_stop(struct lxfw_sched *sched, struct lxfw_job *job,
		      int64_t procs)
{
	bool stopped = procs == 0;

	if (stopped == job->stopped)
		return;
	job->stopped = stopped;
	if (stopped)
		job->ran += sched->now - job->continued;
	else
		job->paused += sched->now - job->continued;
	job->continued = sched->now;
}

/* The job runs and takes part in no quantum. */
static void running(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;
	struct lxfw_job *job = &sched->jobs[index];
	int64_t procs = procs_of(sched, job->claim);
	int64_t submit = job->request.submit;

	/* Nobody else is to be on the hosts of an exclusive job. */
	if (job->quantum >= 0 || job->runner >= 0 ||
	    job->request.exclusive)
		return;
	note_stop(sched, job, procs);
	/* Of a job that was first seen running nothing else may be known. */
	if ((job->request.estimate == 0 && submit == 0) || submit > job->start)
		submit = job->start;
	job->runner = (int32_t)quanta->runner_count++;
	quanta->runners[job->runner] = (struct lxfw_runner){
		.submit = submit, .continued = job->continued, .ran = job->ran,
		.paused = job->paused, .id = job->request.id, .procs = procs,
		.job = index, .suspensions = job->suspensions,
	};
}

static void resized(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;
	const struct lxfw_job *job = &sched->jobs[index];

	if (job->runner >= 0)
		quanta->runners[job->runner].procs =
			procs_of(sched, job->claim);
}

static void runner_remove(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_quanta *quanta = sched->quanta;
	int32_t at = sched->jobs[index].runner;
	struct lxfw_runner last;

	if (at < 0)
		return;
	last = quanta->runners[--quanta->runner_count];
	quanta->runners[at] = last;
	sched->jobs[last.job].runner = at;
	sched->jobs[index].runner = -1;
}

static int arrived(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;
	void *grown;

	grown = lxfw_grow(quanta->arrivals, &quanta->arrivals_size,
			  quanta->arrival_count + 1, sizeof(*quanta->arrivals));
	if (!grown)
		return -1;
	quanta->arrivals = grown;
	quanta->arrivals[quanta->arrival_count++] = (struct lxfw_arrival){
		sched->jobs[index].request.id, index };
	return 0;
}

static void queued(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;

	(void)sched;
	(void)index;
	quanta->arrivals_tried = SIZE_MAX;
}

/* --- a quantum's claim ------------------------------------------------------------ */

/* Claim for the served job what it takes beyond what is lent; it has a claim of as
   many shares, so that there is room. */
static void claim_anew(struct lxfw_sched *sched, struct lxfw_quantum *quantum)
{
	struct lxfw_share *own = sched->quanta->shares;
	struct lxfw_job *job = &sched->jobs[quantum->job];

	memcpy(own, quantum->shares,
	       (size_t)quantum->share_count * sizeof(*own));
	for (int32_t i = 0; i < quantum->victim_count; i++) {
		int32_t node = sched->jobs[quantum->victims[i].job].claim, at = 0;

		/* both ascending by host */
		for (; node >= 0; node = sched->profile.releases.nodes[node].next) {
			const struct lxfw_release *lent =
				&sched->profile.releases.nodes[node];

			if (lent->host < 0)
				continue;
			while (at < quantum->share_count &&
			       own[at].host < lent->host)
				at++;
			if (at == quantum->share_count ||
			    own[at].host != lent->host)
				continue;
			own[at].amount.procs -= lent->amount.procs;
			if (own[at].amount.procs < 0)
				own[at].amount.procs = 0;
		}
	}
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = lxfw_profile_run(&sched->profile, own, quantum->share_count,
				      job->expected_end);
}

/* Move a job's expected end; room to note it has been made. */
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

/* The shares of a job's claim to the scratch array, with its processors or without;
   returns their number. */
static int32_t shares_of(struct lxfw_sched *sched, int32_t index, bool procs)
{
	struct lxfw_share *shares = sched->quanta->shares;
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

/* Scratch room for a share of each host. */
static int shares_ready(struct lxfw_sched *sched)
{
	struct lxfw_quanta *quanta = sched->quanta;
	void *grown = lxfw_grow(quanta->shares, &quanta->shares_size,
				(size_t)sched->profile.host_count,
				sizeof(*quanta->shares));

	if (!grown)
		return -1;
	quanta->shares = grown;
	return 0;
}

/* --- begin ------------------------------------------------------------------------- */

/* A free slot with room for so many shares and victims, or -1 with errno ENOMEM. */
static int32_t quantum_new(struct lxfw_quanta *quanta, int32_t shares,
			   size_t victims)
{
	struct lxfw_quantum *quantum;
	int32_t slot = 0;
	void *grown;

	while ((size_t)slot < quanta->quantum_count && quanta->quanta[slot].used)
		slot++;
	grown = lxfw_grow(quanta->quanta, &quanta->quanta_size, (size_t)slot + 1,
			  sizeof(*quanta->quanta));
	if (!grown)
		return -1;
	quanta->quanta = grown;
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

/* Room for all that a quantum with VICTIMS and COUNT shares does to the books. */
static int begin_ready(struct lxfw_sched *sched, size_t victims, int32_t count)
{
	size_t shares = (size_t)sched->profile.host_count * victims;

	return lxfw_actions_ready(sched, victims + 1, shares + (size_t)count) <
			       0 ||
			       lxfw_expiry_ready(sched, victims + 1) < 0 ||
			       lxfw_profile_ready_run(&sched->profile, count) < 0 ||
			       ready(sched, sched->quanta) < 0 ||
			       shares_ready(sched) < 0 ?
		       -1 : 0;
}

/* The victim stops and lends its processors to the quantum in SLOT. */
static void suspend(struct lxfw_sched *sched, int32_t index, int32_t slot)
{
	struct lxfw_quantum *quantum = &sched->quanta->quanta[slot];
	struct lxfw_job *job = &sched->jobs[index];
	int32_t count = shares_of(sched, index, false);

	/* Room has been made. */
	lxfw_job_suspend(sched, index, sched->quanta->shares, count);
	runner_remove(sched, index);
	if (job->suspensions < LXFW_SUSPENSIONS_UNKNOWN)
		job->suspensions++;
	job->quantum = slot;
	quantum->victims[quantum->victim_count++] =
		(struct lxfw_victim){ index, sched->now };
	move_end(sched, index, quantum->end - sched->now);
}

int lxfw_quantum_begin(struct lxfw_sched *sched, int32_t index, int32_t count,
		       int32_t host_set)
{
	struct lxfw_quanta *quanta = sched->quanta;
	struct lxfw_job *job = &sched->jobs[index];
	size_t victims = quanta->victim_count;
	struct lxfw_quantum *quantum;
	int32_t slot;

	if (begin_ready(sched, victims, count) < 0)
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
	/* A runner's place changes when another is taken out. */
	for (size_t i = 0; i < victims; i++)
		quanta->victims[i] = quanta->runners[quanta->victims[i]].job;
	for (size_t i = 0; i < victims; i++)
		suspend(sched, quanta->victims[i], slot);
	quanta->lendable = -1;
	job->quantum = slot;
	if (lxfw_job_start(sched, index, count, host_set, quantum->end) < 0) {
		job->quantum = -1;	/* victims go on at the next pass */
		quanta->next_end = sched->now;
		return -1;
	}
	quantum->job = index;
	job->served = true;
	if (victims > 0)
		claim_anew(sched, quantum);
	return 0;
}

/* --- end ----------------------------------------------------------------------------- */

/* Whether the job has all the memory that it asked for. */
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

/* The job stops and its work is lost. */
static int requeue(struct lxfw_sched *sched, int32_t index)
{
	if (lxfw_actions_ready(sched, 1, 0) < 0 ||
	    lxfw_queue_add(sched, index) < 0)
		return -1;
	return lxfw_job_requeue(sched, index);
}

/* The job is not over: it waits again. */
static int stop_served(struct lxfw_sched *sched, struct lxfw_quantum *quantum)
{
	int32_t index = quantum->job;
	int rc;

	/* Adaptive jobs share their host: none is there without doing so. */
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

/* The job runs again, suspended since SINCE. */
static void go_on(const struct lxfw_sched *sched, struct lxfw_job *job,
		  int64_t since)
{
	job->paused += sched->now - since;
	job->continued = sched->now;
}

/* The victims continue, each where it was. */
static int resume_victims(struct lxfw_sched *sched, struct lxfw_quantum *quantum)
{
	struct lxfw_quanta *quanta = sched->quanta;

	while (quantum->victim_count > 0) {
		struct lxfw_victim *victim =
			&quantum->victims[quantum->victim_count - 1];
		struct lxfw_job *job = &sched->jobs[victim->job];
		int32_t count;

		if (shares_ready(sched) < 0 || lxfw_expiry_ready(sched, 1) < 0 ||
		    ready(sched, sched->quanta) < 0)
			return -1;
		count = shares_of(sched, victim->job, true);
		if (lxfw_job_resume(sched, victim->job, quanta->shares, count) < 0)
			return -1;
		/* Its end was moved by a whole quantum. */
		if (sched->now != quantum->end)
			lxfw_improved(sched, LXFW_NEVER);
		move_end(sched, victim->job, sched->now - quantum->end);
		job->quantum = -1;
		go_on(sched, job, victim->since);
		running(sched, quanta, victim->job);
		quantum->victim_count--;
		sched->gains++;
	}
	return 0;
}

int lxfw_quantum_finish(struct lxfw_sched *sched)
{
	struct lxfw_quanta *quanta = sched->quanta;
	int64_t next = LXFW_NEVER;

	if (!quanta || quanta->next_end > sched->now)
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
		    resume_victims(sched, quantum) < 0)
			return -1;
		quantum_free(quantum);
	}
	while (quanta->quantum_count > 0 &&
	       !quanta->quanta[quanta->quantum_count - 1].used)
		quanta->quantum_count--;
	quanta->next_end = next;
	return 0;
}

static void leaving(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_quanta *quanta = state;
	struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_quantum *quantum;
	int32_t at = 0;

	runner_remove(sched, index);
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
	go_on(sched, job, quantum->victims[at].since);	/* if it is to run on */
	quantum->victim_count--;
	memmove(&quantum->victims[at], &quantum->victims[at + 1],
		(size_t)(quantum->victim_count - at) * sizeof(*quantum->victims));
	/* Its processors are about to be free, and the served job runs on them. */
	if (quantum->job >= 0)
		claim_anew(sched, quantum);
}

/* True when its part in a quantum explains the shares: a victim that is suspended, as
   decided; the served job, on other shares than decided. */
static bool reported(struct lxfw_sched *sched, void *state, int32_t index,
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
		return !runs;	/* else somebody else let it go on */
	if (count > quantum->share_count) {
		void *grown = realloc(quantum->shares,
				      (size_t)count * sizeof(*shares));

		if (!grown)
			return false;	/* no quantum of ours any more */
		quantum->shares = grown;
	}
	quantum->share_count = count;
	memcpy(quantum->shares, shares,
	       (size_t)count * sizeof(*quantum->shares));
	claim_anew(sched, quantum);
	return true;
}

/* A quantum ends, or one may begin. */
static int64_t wake(const struct lxfw_sched *sched, const void *state)
{
	const struct lxfw_quanta *quanta = state;

	(void)sched;
	return quanta->next_end < quanta->next_eligible ? quanta->next_end :
							  quanta->next_eligible;
}

bool lxfw_quantum_on_host(const struct lxfw_sched *sched, int32_t host)
{
	const struct lxfw_quanta *quanta = sched->quanta;

	for (size_t i = 0; quanta && i < quanta->quantum_count; i++) {
		const struct lxfw_quantum *quantum = &quanta->quanta[i];

		for (int32_t j = 0; quantum->used && j < quantum->share_count; j++) {
			if (quantum->shares[j].host == host)
				return true;
		}
	}
	return false;
}

/* --- the service begins and ends -------------------------------------------------- */

static void clear(struct lxfw_sched *sched, void *state)
{
	struct lxfw_quanta *quanta = state;

	for (size_t i = 0; i < quanta->quantum_count; i++) {
		free(quanta->quanta[i].shares);
		free(quanta->quanta[i].victims);
	}
	free(quanta->quanta);
	free(quanta->runners);
	free(quanta->arrivals);
	free(quanta->shares);
	free(quanta->offers);
	free(quanta->offers_at);
	free(quanta->lent);
	free(quanta->taken);
	free(quanta->victims);
	free(quanta->tried);
	free(quanta);
	sched->quanta = NULL;
}

static const struct lxfw_observer observer = {
	.ready = ready,
	.arrived = arrived,
	.queued = queued,
	.running = running,
	.resized = resized,
	.reported = reported,
	.leaving = leaving,
	.wake = wake,
	.clear = clear,
};

/* Jobs that wait already when service begins do not arrive: they are not served. */
int lxfw_quantum_params(struct lxfw_sched *sched)
{
	if (!lxfw_params_serve(&sched->params) || sched->quanta)
		return 0;
	sched->quanta = calloc(1, sizeof(*sched->quanta));
	if (!sched->quanta) {
		errno = ENOMEM;
		return -1;
	}
	sched->quanta->next_end = LXFW_NEVER;
	sched->quanta->next_eligible = LXFW_NEVER;
	for (size_t i = 0; i < sched->jobs_used; i++) {
		if (sched->jobs[i].state != LXFW_JOB_RUNNING)
			continue;
		if (ready(sched, sched->quanta) < 0) {
			for (size_t j = 0; j < i; j++)
				sched->jobs[j].runner = -1;
			clear(sched, sched->quanta);
			return -1;
		}
		running(sched, sched->quanta, (int32_t)i);
	}
	lxfw_observe(sched, &observer, sched->quanta);
	return 0;
}
