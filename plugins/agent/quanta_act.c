/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carries out suspensions, resumptions and requeues of the library. */
#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"
#include "plugins/agent/refuse.h"

static enum lxfw_phase phase_of(struct lxfw_agent *agent,
				const struct lxfw_known_job *known)
{
	return agent->wlm->phase(agent->context, known->record);
}

/*
 * Handles a running job whose resources the decision gave to other jobs. No other start
 * of this decision may use its hosts. The job's resources are reported to the library.
 */
static void tell_it_runs(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	struct lxfw_run run = { 0 };

	agent->stale = true;
	known->contradicted = agent->decisions;
	if (known->asked_shares) {
		run.shares = known->asked_shares;
		run.count = known->asked_count;
		lxfw_disturb(agent, &run);
		lxfw_mirror_starting(agent, known);
		return;
	}
	lxfw_mirror_tell_anew(known);
	if (!agent->wlm->read_run(agent->context, known, &run) || run.count < 0)
		return;
	lxfw_disturb(agent, &run);
	lxfw_mirror_run(agent, known, &run);
}

/*
 * Handles a job that could not be suspended: it runs, but is suspended in the model. It
 * is reported as just started, so that it is not selected again for a while. Under a
 * policy that queues suspended jobs it is reported without its request, and the policy
 * cannot preempt it; its request follows later.
 */
static void not_suspended(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	size_t start;

	agent->quanta.broken = lxfw_quanta_served_after(agent, agent->next_action, &start);
	agent->quanta.busy = false;
	agent->refused_now = true;
	lxfw_events_end(&agent->events, known->id);
	known->state = LXFW_KNOWN_NOT;
	known->spared = true;
	tell_it_runs(agent, known);
	known->spared = false;
}

/*
 * Returns true if the start for which a job is to be suspended would be answered by
 * LXFW_BUSY: the suspension is omitted. The job continues to run, and is reported as
 * before.
 */
static bool omitted(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	struct lxfw_run run = { 0 };
	size_t start;
	uint64_t served = lxfw_quanta_served_after(agent, agent->next_action, &start);

	if (start == agent->decision.count || !agent->wlm->busy ||
	    !lxfw_params_has(&agent->params, LXFW_TRAIT_SUSPENDS) ||
	    known->asked_shares ||
	    !agent->wlm->busy(agent->context, &agent->decision.actions[start]) ||
	    !agent->wlm->read_run(agent->context, known, &run) || run.count < 0)
		return false;
	if (agent->quanta.broken != served)
		agent->quanta.busy = true;
	agent->quanta.broken = served;
	lxfw_events_end(&agent->events, known->id);
	known->state = LXFW_KNOWN_NOT;
	if (lxfw_mirror_lacks_request(agent, known) && known->request.id)
		lxfw_mirror_request(agent, known, &known->request);
	lxfw_disturb(agent, &run);
	lxfw_mirror_run(agent, known, &run);
	return true;
}

/* True if the job is suspended because its own quantum is over. */
static bool is_own_end(const struct lxfw_served *served)
{
	return served && served->until;
}

/* Returns why the job may not be suspended, or NULL. */
static const char *unsuspendable(const struct lxfw_agent *agent,
				 const struct lxfw_known_job *known,
				 const struct lxfw_preempted *preempted)
{
	if (!preempted || !preempted->planned || agent->quanta.unwritten)
		return "that could not be written down before";
	/* The library would apply that report after the suspension, and consider the job
	   running. */
	return known->reported == agent->decisions ?
		       "it was started or reported by the same decision" : NULL;
}

struct lxfw_known_job *lxfw_quanta_may_suspend(struct lxfw_agent *agent,
					       const struct lxfw_action *action)
{
	struct lxfw_known_job *known = lxfw_table_find(&agent->jobs, action->job);

	if (!known || known->contradicted == agent->decisions ||
	    unsuspendable(agent, known, lxfw_preempted_find(&agent->quanta, known->record)))
		return NULL;
	return known;
}

static enum lxfw_answer suspend(struct lxfw_agent *agent,
				struct lxfw_known_job *known,
				struct lxfw_preempted *preempted, bool own_end,
				struct lxfw_error *why)
{
	const char *unfit = unsuspendable(agent, known, preempted);

	lxfw_error_set(why, unfit ? unfit : "");
	if (unfit)
		return LXFW_REFUSED;
	return agent->wlm->suspend(agent->context, known, preempted, own_end, why);
}

