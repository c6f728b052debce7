/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/act.h"

#include <stdlib.h>
#include <string.h>

#include "common/profile/duration.h"
#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"
#include "plugins/agent/refuse.h"

/* Seconds after which hosts have usually been cleaned up. */
#define CLEAN_UP_SECONDS 2

/* --- hosts with more in use than decided ------------------------------------------ */

/*
 * Returns true if the job received what was decided. A workload manager may distribute
 * processors over the chosen hosts in its own way. Hosts of which the job received more
 * than decided are marked, and later starts of this decision on them are deferred.
 */
static bool as_decided(struct lxfw_agent *agent, const struct lxfw_action *action,
		       const struct lxfw_run *run)
{
	bool same = run->count == action->count;
	int32_t at = 0;

	for (int32_t i = 0; i < run->count; i++) {
		const struct lxfw_share *given = &run->shares[i];
		static const struct lxfw_resources nothing;
		const struct lxfw_resources *decided = &nothing;

		while (at < action->count &&
		       action->shares[at].host < given->host)
			at++;
		if (at < action->count && action->shares[at].host == given->host)
			decided = &action->shares[at].amount;
		if (memcmp(&given->amount, decided, sizeof(*decided)) != 0)
			same = false;
		if (given->sockets && (decided == &nothing ||
				       given->sockets != action->shares[at].sockets))
			same = false;
		if (!lxfw_resources_fit(&given->amount, decided))
			agent->disturbed[given->host] = true;
	}
	return same;
}

static bool on_disturbed_host(const struct lxfw_agent *agent,
			      const struct lxfw_action *action)
{
	for (int32_t i = 0; i < action->count; i++) {
		if (agent->disturbed[action->shares[i].host])
			return true;
	}
	return false;
}

static bool clear_disturbed(struct lxfw_agent *agent)
{
	size_t size = (size_t)agent->hosts.count + 1;

	if (LXFW_GROW(agent->disturbed, agent->disturbed_size, size)) {
		agent->rebuild = true;
		return false;
	}
	memset(agent->disturbed, 0, size);
	return true;
}

/* --- starts ----------------------------------------------------------------------- */

/* Returns the boot time that the library expects: the longest of all hosts, if one of the
   action's hosts is asleep. */
static int64_t boot_of(const struct lxfw_agent *agent, const struct lxfw_action *action)
{
	for (int32_t i = 0; i < action->count; i++) {
		if (lxfw_mirror_boot(agent, &action->shares[i].host, 1) > 0)
			return lxfw_mirror_most_boot(agent);
	}
	return 0;
}

/* Returns the end that the library expects. On fewer processors than requested, the
   estimate is scaled up in proportion. */
static int64_t booked_until(const struct lxfw_agent *agent,
			    const struct lxfw_known_job *known,
			    const struct lxfw_action *action)
{
	const struct lxfw_request *request = &known->request;
	int64_t duration = action->limit ? action->limit : request->estimate;

	if (request->min_procs > 0 &&
	    action->shares[0].amount.procs < request->unit.procs)
		duration = lxfw_time_scale(duration, request->unit.procs,
					   action->shares[0].amount.procs);
	return lxfw_time_add(action->start, duration + boot_of(agent, action));
}

/* Records the run without an event: the library assumed it when it decided. */
static void enter_as_told(struct lxfw_known_job *known, int64_t end,
			  const struct lxfw_share *shares, int32_t count)
{
	lxfw_known_unreserve(known);
	lxfw_known_unestimate(known);
	known->state = LXFW_KNOWN_RUNNING;
	known->expected_end = end;
	known->shares_hash = lxfw_shares_hash(shares, count);
	known->unread = true;
}

static void confirm(struct lxfw_agent *agent, struct lxfw_known_job *known,
		    const struct lxfw_action *action, const struct lxfw_run *run)
{
	int64_t booked_end = booked_until(agent, known, action);

	/* The workload manager does not know the end of a quantum. */
	if (action->until != LXFW_NEVER)
		booked_end = run->end;
	if (as_decided(agent, action, run) && run->end == booked_end)
		enter_as_told(known, booked_end, run->shares, run->count);
	else
		lxfw_mirror_run(agent, known, run);
}

/* Handles a successful start. KNOWN was to start; RUN is the job that runs. They may
   differ within an array, since a workload manager may start tasks in the order of
   their numbers. */
