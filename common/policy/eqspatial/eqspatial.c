/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * EQspatial: the jobs on a host share its processors as equally as their requests allow
 * (Chiang and Vernon 2001, sections 2.5 and 4.4).
 *
 * The policy handles jobs that request one host. The memory of a job is its own while the
 * job is on its host. A job has these states:
 *
 *   waiting      in the queue of books.h, for memory. Jobs are tried in the order of
 *                tier, submit time and id; a job that does not fit does not block
 *                others. From the arrival of a job its *virtual progress* is counted: the
 *                processors of an equal share on the host that the rules would choose
 *                if memory did not matter.
 *   assigned     to a host (place.c), with its memory allocated there. The job starts on
 *                unallocated processors, at once or as soon as there are any, or when the
 *                host is repartitioned.
 *   running      on 1 or more processors, at most the requested number. A job that lacks
 *                progress when it starts *catches up*: it has the requested processors,
 *                while each other job keeps one, until it has had the processor time of a
 *                job that started at its arrival.
 *
 * A host whose jobs or processors have changed is *repartitioned* at the end of the pass
 * (divide.c), at most once in a pass, if that changes the processors of a job and
 * lxfw_eq_min_interval has passed since the last repartition; otherwise when the interval
 * has passed. The processors of its adaptive jobs and the free processors are
 * distributed. Blocks keep their processors, and so do jobs that were started under
 * another policy or not by the scheduler. A host that is down or has a quantum of
 * immediate service in progress is not changed.
 *
 * Extensions of the paper:
 *
 * - Rigid jobs are scheduled first by lxfw_pass() on free processors, and room is made
 *   for them: see rigid.c. Their processors are not repartitioned.
 * - A job may have a minimum number of processors. It does not start on fewer, and keeps
 *   the minimum while its host has enough for the minimums of all jobs. If the free
 *   processors are too few for the first assigned job, no job placed after it gets them.
 * - A pass places jobs before it repartitions hosts. A processor that becomes free and a
 *   job that arrives at the same time thus cause one repartition and not two, the second
 *   of which would have to wait.
 * - A repartition that changes no running job does not count; the interval since the
 *   previous one continues.
 * - If there are more jobs than processors, the jobs placed first have one each, and the
 *   others stay assigned.
 * - A host with more processors allocated than it has (because a block has begun or the
 *   host became smaller) is repartitioned regardless of the interval.
 * - An exclusive job starts on an empty host, has all of it, and its progress is not
 *   counted while it waits. Adaptive jobs that need several hosts are not started.
 * - A job that is reported with other shares (JOB_RUN) keeps them if it is on one host,
 *   and takes part in the next repartition. If it has no processors it is ignored until
 *   it has some again.
 * - When another policy takes effect, assigned jobs return to the queue and virtual
 *   progress ends. Running jobs are unchanged. If this policy takes effect again, it
 *   handles those of them that still run with the same shares.
 */
#include "common/policy/eqspatial/private.h"

#include <stdlib.h>

#include "common/books/books.h"
#include "common/books/observer.h"
#include "common/books/queue.h"
#include "common/books/reservation.h"
#include "common/order/order.h"
#include "common/pass/backfill.h"
#include "common/policy/registry.h"
#include "common/service/service.h"

/* --- events ---------------------------------------------------------------------- */

static bool in_force(const struct lxfw_sched *sched)
{
	return sched->policy == &lxfw_policy_eqspatial;
}

/* The policy's record of a job, or NULL if there is none. */
static struct lxfw_eq_job *known(const struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);

	return eq && (size_t)index < eq->jobs_size ? &eq->jobs[index] : NULL;
}

static void leaving(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_eq_job *job = known(sched, index);

	(void)state;
	if (!job || (job->state != LXFW_EQ_RUNNING && job->state != LXFW_EQ_ASIDE))
		return;
	lxfw_eq_leave(sched, index);
	if (in_force(sched))
		lxfw_eq_enter(sched, index, LXFW_EQ_REPORTED, job->host);
}

static int ready(struct lxfw_sched *sched, void *state)
{
	(void)state;
	return in_force(sched) ?
		       lxfw_eq_ready(sched) : 0;
}

/* A job with min_procs shares its host even if others started it. */
static void adopted(struct lxfw_sched *sched, void *state, int32_t index)
{
	const struct lxfw_request *request = &sched->jobs[index].request;
	struct lxfw_eq_job *job = known(sched, index);

	(void)state;
	if (!job || !lxfw_is_shared(sched, request) || request->min_procs == 0 ||
	    request->exclusive || request->count != 1)
		return;
	lxfw_eq_leave(sched, index);	/* its progress may have been counted */
	*job = (struct lxfw_eq_job){
		.asked = request->unit.procs,
		.min_procs = request->min_procs,
		.placed = lxfw_eq_of(sched)->placements++,
		.started = sched->jobs[index].start,
		.since = sched->now,
	};
	lxfw_eq_enter(sched, index, LXFW_EQ_REPORTED, -1);
}