void lxfw_quanta_suspend(struct lxfw_agent *agent, const struct lxfw_action *action)
{
	struct lxfw_quanta_books *books = &agent->quanta;
	struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, action->job);
	struct lxfw_served *served = lxfw_served_find(books, action->job);
	struct lxfw_preempted *preempted;
	struct lxfw_error why;

	if (!known) {
		agent->rebuild = true;
		return;
	}
	if (known->contradicted == agent->decisions)
		return;
	preempted = lxfw_preempted_find(books, known->record);
	if (preempted && !preempted->planned &&
	    phase_of(agent, known) == LXFW_PHASE_SUSPENDED) {
		preempted->resume = false;
		books->dirty = true;
		lxfw_log_info("%s%u stays suspended", agent->wlm->job,
			      known->record);
		return;
	}
	if (omitted(agent, known))
		return;
	if (suspend(agent, known, preempted, is_own_end(served), &why) != LXFW_DONE) {
		lxfw_log_info("%s%u cannot be suspended: %s", agent->wlm->job,
			      known->record, why.text);
		not_suspended(agent, known);
		return;
	}
	preempted->planned = preempted->resume = preempted->said = preempted->counted = false;
	preempted->resumed = preempted->over = 0;
	books->dirty = true;
	if (served && preempted->served == action->job)
		served->until = 0;	/* its quantum is over */
	books->acted = true;
	agent->meter.suspensions++;
	lxfw_log_info("suspended %s%u", agent->wlm->job, known->record);
}

/* A preemption for the resumption of KNOWN failed: it waits in the queue again. */
static bool resumption_failed(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	bool busy;

	if (!lxfw_params_has(&agent->params, LXFW_TRAIT_QUEUES_SUSPENDED) ||
	    !lxfw_quanta_failed(agent, known, &busy))
		return false;
	lxfw_refuse(agent, known, LXFW_REASON_REFUSED_KEPT);
	return true;
}

void lxfw_quanta_resume(struct lxfw_agent *agent, const struct lxfw_action *action)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, action->job);
	enum lxfw_phase phase;
	struct lxfw_preempted *preempted;

	if (!known || known->contradicted == agent->decisions)
		return;
	phase = phase_of(agent, known);
	if (phase == LXFW_PHASE_GONE)
		return;
	preempted = lxfw_preempted_find(&agent->quanta, known->record);
	if (preempted && phase == LXFW_PHASE_SUSPENDED) {
		if (resumption_failed(agent, known))
			return;
		preempted->resume = true;
		lxfw_quanta_try_resume(agent, preempted);
	} else {
		lxfw_mirror_tell_anew(known);
		agent->stale = true;
	}
}

static enum lxfw_answer requeue(struct lxfw_agent *agent,
				const struct lxfw_known_job *known,
				const struct lxfw_preempted *preempted,
				struct lxfw_error *why)
{
	enum lxfw_phase phase = phase_of(agent, known);

	lxfw_error_set(why, "it does not run");
	if (phase != LXFW_PHASE_RUNNING &&
	    !(preempted && phase == LXFW_PHASE_SUSPENDED))
		return LXFW_REFUSED;
	return agent->wlm->requeue(agent->context, known->record, why);
}

void lxfw_quanta_requeue(struct lxfw_agent *agent, const struct lxfw_action *action)
{
	struct lxfw_quanta_books *books = &agent->quanta;
	struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, action->job);
	struct lxfw_served *served = lxfw_served_find(books, action->job);
	struct lxfw_preempted *preempted;
	struct lxfw_error why;
	int64_t began;

	if (!known || known->contradicted == agent->decisions)
		return;
	preempted = lxfw_preempted_find(books, known->record);
	began = agent->wlm->began ? agent->wlm->began(agent->context, known->record) : 0;
	books->dirty = true;
	if (requeue(agent, known, preempted, &why) == LXFW_DONE) {
		lxfw_log_info("requeued %s%u", agent->wlm->job, known->record);
		books->acted = true;
		lxfw_quanta_requeued(agent, known->record, began);
		lxfw_meter_requeue(agent, known);
		/* lxfw_quanta_look() settles it when it is pending */
		if (served && !served->until)
			served->until = agent->clock;
		if (preempted && agent->wlm->give_priority)
			agent->wlm->give_priority(agent->context, preempted);
		lxfw_known_requeued(agent, known);
		return;
	}
	lxfw_log_debug("%s%u cannot be requeued: %s", agent->wlm->job,
		       known->record, why.text);
	if (served)
		served->until = 0;	/* it continues to run */
	if (preempted)
		preempted->resume = true;
	tell_it_runs(agent, known);
}

/* --- start of a quantum ------------------------------------------------------------ */

bool lxfw_quanta_failed(struct lxfw_agent *agent, const struct lxfw_known_job *known,
			bool *busy)
{
	struct lxfw_quanta_books *books = &agent->quanta;

	if (!books->broken || books->broken != known->id)
		return false;
	*busy = books->busy;
	books->broken = 0;
	books->busy = false;
	return true;
}

bool lxfw_quanta_may_begin(const struct lxfw_agent *agent,
			   const struct lxfw_known_job *known)
{
	return !agent->quanta.unwritten &&
	       lxfw_served_find(&agent->quanta, known->id);
}

void lxfw_quanta_begun(struct lxfw_agent *agent, const struct lxfw_known_job *known,
		       const struct lxfw_action *action, uint32_t record)
{
	struct lxfw_served *served = lxfw_served_find(&agent->quanta, known->id);

	if (served) {
		served->job_id = record;
		served->planned = served->waited = false;
		agent->quanta.dirty = true;
		agent->quanta.acted = true;
	}
	lxfw_log_info("%s%u has a quantum of %lld s", agent->wlm->job, record,
		      (long long)(action->until - action->start));
}
