/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compare Slurm's records with what the library was told. */
#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/act.h"
#include "plugins/slurm/bridge/alloc.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/quanta.h"
#include "plugins/slurm/bridge/request.h"
#include "plugins/slurm/bridge/resv.h"
#include "plugins/slurm/bridge/sanity.h"
#include "plugins/slurm/bridge/shares.h"
#include "plugins/slurm/compat/compat.h"

/* So many tasks of one array are entered at a time. */
#define TASKS_MAX 256

/* So many jobs that Slurm refused are tried again when a job has ended. */
#define FORGIVEN_MAX 20

/* So many seconds a requeued job keeps its place while Slurm cleans up after it. */
#define CLEAN_UP_MAX 60

/* --- running jobs --------------------------------------------------------------- */

/* What changed in the world may let a refused job start after all. */
static void forgive(struct lxfw_known_job *known)
{
	known->refusals = 0;
	known->in_vain = 0;
	known->refused_until = 0;
}

static void mark_run(const job_record_t *job, int64_t end,
		     struct lxfw_run_mark *mark)
{
	memset(mark, 0, sizeof(*mark));
	mark->resources = job->job_resrcs;
	mark->start = job->start_time;
	mark->end = end;
	mark->suspended = job->suspend_time;
	mark->resized = job->resize_time;
	mark->state = job->job_state & JOB_STATE_BASE;
	mark->cpus = job->total_cpus;
	mark->nodes = job->node_cnt;
}


/*
 * The past that Slurm tells of: where the books are made anew a job that has run for
 * long is one that may be preempted. What a requeued job ran before does not count.
 * A job that the library took for suspended, and that runs on (known->spared), is to
 * be left alone for a while; how often it was suspended before that is not forgotten.
 */
static struct lxfw_run_past past_of(const struct lxfw_bridge *bridge,
				    const struct lxfw_known_job *known,
				    const job_record_t *job)
{
	struct lxfw_run_past past = { 0 };
	const struct lxfw_victim *victim =
		lxfw_victim_find(&bridge->quanta, job->job_id);

	if (!IS_JOB_RUNNING(job) || job->start_time <= 0 ||
	    (known->spared && !victim))
		return past;
	past.suspensions = victim ? victim->suspensions : 0;
	past.suspended = job->tot_sus_time > 0 ? job->tot_sus_time : 0;
	past.since = job->start_time;
	/* Of its last suspension or resumption. */
	if (known->spared) {
		past.since = bridge->clock;
		past.ran = bridge->clock - job->start_time - past.suspended;
		past.ran = past.ran > 0 ? past.ran : 0;
	} else if (job->suspend_time > job->start_time) {
		past.since = job->suspend_time;
		past.ran = job->pre_sus_time;
	}
	past.submit = lxfw_request_submit(job);
	if (known->submit && known->submit < past.submit)
		past.submit = known->submit;
	return past;
}

void lxfw_known_run(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		    const job_record_t *job)
{
	int64_t end = lxfw_shares_end(bridge, job);
	struct lxfw_run_past past;
	struct lxfw_run_mark mark;
	bool went_on;
	uint32_t hash;
	int32_t count;

	mark_run(job, end, &mark);
	if (known->state == LXFW_KNOWN_RUNNING &&
	    memcmp(&mark, &known->run, sizeof(mark)) == 0)
		return;
	count = lxfw_shares_of_job(bridge, job);
	if (count < 0)
		return;
	hash = lxfw_shares_hash(bridge->shares, count);
	/* Which the end of a job without a limit does not show. */
	went_on = IS_JOB_RUNNING(job) && mark.suspended != known->run.suspended;
	known->run = mark;
	lxfw_known_unreserve(known);
	forgive(known);
	known->requeued = 0;
	if (known->state == LXFW_KNOWN_RUNNING && known->expected_end == end &&
	    known->shares_hash == hash && !went_on)
		return;
	known->state = LXFW_KNOWN_RUNNING;
	known->expected_end = end;
	known->shares_hash = hash;
	past = past_of(bridge, known, job);
	lxfw_events_run(&bridge->events, known->id, end, bridge->shares, count,
			&past);
}

/* The library has no word of it yet: what it asked for, if it is adaptive. Only so
   its share can change. */
static void tell_request(struct lxfw_bridge *bridge,
			 struct lxfw_known_job *known, const job_record_t *job)
{
	struct lxfw_request request;
	int32_t host = -1;

