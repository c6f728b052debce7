/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/select-lxfw/layer.h"

#include "plugins/slurm/bridge/overlap.h"

/*
 * Two jobs of a partition may have the same cores if they were resumed before this
 * plugin was in use. select/cons_tres then cannot enter the second job into its records
 * and leaves out all of its cores. These count as idle as long as the job runs.
 * Therefore the cores that only the second job has are entered under a stub record.
 * When a job of such a node has left, the records are rebuilt.
 */
static job_record_t *stubs;
static int stub_count;
static bool stale;

/* Marks JOB's cores in TAKEN. Cores that were marked already are removed from the copy
   MINE. Returns true if there were any. */
static bool take_cores(job_record_t *job, bitstr_t *taken,
		       job_resources_t *mine)
{
	job_resources_t *held = job->job_resrcs;
	bool twice = false;
	uint32_t position = 0;

	for (int node = bit_ffs(held->node_bitmap);
	     node >= 0 && node < node_record_count && position < held->nhosts;
	     node++) {
		int count, first, base;

		if (!bit_test(held->node_bitmap, node))
			continue;
		first = lxfw_first_core(held, position++, &count);
		base = (int)cr_get_coremap_offset((uint32_t)node);
		for (int core = 0; first >= 0 && core < count &&
				   base + core < (int)bit_size(taken); core++) {
			if (!bit_test(held->core_bitmap, first + core))
				continue;
			if (bit_test(taken, base + core)) {
				twice = true;
				bit_clear(mine->core_bitmap, first + core);
			} else {
				bit_set(taken, base + core);
			}
		}
	}
	return twice;
}

static void add_stub(const job_record_t *job, job_resources_t *mine)
{
	job_record_t *stub;

	xrecalloc(stubs, stub_count + 1, sizeof(*stubs));
	stub = &stubs[stub_count++];
	stub->magic = JOB_MAGIC;
	stub->job_id = job->job_id;
	stub->array_task_id = NO_VAL;
	stub->part_ptr = job->part_ptr;
	stub->start_time = job->start_time;
	stub->job_resrcs = mine;
	mine->node_req = 0;	/* counted with the job itself */
}

static bool has_cores(const job_record_t *job)
{
	return job->magic == JOB_MAGIC && IS_JOB_RUNNING(job) &&
	       job->job_resrcs && job->job_resrcs->core_bitmap &&
	       job->job_resrcs->node_bitmap;
}

/* Examines the jobs of one partition in the order in which the stock plugin enters
   them. */
static void find_in(const part_record_t *part)
{
	bitstr_t *taken = bit_alloc(
		(bitoff_t)cr_get_coremap_offset((uint32_t)node_record_count));
	lxfw_slurm_iterator each = list_iterator_create(job_list);
	job_record_t *job;

	while ((job = list_next(each)) != NULL) {
		job_resources_t *mine;

		if (!has_cores(job) || job->part_ptr != part ||
		    !lxfw_guard_has_its_own(job))
			continue;
		mine = copy_job_resources(job->job_resrcs);
		if (!take_cores(job, taken, mine)) {
			free_job_resources(&mine);
			continue;
		}
		error(LXFW_SELECT_TYPE ": JobId=%u runs on processors of "
				       "another job: no job is started on "
				       "them until one of the two has ended",
		      job->job_id);
		add_stub(job, mine);
	}
	list_iterator_destroy(each);
	FREE_NULL_BITMAP(taken);
}

void lxfw_overbooked_find(void)
{
	lxfw_slurm_iterator each;
	const part_record_t *part;

	stale = false;
	if (!part_list || !job_list || node_record_count <= 0)
		return;
	each = list_iterator_create(part_list);
	while ((part = list_next(each)) != NULL)
		find_in(part);
	list_iterator_destroy(each);
	/* The array does not grow any more. */
	for (int i = 0; i < stub_count; i++) {
		if (bit_ffs(stubs[i].job_resrcs->core_bitmap) >= 0)
			(void)lxfw_stock_job_resume(&stubs[i], true);
	}
}

void lxfw_overbooked_forget(void)
{
	for (int i = 0; i < stub_count; i++)
		free_job_resources(&stubs[i].job_resrcs);
	xfree(stubs);
	stub_count = 0;
}

void lxfw_overbooked_left(const job_record_t *job)
{
	if (!job->job_resrcs || !job->job_resrcs->node_bitmap)
		return;
	for (int i = 0; i < stub_count; i++) {
		if (bit_overlap_any(stubs[i].job_resrcs->node_bitmap,
				    job->job_resrcs->node_bitmap))
			stale = true;
	}
}

bool lxfw_overbooked_stale(void)
{
	return stale;
}
