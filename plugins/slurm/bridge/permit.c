/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/permit.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/numbers.h"
#include "plugins/slurm/bridge/reason.h"
#include "plugins/slurm/bridge/sets.h"

/* --- what limits count ------------------------------------------------------------- */

/* What a job would be allocated at least. */
struct counted {
	job_record_t *job;	/* with tres_req_cnt */
	uint64_t procs, nodes;	/* of whole nodes; 0: what the job requests */
};

/* Slurm counts all processors of the selected nodes if the job uses them alone. With nodes
   of different sizes, the smallest possible number is assumed. */
static struct counted counted_of(struct lxfw_bridge *bridge, job_record_t *job)
{
	const lxfw_slurm_details *details = job->details;
	struct counted counted = { .job = job };
	struct lxfw_job_nodes found;
	int64_t hosts;

	if (!job->tres_req_cnt || !lxfw_compat_is_exclusive(job) ||
	    lxfw_sets_find(bridge, job, &found) <= 0 || found.set->least_procs < 1)
		return counted;
	hosts = lxfw_larger(details->min_nodes,
			    lxfw_quotient_up(details->min_cpus,
					     found.set->most_procs));
	if (details->ntasks_per_node)
		hosts = lxfw_larger(hosts,
				    lxfw_quotient_up(details->num_tasks,
						     details->ntasks_per_node));
	counted.nodes = (uint64_t)hosts;
	counted.procs = counted.nodes * (uint64_t)found.set->least_procs;
	return counted;
}

/* Sets TRES to the amounts that limits count. The caller holds the read lock of TRES. */
static void read_tres(const struct counted *counted, uint64_t *tres)
{
	const job_record_t *job = counted->job;

	memcpy(tres, job->tres_req_cnt, (size_t)slurmctld_tres_cnt * sizeof(*tres));
	if (counted->procs <= tres[TRES_ARRAY_CPU])
		return;
	tres[TRES_ARRAY_CPU] = counted->procs;
	if (tres[TRES_ARRAY_NODE] < counted->nodes)
		tres[TRES_ARRAY_NODE] = counted->nodes;
	tres[TRES_ARRAY_BILLING] = (uint64_t)assoc_mgr_tres_weighted(
		tres, job->part_ptr->billing_weights, slurm_conf.priority_flags,
		true);
}

/* --- one job ---------------------------------------------------------------------- */

/* Returns true if the licenses of the job are free. */
static bool has_licenses(job_record_t *job)
{
	if (!job->license_list ||
	    license_job_test(job, time(NULL), true) == SLURM_SUCCESS)
		return true;
	lxfw_say_licenses(job);
	return false;
}

/* Returns true if Slurm has just found that a limit on nodes is exceeded. */
static bool lacks_nodes(const job_record_t *job)
{
	return job->state_reason == WAIT_ASSOC_GRP_NODE ||
	       job->state_reason == WAIT_QOS_GRP_NODE ||
	       job->state_reason == WAIT_QOS_MAX_NODE_PER_USER ||
	       job->state_reason == WAIT_QOS_MAX_NODE_PER_ACCT;
}

/* Returns the largest number of nodes that a limit on the job counts as used. */
static uint64_t nodes_in_use(job_record_t *job)
{
	slurmdb_qos_rec_t *qos[2];
	uint64_t most = 0, used;

	acct_policy_set_qos_order(job, &qos[0], &qos[1]);
	for (int i = 0; i < 2; i++) {
		if (!qos[i] || !qos[i]->usage)
			continue;
		used = qos[i]->usage->grp_used_tres[TRES_ARRAY_NODE];
		most = used > most ? used : most;
	}
	for (const slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc && assoc->usage;
	     assoc = assoc->usage->parent_assoc_ptr) {
		used = assoc->usage->grp_used_tres[TRES_ARRAY_NODE];
		most = used > most ? used : most;
	}
	return most;
}

/* Returns true if the job is within the limits on nodes that are in use. TRES are the
   amounts with which it exceeds a limit on nodes. The caller holds the locks. */
static bool within_on_shared(job_record_t *job, uint64_t *tres)
{
	uint64_t used = nodes_in_use(job);

	if (used == 0)
		return false;
	tres[TRES_ARRAY_NODE] -= used < tres[TRES_ARRAY_NODE] ? used : tres[TRES_ARRAY_NODE];
	return acct_policy_job_runnable_post_select(job, tres, true);
}