static void unassigned(struct lxfw_sched *sched, void *state, int32_t index)
{
	(void)state;
	lxfw_profile_stop(&sched->profile, known(sched, index)->claim);
	lxfw_eq_leave(sched, index);
}

static void forgotten(struct lxfw_sched *sched, void *state, int32_t index)
{
	struct lxfw_eq_job *job = known(sched, index);

	(void)state;
	if (!job)
		return;
	lxfw_eq_leave(sched, index);
	*job = (struct lxfw_eq_job){ 0 };
}

/* Forget the progress of the jobs of a list. */
static void stop_counting(struct lxfw_sched *sched, struct lxfw_eq_list *list)
{
	struct lxfw_eq_job *jobs = lxfw_eq_of(sched)->jobs;

	while (list->first >= 0) {
		int32_t index = list->first;

		lxfw_eq_leave(sched, index);
		jobs[index].lacks = 0;
	}
}

static void end(struct lxfw_sched *sched)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);

	eq->in_charge = false;
	eq->wake = LXFW_NEVER;
	stop_counting(sched, &eq->nowhere);
	stop_counting(sched, &eq->reported);
	for (int32_t i = 0; i < eq->host_count; i++) {
		stop_counting(sched, &eq->hosts[i].counted);
		while (eq->hosts[i].assigned.first >= 0) {
			int32_t index = eq->hosts[i].assigned.first;

			/* The next decision returns the job to its class. That may need
			   memory, while this function must not fail. */
			lxfw_queue_remove(sched, index);
			sched->jobs[index].refused_until = sched->now;
			lxfw_queue_refuse(sched, index);
			eq->jobs[index].lacks = 0;
		}
	}
}

static int64_t wake(const struct lxfw_sched *sched, const void *state)
{
	const struct lxfw_equipartition *eq = state;

	(void)sched;
	return eq->wake;
}

/* Progress is counted from the arrival of each job, so the class is examined even if
   other jobs of it did not fit. */
static void queued(struct lxfw_sched *sched, void *state, int32_t index)
{
	(void)state;
	if (in_force(sched))
		lxfw_head_of(sched, &sched->classes[sched->jobs[index].class])
			->failed = UINT64_MAX;
}

static void clear(struct lxfw_sched *sched, void *state)
{
	struct lxfw_equipartition *eq = state;

	(void)sched;
	free(eq->jobs);
	free(eq->hosts);
	free(eq->partners);
	free(eq->members);
	free(eq->room);
	free(eq);
}

static int begin(struct lxfw_sched *sched)
{
	static const struct lxfw_observer observer = {
		.name = lxfw_eq_name,
		.ready = ready,
		.queued = queued,
		.unassigned = unassigned,
		.adopted = adopted,
		.leaving = leaving,
		.forgotten = forgotten,
		.wake = wake,
		.clear = clear,
	};

	struct lxfw_equipartition *eq;

	if (lxfw_eq_of(sched))
		return 0;
	eq = lxfw_eq_make();
	if (!eq)
		return -1;
	lxfw_observe(sched, &observer, eq);
	return 0;
}

/* --- a pass --------------------------------------------------------------------------- */

/* Let jobs that were reported with other shares take part with these shares. */
static void take_as_reported(struct lxfw_sched *sched)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);

	while (eq->reported.first >= 0) {
		int32_t index = eq->reported.first;
		struct lxfw_eq_job *job = &eq->jobs[index];
		struct lxfw_share share;

		lxfw_eq_leave(sched, index);
		if (sched->jobs[index].state != LXFW_JOB_RUNNING ||
		    !lxfw_profile_single(&sched->profile,
					 sched->jobs[index].claim, &share))
			continue;
		job->procs = share.amount.procs;
		lxfw_eq_enter(sched, index, job->procs > 0 ? LXFW_EQ_RUNNING :
							     LXFW_EQ_ASIDE,
			      share.host);
	}
}

/* Return the jobs that are assigned to a host that is down to the queue; the event that
   reported the host causes them to be tried. Progress that was counted on the host is
   counted on another one. */
static int give_up_host(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_eq_host *host = &lxfw_eq_of(sched)->hosts[index];

	while (host->assigned.first >= 0) {
		int32_t job = host->assigned.first;

		if (lxfw_queue_add(sched, job) < 0)
			return -1;
		unassigned(sched, lxfw_eq_of(sched), job);
	}
	return lxfw_eq_count_elsewhere(sched, index);
}

/* Detect changes of a host since the last pass. Returns 0, or -1 with errno ENOMEM. */
static int look_at(struct lxfw_sched *sched, struct lxfw_eq_host *host,
		   int32_t index)
{
	bool up = sched->profile.hosts[index].up;
	int32_t total = lxfw_eq_total(sched, host, index);

	if (up == host->up && total == host->divided &&
	    host->look > sched->now)
		return 0;
	host->changed = true;
	host->level = -1;
	host->divided = total;
	if (!up && give_up_host(sched, index) < 0)
		return -1;
	host->up = up;
	return 0;
}

