/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reports Slurm's records to the agent. */
#include "plugins/slurm/bridge/sync.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/agent/mirror.h"
#include "plugins/agent/quanta.h"
#include "plugins/slurm/bridge/aside.h"
#include "plugins/slurm/bridge/changes.h"
#include "plugins/slurm/bridge/components.h"
#include "plugins/slurm/bridge/eligible.h"
#include "plugins/slurm/bridge/hold.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/bridge/limit.h"
#include "plugins/slurm/bridge/reason.h"
#include "plugins/slurm/bridge/request.h"
#include "plugins/slurm/bridge/reserved.h"
#include "plugins/slurm/bridge/sanity.h"
#include "plugins/slurm/bridge/serve.h"
#include "plugins/slurm/bridge/shares.h"
#include "plugins/slurm/bridge/sync_running.h"
#include "plugins/slurm/bridge/tasks.h"
#include "plugins/slurm/bridge/watch_look.h"

/* Number of jobs that are read at a time. */
#define READ_JOBS 256

/* Number of looks of a pass after which the next one reads all that are left. */
#define SLICES_MAX 100

/* --- pending jobs ---------------------------------------------------------------- */

/* Sets the expected start in the job's record for squeue --start: that of the reservation
   or an estimate. Building the job queue has cleared it. The record of an array has the
   earliest start of its tasks. */
static void show_start(const struct lxfw_bridge *bridge, job_record_t *job,
		       struct lxfw_known_job *known)
{
	int64_t start = known->reserved_start;
	const char *nodes = known->reserved_nodes;

	if (start) {
		start += lxfw_mirror_boot(&bridge->agent, known->reserved_hosts,
					  known->reserved_count);
		lxfw_say_no_room(job);
	} else {
		start = known->estimated_start;
		/* It is late. */
		if (start <= bridge->agent.clock)
			return;
		nodes = lxfw_known_estimated_nodes(known);
	}
	if (job->start_time != 0 && job->start_time <= start)
		return;
	job->start_time = start;
	xfree(job->sched_nodes);
	job->sched_nodes = xstrdup(nodes);
}

/* Returns true if the job may preempt running jobs from one of its partitions. It then gets
   no quantum, after which it would be stopped. */
static bool preempts(const struct lxfw_places *places)
{
	for (int32_t i = 0; i < places->count; i++) {
		if (lxfw_place(places, i)->preempts)
			return true;
	}
	return false;
}

static void sync_waiting(struct lxfw_bridge *bridge, job_record_t *job,
			 const struct lxfw_request *template,
			 const struct lxfw_places *places, uint64_t id,
			 bool array_task)
{
	struct lxfw_waiting waiting = {
		.request = *template,
		.priority = lxfw_place(places, 0)->priority,
		.delay = lxfw_rank_delay(bridge, job),
		.record = job->job_id,
		.array_task = array_task,
		.again = job->restart_cnt != 0,
	};
	struct lxfw_known_job *known;

	waiting.request.id = id;
	waiting.request.submit = lxfw_request_submit(job);
	waiting.request.no_quantum =
		template->group || template->pool_count ||
		!lxfw_may_serve(bridge, job, &waiting.request) ||
		preempts(places);
	known = lxfw_mirror_waiting(&bridge->agent, &waiting);
	if (!known)
		return;
	if (!lxfw_places_copy(&lxfw_own_of(known)->places, places))
		bridge->agent.events.failed = true;
	if (lxfw_agent_shadows(&bridge->agent))
		return;
	show_start(bridge, job, known);
	/* An adaptive job delays no other job. If it is pending, it lacks resources. */
	if (known->request.min_procs > 0)
		lxfw_say_no_room(job);
}

/* Reports the next tasks of an array as separate jobs. */
static void sync_tasks(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_request *template,
		       const struct lxfw_places *places)
{
	struct lxfw_tasks tasks;
	uint64_t id;

	lxfw_tasks_begin(bridge, job, &tasks);
	while ((id = lxfw_tasks_next(&tasks)) != 0)
		sync_waiting(bridge, job, template, places, id, true);
}

/* --- Slurm's view of pending jobs ------------------------------------------------- */

