/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Events update the scheduler's model of hosts and jobs. */
#include "common/sched.h"

#include <errno.h>
#include <stdlib.h>

#include "common/books/block.h"
#include "common/books/books.h"
#include "common/books/check.h"
#include "common/books/observer.h"
#include "common/books/overrun.h"
#include "common/books/queue.h"
#include "common/books/reservation.h"
#include "common/model/job_classes.h"
#include "common/pass/suspended.h"
#include "common/service/service.h"
#include "common/util/grow.h"

/* --- hosts ------------------------------------------------------------------ */

static void machine_changed(struct lxfw_sched *sched)
{
	sched->machine++;
	sched->gains++;
	lxfw_improved(sched, LXFW_NEVER);
	sched->disturbed = true;
	sched->priorities_stale = true;
	sched->list_stale = true;
}

static int apply_host(struct lxfw_sched *sched, const struct lxfw_event *event,
		      struct lxfw_error *error)
{
	int32_t index = event->host.index;

	if (index < 0 || index > sched->profile.host_count)
		return lxfw_invalid(error, EINVAL, "host out of sequence: ",
				    (uint64_t)index);
	if (event->host.total.procs < 0 || event->host.total.memory_mb < 0)
		return lxfw_invalid(error, EINVAL, "negative total of host ",
				    (uint64_t)index);
	if (event->host.weight < -LXFW_HOST_WEIGHT_MAX ||
	    event->host.weight > LXFW_HOST_WEIGHT_MAX)
		return lxfw_invalid(error, EINVAL, "weight out of range of host ",
				    (uint64_t)index);
	if (event->host.boot < 0 || event->host.boot > LXFW_BOOT_MAX)
		return lxfw_invalid(error, EINVAL,
				    "boot time out of range of host ",
				    (uint64_t)index);
	if (event->host.gpus >> LXFW_EXTRAS_MAX)
		return lxfw_invalid(error, EINVAL, "unknown extras of host ",
				    (uint64_t)index);
	if (lxfw_weights_ready(sched, index) < 0 ||
	    lxfw_profile_set_host(&sched->profile, index, event->host.up,
				  &event->host.total) < 0)
		return -1;
	lxfw_weights_set(sched, index, event->host.weight, event->host.boot);
	sched->gpus |= event->host.gpus;
	lxfw_profile_set_sockets(&sched->profile, index, event->host.sockets,
				 event->host.gpus);
	machine_changed(sched);
	return 0;
}

/* Hosts of a kind are in the same sets: tag those that enter the set ID, or leave it. */
static void tag_members(struct lxfw_sched *sched, int32_t id, const uint64_t *members,
			size_t words)
{
	const struct lxfw_host_set *set = &sched->host_sets[id];
	bool new = (size_t)id == sched->host_set_count;
	uint64_t tag = lxfw_kinds_hash((uint64_t)id);

	for (size_t i = 0; i < words; i++) {
		uint64_t old = !new && i < set->words ? set->members[i] : 0;

		for (int bit = 0; bit < 64 && old != members[i]; bit++) {
			if ((old ^ members[i]) >> bit & 1)
				lxfw_kinds_tag(&sched->profile,
					       (int32_t)(64 * i) + bit,
					       members[i] >> bit & 1 ? tag : 0 - tag);
		}
	}
}

static int apply_host_set(struct lxfw_sched *sched,
			  const struct lxfw_event *event,
			  struct lxfw_error *error)
{
	size_t words = ((size_t)sched->profile.host_count + 63) / 64;
	int32_t id = event->host_set.id;
	struct lxfw_host_set *set;
	uint64_t *members;