	if (job->job_resrcs && job->job_resrcs->node_bitmap)
		host = bit_ffs(job->job_resrcs->node_bitmap);
	if (bridge->params.policy != LXFW_POLICY_EQSPATIAL || host < 0 ||
	    !lxfw_request_running(bridge, job, host, &request))
		return;
	request.id = known->id;
	known->request = request;
	lxfw_events_request(&bridge->events, LXFW_EVENT_JOB_SUBMIT, &request);
}

/* It was suspended when last looked at: others may have its cores by now. False if
   that is to be looked at again. */
static bool mend_cores(struct lxfw_bridge *bridge, const job_record_t *job)
{
	int32_t last = -1;
	bool done = true;

	if (job->node_bitmap)
		last = bit_fls(job->node_bitmap);
	for (int32_t i = 0; i <= last; i++) {
		if (bit_test(job->node_bitmap, i))
			done &= lxfw_shares_mend(bridge, i);
	}
	return done;
}

static void sync_running(struct lxfw_bridge *bridge, const job_record_t *job)
{
	uint64_t id = lxfw_job_id(job->job_id, job->array_job_id,
				  job->array_task_id);
	struct lxfw_known_job *known = lxfw_table_enter(&bridge->jobs, id);
	bool mended = true;

	if (!known) {
		bridge->events.failed = true;
		return;
	}
	known->seen = bridge->pass;
	known->record = job->job_id;
	known->array_task = false;
	if (job->priority)
		known->running_priority = job->priority;
	/* The library has decided what becomes of it. */
	if (known->state == LXFW_KNOWN_RUNNING && lxfw_quanta_hold(bridge, job))
		return;
	if (known->state == LXFW_KNOWN_NOT)
		tell_request(bridge, known, job);
	if (known->run.state == JOB_SUSPENDED && IS_JOB_RUNNING(job) &&
	    bridge->params.policy == LXFW_POLICY_EQSPATIAL)
		mended = mend_cores(bridge, job);
	lxfw_known_run(bridge, known, job);
	if (!mended)
		known->run.state = JOB_SUSPENDED;
}

/* --- waiting jobs ---------------------------------------------------------------- */

/* Slurm's view of a reservation: squeue --start shows it. The job queue's
   making cleared it. */
static void show_reservation(job_record_t *job,
			     const struct lxfw_known_job *known)
{
	if (!known->reserved_start)
		return;
	if (job->start_time == 0 || known->reserved_start < job->start_time)
		job->start_time = known->reserved_start;
	if (known->reserved_nodes && !job->sched_nodes)
		job->sched_nodes = xstrdup(known->reserved_nodes);
	lxfw_say_no_room(job);
}

static int64_t waiting_since(struct lxfw_known_job *known,
			     const job_record_t *job)
{
	int64_t submit = lxfw_request_submit(job);

	/* A job that was started before waits as long as it did. */
	if (known->submit && job->restart_cnt && known->submit < submit)
		submit = known->submit;
	known->submit = submit;
	return submit;
}

static void sync_waiting(struct lxfw_bridge *bridge, job_record_t *job,
			 const struct lxfw_request *template,
			 const struct lxfw_known_job *details, uint64_t id,
			 bool array_task)
{
	struct lxfw_known_job *known = lxfw_table_enter(&bridge->jobs, id);
	struct lxfw_request request = *template;

	if (!known) {
		bridge->events.failed = true;
		return;
	}
	known->seen = bridge->pass;
	known->record = job->job_id;
	known->array_task = array_task;
	known->requeued = 0;
	memcpy(known->alternative, details->alternative,
	       sizeof(known->alternative));
	request.id = id;
	request.submit = lxfw_quanta_submit(bridge, id,
					    waiting_since(known, job));
	request.no_quantum = !lxfw_quanta_may_serve(bridge, job, &request);
	if (known->state == LXFW_KNOWN_RUNNING) {
		/* It was requeued. */
		lxfw_events_end(&bridge->events, id);
		known->state = LXFW_KNOWN_NOT;
	}
	if (known->state == LXFW_KNOWN_NOT) {
		forgive(known);
		lxfw_known_unreserve(known);
		lxfw_events_request(&bridge->events, LXFW_EVENT_JOB_SUBMIT,
				    &request);
	} else if (!lxfw_request_same(&request, &known->request)) {
		forgive(known);
		lxfw_events_request(&bridge->events, LXFW_EVENT_JOB_CHANGE,
				    &request);
	} else if (known->refused_until > bridge->clock &&
		   (bridge->new_chances ||
		    (bridge->had_room && bridge->forgiven < FORGIVEN_MAX))) {
		bridge->forgiven++;
		known->refused_until = 0;
		lxfw_events_request(&bridge->events, LXFW_EVENT_JOB_CHANGE,
				    &request);
	}
	known->state = LXFW_KNOWN_WAITING;
	known->request = request;
	show_reservation(job, known);
	/* An adaptive job holds up nobody: if it waits, then for room. */
	if (request.least > 0)
		lxfw_say_no_room(job);
}