static void started(struct lxfw_agent *agent, struct lxfw_known_job *known,
		    const struct lxfw_action *action, const struct lxfw_run *run)
{
	struct lxfw_known_job *other;

	agent->counts.started++;
	agent->total.starts++;
	if (run->count < 0)
		return;		/* the model will be rebuilt */
	if (run->id == known->id) {
		known->record = run->record;
		known->array_task = false;
		confirm(agent, known, action, run);
		return;
	}
	lxfw_defer(agent, known, LXFW_REASON_REFUSED);
	other = lxfw_mirror_running(agent, run->id, run->record);
	if (!other)
		return;
	lxfw_mirror_run(agent, other, run);
	(void)as_decided(agent, action, run);
}

static void asked_for(struct lxfw_agent *agent, struct lxfw_known_job *known,
		      const struct lxfw_action *action)
{
	agent->counts.started++;
	agent->total.starts++;
	enter_as_told(known, booked_until(agent, known, action), action->shares,
		      action->count);
	if (!lxfw_known_ask(known, agent->clock, action->shares, action->count))
		agent->events.failed = true;
	lxfw_agent_look_again(agent, known->asked + LXFW_START_SECONDS);
}

/* Why the start was not carried out: as the workload manager stated it, or by the answer. */
static enum lxfw_reason refusal_of(const struct lxfw_agent *agent,
				   const struct lxfw_known_job *known,
				   enum lxfw_answer answer)
{
	static const enum lxfw_reason usual[LXFW_ANSWERS] = {
		[LXFW_DEFERRED] = LXFW_REASON_REFUSED_IN_USE,
		[LXFW_BUSY] = LXFW_REASON_REFUSED_CLEANING,
		[LXFW_REFUSED] = LXFW_REASON_REFUSED,
		[LXFW_UNFIT] = LXFW_REASON_REFUSED_HOSTS,
	};

	if (lxfw_agent_shadows(agent))
		return LXFW_REASON_REFUSED_SHADOW;
	return known->refusal ? known->refusal : usual[answer];
}

/* Handles the answer to a start request. */
static void answered(struct lxfw_agent *agent, struct lxfw_known_job *known,
		     const struct lxfw_action *action, enum lxfw_answer answer,
		     const struct lxfw_run *run)
{
	enum lxfw_reason reason = refusal_of(agent, known, answer);

	lxfw_meter_answer(agent, known, action, answer);
	switch (answer) {
	case LXFW_DONE:
		started(agent, known, action, run);
		break;
	case LXFW_LATER:
		asked_for(agent, known, action);
		break;
	case LXFW_DEFERRED:
		lxfw_defer(agent, known, reason);
		break;
	case LXFW_BUSY:
		lxfw_put_off(agent, known, reason);
		break;
	case LXFW_GONE:
		lxfw_forget_job(agent, known, LXFW_REASON_CHANGED);
		break;
	case LXFW_UNFIT:
		lxfw_refuse(agent, known, reason);
		if (known->in_vain < UINT8_MAX)
			known->in_vain++;
		if (agent->wlm->unfit)
			agent->wlm->unfit(agent->context, known, action);
		break;
	case LXFW_REFUSED:
		lxfw_refuse(agent, known, reason);
		break;
	case LXFW_ANSWERS:
		break;
	}
}

/* The job of a start. Returns NULL, and has the model rebuilt, if the action does not fit
   what was reported. */
static struct lxfw_known_job *job_to_start(struct lxfw_agent *agent,
					   const struct lxfw_action *action)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, action->job);

	if (known && action->host_set >= 0 &&
	    action->host_set < known->request.host_set_count + known->request.more_sets)
		return known;
	agent->rebuild = true;
	return NULL;
}

/* The hosts of the job are being cleaned up, and the jobs that it preempts were therefore
   not suspended. Not before the next pass: they might be selected again and again. */
static enum lxfw_answer put_off_briefly(struct lxfw_agent *agent,
					struct lxfw_known_job *known)
{
	lxfw_events_refused(&agent->events, known->id, agent->clock + CLEAN_UP_SECONDS,
			    LXFW_REASON_REFUSED_CLEANING);
	lxfw_agent_look_again(agent, agent->clock + CLEAN_UP_SECONDS);
	agent->counts.deferred++;
	return LXFW_BUSY;
}

