/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/refuse.h"

#define BACKOFF_MAX 30

int64_t lxfw_backoff(uint8_t refusals)
{
	int64_t seconds = INT64_C(1) << (refusals > 5 ? 5 : refusals);

	seconds /= 2;
	if (seconds < 1)
		seconds = 1;
	return refusals > 5 || seconds > BACKOFF_MAX ? BACKOFF_MAX : seconds;
}

void lxfw_refuse(struct lxfw_agent *agent, struct lxfw_known_job *known,
		 enum lxfw_reason reason)
{
	if (known->refusals < UINT8_MAX)
		known->refusals++;
	known->refused_until = agent->clock + lxfw_backoff(known->refusals);
	lxfw_events_refused(&agent->events, known->id, known->refused_until, reason);
	agent->refused_now = true;
	agent->counts.refused++;
	agent->total.refusals++;
}

void lxfw_defer(struct lxfw_agent *agent, const struct lxfw_known_job *known,
		enum lxfw_reason reason)
{
	lxfw_events_refused(&agent->events, known->id, agent->clock, reason);
	agent->refused_now = true;
	agent->counts.deferred++;
}

void lxfw_put_off(struct lxfw_agent *agent, const struct lxfw_known_job *known,
		  enum lxfw_reason reason)
{
	lxfw_events_refused(&agent->events, known->id, agent->clock, reason);
	agent->counts.deferred++;
}

void lxfw_disturb(struct lxfw_agent *agent, const struct lxfw_run *run)
{
	for (int32_t i = 0; i < run->count; i++)
		agent->disturbed[run->shares[i].host] = true;
}

void lxfw_forget_job(struct lxfw_agent *agent, struct lxfw_known_job *known,
		     enum lxfw_reason reason)
{
	const struct lxfw_aside aside = {
		.id = known->id, .reason = reason, .submit = known->submit,
	};

	if (known->state == LXFW_KNOWN_NOT)
		return;
	/* An entry of an array's task would stay when its array is changed. */
	if (!known->array_task)
		lxfw_mirror_aside(agent, &aside);
	lxfw_known_unreserve(known);
	known->state = LXFW_KNOWN_NOT;
	lxfw_events_end(&agent->events, known->id);
	agent->refused_now = true;
	agent->stale = true;
}

void lxfw_known_requeued(struct lxfw_agent *agent, struct lxfw_known_job *known)
{
	lxfw_known_unreserve(known);
	known->state = LXFW_KNOWN_WAITING;
	known->requeued = agent->clock;
	agent->stale = true;
}