/* The queue records of one job. */
struct gathered {
	job_record_t *job;
	struct lxfw_watched *watched;
	struct lxfw_request request;
	struct lxfw_places places;
	enum lxfw_reason unknown;	/* why the model cannot represent it, or
					   LXFW_REASON_NONE */
	enum lxfw_reason left;	/* why it was passed to Slurm at the last look, or
				   LXFW_REASON_NONE */
	bool preempting;	/* because others were preempted for it */
	bool passed;		/* it has been passed to Slurm in this look */
	bool attracted;		/* Slurm tries it in a reservation first */
	bool unlicensed;	/* its licenses are in use: Slurm cannot start it now */
};

/* Sets *WHERE to the partition, priority and QOS of RECORD. Returns false when memory
   runs out. */
static bool read_alternative(struct lxfw_bridge *bridge,
			     const job_queue_rec_t *record,
			     struct lxfw_alternative *where)
{
	*where = (struct lxfw_alternative){
		.part = lxfw_sets_part(&bridge->sets, record->part_ptr->name),
		.priority = record->priority,
		.qos = lxfw_compat_record_qos(record),
		.tier = record->part_ptr->priority_tier,
		.prefer = record->use_prefer,
		.preempts = lxfw_may_preempt(bridge, record->job_ptr),
		.unreserved = lxfw_request_unreserved(record->job_ptr),
	};
	if (!where->part)
		bridge->agent.events.failed = true;
	return where->part;
}

/* Passes RECORD to Slurm, unless its licenses are in use. */
static struct lxfw_leftover *leave_over(struct lxfw_bridge *bridge,
					const job_queue_rec_t *record, bool preempting,
					bool unlicensed, enum lxfw_reason reason)
{
	struct lxfw_leftover *leftover;
	struct lxfw_alternative where;

	if (unlicensed || !read_alternative(bridge, record, &where))
		return NULL;
	leftover = lxfw_leave_over(bridge, record->job_ptr->job_id, &where, false, reason);
	if (leftover)
		leftover->preempts = preempting;
	if (!leftover || !record->resv_ptr || !record->resv_ptr->name)
		return leftover;
	leftover->reservation =
		lxfw_sets_part(&bridge->sets, record->resv_ptr->name);
	if (!leftover->reservation)
		bridge->agent.events.failed = true;
	return leftover;
}

/* Sets why the job waits, and its priority, in its record. */
static void describe(struct lxfw_bridge *bridge, job_record_t *job,
		     const struct lxfw_places *places)
{
	/* Jobs with a reservation get reason Resources below. */
	if (!lxfw_say_reserved(bridge, job, places)) {
		lxfw_reason_nodes_back(job);
		lxfw_say_behind(job);
	}
	/* Slurm shows this one number, also of a job in several partitions. */
	job->priority = lxfw_place(places, 0)->priority;
}

static void report(struct lxfw_bridge *bridge, job_record_t *job,
		   const struct lxfw_request *request, const struct lxfw_places *places)
{
	struct lxfw_watched *watched = lxfw_watch_find(&bridge->watch, job->job_id);

	if (watched && watched->result == LXFW_WATCH_NOTHING)
		watched->result = LXFW_WATCH_WAITING;
	if (watched)
		watched->reported = true;
	bridge->agent.counts.jobs++;
	if (!lxfw_agent_shadows(&bridge->agent))
		describe(bridge, job, places);
	if (lxfw_is_array(job))
		sync_tasks(bridge, job, request, places);
	else
		sync_waiting(bridge, job, request, places, lxfw_record_id(job),
			     false);
}

static void report_component(struct lxfw_bridge *bridge,
			     struct lxfw_component *component)
{
	report(bridge, component->job, &component->request, &component->places);
}

static enum lxfw_reason why_left(const struct lxfw_bridge *bridge, uint32_t job_id)
{
	const struct lxfw_left_job *left = lxfw_left_find(bridge, job_id);

	return left ? lxfw_aside_left((enum lxfw_left_why)left->why) : LXFW_REASON_LEFT;
}

