/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is under way, before and after it is done; and who may be served at all. */
#include "plugins/slurm/bridge/quanta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/names.h"

/* In a job's --comment: it is not to be served. */
#define DECLINED "lxfw:no-quantum"

/* --- the file -------------------------------------------------------------------- */

static void save(struct lxfw_bridge *bridge)
{
	struct lxfw_quanta_books *books = &bridge->quanta;

	books->unwritten = lxfw_quanta_write(books) < 0;
	if (books->unwritten && !books->complained)
		error("sched/lxfw: %s: %m; no job gets a quantum until that is mended",
		      books->path);
	books->complained = books->unwritten;
	books->dirty = books->unwritten;
}

static char *file_path(void)
{
	slurmctld_lock_t read_config = { .conf = READ_LOCK };
	char *path = NULL;

	lock_slurmctld(read_config);
	if (slurm_conf.state_save_location)
		xstrfmtcat(path, "%s/lxfw_quanta",
			   slurm_conf.state_save_location);
	unlock_slurmctld(read_config);
	return path;
}

void lxfw_quanta_load(struct lxfw_bridge *bridge)
{
	struct lxfw_quanta_books *books = &bridge->quanta;
	char *path;

	if (books->path)
		return;
	path = file_path();
	books->path = path ? strdup(path) : NULL;
	xfree(path);
	/* Nothing is done that cannot be written down; tried again next time. */
	books->unwritten = !books->path;
	if (!books->path)
		return;
	if (lxfw_quanta_read(books) < 0)
		error("sched/lxfw: %s: %s; jobs suspended for a quantum are sought by what can be read of it",
		      books->path, errno == EBADMSG ? "damaged" :
		      strerror(errno));
	if (books->lent_count > 0)
		info("sched/lxfw: %zu jobs were suspended for a quantum when the controller stopped: they go on",
		     books->lent_count);
	books->end_all = true;
}

/* The library's id of the job that victims before ACTION make way for. */
static uint64_t served_after(const struct lxfw_bridge *bridge, size_t at)
{
	for (; at < bridge->decision.count; at++) {
		const struct lxfw_action *action = &bridge->decision.actions[at];

		if (action->type == LXFW_ACTION_START &&
		    action->until != LXFW_NEVER)
			return action->job;
	}
	return 0;
}

static void plan_suspend(struct lxfw_bridge *bridge, size_t at)
{
	struct lxfw_quanta_books *books = &bridge->quanta;
	uint64_t id = bridge->decision.actions[at].job;
	const struct lxfw_known_job *known = lxfw_table_find(&bridge->jobs, id);
	const struct lxfw_served *served = lxfw_served_find(books, id);
	bool own_end = served && served->until;
	struct lxfw_lent *lent;

	if (!known)
		return;
	lent = lxfw_lent_find(books, known->record);
	if (!lent) {
		lent = lxfw_lent_enter(books, known->record);
		if (!lent)
			return;
		lent->planned = true;
	}
	/* One that is still to go on stays suspended: it is ours already. */
	if (lent->planned || lent->resumed || lent->over) {
		lent->planned = true;
		lent->priority = known->running_priority;
		if (!own_end)
			lxfw_victim_count(books, lent);
	}
	lent->served = own_end ? id : served_after(bridge, at);
	books->dirty = true;
}

static void plan_start(struct lxfw_bridge *bridge,
		       const struct lxfw_action *action)
{
	const struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs, action->job);
	struct lxfw_served *served;

	if (!known)
		return;
	served = lxfw_served_enter(&bridge->quanta, known->record);
	if (!served)
		return;
	served->id = action->job;
	served->until = action->until;
	served->submit = known->request.submit;
	served->planned = true;
}

