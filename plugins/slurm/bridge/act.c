/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Carry out what the library decided. */
#include "plugins/slurm/bridge/act.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/alloc.h"
#include "plugins/slurm/bridge/cores.h"
#include "common/profile/duration.h"
#include "plugins/slurm/bridge/quanta.h"
#include "plugins/slurm/bridge/shares.h"

#define BACKOFF_MAX 30

/* Names of so many reservations' nodes are made in a pass; more are rarely
   looked at, and each takes time under the locks. */
#define NAMED_RESERVATIONS 64

int64_t lxfw_backoff(uint8_t refusals)
{
	int64_t seconds = INT64_C(1) << (refusals > 5 ? 5 : refusals);

	seconds /= 2;
	if (seconds < 1)
		seconds = 1;
	return refusals > 5 || seconds > BACKOFF_MAX ? BACKOFF_MAX : seconds;
}

bool lxfw_is_about_nodes(int error_code)
{
	return error_code == ESLURM_NODES_BUSY ||
	       error_code == ESLURM_NODE_NOT_AVAIL ||
	       error_code == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE ||
	       error_code == ESLURM_RESERVATION_BUSY;
}

bool lxfw_same_world(struct lxfw_bridge *bridge)
{
	if (slurm_conf.last_update == bridge->seen_config &&
	    node_record_count == bridge->hosts.count)
		return true;
	/* Hosts may have other numbers now. */
	bridge->rebuild = true;
	return false;
}

void lxfw_say_no_room(job_record_t *job)
{
	if (job->state_reason != WAIT_NO_REASON &&
	    job->state_reason != WAIT_PRIORITY)
		return;
	job->state_reason = WAIT_RESOURCES;
	xfree(job->state_desc);
}

static bool has_partition(const job_record_t *job, const part_record_t *part)
{
	lxfw_slurm_iterator each;
	part_record_t *one;
	bool found = false;

	if (!job->part_ptr_list)
		return job->part_ptr == part;
	each = list_iterator_create(job->part_ptr_list);
	while (!found && (one = list_next(each)) != NULL)
		found = one == part;
	list_iterator_destroy(each);
	return found;
}

bool lxfw_still_eligible(job_record_t *job,
			 const struct lxfw_alternative *where)
{
	part_record_t *part = find_part_record((char *)where->part);

	if (job->magic != JOB_MAGIC || !job->details || !part)
		return false;
	if (!IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job) ||
	    IS_JOB_REVOKED(job) || job->priority == 0)
		return false;
	if (!(part->state_up & PARTITION_SCHED) || !has_partition(job, part))
		return false;
	if (job->preempt_in_progress || !lxfw_compat_use_qos(job, where->qos))
		return false;
	job->part_ptr = part;
	job->priority = where->priority;
	job->last_sched_eval = time(NULL);
	if ((job->array_recs || job->array_task_id != NO_VAL) &&
	    !job_array_start_test(job))
		return false;
	if (job_limits_check(&job, true) != WAIT_NO_REASON)
		return false;
	if (job->license_list &&
	    license_job_test(job, time(NULL), true) != SLURM_SUCCESS)
		return false;
	return job_independent(job) && lxfw_compat_deadline_ok(job);
}

/* select_nodes() may hand the details to the record of a split-off task: give
   the array's record back what it excluded. */
static void restore_array(const job_record_t *job, const bitstr_t *excluded)
{
	job_record_t *array = find_job_record(job->array_job_id);

	if (!array || array == job || !array->array_recs || !array->details)
		return;
	FREE_NULL_BITMAP(array->details->exc_node_bitmap);
	if (excluded)
		array->details->exc_node_bitmap =
			bit_copy((bitstr_t *)excluded);
}

