/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/tasks.h"

#include "plugins/slurm/bridge/bridge.h"

/* Number of tasks of one array that are reported at a time. */
#define TASKS_MAX 256

void lxfw_tasks_begin(const struct lxfw_bridge *bridge, const job_record_t *job,
		      struct lxfw_tasks *tasks)
{
	const job_array_struct_t *array = job->array_recs;

	*tasks = (struct lxfw_tasks){
		.array = job,
		.last = array->task_id_bitmap ? bit_fls(array->task_id_bitmap) : -1,
		.left = lxfw_depth_tasks(&bridge->depth, job, TASKS_MAX),
	};
	if (tasks->last >= 0)
		tasks->next = bit_ffs(array->task_id_bitmap);
	if (array->max_run_tasks) {
		uint32_t left = 0;

		if (array->tot_run_tasks < array->max_run_tasks)
			left = array->max_run_tasks - array->tot_run_tasks;
		if (left < tasks->left)
			tasks->left = left;
	}
}

uint64_t lxfw_tasks_next(struct lxfw_tasks *tasks)
{
	const job_record_t *job = tasks->array;

	while (tasks->left > 0 && tasks->next <= tasks->last) {
		int64_t task = tasks->next++;

		if (!bit_test(job->array_recs->task_id_bitmap, task))
			continue;
		tasks->left--;
		return lxfw_job_id(job->job_id, job->array_job_id, (uint32_t)task);
	}
	return 0;
}