	if (id < 0 || (size_t)id > sched->host_set_count ||
	    event->host_set.count < 0)
		return lxfw_invalid(error, EINVAL, "bad host set ",
				    (uint64_t)id);
	for (int32_t i = 0; i < event->host_set.count; i++) {
		int32_t host = event->host_set.hosts[i];

		if (host < 0 || host >= sched->profile.host_count)
			return lxfw_invalid(error, EINVAL,
					    "host set of unknown host ",
					    (uint64_t)host);
	}
	if (LXFW_GROW(sched->host_sets, sched->host_sets_size,
		      sched->host_set_count + 1))
		return -1;
	members = calloc(words ? words : 1, sizeof(*members));
	if (!members) {
		errno = ENOMEM;
		return -1;
	}
	for (int32_t i = 0; i < event->host_set.count; i++) {
		int32_t host = event->host_set.hosts[i];

		members[host / 64] |= UINT64_C(1) << (host % 64);
	}
	tag_members(sched, id, members, words);
	set = &sched->host_sets[id];
	if ((size_t)id == sched->host_set_count)
		sched->host_set_count++;
	else
		free(set->members);
	*set = (struct lxfw_host_set){ members, words, event->host_set.count };
	machine_changed(sched);
	return 0;
}

/* --- jobs -------------------------------------------------------------------- */

static int apply_submit(struct lxfw_sched *sched,
			const struct lxfw_request *request,
			struct lxfw_error *error)
{
	int32_t index;

	if (lxfw_request_check(sched, request, error) < 0)
		return -1;
	if (lxfw_id_map_get(&sched->job_by_id, request->id) >= 0)
		return lxfw_invalid(error, EEXIST, "known already: job ",
				    request->id);
	index = lxfw_job_new(sched, request->id);
	if (index < 0)
		return -1;
	sched->jobs[index].request = *request;
	if ((request->group && lxfw_group_join(sched, index) < 0) ||
	    (!request->no_quantum && lxfw_observed_arrived(sched, index) < 0) ||
	    lxfw_queue_add(sched, index) < 0) {
		lxfw_job_free(sched, index);
		return -1;
	}
	sched->waiting++;
	return 0;
}

static bool is_waiting(const struct lxfw_job *job)
{
	return job->state == LXFW_JOB_WAITING || job->state == LXFW_JOB_MEMBER ||
	       job->state == LXFW_JOB_REFUSED || job->state == LXFW_JOB_ASSIGNED;
}

/* Release what a waiting job occupies: its place in the queue, its reservation, and the
   resources that it keeps while it is suspended. */
static void leave_queue(struct lxfw_sched *sched, int32_t index)
{
	struct lxfw_job *job = &sched->jobs[index];

	if (job->state == LXFW_JOB_ASSIGNED)
		sched->gains++;
	lxfw_reservation_drop(sched, index);
	lxfw_queue_remove(sched, index);
	if (job->claim >= 0) {	/* it was suspended */
		lxfw_profile_stop(&sched->profile, job->claim);
		job->claim = -1;
		sched->gains++;
		lxfw_improved(sched, LXFW_NEVER);
	}
}

static int apply_change(struct lxfw_sched *sched,
			const struct lxfw_request *request,
			struct lxfw_error *error)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, request->id);
	struct lxfw_request old;

	if (lxfw_request_check(sched, request, error) < 0)
		return -1;
	if (index >= 0 && sched->jobs[index].state == LXFW_JOB_RUNNING &&
	    sched->jobs[index].request.estimate > 0) {
		sched->jobs[index].request.tier = request->tier;
		return 0;
	}
	if (index < 0 || !is_waiting(&sched->jobs[index]))
		return lxfw_invalid(error, ENOENT, "not waiting: job ",
				    request->id);
	if (sched->jobs[index].request.group != request->group)
		return lxfw_invalid(error, EINVAL, "another group: job ",
				    request->id);
	sched->jobs[index].nowhere = false;
	old = sched->jobs[index].request;
	if (old.no_quantum && !request->no_quantum &&
	    lxfw_observed_arrived(sched, index) < 0)
		return -1;
	if (sched->jobs[index].state == LXFW_JOB_REFUSED) {
		sched->jobs[index].request = *request;
		sched->jobs[index].refused_until = sched->now;
		return 0;
	}
	if (sched->jobs[index].state == LXFW_JOB_ASSIGNED) {
		/* The job is in no class, and keeps its host until it is in one. */
		sched->jobs[index].request = *request;
		if (lxfw_queue_add(sched, index) < 0) {
			sched->jobs[index].request = old;
			return -1;
		}
		lxfw_observed_unassigned(sched, index);
		sched->gains++;
		return 0;
	}
	/* Remove the job from its class, then enter it again. If that fails it is entered
	   with its old request, or if that fails too, it waits among the refused jobs. */
	lxfw_reservation_drop(sched, index);
	lxfw_queue_remove(sched, index);
	sched->jobs[index].request = *request;
	if (sched->jobs[index].kept)
		sched->jobs[index].request.min_estimate = 0;
	if (lxfw_queue_add(sched, index) == 0)
		return 0;
	sched->jobs[index].request = old;
	if (lxfw_queue_add(sched, index) < 0) {
		sched->jobs[index].refused_until = sched->now;
		lxfw_queue_refuse(sched, index);
	}
	errno = ENOMEM;
	return -1;
}

