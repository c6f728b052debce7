/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/random_event.h"

#include <string.h>

#include "common/params/policy.h"
#include "tests/unit/unit.h"

/* A random number from 0 to MOST: mostly small, of every length in bits, and the
 * limits. */
static int64_t amount(uint64_t *random, int64_t most)
{
	int bits = (int)unit_between(random, 0, 63);

	switch (unit_between(random, 0, 9)) {
	case 0:
		return most;
	case 1:
		return 0;
	case 2:
	case 3:
	case 4:
	case 5:
		return most < 200 ? most : unit_between(random, 0, 200);
	default:
		return (int64_t)(unit_random(random) >> bits >> 1) % most;
	}
}

static int64_t any_time(uint64_t *random)
{
	int64_t time = amount(random, INT64_MAX);

	return unit_between(random, 0, 3) ? time : -time - 1;
}

static uint64_t any_id(uint64_t *random)
{
	return (uint64_t)amount(random, INT64_MAX) * 2 + 1;
}

static void any_resources(uint64_t *random, struct lxfw_resources *resources)
{
	resources->procs = (int32_t)amount(random, INT32_MAX);
	resources->memory_mb = amount(random, INT64_MAX);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		resources->extras[i] = unit_between(random, 0, 3) ? 0 :
			(int32_t)amount(random, INT32_MAX);
}

static int32_t any_count(uint64_t *random)
{
	return (int32_t)unit_between(random, 0, RANDOM_MOST);
}

static void any_shares(uint64_t *random, struct lxfw_share *shares,
		       int32_t count)
{
	int32_t host = (int32_t)unit_between(random, 0, INT32_MAX / 2);

	for (int32_t i = 0; i < count; i++) {
		shares[i].host = host;
		host += (int32_t)(1 + amount(random, 1000000));
		shares[i].sockets = unit_between(random, 0, 2) ? 0 :
				    (uint32_t)unit_between(random, 0, UINT32_MAX);
		any_resources(random, &shares[i].amount);
	}
}

static void any_pools(uint64_t *random, struct lxfw_request *request)
{
	int32_t pool = 0;

	request->pool_count = (uint8_t)unit_between(random, 1, LXFW_POOLS_MAX);
	for (int i = 0; i < request->pool_count; i++) {
		pool += (int32_t)(1 + amount(random, 1000000));
		request->pools[i] = (struct lxfw_pool_need){
			.pool = pool, .amount = 1 + (int32_t)amount(random, INT32_MAX - 1),
		};
	}
	request->no_quantum = true;
	request->min_procs = 0;
}

static void any_request(uint64_t *random, struct lxfw_request *request)
{
	memset(request, 0, sizeof(*request));
	request->id = any_id(random);
	request->submit = any_time(random);
	request->estimate = 1 + amount(random, INT64_MAX - 1);
	if (request->estimate > 1)
		request->min_estimate = amount(random, request->estimate - 1);
	any_resources(random, &request->unit);
	request->unit.procs |= 1;
	request->count = 1 + (int32_t)amount(random, INT32_MAX - 1);
	request->max_hosts = (int32_t)amount(random, INT32_MAX);
	request->tier = (int32_t)unit_between(random, INT32_MIN, INT32_MAX);
	request->shape = (uint8_t)unit_between(random, LXFW_SHAPE_HOSTS,
					       LXFW_SHAPE_ANYWHERE);
	if (request->shape == LXFW_SHAPE_ANYWHERE &&
	    unit_between(random, 0, 1)) {
		request->min_hosts = (int32_t)amount(random, INT32_MAX);
		any_resources(random, &request->per_host);
		request->per_host.procs = 0;
	}
	request->exclusive = unit_between(random, 0, 1);
	request->no_quantum = unit_between(random, 0, 1);
	request->no_reservation = unit_between(random, 0, 3) == 0;
	request->rigid = unit_between(random, 0, 1);
	if (!request->rigid)
		request->min_procs = (int32_t)amount(random, request->unit.procs);
	request->host_set_count =
		(uint8_t)unit_between(random, 0, LXFW_HOST_SETS_MAX);
	for (int i = 0; i < request->host_set_count; i++)
		request->host_sets[i] = (int32_t)amount(random, INT32_MAX);
	if (request->host_set_count && unit_between(random, 0, 3) == 0) {
		int32_t last = request->host_sets[request->host_set_count - 1];

		request->more_sets = last < INT32_MAX ?
			(int32_t)amount(random, INT32_MAX - last) : 0;
	}
	if (unit_between(random, 0, 3) == 0) {
		request->group = any_id(random);
		request->group_count = (int32_t)amount(random, INT32_MAX);
	}
	if (unit_between(random, 0, 3) == 0)
		any_pools(random, request);
}