static enum lxfw_permission within_limits(struct lxfw_bridge *bridge, job_record_t *job)
{
	assoc_mgr_lock_t locks = {
		.assoc = READ_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	uint64_t tres[slurmctld_tres_cnt > 0 ? slurmctld_tres_cnt : 1];
	enum lxfw_permission within = LXFW_PERMIT_NOT;
	struct counted counted;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS) ||
	    !job->tres_req_cnt)
		return LXFW_PERMIT_ANY;
	counted = counted_of(bridge, job);
	assoc_mgr_lock(&locks);
	read_tres(&counted, tres);
	if (acct_policy_job_runnable_post_select(job, tres, true))
		within = LXFW_PERMIT_ANY;
	else if (lacks_nodes(job) && counted.nodes == 0 && within_on_shared(job, tres))
		within = LXFW_PERMIT_SHARED;
	assoc_mgr_unlock(&locks);
	return within;
}

static enum lxfw_permission permitted(struct lxfw_bridge *bridge, job_record_t *job)
{
	enum lxfw_permission within;
	bool licensed;

	if (!acct_policy_job_runnable_pre_select(job, false))
		return LXFW_PERMIT_NOT;
	licensed = has_licenses(job);
	if (!licensed && !lxfw_licenses_counted(bridge, job))
		return LXFW_PERMIT_NOT;
	within = within_limits(bridge, job);
	if (licensed || within == LXFW_PERMIT_NOT)
		return within;
	return within == LXFW_PERMIT_ANY ? LXFW_PERMIT_UNLICENSED : LXFW_PERMIT_NOT;
}

enum lxfw_permission lxfw_permitted(struct lxfw_bridge *bridge, job_record_t *job)
{
	struct lxfw_stated_reason before;
	enum lxfw_permission permission;

	if (!lxfw_agent_shadows(&bridge->agent))
		return permitted(bridge, job);
	before = lxfw_reason_take(job);
	permission = permitted(bridge, job);
	lxfw_reason_back(job, &before);
	return permission;
}

/* --- jobs that start together ------------------------------------------------------ */

/* Adds VALUE * SIGN. SIGN is 1 or -1. */
static void add(uint64_t *sum, uint64_t value, int sign)
{
	*sum = sign > 0 ? *sum + value : *sum - value;
}

static void count_limits(slurmdb_used_limits_t *used, const uint64_t *requested,
			 int sign)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++)
		add(&used->tres[i], requested[i], sign);
	used->jobs += sign > 0 ? 1 : -1;
}

static void count_qos(const job_record_t *job, slurmdb_qos_rec_t *qos,
		      const uint64_t *requested, const uint64_t *seconds, int sign)
{
	slurmdb_qos_usage_t *usage = qos ? qos->usage : NULL;

	if (!usage)
		return;
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		add(&usage->grp_used_tres[i], requested[i], sign);
		add(&usage->grp_used_tres_run_secs[i], seconds[i], sign);
	}
	usage->grp_used_jobs += sign > 0 ? 1 : -1;
	count_limits(acct_policy_get_acct_used_limits(&usage->acct_limit_list,
						      job->assoc_ptr->acct),
		     requested, sign);
	count_limits(acct_policy_get_user_used_limits(&usage->user_limit_list,
						      job->user_id),
		     requested, sign);
}

/* Sets REQUESTED to what limits count, and SECONDS to the same times the time limit. */
static void read_request(const struct counted *counted, uint64_t *requested,
			 uint64_t *seconds)
{
	const job_record_t *job = counted->job;
	uint64_t limit = 0;

	if (job->time_limit != NO_VAL && job->time_limit != INFINITE)
		limit = (uint64_t)job->time_limit * 60;
	if (job->qos_ptr && job->qos_ptr->usage_factor >= 0)
		limit = (uint64_t)((double)limit * job->qos_ptr->usage_factor);
	read_tres(counted, requested);
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		if (i == TRES_ARRAY_ENERGY || requested[i] == NO_CONSUME_VAL64)
			requested[i] = 0;
		seconds[i] = requested[i] * limit;
	}
}

/* Counts a job as running (SIGN 1), or as pending again (-1). The caller holds the write
   locks of associations and QOS. */
static void count(const struct counted *counted, int sign)
{
	job_record_t *job = counted->job;
	uint64_t requested[slurmctld_tres_cnt > 0 ? slurmctld_tres_cnt : 1];
	uint64_t seconds[slurmctld_tres_cnt > 0 ? slurmctld_tres_cnt : 1];
	slurmdb_qos_rec_t *first, *second;

	read_request(counted, requested, seconds);
	acct_policy_set_qos_order(job, &first, &second);
	count_qos(job, first, requested, seconds, sign);
	count_qos(job, second, requested, seconds, sign);
	for (slurmdb_assoc_rec_t *assoc = job->assoc_ptr; assoc && assoc->usage;
	     assoc = assoc->usage->parent_assoc_ptr) {
		for (int i = 0; i < slurmctld_tres_cnt; i++) {
			add(&assoc->usage->grp_used_tres[i], requested[i], sign);
			add(&assoc->usage->grp_used_tres_run_secs[i], seconds[i],
			    sign);
		}
		assoc->usage->used_jobs += sign > 0 ? 1 : -1;
	}
}

