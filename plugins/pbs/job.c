/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/job.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/text.h"

/* The largest index of the server. */
#define TASK_MAX INT32_MAX

const char *const lxfw_pbs_job_attributes[] = {
	"job_state", "substate", "queue", "schedselect", "Resource_List", "exec_vnode",
	"comment", "Job_Owner", "euser", "array_indices_remaining", "array", "etime", "qtime",
	"queue_rank", "stime", "resources_used", "run_count", "max_run_subjobs", "Rerunable", "estimated",
	"Priority", "egroup", "project", "eligible_time", "accrue_type", "Account_Name", "mtime",
	"Hold_Types", "depend", "Execution_Time",
	NULL
};

bool lxfw_pbs_property_add(struct lxfw_pbs_property **list, size_t *count, size_t *size,
			   const char *name, const char *value)
{
	struct lxfw_pbs_property *property;

	if (LXFW_GROW(*list, *size, *count + 1))
		return false;
	property = &(*list)[(*count)++];
	property->name = strdup(name);
	property->value = strdup(value);
	return property->name && property->value;
}

void lxfw_pbs_properties_clear(struct lxfw_pbs_property *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		free(list[i].name);
		free(list[i].value);
	}
	free(list);
}

void lxfw_pbs_job_begin(struct lxfw_pbs_job *job, const char *id)
{
	memset(job, 0, sizeof(*job));
	job->id = strdup(id);
	job->failed = !job->id;
	job->walltime = job->walltime_min = job->walltime_max = job->ran = -1;
	job->eligible_time = -1;
	job->task = -1;
	job->rerunable = true;
}

static void copy(struct lxfw_pbs_job *job, char **to, const char *value)
{
	free(*to);
	*to = strdup(value);
	job->failed |= !*to;
}

static void set_limit(int64_t *seconds, const char *value)
{
	if (lxfw_pbs_duration(value, seconds) && *seconds > LXFW_PBS_FOREVER)
		*seconds = LXFW_PBS_FOREVER;
}

static void set_walltime(struct lxfw_pbs_job *job, const char *value)
{
	int64_t seconds;

	if (lxfw_pbs_duration(value, &seconds) && seconds > LXFW_PBS_FOREVER)
		copy(job, &job->endless, value);
	set_limit(&job->walltime, value);
}

/* Resources of the whole job. */
static void set_request(struct lxfw_pbs_job *job, const char *resource, const char *value)
{
	if (!resource)
		return;
	if (strcmp(resource, "walltime") == 0)
		set_walltime(job, value);
	else if (strcmp(resource, "min_walltime") == 0)
		set_limit(&job->walltime_min, value);
	else if (strcmp(resource, "max_walltime") == 0)
		set_limit(&job->walltime_max, value);
	else if (strcmp(resource, "place") == 0)
		copy(job, &job->place, value);
	else if (!lxfw_pbs_property_add(&job->wide, &job->wide_count, &job->wide_size,
					resource, value))
		job->failed = true;
}

static void set_used(struct lxfw_pbs_job *job, const char *resource, const char *value)
{
	if (strcmp(resource, "walltime") == 0)
		(void)lxfw_pbs_duration(value, &job->ran);
	if (!lxfw_pbs_property_add(&job->used, &job->used_count, &job->used_size, resource,
				   value))
		job->failed = true;
}