static double any_weight(uint64_t *random)
{
	return (double)unit_between(random, 0, 1000000000000) / 1e6;
}

static void any_params(uint64_t *random, struct lxfw_params *params)
{
	memset(params, 0, sizeof(*params));
	lxfw_params_preset(params, (enum lxfw_policy)unit_between(random,
				   LXFW_POLICY_FCFS, lxfw_policy_count));
	params->ww = any_weight(random);
	params->wx = any_weight(random);
	params->wp = any_weight(random);
	params->wm = any_weight(random);
	params->wpe = any_weight(random);
	params->wbypass = any_weight(random);
	params->reservation_mode = (enum lxfw_reservation_mode)unit_between(
		random, LXFW_RESERVATION_DYNAMIC, LXFW_RESERVATION_COMPRESS);
	params->age_first = amount(random, 31536000);
	params->reservation_age = amount(random, 31536000);
	params->reservation_priority = amount(random, UINT32_MAX);
	params->reservation_window = amount(random, 31536000);
	params->backfill_interval = amount(random, 86400);
	params->main_pass = (enum lxfw_main_pass)unit_between(
		random, LXFW_MAIN_PASS_ON, LXFW_MAIN_PASS_OFF);
	params->placement = (enum lxfw_placement)unit_between(
		random, LXFW_PLACEMENT_PAPER, LXFW_PLACEMENT_WORST);
	params->spare_gpus = (enum lxfw_spare_gpus)unit_between(
		random, LXFW_SPARE_GPUS_OFF, LXFW_SPARE_GPUS_ON);
	params->interval = amount(random, 86400);
	params->quantum_mode = (enum lxfw_quantum_mode)unit_between(
		random, LXFW_QUANTUM_OFF, LXFW_QUANTUM_PREEMPT);
	params->quantum_end = (enum lxfw_quantum_end)unit_between(
		random, LXFW_QUANTUM_REQUEUE, LXFW_QUANTUM_SUSPEND);
	params->quantum = amount(random, 86400);
	params->quantum_mem = 1 + amount(random, 1000000);
	params->quantum_min_run = amount(random, 86400);
	if (unit_between(random, 0, 1)) {
		params->victim_suspensions = amount(random, 1000000);
		params->victim_interval = amount(random, 86400);
		params->victim_share = amount(random, 100);
	}
	params->eq_min_interval = amount(random, 86400);
	params->eq_full_after = amount(random, 86400);
	if (unit_between(random, 0, 1))
		params->reservations = 1 + (int32_t)amount(random, 999999);
}

/* A name of LENGTH bytes, each at least FIRST. */
static void any_name(uint64_t *random, char *name, int length, int first)
{
	for (int i = 0; i < length; i++) {
		do
			name[i] = (char)unit_between(random, first, 0xff);
		while (name[i] == 0x7f);
	}
	name[length] = '\0';
}

static void any_class_name(uint64_t *random, char *name)
{
	any_name(random, name,
		 (int)unit_between(random, 1, LXFW_CLASS_NAME_SIZE - 1), 0x21);
}

/* A number of at least LOW. */
static int64_t any_above(uint64_t *random, int64_t low, int64_t most)
{
	return low + (low < most ? amount(random, most - low) : 0);
}