/* Keeps the component until all jobs have been read. */
static void settle_component(struct lxfw_bridge *bridge,
			     const struct gathered *gathered)
{
	struct lxfw_component component = {
		.job = gathered->job,
		.request = gathered->request,
		.places = gathered->places,
		.known = gathered->places.count > 0,
	};

	if (!component.known && !gathered->passed)
		return;
	lxfw_component_group(gathered->job, &component.request);
	if (component.known &&
	    lxfw_left_still(bridge, gathered->job->job_id, &component.request)) {
		component.known = false;
		for (int32_t i = 0; i < component.places.count; i++)
			(void)lxfw_leave_over(bridge, gathered->job->job_id,
					      lxfw_place(&component.places, i), false,
					      why_left(bridge, gathered->job->job_id));
	}
	lxfw_component_add(bridge, &component);
}

/* Sets the host sets of the request. If too many sets are in use for all of them, Slurm may
   start the job in the last ones. */
static void set_places(struct lxfw_bridge *bridge, struct gathered *gathered)
{
	struct lxfw_places *places = &gathered->places;
	int done = lxfw_sets_of_places(bridge, places, &gathered->request);

	if (done < 0)
		bridge->agent.events.failed = true;
	if (done > 0)
		return;
	for (int32_t i = LXFW_HOST_SETS_MAX; i < places->count; i++)
		(void)lxfw_leave_over(bridge, gathered->job->job_id, lxfw_place(places, i),
				      false, LXFW_REASON_LEFT_REQUEST);
	places->count = LXFW_HOST_SETS_MAX;
}

/* Reports the job when all its queue records have been read. */
static void settle(struct lxfw_bridge *bridge, struct gathered *gathered)
{
	job_record_t *job = gathered->job;

	if (job && gathered->places.count > 0)
		set_places(bridge, gathered);
	if (job && job->het_job_id)
		settle_component(bridge, gathered);
	else if (job && gathered->places.count > 0 && !gathered->attracted &&
		 !lxfw_left_still(bridge, job->job_id, &gathered->request))
		report(bridge, job, &gathered->request, &gathered->places);
}

/* Moves the last alternative to its place: they are tried in Slurm's order, by
   PriorityTier, then by the job's priority in the partition, then as listed. */
static void move_up(struct gathered *gathered)
{
	for (int32_t i = gathered->places.count - 1; i > 0; i--) {
		struct lxfw_alternative *last = lxfw_place(&gathered->places, i);
		struct lxfw_alternative *before = lxfw_place(&gathered->places, i - 1);
		const struct lxfw_alternative moved = *last;

		if (moved.tier < before->tier ||
		    (moved.tier == before->tier && moved.priority <= before->priority))
			break;
		*last = *before;
		*before = moved;
	}
}

/*
 * The library has one tier for a job. Of a job in partitions of different PriorityTiers it
 * gets those of the highest tier, where the job would otherwise precede others of a higher
 * priority; Slurm starts it in the others if the library has started no job there. Returns
 * false if RECORD is for Slurm. The components of a heterogeneous job are all scheduled by
 * the library.
 */
static bool has_tier(struct lxfw_bridge *bridge, struct gathered *gathered,
		     const job_queue_rec_t *record)
{
	uint32_t tier = record->part_ptr->priority_tier;
	uint32_t highest = lxfw_place(&gathered->places, 0)->tier;
	struct lxfw_alternative lower;

	if (gathered->places.count == 0 || gathered->job->het_job_id || tier == highest)
		return true;
	if (tier < highest) {
		if (read_alternative(bridge, record, &lower))
			(void)lxfw_leave_over(bridge, gathered->job->job_id, &lower,
					      true, LXFW_REASON_NONE);
		return false;
	}
	for (int32_t i = 0; i < gathered->places.count; i++)
		(void)lxfw_leave_over(bridge, gathered->job->job_id,
				      lxfw_place(&gathered->places, i), true, LXFW_REASON_NONE);
	memset(&gathered->request, 0, sizeof(gathered->request));
	gathered->places.count = 0;
	return true;
}