/* The next tasks of an array, each as a job of its own. */
static void sync_tasks(struct lxfw_bridge *bridge, job_record_t *job,
		       const struct lxfw_request *template,
		       const struct lxfw_known_job *details)
{
	const job_array_struct_t *array = job->array_recs;
	bitstr_t *tasks = array->task_id_bitmap;
	uint32_t most = TASKS_MAX;
	int64_t last;

	if (!tasks || (last = bit_fls(tasks)) < 0)
		return;
	if (array->max_run_tasks) {
		uint32_t left = 0;

		if (array->tot_run_tasks < array->max_run_tasks)
			left = array->max_run_tasks - array->tot_run_tasks;
		if (left < most)
			most = left;
	}
	for (int64_t task = bit_ffs(tasks); task <= last && most > 0; task++) {
		if (!bit_test(tasks, task))
			continue;
		most--;
		sync_waiting(bridge, job, template, details,
			     lxfw_job_id(job->job_id, job->array_job_id,
					 (uint32_t)task),
			     true);
	}
}

/* --- what Slurm says of a waiting job --------------------------------------------- */

/* Would the limits of QOS and association let it run, by what it asks? */
static bool within_limits(job_record_t *job)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	uint64_t asked[slurmctld_tres_cnt > 0 ? slurmctld_tres_cnt : 1];
	bool within;

	if (!acct_policy_job_runnable_pre_select(job, false))
		return false;
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) ||
	    !job->tres_req_cnt)
		return true;
	memcpy(asked, job->tres_req_cnt, sizeof(asked));
	assoc_mgr_lock(&locks);
	within = acct_policy_job_runnable_post_select(job, asked, true);
	assoc_mgr_unlock(&locks);
	return within;
}

/* May the job of RECORD start in its partition as far as Slurm can say
   without looking at nodes? */
static bool eligible(const job_queue_rec_t *record)
{
	job_record_t *job = record->job_ptr;

	lxfw_compat_take_record(record);
	if (!(record->part_ptr->state_up & PARTITION_SCHED) ||
	    !record->part_ptr->node_bitmap)
		return false;
	if (job->license_list &&
	    license_job_test(job, time(NULL), true) != SLURM_SUCCESS)
		return false;
	return within_limits(job);
}

/* One job's records, gathered. */
struct gathered {
	job_record_t *job;
	struct lxfw_request request;
	struct lxfw_known_job details;	/* alternatives only */
	bool unknown;		/* to the model */
	bool left;		/* to Slurm, when last looked at */
};

/* Where the job of RECORD may start. False when memory runs out. */
static bool read_alternative(struct lxfw_bridge *bridge,
			     const job_queue_rec_t *record,
			     struct lxfw_alternative *where)
{
	*where = (struct lxfw_alternative){
		.part = lxfw_sets_part(&bridge->sets, record->part_ptr->name),
		.priority = record->priority,
		.qos = lxfw_compat_record_qos(record),
		.tier = record->part_ptr->priority_tier,
	};
	if (!where->part)
		bridge->events.failed = true;
	return where->part;
}

static void leave_over(struct lxfw_bridge *bridge,
		       const job_queue_rec_t *record)
{
	struct lxfw_leftover *leftover;
	struct lxfw_alternative where;

	if (!read_alternative(bridge, record, &where))
		return;
	leftover = lxfw_leave_over(bridge, record->job_ptr->job_id, &where,
				   false);
	if (!leftover || !record->resv_ptr || !record->resv_ptr->name)
		return;
	leftover->reservation =
		lxfw_sets_part(&bridge->sets, record->resv_ptr->name);
	if (!leftover->reservation)
		bridge->events.failed = true;
}

