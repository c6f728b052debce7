/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "common/params/policy.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"
#include "plugins/agent/refuse.h"

/* Limit of refused jobs that a pass retries because a job has ended. */
#define FORGIVEN_MAX 20

/* Seconds for which a job that could not be suspended is not preempted. */
#define BARE_SECONDS 60

/* Seconds for which a requeued job stays in the model during its cleanup. */
#define CLEAN_UP_MAX 60

/* Jobs are visited one after the other. Those that come this much later are fetched into the
   cache meanwhile. */
#define AHEAD 8

/* Forgets refusals: after a change the job may be able to start. */
static void forgive(struct lxfw_known_job *known)
{
	known->refusals = 0;
	known->in_vain = 0;
	known->refused_until = 0;
}

static struct lxfw_known_job *meet(struct lxfw_agent *agent, uint64_t id,
				   uint32_t record)
{
	struct lxfw_known_job *known = lxfw_table_enter(&agent->jobs, id);

	if (!known) {
		agent->events.failed = true;
		return NULL;
	}
	known->seen = agent->pass;
	known->record = record;
	known->array_task = false;
	return known;
}

/* --- running jobs ------------------------------------------------------------------- */

struct lxfw_known_job *lxfw_mirror_running(struct lxfw_agent *agent, uint64_t id,
					   uint32_t record)
{
	return meet(agent, id, record);
}

/*
 * Returns the job's past as the model needs it. After a rebuild, a job that has run for
 * long may be preempted. A job that the library considered suspended but that continues
 * to run (known->spared) counts as just started, so that it is not selected again for a
 * while. Its number of suspensions is kept.
 */
static struct lxfw_run_past past_of(const struct lxfw_agent *agent,
				    const struct lxfw_known_job *known,
				    const struct lxfw_run *run)
{
	const struct lxfw_victim *victim =
		lxfw_victim_find(&agent->quanta, run->record);
	struct lxfw_run_past past = run->past;

	/* It is suspended. The policy decides whether it stays suspended. */
	if (past.since <= 0 && lxfw_quanta_hold(agent, run->record) &&
	    lxfw_params_has(&agent->params, LXFW_TRAIT_QUEUES_SUSPENDED)) {
		int64_t least = lxfw_params_min_run(&agent->params);

		past.since = agent->clock - least;
		past.ran = past.ran > least ? past.ran - least : 0;
	}
	if (past.since <= 0 && victim && !known->spared)	/* suspended for others */
		return (struct lxfw_run_past){ .suspensions = victim->suspensions };
	if (past.since <= 0 || (known->spared && !victim))
		return (struct lxfw_run_past){ 0 };
	past.suspensions = victim ? victim->suspensions : 0;
	if (known->spared) {
		if (agent->clock > past.since)
			past.ran += agent->clock - past.since;
		past.since = agent->clock;
	}
	if (known->submit && known->submit < past.submit)
		past.submit = known->submit;
	return past;
}

void lxfw_mirror_run(struct lxfw_agent *agent, struct lxfw_known_job *known,
		     const struct lxfw_run *run)
{
	uint32_t hash = lxfw_shares_hash(run->shares, run->count);
	bool is_news = known->state != LXFW_KNOWN_RUNNING ||
		       known->expected_end != run->end ||
		       known->shares_hash != hash || run->went_on;
	struct lxfw_run_past past;

	lxfw_known_unreserve(known);
	lxfw_known_unestimate(known);
	forgive(known);
	known->requeued = 0;
	lxfw_known_unask(known);
	if (!is_news)
		return;
	if (known->state != LXFW_KNOWN_RUNNING)
		known->bare = known->state == LXFW_KNOWN_NOT;
	if (known->bare && known->spared)
		known->bare_until = agent->clock + BARE_SECONDS;
	known->state = LXFW_KNOWN_RUNNING;
	known->excluded = false;	/* unless the library rejects it again */
	known->reported = agent->decisions;
	known->expected_end = run->end;
	known->shares_hash = hash;
	past = past_of(agent, known, run);
	lxfw_aside_taken(agent, known->id);
	lxfw_events_run(&agent->events, known->id, run->end, run->shares,
			run->count, &past);
}

bool lxfw_mirror_lacks_request(const struct lxfw_agent *agent,
			       const struct lxfw_known_job *known)
{
	if (!lxfw_params_has(&agent->params, LXFW_TRAIT_QUEUES_SUSPENDED) ||
	    agent->clock < known->bare_until)
		return false;
	return known->state == LXFW_KNOWN_NOT ||
	       (known->state == LXFW_KNOWN_RUNNING && known->bare);
}

