/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/watch_mark.h"

#include <string.h>

/*
 * The mark is a sum of the fields, each times an odd number of its own. A change of one
 * field therefore always changes the mark. The products do not depend on each other, so that
 * the processor computes several at a time.
 */
struct mark {
	uint64_t sum, factor;
};

#define FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define NEXT UINT64_C(0xd1342543de82ef95)

static inline struct mark add(struct mark mark, uint64_t value)
{
	mark.sum += (value + 1) * mark.factor;
	mark.factor *= NEXT;	/* it stays odd */
	return mark;
}

/* Two numbers of 32 bits. */
static inline struct mark add_two(struct mark mark, uint32_t one, uint32_t other)
{
	return add(mark, (uint64_t)one << 32 | other);
}

static inline struct mark add_address(struct mark mark, const void *address)
{
	return add(mark, (uint64_t)(uintptr_t)address);
}

/* The text itself: a text that replaces another one may have its address. */
static inline struct mark add_text(struct mark mark, const char *text)
{
	size_t left = text ? strlen(text) : 0;

	mark = add(mark, left + (text != NULL));
	while (left > 0) {
		size_t part = left < sizeof(uint64_t) ? left : sizeof(uint64_t);
		uint64_t word = 0;

		memcpy(&word, text, part);
		mark = add(mark, word);
		text += part;
		left -= part;
	}
	return mark;
}

static inline struct mark add_array(struct mark mark, const job_record_t *job)
{
	const job_array_struct_t *array = job->array_recs;

	if (!array)
		return mark;
	mark = add_two(mark, job->array_task_id, array->task_cnt);
	return add_two(mark, array->tot_run_tasks, array->max_run_tasks);
}

/* What the job requests per TRES. Most jobs have none of these texts. */
static inline struct mark add_tres(struct mark mark, const job_record_t *job)
{
	if (!job->gres_list_req)
		return mark;
	mark = add_address(mark, job->gres_list_req);
	mark = add_text(mark, job->tres_per_job);
	mark = add_text(mark, job->tres_per_node);
	mark = add_text(mark, job->tres_per_socket);
	mark = add_text(mark, job->tres_per_task);
	mark = add_text(mark, job->cpus_per_tres);
	return add_text(mark, job->mem_per_tres);
}

static inline struct mark add_nodes(struct mark mark, const lxfw_slurm_details *details)
{
	mark = add_text(mark, details->features);
	mark = add_text(mark, details->prefer);
	mark = add_text(mark, details->exc_nodes);
	return add_text(mark, details->req_nodes);
}

static inline struct mark add_amounts(struct mark mark, const lxfw_slurm_details *details)
{
	const multi_core_data_t *cores = details->mc_ptr;

	mark = add_two(mark, details->min_cpus, details->max_cpus);
	mark = add_two(mark, details->min_nodes, details->max_nodes);
	mark = add_two(mark, details->num_tasks, details->pn_min_cpus);
	mark = add_two(mark, (uint32_t)details->cpus_per_task << 16 |
				     details->ntasks_per_node,
		       details->pn_min_tmp_disk);
	mark = add(mark, details->pn_min_memory);
	mark = add_two(mark, (uint32_t)details->core_spec << 16 |
				     details->contiguous,
		       (uint32_t)details->overcommit << 24 |
			       (uint32_t)details->share_res << 16 |
			       details->whole_node);
	if (cores)
		mark = add_two(mark, cores->threads_per_core,
			       cores->ntasks_per_socket);
	return mark;
}

static inline struct mark add_details(struct mark mark, const lxfw_slurm_details *details)
{
	mark = add(mark, (uint64_t)details->begin_time);
	mark = add(mark, (uint64_t)details->submit_time);
	mark = add_two(mark, details->nice, details->expanding_jobid);
	mark = add_two(mark, details->requeue, details->prolog_running);
	mark = add_text(mark, details->dependency);
	mark = add_amounts(mark, details);
	return add_nodes(mark, details);
}

/* The reason, without those that the scheduler sets. */
static uint32_t reason_of(const job_record_t *job)
{
	return job->state_reason == WAIT_PRIORITY ||
	       job->state_reason == WAIT_RESOURCES ?
		       WAIT_NO_REASON : job->state_reason;
}

static inline struct mark add_account(struct mark mark, const job_record_t *job)
{
	mark = add_address(mark, job->assoc_ptr);
	mark = add_address(mark, job->qos_ptr);
	mark = add_two(mark, job->assoc_id, job->qos_id);
	if (job->qos_ptr)
		mark = add_two(mark, job->qos_ptr->flags, job->qos_ptr->min_prio_thresh);
	return add_address(mark, lxfw_compat_qos_choice(job));
}

uint64_t lxfw_watch_mark(const job_record_t *job)
{
	struct mark mark = { .factor = FACTOR };

	mark = add_two(mark, job->job_id, job->job_state);
	mark = add_two(mark, job->priority, reason_of(job));
	mark = add_two(mark, job->time_limit, job->time_min);
	mark = add(mark, (uint64_t)job->deadline);
	mark = add_address(mark, job->part_ptr);
	if (job->part_ptr_list)
		mark = add_text(mark, job->partition);
	mark = add_account(mark, job);
	mark = add_two(mark, job->direct_set_prio, job->limit_set.time);
	mark = add_two(mark, job->het_job_id, job->req_switch);
	mark = add_two(mark, job->resv_id, job->restart_cnt);
	mark = add_text(mark, job->resv_name);
	mark = add_text(mark, job->burst_buffer);
	mark = add_text(mark, job->comment);
	mark = add_text(mark, job->licenses);
	mark = add_two(mark, lxfw_compat_max_nodes(job), job->batch_flag);
	mark = add(mark, job->spank_job_env_size);
	mark = add_array(mark, job);
	mark = add_tres(mark, job);
	mark = add_details(mark, job->details);
	return mark.sum ? mark.sum : 1;
}
