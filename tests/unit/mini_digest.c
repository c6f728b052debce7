/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/mini_digest.h"

#include "tests/unit/unit.h"

uint64_t mini_mix(uint64_t digest, uint64_t value)
{
	return (digest ^ value) * 1099511628211u;
}

static uint64_t mix_action(uint64_t digest, const struct lxfw_action *action)
{
	digest = mini_mix(digest, (uint64_t)action->type);
	digest = mini_mix(digest, action->job);
	digest = mini_mix(digest, (uint64_t)action->start);
	digest = mini_mix(digest, (uint64_t)action->until);
	digest = mini_mix(digest, (uint64_t)action->host_set);
	for (int32_t i = 0; i < action->count; i++) {
		digest = mini_mix(digest, (uint64_t)action->shares[i].host);
		digest = mini_mix(digest, (uint64_t)action->shares[i].amount.procs);
		digest = mini_mix(digest,
			     (uint64_t)action->shares[i].amount.memory_mb);
	}
	return digest;
}

/* Every third job keeps what it asks for, some others say how little will do. */
static void adapt(struct mini *mini, const struct lxfw_event *event)
{
	struct lxfw_request *request;

	if (event->type != LXFW_EVENT_JOB_SUBMIT &&
	    event->type != LXFW_EVENT_JOB_CHANGE)
		return;
	request = &mini->jobs[event->request->id - 1].request;
	request->rigid = request->id % 3 == 0;
	request->min_procs = request->rigid || request->id % 3 == 1 ?
			 0 : 1 + request->unit.procs / 2;
}

/* A job that comes has a priority of its own. */
static void prioritize(const struct mini *mini, struct lxfw_sched *sched,
		       const struct lxfw_event *submission)
{
	uint64_t id = submission->request->id;
	const struct lxfw_event event = {
		.type = LXFW_EVENT_JOB_PRIORITY, .time = submission->time,
		.priority = { id, (int64_t)(id * 7 % 5) * 1000, 0 },
	};
	struct lxfw_error error;

	if (mini->priorities)
		assert_int_equal(lxfw_sched_apply(sched, &event, &error), 0);
}

uint64_t mini_digest(struct mini *mini, uint64_t digest, bool each)
{
	struct lxfw_decision decision;
	struct lxfw_event event;
	struct lxfw_sched *sched = lxfw_sched_create(&mini->params);

	assert_non_null(sched);
	while (mini_next(mini, &event)) {
		struct lxfw_error error;

		adapt(mini, &event);
		/* Where it skipped a decision an event may come too late. */
		if (lxfw_sched_apply(sched, &event, &error) == 0) {
			digest = mini_mix(digest, 0);
			if (event.type == LXFW_EVENT_JOB_SUBMIT)
				prioritize(mini, sched, &event);
		} else {
			digest = mini_mix(digest, 1);
		}
		if (!each && mini->step % 2)
			continue;
		assert_int_equal(lxfw_sched_decide(sched, mini->now, &decision), 0);
		for (size_t i = 0; i < decision.count; i++)
			digest = mix_action(digest, &decision.actions[i]);
		digest = mini_mix(digest, (uint64_t)decision.wake);
		mini_take(mini, &decision);
	}
	lxfw_sched_destroy(sched);
	return digest;
}
