/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/sched.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/books/block.h"
#include "common/books/books.h"
#include "common/books/check.h"
#include "common/books/observer.h"
#include "common/books/overrun.h"
#include "common/books/queue.h"
#include "common/order/list.h"
#include "common/order/order.h"
#include "common/pass/backfill.h"
#include "common/pass/consider.h"
#include "common/pass/cycle.h"
#include "common/pass/possible.h"
#include "common/pass/suspended.h"
#include "common/pass/unchanged.h"
#include "common/place/place.h"
#include "common/service/service.h"
#include "common/util/grow.h"

struct lxfw_sched *lxfw_sched_create(const struct lxfw_params *params)
{
	const struct lxfw_policy_type *policy = lxfw_params_policy(params);
	struct lxfw_sched *sched;

	if (!policy && lxfw_policy_has(params->policy, LXFW_TRAIT_SCRIPT)) {
		errno = EINVAL;
		return NULL;
	}
	sched = calloc(1, sizeof(*sched));
	if (!sched) {
		errno = ENOMEM;
		return NULL;
	}
	sched->params = *params;
	sched->policy = policy ? policy : lxfw_policies[0];
	sched->placement = lxfw_placement_rules[params->placement];
	sched->now = -LXFW_TIME_MAX;
	sched->jobs_free = -1;
	sched->refused = -1;
	sched->classes_free = -1;
	sched->machine = 1;
	sched->stuck = -1;
	sched->improved_until = sched->freed_until = INT64_MIN;
	sched->aside_kinds = LXFW_ASIDE_KINDS;
	sched->reservable_at = LXFW_NEVER;
	lxfw_profile_init(&sched->profile);
	if (lxfw_service_params(sched) < 0 ||
	    (sched->policy->begin && sched->policy->begin(sched) < 0)) {
		lxfw_sched_destroy(sched);
		return NULL;
	}
	return sched;
}

void lxfw_sched_destroy(struct lxfw_sched *sched)
{
	int saved = errno;

	if (!sched)
		return;
	lxfw_observers_clear(sched);
	lxfw_profile_clear(&sched->profile);
	lxfw_id_map_clear(&sched->job_by_id);
	lxfw_job_groups_clear(&sched->groups);
	for (size_t i = 0; i < sched->host_set_count; i++)
		free(sched->host_sets[i].members);
	for (size_t i = 0; i < sched->block_count; i++)
		free(sched->blocks[i].shares);
	for (size_t i = 0; i < sched->jobs_used; i++)
		free(sched->jobs[i].kept);
	lxfw_weights_clear(&sched->weights);
	free(sched->jobs);
	free(sched->classes);
	free(sched->opened);
	free(sched->class_chains);
	free(sched->heads);
	free(sched->ranks.nodes);
	free(sched->host_sets);
	free(sched->job_classes);
	free(sched->blocks);
	free(sched->expiries);
	free(sched->oldest.queued);
	free(sched->reservations);
	free(sched->dropped);
	free(sched->places);
	free(sched->list);
	free(sched->heap);
	free(sched->found);
	free(sched->judgements);
	free(sched->ranked);
	free(sched->order);
	free(sched->room);
	free(sched->shut);
	free(sched->periods.periods);
	free(sched->periods.hosts);
	free(sched->periods.freed);
	free(sched->ends.ends);
	free(sched->ends.shares);
	free(sched->ends.idle);
	free(sched->ends.usable);
	free(sched->times);
	free(sched->marks);
	free(sched->steps);
	free(sched->actions);
	free(sched->shares);
	free(sched);
	errno = saved;
}

int lxfw_sched_can_start(struct lxfw_sched *sched, uint64_t id)
{
	int32_t index = lxfw_id_map_get(&sched->job_by_id, id);

	if (index >= 0)		/* it stands for its group */
		index = lxfw_group_first(sched, index);
	if (index < 0 || sched->jobs[index].state != LXFW_JOB_WAITING)
		return 1;
	if (sched->jobs[index].nowhere)
		return 0;
	return lxfw_is_possible(sched, &sched->classes[sched->jobs[index].class]);
}

