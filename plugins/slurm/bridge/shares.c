/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/shares.h"

#include <stdlib.h>
#include <string.h>

#include "common/profile/duration.h"
#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/alloc.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/agent/shares_cores.h"
#include "plugins/slurm/bridge/shares_limit.h"
#include "plugins/slurm/bridge/shares_taken.h"

/* --- starting ------------------------------------------------------------------- */

static uint16_t per_task(const lxfw_slurm_details *details, int32_t procs)
{
	int32_t tasks = details->num_tasks > 0 && details->num_tasks != NO_VAL ?
			(int32_t)details->num_tasks : 1;
	int32_t each = procs / tasks;

	return each < 1 ? 1 : each > UINT16_MAX - 2 ? UINT16_MAX - 2 :
	       (uint16_t)each;
}

void lxfw_shares_begin(const struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_known_job *known,
		       const struct lxfw_action *action,
		       struct lxfw_asked *asked)
{
	lxfw_slurm_details *details = job->details;

	*asked = (struct lxfw_asked){
		.adaptive = known->request.min_procs > 0,
		.procs = known->request.unit.procs,
	};
	if (!asked->adaptive)
		return;
	asked->gets = action->shares[0].amount.procs;
	if (asked->gets >= asked->procs)
		return;
	asked->fewer = true;
	asked->min_cpus = details->min_cpus;
	asked->max_cpus = details->max_cpus;
	asked->pn_min_cpus = details->pn_min_cpus;
	asked->cpus_per_task = details->cpus_per_task;
	asked->pn_min_memory = details->pn_min_memory;
	details->min_cpus = (uint32_t)asked->gets;
	details->pn_min_cpus = (uint32_t)asked->gets;
	lxfw_compat_set_cpus_per_task(job, per_task(details, asked->gets));
	if (details->max_cpus != NO_VAL)
		details->max_cpus = (uint32_t)asked->gets;
	if (bridge->hosts.memory_counts && details->pn_min_memory & MEM_PER_CPU)
		details->pn_min_memory =
			(uint64_t)known->request.unit.memory_mb;
}

static void give_back(job_record_t *job, const struct lxfw_asked *asked)
{
	lxfw_slurm_details *details = job->details;

	details->min_cpus = asked->min_cpus;
	details->max_cpus = asked->max_cpus;
	details->pn_min_cpus = asked->pn_min_cpus;
	lxfw_compat_set_cpus_per_task(job, asked->cpus_per_task);
	details->pn_min_memory = asked->pn_min_memory;
}

void lxfw_shares_begun(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_asked *asked, bool started)
{
	job_record_t *array;

	if (!asked->adaptive)
		return;
	if (!started) {
		if (asked->fewer && job->details)
			give_back(job, asked);
		return;
	}
	lxfw_limit_begin(bridge, job, job->start_time, asked->procs,
			 (int32_t)job->total_cpus);
	/* The array's record has a copy of these changes. */
	array = job->array_job_id ? find_job_record(job->array_job_id) : NULL;
	if (asked->fewer && array && array != job && array->details &&
	    IS_JOB_PENDING(array))
		give_back(array, asked);
}

void lxfw_shares_wait(job_record_t *job)
{
	lxfw_slurm_details *details = job->details;

	if (!lxfw_limit_restore(job))
		return;
	details->min_cpus = details->orig_min_cpus;
	details->max_cpus = details->orig_max_cpus;
	details->pn_min_cpus = details->orig_pn_min_cpus;
	details->pn_min_memory = details->orig_pn_min_memory;
	lxfw_compat_set_cpus_per_task(job,
				      details->orig_cpus_per_task == NO_VAL16 ?
				      1 : details->orig_cpus_per_task);
	/* Remains of the last run would make the accounting records of the next run
	   wrong. The records of the last resize and of the next run are distinguished
	   by their time in seconds. */
	if (details->submit_time <= job->resize_time)
		details->submit_time = job->resize_time + 1;
	job->resize_time = 0;
	job->billable_tres = (double)NO_VAL;
	last_job_update = time(NULL);
}

/* --- the cores of a node --------------------------------------------------------- */