int lxfw_start_job(struct lxfw_bridge *bridge, job_record_t *job,
		   const bitstr_t *nodes, uint64_t quantum_of,
		   const struct lxfw_asked *asked)
{
	bitstr_t *excluded = job->details->exc_node_bitmap;
	bitstr_t *others = bit_copy((bitstr_t *)nodes);
	bool is_array = job->array_recs;
	int error_code;

	bit_not(others);
	if (excluded)
		bit_or(others, excluded);
	job->details->exc_node_bitmap = others;
	/* The wish for soft features is not ours to fulfil. */
	job->details->features_use = job->details->features;
	job->details->feature_list_use = job->details->feature_list;
	if (fed_mgr_job_lock(job)) {
		error_code = ESLURM_FED_JOB_LOCK;
	} else {
		job->bit_flags |= BACKFILL_SCHED;
		lxfw_shield_up(bridge, nodes, quantum_of);
		error_code = lxfw_compat_select_nodes(job);
		lxfw_shield_down(bridge);
		if (error_code == SLURM_SUCCESS)
			fed_mgr_job_start(job, job->start_time);
		else
			fed_mgr_job_unlock(job);
	}
	if (is_array && job->details)
		restore_array(job, excluded);
	if (job->details) {
		FREE_NULL_BITMAP(job->details->exc_node_bitmap);
		job->details->exc_node_bitmap = excluded;
	} else {
		FREE_NULL_BITMAP(excluded);
	}
	if (asked)
		lxfw_shares_begun(bridge, job, asked,
				  error_code == SLURM_SUCCESS);
	if (error_code != SLURM_SUCCESS)
		return error_code;
	last_job_update = time(NULL);
	schedule_job_save();
	schedule_node_save();
	info("sched/lxfw: started JobId=%u in %s on %s", job->job_id,
	     job->part_ptr ? job->part_ptr->name : "?",
	     job->nodes ? job->nodes : "?");
	lxfw_compat_launch(job);
	slurmctld_diag_stats.backfilled_jobs++;
	slurmctld_diag_stats.last_backfilled_jobs++;
	if (job->het_job_id)
		slurmctld_diag_stats.backfilled_het_jobs++;
	return SLURM_SUCCESS;
}

/* --- starts ------------------------------------------------------------------------ */

/* The library booked a start that did not come about. */
static void refuse(struct lxfw_bridge *bridge, struct lxfw_known_job *known)
{
	if (known->refusals < UINT8_MAX)
		known->refusals++;
	known->refused_until = bridge->clock + lxfw_backoff(known->refusals);
	lxfw_events_refused(&bridge->events, known->id, known->refused_until);
	bridge->refused_now = true;
	bridge->counts.refused++;
	bridge->total.refusals++;
}

/* Not to be started by this decision, but by the next one if it says so. */
static void defer(struct lxfw_bridge *bridge, const struct lxfw_known_job *known)
{
	lxfw_events_refused(&bridge->events, known->id, bridge->clock);
	bridge->refused_now = true;
	bridge->counts.deferred++;
}

void lxfw_forget_job(struct lxfw_bridge *bridge, struct lxfw_known_job *known)
{
	if (known->state == LXFW_KNOWN_NOT)
		return;
	lxfw_known_unreserve(known);
	known->state = LXFW_KNOWN_NOT;
	lxfw_events_end(&bridge->events, known->id);
	bridge->refused_now = true;
	bridge->stale = true;
}

void lxfw_known_requeued(struct lxfw_bridge *bridge,
			 struct lxfw_known_job *known)
{
	lxfw_known_unreserve(known);
	known->state = LXFW_KNOWN_WAITING;
	known->requeued = bridge->clock;
	bridge->stale = true;
}

/*
 * Slurm starts no job while it cleans up after it, and none on a node where it
 * cleans up: what has been requeued since the last look. The decision holds the
 * place for it, so there is no other one to make before the next look.
 */
static void wait_for_clean_up(struct lxfw_bridge *bridge,
			      const struct lxfw_known_job *known)
{
	lxfw_events_refused(&bridge->events, known->id, bridge->clock);
	bridge->counts.deferred++;
}

