/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * PFCFS, preemptive FCFS (Yahyapour 2002, sections 3.3 and 4.1; Schwiegelshohn and
 * Yahyapour 1998): FCFS, except that a *wide* job at the head of the queue preempts
 * running jobs if it has to wait.
 *
 * - A job is wide if it requests more than a share x of all processors.
 * - A wide job at the head waits until a share of the processors is free (instruction C of
 *   table 3.1), then for the start delay (E). If it cannot start by then, it preempts just
 *   enough jobs that are not wide (section 4.1), and forms a gang with them
 *   (service/gang.h).
 * - The sides take turns of the gang length, until one of them is over or n preemptions
 *   were made. If n is odd, the wide job then runs to its end; if n is even, it waits on
 *   its processors until all jobs that it preempted have ended.
 * - No other job starts while there is a gang. Therefore there is at most one, and a
 *   preempted job runs for at least the start delay between two wide jobs.
 *
 * doc/decisions.md says what the thesis leaves open.
 */
#include <errno.h>
#include <stdlib.h>

#include "common/books/books.h"
#include "common/books/observer.h"
#include "common/books/reservation.h"
#include "common/pass/backfill.h"
#include "common/place/place.h"
#include "common/policy/registry.h"
#include "common/service/gang.h"
#include "common/service/service.h"
#include "common/service/victims.h"

static const char name[] = "PFCFS";

/* The wide job at the head of the queue. */
struct head {
	uint64_t id;		/* 0: none */
	int64_t since;		/* time since which enough processors are free for it to
				   preempt others, or LXFW_NEVER */
	int64_t wake;		/* end of its start delay; LXFW_NEVER: not awaited */
};

static int64_t total_procs(const struct lxfw_sched *sched)
{
	int64_t procs = 0;

	for (int32_t i = 0; i < sched->profile.host_count; i++) {
		if (sched->profile.hosts[i].up)
			procs += sched->profile.hosts[i].total.procs;
	}
	return procs;
}

static bool is_wide(const struct lxfw_sched *sched, int64_t procs)
{
	return procs * 100 > sched->params.pf_wide * total_procs(sched);
}

/* --- preempted jobs ----------------------------------------------------------------- */

/* The time from which a running job may be preempted. A job has run for the start delay when
   a wide one preempts it, unless it was refused before and started late. */
static int64_t eligible_at(const struct lxfw_sched *sched,
			   const struct lxfw_runner *runner)
{
	return lxfw_time_add(runner->continued, sched->params.pf_delay);
}

static bool may_be_preempted(const struct lxfw_sched *sched,
			     const struct lxfw_runner *runner)
{
	return !is_wide(sched, runner->procs) &&
	       eligible_at(sched, runner) <= sched->now;
}

/* Fewest processors first, so that just enough become free; of equal ones the job that was
   submitted last. */
static bool is_smaller(const struct lxfw_sched *sched, const struct lxfw_runner *a,
		       const struct lxfw_runner *b)
{
	(void)sched;
	if (a->procs != b->procs)
		return a->procs < b->procs;
	if (a->submit != b->submit)
		return a->submit > b->submit;
	return a->id > b->id;
}

/* The job that is expected to end first, so that a wide job that waits on its processors
   waits for a short time; of equal ones the smaller one. */
static bool ends_first(const struct lxfw_sched *sched, const struct lxfw_runner *a,
		       const struct lxfw_runner *b)
{
	int64_t end_a = sched->jobs[a->job].expected_end;
	int64_t end_b = sched->jobs[b->job].expected_end;

	return end_a != end_b ? end_a < end_b : is_smaller(sched, a, b);
}

static const struct lxfw_victim_rule rules[] = {
	[LXFW_PF_VICTIMS_PROCS] = { may_be_preempted, is_smaller },
	[LXFW_PF_VICTIMS_END] = { may_be_preempted, ends_first },
};

/* --- the head of the queue -------------------------------------------------------------- */

/* The time at which the next running job may be preempted, or LXFW_NEVER. */
static int64_t next_eligible(const struct lxfw_sched *sched,
			     const struct lxfw_quanta *quanta)
{
	int64_t next = LXFW_NEVER;

	for (size_t i = 0; i < quanta->runner_count; i++) {
		int64_t at = eligible_at(sched, &quanta->runners[i]);

		if (at > sched->now && at < next)
			next = at;
	}
	return next;
}

/* The longest time for which a job that may be preempted is expected to run on. */
static int64_t longest_left(const struct lxfw_sched *sched,
			    const struct lxfw_quanta *quanta)
{
	int64_t longest = 0;

	for (size_t i = 0; i < quanta->runner_count; i++) {
		const struct lxfw_runner *runner = &quanta->runners[i];
		int64_t left = sched->jobs[runner->job].expected_end - sched->now;

		if (left > longest && may_be_preempted(sched, runner))
			longest = left;
	}
	return longest;
}

/* Start the wide job on processors of running jobs, if that is possible. Returns 0, or -1
   with errno ENOMEM. */
