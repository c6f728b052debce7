/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/quanta.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/act.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/cores.h"
#include "plugins/slurm/bridge/names.h"

/* In a job's --comment: it is not to be served. */
#define DECLINED "lxfw:no-quantum"

#define VARIABLE "LXFW_QUANTUM_UNTIL="

/* Nodes are expected to have heard of a resumption after so many seconds; else
   they are told again. */
#define HEARD_SECONDS 3

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
	struct lxfw_lent *lent;

	if (!known)
		return;
	lent = lxfw_lent_find(books, known->record);
	if (!lent)
		lent = lxfw_lent_enter(books, known->record);
	if (!lent)
		return;
	*lent = (struct lxfw_lent){
		.job_id = known->record, .priority = known->running_priority,
		.served = served && served->until ? id :
			  served_after(bridge, at),
		.planned = true,
	};
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
		if (books->lent[i].planned)
			lxfw_lent_remove(books, i);
	}
	for (size_t i = books->served_count; i-- > 0;) {
		if (books->served[i].planned)
			lxfw_served_remove(books, i);
	}
	books->broken = false;
}

/* --- going on -------------------------------------------------------------------- */

/* A node of the job that could not be told, or NULL. */
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

static void say_once(struct lxfw_lent *lent, const char *why,
		     const char *name, uint32_t other)
{
	if (lent->said)
		return;
	lent->said = true;
	if (name)
		info("sched/lxfw: JobId=%u is to go on, but %s %s: it waits",
		     lent->job_id, why, name);
	else
		info("sched/lxfw: JobId=%u is to go on, but %s JobId=%u: it waits",
		     lent->job_id, why, other);
}

/* Let JOB go on, if nobody has its cores. */
static void try_resume(struct lxfw_bridge *bridge, struct lxfw_lent *lent,
		       job_record_t *job)
{
	const node_record_t *deaf = deaf_node(job);
	const job_record_t *taker;
	int error_code;

	if (deaf) {
		say_once(lent, "no word from", deaf->name, 0);
		return;
	}
	taker = lxfw_cores_taken(job);
	if (taker) {
		/* One that is being cleaned up after is gone in a moment. */
		if (!IS_JOB_COMPLETING(taker))
			say_once(lent, "its processors are taken by", NULL,
				 taker->job_id);
		return;
	}
	error_code = lxfw_compat_resume(job);
	if (error_code != SLURM_SUCCESS) {
		say_once(lent, "Slurm says:", slurm_strerror(error_code), 0);
		return;
	}
	if (lent->priority)
		job->priority = lent->priority;
	lent->resume = false;
	lent->resumed = time(NULL);
	bridge->quanta.dirty = true;
	bridge->quanta.acted = true;
	info("sched/lxfw: JobId=%u goes on", job->job_id);
}

/* Have all nodes of a resumed job been heard of since? A message to a slurmd that
   is dead is lost: when it is back it is told again. */
static bool has_gone_on(const struct lxfw_lent *lent, job_record_t *job)
{
	for (int i = 0; job->node_bitmap && i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(job->node_bitmap, i) &&
		    (node->last_response < lent->resumed ||
		     IS_NODE_NO_RESPOND(node)))
			return false;
	}
	if (time(NULL) > lent->resumed + HEARD_SECONDS)
		lxfw_compat_continue(job);
	return true;
}

/* The job waits although we suspended it: a node failed, or somebody requeued it.
   Its priority is not to be lost. */
static void give_priority(const struct lxfw_lent *lent, job_record_t *job)
{
	if (job->priority != 0 || job->state_reason == WAIT_HELD_USER)
		return;
	job->priority = lent->priority;
	if (job->state_reason == WAIT_HELD)
		job->state_reason = WAIT_NO_REASON;
	last_job_update = time(NULL);
}

/* The library is to be told of the job again, whatever it was told. */
static void tell_anew(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs,
				lxfw_job_id(job->job_id, job->array_job_id,
					    job->array_task_id));

	if (!known)
		return;
	memset(&known->run, 0, sizeof(known->run));
	known->shares_hash = ~known->shares_hash;
}

/* False if the entry is of no more use. */
static bool look_at_lent(struct lxfw_bridge *bridge, struct lxfw_lent *lent)
{
	job_record_t *job = find_job_record(lent->job_id);

	if (!job || job->magic != JOB_MAGIC)
		return false;
	if (IS_JOB_PENDING(job)) {
		give_priority(lent, job);
		return false;
	}
	if (IS_JOB_FINISHED(job) || IS_JOB_COMPLETING(job))
		return false;
	if (lent->resumed)
		return IS_JOB_RUNNING(job) && !has_gone_on(lent, job);
	if (bridge->quanta.end_all) {
		lent->resume = true;
		/* The controller forgot that it was suspended, its nodes may
		   not have. */
		if (IS_JOB_RUNNING(job)) {
			lxfw_compat_continue(job);
			lent->resumed = time(NULL);
			return true;
		}
	} else if (IS_JOB_RUNNING(job)) {
		info("sched/lxfw: JobId=%u was resumed by somebody else",
		     job->job_id);
		tell_anew(bridge, job);
		return false;
	}
	if (lent->resume)
		try_resume(bridge, lent, job);
	return true;
}

/* --- requeueing ------------------------------------------------------------------ */

/* Put back what the job's record had before its quantum. */
static void restore_request(job_record_t *job)
{
	lxfw_slurm_details *details = job->details;

	details->pn_min_memory = details->orig_pn_min_memory;
	for (uint32_t i = 0; i < details->env_cnt; i++) {
		if (strncmp(details->env_sup[i], VARIABLE, strlen(VARIABLE)))
			continue;
		xfree(details->env_sup[i]);
		details->env_sup[i] = details->env_sup[--details->env_cnt];
		details->env_sup[details->env_cnt] = NULL;
		break;
	}
}

