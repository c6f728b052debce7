/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Preemption by partitions: those of a higher PriorityTier preempt those of a lower. */
#include "tests/unit/fake_ctld.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

time_t fake_exempt_until(const job_record_t *job)
{
	return job->start_time + (time_t)slurm_conf.preempt_exempt_time;
}

/* With PreemptMode=WITHIN, also those of a lower priority in the same tier. */
static bool outranks(const job_record_t *job, const job_record_t *other)
{
	uint16_t mine = job->part_ptr->priority_tier;
	uint16_t its = other->part_ptr->priority_tier;

	return its < mine || (its == mine && other->priority < job->priority &&
			      slurm_conf.preempt_mode & PREEMPT_MODE_WITHIN);
}

static bool may_preempt(const job_record_t *job, const job_record_t *other)
{
	return (IS_JOB_RUNNING(other) || IS_JOB_SUSPENDED(other)) &&
	       other->part_ptr->preempt_mode != PREEMPT_MODE_OFF &&
	       outranks(job, other) &&
	       bit_overlap_any(other->node_bitmap, job->part_ptr->node_bitmap) &&
	       fake_exempt_until(other) <= time(NULL);
}

static int by_rank(void *one, void *other)
{
	const job_record_t *a = *(job_record_t **)one;
	const job_record_t *b = *(job_record_t **)other;

	if (a->part_ptr->priority_tier != b->part_ptr->priority_tier)
		return a->part_ptr->priority_tier < b->part_ptr->priority_tier ? -1 : 1;
	if (a->node_cnt != b->node_cnt)
		return a->node_cnt < b->node_cnt ? -1 : 1;
	return a->job_id < b->job_id ? -1 : a->job_id > b->job_id;
}

static lxfw_slurm_list find_preemptable(const job_record_t *job)
{
	lxfw_slurm_list found = NULL;

	for (size_t i = 0; slurm_conf.preempt_mode != PREEMPT_MODE_OFF &&
			   i < fake_active_count; i++) {
		if (!may_preempt(job, fake_active[i]))
			continue;
		if (!found)
			found = list_create(NULL);
		list_append(found, fake_active[i]);
	}
	if (found)
		list_sort(found, by_rank);
	return found;
}

lxfw_slurm_list fake_preemptable(job_record_t *job)
{
	fake_counts.preemptable++;
	return find_preemptable(job);
}

static void end_for(job_record_t *job)
{
	time_t now = time(NULL);

	if (!job->preempt_time) {
		job->preempt_time = now;
		if (job->end_time > now + (time_t)job->part_ptr->grace_time)
			job->end_time = now + (time_t)job->part_ptr->grace_time;
	}
	last_job_update = now;
	if (job->end_time > now)
		return;		/* its grace time begins */
	if (slurm_conf.preempt_mode & PREEMPT_MODE_CANCEL) {
		fake_end(job);
		job->job_state = JOB_PREEMPTED;
	} else {
		fake_requeue(job);
	}
}

/* As in Slurm, jobs are removed one after the other until JOB fits. Those of them that
   are on its nodes are preempted. */
bool fake_preempt(job_record_t *job, const bitstr_t *nodes,
		  struct fake_taken *taken)
{
	lxfw_slurm_list candidates = find_preemptable(job);
	time_t now = time(NULL);
	struct fake_place place = { 0 };
	lxfw_slurm_iterator each;
	job_record_t *other, *last = NULL;
	bool fits = false;

	if (!candidates)
		return false;
	each = list_iterator_create(candidates);
	while (!fits && (other = list_next(each)) != NULL) {
		fake_take_out(taken, other);
		fake_place_clear(&place);
		fits = fake_place(job, nodes, taken, &place);
		last = other;
	}
	fits &= !job->details->preempt_start_time ||
		job->details->preempt_start_time <=
			now - slurm_conf.kill_wait - slurm_conf.msg_timeout;
	list_iterator_reset(each);
	while (fits && (other = list_next(each)) != NULL) {
		bool is_last = other == last;

		if (bit_overlap_any(other->node_bitmap, place.nodes))
			end_for(other);
		if (is_last)
			break;
	}
	list_iterator_destroy(each);
	FREE_NULL_LIST(candidates);
	fake_place_clear(&place);
	if (fits) {
		job->details->preempt_start_time = now;
		job->preempt_in_progress = true;
	}
	return fits;
}