static int64_t earlier(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The time of the next pass by lxfw_interval: a multiple of the interval from now. */
static int64_t next_interval(const struct lxfw_sched *sched)
{
	int64_t interval = sched->params.interval, change = sched->now;

	if (sched->policy->next_change)
		change = sched->policy->next_change(sched);
	if (change == LXFW_NEVER)
		return LXFW_NEVER;
	if (change > sched->now)
		interval *= (change - sched->now + interval - 1) / interval;
	return lxfw_time_add(sched->now, interval);
}

/* The time of the next change that no event reports. */
static int64_t next_wake(struct lxfw_sched *sched)
{
	int64_t wake = lxfw_observers_wake(sched), due = sched->reservable_at;

	if (sched->waiting == 0)
		return wake;
	if (sched->params.interval > 0)
		wake = earlier(wake, next_interval(sched));
	for (size_t i = 0; i < sched->block_count; i++) {
		const struct lxfw_block *block = &sched->blocks[i];
		int64_t time = block->begun ? block->end : block->start;

		if (time < wake)
			wake = time;
	}
	/* At the end of a hold a reservation may begin without another event. */
	for (size_t i = 0; i < sched->reservation_count; i++) {
		int64_t start = sched->reservations[i].start;

		if (start > sched->now && start < due)
			due = start;
	}
	if (sched->policy->backfill.cycles)
		due = lxfw_cycle_wake(sched, due);
	wake = earlier(wake, due);
	for (int32_t i = sched->refused; i >= 0; i = sched->jobs[i].next) {
		if (sched->jobs[i].refused_until < wake)
			wake = sched->jobs[i].refused_until;
	}
	return wake;
}

/* Order the queue, and run the pass of pass/backfill.h. */
static int backfill(struct lxfw_sched *sched)
{
	return lxfw_queue_order(sched) < 0 ? -1 : lxfw_pass(sched);
}

static int pass(struct lxfw_sched *sched)
{
	int rc;

	if (sched->priorities_stale)
		lxfw_lines_set(sched);
	if ((sched->list_stale || sched->policy->order.list) &&
	    lxfw_list_update(sched) < 0)
		return -1;
	if (sched->policy->pass) {
		rc = lxfw_suspended_end(sched);
		if (rc == 0)
			rc = lxfw_queue_order(sched);
		return rc < 0 ? rc : sched->policy->pass(sched);
	}
	if (sched->suspends)
		lxfw_suspended_count(sched);
	rc = backfill(sched);
	while (rc == 0 && sched->stuck >= 0) {
		rc = lxfw_suspended_make_way(sched);
		if (rc == 0)
			rc = backfill(sched);
	}
	return rc;
}

int lxfw_sched_decide(struct lxfw_sched *sched, int64_t now,
		      struct lxfw_decision *decision)
{
	const struct lxfw_share *shares;
	int rc = -1;

	if (now > sched->now)
		sched->now = now > LXFW_TIME_MAX ? LXFW_TIME_MAX : now;
	sched->problem = NULL;
	sched->action_count = 0;
	sched->share_count = 0;
	lxfw_job_groups_begin(&sched->groups);
	if (lxfw_blocks_advance(sched) == 0 && lxfw_queue_readmit(sched) == 0) {
		lxfw_expiry_extend(sched);
		if (lxfw_observers_before_pass(sched) == 0 && pass(sched) == 0)
			rc = lxfw_observers_after_pass(sched);
	}
	/* The array of shares is complete and is no longer reallocated. */
	shares = sched->shares;
	for (size_t i = 0; i < sched->action_count; i++) {
		sched->actions[i].shares = shares;
		shares += sched->actions[i].count;
	}
	*decision = (struct lxfw_decision){
		.actions = sched->actions,
		.count = sched->action_count,
		.wake = next_wake(sched),
		.waiting = sched->waiting,
		.running = sched->running,
		.problem = sched->problem,
	};
	if (rc < 0)
		errno = sched->problem ? ENOEXEC : ENOMEM;
	return rc;
}
