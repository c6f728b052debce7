/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Updates the records of immediate service from the current state of jobs. */
#include "common/params/policy.h"
#include "plugins/agent/log.h"
#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"

/* Number of resume messages sent per job regardless of its nodes' responses, and the
   interval between them in seconds. ANSWERED_TELLINGS more are sent, each once all nodes
   have responded since the one before. */
#define TELLINGS 3
#define ANSWERED_TELLINGS 2
#define TELL_SECONDS 3

/* Seconds after which the workload manager has saved its job records. Some save them
   with a delay of five seconds. */
#define SAVE_SECONDS 7

static enum lxfw_phase phase_of(struct lxfw_agent *agent, uint32_t record)
{
	return agent->wlm->phase(agent->context, record);
}

/* --- resuming -------------------------------------------------------------------- */

void lxfw_quanta_try_resume(struct lxfw_agent *agent, struct lxfw_preempted *preempted)
{
	struct lxfw_error why;

	lxfw_error_set(&why, "");
	if (agent->wlm->resume(agent->context, preempted, &why) != LXFW_DONE) {
		if (!preempted->said && why.text[0])
			lxfw_log_info("%s%u cannot resume yet: %s",
				      agent->wlm->job, preempted->job_id, why.text);
		preempted->said |= why.text[0] != '\0';
		return;
	}
	preempted->resume = false;
	preempted->resumed = lxfw_agent_now(agent);
	preempted->tellings = 1;
	preempted->tell = false;
	agent->quanta.dirty = true;
	agent->quanta.acted = true;
	agent->meter.resumptions++;
	lxfw_log_info("%s%u resumes", agent->wlm->job, preempted->job_id);
}

static void tell_again(struct lxfw_agent *agent, struct lxfw_preempted *preempted)
{
	preempted->tell = true;
	agent->quanta.tell = true;
	lxfw_agent_look_again(agent, lxfw_agent_now(agent) + TELL_SECONDS);
}

/*
 * Returns true if a resumed job certainly runs on its nodes. A node's response does not
 * prove that: a node responds before it acts. A suspension takes a node two seconds or
 * more. Other messages about the job wait during that time and are then handled in any
 * order; messages may also overtake each other. A job that is resumed soon after its
 * suspension, or twice within a short time, may therefore end up stopped. A message is
 * lost if the node's daemon is dead or dies before it acts.
 *
 * Hence the resume message is repeated when earlier messages have been handled, and then
 * twice, each time after the nodes have responded again: one of the two may be lost when a
 * daemon dies. It has no effect on a job that runs.
 * By the time the entry is removed, the workload manager has saved that the job runs.
 */
static bool has_gone_on(struct lxfw_agent *agent, struct lxfw_preempted *preempted)
{
	int64_t now = lxfw_agent_now(agent);

	if (!agent->wlm->remind)
		return true;
	/* The clock was set back. */
	if (preempted->resumed > now)
		preempted->resumed = now;
	if (preempted->tell)
		return false;
	if (now < preempted->resumed + TELL_SECONDS) {
		lxfw_agent_look_again(agent, preempted->resumed + TELL_SECONDS);
		return false;
	}
	if (preempted->tellings >= TELLINGS + ANSWERED_TELLINGS)
		return true;
	if (preempted->tellings < TELLINGS || !agent->wlm->heard_since ||
	    agent->wlm->heard_since(agent->context, preempted->job_id, preempted->resumed))
		tell_again(agent, preempted);
	return false;
}

/* Jobs that this pass has suspended get no message, since it might overtake the
   suspension. */
bool lxfw_quanta_tell(struct lxfw_agent *agent, uint64_t deadline_us)
{
	struct lxfw_quanta_books *books = &agent->quanta;

	(void)deadline_us;
	for (size_t i = 0; i < books->preempted_count; i++) {
		struct lxfw_preempted *preempted = &books->preempted[i];

		if (preempted->tell && preempted->resumed && agent->wlm->remind &&
		    phase_of(agent, preempted->job_id) == LXFW_PHASE_RUNNING) {
			agent->wlm->remind(agent->context, preempted->job_id);
			preempted->resumed = lxfw_agent_now(agent);
			preempted->tellings++;
			lxfw_log_debug("%s%u: resume message %d sent to its "
				       "nodes",
				       agent->wlm->job, preempted->job_id,
				       preempted->tellings);
		}
		preempted->tell = false;
	}
	books->tell = false;
	return true;
}

void lxfw_quanta_tell_anew(struct lxfw_agent *agent, uint32_t record)
{
	for (size_t i = 0; i < agent->jobs.count; i++) {
		struct lxfw_known_job *known = agent->jobs.jobs[i];

		if (known->record == record && !known->array_task)
			lxfw_mirror_tell_anew(known);
	}
}

/*
 * Handles a job that was cancelled, requeued or resumed by a user, or whose script
 * ended while it was being stopped. The saved state of the workload manager may still
 * contain the suspension. If the workload manager were killed then, the job would stay
 * suspended forever unless its entry existed. Returns false if the entry is not
 * required any more.
 */
