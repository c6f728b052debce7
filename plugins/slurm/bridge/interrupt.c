/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/interrupt.h"

#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/overlap.h"
#include "plugins/slurm/bridge/serve.h"
#include "plugins/slurm/compat/compat.h"

enum lxfw_phase lxfw_slurm_phase(void *context, uint32_t record)
{
	const job_record_t *job = find_job_record(record);

	(void)context;
	if (!job || job->magic != JOB_MAGIC || !job->details)
		return LXFW_PHASE_GONE;
	if (IS_JOB_PENDING(job))
		return IS_JOB_COMPLETING(job) ? LXFW_PHASE_REQUEUED :
						LXFW_PHASE_WAITING;
	if (IS_JOB_FINISHED(job))
		return LXFW_PHASE_OVER;
	if (IS_JOB_COMPLETING(job))
		return LXFW_PHASE_ENDING;
	return IS_JOB_RUNNING(job) ? LXFW_PHASE_RUNNING : LXFW_PHASE_SUSPENDED;
}

int64_t lxfw_slurm_began(void *context, uint32_t record)
{
	const job_record_t *job = find_job_record(record);

	(void)context;
	if (!job || job->magic != JOB_MAGIC || IS_JOB_PENDING(job) || IS_JOB_CANCELLED(job))
		return 0;
	return job->start_time;
}

bool lxfw_slurm_read_run(void *context, struct lxfw_known_job *known,
		   struct lxfw_run *run)
{
	const job_record_t *job = find_job_record(known->record);

	return job && IS_JOB_RUNNING(job) && lxfw_known_read(context, job, run);
}

static enum lxfw_answer answer_of(int error_code, struct lxfw_error *why)
{
	if (error_code == SLURM_SUCCESS)
		return LXFW_DONE;
	lxfw_error_set(why, slurm_strerror(error_code));
	return LXFW_REFUSED;
}

/* --- suspending ------------------------------------------------------------------ */

/*
 * Returns true if the job has run for lxfw_params_min_run() since it was resumed,
 * according to Slurm. The library cannot check this: in its model a resumed job runs
 * while it still waits for its processors, and changes between two looks are not seen.
 * The clock of a pass may be one second behind the time that Slurm recorded. Slurm's
 * database also accepts only one suspension of a job per second.
 */
static bool has_run(const struct lxfw_bridge *bridge, const job_record_t *job)
{
	int64_t least = lxfw_params_min_run(&bridge->agent.params) - 1;

	return job->suspend_time == 0 ||
	       time(NULL) - job->suspend_time >= (least > 1 ? least : 1);
}

/* Returns SLURM_SUCCESS or an error code. */
static int suspend(const struct lxfw_bridge *bridge, job_record_t *job,
		   bool own_end)
{
	/* Components of a heterogeneous job can only be suspended together. */
	if (!job || job->het_job_id || !IS_JOB_RUNNING(job) ||
	    IS_JOB_COMPLETING(job))
		return ESLURM_JOB_NOT_RUNNING;
	if (!lxfw_can_suspend())
		return ESLURM_NOT_SUPPORTED;
	if (!own_end && !has_run(bridge, job))
		return ESLURM_TRANSITION_STATE_NO_UPDATE;
	return lxfw_compat_suspend(job);
}

/* Returns true if the job would preempt the one for which it is to be suspended, which may
   have been preempted for it. */
static bool outranks_served(const struct lxfw_bridge *bridge, job_record_t *job,
			    const struct lxfw_preempted *preempted)
{
	const struct lxfw_known_job *served =
		lxfw_table_find(&bridge->agent.jobs, preempted->served);
	job_record_t *record = served ? find_job_record(served->record) : NULL;

	return job && record && lxfw_compat_outranks(job, record);
}