/* Returns true if the job has a valid association, and a request that can be counted.
   Slurm would look for another association, for which it takes the locks that the caller
   of has_room() holds. */
static bool may_count(const job_record_t *job)
{
	const slurmdb_assoc_rec_t *association = job->assoc_ptr;

	return association && association->id == job->assoc_id &&
	       association->uid == job->user_id && job->tres_req_cnt;
}

/* Returns true if the job is within the limits. The caller holds the locks. */
static bool has_room(const struct counted *counted)
{
	uint64_t tres[slurmctld_tres_cnt > 0 ? slurmctld_tres_cnt : 1];
	job_record_t *job = counted->job;

	if (!may_count(job) || !acct_policy_job_runnable_pre_select(job, true))
		return false;
	read_tres(counted, tres);
	return acct_policy_job_runnable_post_select(job, tres, true);
}

/* Number of licenses NAME that JOB requests. */
static uint32_t licenses_of(const job_record_t *job, const char *name)
{
	lxfw_slurm_iterator each;
	const licenses_t *one;
	uint32_t total = 0;

	if (!job->license_list)
		return 0;
	each = list_iterator_create(job->license_list);
	while ((one = list_next(each)) != NULL) {
		if (xstrcmp(one->name, name) == 0)
			total += one->total;
	}
	list_iterator_destroy(each);
	return total;
}

/* Adds the licenses of jobs 0 to LAST - 1 to those that job LAST requests (SIGN 1), or
   subtracts them (-1). */
static void add_licenses(job_record_t *const *jobs, size_t last, int sign)
{
	lxfw_slurm_iterator each = list_iterator_create(jobs[last]->license_list);
	licenses_t *one;

	while ((one = list_next(each)) != NULL) {
		for (size_t i = 0; i < last; i++)
			one->total += (uint32_t)sign *
				      licenses_of(jobs[i], one->name);
	}
	list_iterator_destroy(each);
}

static bool licensed_together(job_record_t *const *jobs, size_t number)
{
	bool enough = true;

	for (size_t i = 1; enough && i < number; i++) {
		if (!jobs[i]->license_list)
			continue;
		add_licenses(jobs, i, 1);
		enough = has_licenses(jobs[i]);
		add_licenses(jobs, i, -1);
	}
	return enough;
}

/* The locks are held until the counts are as before: an association or a QOS that is
   changed meanwhile must not keep a count. */
static bool within_limits_together(const struct counted *jobs, size_t number)
{
	assoc_mgr_lock_t locks = {
		.assoc = WRITE_LOCK,
		.qos = WRITE_LOCK,
		.tres = READ_LOCK,
	};
	size_t within = 0;

	assoc_mgr_lock(&locks);
	while (within < number && has_room(&jobs[within]))
		count(&jobs[within++], 1);
	for (size_t i = within; i > 0; i--)
		count(&jobs[i - 1], -1);
	assoc_mgr_unlock(&locks);
	return within == number;
}

static bool permitted_together(struct lxfw_bridge *bridge, job_record_t *const *jobs,
			       size_t number)
{
	struct counted *counted;
	bool within;

	if (!(accounting_enforce & ACCOUNTING_ENFORCE_LIMITS))
		return licensed_together(jobs, number);
	counted = calloc(number, sizeof(*counted));
	if (!counted)
		return false;
	for (size_t i = 0; i < number; i++)
		counted[i] = counted_of(bridge, jobs[i]);
	within = within_limits_together(counted, number);
	free(counted);
	return within && licensed_together(jobs, number);
}

bool lxfw_permitted_together(struct lxfw_bridge *bridge, job_record_t *const *jobs,
			     size_t number)
{
	struct lxfw_stated_reason *before;
	bool within;

	if (!lxfw_agent_shadows(&bridge->agent))
		return permitted_together(bridge, jobs, number);
	before = calloc(number, sizeof(*before));
	if (!before)
		return false;
	for (size_t i = 0; i < number; i++)
		before[i] = lxfw_reason_take(jobs[i]);
	within = permitted_together(bridge, jobs, number);
	for (size_t i = 0; i < number; i++)
		lxfw_reason_back(jobs[i], &before[i]);
	free(before);
	return within;
}