static bool is_wanted_until_saved(struct lxfw_agent *agent, struct lxfw_preempted *preempted)
{
	int64_t now = lxfw_agent_now(agent);

	if (!preempted->over || preempted->over > now) {
		preempted->over = now;
		preempted->resume = false;
		agent->quanta.acted = true;
	}
	lxfw_agent_look_again(agent, preempted->over + SAVE_SECONDS);
	return now < preempted->over + SAVE_SECONDS;
}

/* Handles a running or suspended job. Returns false if the entry is not required any
   more. */
static bool look_at_stopped(struct lxfw_agent *agent, struct lxfw_preempted *preempted,
			    bool runs)
{
	/* After a restart the workload manager may not know of the suspension although
	   the nodes do, or it was killed before the resume messages were sent. */
	if (agent->quanta.end_all && runs) {
		preempted->resume = true;
		preempted->resumed = lxfw_agent_now(agent);
		preempted->tellings = 0;
		tell_again(agent, preempted);
		return true;
	}
	if (preempted->resumed)
		return runs && !has_gone_on(agent, preempted);
	if (agent->quanta.end_all) {
		preempted->resume = true;
		/* The next decision may suspend it again; otherwise the next look resumes
		   it. */
		preempted->waits = lxfw_params_has(&agent->params,
						   LXFW_TRAIT_QUEUES_SUSPENDED);
		if (preempted->waits) {
			lxfw_agent_look_again(agent, lxfw_agent_now(agent) + 1);
			return true;
		}
	} else if (runs) {
		lxfw_log_info("%s%u was resumed manually",
			      agent->wlm->job, preempted->job_id);
		lxfw_quanta_tell_anew(agent, preempted->job_id);
		return is_wanted_until_saved(agent, preempted);
	}
	if (preempted->resume)
		lxfw_quanta_try_resume(agent, preempted);
	return true;
}

/* Returns false if the entry is not required any more. */
static bool look_at_preempted(struct lxfw_agent *agent, struct lxfw_preempted *preempted)
{
	enum lxfw_phase phase = phase_of(agent, preempted->job_id);

	if (phase == LXFW_PHASE_GONE)
		return false;
	if (preempted->over)
		return is_wanted_until_saved(agent, preempted);
	switch (phase) {
	case LXFW_PHASE_WAITING:
	case LXFW_PHASE_REQUEUED:
		/* A node failed, or a user requeued the job. */
		if (agent->wlm->give_priority)
			agent->wlm->give_priority(agent->context, preempted);
		return is_wanted_until_saved(agent, preempted);
	case LXFW_PHASE_ENDING:
	case LXFW_PHASE_OVER:
		return !preempted->resumed && is_wanted_until_saved(agent, preempted);
	default:
		return look_at_stopped(agent, preempted,
				       phase == LXFW_PHASE_RUNNING);
	}
}

/* --- requeues ------------------------------------------------------------------- */

/* Returns true if the job was requeued, and is recorded as such. */
static bool requeue(struct lxfw_agent *agent, uint32_t record)
{
	int64_t began = agent->wlm->began ? agent->wlm->began(agent->context, record) : 0;
	struct lxfw_error why;

	lxfw_error_set(&why, "");
	if (agent->wlm->requeue(agent->context, record, &why) != LXFW_DONE) {
		lxfw_log_debug("%s%u cannot be requeued: %s", agent->wlm->job, record,
			       why.text);
		return false;
	}
	lxfw_quanta_requeued(agent, record, began);
	return true;
}

/* The workload manager delays a requeued job, unless its record is settled. */
static void settle_later(struct lxfw_agent *agent, uint32_t record)
{
	for (size_t i = 0; i < agent->quanta.served_count; i++) {
		struct lxfw_served *served = &agent->quanta.served[i];

		if (served->job_id == record && !served->until)
			served->until = lxfw_agent_now(agent);
	}
}

/*
 * Handles a job that an earlier process requeued, or was about to. If the run that it ended
 * is still in the record, the workload manager died before it had saved the requeue: the
 * nodes have ended the job, or will, and it would not start again. Returns false if the
 * entry is not required any more.
 */
static bool requeue_again(struct lxfw_agent *agent, struct lxfw_requeued *requeued)
{
	enum lxfw_phase phase = phase_of(agent, requeued->job_id);
	uint32_t record = requeued->job_id;
	int64_t began;

	if (phase == LXFW_PHASE_ENDING) {
		lxfw_agent_look_again(agent, lxfw_agent_now(agent) + 1);
		return true;
	}
	if (phase == LXFW_PHASE_WAITING || phase == LXFW_PHASE_REQUEUED) {
		/* That may not have been saved yet either. */
		requeued->at = lxfw_agent_now(agent);
		agent->quanta.acted = true;
		lxfw_agent_look_again(agent, requeued->at + SAVE_SECONDS);
		return true;
	}
	if (!agent->wlm->began || (phase != LXFW_PHASE_RUNNING &&
				   phase != LXFW_PHASE_SUSPENDED &&
				   phase != LXFW_PHASE_OVER))
		return false;
	began = agent->wlm->began(agent->context, record);
	if (began == 0 || (requeued->began ? requeued->began != began :
					     phase == LXFW_PHASE_OVER))
		return false;
	if (!requeue(agent, record)) {
		/* It is tried again while this run is in the record. */
		requeued->began = began;
		agent->quanta.dirty = true;
		lxfw_agent_look_again(agent, lxfw_agent_now(agent) + 1);
		return true;
	}
	agent->quanta.acted = true;
	settle_later(agent, record);
	lxfw_log_info("requeued %s%u again: that was not saved when the controller stopped",
		      agent->wlm->job, record);
	return true;
}

