/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Immediate service: actions of the library carried out. */
#include <string.h>

#include "plugins/slurm/bridge/act.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/quanta.h"
#include "plugins/slurm/bridge/quanta_look.h"

/* --- actions --------------------------------------------------------------------- */

/*
 * The library takes the job for suspended, and it runs on. Tell of it as of a job
 * that has just come, so that it is not chosen again for a while.
 */
static void not_suspended(struct lxfw_bridge *bridge,
			  struct lxfw_known_job *known)
{
	const job_record_t *job = find_job_record(known->record);

	bridge->quanta.broken = true;
	bridge->refused_now = true;
	bridge->stale = true;
	lxfw_events_end(&bridge->events, known->id);
	known->state = LXFW_KNOWN_NOT;
	known->spared = true;
	if (job && IS_JOB_RUNNING(job) && !IS_JOB_COMPLETING(job))
		lxfw_known_run(bridge, known, job);
	known->spared = false;
}

/*
 * Has the job run long enough since it went on, by Slurm's account? In the library's
 * books one that waits for its processors runs already, and what others do between
 * two looks is not seen. The clock of a pass may be a second behind the one by which
 * Slurm had it go on. Slurm's data base, moreover, takes no two suspensions of a job
 * in one second.
 */
static bool has_run(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	int64_t least = bridge->params.quantum_min_run - 1;

	return job->suspend_time == 0 ||
	       time(NULL) - job->suspend_time >= (least > 1 ? least : 1);
}

/* Its quantum is over: it was served, and is suspended now. */
static bool is_own_end(const struct lxfw_served *served)
{
	return served && served->until;
}

/* SLURM_SUCCESS or why not. */
static int suspend(const struct lxfw_bridge *bridge, struct lxfw_lent *lent,
		   const struct lxfw_served *served, job_record_t *job)
{
	uint32_t priority = job->priority;
	int error_code;

	/* The components of a heterogeneous job stop together. */
	if (!lent->planned || bridge->quanta.unwritten || job->het_job_id ||
	    !IS_JOB_RUNNING(job) || IS_JOB_COMPLETING(job))
		return ESLURM_JOB_NOT_RUNNING;
	if (!is_own_end(served) && !has_run(bridge, job))
		return ESLURM_TRANSITION_STATE_NO_UPDATE;
	error_code = lxfw_compat_suspend(job);
	if (priority)
		lent->priority = priority;
	return error_code;
}

void lxfw_quanta_suspend(struct lxfw_bridge *bridge,
			 const struct lxfw_action *action)
{
	struct lxfw_quanta_books *books = &bridge->quanta;
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs, action->job);
	struct lxfw_lent *lent =
		known ? lxfw_lent_find(books, known->record) : NULL;
	struct lxfw_served *served = lxfw_served_find(books, action->job);
	job_record_t *job = known ? find_job_record(known->record) : NULL;
	int error_code = ESLURM_JOB_NOT_RUNNING;

	if (!known) {
		bridge->rebuild = true;
		return;
	}
	if (lent && !lent->planned && job && IS_JOB_SUSPENDED(job)) {
		lent->resume = false;
		books->dirty = true;
		info("sched/lxfw: JobId=%u stays suspended", job->job_id);
		return;
	}
	if (lent && job)
		error_code = suspend(bridge, lent, served, job);
	if (error_code != SLURM_SUCCESS) {
		info("sched/lxfw: JobId=%u cannot be suspended: %s",
		     known->record, slurm_strerror(error_code));
		if (lent)
			lxfw_victim_uncount(books, lent);
		not_suspended(bridge, known);
		return;
	}
	lent->planned = lent->resume = lent->said = lent->counted = false;
	lent->resumed = lent->over = 0;
	books->dirty = true;
	if (served && lent->served == action->job)
		served->until = 0;	/* its quantum is over */
	bridge->quanta.acted = true;
	info("sched/lxfw: suspended JobId=%u", job->job_id);
}

void lxfw_quanta_resume(struct lxfw_bridge *bridge,
			const struct lxfw_action *action)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs, action->job);
	struct lxfw_lent *lent;
	job_record_t *job;

	if (!known)
		return;
	lent = lxfw_lent_find(&bridge->quanta, known->record);
	job = find_job_record(known->record);
	if (!job)
		return;
	if (lent && IS_JOB_SUSPENDED(job)) {
		lent->resume = true;
		lxfw_quanta_try_resume(bridge, lent, job);
	} else {
		lxfw_quanta_tell_anew(bridge, job);
		bridge->stale = true;
	}
}