void lxfw_mirror_request(struct lxfw_agent *agent, struct lxfw_known_job *known,
			 const struct lxfw_request *request)
{
	if (known->state != LXFW_KNOWN_NOT)
		lxfw_events_end(&agent->events, known->id);
	known->state = LXFW_KNOWN_WAITING;
	known->bare_until = 0;
	known->request = *request;
	known->request.id = known->id;
	lxfw_events_request(&agent->events, LXFW_EVENT_JOB_SUBMIT,
			    &known->request);
}

void lxfw_mirror_tell_anew(struct lxfw_known_job *known)
{
	known->unread = true;
	known->shares_hash = ~known->shares_hash;
}

void lxfw_mirror_replaced(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	if (known->state != LXFW_KNOWN_NOT)
		lxfw_events_end(&agent->events, known->id);
	known->state = LXFW_KNOWN_NOT;
	known->request.group = 0;
	known->request.group_count = 0;
	lxfw_known_unask(known);
	lxfw_known_unreserve(known);
	lxfw_known_unestimate(known);
}

/* --- pending jobs ------------------------------------------------------------------- */

static int64_t waiting_since(struct lxfw_known_job *known,
			     const struct lxfw_waiting *waiting)
{
	int64_t submit = waiting->request.submit;

	/* The waiting time of a job that ran before counts from its first
	   submission. */
	if (known->submit && waiting->again && known->submit < submit)
		submit = known->submit;
	known->submit = submit;
	return submit;
}

void lxfw_mirror_starting(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	const struct lxfw_run_past past = { 0 };

	known->state = LXFW_KNOWN_RUNNING;
	lxfw_events_run(&agent->events, known->id, known->expected_end,
			known->asked_shares, known->asked_count, &past);
}

/* Returns true if the job is pending because its requested start has not happened yet.
   Sets *REFUSED if the start did not happen in time. */
static bool is_starting(struct lxfw_agent *agent, struct lxfw_known_job *known,
			bool *refused)
{
	if (!known->asked)
		return false;
	/* The clock was set back. */
	if (known->asked > agent->clock)
		known->asked = agent->clock;
	if (agent->clock < known->asked + LXFW_START_SECONDS &&
	    known->asked_shares) {
		if (known->state != LXFW_KNOWN_RUNNING)
			lxfw_mirror_starting(agent, known);
		lxfw_agent_look_again(agent, known->asked + LXFW_START_SECONDS);
		return true;
	}
	lxfw_known_unask(known);
	*refused = true;
	return false;
}

/* Returns true if the library has the job in another group: a job does not change its group. */
static bool has_other_group(const struct lxfw_known_job *known,
			    const struct lxfw_request *request)
{
	return known->state == LXFW_KNOWN_WAITING && !known->excluded &&
	       known->request.group != request->group;
}

static void tell_waiting(struct lxfw_agent *agent, struct lxfw_known_job *known,
			 const struct lxfw_request *request)
{
	if (known->state == LXFW_KNOWN_RUNNING) {
		/* It was requeued. */
		lxfw_events_end(&agent->events, known->id);
		known->state = LXFW_KNOWN_NOT;
	}
	if (has_other_group(known, request)) {
		lxfw_events_end(&agent->events, known->id);
		known->state = LXFW_KNOWN_NOT;
	}
	if (known->state == LXFW_KNOWN_NOT) {
		forgive(known);
		known->excluded = false;
		lxfw_known_unreserve(known);
		lxfw_events_request(&agent->events, LXFW_EVENT_JOB_SUBMIT,
				    request);
	} else if (!lxfw_request_same(request, &known->request)) {
		forgive(known);
		lxfw_events_request(&agent->events, known->excluded ?
				    LXFW_EVENT_JOB_SUBMIT : LXFW_EVENT_JOB_CHANGE,
				    request);
		known->excluded = false;
	} else if (known->refused_until > agent->clock &&
		   (agent->new_chances ||
		    (agent->had_room && agent->forgiven < FORGIVEN_MAX))) {
		agent->forgiven++;
		known->refused_until = 0;
		lxfw_events_request(&agent->events, LXFW_EVENT_JOB_CHANGE,
				    request);
	}
	known->state = LXFW_KNOWN_WAITING;
	if (!known->first_decision)
		known->first_decision = agent->decisions + 1;
	known->request = *request;
}

