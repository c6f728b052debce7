/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carries out suspensions, resumptions and requeues of the library. */
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
 * is reported as just started, so that it is not selected again for a while.
 */
static void not_suspended(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	agent->quanta.broken = true;
	agent->refused_now = true;
	lxfw_events_end(&agent->events, known->id);
	known->state = LXFW_KNOWN_NOT;
	known->spared = true;
	tell_it_runs(agent, known);
	known->spared = false;
}

/* True if the job is suspended because its own quantum is over. */
static bool is_own_end(const struct lxfw_served *served)
{
	return served && served->until;
}

static enum lxfw_answer suspend(struct lxfw_agent *agent,
				struct lxfw_known_job *known,
				struct lxfw_preempted *preempted, bool own_end,
				struct lxfw_error *why)
{
	lxfw_error_set(why, "");
	if (!preempted || !preempted->planned || agent->quanta.unwritten) {
		lxfw_error_set(why, "that could not be written down before");
		return LXFW_REFUSED;
	}
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
	lxfw_log_info("suspended %s%u", agent->wlm->job, known->record);
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

	if (!known || known->contradicted == agent->decisions)
		return;
	preempted = lxfw_preempted_find(books, known->record);
	books->dirty = true;
	if (requeue(agent, known, preempted, &why) == LXFW_DONE) {
		lxfw_log_info("requeued %s%u", agent->wlm->job, known->record);
		books->acted = true;
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

bool lxfw_quanta_may_begin(struct lxfw_agent *agent,
			   const struct lxfw_known_job *known)
{
	struct lxfw_quanta_books *books = &agent->quanta;
	bool broken = books->broken;

	books->broken = false;
	return !broken && !books->unwritten &&
	       lxfw_served_find(books, known->id);
}

void lxfw_quanta_begun(struct lxfw_agent *agent, const struct lxfw_known_job *known,
		       const struct lxfw_action *action, uint32_t record)
{
	struct lxfw_served *served = lxfw_served_find(&agent->quanta, known->id);

	if (served) {
		served->job_id = record;
		served->planned = false;
		agent->quanta.dirty = true;
		agent->quanta.acted = true;
	}
	lxfw_log_info("%s%u has a quantum of %lld s", agent->wlm->job, record,
		      (long long)(action->until - action->start));
}