/* A job of the batch. */
struct member {
	const struct lxfw_action *action;
	struct lxfw_known_job *known;
	job_record_t *job;
	bool *cores;		/* cores assigned to it */
	int32_t had, gets;
	bool chosen, changes;
};

struct batch {
	struct member *members;
	size_t count;
	int32_t host;
	int sockets, cores;	/* of the host; cores per socket */
	bool *taken;		/* cores that are not available */
	bool *flags;		/* storage of `taken` and of members' `cores` */
	bool doubt;		/* a core was allocated twice */
	bool left_out;		/* jobs were left out because accounting is not
				   available */
};

/* Returns true for a running job on one node whose allocation can be edited. */
static bool is_editable(const job_record_t *job, int32_t host)
{
	const job_resources_t *held = job ? job->job_resrcs : NULL;

	return held && job->magic == JOB_MAGIC && IS_JOB_RUNNING(job) &&
	       !IS_JOB_COMPLETING(job) && held->nhosts == 1 &&
	       !held->whole_node && held->core_bitmap && held->cpus &&
	       held->cpus[0] && held->node_bitmap &&
	       bit_ffs(held->node_bitmap) == host;
}

static struct member *member_of(const struct batch *batch,
				const job_record_t *job)
{
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->members[i].job == job)
			return &batch->members[i];
	}
	return NULL;
}

/* Causes the job to be reported again by the next look. */
static void tell_anew(struct lxfw_bridge *bridge, struct lxfw_known_job *known)
{
	lxfw_mirror_tell_anew(known);
	bridge->agent.stale = true;
}

/* A change requires an accounting record. Without it the job keeps its processors. The
   library is informed and will try again. */
static bool is_ready(job_record_t *job)
{
	if (lxfw_compat_resize_ready(job))
		return true;
	debug("sched/lxfw: JobId=%u keeps its processors: no response from "
	      "slurmdbd",
	      job->job_id);
	return false;
}

/* Collects the jobs to resize on the host of action AT. If the decision has several
   actions for a job, the last one applies. */
static bool collect(struct lxfw_bridge *bridge, size_t at, struct batch *batch)
{
	const struct lxfw_decision *decision = &bridge->agent.decision;

	batch->host = decision->actions[at].shares[0].host;
	batch->members = calloc(decision->count - at, sizeof(*batch->members));
	if (!batch->members)
		return false;
	for (; at < decision->count; at++) {
		const struct lxfw_action *action = &decision->actions[at];
		struct lxfw_known_job *known;
		struct member *member;
		job_record_t *job;

		if (action->type != LXFW_ACTION_RESIZE ||
		    action->shares[0].host != batch->host)
			continue;
		known = lxfw_table_find(&bridge->agent.jobs, action->job);
		if (!known)
			continue;
		job = find_job_record(known->record);
		if (!is_editable(job, batch->host) || !is_ready(job)) {
			tell_anew(bridge, known);
			continue;
		}
		member = member_of(batch, job);
		if (!member)
			member = &batch->members[batch->count++];
		*member = (struct member){
			.action = action, .known = known, .job = job,
			.had = job->job_resrcs->cpus[0],
			.gets = action->shares[0].amount.procs,
		};
	}
	return true;
}

static bool make_room(struct batch *batch)
{
	const job_resources_t *held = batch->members[0].job->job_resrcs;
	size_t cores;

	batch->sockets = held->sockets_per_node[0];
	batch->cores = held->cores_per_socket[0];
	cores = (size_t)batch->sockets * (size_t)batch->cores;
	batch->flags = calloc((batch->count + 1) * cores + 1,
			      sizeof(*batch->flags));
	if (!batch->flags)
		return false;
	batch->taken = batch->flags;
	for (size_t i = 0; i < batch->count; i++) {
		bitstr_t *own =
			batch->members[i].job->job_resrcs->core_bitmap;

		batch->members[i].cores = batch->flags + (i + 1) * cores;
		if ((size_t)bit_size(own) != cores)
			return false;
		for (size_t core = 0; core < cores; core++)
			batch->members[i].cores[core] =
				bit_test(own, (bitoff_t)core);
	}
	return true;
}

/* Marks cores that are allocated to other jobs or reserved. TENANTS has the jobs of
   each host, or is NULL; then all jobs are examined. */
