/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The record of quanta and preemptions before and after each decision, and the test
   whether a job may have a quantum. */
#include "plugins/agent/quanta.h"

#include <errno.h>
#include <stdlib.h>

#include "common/params/policy.h"
#include "plugins/agent/log.h"

/* --- the file -------------------------------------------------------------------- */

static void write_file(struct lxfw_quanta_books *books)
{
	books->unwritten = lxfw_quanta_write(books) < 0;
	if (books->unwritten && !books->complained)
		lxfw_log_error("%s: %m; no job gets a quantum or is suspended until "
			       "this is corrected",
			       books->path);
	books->complained = books->unwritten;
	books->dirty = books->unwritten;
}

/* Returns false if the file cannot be read now. It may contain suspended jobs, and must not
   be replaced then. */
static bool read_file(struct lxfw_quanta_books *books)
{
	/* Victims that were entered since the last attempt are in the file, too. */
	books->preempted_count = books->served_count = 0;
	books->requeued_count = books->victim_count = 0;
	if (lxfw_quanta_read(books) == 0) {
		books->complained = false;
		return true;
	}
	if (errno == EBADMSG) {
		lxfw_log_error("%s: damaged; using its readable part to find jobs that were "
			       "suspended",
			       books->path);
		books->complained = false;
		return true;
	}
	if (!books->complained)
		lxfw_log_error("%s: %m; no job gets a quantum, is suspended or resumed until "
			       "this is corrected",
			       books->path);
	books->complained = true;
	return false;
}

void lxfw_quanta_load(struct lxfw_agent *agent)
{
	struct lxfw_quanta_books *books = &agent->quanta;

	if (books->path)
		return;
	books->path = lxfw_agent_file(agent, "lxfw_quanta");
	/* Without a path, or a file that can be read, nothing can be recorded, so no quantum
	   begins. The next pass tries again. */
	books->unwritten = !books->path;
	if (!books->path)
		return;
	if (!read_file(books)) {
		free(books->path);
		books->path = NULL;
		books->unwritten = true;
		return;
	}
	if (books->preempted_count > 0)
		lxfw_log_info("%zu jobs were suspended for others when the "
			      "controller stopped: resuming them",
			      books->preempted_count);
	books->end_all = true;
	/* A model from before lacks the numbers of suspensions. */
	agent->rebuild = true;
}

/* --- before and after a decision ------------------------------------------------- */

uint64_t lxfw_quanta_served_after(const struct lxfw_agent *agent, size_t at,
				  size_t *start)
{
	bool any = lxfw_params_has(&agent->params, LXFW_TRAIT_SUSPENDS);

	*start = agent->decision.count;
	for (; at < agent->decision.count; at++) {
		const struct lxfw_action *action = &agent->decision.actions[at];

		if (any && action->type == LXFW_ACTION_RESUME)
			return action->job;
		if (action->type != LXFW_ACTION_START ||
		    (!any && action->until == LXFW_NEVER))
			continue;
		*start = at;
		return action->job;
	}
	return 0;
}

/* Records a suspension. If it cannot be recorded or counted, the job will not be
   suspended. */
static void plan_suspend(struct lxfw_agent *agent, size_t at)
{
	struct lxfw_quanta_books *books = &agent->quanta;
	uint64_t id = agent->decision.actions[at].job;
	const struct lxfw_known_job *known = lxfw_table_find(&agent->jobs, id);
	const struct lxfw_served *served = lxfw_served_find(books, id);
	bool own_end = served && served->until;
	struct lxfw_preempted *preempted;
	size_t start;

	if (!known)
		return;
	preempted = lxfw_preempted_find(books, known->record);
	/* A job that this plugin suspended and that has not been resumed yet already
	   has an entry. */
	if (!preempted || preempted->planned || preempted->resumed || preempted->over) {
		if (!own_end && !lxfw_victim_ready(books, known->record))
			return;
		if (!preempted)
			preempted = lxfw_preempted_enter(books, known->record);
		if (!preempted)
			return;
		preempted->planned = true;
		preempted->priority = known->running_priority;
		if (!own_end)
			lxfw_victim_count(books, preempted);
	}
	preempted->served = own_end ? id :
				      lxfw_quanta_served_after(agent, at, &start);
	preempted->waits = lxfw_params_has(&agent->params,
					   LXFW_TRAIT_QUEUES_SUSPENDED);
	books->dirty = true;
}

static void plan_start(struct lxfw_agent *agent, const struct lxfw_action *action)
{
	const struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, action->job);
	struct lxfw_served *served;

	if (!known)
		return;
	served = lxfw_served_enter(&agent->quanta, known->record);
	if (!served)
		return;
	served->id = action->job;
	served->until = action->until;
	served->submit = known->request.submit;
	served->planned = true;
}

/* A requeue that cannot be recorded is carried out nevertheless: the file only matters if
   the workload manager dies before it has saved its records. */