/* Record the start of a job, with its past. */
static void enter_past(struct lxfw_sched *sched, struct lxfw_job *job,
		       const struct lxfw_run_past *past)
{
	job->start = sched->now;
	job->continued = sched->now;
	job->paused = past->suspended;
	job->suspensions = (int32_t)past->suspensions;
	if (past->since == 0 || past->since > sched->now)
		return;
	job->continued = past->since;
	job->ran = past->ran;
	job->start = past->since - past->ran;
	job->request.submit = past->submit < job->start ? past->submit :
							  job->start;
}

/* The job was resumed later than decided, because it waited for its processors. Of the
   numbers of suspensions that scheduler and adapter have counted, the larger one is
   used. */
static void correct_past(const struct lxfw_sched *sched, struct lxfw_job *job,
			 const struct lxfw_run_past *past)
{
	if (past->suspensions > job->suspensions)
		job->suspensions = (int32_t)past->suspensions;
	if (past->suspended > job->paused)
		job->paused = past->suspended;
	if (past->since <= job->continued)
		return;
	job->continued = past->since < sched->now ? past->since : sched->now;
	job->ran = past->ran;
}

/* The index of a job that starts to run. An unknown job is created. */
static int32_t job_to_run(struct lxfw_sched *sched, uint64_t id,
			  const struct lxfw_run_past *past)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

	if (index >= 0)
		return index;
	index = lxfw_job_new(sched, id);
	if (index < 0)
		return -1;
	sched->jobs[index].state = LXFW_JOB_RUNNING;
	enter_past(sched, &sched->jobs[index], past);
	sched->running++;
	return index;
}

static int apply_run(struct lxfw_sched *sched, const struct lxfw_event *event,
		     struct lxfw_error *error)
{
	static const struct lxfw_run_past no_past;
	struct lxfw_job *job;
	int32_t index;
	bool waited;

	if (event->run.id == 0)
		return lxfw_invalid(error, EINVAL, "job without an id: ", 0);
	if (event->run.expected_end != LXFW_NEVER &&
	    !lxfw_is_time(event->run.expected_end))
		return lxfw_invalid(error, EINVAL, "no time to end at: job ",
				    event->run.id);
	if (!lxfw_is_time(event->run.past.since) ||
	    !lxfw_is_time(event->run.past.submit) ||
	    !lxfw_is_time(event->run.past.ran) || event->run.past.ran < 0 ||
	    !lxfw_is_time(event->run.past.suspended) ||
	    event->run.past.suspended < 0 || event->run.past.suspensions < 0 ||
	    event->run.past.suspensions > LXFW_SUSPENSIONS_UNKNOWN)
		return lxfw_invalid(error, EINVAL, "no past to have: job ",
				    event->run.id);
	if (lxfw_shares_check(sched, event->run.shares, event->run.count,
			      error) < 0 ||
	    lxfw_profile_ready_run(&sched->profile, event->run.count) < 0 ||
	    lxfw_expiry_ready(sched, 1) < 0 || lxfw_observers_ready(sched) < 0)
		return -1;
	index = job_to_run(sched, event->run.id, &event->run.past);
	if (index < 0)
		return -1;
	job = &sched->jobs[index];
	waited = is_waiting(job);
	if (waited) {
		leave_queue(sched, index);
		job->state = LXFW_JOB_RUNNING;
		job->announced = false;
		job->ran = 0;
		/* Adapters submit such a job before they report that it runs, even
		   after a restart. Its past is therefore used. */
		enter_past(sched, job, job->request.min_procs > 0 ||
					       sched->policy->backfill.preempts ?
			   &event->run.past : &no_past);
		sched->waiting--;
		sched->running++;
	} else if (lxfw_observed_reported(sched, index, event->run.shares,
					  event->run.count)) {
		return 0;
	} else {
		lxfw_observed_leaving(sched, index);
		correct_past(sched, job, &event->run.past);
	}
	job->due = job->expected_end = event->run.expected_end;
	lxfw_profile_stop(&sched->profile, job->claim);
	job->claim = lxfw_profile_run(&sched->profile, event->run.shares,
				      event->run.count, event->run.expected_end);
	sched->gains++;
	lxfw_improved(sched, LXFW_NEVER);
	if (lxfw_profile_disturbed(&sched->profile, job->claim))
		sched->disturbed = true;
	lxfw_expiry_add(sched, index);
	lxfw_observed_running(sched, index);
	if (waited)
		lxfw_observed_adopted(sched, index);
	return 0;
}

