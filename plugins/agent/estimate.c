/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/agent/estimate.h"

#include <stdlib.h>

#include "common/outlook.h"
#include "common/profile/duration.h"
#include "plugins/agent/agent.h"

#define SLICE_US 10000		/* work at a stretch; a decision is not interrupted */
#define LEAST_US 2000000	/* from the beginning of an outlook to that of the next */
#define SHARE 10		/* the same, in times of the work */
#define MOST_US 30000000	/* work on one outlook */

/* Number of jobs whose hosts are recorded: those that are expected to start first. */
#define HOSTS_OF 64

static bool is_due(const struct lxfw_agent *agent)
{
	const struct lxfw_estimates *estimates = &agent->estimates;
	uint64_t pause = SHARE * estimates->used_us;

	if (agent->decision.waiting == 0 || agent->rebuild || !agent->sched)
		return false;
	if (estimates->number && agent->changes == estimates->of_changes &&
	    agent->clock <= estimates->first)
		return false;
	if (pause < LEAST_US)
		pause = LEAST_US;
	return !estimates->number ||
	       lxfw_now_us() >= estimates->began_us + pause;
}

static void begin(struct lxfw_agent *agent)
{
	struct lxfw_estimates *estimates = &agent->estimates;
	uint32_t number = estimates->number + 1;

	*estimates = (struct lxfw_estimates){
		.outlook = lxfw_outlook_begin(agent->sched),
		.number = number ? number : 1,
		.of_changes = agent->changes,
		.began_us = lxfw_now_us(),
		.first = LXFW_NEVER,
	};
}

static void record_hosts(struct lxfw_known_job *known,
			 const struct lxfw_action *action)
{
	known->estimated_hosts =
		malloc((size_t)action->count * sizeof(*known->estimated_hosts) + 1);
	if (!known->estimated_hosts)
		return;		/* the nodes are not shown */
	known->estimated_count = action->count;
	for (int32_t i = 0; i < action->count; i++)
		known->estimated_hosts[i] = action->shares[i].host;
}

/* Returns the time from the start of ACTION until its hosts have booted, in seconds. */
static int64_t boot_of(const struct lxfw_estimates *estimates,
		       const struct lxfw_action *action)
{
	int64_t most = 0;

	for (int32_t i = 0; i < action->count; i++) {
		int64_t boot = lxfw_outlook_boot(estimates->outlook,
						 action->shares[i].host);

		if (boot > most)
			most = boot;
	}
	return most;
}

/* Records the start that ACTION predicts for second TIME. The job's start time is that at
   which its hosts have booted. */
static void record(struct lxfw_agent *agent, const struct lxfw_action *action,
		   int64_t time)
{
	struct lxfw_estimates *estimates = &agent->estimates;
	struct lxfw_known_job *known = lxfw_table_find(&agent->jobs, action->job);

	time = lxfw_time_add(time, boot_of(estimates, action));
	if (!known || known->state != LXFW_KNOWN_WAITING)
		return;		/* it has started or left meanwhile */
	estimates->differs |= known->estimated_start != time;
	lxfw_known_unestimate(known);
	lxfw_meter_expect(known, time);
	known->estimated_start = time;
	known->estimated = estimates->number;
	if (estimates->starts++ < HOSTS_OF)
		record_hosts(known, action);
}

/* Makes one decision of the outlook. Returns true if it was not the last one. */
static bool step(struct lxfw_agent *agent)
{
	struct lxfw_estimates *estimates = &agent->estimates;
	struct lxfw_decision decision;
	int64_t time;

	if (lxfw_outlook_next(estimates->outlook, &time, &decision) <= 0)
		return false;
	for (size_t i = 0; i < decision.count; i++) {
		if (decision.actions[i].type != LXFW_ACTION_START)
			continue;
		record(agent, &decision.actions[i], time);
		if (time > agent->clock && time < estimates->first)
			estimates->first = time;
	}
	return true;
}

/* Removes the estimates of jobs that do not start in this outlook. */
static void sweep(struct lxfw_agent *agent)
{
	struct lxfw_estimates *estimates = &agent->estimates;

	for (size_t i = 0; i < agent->jobs.count; i++) {
		struct lxfw_known_job *known = agent->jobs.jobs[i];

		if (known->estimated == estimates->number || !known->estimated_start)
			continue;
		estimates->differs |= known->state == LXFW_KNOWN_WAITING;
		lxfw_known_unestimate(known);
	}
}

void lxfw_estimates_work(struct lxfw_agent *agent)
{
	struct lxfw_estimates *estimates = &agent->estimates;
	uint64_t before = lxfw_now_us();
	bool more = true;

	if (!estimates->outlook) {
		if (!is_due(agent))
			return;
		begin(agent);
		more = estimates->outlook;
	}
	while (more && lxfw_now_us() < before + SLICE_US)
		more = step(agent);
	estimates->used_us += lxfw_now_us() - before;
	if (more && estimates->used_us < MOST_US)
		return;
	if (!more && estimates->outlook)
		sweep(agent);
	agent->stale |= estimates->differs;
	lxfw_estimates_stop(agent);
}

bool lxfw_estimates_in_progress(const struct lxfw_agent *agent)
{
	return agent->estimates.outlook;
}

void lxfw_estimates_stop(struct lxfw_agent *agent)
{
	lxfw_outlook_end(agent->estimates.outlook);
	agent->estimates.outlook = NULL;
}