/* Begins with a job of the queue. Returns false if the job cannot end before its deadline. */
static bool begin_job(struct lxfw_bridge *bridge, struct gathered *gathered,
		      job_record_t *job)
{
	struct lxfw_places places = gathered->places;
	const struct lxfw_left_job *left;
	int64_t latest;

	memset(gathered, 0, sizeof(*gathered));
	gathered->places = places;
	gathered->places.count = 0;
	if (!lxfw_meets_deadline(bridge, job))
		return false;
	latest = lxfw_limit_latest_start(job);
	/* Slurm's sum of time and limit overflows for the largest limits, with which it
	   does not cancel the job. */
	if (latest != INT64_MAX && latest >= bridge->agent.clock)
		lxfw_agent_look_again(&bridge->agent, latest + 1);
	gathered->job = job;
	gathered->watched = lxfw_watch_find(&bridge->watch, job->job_id);
	gathered->unknown = lxfw_request_unknown(bridge, job);
	left = lxfw_left_find(bridge, job->job_id);
	if (left && left->why != LXFW_LEFT_NOT && !job->het_job_id)
		gathered->left = lxfw_aside_left((enum lxfw_left_why)left->why);
	gathered->preempting = left && left->why == LXFW_LEFT_PREEMPTS;
	return true;
}

static void gather(struct lxfw_bridge *bridge, struct gathered *gathered,
		   const job_queue_rec_t *record)
{
	job_record_t *job = record->job_ptr;
	enum lxfw_permission permission;
	struct lxfw_alternative where;
	int32_t set;
	int added;

	if (!IS_JOB_PENDING(job))
		return;
	if (job != gathered->job) {
		settle(bridge, gathered);
		if (!begin_job(bridge, gathered, job))
			return;
	}
	if (gathered->watched)
		gathered->watched->records++;
	permission = lxfw_eligible(bridge, record);
	if (permission == LXFW_PERMIT_NOT)
		return;
	gathered->unlicensed = permission == LXFW_PERMIT_UNLICENSED;
	/* The model does not know which nodes a limit counts. */
	if (gathered->unknown || record->resv_ptr || permission == LXFW_PERMIT_SHARED) {
		const struct lxfw_leftover *leftover =
			leave_over(bridge, record, false, gathered->unlicensed,
				   gathered->unknown ? gathered->unknown :
				   record->resv_ptr ? LXFW_REASON_LEFT_RESERVATION :
						      LXFW_REASON_LEFT_LIMIT);

		gathered->passed = true;
		gathered->attracted |= leftover &&
			lxfw_leftover_comes_first(bridge, record, leftover);
		return;
	}
	if (!has_tier(bridge, gathered, record))
		return;
	added = lxfw_request_add(bridge, job, &gathered->request, &set);
	if (added < 0) {
		bridge->agent.events.failed = true;
	} else if (added == 0 && record->use_prefer) {
		/* No node of the partition has the preferred features. */
	} else if (added == 0) {
		/* The model may be able to represent the job in another partition. In
		   this one, Slurm may start it. */
		gathered->passed = true;
		(void)leave_over(bridge, record, false, gathered->unlicensed,
				 LXFW_REASON_LEFT_REQUEST);
	} else if (set >= 0) {
		(void)read_alternative(bridge, record, &where);
		where.set = set;
		if (!lxfw_places_add(&gathered->places, &where))
			bridge->agent.events.failed = true;
		move_up(gathered);
		if (gathered->left)
			(void)leave_over(bridge, record, gathered->preempting,
					 gathered->unlicensed, gathered->left);
	}
}

/* Reads COUNT pending jobs. */
static void read_jobs(struct lxfw_bridge *bridge, job_record_t *const *jobs,
		      size_t count, bool kept)
{
	struct gathered gathered = { 0 };
	job_queue_rec_t *record;
	lxfw_slurm_list queue;

	for (size_t i = 0; i < count; i++) {
		lxfw_compat_renew_record(jobs[i]);
		lxfw_shares_wait(jobs[i]);
		lxfw_watch_read(bridge, jobs[i], kept);
	}
	queue = lxfw_compat_queue_of(jobs, count, !lxfw_agent_shadows(&bridge->agent));
	lxfw_depth_apply(bridge, queue);
	while ((record = list_pop(queue)) != NULL) {
		if (record->job_ptr->magic == JOB_MAGIC && record->part_ptr &&
		    record->job_ptr->details)
			gather(bridge, &gathered, record);
		xfree(record);
	}
	settle(bridge, &gathered);
	lxfw_places_clear(&gathered.places);
	lxfw_components_settle(bridge, report_component);
	FREE_NULL_LIST(queue);
	for (size_t i = 0; i < count; i++)
		lxfw_watch_was_read(bridge, jobs[i]);
}