static enum lxfw_answer refuse_quantum(struct lxfw_known_job *known)
{
	known->refusal = LXFW_REASON_REFUSED_QUANTUM;
	return LXFW_REFUSED;
}

static enum lxfw_answer start(struct lxfw_agent *agent, struct lxfw_known_job *known,
			      const struct lxfw_action *action)
{
	bool quantum = action->until != LXFW_NEVER, busy = false;
	bool failed = lxfw_quanta_failed(agent, known, &busy);
	struct lxfw_run run = { 0 };
	enum lxfw_answer answer;

	if (known->state == LXFW_KNOWN_NOT)
		return LXFW_GONE;	/* an event for the library is queued */
	if (known->state == LXFW_KNOWN_RUNNING)
		return LXFW_GONE;	/* it was not requeued; an event for the
					   library is queued */
	known->refusal = failed ? LXFW_REASON_REFUSED_KEPT : LXFW_REASON_NONE;
	if (known->requeued)
		answer = LXFW_BUSY;
	else if (failed && busy)
		return put_off_briefly(agent, known);
	else if (failed)
		answer = LXFW_REFUSED;
	else if (quantum && !lxfw_quanta_may_begin(agent, known))
		answer = refuse_quantum(known);
	else if (on_disturbed_host(agent, action))
		answer = LXFW_DEFERRED;
	else
		answer = agent->wlm->start(agent->context, known, action, &run);
	if (quantum && (answer == LXFW_DONE || answer == LXFW_LATER))
		lxfw_quanta_begun(agent, known, action,
				  answer == LXFW_DONE ? run.record :
							known->record);
	answered(agent, known, action, answer, &run);
	return answer;
}

/* --- groups: all jobs start or none ------------------------------------------------- */

/* Number of actions from AT on that start jobs of GROUP. */
static size_t starts_of(const struct lxfw_agent *agent, size_t at, uint64_t group)
{
	size_t end = at;

	while (end < agent->decision.count &&
	       agent->decision.actions[end].type == LXFW_ACTION_START) {
		const struct lxfw_known_job *known = lxfw_table_find(
			&agent->jobs, agent->decision.actions[end].job);

		if (!known || known->request.group != group)
			break;
		end++;
	}
	return end - at;
}

/* The expected answer to the start of a job of a group. */
static enum lxfw_answer may_start(struct lxfw_agent *agent,
				  struct lxfw_known_job *known,
				  const struct lxfw_action *action)
{
	known->refusal = LXFW_REASON_NONE;
	if (known->requeued)
		return LXFW_BUSY;
	if (on_disturbed_host(agent, action))
		return LXFW_DEFERRED;
	return agent->wlm->may_start ?
		agent->wlm->may_start(agent->context, known, action) : LXFW_DONE;
}

/* No job of the group starts with this decision: action FAILED was answered by ANSWER, and
   the jobs of those from AT to it may have been started. */
static void undo(struct lxfw_agent *agent, size_t at, size_t count, size_t failed,
		 enum lxfw_answer answer)
{
	enum lxfw_reason reason = lxfw_agent_shadows(agent) ? LXFW_REASON_REFUSED_SHADOW :
							      LXFW_REASON_REFUSED_GROUP;

	for (size_t i = at; i < at + count; i++) {
		struct lxfw_known_job *known = lxfw_table_find(
			&agent->jobs, agent->decision.actions[i].job);

		if (i == failed || !known || known->state == LXFW_KNOWN_NOT)
			continue;
		if (known->state == LXFW_KNOWN_WAITING && answer == LXFW_BUSY) {
			lxfw_put_off(agent, known, reason);
			continue;
		}
		if (known->state == LXFW_KNOWN_WAITING) {
			lxfw_defer(agent, known, reason);
			continue;
		}
		if (!agent->wlm->take_back)
			continue;
		agent->wlm->take_back(agent->context, known);
		agent->counts.started--;
		agent->total.starts--;
		known->state = LXFW_KNOWN_WAITING;
		lxfw_known_unask(known);
		lxfw_refuse(agent, known, reason);
	}
}