static int apply_end(struct lxfw_sched *sched, const struct lxfw_event *event,
		     struct lxfw_error *error)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, event->end.id);
	struct lxfw_job *job;

	if (index < 0)
		return lxfw_invalid(error, ENOENT, "not in the books: job ",
				    event->end.id);
	job = &sched->jobs[index];
	if (is_waiting(job)) {
		leave_queue(sched, index);
		sched->waiting--;
	} else {
		lxfw_observed_leaving(sched, index);
		lxfw_observed_ended(sched, index);
		lxfw_profile_stop(&sched->profile, job->claim);
		sched->running--;
		sched->gains++;
		if (job->expected_end > event->time)
			lxfw_improved(sched, job->expected_end);
	}
	lxfw_job_free(sched, index);
	return 0;
}

static int apply_refused(struct lxfw_sched *sched,
			 const struct lxfw_event *event, struct lxfw_error *error)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, event->refused.id);
	struct lxfw_job *job;

	if (index < 0)
		return lxfw_invalid(error, ENOENT, "not in the books: job ",
				    event->refused.id);
	if (!lxfw_is_time(event->refused.until))
		return lxfw_invalid(error, EINVAL,
				    "no time to wait until: job ",
				    event->refused.id);
	job = &sched->jobs[index];
	/* Only a job whose request is known can wait again. */
	if (job->state == LXFW_JOB_RUNNING && job->request.estimate > 0) {
		lxfw_observed_leaving(sched, index);
		if (job->kept) {
			lxfw_suspended_refused(sched, index);
		} else {
			lxfw_profile_stop(&sched->profile, job->claim);
			job->claim = -1;
		}
		sched->running--;
		sched->waiting++;
		sched->gains++;
		lxfw_improved(sched, LXFW_NEVER);
	} else if (job->state == LXFW_JOB_WAITING ||
		   job->state == LXFW_JOB_MEMBER ||
		   job->state == LXFW_JOB_ASSIGNED) {
		lxfw_reservation_drop(sched, index);
		lxfw_queue_remove(sched, index);
	} else if (job->state == LXFW_JOB_REFUSED) {
		lxfw_queue_remove(sched, index);
	} else {
		return lxfw_invalid(error, ENOENT, "never waited: job ",
				    event->refused.id);
	}
	job->refused_until = event->refused.until;
	lxfw_queue_refuse(sched, index);
	return 0;
}

static int apply_priority(struct lxfw_sched *sched, const struct lxfw_event *event,
			  struct lxfw_error *error)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, event->priority.id);

	if (index < 0)
		return lxfw_invalid(error, ENOENT, "not in the books: job ",
				    event->priority.id);
	if (event->priority.priority < -LXFW_PRIORITY_MAX ||
	    event->priority.priority > LXFW_PRIORITY_MAX ||
	    event->priority.delay < -LXFW_DELAY_MAX ||
	    event->priority.delay > LXFW_DELAY_MAX)
		return lxfw_invalid(error, EINVAL, "priority out of range: job ",
				    event->priority.id);
	lxfw_queue_set_priority(sched, index, event->priority.priority,
				event->priority.delay);
	return 0;
}

/* --- by type ------------------------------------------------------------------- */

static int apply_params(struct lxfw_sched *sched,
			const struct lxfw_params *params,
			struct lxfw_error *error)
{
	const struct lxfw_policy_type *policy = lxfw_params_policy(params);
	const struct lxfw_policy_type *policy_before = sched->policy;
	const struct lxfw_params before = sched->params;
	bool other = policy && policy != policy_before;

