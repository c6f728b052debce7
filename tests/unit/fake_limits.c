/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tests/unit/fake_ctld.h"

#include <string.h>

#define TRES_MAX 16

struct fake_limits fake_limits;

static uint64_t qos_tres[TRES_MAX], qos_seconds[TRES_MAX];
static uint64_t assoc_tres[TRES_MAX], assoc_seconds[TRES_MAX];
static uint64_t user_tres[TRES_MAX], account_tres[TRES_MAX];
static slurmdb_qos_usage_t qos_usage;
static slurmdb_assoc_usage_t assoc_usage;
static slurmdb_used_limits_t of_user, of_account;
static slurmdb_qos_rec_t qos;
static slurmdb_assoc_rec_t assoc;

static void clear(uint64_t *tres)
{
	memset(tres, 0, TRES_MAX * sizeof(*tres));
}

void fake_limits_start(void)
{
	clear(qos_tres);
	clear(qos_seconds);
	clear(assoc_tres);
	clear(assoc_seconds);
	clear(user_tres);
	clear(account_tres);
	memset(&fake_limits, 0, sizeof(fake_limits));
	qos_usage = (slurmdb_qos_usage_t){
		.grp_used_tres = qos_tres, .grp_used_tres_run_secs = qos_seconds,
	};
	assoc_usage = (slurmdb_assoc_usage_t){
		.grp_used_tres = assoc_tres,
		.grp_used_tres_run_secs = assoc_seconds,
	};
	of_user = (slurmdb_used_limits_t){ .tres = user_tres };
	of_account = (slurmdb_used_limits_t){ .tres = account_tres };
	qos = (slurmdb_qos_rec_t){ .usage = &qos_usage, .usage_factor = 1 };
	assoc = (slurmdb_assoc_rec_t){ .id = 7, .usage = &assoc_usage };
}

void fake_account(job_record_t *job)
{
	slurmctld_tres_cnt = TRES_MAX;
	accounting_enforce = ACCOUNTING_ENFORCE_LIMITS;
	job->qos_ptr = &qos;
	job->assoc_ptr = &assoc;
	job->assoc_id = assoc.id;
	assoc.uid = job->user_id;
	job->tres_req_cnt = xcalloc(TRES_MAX, sizeof(*job->tres_req_cnt));
	job->tres_req_cnt[TRES_ARRAY_CPU] = job->details->min_cpus;
	job->tres_req_cnt[TRES_ARRAY_NODE] = job->details->min_nodes;
}

/* That of the QOS alone. */
uint32_t acct_policy_get_prio_thresh(job_record_t *job, bool locked)
{
	(void)locked;
	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) || !job->qos_ptr ||
	    job->qos_ptr->min_prio_thresh == INFINITE)
		return 0;
	return job->qos_ptr->min_prio_thresh;
}

slurmdb_used_limits_t *fake_used_limits(bool user)
{
	return user ? &of_user : &of_account;
}

bool fake_counts_no_job(void)
{
	uint64_t sum = qos_usage.grp_used_jobs + of_user.jobs + of_account.jobs +
		       assoc_usage.used_jobs;

	for (int i = 0; i < TRES_MAX; i++)
		sum |= qos_tres[i] | qos_seconds[i] | assoc_tres[i] |
		       assoc_seconds[i] | user_tres[i] | account_tres[i];
	return sum == 0;
}

void fake_limits_begin(const job_record_t *job)
{
	if (!job->tres_req_cnt)
		return;
	for (int i = 0; i < TRES_MAX; i++)
		qos_tres[i] += job->tres_req_cnt[i];
	qos_usage.grp_used_jobs++;
}

/* Jobs that run count for the QOS only. */
void fake_limits_unlocked(void)
{
	fake_limits.kept_counts += assoc_usage.used_jobs > 0;
}

static bool is_reached(uint64_t used, uint64_t limit)
{
	return limit && used > limit;
}

static bool refuse(job_record_t *job, enum job_state_reason reason)
{
	job->state_reason = reason;
	return false;
}

bool fake_runs_more(job_record_t *job)
{
	if (!job->tres_req_cnt)
		return true;
	if (is_reached(qos_usage.grp_used_jobs + 1, fake_limits.qos_jobs))
		return refuse(job, WAIT_QOS_GRP_JOB);
	if (is_reached(of_user.jobs + 1, fake_limits.user_jobs))
		return refuse(job, WAIT_QOS_MAX_JOB_PER_USER);
	if (is_reached(of_account.jobs + 1, fake_limits.account_jobs))
		return refuse(job, WAIT_QOS_JOB_LIMIT);
	if (is_reached(assoc_usage.used_jobs + 1, fake_limits.assoc_jobs))
		return refuse(job, WAIT_ASSOC_JOB_LIMIT);
	return true;
}

bool fake_has_tres(job_record_t *job, const uint64_t *tres)
{
	uint64_t cpus = tres[TRES_ARRAY_CPU], nodes = tres[TRES_ARRAY_NODE];
	uint64_t seconds = cpus * job->time_limit * 60;

	if (is_reached(qos_tres[TRES_ARRAY_CPU] + cpus, fake_limits.qos_cpus))
		return refuse(job, WAIT_QOS_GRP_CPU);
	if (is_reached(user_tres[TRES_ARRAY_CPU] + cpus, fake_limits.user_cpus))
		return refuse(job, WAIT_QOS_MAX_CPU_PER_USER);
	if (is_reached(assoc_tres[TRES_ARRAY_NODE] + nodes, fake_limits.assoc_nodes))
		return refuse(job, WAIT_ASSOC_GRP_NODE);
	if (is_reached(qos_seconds[TRES_ARRAY_CPU] + seconds,
		       fake_limits.qos_cpu_seconds))
		return refuse(job, WAIT_QOS_GRP_CPU_RUN_MIN);
	return true;
}
