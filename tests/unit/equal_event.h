/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compares events. Two events are equal if all fields that their type uses are equal,
 * strings and arrays by content. */
#ifndef LXFW_TESTS_EQUAL_EVENT_H
#define LXFW_TESTS_EQUAL_EVENT_H

#include "common/model/event.h"
#include "tests/unit/unit.h"

static void assert_resources(const struct lxfw_resources *a,
			     const struct lxfw_resources *b)
{
	assert_int_equal(a->procs, b->procs);
	assert_true(a->memory_mb == b->memory_mb);
	assert_memory_equal(a->extras, b->extras, sizeof(a->extras));
}

static void assert_shares(const struct lxfw_share *a, const struct lxfw_share *b,
			  int32_t count)
{
	for (int32_t i = 0; i < count; i++) {
		assert_int_equal(a[i].host, b[i].host);
		assert_int_equal(a[i].sockets, b[i].sockets);
		assert_resources(&a[i].amount, &b[i].amount);
	}
}

static void assert_request(const struct lxfw_request *a,
			   const struct lxfw_request *b)
{
	assert_true(a->id == b->id);
	assert_true(a->submit == b->submit);
	assert_true(a->estimate == b->estimate);
	assert_true(a->min_estimate == b->min_estimate);
	assert_resources(&a->unit, &b->unit);
	assert_int_equal(a->count, b->count);
	assert_int_equal(a->min_hosts, b->min_hosts);
	assert_int_equal(a->max_hosts, b->max_hosts);
	assert_resources(&a->per_host, &b->per_host);
	assert_int_equal(a->tier, b->tier);
	assert_int_equal(a->shape, b->shape);
	assert_int_equal(a->exclusive, b->exclusive);
	assert_int_equal(a->no_quantum, b->no_quantum);
	assert_int_equal(a->no_reservation, b->no_reservation);
	assert_int_equal(a->rigid, b->rigid);
	assert_int_equal(a->min_procs, b->min_procs);
	assert_int_equal(a->host_set_count, b->host_set_count);
	assert_memory_equal(a->host_sets, b->host_sets, sizeof(a->host_sets));
	assert_true(a->group == b->group);
	assert_int_equal(a->group_count, b->group_count);
	assert_int_equal(a->more_sets, b->more_sets);
	assert_int_equal(a->pool_count, b->pool_count);
	for (int i = 0; i < a->pool_count; i++) {
		assert_int_equal(a->pools[i].pool, b->pools[i].pool);
		assert_int_equal(a->pools[i].amount, b->pools[i].amount);
	}
}

static void assert_classes(const struct lxfw_job_classes *a,
			   const struct lxfw_job_classes *b)
{
	assert_int_equal(a->time_count, b->time_count);
	assert_int_equal(a->size_count, b->size_count);
	for (int32_t i = 0; i < a->time_count; i++) {
		assert_string_equal(a->times[i].name, b->times[i].name);
		assert_true(a->times[i].cpu_per_proc == b->times[i].cpu_per_proc);
		assert_true(a->times[i].run_time == b->times[i].run_time);
		assert_true(a->times[i].reserve_wait == b->times[i].reserve_wait);
		assert_int_equal(a->times[i].running_most,
				 b->times[i].running_most);
	}
	for (int32_t i = 0; i < a->size_count; i++) {
		assert_string_equal(a->sizes[i].name, b->sizes[i].name);
		assert_int_equal(a->sizes[i].procs, b->sizes[i].procs);
		assert_true(a->sizes[i].memory_mb == b->sizes[i].memory_mb);
	}
}

