/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/limit.h"

static bool is_set(uint32_t minutes)
{
	return minutes && minutes != NO_VAL && minutes != INFINITE;
}

static bool has_deadline(const job_record_t *job)
{
	return job->deadline && job->deadline != (time_t)NO_VAL;
}

int64_t lxfw_limit_least(const job_record_t *job)
{
	return is_set(job->time_min) ? (int64_t)job->time_min * 60 : 0;
}

int64_t lxfw_limit_latest_start(const job_record_t *job)
{
	uint32_t minutes = is_set(job->time_min) ? job->time_min :
						   job->time_limit;

	if (!has_deadline(job) || !is_set(minutes))
		return INT64_MAX;
	return job->deadline - (int64_t)minutes * 60;
}

void lxfw_limit_shorten(job_record_t *job, int64_t seconds,
			struct lxfw_limit *before)
{
	int64_t minutes;

	*before = (struct lxfw_limit){
		.array_id = job->array_recs ? job->job_id : 0,
		.minutes = job->time_limit,
		.set = job->limit_set.time,
	};
	if (has_deadline(job) && job->deadline - time(NULL) < seconds)
		seconds = job->deadline - time(NULL);
	if (seconds == INT64_MAX)
		return;
	minutes = seconds / 60;
	if (minutes < (int64_t)job->time_min && is_set(job->time_min))
		minutes = job->time_min;
	if (minutes < 1)
		minutes = 1;
	if (minutes >= job->time_limit || minutes >= INFINITE)
		return;
	if (job->time_limit == NO_VAL)
		job->limit_set.time = 1;
	job->time_limit = (uint32_t)minutes;
}

static void restore(job_record_t *job, const struct lxfw_limit *before)
{
	job->time_limit = before->minutes;
	job->limit_set.time = before->set;
}

void lxfw_limit_started(job_record_t *job, bool started,
			const struct lxfw_limit *before)
{
	job_record_t *array = NULL;

	if (!started)
		restore(job, before);
	if (before->array_id)
		array = find_job_record(before->array_id);
	/* The record of the tasks that have not started is a copy made by the start. */
	if (array && array != job && IS_JOB_PENDING(array))
		restore(array, before);
}
