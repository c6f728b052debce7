/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/model/job_classes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* --- ranges ------------------------------------------------------------------ */

static bool name_valid(const char *name)
{
	int length = 0;

	while (length < LXFW_CLASS_NAME_SIZE && name[length] != '\0') {
		unsigned char byte = (unsigned char)name[length++];

		if (byte <= 0x20 || byte == 0x7f)
			return false;
	}
	return length > 0 && length < LXFW_CLASS_NAME_SIZE;
}

static bool times_valid(const struct lxfw_job_classes *classes)
{
	int64_t cpu = 1, run = 1;

	for (int32_t i = 0; i < classes->time_count; i++) {
		const struct lxfw_time_class *class = &classes->times[i];

		if (!name_valid(class->name) || class->cpu_per_proc < cpu ||
		    class->run_time < run || class->reserve_wait < 0 ||
		    class->running_most < 0)
			return false;
		cpu = class->cpu_per_proc;
		run = class->run_time;
	}
	return true;
}

static bool sizes_valid(const struct lxfw_job_classes *classes)
{
	int64_t memory_mb = 0;
	int32_t procs = 1;

	for (int32_t i = 0; i < classes->size_count; i++) {
		const struct lxfw_size_class *class = &classes->sizes[i];

		if (!name_valid(class->name) || class->procs < procs ||
		    class->memory_mb < memory_mb)
			return false;
		procs = class->procs;
		memory_mb = class->memory_mb;
	}
	return true;
}

static bool rules_valid(const struct lxfw_job_classes *classes,
			const struct lxfw_host_rules *rules)
{
	uint32_t seen = 0;

	if (rules->order_count < 0 || rules->order_count > classes->size_count)
		return false;
	for (int32_t i = 0; i < rules->order_count; i++) {
		int32_t size = rules->order[i];

		if (size < 0 || size >= classes->size_count || (seen >> size & 1))
			return false;
		seen |= UINT32_C(1) << size;
	}
	for (int32_t i = 0; i < classes->size_count; i++) {
		if (rules->running_most[i] < 0)
			return false;
	}
	for (int32_t i = 0; i < classes->time_count; i++) {
		if (rules->rank[i] < -1 || rules->rank[i] >= LXFW_TIME_CLASSES_MAX)
			return false;
	}
	return true;
}

bool lxfw_job_classes_valid(const struct lxfw_job_classes *classes)
{
	if (classes->time_count < 1 ||
	    classes->time_count > LXFW_TIME_CLASSES_MAX ||
	    classes->size_count < 1 ||
	    classes->size_count > LXFW_SIZE_CLASSES_MAX ||
	    classes->rules_count < 0 || classes->host_count < 0 ||
	    !times_valid(classes) || !sizes_valid(classes))
		return false;
	for (int32_t i = 0; i < classes->rules_count; i++) {
		if (!rules_valid(classes, &classes->rules[i]))
			return false;
	}
	for (int32_t i = 0; i < classes->host_count; i++) {
		if (classes->rules_of[i] < -1 ||
		    classes->rules_of[i] >= classes->rules_count)
			return false;
	}
	return true;
}

/* --- copies -------------------------------------------------------------------- */

static size_t rules_bytes(const struct lxfw_job_classes *classes)
{
	return (size_t)classes->rules_count * sizeof(*classes->rules);
}

static size_t hosts_bytes(const struct lxfw_job_classes *classes)
{
	return (size_t)classes->host_count * sizeof(*classes->rules_of);
}

size_t lxfw_job_classes_size(const struct lxfw_job_classes *classes)
{
	return sizeof(*classes) + rules_bytes(classes) + hosts_bytes(classes);
}

struct lxfw_job_classes *
lxfw_job_classes_copy_to(void *to, const struct lxfw_job_classes *classes)
{
	struct lxfw_job_classes *copy = to;
	char *rules = (char *)(copy + 1), *hosts = rules + rules_bytes(classes);

	*copy = *classes;
	if (classes->rules_count > 0)
		memcpy(rules, classes->rules, rules_bytes(classes));
	if (classes->host_count > 0)
		memcpy(hosts, classes->rules_of, hosts_bytes(classes));
	copy->rules = (const void *)rules;
	copy->rules_of = (const void *)hosts;
	return copy;
}

struct lxfw_job_classes *
lxfw_job_classes_copy(const struct lxfw_job_classes *classes)
{
	void *to = malloc(lxfw_job_classes_size(classes));

	if (!to) {
		errno = ENOMEM;
		return NULL;
	}
	return lxfw_job_classes_copy_to(to, classes);
}

/* --- the class of a job ---------------------------------------------------------- */

int32_t lxfw_job_class_of(const struct lxfw_job_classes *classes,
			  const struct lxfw_request *request)
{
	struct lxfw_resources sum = lxfw_request_sum(request);
	int32_t time = 0, size = 0;

	if (request->shape == LXFW_SHAPE_HOSTS && request->count > 1)
		return -1;
	while (time < classes->time_count &&
	       (request->estimate > classes->times[time].cpu_per_proc ||
		request->estimate > classes->times[time].run_time))
		time++;
	while (size < classes->size_count &&
	       (sum.procs > classes->sizes[size].procs ||
		sum.memory_mb > classes->sizes[size].memory_mb))
		size++;
	if (time == classes->time_count || size == classes->size_count)
		return -1;
	return time * classes->size_count + size;
}

bool lxfw_job_class_runs(const struct lxfw_job_classes *classes,
			 const struct lxfw_host_rules *rules, int32_t job_class)
{
	int32_t time = lxfw_job_class_time(classes, job_class);
	int32_t size = lxfw_job_class_size(classes, job_class);

	if (rules->rank[time] < 0 || rules->running_most[size] == 0 ||
	    classes->times[time].running_most == 0)
		return false;
	for (int32_t i = 0; i < rules->order_count; i++) {
		if (rules->order[i] == size)
			return true;
	}
	return false;
}
