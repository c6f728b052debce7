/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/adaptive.h"

#include <stdlib.h>
#include <string.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "plugins/slurm/bridge/bridge.h"
#include "plugins/slurm/bridge/names.h"

/* The SPANK plugin's option as slurmctld receives it. */
#define OPTION "_SLURM_SPANK_OPTION_lxfw_adaptive="

/* The corresponding text in a job's --comment. */
#define COMMENT "lxfw:adaptive"

/* --- the site ------------------------------------------------------------------- */

void lxfw_adaptive_rules_clear(struct lxfw_adaptive_rules *rules)
{
	free(rules->partitions);
	free(rules->qos);
	memset(rules, 0, sizeof(*rules));
}

bool lxfw_adaptive_rules_read(struct lxfw_adaptive_rules *rules,
			      const char *text)
{
	bool good;

	memset(rules, 0, sizeof(*rules));
	good = lxfw_names_copy(text, "lxfw_eq_partition", &rules->partitions) &&
	       lxfw_names_copy(text, "lxfw_eq_qos", &rules->qos);
	rules->max_stretch = lxfw_params_number(text, "lxfw_eq_max_stretch");
	rules->refuse_multi_node =
		lxfw_params_number(text, "lxfw_eq_multi_node") ==
		LXFW_MULTI_NODE_REFUSE;
	if (!good)
		lxfw_adaptive_rules_clear(rules);
	return good;
}

static bool same_names(const char *one, const char *other)
{
	return one && other ? strcmp(one, other) == 0 : one == other;
}

bool lxfw_adaptive_rules_same(const struct lxfw_adaptive_rules *one,
			      const struct lxfw_adaptive_rules *other)
{
	return same_names(one->partitions, other->partitions) &&
	       same_names(one->qos, other->qos) &&
	       one->refuse_multi_node == other->refuse_multi_node &&
	       one->max_stretch == other->max_stretch;
}

/* Returns true if the site permits adaptive jobs in the job's partitions and QOS. */
static bool is_wanted(const struct lxfw_adaptive_rules *rules,
		      const job_record_t *job)
{
	if (rules->partitions && !lxfw_names_partitions(rules->partitions, job,
							true))
		return false;
	return !rules->qos || (job->qos_ptr && job->qos_ptr->name &&
			       lxfw_names_has(rules->qos, job->qos_ptr->name));
}

/* --- the user ------------------------------------------------------------------- */

/* Returns the number at the start of TEXT, or 1 if there is none. */
static int32_t least_of(const char *text)
{
	int64_t min_procs = 0;

	while (*text >= '0' && *text <= '9' && min_procs < INT32_MAX / 20)
		min_procs = min_procs * 10 + (*text++ - '0');
	return min_procs > 0 ? (int32_t)min_procs : 1;
}

/* Returns the minimum of processors that the user specifies, or 0 if the user does not
   request an adaptive job. */
static int32_t said(const job_record_t *job)
{
	const char *comment;
	char after;

	for (uint32_t i = 0; i < job->spank_job_env_size; i++) {
		const char *entry = job->spank_job_env[i];

		if (entry && strncmp(entry, OPTION, strlen(OPTION)) == 0)
			return least_of(entry + strlen(OPTION));
	}
	comment = job->comment ? strstr(job->comment, COMMENT) : NULL;
	if (!comment)
		return 0;
	after = comment[strlen(COMMENT)];
	if (after == '=')
		return least_of(comment + strlen(COMMENT) + 1);
	return after == '\0' || after == ' ' || after == ',' || after == ';';
}

bool lxfw_adaptive_counts(const struct lxfw_bridge *bridge)
{
	return lxfw_policy_has(bridge->agent.params.policy, LXFW_TRAIT_ADAPTIVE) ||
	       lxfw_policy_has(bridge->agent.params.policy, LXFW_TRAIT_MOLDABLE);
}

int32_t lxfw_adaptive_min_procs(const struct lxfw_bridge *bridge,
			    const job_record_t *job)
{
	if (!lxfw_adaptive_counts(bridge))
		return 0;
	return is_wanted(&bridge->adaptive, job) ? said(job) : 0;
}

/* --- what Slurm supports ---------------------------------------------------------- */

/* Returns true if each core counts as one processor and can be allocated separately. */
static bool has_whole_cores(const node_record_t *node)
{
	return node->tpc <= 1 && node->cpus == node->tot_cores &&
	       !lxfw_compat_gives_sockets();
}

const char *lxfw_adaptive_why_not(const job_record_t *job,
				  const node_record_t *node)
{
	const lxfw_slurm_details *details = job->details;

	if (slurm_conf.preempt_mode & PREEMPT_MODE_GANG)
		return "gang scheduling is on";
	if (!slurm_conf.select_type || !strstr(slurm_conf.select_type, "cons_"))
		return "the select plugin does not allocate cores";
	if (job->gres_list_req && list_count(job->gres_list_req) > 0)
		return "it requests GRES";
	if (lxfw_compat_is_exclusive(job))
		return "it has an exclusive node";
	if (details->pn_min_memory == 0 && lxfw_compat_memory_counts())
		return "it requests all memory of its node";
	if (job->het_job_id)
		return "it is part of a heterogeneous job";
	if (lxfw_compat_has_stepmgr(job))
		return "its steps are managed on its node (stepmgr)";
	if (details->overcommit)
		return "it overcommits its processors";
	if (details->core_spec != NO_VAL16 && details->core_spec != 0)
		return "it requests specialized cores";
	if (!node || !has_whole_cores(node))
		return "its nodes do not allocate single cores with one thread";
	return NULL;
}

bool lxfw_adaptive_is_wide(const job_record_t *job, int64_t procs_per_host)
{
	const lxfw_slurm_details *details = job->details;
	const part_record_t *part = job->part_ptr;

	return details->min_nodes > 1 || details->min_cpus > procs_per_host ||
	       (part->min_nodes > 1 && part->min_nodes != INFINITE &&
		part->min_nodes != NO_VAL);
}

void lxfw_adaptive_say(job_record_t *job, const char *why)
{
	if (job->system_comment)
		return;
	xstrfmtcat(job->system_comment, "lxfw: rigid: %s", why);
	info("sched/lxfw: JobId=%u is not adaptive: %s", job->job_id, why);
	last_job_update = time(NULL);
}

bool lxfw_adaptive_refuse(const struct lxfw_bridge *bridge, job_record_t *job)
{
	if (!bridge->adaptive.refuse_multi_node)
		return false;
	job->priority = 0;
	job->state_reason = WAIT_HELD;
	xfree(job->state_desc);
	job->state_desc = xstrdup("lxfw: an adaptive job runs on one node");
	last_job_update = time(NULL);
	info("sched/lxfw: JobId=%u held: an adaptive job runs on one node",
	     job->job_id);
	return true;
}