/* The nodes that the job asks for, or as many as it needs, are up. */
static bool nodes_are_up(const job_record_t *job)
{
	const bitstr_t *asked = job->details->req_node_bitmap;

	if (asked && !bit_super_set((bitstr_t *)asked, avail_node_bitmap))
		return false;
	return job->part_ptr && job->part_ptr->node_bitmap &&
	       bit_overlap(job->part_ptr->node_bitmap, avail_node_bitmap) >=
		       (int)job->details->min_nodes;
}

/* Slurm says ReqNodeNotAvail of a job that is submitted while nodes are down, and its
   own schedulers find another reason when they are back. */
static void forget_lost_nodes(job_record_t *job)
{
	if (job->state_reason != WAIT_NODE_NOT_AVAIL || !nodes_are_up(job))
		return;
	job->state_reason = WAIT_NO_REASON;
	xfree(job->state_desc);
}

/* The job's records have been seen: tell the library. */
static void settle(struct lxfw_bridge *bridge, struct gathered *gathered)
{
	job_record_t *job = gathered->job;

	if (!job || gathered->request.host_set_count == 0 ||
	    lxfw_left_still(bridge, job->job_id, &gathered->request))
		return;
	bridge->counts.jobs++;
	forget_lost_nodes(job);
	if (job->array_recs && job->array_task_id == NO_VAL)
		sync_tasks(bridge, job, &gathered->request, &gathered->details);
	else
		sync_waiting(bridge, job, &gathered->request,
			     &gathered->details,
			     lxfw_job_id(job->job_id, job->array_job_id,
					 job->array_task_id),
			     false);
	if (job->state_reason == WAIT_NO_REASON)
		job->state_reason = WAIT_PRIORITY;
}

static void gather(struct lxfw_bridge *bridge, struct gathered *gathered,
		   const job_queue_rec_t *record)
{
	job_record_t *job = record->job_ptr;
	const struct lxfw_left_job *left;
	int sets, added;

	if (job != gathered->job) {
		settle(bridge, gathered);
		memset(gathered, 0, sizeof(*gathered));
		gathered->job = job;
		gathered->unknown = !lxfw_request_known(job);
		left = lxfw_left_find(bridge, job->job_id);
		gathered->left = left && left->why != LXFW_LEFT_NOT;
	}
	if (record->use_prefer)
		return;		/* soft features: the plain record will do */
	if (!eligible(record))
		return;
	if (gathered->unknown || record->resv_ptr) {
		leave_over(bridge, record);
		return;
	}
	sets = gathered->request.host_set_count;
	added = lxfw_request_add(bridge, job, &gathered->request);
	if (added < 0) {
		bridge->events.failed = true;
	} else if (added == 0) {
		/* In another partition the model may know it, and start it
		   there: here Slurm may try too. */
		leave_over(bridge, record);
	} else if (gathered->request.host_set_count > sets) {
		(void)read_alternative(bridge, record,
				       &gathered->details.alternative[sets]);
		if (gathered->left)
			leave_over(bridge, record);
	}
}

static void sync_queue(struct lxfw_bridge *bridge)
{
	lxfw_slurm_list queue = build_job_queue(true, true);
	struct gathered gathered = { 0 };
	job_queue_rec_t *record;

	slurmctld_diag_stats.bf_queue_len = (uint32_t)list_count(queue);
	slurmctld_diag_stats.bf_queue_len_sum +=
		slurmctld_diag_stats.bf_queue_len;
	while ((record = list_pop(queue)) != NULL) {
		if (record->job_ptr->magic == JOB_MAGIC && record->part_ptr &&
		    record->job_ptr->details)
			gather(bridge, &gathered, record);
		xfree(record);
	}
	settle(bridge, &gathered);
	FREE_NULL_LIST(queue);
}

/* --- all jobs ----------------------------------------------------------------------- */

/* The first record that is met is looked at closely. */
static bool makes_sense(struct lxfw_bridge *bridge, const job_record_t *job)
{
	if (!bridge->checked_job)
		bridge->usable = lxfw_sanity_check_job("sched/lxfw", job);
	bridge->checked_job = bridge->usable;
	return bridge->usable;
}

/* Does anybody wait since before the controller was started? */
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
	return bridge->usable;
}

/* It was requeued, and cannot start yet: until the end of the clean-up, and then
   for the second of quanta_look.c, it is in no queue of Slurm's. Where that takes
   long, because a node has died, hosts are not kept idle for it. */