enum lxfw_answer lxfw_slurm_suspend(void *context, struct lxfw_known_job *known,
			      struct lxfw_preempted *preempted, bool own_end,
			      struct lxfw_error *why)
{
	job_record_t *job = find_job_record(known->record);
	uint32_t priority = job ? job->priority : 0;
	enum lxfw_answer answer;

	if (!own_end && outranks_served(context, job, preempted)) {
		lxfw_error_set(why, "it may preempt the job for which it would be suspended");
		return LXFW_REFUSED;
	}
	answer = answer_of(suspend(context, job, own_end), why);
	if (priority)
		preempted->priority = priority;
	return answer;
}

/* --- resuming -------------------------------------------------------------------- */

/* Returns a node of the job that does not respond, or NULL. */
static const node_record_t *deaf_node(const job_record_t *job)
{
	for (int i = 0; job->node_bitmap && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(job->node_bitmap, i) &&
		    (IS_NODE_DOWN(node) || IS_NODE_NO_RESPOND(node)))
			return node;
	}
	return NULL;
}

enum lxfw_answer lxfw_slurm_resume(void *context, const struct lxfw_preempted *preempted,
			     struct lxfw_error *why)
{
	job_record_t *job = find_job_record(preempted->job_id);
	const node_record_t *deaf = job ? deaf_node(job) : NULL;
	const job_record_t *taker;
	int error_code;

	(void)context;
	if (!job)
		return LXFW_GONE;
	if (deaf) {
		lxfw_error_set(why, "no response from ");
		lxfw_error_add(why, deaf->name);
		return LXFW_DEFERRED;
	}
	taker = lxfw_cores_taken(job);
	if (taker) {
		/* Its cleanup ends soon. */
		if (IS_JOB_COMPLETING(taker))
			return LXFW_DEFERRED;
		lxfw_error_set(why, "its processors are allocated to JobId=");
		lxfw_error_add_number(why, taker->job_id);
		return LXFW_DEFERRED;
	}
	error_code = lxfw_compat_resume(job);
	if (error_code != SLURM_SUCCESS) {
		lxfw_error_set(why, "Slurm says: ");
		lxfw_error_add(why, slurm_strerror(error_code));
		return LXFW_DEFERRED;
	}
	if (preempted->priority)
		job->priority = preempted->priority;
	return LXFW_DONE;
}

void lxfw_slurm_remind(void *context, uint32_t record)
{
	job_record_t *job = find_job_record(record);

	(void)context;
	if (job)
		lxfw_compat_continue(job);
}

/* A response in the same second may precede the message. */
bool lxfw_slurm_heard_since(void *context, uint32_t record, int64_t since)
{
	const job_record_t *job = find_job_record(record);

	(void)context;
	for (int i = 0; job && job->node_bitmap && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(job->node_bitmap, i) &&
		    (node->last_response <= since ||
		     IS_NODE_NO_RESPOND(node)))
			return false;
	}
	return true;
}

/* --- pending again --------------------------------------------------------------- */

enum lxfw_answer lxfw_slurm_requeue(void *context, uint32_t record,
			      struct lxfw_error *why)
{
	job_record_t *job = find_job_record(record);

	(void)context;
	return job ? answer_of(lxfw_compat_requeue(job), why) : LXFW_GONE;
}

void lxfw_slurm_give_priority(void *context, const struct lxfw_preempted *preempted)
{
	job_record_t *job = find_job_record(preempted->job_id);

	(void)context;
	if (!job || job->priority != 0 || job->state_reason == WAIT_HELD_USER)
		return;
	job->priority = preempted->priority;
	if (job->state_reason == WAIT_HELD)
		job->state_reason = WAIT_NO_REASON;
	last_job_update = time(NULL);
}

/*
 * Slurm's own thread saves them, within six seconds. dump_all_job_state() would save them
 * immediately, but no other thread may call it: it frees and replaces texts of job records,
 * such as nodes_completing, under a read lock, and two threads would free them twice.
 */
void lxfw_slurm_save_records(void *context)
{
	(void)context;
	schedule_job_save();
}