static size_t components(const struct lxfw_watch *watch)
{
	size_t count = 0;

	while (count < watch->todo.count && watch->todo.job[count]->het_job_id)
		count++;
	return count;
}

/* Returns true if the jobs can be read only together: limits of the queue and preemption
   depend on all of them. */
static bool reads_whole(const struct lxfw_bridge *bridge)
{
	return bridge->preemption.enabled || lxfw_depth_needs_all(&bridge->depth);
}

/* Reads jobs for at most US microseconds, the first FIRST of them together. Returns true if
   all have been read. */
static bool read_list(struct lxfw_bridge *bridge, const struct lxfw_job_list *jobs,
		      size_t first, uint64_t us)
{
	uint64_t until = lxfw_now_us() + us;
	size_t at = 0, count = first;

	while (at < jobs->count) {
		if (count == 0)
			count = jobs->count - at < READ_JOBS ? jobs->count - at :
							       READ_JOBS;
		read_jobs(bridge, jobs->job + at, count,
			  jobs == &bridge->watch.turn);
		at += count;
		count = 0;
		if (at < jobs->count && lxfw_now_us() >= until)
			return false;
	}
	return true;
}

/* Reads the pending jobs that must be read. If this takes long, the rest is left to another
   look of this pass. */
static void sync_queue(struct lxfw_bridge *bridge)
{
	struct lxfw_watch *watch = &bridge->watch;
	bool whole = reads_whole(bridge);
	uint64_t us = bridge->agent.slice < SLICES_MAX ? watch->read_us : UINT64_MAX / 2;

	lxfw_watch_choose(bridge, whole);
	if (!read_list(bridge, &watch->todo,
		       whole ? watch->todo.count : components(watch), us))
		bridge->agent.unfinished = true;
	else
		(void)read_list(bridge, &watch->turn, 0, watch->turn_us);
}

/* --- all jobs --------------------------------------------------------------------- */

/* Checks the layout of the first record that is read. */
static bool makes_sense(struct lxfw_bridge *bridge, const job_record_t *job)
{
	if (!bridge->checked_job)
		bridge->agent.usable = lxfw_sanity_check_job("sched/lxfw", job);
	bridge->checked_job = bridge->agent.usable;
	return bridge->agent.usable;
}

/* Determines whether jobs have been pending since before the controller started. */
static bool look_for_recovered(struct lxfw_bridge *bridge)
{
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	const job_record_t *job;

	while (!bridge->recovered && (job = list_next(each)) != NULL &&
	       makes_sense(bridge, job))
		bridge->recovered =
			job->magic == JOB_MAGIC && job->details &&
			IS_JOB_PENDING(job) &&
			job->details->submit_time <= slurmctld_config.boot_time;
	list_iterator_destroy(each);
	return bridge->agent.usable;
}

/* Keeps the place of a job that was requeued and cannot start yet. It is not in Slurm's
   queue until its cleanup is over, and for one more second because of
   lxfw_slurm_settle(). If the cleanup takes long because a node died, hosts are not
   kept idle for the job. */
static void keep_requeued(struct lxfw_bridge *bridge, const job_record_t *job)
{
	int64_t now = bridge->agent.clock;

	if (IS_JOB_PENDING(job) && job->priority != 0 &&
	    (IS_JOB_COMPLETING(job) ||
	     (job->details->begin_time > now &&
	      job->details->begin_time <= now + 2)))
		lxfw_mirror_keep(&bridge->agent, lxfw_record_id(job));
}

