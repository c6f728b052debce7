/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/compat/compat.h"

#include <time.h>

/* Since 23.02 interfaces of plugins have a folder of their own. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(23, 2, 0)
#include "src/interfaces/preempt.h"
#else
#include "src/slurmctld/preempt.h"
#endif

/* Seconds in which preempted jobs usually end. */
#define END_SECONDS 5

/* Limit of the length of a chain of QOS, each of which preempts the next: two may also
   preempt each other. */
#define CHAIN_MAX 16

bool lxfw_compat_preemption(void)
{
	return slurm_preemption_enabled();
}

bool lxfw_compat_preemption_by_qos(void)
{
	return slurm_preemption_enabled() && slurm_conf.preempt_type &&
	       xstrcasestr(slurm_conf.preempt_type, "qos");
}

lxfw_slurm_list lxfw_compat_candidates(job_record_t *job)
{
	return slurm_find_preemptable_jobs(job);
}

uint32_t lxfw_compat_preemptable(job_record_t *job)
{
	lxfw_slurm_list candidates = lxfw_compat_candidates(job);
	uint32_t count = candidates ? (uint32_t)list_count(candidates) : 0;

	FREE_NULL_LIST(candidates);
	return count;
}

/* Returns a queue record as the preemption plugins compare them. */
static job_queue_rec_t record_of(job_record_t *job)
{
	job_queue_rec_t record = {
		.job_ptr = job,
		.part_ptr = job->part_ptr,
		.priority = job->priority,
	};

	/* Since 24.11 a job may request several QOS. */
#if SLURM_VERSION_NUMBER >= SLURM_VERSION_NUM(24, 11, 0)
	record.qos_ptr = job->qos_ptr;
#endif
	return record;
}

bool lxfw_compat_outranks(job_record_t *job, job_record_t *other)
{
	job_queue_rec_t one = record_of(job), two = record_of(other);

	return slurm_preemption_enabled() && job->part_ptr && other->part_ptr &&
	       preempt_g_job_preempt_check(&one, &two);
}

time_t lxfw_compat_exempt_until(job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	job_queue_rec_t preemptor = record_of(job);
	time_t now = time(NULL), next = 0;
	lxfw_slurm_iterator each;
	job_record_t *other;

	assoc_mgr_lock(&locks);
	each = list_iterator_create(job_list);
	while ((other = list_next(each)) != NULL) {
		job_queue_rec_t record;
		time_t until;

		if ((!IS_JOB_RUNNING(other) && !IS_JOB_SUSPENDED(other)) ||
		    !other->part_ptr)
			continue;
		until = acct_policy_get_preemptable_time(other);
		if (until <= now || (next && until >= next))
			continue;
		record = record_of(other);
		if (preempt_g_job_preempt_check(&preemptor, &record))
			next = until;
	}
	list_iterator_destroy(each);
	assoc_mgr_unlock(&locks);
	return next;
}

/* Raises the depth of each QOS that ONE preempts above that of ONE. Returns true if one
   has changed. */
static bool push_down(const slurmdb_qos_rec_t *one, int32_t *depth, uint32_t count)
{
	bool changed = false;

	for (uint32_t other = 0; other < count; other++) {
		if (other == one->id || (int64_t)other >= bit_size(one->preempt_bitstr) ||
		    !bit_test(one->preempt_bitstr, other) ||
		    depth[other] > depth[one->id] || depth[one->id] == CHAIN_MAX)
			continue;
		depth[other] = depth[one->id] + 1;
		changed = true;
	}
	return changed;
}

int32_t lxfw_compat_qos_depth(const job_record_t *job)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };
	bool changed = job->qos_ptr && assoc_mgr_qos_list;
	int32_t *depth, found;

	if (!changed || job->qos_ptr->id >= g_qos_count)
		return 0;
	assoc_mgr_lock(&locks);
	depth = xcalloc(g_qos_count, sizeof(*depth));
	for (int round = 0; changed && round < CHAIN_MAX; round++) {
		lxfw_slurm_iterator each = list_iterator_create(assoc_mgr_qos_list);
		const slurmdb_qos_rec_t *one;

		changed = false;
		while ((one = list_next(each)) != NULL) {
			if (one->preempt_bitstr && one->id < g_qos_count)
				changed |= push_down(one, depth, g_qos_count);
		}
		list_iterator_destroy(each);
	}
	found = depth[job->qos_ptr->id];
	xfree(depth);
	assoc_mgr_unlock(&locks);
	return found;
}

/* select_nodes() preempts no job for some time after preempt_start_time. */
static time_t patience(void)
{
	return (time_t)slurm_conf.kill_wait + slurm_conf.msg_timeout;
}

bool lxfw_compat_is_preempting(const job_record_t *job)
{
	/* It is tried again every 30 s, which renews the time. */
	return job->details->preempt_start_time != 0 &&
	       time(NULL) < job->details->preempt_start_time + patience() + 60;
}

uint32_t lxfw_compat_grace_time(const job_record_t *job)
{
	/* Slurm's own function has other names in other releases. */
	if (lxfw_compat_preemption_by_qos())
		return job->qos_ptr ? job->qos_ptr->grace_time : 0;
	return job->part_ptr ? job->part_ptr->grace_time : 0;
}

void lxfw_compat_preempt_again(job_record_t *job)
{
	if (time(NULL) >= job->details->preempt_start_time + END_SECONDS)
		job->details->preempt_start_time = 0;
}

bool lxfw_compat_has_preempted(job_record_t *job)
{
	if (!job->preempt_in_progress)
		return false;
	job->preempt_in_progress = false;
	if (job->array_recs && job->array_recs->pend_run_tasks > 0)
		job->array_recs->pend_run_tasks--;
	return true;
}