void lxfw_quanta_plan(struct lxfw_bridge *bridge)
{
	for (size_t i = 0; i < bridge->decision.count; i++) {
		const struct lxfw_action *action = &bridge->decision.actions[i];

		if (action->type == LXFW_ACTION_SUSPEND)
			plan_suspend(bridge, i);
		else if (action->type == LXFW_ACTION_START &&
			 action->until != LXFW_NEVER)
			plan_start(bridge, action);
	}
	lxfw_quanta_save(bridge);
}

/* Slurm's records first: it would forget what it has not saved when it is killed,
   and what the file has no more nobody would bring back. */
void lxfw_quanta_save(struct lxfw_bridge *bridge)
{
	struct lxfw_quanta_books *books = &bridge->quanta;

	if (books->acted)
		lxfw_compat_save_jobs();
	books->acted = false;
	if (books->dirty && books->path)
		save(bridge);
}

void lxfw_quanta_done(struct lxfw_bridge *bridge)
{
	struct lxfw_quanta_books *books = &bridge->quanta;

	for (size_t i = books->lent_count; i-- > 0;) {
		if (!books->lent[i].planned)
			continue;
		/* It ran before, and its nodes may not know. */
		books->lent[i].planned = false;
		lxfw_victim_uncount(books, &books->lent[i]);
		if (!books->lent[i].resumed && !books->lent[i].over)
			lxfw_lent_remove(books, i);
	}
	for (size_t i = books->served_count; i-- > 0;) {
		if (books->served[i].planned)
			lxfw_served_remove(books, i);
	}
	books->broken = false;
}

void lxfw_quanta_end_all(struct lxfw_bridge *bridge)
{
	bridge->quanta.end_all = true;
}

/* --- who may --------------------------------------------------------------------- */

bool lxfw_quanta_hold(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	const struct lxfw_lent *lent =
		lxfw_lent_find(&bridge->quanta, job->job_id);

	return lent && !lent->planned && !lent->resumed && !lent->over &&
	       IS_JOB_SUSPENDED(job);
}

/* By the site's wish or the user's. */
static bool is_excluded(const struct lxfw_bridge *bridge,
			const job_record_t *job,
			const struct lxfw_request *request)
{
	const struct lxfw_unserved *unserved = &bridge->unserved;
	int64_t procs = (int64_t)request->unit.procs * request->count;

	if (unserved->most_procs > 0 && procs > unserved->most_procs)
		return true;
	if (unserved->qos && job->qos_ptr && job->qos_ptr->name &&
	    lxfw_names_has(unserved->qos, job->qos_ptr->name))
		return true;
	if (unserved->partitions &&
	    lxfw_names_partitions(unserved->partitions, job, false))
		return true;
	return job->comment && strstr(job->comment, DECLINED);
}

static bool can_be_requeued(const job_record_t *job)
{
	return job->batch_flag && job->details->requeue;
}

bool lxfw_quanta_may_serve(const struct lxfw_bridge *bridge,
			   const job_record_t *job,
			   const struct lxfw_request *request)
{
	const struct lxfw_params *params = &bridge->params;

	if (!lxfw_params_serve(params) ||
	    lxfw_served_find(&bridge->quanta, request->id))
		return false;
	/* Gang scheduling resumes jobs by itself; other select plugins know no
	   cores. */
	if (slurm_conf.preempt_mode & PREEMPT_MODE_GANG ||
	    !slurm_conf.select_type ||
	    !strstr(slurm_conf.select_type, "cons_"))
		return false;
	if (is_excluded(bridge, job, request))
		return false;
	if (can_be_requeued(job))
		return true;
	/* It can only be suspended, which the library does where it has all the
	   memory that it asked for. */
	return params->quantum_end == LXFW_QUANTUM_SUSPEND &&
	       lxfw_request_sum(request).memory_mb <= params->quantum_mem;
}

int64_t lxfw_quanta_submit(const struct lxfw_bridge *bridge, uint64_t id,
			   int64_t submit)
{
	const struct lxfw_served *served = lxfw_served_find(&bridge->quanta, id);

	return served && served->submit && served->submit < submit ?
	       served->submit : submit;
}