static int preempt(struct lxfw_sched *sched, struct head *head, int32_t index)
{
	struct lxfw_quanta *quanta = lxfw_service_quanta(sched);
	const struct lxfw_job *job = &sched->jobs[index];
	struct lxfw_request request = lxfw_request_simplest(sched, &job->request);
	int32_t own = sched->reservations[job->reservation].claim;
	int64_t interruption = request.estimate;
	int32_t host_set = 0, count;

	if (!quanta)
		return -1;
	/* Each side may wait until the other one has ended, and must not run into a block
	   then. */
	request.estimate = lxfw_time_add(interruption, longest_left(sched, quanta));
	quanta->victim_count = 0;
	/* Its own reservation is not in its way. */
	lxfw_profile_count_hold(&sched->profile, own, -1);
	count = lxfw_victims_find(sched, quanta, &rules[sched->params.pf_victims],
				  &request, interruption, &host_set);
	lxfw_profile_count_hold(&sched->profile, own, 1);
	if (count <= 0 || quanta->victim_count == 0) {
		head->wake = next_eligible(sched, quanta);
		return count < 0 ? -1 : 0;
	}
	return lxfw_gang_begin(sched, quanta, index, count, host_set,
			       sched->params.pf_gang, sched->params.pf_preemptions);
}

/* Whether the head of the queue may preempt jobs. The run time of a job with
   `min_estimate` depends on the time for which its processors are free. */
static bool may_preempt(const struct lxfw_sched *sched, const struct lxfw_job *job)
{
	const struct lxfw_request *request = &job->request;

	return job->group < 0 && request->min_estimate == 0 &&
	       is_wide(sched, (int64_t)request->unit.procs * request->count);
}

static bool has_enough_free(const struct lxfw_sched *sched)
{
	return sched->profile.free.procs * 100 >=
	       sched->params.pf_free * total_procs(sched);
}

/* Consider the first job, which could not start. Returns 0, or -1 with errno ENOMEM. */
static int consider_head(struct lxfw_sched *sched, struct head *head)
{
	const struct lxfw_job *job = NULL;

	head->wake = LXFW_NEVER;
	if (sched->reservation_count > 0)
		job = &sched->jobs[sched->reservations[0].job];
	if (!job || !may_preempt(sched, job)) {
		head->id = 0;
		return 0;
	}
	if (head->id != job->request.id)
		*head = (struct head){ job->request.id, LXFW_NEVER, LXFW_NEVER };
	if (head->since == LXFW_NEVER && has_enough_free(sched))
		head->since = sched->now;
	if (head->since == LXFW_NEVER)
		return 0;
	if (sched->now - head->since < sched->params.pf_delay) {
		head->wake = head->since + sched->params.pf_delay;
		return 0;
	}
	return preempt(sched, head, sched->reservations[0].job);
}

/* --- the policy ------------------------------------------------------------------------ */

static int64_t wake(const struct lxfw_sched *sched, const void *state)
{
	const struct head *head = state;

	(void)sched;
	return head->wake;
}

static void clear(struct lxfw_sched *sched, void *state)
{
	(void)sched;
	free(state);
}

static const struct lxfw_observer observer = {
	.name = name,
	.wake = wake,
	.clear = clear,
};

static void forget_head(struct lxfw_sched *sched)
{
	struct head *head = lxfw_observer_state(sched, name);

	*head = (struct head){ 0, LXFW_NEVER, LXFW_NEVER };
}

static int begin(struct lxfw_sched *sched)
{
	struct head *head;

	if (!lxfw_service_quanta(sched))
		return -1;
	if (lxfw_observer_state(sched, name))
		return 0;
	head = malloc(sizeof(*head));
	if (!head) {
		errno = ENOMEM;
		return -1;
	}
	lxfw_observe(sched, &observer, head);
	forget_head(sched);
	return 0;
}

static int pass(struct lxfw_sched *sched)
{
	struct head *head = lxfw_observer_state(sched, name);

	if (lxfw_gang_exists(lxfw_service_quanta(sched)))
		return lxfw_reservations_tell(sched);
	return lxfw_pass(sched) < 0 ? -1 : consider_head(sched, head);
}

/* The strategies of table 4.1. */
#define PFCFS(name_, code_, preset_) \
	const struct lxfw_policy_type lxfw_policy_##name_ = { \
		.name = #name_, \
		.code = code_, \
		.keys = LXFW_KEYS_GANG | LXFW_KEYS_PLACING, \
		.preset = preset_, \
		.no_reservations = " lets no job overtake", \
		.traits = LXFW_TRAIT_INTERRUPTS | LXFW_TRAIT_IN_ORDER | \
			  LXFW_TRAIT_SUSPENDS, \
		.order = { .name = "submit time" }, \
		.backfill = { .reservations = 1, .in_order = true }, \
		.begin = begin, \
		.end = forget_head, \
		.pass = pass, \
	};

PFCFS(pfcfs1, 17, "lxfw_pf_preemptions=0,lxfw_pf_delay=600,lxfw_pf_gang=600")
PFCFS(pfcfs2, 18, "lxfw_pf_preemptions=2,lxfw_pf_delay=60,lxfw_pf_gang=60")
PFCFS(pfcfs3, 19, "lxfw_pf_preemptions=1,lxfw_pf_delay=600,lxfw_pf_gang=600")
