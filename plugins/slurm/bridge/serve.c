/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/serve.h"

#include <string.h>

#include "plugins/slurm/bridge/names.h"

/* Text in a job's --comment that rules out a quantum. */
#define DECLINED "lxfw:no-quantum"

/* Variable in the environment of a batch script during its quantum; its value is the
   end of the quantum. */
#define QUANTUM_VARIABLE "LXFW_QUANTUM_UNTIL="

/* --- which jobs may have a quantum ----------------------------------------------- */

/* Returns true if the site or the user rules out a quantum. */
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

/* Gang scheduling resumes jobs by itself. Other select plugins do not manage cores. */
bool lxfw_can_suspend(void)
{
	return !(slurm_conf.preempt_mode & PREEMPT_MODE_GANG) &&
	       slurm_conf.select_type && strstr(slurm_conf.select_type, "cons_");
}

bool lxfw_may_serve(const struct lxfw_bridge *bridge, const job_record_t *job,
		    const struct lxfw_request *request)
{
	const struct lxfw_params *params = &bridge->agent.params;

	if (!lxfw_params_serve(params) || !lxfw_can_suspend())
		return false;
	if (is_excluded(bridge, job, request))
		return false;
	if (can_be_requeued(job))
		return true;
	/* The job can only be suspended. The library does that only to jobs that have
	   all the memory they requested. */
	return params->quantum_end == LXFW_QUANTUM_SUSPEND &&
	       lxfw_request_sum(request).memory_mb <= params->quantum_mem;
}

/* --- start of a quantum ----------------------------------------------------------- */

/* Returns the smallest amount of memory in the shares, per processor if PER_PROC is
   set. At least 1. */
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

/* Returns true if the job gets less memory than it requested. */
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

	xstrfmtcat(text, QUANTUM_VARIABLE"%"PRId64, until);
	xrecalloc(details->env_sup, details->env_cnt + 2u, sizeof(char *));
	details->env_sup[details->env_cnt++] = text;
}

/* Restores the record to its state before the quantum. */
static void restore_request(job_record_t *job)
{
	const size_t length = strlen(QUANTUM_VARIABLE);
	lxfw_slurm_details *details = job->details;

	details->pn_min_memory = details->orig_pn_min_memory;
	for (uint32_t i = 0; i < details->env_cnt; i++) {
		if (strncmp(details->env_sup[i], QUANTUM_VARIABLE, length))
			continue;
		xfree(details->env_sup[i]);
		details->env_sup[i] = details->env_sup[--details->env_cnt];
		details->env_sup[details->env_cnt] = NULL;
		break;
	}
}

bool lxfw_serve_begin(struct lxfw_bridge *bridge, job_record_t *job,
			const struct lxfw_known_job *known,
			const struct lxfw_action *action)
{
	struct lxfw_served *served =
		lxfw_served_find(&bridge->agent.quanta, known->id);

	if (!served)
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

void lxfw_serve_begun(job_record_t *job, bool started)
{
	job_record_t *array;

	if (!started) {
		if (job->details)
			restore_request(job);
		return;
	}
	/* The array's record has a copy of these changes. */
	array = job->array_job_id ? find_job_record(job->array_job_id) : NULL;
	if (array && array != job && array->details && IS_JOB_PENDING(array))
		restore_request(array);
}

/* --- end of a quantum ------------------------------------------------------------- */

/*
 * Returns true if a node may still answer the request to launch the job. If the answer
 * is that the job was killed before, Slurm marks the job as failed, even if its next
 * run has begun by then. A busy node answers after several seconds, at most after
 * Slurm's message timeout.
 */
static bool is_launch_unanswered(const struct lxfw_bridge *bridge,
				 const struct lxfw_served *served)
{
	int64_t started = served->until - bridge->agent.params.quantum;

	return time(NULL) <= started + lxfw_compat_message_timeout() &&
	       lxfw_compat_messages_unanswered();
}

/* Restores the time from which the job accrues age. This must wait until Slurm has
   begun to count the job in the limits of its association, which sets accrue_time. */
static void restore_accrue(struct lxfw_bridge *bridge,
			   struct lxfw_served *served, job_record_t *job)
{
	if (served->accrue == 0 || job->details->accrue_time == 0)
		return;
	if (job->details->accrue_time > served->accrue)
		job->details->accrue_time = served->accrue;
	served->accrue = 0;
	last_job_update = time(NULL);
	bridge->agent.quanta.dirty = true;
}

/*
 * Slurm delays a requeued job until the credential of its last run has expired, so that
 * a node that missed the end of that run cannot confuse the two. Here the delay is
 * unnecessary: the job is not completing, so all nodes have reported its end, and a
 * credential that is newer by one second is a different one to them.
 */
enum lxfw_answer lxfw_slurm_settle(void *context, struct lxfw_served *served)
{
	struct lxfw_bridge *bridge = context;
	job_record_t *job = find_job_record(served->job_id);
	enum lxfw_answer answer = LXFW_DONE;
	time_t now = time(NULL);

	if (!job || !job->details)
		return LXFW_GONE;
	if (served->until && is_launch_unanswered(bridge, served)) {
		/* With a begin time this near, the job keeps its place in the model. */
		if (job->details->begin_time > now)
			job->details->begin_time = now + 2;
		answer = LXFW_DEFERRED;
	} else if (served->until) {
		restore_request(job);
		if (job->details->begin_time > now)
			job->details->begin_time = now + 1;
		last_job_update = now;
	}
	restore_accrue(bridge, served, job);
	return answer;
}

bool lxfw_slurm_outgrew(void *context, const struct lxfw_served *served)
{
	const job_record_t *job = find_job_record(served->job_id);

	(void)context;
	return job && lxfw_compat_out_of_memory(job);
}

/* --- number of suspensions -------------------------------------------------------- */

/* A job that Slurm has recorded as suspended since its start may have been suspended
   any number of times. */
void lxfw_enter_unknown_victims(struct lxfw_bridge *bridge)
{
	struct lxfw_quanta_books *books = &bridge->agent.quanta;
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	const job_record_t *job;

	while ((job = list_next(each)) != NULL) {
		struct lxfw_victim *victim;

		if (job->magic != JOB_MAGIC || job->start_time <= 0 ||
		    job->suspend_time <= job->start_time ||
		    (!IS_JOB_RUNNING(job) && !IS_JOB_SUSPENDED(job)))
			continue;
		victim = lxfw_victim_find(books, job->job_id);
		if (!victim)
			victim = lxfw_victim_enter(books, job->job_id);
		if (!victim)
			break;	/* tried again by the next look */
		victim->suspensions = LXFW_SUSPENSIONS_UNKNOWN;
	}
	books->uncounted = job != NULL;
	books->dirty = true;
	list_iterator_destroy(each);
}