static void keep_requeued(struct lxfw_bridge *bridge, const job_record_t *job)
{
	struct lxfw_known_job *known;

	if (!IS_JOB_PENDING(job) || job->priority == 0 ||
	    (!IS_JOB_COMPLETING(job) &&
	     (job->details->begin_time <= bridge->clock ||
	      job->details->begin_time > bridge->clock + 2)))
		return;
	known = lxfw_table_find(&bridge->jobs,
				lxfw_job_id(job->job_id, job->array_job_id,
					    job->array_task_id));
	if (known && known->state == LXFW_KNOWN_WAITING &&
	    known->requeued + CLEAN_UP_MAX >= bridge->clock)
		known->seen = bridge->pass;
}

static bool sync_records(struct lxfw_bridge *bridge)
{
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	job_record_t *job;

	while ((job = list_next(each)) != NULL && makes_sense(bridge, job)) {
		if (job->magic != JOB_MAGIC || !job->details)
			continue;
		keep_requeued(bridge, job);
		if (IS_JOB_COMPLETING(job))
			continue;
		lxfw_compat_renew_record(job);
		if (IS_JOB_RUNNING(job) || IS_JOB_SUSPENDED(job))
			sync_running(bridge, job);
		if (!IS_JOB_PENDING(job))
			continue;
		lxfw_shares_wait(job);
		if (job->details->begin_time > bridge->clock &&
		    job->details->begin_time < bridge->next_begin)
			bridge->next_begin = job->details->begin_time;
	}
	list_iterator_destroy(each);
	return bridge->usable;
}

/* Jobs that this pass has not met have left, or may not be scheduled now. */
static void sweep(struct lxfw_bridge *bridge)
{
	for (size_t i = 0; i < bridge->jobs.count;) {
		struct lxfw_known_job *known = bridge->jobs.jobs[i];
		job_record_t *job;

		if (known->seen == bridge->pass) {
			i++;
			continue;
		}
		if (known->state != LXFW_KNOWN_NOT)
			lxfw_events_end(&bridge->events, known->id);
		if (known->state == LXFW_KNOWN_RUNNING)
			bridge->new_room = true;
		known->state = LXFW_KNOWN_NOT;
		lxfw_known_unreserve(known);
		job = find_job_record(known->record);
		if (job && IS_JOB_PENDING(job) && !known->array_task) {
			i++;
			continue;
		}
		lxfw_table_remove(&bridge->jobs, i);
	}
}

/* What lets a job start that Slurm refused before: nodes that changed,
   partitions or reservations that did, another configuration. */
static void look_for_new_chances(struct lxfw_bridge *bridge)
{
	uint32_t changes = bridge->hosts.changes;
	time_t updated = last_part_update;

	if (last_resv_update > updated)
		updated = last_resv_update;
	if (slurm_conf.last_update > updated)
		updated = slurm_conf.last_update;
	bridge->new_chances = changes != bridge->seen_changes ||
			      updated != bridge->seen_update;
	bridge->seen_changes = changes;
	bridge->seen_update = updated;
	bridge->seen_config = slurm_conf.last_update;
}

bool lxfw_bridge_sync(struct lxfw_bridge *bridge)
{
	lxfw_clock_tick(&bridge->clock);
	bridge->pass++;
	memset(&bridge->counts, 0, sizeof(bridge->counts));
	bridge->leftover_count = 0;
	bridge->next_leftover = 0;
	bridge->had_room = bridge->new_room;
	bridge->new_room = false;
	bridge->forgiven = 0;
	bridge->next_begin = LXFW_NEVER;
	if (bridge->pass == 1 && !look_for_recovered(bridge))
		return false;
	lxfw_hosts_sync(bridge);
	if (bridge->rebuild || bridge->events.failed)
		return false;
	look_for_new_chances(bridge);
	lxfw_holds_sync(bridge);
	lxfw_quanta_look(bridge);
	lxfw_blocks_sync(bridge);
	if (!sync_records(bridge))
		return false;
	sync_queue(bridge);
	sweep(bridge);
	lxfw_left_sweep(bridge);
	lxfw_sets_collect(bridge);
	lxfw_holds_show(bridge);
	if (bridge->leftover_count == 0)
		lxfw_holds_drop(&bridge->holds);
	bridge->counts.events = (uint32_t)bridge->events.count;
	return !bridge->rebuild && !bridge->events.failed;
}
