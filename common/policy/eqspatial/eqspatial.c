/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * EQspatial: the jobs on a host share its processors as equally as their requests
 * allow (Chiang and Vernon 2001, sections 2.5 and 4.4).
 *
 * Jobs that ask for one host are its business, and a job's memory on its host is
 * its own for as long as it is there. A job goes through these states:
 *
 *   waits        in the queue of books.h, for memory. Tried in the order of tier,
 *                submit time, id; one that does not fit does not stop the others.
 *                From its arrival on its *virtual progress* is counted: what it
 *                would get as an equal part of the host that the rules choose for
 *                it when memory does not matter.
 *   is assigned  to a host (place.c): its memory there is taken. It
 *                starts on what processors are unallocated, at once or as soon as
 *                there are any, or when the host is repartitioned.
 *   runs         on 1 or more processors and at most those it asked for. One that
 *                lacks progress when it starts *catches up*: it is given what it
 *                asked for, while the others keep one each, until it has had what
 *                it would have had if it had started when it arrived.
 *
 * A host whose jobs or processors have changed is *repartitioned* at the end of
 * the pass (divide.c), once a pass, if somebody's number changes by
 * that and lxfw_eq_min_interval has passed since that was last so; else when it
 * will have passed. What is divided are the processors that these jobs hold and
 * those that are free: blocks, and jobs that were started under another policy or
 * by other hands, keep theirs. A host that is down or has a quantum of immediate
 * service under way is left as it is.
 *
 * Beyond the paper:
 *
 *   - Rigid jobs are scheduled by lxfw_pass() first, on what is free, and have room
 *     made for them: rigid.c. Their processors are not divided.
 *   - A job may say how few processors it can do with; it does not start on fewer,
 *     and keeps them as long as its host has them for all. Free processors that are
 *     too few for the first assigned job are for none that was placed after it.
 *   - A pass places before it divides, so that a processor that came free and a
 *     job that came at the same time are one repartition, not two, of which the
 *     second would have to wait.
 *   - A repartition in which no running job's number changes is none: the time
 *     since the last one goes on.
 *   - Where there are more jobs than processors the first placed have one each,
 *     the rest wait assigned.
 *   - A host that has given out more processors than it has (a block has begun, it
 *     has become smaller) is repartitioned whatever the time.
 *   - An exclusive job starts on a host without any other job, keeps all of it and
 *     is not counted while it waits. Jobs that need several hosts are not started.
 *   - A job that is reported to run on other shares (JOB_RUN) has these if it still
 *     is on one host, and divided with the others next time. Without processors it
 *     is left alone until it has some again.
 *   - When another policy takes over, assigned jobs wait in the queue again, and
 *     virtual progress ends. Jobs that run stay as they are; those of them that
 *     still run as this policy left them are its own again if it comes back.
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

/* --- from outside a pass ----------------------------------------------------------- */

static bool in_force(const struct lxfw_sched *sched)
{
	return sched->policy == &lxfw_policy_eqspatial;
}

/* What is known of the job here; NULL if nothing. */
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

/* One that says what it can do with is shared, whoever started it. */
static void adopted(struct lxfw_sched *sched, void *state, int32_t index)
{
	const struct lxfw_request *request = &sched->jobs[index].request;
	struct lxfw_eq_job *job = known(sched, index);

	(void)state;
	if (!job || !lxfw_is_shared(sched, request) || request->min_procs == 0 ||
	    request->exclusive || request->count != 1)
		return;
	lxfw_eq_leave(sched, index);	/* it may have been counted */
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

/* Nothing of those that wait remains. */
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

			/* The next decision takes it back into its class: that
			   may need memory, and this must not fail. */
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

/* Each job counts from its arrival: it is looked at though others of its class have
   been found not to fit. */
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

/* Jobs that were reported to run on other shares: with these they share their host. */
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

/* Jobs assigned to a host that is down wait in the queue again (the event that reported
   of it has made sure that they are tried); where progress was counted on it, another
   host is found. */
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

/* See what has changed on a host since the last pass. */
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

/* Assigned jobs take, in the order of their placement, what has come free. */
static void use_unallocated(struct lxfw_sched *sched, int32_t host)
{
	struct lxfw_equipartition *eq = lxfw_eq_of(sched);
	const struct lxfw_resources *free = &sched->profile.hosts[host].free;

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

/* For those that wait when this policy takes over it is as if they arrived. */
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
	/* What rigid jobs have taken is not there to be divided. */
	if (look_at_all(sched) < 0 || lxfw_pass(sched) < 0 ||
	    lxfw_eq_start_rigid(sched) < 0 || look_at_all(sched) < 0 ||
	    lxfw_eq_place_waiting(sched) < 0 || divide_changed(sched) < 0)
		return -1;
	return lxfw_reservations_tell(sched);
}

/* --- the policy ------------------------------------------------------------------------ */

/* Jobs that share hosts go by submit time, rigid ones by the weights. */
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