void lxfw_quanta_requeue(struct lxfw_bridge *bridge,
			 const struct lxfw_action *action)
{
	struct lxfw_quanta_books *books = &bridge->quanta;
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs, action->job);
	struct lxfw_served *served = lxfw_served_find(books, action->job);
	int error_code = ESLURM_JOB_NOT_RUNNING;
	struct lxfw_lent *lent;
	job_record_t *job;

	if (!known)
		return;
	lent = lxfw_lent_find(books, known->record);
	job = find_job_record(known->record);
	books->dirty = true;
	if (job && !IS_JOB_COMPLETING(job) &&
	    (IS_JOB_RUNNING(job) || (lent && IS_JOB_SUSPENDED(job))))
		error_code = lxfw_compat_requeue(job);
	if (error_code == SLURM_SUCCESS) {
		info("sched/lxfw: requeued JobId=%u", job->job_id);
		books->acted = true;
		/* To be noticed when it waits. */
		if (served && !served->until)
			served->until = bridge->clock;
		if (lent)
			lxfw_quanta_give_priority(lent, job);
		lxfw_known_requeued(bridge, known);
		return;
	}
	debug("sched/lxfw: JobId=%u cannot be requeued: %s", known->record,
	      slurm_strerror(error_code));
	if (served)
		served->until = 0;	/* it runs on */
	if (lent)
		lent->resume = true;
	if (job)
		lxfw_quanta_tell_anew(bridge, job);
	bridge->stale = true;
}

/* --- a quantum begins -------------------------------------------------------------- */

/* The least memory that the shares have, for each processor if PER_PROC. */
static uint64_t granted(const struct lxfw_action *action, bool per_proc)
{
	int64_t least = INT64_MAX;

	for (int32_t i = 0; i < action->count; i++) {
		const struct lxfw_resources *amount = &action->shares[i].amount;
		int64_t memory = amount->memory_mb;

		if (per_proc && amount->procs > 0)
			memory /= amount->procs;
		if (memory < least)
			least = memory;
	}
	return least < 1 ? 1 : (uint64_t)least;
}

/* True if it gets less than it asked for. */
static bool cut_memory(const struct lxfw_bridge *bridge,
		       lxfw_slurm_details *details,
		       const struct lxfw_action *action)
{
	uint64_t asked = details->pn_min_memory;
	uint64_t flag = asked & MEM_PER_CPU;
	uint64_t given = granted(action, flag != 0);

	asked &= ~MEM_PER_CPU;
	if (!bridge->hosts.memory_counts || (asked != 0 && given >= asked))
		return false;
	details->pn_min_memory = given | flag;
	return true;
}

static void tell_script(lxfw_slurm_details *details, int64_t until)
{
	char *text = NULL;

	xstrfmtcat(text, LXFW_QUANTUM_VARIABLE"%"PRId64, until);
	xrecalloc(details->env_sup, details->env_cnt + 2u, sizeof(char *));
	details->env_sup[details->env_cnt++] = text;
}

bool lxfw_quanta_begin(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_known_job *known,
		       const struct lxfw_action *action)
{
	struct lxfw_quanta_books *books = &bridge->quanta;
	struct lxfw_served *served = lxfw_served_find(books, known->id);
	bool broken = books->broken;

	books->broken = false;
	if (broken || books->unwritten || !served)
		return false;
	/* Slurm starts the tasks of an array in the order of their numbers. */
	if (known->array_task && job->array_recs &&
	    job->array_recs->task_id_bitmap &&
	    bit_ffs(job->array_recs->task_id_bitmap) !=
	    (int64_t)(known->id >> 32) - 1)
		return false;
	served->accrue = job->details->accrue_time;
	served->cut = cut_memory(bridge, job->details, action);
	tell_script(job->details, action->until);
	return true;
}

void lxfw_quanta_begun(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_known_job *known,
		       const struct lxfw_action *action, bool started)
{
	struct lxfw_served *served = lxfw_served_find(&bridge->quanta, known->id);
	job_record_t *array;

	if (!started) {
		if (job->details)
			lxfw_quanta_restore_request(job);
		return;		/* the entry is only planned */
	}
	/* The rest of an array has a copy of all that. */
	array = job->array_job_id ? find_job_record(job->array_job_id) : NULL;
	if (array && array != job && array->details && IS_JOB_PENDING(array))
		lxfw_quanta_restore_request(array);
	if (served) {
		served->job_id = job->job_id;
		served->planned = false;
		bridge->quanta.dirty = true;
		bridge->quanta.acted = true;
	}
	info("sched/lxfw: JobId=%u has a quantum of %"PRId64" s", job->job_id,
	     action->until - action->start);
}