static void any_classes(uint64_t *random, struct lxfw_job_classes *classes)
{
	int64_t cpu = 1, run = 1, memory_mb = 0;
	int32_t procs = 1;

	classes->time_count =
		(int32_t)unit_between(random, 1, LXFW_TIME_CLASSES_MAX);
	classes->size_count =
		(int32_t)unit_between(random, 1, LXFW_SIZE_CLASSES_MAX);
	for (int i = 0; i < classes->time_count; i++) {
		struct lxfw_time_class *class = &classes->times[i];

		any_class_name(random, class->name);
		cpu = class->cpu_per_proc = any_above(random, cpu, INT64_MAX);
		run = class->run_time = any_above(random, run, INT64_MAX);
		class->reserve_wait = amount(random, INT64_MAX);
		class->running_most = (int32_t)amount(random, INT32_MAX);
	}
	for (int i = 0; i < classes->size_count; i++) {
		struct lxfw_size_class *class = &classes->sizes[i];

		any_class_name(random, class->name);
		procs = class->procs =
			(int32_t)any_above(random, procs, INT32_MAX);
		memory_mb = class->memory_mb =
			any_above(random, memory_mb, INT64_MAX);
	}
}

static void any_host_rules(uint64_t *random,
			   const struct lxfw_job_classes *classes,
			   struct lxfw_host_rules *rules)
{
	int32_t first = (int32_t)unit_between(random, 0, 15);

	for (int i = 0; i < classes->size_count; i++) {
		rules->running_most[i] = (int32_t)amount(random, INT32_MAX);
		rules->order[i] = (first + i) % classes->size_count;
	}
	rules->order_count =
		(int32_t)unit_between(random, 0, classes->size_count);
	for (int i = 0; i < classes->time_count; i++)
		rules->rank[i] = (int32_t)unit_between(
			random, -1, LXFW_TIME_CLASSES_MAX - 1);
}

static void any_job_classes(uint64_t *random, struct random_event *into)
{
	struct lxfw_job_classes *classes = &into->job_classes;

	any_classes(random, classes);
	classes->rules_count = any_count(random);
	classes->rules = into->rules;
	for (int i = 0; i < classes->rules_count; i++)
		any_host_rules(random, classes, &into->rules[i]);
	classes->host_count = any_count(random);
	classes->rules_of = into->hosts;
	for (int i = 0; i < classes->host_count; i++)
		into->hosts[i] = (int32_t)unit_between(
			random, -1, classes->rules_count - 1);
}

/* LXFW_REASON_NONE or a reason of the part. */
static enum lxfw_reason any_reason(uint64_t *random, enum lxfw_reason_part part)
{
	int64_t at = unit_between(random, -1, lxfw_reason_count(part) - 1);

	return at < 0 ? LXFW_REASON_NONE : lxfw_reason_at(part, (int)at);
}