/*
 * Is Slurm's allocation, in bridge->shares, the one that was decided? Slurm
 * divides processors among the chosen nodes in its own way; where it gave more
 * of a host than was decided, later decisions on that host do not stand.
 */
static bool as_decided(struct lxfw_bridge *bridge,
		       const struct lxfw_action *action, int32_t count)
{
	bool same = count == action->count;
	int32_t at = 0;

	for (int32_t i = 0; i < count; i++) {
		const struct lxfw_share *given = &bridge->shares[i];
		static const struct lxfw_resources nothing;
		const struct lxfw_resources *decided = &nothing;

		while (at < action->count &&
		       action->shares[at].host < given->host)
			at++;
		if (at < action->count && action->shares[at].host == given->host)
			decided = &action->shares[at].amount;
		if (memcmp(&given->amount, decided, sizeof(*decided)) != 0)
			same = false;
		if (!lxfw_resources_fit(&given->amount, decided))
			bridge->disturbed[given->host] = true;
	}
	return same;
}

static bool on_disturbed_host(const struct lxfw_bridge *bridge,
			      const struct lxfw_action *action)
{
	for (int32_t i = 0; i < action->count; i++) {
		if (bridge->disturbed[action->shares[i].host])
			return true;
	}
	return false;
}

static bool on_cleaned_host(const struct lxfw_action *action)
{
	for (int32_t i = 0; cg_node_bitmap && i < action->count; i++) {
		if (bit_test(cg_node_bitmap, action->shares[i].host))
			return true;
	}
	return false;
}

static bool clear_disturbed(struct lxfw_bridge *bridge)
{
	size_t size = (size_t)bridge->hosts.count + 1;

	if (bridge->disturbed_size < size) {
		bool *disturbed = realloc(bridge->disturbed, size);
		bool *resized = realloc(bridge->resized, size);

		if (disturbed)
			bridge->disturbed = disturbed;
		if (resized)
			bridge->resized = resized;
		if (!disturbed || !resized) {
			bridge->rebuild = true;
			return false;
		}
		bridge->disturbed_size = size;
	}
	memset(bridge->disturbed, 0, size);
	memset(bridge->resized, 0, size);
	return true;
}

/* On fewer processors than asked for the library expects as much longer. */
static int64_t booked_until(const struct lxfw_known_job *known,
			    const struct lxfw_action *action)
{
	const struct lxfw_request *request = &known->request;
	int64_t duration = request->estimate;

	if (request->least > 0 &&
	    action->shares[0].amount.procs < request->unit.procs)
		duration = lxfw_time_scale(duration, request->unit.procs,
					   action->shares[0].amount.procs);
	return lxfw_time_add(action->start, duration);
}

static void confirm(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		    const job_record_t *job, const struct lxfw_action *action)
{
	int32_t count = lxfw_shares_of_job(bridge, job);
	int64_t booked_end = booked_until(known, action);
	int64_t end = lxfw_shares_end(bridge, job);

	if (count < 0)
		return;
	/* Slurm knows nothing of a quantum's end. */
	if (action->until != LXFW_NEVER)
		booked_end = end;
	if (!as_decided(bridge, action, count) || end != booked_end) {
		lxfw_known_run(bridge, known, job);
		return;
	}
	/* No news: enter it as told. */
	lxfw_known_unreserve(known);
	known->state = LXFW_KNOWN_RUNNING;
	known->expected_end = booked_end;
	known->shares_hash = lxfw_shares_hash(bridge->shares, count);
	memset(&known->run, 0, sizeof(known->run));
}

/* KNOWN was to start; RECORD is what runs now. They differ in an array, whose
   tasks Slurm starts in the order of their numbers. */