void lxfw_pbs_job_set(struct lxfw_pbs_job *job, const char *name, const char *resource,
		      const char *value)
{
	const struct {
		const char *name;
		char **text;
		int64_t *number;
		bool *truth;
	} fields[] = {
		{ .name = "queue", .text = &job->queue },
		{ .name = "schedselect", .text = &job->select },
		{ .name = "exec_vnode", .text = &job->vnodes },
		{ .name = "comment", .text = &job->comment },
		{ .name = "Job_Owner", .text = &job->owner },
		{ .name = "euser", .text = &job->user },
		{ .name = "egroup", .text = &job->group },
		{ .name = "project", .text = &job->project },
		{ .name = "Account_Name", .text = &job->account },
		{ .name = "array_indices_remaining", .text = &job->remaining },
		{ .name = "Hold_Types", .text = &job->holds },
		{ .name = "depend", .text = &job->depends },
		{ .name = "Execution_Time", .number = &job->begin },
		{ .name = "etime", .number = &job->eligible },
		{ .name = "qtime", .number = &job->queued },
		{ .name = "queue_rank", .number = &job->rank },
		{ .name = "stime", .number = &job->started },
		{ .name = "run_count", .number = &job->runs },
		{ .name = "accrue_type", .number = &job->accrue_type },
		{ .name = "max_run_subjobs", .number = &job->most_tasks },
		{ .name = "array", .truth = &job->array },
		{ .name = "Rerunable", .truth = &job->rerunable },
	};
	int64_t number;

	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (strcmp(name, fields[i].name) != 0)
			continue;
		if (fields[i].text)
			copy(job, fields[i].text, value);
		else if (fields[i].number)
			(void)lxfw_pbs_number(value, fields[i].number);
		else
			(void)lxfw_pbs_truth(value, fields[i].truth);
		return;
	}
	if (strcmp(name, "job_state") == 0)
		job->state = *value;
	else if (strcmp(name, "substate") == 0 && lxfw_pbs_number(value, &number) &&
		 number < 1000)
		job->substate = (int)number;
	else if (strcmp(name, "Priority") == 0)
		job->priority = strtol(value, NULL, 10);
	else if (strcmp(name, "eligible_time") == 0)
		(void)lxfw_pbs_duration(value, &job->eligible_time);
	else if (strcmp(name, "Resource_List") == 0)
		set_request(job, resource, value);
	else if (strcmp(name, "resources_used") == 0 && resource)
		set_used(job, resource, value);
	else if (strcmp(name, "estimated") == 0 && resource &&
		 strcmp(resource, "start_time") == 0)
		(void)lxfw_pbs_number(value, &job->estimated);
}

void lxfw_pbs_job_clear(struct lxfw_pbs_job *job)
{
	free(job->id);
	free(job->queue);
	free(job->select);
	free(job->place);
	free(job->vnodes);
	free(job->comment);
	free(job->owner);
	free(job->user);
	free(job->remaining);
	free(job->odd);
	free(job->group);
	free(job->project);
	free(job->account);
	free(job->endless);
	lxfw_pbs_properties_clear(job->used, job->used_count);
	free(job->held_back);
	free(job->holds);
	free(job->depends);
	lxfw_pbs_properties_clear(job->wide, job->wide_count);
	memset(job, 0, sizeof(*job));
}

bool lxfw_pbs_job_id(const char *id, uint64_t *number, int64_t *task, bool *array)
{
	unsigned long long value;
	char *end;

	if (!isdigit((unsigned char)*id))
		return false;
	errno = 0;
	value = strtoull(id, &end, 10);
	if (errno)
		return false;
	*task = -1;
	*array = false;
	if (*end == '[' && end[1] == ']') {
		*array = true;
		end += 2;
	} else if (*end == '[') {
		if (!isdigit((unsigned char)end[1]))
			return false;
		*task = strtoll(end + 1, &end, 10);
		if (errno || *end++ != ']')
			return false;
	}
	if (*end && *end != '.')
		return false;
	*number = value;
	return true;
}

/* The digits at *AT, or -1. */
static int64_t number_at(const char **at)
{
	char *end;
	long long value;

	if (!isdigit((unsigned char)**at))
		return -1;
	errno = 0;
	value = strtoll(*at, &end, 10);
	*at = end;
	return errno || value > TASK_MAX ? -1 : value;
}

/* A range that has begun is read again from its beginning: *AT stays there until its last
   number has been returned. */
int64_t lxfw_pbs_next_task(const char **at, int64_t *last)
{
	while (**at) {
		const char *text = *at;
		int64_t first = number_at(&text), end = first, step = 1, next;

		if (first < 0)
			return -1;
		if (*text == '-') {
			text++;
			end = number_at(&text);
			if (end < first)
				return -1;
		}
		if (*text == ':') {
			text++;
			step = number_at(&text);
			if (step <= 0)
				return -1;
		}
		if (*text == ',')
			text++;
		else if (*text)
			return -1;
		next = first;
		if (*last >= first)
			next = first + ((*last - first) / step + 1) * step;
		if (next <= end) {
			*last = next;
			return next;
		}
		*at = text;
	}
	return -1;
}
