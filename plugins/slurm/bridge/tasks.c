/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/tasks.h"

#include "plugins/slurm/bridge/bridge.h"

/* Number of tasks of one array that are reported whatever the machine is. */
#define TASKS_LEAST 256

void lxfw_tasks_look(struct lxfw_bridge *bridge)
{
	struct lxfw_tasks_room *room = &bridge->tasks;
	int64_t procs = 0;

	if (bridge->agent.slice > 0)
		return;
	for (int32_t i = 0; i < bridge->hosts.count; i++) {
		const struct lxfw_known_host *host = &bridge->agent.hosts.host[i];

		procs += host->up ? host->total.procs : 0;
	}
	room->more_procs = procs - room->procs;
	room->more_tasks = LXFW_TASKS_MAX - room->tasks;
	room->tasks = 0;
	room->procs = 0;
}

void lxfw_tasks_begin(struct lxfw_bridge *bridge, const job_record_t *job,
		      struct lxfw_tasks *tasks)
{
	const job_array_struct_t *array = job->array_recs;

	*tasks = (struct lxfw_tasks){
		.array = job,
		.last = array->task_id_bitmap ? bit_fls(array->task_id_bitmap) : -1,
		.bridge = bridge,
		.left = lxfw_depth_tasks(&bridge->depth, job, UINT32_MAX),
		.sure = TASKS_LEAST,
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

/* Returns true if a task after those that are reported in any case is reported, too. */
static bool has_room(struct lxfw_tasks *tasks, uint64_t id)
{
	struct lxfw_tasks_room *room = &tasks->bridge->tasks;
	const struct lxfw_known_job *known = lxfw_table_find_near(&tasks->bridge->agent.jobs,
								  id, &tasks->place);
	int64_t procs = tasks->array->details->min_cpus;

	if (procs < 1)
		procs = 1;
	if (!known || known->state == LXFW_KNOWN_NOT) {
		if (room->more_tasks <= 0 || room->more_procs < procs)
			return false;
		room->more_tasks--;
		room->more_procs -= procs;
	}
	tasks->place++;
	/* An array may be examined several times in a pass. */
	if (!known || known->seen != tasks->bridge->agent.pass) {
		room->tasks++;
		room->procs += procs;
	}
	return true;
}

uint64_t lxfw_tasks_next(struct lxfw_tasks *tasks)
{
	const job_record_t *job = tasks->array;

	while (tasks->left > 0 && tasks->next <= tasks->last) {
		int64_t task = tasks->next++;
		uint64_t id;

		if (!bit_test(job->array_recs->task_id_bitmap, task))
			continue;
		id = lxfw_job_id(job->job_id, job->array_job_id, (uint32_t)task);
		tasks->left--;
		if (tasks->sure > 0) {
			tasks->sure--;
			return id;
		}
		if (has_room(tasks, id))
			return id;
		tasks->left = 0;
	}
	return 0;
}