static void started(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		    const job_record_t *record, const struct lxfw_action *action)
{
	uint64_t id = lxfw_job_id(record->job_id, record->array_job_id,
				  record->array_task_id);
	struct lxfw_known_job *other;

	bridge->counts.started++;
	bridge->total.starts++;
	lxfw_tenants_started(&bridge->tenants, record);
	if (!IS_JOB_RUNNING(record)) {
		lxfw_forget_job(bridge, known);
		return;
	}
	if (id == known->id) {
		known->record = record->job_id;
		known->array_task = false;
		confirm(bridge, known, record, action);
		return;
	}
	defer(bridge, known);
	other = lxfw_table_enter(&bridge->jobs, id);
	if (!other) {
		bridge->events.failed = true;
		return;
	}
	other->seen = bridge->pass;
	other->record = record->job_id;
	other->array_task = false;
	lxfw_known_run(bridge, other, record);
	(void)as_decided(bridge, action, lxfw_shares_of_job(bridge, record));
}

static bitstr_t *nodes_of(const struct lxfw_action *action)
{
	bitstr_t *nodes = bit_alloc(node_record_count);

	for (int32_t i = 0; i < action->count; i++)
		bit_set(nodes, action->shares[i].host);
	return nodes;
}

/* The nodes that Slurm may choose from. A job of -N2-4 or --spread-job takes as many as
   it can have: the books have room for it on the fewest. */
static bitstr_t *nodes_to_start_on(const struct lxfw_bridge *bridge,
				   const struct lxfw_known_job *known,
				   const job_record_t *job,
				   const struct lxfw_action *action)
{
	const lxfw_slurm_details *details = job->details;
	bitstr_t *nodes = nodes_of(action);

	if (details->max_nodes > details->min_nodes &&
	    action->until == LXFW_NEVER && known->request.least == 0)
		lxfw_add_free_nodes(bridge, job, nodes);
	return nodes;
}

/*
 * Slurm did not start the job where the library wanted it. It may still start
 * elsewhere, by what the model does not know; after some refusals in a row it is left
 * to Slurm.
 */
static void refused_by_slurm(struct lxfw_bridge *bridge,
			     struct lxfw_known_job *known, job_record_t *job,
			     const struct lxfw_action *action, int error_code)
{
	debug("sched/lxfw: JobId=%u refused: %s", job->job_id,
	      slurm_strerror(error_code));
	refuse(bridge, known);
	if (action->until != LXFW_NEVER || !lxfw_is_about_nodes(error_code))
		return;
	if (error_code == ESLURM_REQUESTED_NODE_CONFIG_UNAVAILABLE &&
	    lxfw_never_runs(bridge, job)) {
		lxfw_forget_job(bridge, known);
		return;
	}
	if (known->in_vain < UINT8_MAX)
		known->in_vain++;
	if (known->in_vain >= LXFW_LEFT_REFUSALS)
		lxfw_left_add(bridge, known, LXFW_LEFT_REFUSED);
	else
		(void)lxfw_leave_over(bridge, job->job_id,
				      &known->alternative[action->host_set],
				      true);
}

static void start(struct lxfw_bridge *bridge, const struct lxfw_action *action)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs, action->job);
	int index = action->host_set;
	struct lxfw_asked asked;
	job_record_t *job;
	bitstr_t *nodes;
	int error_code;

	if (!known || index < 0 || index >= known->request.host_set_count) {
		bridge->rebuild = true;
		return;
	}
	if (known->state == LXFW_KNOWN_NOT)
		return;		/* it has left, and the library will hear it */
	if (known->requeued ||
	    (action->until == LXFW_NEVER && on_cleaned_host(action))) {
		wait_for_clean_up(bridge, known);
		return;
	}
	if (on_disturbed_host(bridge, action)) {
		defer(bridge, known);
		return;
	}
	job = find_job_record(known->record);
	if (!job || !lxfw_still_eligible(job, &known->alternative[index])) {
		lxfw_forget_job(bridge, known);
		return;
	}
	if (action->until != LXFW_NEVER &&
	    !lxfw_quanta_begin(bridge, job, known, action)) {
		refuse(bridge, known);
		return;
	}
	nodes = nodes_to_start_on(bridge, known, job, action);
	lxfw_shares_begin(bridge, job, known, action, &asked);
	error_code = lxfw_start_job(bridge, job, nodes,
				    action->until != LXFW_NEVER ? known->id : 0,
				    &asked);
	FREE_NULL_BITMAP(nodes);
	if (action->until != LXFW_NEVER)
		lxfw_quanta_begun(bridge, job, known, action,
				  error_code == SLURM_SUCCESS);
	if (error_code == SLURM_SUCCESS) {
		started(bridge, known, job, action);
		return;
	}
	refused_by_slurm(bridge, known, job, action, error_code);
}