static void plan_requeue(struct lxfw_agent *agent, const struct lxfw_action *action)
{
	const struct lxfw_known_job *known =
		lxfw_table_find(&agent->jobs, action->job);
	struct lxfw_requeued *requeued;

	if (!known || !agent->wlm->began)
		return;
	requeued = lxfw_requeued_find(&agent->quanta, known->record);
	if (!requeued)
		requeued = lxfw_requeued_enter(&agent->quanta, known->record);
	if (!requeued)
		return;
	requeued->began = requeued->at = 0;
	requeued->planned = true;
	agent->quanta.dirty = true;
}

void lxfw_quanta_plan(struct lxfw_agent *agent)
{
	for (size_t i = 0; i < agent->decision.count; i++) {
		const struct lxfw_action *action = &agent->decision.actions[i];

		if (action->type == LXFW_ACTION_SUSPEND)
			plan_suspend(agent, i);
		else if (action->type == LXFW_ACTION_START &&
			 action->until != LXFW_NEVER)
			plan_start(agent, action);
		else if (action->type == LXFW_ACTION_REQUEUE)
			plan_requeue(agent, action);
	}
	lxfw_quanta_save(agent);
}

/* Saves job records before the file is written. A workload manager that is killed loses
   unsaved changes, and jobs without an entry in the file would not be restored. */
void lxfw_quanta_save(struct lxfw_agent *agent)
{
	struct lxfw_quanta_books *books = &agent->quanta;

	if (lxfw_agent_abandoned(agent))
		return;
	if (books->acted)
		lxfw_agent_save(agent);
	books->acted = false;
	if (books->dirty && books->path) {
		lxfw_agent_step(agent, "writing lxfw_quanta");
		write_file(books);
	}
}

void lxfw_quanta_done(struct lxfw_agent *agent)
{
	struct lxfw_quanta_books *books = &agent->quanta;

	for (size_t i = books->preempted_count; i-- > 0;) {
		if (!books->preempted[i].planned)
			continue;
		/* The job was resumed shortly before; its nodes may not know yet. Its
		   entry is kept. */
		books->preempted[i].planned = false;
		lxfw_victim_uncount(books, &books->preempted[i]);
		if (!books->preempted[i].resumed && !books->preempted[i].over)
			lxfw_preempted_remove(books, i);
	}
	for (size_t i = books->served_count; i-- > 0;) {
		if (books->served[i].planned)
			lxfw_served_remove(books, i);
	}
	for (size_t i = books->requeued_count; i-- > 0;) {
		if (!books->requeued[i].planned)
			continue;
		/* It would be requeued after a restart. */
		lxfw_requeued_remove(books, i);
		books->dirty = true;
	}
	books->broken = 0;
	books->busy = false;
}

/* The run with a quantum is over, even if no look finds the job pending before the workload
   manager starts it again. */
static void quantum_was_requeued(struct lxfw_quanta_books *books, uint32_t record)
{
	for (size_t i = 0; i < books->served_count; i++) {
		struct lxfw_served *served = &books->served[i];

		served->waited |= served->job_id == record;
	}
}

void lxfw_quanta_requeued(struct lxfw_agent *agent, uint32_t record, int64_t began)
{
	struct lxfw_quanta_books *books = &agent->quanta;
	struct lxfw_requeued *requeued = lxfw_requeued_find(books, record);

	quantum_was_requeued(books, record);
	if (!agent->wlm->began)
		return;
	if (!requeued)
		requeued = lxfw_requeued_enter(books, record);
	if (!requeued)
		return;
	requeued->began = began;
	requeued->at = lxfw_agent_now(agent);
	requeued->planned = false;
	books->dirty = true;
}

/* The next look requeues jobs under locks: that is recorded here, as in plan_requeue(). */
void lxfw_quanta_end_all(struct lxfw_agent *agent)
{
	struct lxfw_quanta_books *books = &agent->quanta;

	books->end_all = true;
	for (size_t i = 0; i < books->served_count && agent->wlm->began; i++) {
		const struct lxfw_served *served = &books->served[i];
		struct lxfw_requeued *requeued;

		if (!served->until || lxfw_requeued_find(books, served->job_id))
			continue;
		requeued = lxfw_requeued_enter(books, served->job_id);
		if (!requeued)
			break;
		requeued->planned = true;
		books->dirty = true;
	}
	lxfw_quanta_save(agent);
}

/* --- queries --------------------------------------------------------------------- */

bool lxfw_quanta_hold(const struct lxfw_agent *agent, uint32_t record)
{
	const struct lxfw_preempted *preempted = lxfw_preempted_find(&agent->quanta, record);

	return preempted && !preempted->planned && !preempted->resumed && !preempted->over;
}

bool lxfw_quanta_may_serve(const struct lxfw_agent *agent, uint64_t id)
{
	return lxfw_params_serve(&agent->params) &&
	       !lxfw_served_find(&agent->quanta, id);
}

int64_t lxfw_quanta_submit(const struct lxfw_agent *agent, uint64_t id,
			   int64_t submit)
{
	const struct lxfw_served *served = lxfw_served_find(&agent->quanta, id);

	return served && served->submit && served->submit < submit ?
	       served->submit : submit;
}
