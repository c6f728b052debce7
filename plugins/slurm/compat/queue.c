/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The part of compat.h that builds Slurm's queue of a part of the jobs. */
#include "plugins/slurm/compat/compat.h"

static bool is_singleton(const job_record_t *job)
{
	lxfw_slurm_iterator each;
	const depend_spec_t *dependency;
	bool found = false;

	if (!job->details || !job->details->depend_list)
		return false;
	each = list_iterator_create(job->details->depend_list);
	while (!found && (dependency = list_next(each)) != NULL)
		found = dependency->depend_type == SLURM_DEPEND_SINGLETON;
	list_iterator_destroy(each);
	return found;
}

int64_t lxfw_compat_dependency_due(const job_record_t *job, int64_t now)
{
	lxfw_slurm_iterator each;
	const depend_spec_t *dependency;
	int64_t due = INT64_MAX;

	if (!job->details || !job->details->depend_list)
		return due;
	each = list_iterator_create(job->details->depend_list);
	while ((dependency = list_next(each)) != NULL) {
		const job_record_t *other;
		int64_t at;

		if (dependency->depend_type != SLURM_DEPEND_AFTER || !dependency->depend_time)
			continue;
		/* a job, a task of an array, or the record with whose start Slurm compares
		   a dependency on a whole array */
		other = find_job_array_rec(dependency->job_id, dependency->array_task_id);
		if (!other || IS_JOB_PENDING(other) || other->start_time <= 0)
			continue;
		at = other->start_time + (int64_t)dependency->depend_time;
		if (at > now && at < due)
			due = at;
	}
	list_iterator_destroy(each);
	return due;
}

/*
 * Slurm tests a dependency on the end of all jobs of the same name by a search of
 * job_list, and forgets a dependency that is met. Such a job must therefore be tested
 * against the complete list first.
 */
static lxfw_slurm_list list_of(job_record_t *const *jobs, size_t count, size_t *listed)
{
	lxfw_slurm_list some = list_create(NULL);

	*listed = 0;
	for (size_t i = 0; i < count; i++) {
		if (is_singleton(jobs[i]) && !job_independent(jobs[i]))
			continue;
		list_append(some, jobs[i]);
		(*listed)++;
	}
	return some;
}

lxfw_slurm_list lxfw_compat_queue_of(job_record_t *const *jobs, size_t count,
				     bool clear_starts)
{
	lxfw_slurm_list all = job_list, queue, some;
	job_record_t *job;
	size_t listed;

	some = list_of(jobs, count, &listed);
	/* The lock of the jobs protects the variable, too. */
	job_list = some;
	queue = build_job_queue(clear_starts, true);
	job_list = all;
	/* Slurm appends the records of tasks that it separates from their arrays. */
	while ((job = list_pop(some)) != NULL) {
		if (listed > 0)
			listed--;
		else
			list_append(all, job);
	}
	FREE_NULL_LIST(some);
	return queue;
}