static void sync_pending(struct lxfw_bridge *bridge, job_record_t *job)
{
	keep_requeued(bridge, job);
	if (IS_JOB_COMPLETING(job))
		return;
	lxfw_watch_pends(bridge, job);
}

static void sync_record(struct lxfw_bridge *bridge, job_record_t *job)
{
	if (IS_JOB_COMPLETING(job) || IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job)) {
		lxfw_watch_runs(bridge, job);
		lxfw_licenses_user(bridge, job);
	}
	if (!job->details)
		return;
	if (IS_JOB_PENDING(job)) {
		sync_pending(bridge, job);
	} else if (!IS_JOB_COMPLETING(job) &&
		   (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))) {
		lxfw_compat_renew_record(job);
		lxfw_sync_running(bridge, job);
	}
}

static bool sync_records(struct lxfw_bridge *bridge)
{
	const struct lxfw_watch *watch = &bridge->watch;

	lxfw_preempt_look(bridge);
	lxfw_look_begin(bridge, reads_whole(bridge));
	bridge->licenses.user_count = 0;
	for (size_t i = 0; i < watch->all.count; i++) {
		job_record_t *job = watch->all.job[i];

		if (!makes_sense(bridge, job))
			return false;
		lxfw_look_fetch(watch, i);
		if (job->magic == JOB_MAGIC)
			sync_record(bridge, job);
	}
	lxfw_look_examined(bridge);
	return bridge->agent.usable;
}

/* --- the looks -------------------------------------------------------------------- */

/* Detects changes, other than of the resources of nodes, after which jobs that Slurm refused
   may be able to start: of partitions, reservations, the configuration or the features of
   nodes. */
static void look_for_new_chances(struct lxfw_bridge *bridge)
{
	time_t updated = last_part_update;
	bool featured = lxfw_features_changed(&bridge->features);

	if (last_resv_update > updated)
		updated = last_resv_update;
	if (slurm_conf.last_update > updated)
		updated = slurm_conf.last_update;
	/* A change in the second of the last look may have followed that look. */
	if (featured || updated != bridge->seen_update ||
	    (bridge->agent.slice == 0 && updated == bridge->seen.when &&
	     updated < bridge->agent.clock)) {
		bridge->agent.new_chances = true;
		lxfw_watch_forget(&bridge->watch);
	}
	/* A job that was refused at the end of another finds the nodes clean now. */
	bridge->agent.new_room |= lxfw_changes_cleaned(&bridge->seen);
	bridge->seen_update = updated;
	bridge->seen_config = slurm_conf.last_update;
}

bool lxfw_slurm_look_at_hosts(void *context)
{
	struct lxfw_bridge *bridge = context;

	if (!fed_mgr_sibs_synced() || lxfw_depth_waits(&bridge->depth))
		return false;
	if (bridge->agent.slice == 0)
		bridge->leftover_count = bridge->next_leftover = 0;
	bridge->queue_length = 0;
	if (!bridge->looked && !look_for_recovered(bridge))
		return false;
	bridge->looked = true;
	lxfw_hosts_sync(bridge);
	if (bridge->agent.rebuild || bridge->agent.events.failed)
		return false;
	look_for_new_chances(bridge);
	lxfw_tasks_look(bridge);
	lxfw_holds_sync(bridge);
	if (bridge->agent.quanta.uncounted && bridge->agent.quanta.path)
		lxfw_enter_unknown_victims(bridge);
	return true;
}

bool lxfw_slurm_look_at_jobs(void *context)
{
	struct lxfw_bridge *bridge = context;

	if (!sync_records(bridge))
		return false;
	sync_queue(bridge);
	lxfw_preempt_looked(bridge);
	/* What changes after the first look is for the next pass, too. */
	if (bridge->agent.slice == 0)
		lxfw_changes_note(bridge);
	return true;
}

void lxfw_slurm_looked(void *context)
{
	struct lxfw_bridge *bridge = context;

	lxfw_left_sweep(bridge);
	lxfw_sets_collect(bridge);
	if (!lxfw_agent_shadows(&bridge->agent))
		lxfw_holds_show(bridge);
	if (bridge->leftover_count == 0)
		lxfw_holds_drop(&bridge->holds);
}