static void bar(const struct lxfw_bridge *bridge, struct batch *batch,
		const struct lxfw_tenants *tenants)
{
	int count = batch->sockets * batch->cores;
	lxfw_slurm_iterator each;
	const job_record_t *job;

	lxfw_taken_by_others(batch->host, batch->taken, count);
	if (tenants && !tenants->outdated[batch->host]) {
		size_t last = tenants->first[batch->host + 1];

		for (size_t i = tenants->first[batch->host]; i < last; i++) {
			if (!member_of(batch, tenants->jobs[i]))
				lxfw_taken_by_job(bridge, tenants->jobs[i],
						  batch->host, batch->taken,
						  count);
		}
		return;
	}
	each = list_iterator_create(job_list);
	while ((job = list_next(each)) != NULL) {
		if (!member_of(batch, job))
			lxfw_taken_by_job(bridge, job, batch->host,
					  batch->taken, count);
	}
	list_iterator_destroy(each);
}

/* Removes cores that another job has from each member, and marks the members' cores as
   taken. */
static void find_doubt(struct batch *batch)
{
	int count = batch->sockets * batch->cores;

	for (int core = 0; core < count; core++) {
		for (size_t i = 0; i < batch->count; i++) {
			bool *has = &batch->members[i].cores[core];

			batch->doubt |= batch->taken[core] && *has;
			*has = *has && !batch->taken[core];
			batch->taken[core] |= *has;
		}
	}
}

/* No core is available for the job: it stays as it is. */
static void keep(const struct batch *batch, struct member *member)
{
	for (int core = 0; core < batch->sockets * batch->cores; core++)
		member->cores[core] =
			bit_test(member->job->job_resrcs->core_bitmap, core);
	member->gets = member->had;
}

/* Assigns cores, first to jobs that shrink, then to jobs that grow. */
static void choose(struct batch *batch)
{
	int count = batch->sockets * batch->cores;

	for (size_t i = 0; i < 2 * batch->count; i++) {
		struct member *member = &batch->members[i % batch->count];
		bool grows = member->gets > member->had;

		if (grows != (i >= batch->count) || member->chosen)
			continue;
		member->chosen = true;
		for (int core = 0; core < count; core++)
			batch->taken[core] &= !member->cores[core];
		member->gets = lxfw_cores_fit(member->cores, batch->taken,
					      batch->sockets, batch->cores,
					      member->gets);
		if (member->gets == 0)
			keep(batch, member);
		for (int core = 0; core < count; core++)
			batch->taken[core] |= member->cores[core];
	}
}

/* --- editing ---------------------------------------------------------------------- */

static bool differs(const struct batch *batch, const struct member *member)
{
	bitstr_t *own = member->job->job_resrcs->core_bitmap;

	for (int core = 0; core < batch->sockets * batch->cores; core++) {
		if (bit_test(own, core) != member->cores[core])
			return true;
	}
	return member->gets != member->had;
}

/* A step that has all the job's cores gets all of the new ones. Any other step keeps
   those of its cores that the job keeps, or gets all of the new ones if none are
   left. */
static void edit_step(step_record_t *step, job_resources_t *held,
		      const bitstr_t *before, int32_t more)
{
	bitstr_t *cores = step->core_bitmap_job;

	if (!cores || !step->step_layout ||
	    bit_size(cores) != bit_size(held->core_bitmap))
		return;
	if (step->flags & SSF_WHOLE && !(step->flags & SSF_OVERLAP_FORCE) &&
	    held->cpus_used)
		held->cpus_used[0] = (uint16_t)(held->cpus_used[0] + more);
	if (bit_overlap_any(cores, held->core_bitmap) &&
	    !bit_equal(cores, (bitstr_t *)before)) {
		bit_and(cores, held->core_bitmap);
		return;
	}
	bit_and_not(held->core_bitmap_used, cores);
	bit_and(cores, held->core_bitmap);
	bit_or(cores, held->core_bitmap);
	bit_or(held->core_bitmap_used, cores);
}