/* A job that was just submitted to the library has neither there. */
static void tell_priority(struct lxfw_agent *agent, struct lxfw_known_job *known,
			  const struct lxfw_waiting *waiting, bool is_new)
{
	/* A simulation of the workload manager's own scheduler needs it. */
	bool counts = lxfw_params_read_priority(&agent->params) ||
		      lxfw_agent_shadows(agent);
	int64_t priority = counts ? waiting->priority : 0;

	if (is_new)
		known->priority = known->delay = 0;
	if (known->excluded ||
	    (known->priority == priority && known->delay == waiting->delay))
		return;
	known->priority = priority;
	known->delay = waiting->delay;
	lxfw_events_priority(&agent->events, known->id, priority, waiting->delay);
}

struct lxfw_known_job *lxfw_mirror_waiting(struct lxfw_agent *agent,
					   const struct lxfw_waiting *waiting)
{
	struct lxfw_request request = waiting->request;
	struct lxfw_known_job *known = meet(agent, request.id, waiting->record);
	bool refused = false, is_new;

	if (!known)
		return NULL;
	known->array_task = waiting->array_task;
	if (is_starting(agent, known, &refused))
		return known;
	known->requeued = 0;
	request.submit = lxfw_quanta_submit(agent, request.id,
					    waiting_since(known, waiting));
	request.no_quantum |= !lxfw_quanta_may_serve(agent, request.id);
	is_new = known->excluded || known->state != LXFW_KNOWN_WAITING ||
		 has_other_group(known, &request);
	tell_waiting(agent, known, &request);
	tell_priority(agent, known, waiting, is_new);
	lxfw_aside_taken(agent, known->id);
	if (refused)
		lxfw_refuse(agent, known, LXFW_REASON_REFUSED_LATE);
	return known;
}

static bool is_steady(const struct lxfw_agent *agent, const struct lxfw_known_job *known)
{
	return known && known->state == LXFW_KNOWN_WAITING && !known->excluded &&
	       !known->asked && !known->requeued && known->refused_until <= agent->clock;
}

bool lxfw_mirror_steady(const struct lxfw_agent *agent, uint64_t id, uint32_t *place)
{
	return is_steady(agent, lxfw_table_find_near(&agent->jobs, id, place));
}

bool lxfw_mirror_still(struct lxfw_agent *agent, uint64_t id, uint32_t *place)
{
	struct lxfw_known_job *known = lxfw_table_find_near(&agent->jobs, id, place);

	if (!is_steady(agent, known))
		return false;
	known->seen = agent->pass;
	return true;
}

void lxfw_mirror_keep(struct lxfw_agent *agent, uint64_t id)
{
	struct lxfw_known_job *known = lxfw_table_find(&agent->jobs, id);

	if (known && known->state == LXFW_KNOWN_WAITING &&
	    known->requeued + CLEAN_UP_MAX >= agent->clock)
		known->seen = agent->pass;
}

/* --- jobs that were not reported ---------------------------------------------------- */

/* Returns true if a start was requested for the job and it is still pending, for
   example held. */
static bool is_about_to_run(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	bool refused = false;

	return known->asked &&
	       agent->wlm->phase(agent->context, known->record) ==
		       LXFW_PHASE_WAITING &&
	       is_starting(agent, known, &refused);
}

/* These jobs have ended or must not be scheduled now. */
void lxfw_mirror_sweep_jobs(struct lxfw_agent *agent)
{
	for (size_t i = 0; i < agent->jobs.count;) {
		struct lxfw_known_job *known = agent->jobs.jobs[i];
		enum lxfw_phase phase;

		lxfw_table_fetch(&agent->jobs, i + AHEAD);
		if (known->seen == agent->pass || is_about_to_run(agent, known)) {
			i++;
			continue;
		}
		if (known->state != LXFW_KNOWN_NOT)
			lxfw_events_end(&agent->events, known->id);
		if (known->state == LXFW_KNOWN_RUNNING)
			agent->new_room = true;
		known->state = LXFW_KNOWN_NOT;
		lxfw_known_unask(known);
		lxfw_known_unreserve(known);
		phase = agent->wlm->phase(agent->context, known->record);
		if ((phase == LXFW_PHASE_WAITING ||
		     phase == LXFW_PHASE_REQUEUED) && !known->array_task) {
			i++;
			continue;
		}
		lxfw_table_remove(&agent->jobs, i);
	}
}
