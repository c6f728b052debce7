/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/journal/wire.h"

static bool amount_valid(const struct lxfw_resources *amount)
{
	bool valid = amount->procs >= 0 && amount->memory_mb >= 0;

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		valid &= amount->extras[i] >= 0;
	return valid;
}

static bool shares_valid(const struct lxfw_share *shares, int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		if (shares[i].host < 0 || !amount_valid(&shares[i].amount))
			return false;
	}
	return count >= 0;
}

static bool hosts_valid(const int32_t *hosts, int32_t count)
{
	int32_t previous = -1;

	for (int32_t i = 0; i < count; i++) {
		if (hosts[i] <= previous)
			return false;
		previous = hosts[i];
	}
	return count >= 0;
}

static bool request_valid(const struct lxfw_request *request)
{
	if (request->host_set_count > LXFW_HOST_SETS_MAX)
		return false;
	for (int i = 0; i < request->host_set_count; i++) {
		if (request->host_sets[i] < 0)
			return false;
	}
	if (request->group_count < 0 ||
	    (request->group == 0 && request->group_count != 0))
		return false;
	if (!lxfw_request_pools_are_valid(request) ||
	    !lxfw_request_more_sets_are_valid(request))
		return false;
	return request->id != 0 && request->estimate >= 1 &&
	       request->min_estimate >= 0 &&
	       request->min_estimate < request->estimate &&
	       amount_valid(&request->unit) && request->unit.procs >= 1 &&
	       request->count >= 1 && request->max_hosts >= 0 &&
	       request->min_hosts >= 0 && amount_valid(&request->per_host) &&
	       request->per_host.procs == 0 &&
	       (request->shape == LXFW_SHAPE_ANYWHERE ||
		!lxfw_request_has_hosts(request)) &&
	       request->min_procs >= 0 && request->min_procs <= request->unit.procs &&
	       (!request->rigid || request->min_procs == 0) &&
	       (request->shape == LXFW_SHAPE_HOSTS ||
		request->shape == LXFW_SHAPE_ANYWHERE);
}

static bool time_valid(int64_t time)
{
	return time >= -LXFW_TIME_MAX && time <= LXFW_TIME_MAX;
}

static bool past_valid(const struct lxfw_run_past *past)
{
	/* Of a suspended job, the number of suspensions may be known alone. */
	if (past->since == 0)
		return past->ran == 0 && past->submit == 0 && past->suspended == 0 &&
		       past->suspensions >= 0 &&
		       past->suspensions <= LXFW_SUSPENSIONS_UNKNOWN;
	return time_valid(past->since) && time_valid(past->submit) &&
	       past->ran >= 0 && past->ran <= LXFW_TIME_MAX &&
	       past->suspensions >= 0 &&
	       past->suspensions <= LXFW_SUSPENSIONS_UNKNOWN &&
	       past->suspended >= 0 &&
	       past->suspended <= LXFW_TIME_MAX;
}

static bool refused_valid(const struct lxfw_event *event)
{
	enum lxfw_reason_part part = lxfw_reason_part((int)event->refused.reason);

	return event->refused.id != 0 &&
	       (part == LXFW_REASONS_NONE || part == LXFW_REASONS_REFUSED);
}

static bool aside_valid(const struct lxfw_event *event)
{
	enum lxfw_reason_part part = lxfw_reason_part((int)event->aside.reason);

	return event->aside.id != 0 &&
	       (part == LXFW_REASONS_NONE || part == LXFW_REASONS_INELIGIBLE ||
		part == LXFW_REASONS_LEFT) &&
	       event->aside.limited < LXFW_LIMITEDS &&
	       event->aside.submit >= 0 && event->aside.submit <= LXFW_TIME_MAX &&
	       event->aside.until >= 0 && event->aside.until <= LXFW_TIME_MAX;
}

bool lxfw_journal_event_valid(const struct lxfw_event *event)
{
	switch (event->type) {
	case LXFW_EVENT_HOST:
		return event->host.index >= 0 &&
		       amount_valid(&event->host.total) &&
		       event->host.weight >= -LXFW_HOST_WEIGHT_MAX &&
		       event->host.weight <= LXFW_HOST_WEIGHT_MAX &&
		       event->host.boot >= 0 &&
		       event->host.boot <= LXFW_BOOT_MAX &&
		       event->host.gpus >> LXFW_EXTRAS_MAX == 0;
	case LXFW_EVENT_HOST_SET:
		return event->host_set.id >= 0 &&
		       hosts_valid(event->host_set.hosts,
				   event->host_set.count);
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		return request_valid(event->request);
	case LXFW_EVENT_JOB_RUN:
		return event->run.id != 0 &&
		       shares_valid(event->run.shares, event->run.count) &&
		       past_valid(&event->run.past);
	case LXFW_EVENT_JOB_END:
		return event->end.id != 0;
	case LXFW_EVENT_JOB_REFUSED:
		return refused_valid(event);
	case LXFW_EVENT_BLOCK:
		return shares_valid(event->block.shares, event->block.count);
	case LXFW_EVENT_PARAMS:
		return lxfw_params_valid(event->params);
	case LXFW_EVENT_JOB_CLASSES:
		return lxfw_job_classes_valid(event->job_classes);
	case LXFW_EVENT_JOB_PRIORITY:
		return event->priority.id != 0 &&
		       event->priority.priority >= -LXFW_PRIORITY_MAX &&
		       event->priority.priority <= LXFW_PRIORITY_MAX &&
		       event->priority.delay >= -LXFW_DELAY_MAX &&
		       event->priority.delay <= LXFW_DELAY_MAX;
	case LXFW_EVENT_JOB_ASIDE:
		return aside_valid(event);
	case LXFW_EVENT_EXTRA:
		return event->extra.index >= 0 && event->extra.index < LXFW_EXTRAS_MAX;
	}
	return false;
}

bool lxfw_journal_action_valid(const struct lxfw_action *action)
{
	if (action->type < LXFW_ACTION_START ||
	    action->type > LXFW_ACTION_LAST)
		return false;
	/* Only a start has an end of the quantum, which is later than the start. */
	if (action->until != LXFW_NEVER &&
	    (action->type != LXFW_ACTION_START ||
	     action->start < -LXFW_TIME_MAX || action->until <= action->start ||
	     action->until > LXFW_TIME_MAX))
		return false;
	if (action->limit < 0 ||
	    (action->limit != 0 && action->type != LXFW_ACTION_START))
		return false;
	for (int32_t i = 1; i < action->count; i++) {
		if (action->shares[i].host <= action->shares[i - 1].host)
			return false;
	}
	return action->job != 0 && action->host_set >= 0 &&
	       shares_valid(action->shares, action->count);
}