static void assert_job_classes(const struct lxfw_job_classes *a,
			       const struct lxfw_job_classes *b)
{
	assert_classes(a, b);
	assert_int_equal(a->rules_count, b->rules_count);
	for (int32_t i = 0; i < a->rules_count; i++) {
		const struct lxfw_host_rules *x = &a->rules[i];
		const struct lxfw_host_rules *y = &b->rules[i];

		assert_int_equal(x->order_count, y->order_count);
		assert_memory_equal(x->order, y->order,
				    (size_t)x->order_count * sizeof(int32_t));
		assert_memory_equal(x->rank, y->rank,
				    (size_t)a->time_count * sizeof(int32_t));
		assert_memory_equal(x->running_most, y->running_most,
				    (size_t)a->size_count * sizeof(int32_t));
	}
	assert_int_equal(a->host_count, b->host_count);
	assert_memory_equal(a->rules_of, b->rules_of,
			    (size_t)a->host_count * sizeof(int32_t));
}

static void assert_event(const struct lxfw_event *a, const struct lxfw_event *b)
{
	assert_int_equal(a->type, b->type);
	assert_true(a->time == b->time);
	switch (a->type) {
	case LXFW_EVENT_HOST:
		assert_int_equal(a->host.index, b->host.index);
		assert_int_equal(a->host.up, b->host.up);
		assert_resources(&a->host.total, &b->host.total);
		assert_string_equal(a->host.name, b->host.name);
		assert_true(a->host.weight == b->host.weight);
		assert_true(a->host.boot == b->host.boot);
		assert_int_equal(a->host.gpus, b->host.gpus);
		assert_int_equal(a->host.sockets, b->host.sockets);
		break;
	case LXFW_EVENT_HOST_SET:
		assert_int_equal(a->host_set.id, b->host_set.id);
		assert_int_equal(a->host_set.count, b->host_set.count);
		assert_memory_equal(a->host_set.hosts, b->host_set.hosts,
				    (size_t)a->host_set.count * sizeof(int32_t));
		break;
	case LXFW_EVENT_JOB_SUBMIT:
	case LXFW_EVENT_JOB_CHANGE:
		assert_request(a->request, b->request);
		break;
	case LXFW_EVENT_JOB_RUN:
		assert_true(a->run.id == b->run.id);
		assert_true(a->run.expected_end == b->run.expected_end);
		assert_int_equal(a->run.count, b->run.count);
		assert_shares(a->run.shares, b->run.shares, a->run.count);
		assert_memory_equal(&a->run.past, &b->run.past,
				    sizeof(a->run.past));
		break;
	case LXFW_EVENT_JOB_END:
		assert_true(a->end.id == b->end.id);
		break;
	case LXFW_EVENT_JOB_REFUSED:
		assert_true(a->refused.id == b->refused.id);
		assert_true(a->refused.until == b->refused.until);
		assert_int_equal(a->refused.reason, b->refused.reason);
		break;
	case LXFW_EVENT_BLOCK:
		assert_true(a->block.id == b->block.id);
		assert_true(a->block.start == b->block.start);
		assert_true(a->block.end == b->block.end);
		assert_int_equal(a->block.count, b->block.count);
		assert_shares(a->block.shares, b->block.shares, a->block.count);
		break;
	case LXFW_EVENT_PARAMS:
		assert_true(lxfw_params_same(a->params, b->params));
		break;
	case LXFW_EVENT_JOB_CLASSES:
		assert_job_classes(a->job_classes, b->job_classes);
		break;
	case LXFW_EVENT_JOB_ASIDE:
		assert_true(a->aside.id == b->aside.id);
		assert_int_equal(a->aside.reason, b->aside.reason);
		assert_int_equal(a->aside.limited, b->aside.limited);
		assert_true(a->aside.submit == b->aside.submit);
		assert_true(a->aside.until == b->aside.until);
		break;
	case LXFW_EVENT_EXTRA:
		assert_int_equal(a->extra.index, b->extra.index);
		assert_string_equal(a->extra.name, b->extra.name);
		break;
	case LXFW_EVENT_JOB_PRIORITY:
		assert_true(a->priority.id == b->priority.id);
		assert_true(a->priority.priority == b->priority.priority);
		assert_true(a->priority.delay == b->priority.delay);
		break;
	}
}

#endif