	if (!policy && lxfw_policy_has(params->policy, LXFW_TRAIT_SCRIPT))
		return lxfw_invalid(error, EINVAL, "the policy's file was not given, "
				    "code ", (uint64_t)params->policy);
	if (other && sched->waiting > 0 &&
	    policy->order.alone != policy_before->order.alone)
		return lxfw_invalid(error, EINVAL, "another kind of order while jobs "
				    "wait: ", (uint64_t)sched->waiting);
	sched->params = *params;
	sched->placement = lxfw_placement_rules[params->placement];
	if (lxfw_service_params(sched) < 0 ||
	    (other && policy->begin && policy->begin(sched) < 0)) {
		sched->params = before;
		sched->placement = lxfw_placement_rules[before.placement];
		return -1;
	}
	/* The reservations of one policy are not valid under another one. */
	if (other) {
		sched->policy = policy;
		if (policy_before->end)
			policy_before->end(sched);
		lxfw_reservations_drop_from(sched, 0);
	}
	sched->priorities_stale = true;
	sched->list_stale = true;
	sched->disturbed = true;
	sched->gains++;
	return 0;
}

static int apply_job_classes(struct lxfw_sched *sched,
			     const struct lxfw_job_classes *classes,
			     struct lxfw_error *error)
{
	struct lxfw_job_classes *copy, *before = sched->job_classes;

	if (!lxfw_job_classes_valid(classes))
		return lxfw_invalid(error, EINVAL, "malformed job classes: ",
				    0);
	if (classes->host_count > sched->profile.host_count)
		return lxfw_invalid(error, EINVAL,
				    "job classes of unknown host ",
				    (uint64_t)sched->profile.host_count);
	copy = lxfw_job_classes_copy(classes);
	if (!copy)
		return -1;
	sched->job_classes = copy;
	lxfw_observed_job_classes(sched);
	free(before);
	return 0;
}

int lxfw_sched_apply(struct lxfw_sched *sched, const struct lxfw_event *event,
		     struct lxfw_error *error)
{
	int64_t before = sched->now;
	int rc = -1;

	if (!lxfw_is_time(event->time))
		return lxfw_invalid(error, EINVAL, "no time for an event: ",
				    (uint64_t)event->time);
	if (event->time < sched->now)
		return lxfw_invalid(error, EINVAL, "time runs backwards to ",
				    (uint64_t)event->time);
	sched->now = event->time;
	errno = 0;
	switch (event->type) {
	case LXFW_EVENT_HOST:
		rc = apply_host(sched, event, error);
		break;
	case LXFW_EVENT_HOST_SET:
		rc = apply_host_set(sched, event, error);
		break;
	case LXFW_EVENT_JOB_SUBMIT:
		rc = apply_submit(sched, event->request, error);
		break;
	case LXFW_EVENT_JOB_CHANGE:
		rc = apply_change(sched, event->request, error);
		break;
	case LXFW_EVENT_JOB_RUN:
		rc = apply_run(sched, event, error);
		break;
	case LXFW_EVENT_JOB_END:
		rc = apply_end(sched, event, error);
		break;
	case LXFW_EVENT_JOB_REFUSED:
		rc = apply_refused(sched, event, error);
		break;
	case LXFW_EVENT_BLOCK:
		rc = lxfw_block_apply(sched, event, error);
		break;
	case LXFW_EVENT_PARAMS:
		rc = apply_params(sched, event->params, error);
		break;
	case LXFW_EVENT_JOB_CLASSES:
		rc = apply_job_classes(sched, event->job_classes, error);
		break;
	case LXFW_EVENT_JOB_PRIORITY:
		rc = apply_priority(sched, event, error);
		break;
	case LXFW_EVENT_JOB_ASIDE:
	case LXFW_EVENT_EXTRA:
		rc = 0;
		break;
	default:
		rc = lxfw_invalid(error, EINVAL, "unknown type of event: ",
			     (uint64_t)event->type);
	}
	if (rc < 0)
		sched->now = before;
	if (rc < 0 && errno == ENOMEM)
		lxfw_error_set(error, "out of memory");
	return rc;
}