/* Give free processors to assigned jobs in the order of placement. */
static void use_unallocated(struct lxfw_sched *sched, int32_t host)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	const struct lxfw_resources *free = lxfw_profile_free(&sched->profile, host);

	for (int32_t i = eq->hosts[host].assigned.first;
	     i >= 0 && free->procs > 0; i = eq->jobs[i].next) {
		struct lxfw_eq_job *job = &eq->jobs[i];
		int32_t procs = job->procs + free->procs;

		if (procs > job->asked)
			procs = job->asked;
		lxfw_profile_resize(&sched->profile, job->claim, procs,
				    LXFW_NEVER);
		lxfw_eq_hold(sched, i, procs);
	}
}

static int look_at_all(struct lxfw_sched *sched)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	bool other_rules = eq->min_interval != sched->params.eq_min_interval ||
			   eq->full_after != sched->params.eq_full_after;

	take_as_reported(sched);
	for (int32_t i = 0; i < eq->host_count; i++) {
		eq->hosts[i].changed |= other_rules;
		if (look_at(sched, &eq->hosts[i], i) < 0)
			return -1;
		if (eq->hosts[i].changed && eq->hosts[i].up)
			use_unallocated(sched, i);
	}
	eq->min_interval = sched->params.eq_min_interval;
	eq->full_after = sched->params.eq_full_after;
	if (eq->machine != sched->machine &&
	    lxfw_eq_count_elsewhere(sched, -1) < 0)
		return -1;
	eq->machine = sched->machine;
	return 0;
}

/* Jobs that wait when this policy takes effect are treated as if they had just
   arrived. */
static void take_charge(struct lxfw_sched *sched)
{
	if (lxfw_eq_of(sched)->in_charge)
		return;
	lxfw_eq_of(sched)->in_charge = true;
	for (size_t i = 0; i < sched->head_count; i++)
		sched->heads[i].failed = UINT64_MAX;
}

static int divide_changed(struct lxfw_sched *sched)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);

	eq->wake = lxfw_eq_rigid_waits(sched) ? eq->next_due : LXFW_NEVER;
	for (int32_t i = 0; i < eq->host_count; i++) {
		const struct lxfw_eq_host *host = &eq->hosts[i];
		int64_t wake;

		if (!host->up)
			continue;
		if (host->changed && lxfw_eq_divide(sched, i) < 0)
			return -1;
		wake = host->look;
		if (host->changed && lxfw_eq_due(sched, i) < wake &&
		    !lxfw_service_on_host(sched, i))
			wake = lxfw_eq_due(sched, i);
		if (wake < eq->wake)
			eq->wake = wake;
	}
	return 0;
}

static int pass(struct lxfw_sched *sched)
{
	if (lxfw_eq_ready(sched) < 0)
		return -1;
	take_charge(sched);
	/* Processors that rigid jobs have taken are not distributed. */
	if (look_at_all(sched) < 0 || lxfw_pass(sched) < 0 ||
	    lxfw_eq_start_rigid(sched) < 0 || look_at_all(sched) < 0 ||
	    lxfw_eq_place_waiting(sched) < 0 || divide_changed(sched) < 0)
		return -1;
	return lxfw_reservations_tell(sched);
}

/* --- the policy ------------------------------------------------------------------------ */

/* Adaptive jobs are ordered by submit time, rigid jobs by the weights. */
static void line(const struct lxfw_sched *sched, const struct lxfw_class *class,
		 double *intercept, double *slope)
{
	if (class->request.rigid)
		lxfw_line_weights(sched, class, intercept, slope);
}

static bool is_rigid(const struct lxfw_request *request)
{
	return request->rigid;
}

const struct lxfw_policy_type lxfw_policy_eqspatial = {
	.name = "eqspatial",
	.code = LXFW_POLICY_EQSPATIAL,
	.keys = LXFW_KEYS_WEIGHTS | LXFW_KEYS_BACKFILL |
		LXFW_KEYS_PARTITION,
	.preset = "lxfw_ww=0.0167,lxfw_wx=1",
	.excludes = "lxfw_quantum_end=suspend",
	.why_not = " requeues jobs at the end of their quantum: they share their host",
	.traits = LXFW_TRAIT_INTERRUPTS | LXFW_TRAIT_ADAPTIVE |
		  LXFW_TRAIT_OWN_PLACING | LXFW_TRAIT_WEIGHTS,
	.order = { .name = "submit time, weights of rigid jobs", .line = line,
		   .site = lxfw_site_weight },
	.backfill = {
		.announces_later = true,
		.considers = is_rigid,
		.make_room = lxfw_eq_make_room,
	},
	.begin = begin,
	.end = end,
	.pass = pass,
};