void random_event(uint64_t *random, int type, struct random_event *into)
{
	struct lxfw_event *event = &into->event;

	memset(into, 0, sizeof(*into));
	event->type = type ? (enum lxfw_event_type)type :
		(enum lxfw_event_type)unit_between(random, LXFW_EVENT_HOST,
						   LXFW_EVENT_LAST);
	event->time = any_time(random);
	switch (event->type) {
	case LXFW_EVENT_HOST:
		event->host.index = (int32_t)amount(random, INT32_MAX);
		event->host.up = unit_between(random, 0, 1);
		any_resources(random, &event->host.total);
		any_name(random, into->name, (int)amount(random, 255), 0x20);
		event->host.name = into->name;
		event->host.weight = unit_between(random, 0, 1) ?
			amount(random, LXFW_HOST_WEIGHT_MAX) : -1;
		event->host.boot = amount(random, LXFW_BOOT_MAX);
		event->host.gpus = (uint8_t)unit_between(random, 0, (1 << LXFW_EXTRAS_MAX) - 1);
		event->host.sockets = unit_between(random, 0, 2) ? 0 :
				      (uint32_t)unit_between(random, 0, UINT32_MAX);
		break;
	case LXFW_EVENT_HOST_SET:
		event->host_set.id = (int32_t)amount(random, INT32_MAX);
		event->host_set.count = any_count(random);
		any_shares(random, into->shares, event->host_set.count);
		for (int i = 0; i < event->host_set.count; i++)
			into->hosts[i] = into->shares[i].host;
		event->host_set.hosts = into->hosts;
		break;
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		any_request(random, &into->request);
		event->request = &into->request;
		break;
	case LXFW_EVENT_JOB_RUN:
		event->run.id = any_id(random);
		event->run.expected_end = any_time(random);
		event->run.count = any_count(random);
		any_shares(random, into->shares, event->run.count);
		/* Shares may be in any order. */
		if (event->run.count > 2) {
			into->shares[1].host = into->shares[0].host;
			into->shares[0].host = INT32_MAX;
		}
		event->run.shares = into->shares;
		if (unit_between(random, 0, 1)) {
			event->run.past.since = 1 - amount(random, INT32_MAX);
			event->run.past.ran = amount(random, INT32_MAX);
			event->run.past.submit = -amount(random, INT32_MAX);
			event->run.past.suspensions =
				amount(random, LXFW_SUSPENSIONS_UNKNOWN);
			event->run.past.suspended = amount(random, INT32_MAX);
		}
		/* Of a suspended job, the number of suspensions is known. */
		if (event->run.past.since == 0 || unit_between(random, 0, 3) == 0)
			event->run.past = (struct lxfw_run_past){
				.suspensions = event->run.past.suspensions,
			};
		break;
	case LXFW_EVENT_JOB_END:
		event->end.id = any_id(random);
		break;
	case LXFW_EVENT_JOB_REFUSED:
		event->refused.id = any_id(random);
		event->refused.until = any_time(random);
		event->refused.reason = any_reason(random, LXFW_REASONS_REFUSED);
		break;
	case LXFW_EVENT_BLOCK:
		event->block.id = any_id(random) - 1;
		event->block.start = any_time(random);
		event->block.end = any_time(random);
		event->block.count = any_count(random);
		any_shares(random, into->shares, event->block.count);
		event->block.shares = into->shares;
		break;
	case LXFW_EVENT_PARAMS:
		any_params(random, &into->params);
		event->params = &into->params;
		break;
	case LXFW_EVENT_JOB_CLASSES:
		any_job_classes(random, into);
		event->job_classes = &into->job_classes;
		break;
	case LXFW_EVENT_JOB_PRIORITY:
		event->priority.id = any_id(random);
		event->priority.priority = amount(random, INT32_MAX) - INT32_MAX / 2;
		event->priority.delay = amount(random, INT32_MAX) - INT32_MAX / 2;
		break;
	case LXFW_EVENT_JOB_ASIDE:
		event->aside.id = any_id(random);
		event->aside.reason = any_reason(random, unit_between(random, 0, 1) ?
						 LXFW_REASONS_INELIGIBLE : LXFW_REASONS_LEFT);
		event->aside.submit = amount(random, LXFW_TIME_MAX);
		event->aside.until = amount(random, LXFW_TIME_MAX);
		event->aside.limited = (enum lxfw_limited)unit_between(random, 0,
								      LXFW_LIMITEDS - 1);
		break;
	case LXFW_EVENT_EXTRA:
		event->extra.index = (int32_t)unit_between(random, 0, LXFW_EXTRAS_MAX - 1);
		event->extra.name = "gpu:a100";
		break;
	}
}

void random_decision(uint64_t *random, struct random_decision *into)
{
	struct lxfw_decision *decision = &into->decision;

	memset(into, 0, sizeof(*into));
	decision->count = (size_t)any_count(random);
	decision->wake = any_time(random);
	decision->actions = into->actions;
	for (size_t i = 0; i < decision->count; i++) {
		struct lxfw_action *action = &into->actions[i];

		action->type = (enum lxfw_action_type)unit_between(random,
				LXFW_ACTION_START, LXFW_ACTION_LAST);
		action->job = any_id(random);
		action->start = any_time(random);
		action->until = LXFW_NEVER;
		if (action->type == LXFW_ACTION_START &&
		    unit_between(random, 0, 1)) {
			action->start = amount(random, LXFW_TIME_MAX / 2);
			action->until = action->start + 1 +
					amount(random, LXFW_TIME_MAX / 4);
		}
		if (action->type == LXFW_ACTION_START)
			action->limit = amount(random, INT64_MAX);
		action->host_set = (int32_t)unit_between(random, 0,
						LXFW_HOST_SETS_MAX - 1);
		action->count = any_count(random);
		any_shares(random, into->shares[i], action->count);
		action->shares = into->shares[i];
	}
}