/* Returns false if the entry is not required any more. */
static bool look_at_requeued(struct lxfw_agent *agent, struct lxfw_requeued *requeued)
{
	int64_t now = lxfw_agent_now(agent);

	if (requeued->planned)
		return true;
	if (requeued->at == 0)
		return requeue_again(agent, requeued);
	/* The clock was set back. */
	if (requeued->at > now)
		requeued->at = now;
	lxfw_agent_look_again(agent, requeued->at + SAVE_SECONDS);
	return now < requeued->at + SAVE_SECONDS;
}

/* --- jobs that have a quantum ---------------------------------------------------- */

/* Handles a pending job: its quantum, if it was in one, is over. */
static void settle(struct lxfw_agent *agent, struct lxfw_served *served)
{
	enum lxfw_answer answer = LXFW_DONE;

	if (agent->wlm->settle)
		answer = agent->wlm->settle(agent->context, served);
	if (!served->until)
		return;
	if (answer != LXFW_DONE) {
		lxfw_agent_look_again(agent, lxfw_agent_now(agent) + 1);
		return;
	}
	served->until = 0;
	agent->quanta.acted = true;
	agent->quanta.dirty = true;
}

/* The requested start has not happened yet. */
static bool is_starting(const struct lxfw_agent *agent,
			const struct lxfw_served *served)
{
	const struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, served->id);

	return known && known->asked;
}

/* Requeues a job that was killed because its quantum gave it less memory than it
   requested. Returns true if it was requeued. */
static bool outgrew_quantum(struct lxfw_agent *agent,
			    const struct lxfw_served *served)
{
	if (!served->until || !served->cut || !agent->wlm->outgrew ||
	    !agent->wlm->outgrew(agent->context, served) ||
	    !requeue(agent, served->job_id))
		return false;
	lxfw_log_info("%s%u exceeded the memory of its quantum and is pending "
		      "again",
		      agent->wlm->job, served->job_id);
	return true;
}

/* Handles a running job whose quantum must end. Returns true if it was requeued. */
static bool end_quantum(struct lxfw_agent *agent, const struct lxfw_served *served)
{
	/* The workload manager has started it since, in shadow mode. After a restart the
	   agent does not know this, and requeues the job. */
	if (served->waited)
		return false;
	return requeue(agent, served->job_id);
}

/* Returns false if the entry is not required any more. */
static bool look_at_served(struct lxfw_agent *agent, struct lxfw_served *served)
{
	switch (phase_of(agent, served->job_id)) {
	case LXFW_PHASE_GONE:
		return false;
	case LXFW_PHASE_REQUEUED:
		served->waited = true;
		return true;
	case LXFW_PHASE_WAITING:
		served->waited |= !is_starting(agent, served);
		if (!is_starting(agent, served))
			settle(agent, served);
		return true;
	case LXFW_PHASE_OVER:
		return outgrew_quantum(agent, served);
	case LXFW_PHASE_RUNNING:
		if (!agent->quanta.end_all || !served->until)
			return true;
		agent->quanta.dirty = true;
		agent->quanta.acted = true;
		if (!end_quantum(agent, served))
			served->until = 0;	/* it continues to run */
		return true;
	default:
		return true;
	}
}

/* --- number of suspensions ------------------------------------------------------- */

/* A job's count is required while it runs or is suspended. It restarts at 0 when the
   job is pending again. */
static bool is_victim(struct lxfw_agent *agent, uint32_t record)
{
	switch (phase_of(agent, record)) {
	case LXFW_PHASE_RUNNING:
	case LXFW_PHASE_SUSPENDED:
	case LXFW_PHASE_ENDING:
	case LXFW_PHASE_REQUEUED:
		return true;
	default:
		return false;
	}
}

void lxfw_quanta_look(struct lxfw_agent *agent)
{
	struct lxfw_quanta_books *books = &agent->quanta;

	for (size_t i = books->victim_count; i-- > 0;) {
		if (!is_victim(agent, books->victims[i].job_id))
			lxfw_victim_remove(books, i);
	}
	for (size_t i = books->requeued_count; i-- > 0;) {
		if (!look_at_requeued(agent, &books->requeued[i]))
			lxfw_requeued_remove(books, i);
	}
	for (size_t i = books->served_count; i-- > 0;) {
		if (!look_at_served(agent, &books->served[i]))
			lxfw_served_remove(books, i);
	}
	for (size_t i = books->preempted_count; i-- > 0;) {
		if (!look_at_preempted(agent, &books->preempted[i]))
			lxfw_preempted_remove(books, i);
	}
	books->end_all = false;
}