static void edit(const struct batch *batch, const struct member *member)
{
	job_record_t *job = member->job;
	job_resources_t *held = job->job_resrcs;
	bitstr_t *before = bit_copy(held->core_bitmap);
	lxfw_slurm_iterator each;
	step_record_t *step;

	for (int core = 0; core < batch->sockets * batch->cores; core++) {
		if (member->cores[core])
			bit_set(held->core_bitmap, core);
		else
			bit_clear(held->core_bitmap, core);
	}
	held->cpus[0] = (uint16_t)member->gets;
	held->ncpus = (uint32_t)build_job_resources_cpu_array(held);
	job->total_cpus = job->cpu_cnt = (uint32_t)member->gets;
	each = list_iterator_create(job->step_list);
	while ((step = list_next(each)) != NULL)
		edit_step(step, held, before, member->gets - member->had);
	list_iterator_destroy(each);
	if (held->core_bitmap_used)
		bit_and(held->core_bitmap_used, held->core_bitmap);
	FREE_NULL_BITMAP(before);
}

/*
 * Removes the other running jobs of the node from the select plugin's records, or adds
 * them again, because the plugin may have lost track of their cores. If two jobs have
 * the same core, the plugin's records assign it to one of them: the job that was never
 * suspended, as in Slurm.
 */
static void rebook_others(const struct batch *batch, bool in, bool suspended)
{
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	job_record_t *job;

	while ((job = list_next(each)) != NULL) {
		const struct member *member;

		if (job->magic != JOB_MAGIC || !IS_JOB_RUNNING(job) ||
		    IS_JOB_COMPLETING(job) || !job->job_resrcs ||
		    !job->node_bitmap || !bit_test(job->node_bitmap, batch->host))
			continue;
		member = member_of(batch, job);
		if ((member && member->changes) ||
		    (job->suspend_time != 0) != suspended)
			continue;
		if (in)
			(void)select_g_job_resume(job, true);
		else
			(void)select_g_job_suspend(job, true);
	}
	list_iterator_destroy(each);
}

/* Carries out the whole batch under the same locks, so that no intermediate state is
   visible or saved. */
static void carry_out(struct batch *batch)
{
	for (size_t i = 0; i < batch->count; i++) {
		struct member *member = &batch->members[i];

		member->changes = differs(batch, member);
		if (!member->changes)
			continue;
		lxfw_compat_resize_begin(member->job);
		(void)select_g_job_suspend(member->job, true);
	}
	if (batch->doubt) {
		rebook_others(batch, false, false);
		rebook_others(batch, false, true);
	}
	for (size_t i = 0; i < batch->count; i++) {
		if (batch->members[i].changes)
			edit(batch, &batch->members[i]);
	}
	if (batch->doubt) {
		rebook_others(batch, true, false);
		rebook_others(batch, true, true);
	}
	for (size_t i = 0; i < batch->count; i++) {
		struct member *member = &batch->members[i];

		if (!member->changes)
			continue;
		(void)select_g_job_resume(member->job, true);
		lxfw_compat_resize_end(member->job);
	}
	if (batch->doubt)
		info("sched/lxfw: node %s had cores allocated twice: corrected",
		     node_record_table_ptr[batch->host]->name);
}

/* --- reporting -------------------------------------------------------------------- */

/* Reports deviations: the library already assumes the new share and the end that
   follows from it. */
static void settle(struct lxfw_bridge *bridge, struct member *member)
{
	struct lxfw_known_job *known = member->known;
	const struct lxfw_action *action = member->action;
	job_record_t *job = member->job;
	int64_t booked = known->expected_end, end;
	int32_t count;

	if (member->changes)
		lxfw_limit_change(bridge, job, action->start, member->had,
				  member->gets);
	end = lxfw_shares_end(bridge, job);
	if (booked != LXFW_NEVER)
		booked = lxfw_time_add(action->start,
				       lxfw_time_scale(booked > action->start ?
						       booked - action->start : 0,
						       member->had,
						       action->shares[0].amount.procs));
	count = lxfw_shares_of_job(bridge, job);
	if (count != 1 || end != booked ||
	    bridge->shares[0].amount.procs != action->shares[0].amount.procs) {
		lxfw_mirror_tell_anew(known);
		lxfw_known_run(bridge, known, job);
	} else {
		known->expected_end = end;
		known->shares_hash = lxfw_shares_hash(bridge->shares, count);
		known->unread = true;
	}
	if (!member->changes)
		return;
	bridge->agent.counts.resized++;
	info("sched/lxfw: JobId=%u has %d processors of %s, %d before",
	     job->job_id, member->gets,
	     node_record_table_ptr[action->shares[0].host]->name, member->had);
}