/*
 * The job waits again. Slurm has it wait until the credential of its first start
 * is void, so that a node which has not heard of the end cannot mix them up. All
 * nodes have heard, for the job is not completing any more, and a credential that
 * is younger by a second is another one to them.
 */
static void wait_again(struct lxfw_bridge *bridge, struct lxfw_served *served,
		       job_record_t *job)
{
	restore_request(job);
	if (job->details->begin_time > time(NULL))
		job->details->begin_time = time(NULL) + 1;
	served->until = 0;
	last_job_update = time(NULL);
	bridge->quanta.acted = true;
}

/* Since when it waits, as soon as Slurm has begun to count it among those that wait
   for an association's limits: the time tells whether it does. */
static void restore_accrue(struct lxfw_bridge *bridge,
			   struct lxfw_served *served, job_record_t *job)
{
	if (served->accrue == 0 || job->details->accrue_time == 0)
		return;
	if (job->details->accrue_time > served->accrue)
		job->details->accrue_time = served->accrue;
	served->accrue = 0;
	last_job_update = time(NULL);
	bridge->quanta.dirty = true;
}

/* It was killed for lack of memory that it asked for, but was not given. */
static bool outgrew_quantum(const struct lxfw_served *served,
			    const job_record_t *job)
{
	return served->until && served->cut && IS_JOB_FINISHED(job) &&
	       lxfw_compat_out_of_memory(job);
}

/* False if the entry is of no more use. */
static bool look_at_served(struct lxfw_bridge *bridge,
			   struct lxfw_served *served)
{
	job_record_t *job = find_job_record(served->job_id);

	if (!job || job->magic != JOB_MAGIC || !job->details)
		return false;
	if (IS_JOB_PENDING(job)) {
		if (IS_JOB_COMPLETING(job))
			return true;
		if (served->until) {
			wait_again(bridge, served, job);
			bridge->quanta.dirty = true;
		}
		restore_accrue(bridge, served, job);
		return true;
	}
	if (outgrew_quantum(served, job) &&
	    lxfw_compat_requeue(job) == SLURM_SUCCESS) {
		info("sched/lxfw: JobId=%u outgrew the memory of its quantum and waits again",
		     job->job_id);
		return true;
	}
	if (IS_JOB_FINISHED(job))
		return false;
	if (bridge->quanta.end_all && served->until && IS_JOB_RUNNING(job)) {
		bridge->quanta.dirty = true;
		bridge->quanta.acted = true;
		if (lxfw_compat_requeue(job) != SLURM_SUCCESS)
			served->until = 0;	/* it runs on */
	}
	return true;
}

void lxfw_quanta_look(struct lxfw_bridge *bridge)
{
	struct lxfw_quanta_books *books = &bridge->quanta;

	for (size_t i = books->served_count; i-- > 0;) {
		if (!look_at_served(bridge, &books->served[i]))
			lxfw_served_remove(books, i);
	}
	for (size_t i = books->lent_count; i-- > 0;) {
		if (!look_at_lent(bridge, &books->lent[i]))
			lxfw_lent_remove(books, i);
	}
	books->end_all = false;
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

	return lent && !lent->planned && !lent->resumed && IS_JOB_SUSPENDED(job);
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
	       request->unit.memory_mb * request->count <= params->quantum_mem;
}

int64_t lxfw_quanta_submit(const struct lxfw_bridge *bridge, uint64_t id,
			   int64_t submit)
{
	const struct lxfw_served *served = lxfw_served_find(&bridge->quanta, id);

	return served && served->submit && served->submit < submit ?
	       served->submit : submit;
}

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
	uint32_t priority;
	int error_code = ESLURM_JOB_NOT_RUNNING;

	if (!known) {
		bridge->rebuild = true;
		return;
	}
	/* The components of a heterogeneous job stop together. */
	if (lent && lent->planned && !books->unwritten && job &&
	    !job->het_job_id && IS_JOB_RUNNING(job) &&
	    !IS_JOB_COMPLETING(job)) {
		priority = job->priority;
		error_code = lxfw_compat_suspend(job);
		if (priority)
			lent->priority = priority;
	}
	if (error_code != SLURM_SUCCESS) {
		info("sched/lxfw: JobId=%u cannot be suspended: %s",
		     known->record, slurm_strerror(error_code));
		not_suspended(bridge, known);
		return;
	}
	lent->planned = false;
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
		try_resume(bridge, lent, job);
	} else {
		tell_anew(bridge, job);
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
			give_priority(lent, job);
		lxfw_forget_job(bridge, known);
		return;
	}
	debug("sched/lxfw: JobId=%u cannot be requeued: %s", known->record,
	      slurm_strerror(error_code));
	if (served)
		served->until = 0;	/* it runs on */
	if (lent)
		lent->resume = true;
	if (job)
		tell_anew(bridge, job);
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

	xstrfmtcat(text, VARIABLE"%"PRId64, until);
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
			restore_request(job);
		return;		/* the entry is only planned */
	}
	/* The rest of an array has a copy of all that. */
	array = job->array_job_id ? find_job_record(job->array_job_id) : NULL;
	if (array && array != job && array->details && IS_JOB_PENDING(array))
		restore_request(array);
	if (served) {
		served->job_id = job->job_id;
		served->planned = false;
		bridge->quanta.dirty = true;
		bridge->quanta.acted = true;
	}
	info("sched/lxfw: JobId=%u has a quantum of %"PRId64" s", job->job_id,
	     action->until - action->start);
}