/* --- reservations --------------------------------------------------------------------- */

static void reserve(struct lxfw_bridge *bridge, const struct lxfw_action *action)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs, action->job);
	job_record_t *job;

	if (!known || known->state == LXFW_KNOWN_NOT)
		return;
	lxfw_known_unreserve(known);
	known->reserved_start = action->start;
	known->reserved_hosts =
		malloc((size_t)action->count * sizeof(int32_t) + 1);
	if (known->reserved_hosts) {
		known->reserved_count = action->count;
		for (int32_t i = 0; i < action->count; i++)
			known->reserved_hosts[i] = action->shares[i].host;
	}
	bridge->counts.reserved++;
	job = find_job_record(known->record);
	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job))
		return;
	xfree(job->sched_nodes);
	if (bridge->counts.reserved <= NAMED_RESERVATIONS) {
		bitstr_t *nodes = nodes_of(action);
		char *names = bitmap2node_name(nodes);

		known->reserved_nodes = names ? strdup(names) : NULL;
		job->sched_nodes = names;
		FREE_NULL_BITMAP(nodes);
	}
	job->start_time = action->start;
	lxfw_say_no_room(job);
}

static void unreserve(struct lxfw_bridge *bridge,
		      const struct lxfw_action *action)
{
	struct lxfw_known_job *known =
		lxfw_table_find(&bridge->jobs, action->job);
	job_record_t *job;

	if (!known)
		return;
	lxfw_known_unreserve(known);
	job = find_job_record(known->record);
	if (!job || !IS_JOB_PENDING(job) || IS_JOB_COMPLETING(job))
		return;
	xfree(job->sched_nodes);
	job->start_time = 0;
	if (job->state_reason == WAIT_RESOURCES)
		job->state_reason = WAIT_PRIORITY;
}

bool lxfw_bridge_act(struct lxfw_bridge *bridge, uint64_t deadline_us)
{
	lxfw_clock_tick(&bridge->clock);
	bridge->tenants.made = false;
	if (bridge->next_action == 0 && !clear_disturbed(bridge))
		return true;
	while (bridge->next_action < bridge->decision.count) {
		const struct lxfw_action *action =
			&bridge->decision.actions[bridge->next_action];

		if (bridge->rebuild || !lxfw_same_world(bridge))
			return true;
		if (lxfw_now_us() >= deadline_us)
			return false;
		bridge->next_action++;
		switch (action->type) {
		case LXFW_ACTION_START:
			start(bridge, action);
			break;
		case LXFW_ACTION_RESERVE:
			reserve(bridge, action);
			break;
		case LXFW_ACTION_UNRESERVE:
			unreserve(bridge, action);
			break;
		case LXFW_ACTION_SUSPEND:
			lxfw_quanta_suspend(bridge, action);
			break;
		case LXFW_ACTION_RESUME:
			lxfw_quanta_resume(bridge, action);
			break;
		case LXFW_ACTION_REQUEUE:
			lxfw_quanta_requeue(bridge, action);
			break;
		case LXFW_ACTION_RESIZE:
			lxfw_shares_resize(bridge, bridge->next_action - 1);
			break;
		}
	}
	return true;
}