/* Assigns cores and carries out the changes. Returns false if the node's layout is not
   as expected. */
static bool redistribute(struct lxfw_bridge *bridge, struct batch *batch,
			 const struct lxfw_tenants *tenants)
{
	if (!make_room(batch))
		return false;
	bar(bridge, batch, tenants);
	find_doubt(batch);
	choose(batch);
	carry_out(batch);
	return true;
}

/* Requests that job records be saved. A controller that is killed loses unsaved
   changes, while slurmdbd has them. */
static void publish(struct lxfw_bridge *bridge)
{
	last_job_update = last_node_update = time(NULL);
	bridge->agent.quanta.acted = true;
	schedule_node_save();
}

static void free_batch(struct batch *batch)
{
	free(batch->flags);
	free(batch->members);
}

/* Allocates a mark for each host. Returns false if memory runs out. */
static bool make_marks(struct lxfw_bridge *bridge)
{
	uint32_t *marks = lxfw_grow(bridge->resized, &bridge->resized_size,
				    (size_t)bridge->agent.hosts.count,
				    sizeof(*marks));

	if (marks)
		bridge->resized = marks;
	return marks;
}

void lxfw_slurm_resize(void *context, size_t at)
{
	struct lxfw_bridge *bridge = context;
	int32_t host = bridge->agent.decision.actions[at].shares[0].host;
	const struct lxfw_tenants *tenants = NULL;
	struct batch batch = { 0 };

	if (!make_marks(bridge)) {
		bridge->agent.rebuild = true;
		return;
	}
	if (bridge->resized[host] == bridge->agent.decisions)
		return;
	if (lxfw_tenants_make(bridge, &bridge->tenants))
		tenants = &bridge->tenants;
	bridge->resized[host] = bridge->agent.decisions;
	if (!collect(bridge, at, &batch) ||
	    (batch.count > 0 && !redistribute(bridge, &batch, tenants))) {
		error("sched/lxfw: cannot change the shares of node %s; "
		      "rebuilding the model",
		      node_record_table_ptr[host]->name);
		bridge->agent.rebuild = true;
	} else if (batch.count > 0) {
		for (size_t i = 0; i < batch.count; i++)
			settle(bridge, &batch.members[i]);
		publish(bridge);
	}
	free_batch(&batch);
}

/* --- cores allocated twice -------------------------------------------------------- */

/* Collects all adaptive jobs of the host. Each keeps its number of cores. */
static bool collect_adaptive(struct lxfw_bridge *bridge, struct batch *batch)
{
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	job_record_t *job;
	size_t size = 0;

	while ((job = list_next(each)) != NULL) {
		struct lxfw_known_job *known;

		if (!is_editable(job, batch->host))
			continue;
		known = lxfw_table_find(&bridge->agent.jobs,
					lxfw_record_id(job));
		if (!known || known->request.min_procs == 0)
			continue;
		if (!is_ready(job)) {
			batch->left_out = true;
			continue;
		}
		if (LXFW_GROW(batch->members, size, (size_t)batch->count + 1))
			break;
		batch->members[batch->count++] = (struct member){
			.known = known, .job = job,
			.had = job->job_resrcs->cpus[0],
			.gets = job->job_resrcs->cpus[0],
		};
	}
	list_iterator_destroy(each);
	return batch->count > 0;
}

bool lxfw_shares_mend(struct lxfw_bridge *bridge, int32_t host)
{
	struct batch batch = { .host = host };
	bool changed = false;

	if (collect_adaptive(bridge, &batch) && redistribute(bridge, &batch, NULL)) {
		for (size_t i = 0; i < batch.count; i++) {
			struct member *member = &batch.members[i];

			changed |= member->changes;
			if (member->gets == member->had)
				continue;
			lxfw_limit_change(bridge, member->job, time(NULL),
					  member->had, member->gets);
			tell_anew(bridge, member->known);
		}
	}
	if (changed)
		publish(bridge);
	free_batch(&batch);
	return !batch.left_out;
}