/* Carries out the COUNT starts of a group, from action AT on. */
static void start_group(struct lxfw_agent *agent, size_t at, size_t count)
{
	const struct lxfw_action *actions = agent->decision.actions;
	const struct lxfw_meter before = agent->meter;
	const struct lxfw_run nothing = { 0 };

	for (size_t i = at; i < at + count; i++) {
		struct lxfw_known_job *known = job_to_start(agent, &actions[i]);
		enum lxfw_answer answer = LXFW_GONE;

		if (!known)
			return;
		/* An event for the library is queued if it does not wait any more. */
		if (known->state == LXFW_KNOWN_WAITING) {
			answer = may_start(agent, known, &actions[i]);
			if (answer == LXFW_DONE || answer == LXFW_LATER)
				continue;
			answered(agent, known, &actions[i], answer, &nothing);
		}
		undo(agent, at, count, i, answer);
		return;
	}
	for (size_t i = at; i < at + count; i++) {
		struct lxfw_known_job *known = job_to_start(agent, &actions[i]);
		enum lxfw_answer answer = known ? start(agent, known, &actions[i]) : LXFW_GONE;

		if (known && (agent->rebuild || agent->events.failed))
			return;
		if (known && known->state == LXFW_KNOWN_RUNNING)
			continue;
		undo(agent, at, count, i, answer);
		if (agent->wlm->take_back)
			lxfw_meter_take_back(&agent->meter, &before);
		return;
	}
}

static void start_action(struct lxfw_agent *agent, size_t at)
{
	const struct lxfw_action *action = &agent->decision.actions[at];
	struct lxfw_known_job *known = job_to_start(agent, action);
	size_t count;

	if (!known)
		return;
	if (known->request.group == 0) {
		(void)start(agent, known, action);
		return;
	}
	count = starts_of(agent, at, known->request.group);
	agent->next_action = at + count;
	start_group(agent, at, count);
}

/* --- reservations ----------------------------------------------------------------- */

static void reserve(struct lxfw_agent *agent, const struct lxfw_action *action)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, action->job);

	if (!known || known->state == LXFW_KNOWN_NOT)
		return;
	lxfw_meter_reserve(agent, known, action->start);
	lxfw_known_unreserve(known);
	known->reserved_start = action->start;
	known->reserved_hosts =
		malloc((size_t)action->count * sizeof(int32_t) + 1);
	if (known->reserved_hosts) {
		known->reserved_count = action->count;
		for (int32_t i = 0; i < action->count; i++)
			known->reserved_hosts[i] = action->shares[i].host;
	}
	agent->counts.reserved++;
	if (agent->wlm->reserve)
		agent->wlm->reserve(agent->context, known, action);
}

static void unreserve(struct lxfw_agent *agent, const struct lxfw_action *action)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, action->job);

	if (!known)
		return;
	lxfw_known_unreserve(known);
	if (agent->wlm->unreserve)
		agent->wlm->unreserve(agent->context, known);
}

/* --- all actions ------------------------------------------------------------------ */

static void act_on(struct lxfw_agent *agent, const struct lxfw_action *action)
{
	switch (action->type) {
	case LXFW_ACTION_START:
		start_action(agent, agent->next_action - 1);
		break;
	case LXFW_ACTION_RESERVE:
		reserve(agent, action);
		break;
	case LXFW_ACTION_UNRESERVE:
		unreserve(agent, action);
		break;
	case LXFW_ACTION_SUSPEND:
		lxfw_quanta_suspend(agent, action);
		break;
	case LXFW_ACTION_RESUME:
		lxfw_quanta_resume(agent, action);
		break;
	case LXFW_ACTION_REQUEUE:
		lxfw_quanta_requeue(agent, action);
		break;
	case LXFW_ACTION_RESIZE:
		if (agent->wlm->resize)
			agent->wlm->resize(agent->context,
					   agent->next_action - 1);
		else
			agent->rebuild = true;
		break;
	}
}

bool lxfw_agent_act(struct lxfw_agent *agent, uint64_t deadline_us)
{
	lxfw_agent_tick(agent);
	if (agent->next_action == 0 && !clear_disturbed(agent))
		return true;
	while (agent->next_action < agent->decision.count) {
		if (!agent->rebuild && agent->wlm->same_world &&
		    !agent->wlm->same_world(agent->context))
			agent->rebuild = true;	/* host indices may have changed */
		if (agent->rebuild)
			return true;
		if (lxfw_now_us() >= deadline_us)
			return false;
		act_on(agent, &agent->decision.actions[agent->next_action++]);
	}
	return true;
}
