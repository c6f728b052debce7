/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/left.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/refuse.h"
#include "plugins/slurm/bridge/aside.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/known.h"
#include "plugins/slurm/bridge/leftover.h"
#include "plugins/slurm/compat/compat.h"

struct lxfw_left_job *lxfw_left_find(const struct lxfw_bridge *bridge,
				     uint32_t job_id)
{
	int32_t index = lxfw_id_map_get(&bridge->left.by_id, job_id);

	return index < 0 ? NULL : &bridge->left.job[index];
}

/* Returns the entry, which is created if necessary, or NULL when memory runs out. */
static struct lxfw_left_job *enter(struct lxfw_bridge *bridge, uint32_t job_id)
{
	struct lxfw_left_jobs *left = &bridge->left;
	struct lxfw_left_job *job = lxfw_left_find(bridge, job_id);

	if (job)
		return job;
	if (LXFW_GROW(left->job, left->size, left->count + 1))
		return NULL;
	if (lxfw_id_map_add(&left->by_id, job_id, (int32_t)left->count) < 0)
		return NULL;
	job = &left->job[left->count++];
	memset(job, 0, sizeof(*job));
	job->job_id = job_id;
	return job;
}

bool lxfw_left_is_news(struct lxfw_bridge *bridge, uint32_t job_id)
{
	struct lxfw_left_job *left = enter(bridge, job_id);

	if (!left || left->said)
		return false;
	left->seen = bridge->agent.pass;
	left->said = true;
	return true;
}

void lxfw_left_say(struct lxfw_bridge *bridge, const job_record_t *job)
{
	static const char *const reasons[] = {
		[LXFW_LEFT_NO_PLACE] = "it never fits on the current nodes",
		[LXFW_LEFT_REFUSED] = "Slurm refused the selected nodes",
		[LXFW_LEFT_INVALID] = "its request cannot be represented",
	};
	const struct lxfw_left_job *left = lxfw_left_find(bridge, job->job_id);

	if (left && left->why != LXFW_LEFT_NOT &&
	    left->why != LXFW_LEFT_PREEMPTS &&
	    lxfw_left_is_news(bridge, job->job_id))
		info("sched/lxfw: JobId=%u of user %u is passed to Slurm's "
		     "own node selection: %s",
		     job->job_id, job->user_id, reasons[left->why]);
}

void lxfw_left_add(struct lxfw_bridge *bridge, struct lxfw_known_job *known,
		   enum lxfw_left_why why)
{
	struct lxfw_left_job *left = enter(bridge, known->record);
	const struct lxfw_places *places = &lxfw_own_of(known)->places;

	if (!left) {
		bridge->agent.events.failed = true;
		return;
	}
	/* The first task of an array represents all of them. */
	if (left->why != why || left->seen != bridge->agent.pass) {
		left->why = (uint8_t)why;
		left->seen = bridge->agent.pass;
		left->request = known->request;
		for (int32_t i = 0; i < places->count; i++) {
			struct lxfw_leftover *leftover = lxfw_leave_over(
				bridge, known->record,
				lxfw_place(places, i), false,
				lxfw_aside_left(why));

			if (leftover)
				leftover->preempts = why == LXFW_LEFT_PREEMPTS;
		}
	}
	lxfw_forget_job(&bridge->agent, known, lxfw_aside_left(why));
}

/* Returns true if the job is still passed to Slurm for the reason of its entry. */
static bool has_cause(const struct lxfw_bridge *bridge,
		      const struct lxfw_left_job *left)
{
	const job_record_t *job = find_job_record(left->job_id);

	if (left->why == LXFW_LEFT_PREEMPTS)
		return job && job->details && lxfw_compat_is_preempting(job);
	/* A job that Slurm refused keeps its hold. */
	return !bridge->agent.new_chances || left->why == LXFW_LEFT_INVALID ||
	       (left->why == LXFW_LEFT_REFUSED &&
		lxfw_holds_find(bridge, left->job_id));
}

bool lxfw_left_still(struct lxfw_bridge *bridge, uint32_t job_id,
		     const struct lxfw_request *request)
{
	struct lxfw_left_job *left = lxfw_left_find(bridge, job_id);

	if (!left)
		return false;
	left->seen = bridge->agent.pass;
	if (left->why == LXFW_LEFT_NOT)
		return false;
	if (lxfw_request_asks_same(&left->request, request) &&
	    has_cause(bridge, left))
		return true;
	left->why = LXFW_LEFT_NOT;
	return false;
}

void lxfw_left_judge(struct lxfw_bridge *bridge)
{
	/* Nodes that have just registered will be up in a moment. */
	if (!lxfw_hosts_have_settled(bridge))
		return;
	for (size_t i = 0; i < bridge->agent.jobs.count; i++) {
		struct lxfw_known_job *known = bridge->agent.jobs.jobs[i];

		/* The use of remote licenses elsewhere ends sometime. */
		if (known->state == LXFW_KNOWN_WAITING && !known->requeued &&
		    lxfw_licenses_suffice(bridge, &known->request) &&
		    lxfw_sched_can_start(bridge->agent.sched, known->id) == 0)
			lxfw_left_add(bridge, known, LXFW_LEFT_NO_PLACE);
	}
}

void lxfw_left_sweep(struct lxfw_bridge *bridge)
{
	struct lxfw_left_jobs *left = &bridge->left;

	for (size_t i = 0; i < left->count;) {
		struct lxfw_left_job *job = &left->job[i];
		const job_record_t *record = find_job_record(job->job_id);

		/* A job that is held temporarily keeps its entry. */
		if (job->seen == bridge->agent.pass ||
		    (record && IS_JOB_PENDING(record))) {
			i++;
			continue;
		}
		lxfw_id_map_remove(&left->by_id, job->job_id);
		*job = left->job[--left->count];
		if (i == left->count)
			continue;
		/* This cannot fail: removing the entry left space for it. */
		lxfw_id_map_remove(&left->by_id, job->job_id);
		(void)lxfw_id_map_add(&left->by_id, job->job_id, (int32_t)i);
	}
}

void lxfw_left_clear(struct lxfw_left_jobs *left)
{
	free(left->job);
	lxfw_id_map_clear(&left->by_id);
	memset(left, 0, sizeof(*left));
}
