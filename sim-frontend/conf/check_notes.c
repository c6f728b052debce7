/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Notes: settings with which the plugins work, but not in every respect as
   sched/backfill. Each names the section of sched_lxfw(8) that has the details. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/params.h"
#include "common/params/policy.h"
#include "sim-frontend/conf/check.h"
#include "sim-frontend/conf/plugin_dirs.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/util/text.h"

static void note_heterogeneous_jobs(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *type =
		lxfw_conf_get(check->conf, "SchedulerType");

	char *plugin_dirs;

	if (!type || strcasecmp(type->value, "sched/lxfw") != 0)
		return;
	plugin_dirs = lxfw_plugin_dirs_for_stock_name(check);
	lxfw_noted(check, "heterogeneous-jobs", type,
		   "Slurm refuses heterogeneous jobs, because the scheduler is not named "
		   "sched/backfill; the plugin can have this name%s%s, see THE NAME "
		   "SCHED/BACKFILL in sched_lxfw(8)",
		   plugin_dirs ? ", with PluginDir=" : "", plugin_dirs ? plugin_dirs : "");
	free(plugin_dirs);
}

static void note_preemption(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *type = lxfw_conf_get(check->conf, "PreemptType");

	if (!type || strcasecmp(type->value, "preempt/none") == 0)
		return;
	lxfw_noted(check, "preemption", type,
		   "Slurm selects and preempts jobs as under sched/backfill; reservations and "
		   "expected starts do not count on it%s, see PREEMPTION in sched_lxfw(8)",
		   lxfw_params_serve(check->params) ?
		   ", and a job that may preempt others gets no quantum" : "");
}

/* --- the choice of nodes ----------------------------------------------------------- */

/* Returns the first setting by which Slurm selects the least loaded nodes, or NULL. */
static const struct lxfw_conf_setting *least_loaded(const struct lxfw_conf *conf)
{
	const struct lxfw_conf_setting *of = lxfw_conf_get(conf, "SelectTypeParameters");

	if (of && strcasestr(of->value, "LLN"))
		return of;
	for (size_t i = 0; i < conf->record_count; i++) {
		if (!conf->records[i].partition || lxfw_conf_record_is_default(conf, i))
			continue;
		of = lxfw_conf_record_get(conf, i, "LLN");
		if (of && (strcasecmp(of->value, "YES") == 0 ||
			   strcasecmp(of->value, "TRUE") == 0))
			return of;
	}
	return NULL;
}

/* Returns the setting by which Slurm selects the nodes of one switch, or NULL. */
static const struct lxfw_conf_setting *topology(const struct lxfw_conf *conf)
{
	const struct lxfw_conf_setting *of = lxfw_conf_get(conf, "TopologyPlugin");

	if (!of || strcasestr(of->value, "none") || strcasestr(of->value, "default") ||
	    strcasestr(of->value, "flat"))
		return NULL;
	return of;
}

static bool is_gpu(const char *name)
{
	return strncasecmp(name, "gpu", 3) == 0 && (!name[3] || name[3] == ':');
}

static bool has_gpus(const struct lxfw_cluster *cluster)
{
	int32_t i = 0;

	while (i < cluster->gres.count && !is_gpu(cluster->gres.names[i]))
		i++;
	return i < cluster->gres.count;
}

static void note_selection(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *lln = least_loaded(check->conf);
	const struct lxfw_conf_setting *of = topology(check->conf);

	if (lln)
		lxfw_noted(check, "least-loaded", lln,
			   "a job starts on the least loaded of the nodes on which it delays "
			   "no reservation; reservations and expected starts ignore the load%s, "
			   "see 'Options that affect the selection' in sched_lxfw(8)",
			   has_gpus(check->cluster) ? "; jobs of few GPUs spread over nodes, which "
			   "keeps jobs of many GPUs waiting" : "");
	if (of)
		lxfw_noted(check, "topology", of,
			   "a job starts where Slurm's topology plugin places it, on nodes on "
			   "which it delays no reservation; reservations and expected starts "
			   "ignore switches, and jobs with --switches are passed to Slurm, see "
			   "JOBS PASSED TO SLURM in sched_lxfw(8)");
}

/* --- nodes -------------------------------------------------------------------------- */

static bool has_weights(const struct lxfw_cluster *cluster,
			const struct lxfw_cluster_set *set)
{
	for (int32_t i = 1; i < set->count; i++) {
		if (cluster->hosts[set->hosts[i]].weight !=
		    cluster->hosts[set->hosts[0]].weight)
			return true;
	}
	return false;
}

static bool is_uneven(const struct lxfw_cluster *cluster,
		      const struct lxfw_cluster_set *set)
{
	for (int32_t i = 1; i < set->count; i++) {
		if (cluster->hosts[set->hosts[i]].total.procs !=
		    cluster->hosts[set->hosts[0]].total.procs)
			return true;
	}
	return false;
}

/* Returns the first partition of which IS is true, or NULL. */
static const char *find_partition(const struct lxfw_cluster *cluster,
				  bool (*is)(const struct lxfw_cluster *,
					     const struct lxfw_cluster_set *))
{
	for (int32_t i = 0; i < cluster->set_count; i++) {
		if (is(cluster, &cluster->sets[i]))
			return cluster->sets[i].name;
	}
	return NULL;
}

/* Returns the line of the partition NAME. */
static const struct lxfw_conf_setting *line_of(const struct lxfw_conf *conf,
					       const char *name)
{
	for (size_t i = 0; i < conf->record_count; i++) {
		if (conf->records[i].partition &&
		    strcmp(lxfw_conf_record_name(conf, i), name) == 0)
			return &conf->settings[conf->records[i].first];
	}
	return NULL;
}

static void note_nodes(struct lxfw_checking *check)
{
	const char *weights = find_partition(check->cluster, has_weights);
	const char *uneven = find_partition(check->cluster, is_uneven);

	if (weights)
		lxfw_noted(check, "weight", line_of(check->conf, weights),
			   "in partition %s nodes of the lowest Weight are used first, as under "
			   "sched/backfill%s, see OPERATION in sched_lxfw(8)", weights,
			   lxfw_policy_has(check->params->policy, LXFW_TRAIT_ADAPTIVE) ?
			   "; adaptive jobs ignore Weight" : "");
	if (uneven)
		lxfw_noted(check, "uneven-nodes", line_of(check->conf, uneven),
			   "the nodes of partition %s have different numbers of processors: a "
			   "job may get fewer and larger nodes than under sched/backfill, see "
			   "the table of JOBS PASSED TO SLURM in sched_lxfw(8)", uneven);
}

#define GPUS_MOST 256

/* Returns whether nodes of the partition that have GPUs of type NAME are not heavier than some
   with fewer of them. */
static bool has_light_type(const struct lxfw_cluster *cluster,
			   const struct lxfw_cluster_set *set, int32_t name)
{
	int64_t lightest[GPUS_MOST], heaviest[GPUS_MOST], before = INT64_MIN;

	for (int i = 0; i < GPUS_MOST; i++) {
		lightest[i] = INT64_MAX;
		heaviest[i] = INT64_MIN;
	}
	for (int32_t i = 0; i < set->count; i++) {
		const struct lxfw_cluster_host *host = &cluster->hosts[set->hosts[i]];
		int32_t gpus = lxfw_gres_count(&cluster->gres, &host->gres, name);

		if (gpus <= 0)
			continue;
		if (gpus >= GPUS_MOST)
			gpus = GPUS_MOST - 1;
		if (host->weight < lightest[gpus])
			lightest[gpus] = host->weight;
		if (host->weight > heaviest[gpus])
			heaviest[gpus] = host->weight;
	}
	for (int i = 0; i < GPUS_MOST; i++) {
		if (lightest[i] <= before)
			return true;
		if (heaviest[i] > before)
			before = heaviest[i];
	}
	return false;
}

static bool has_light_gpus(const struct lxfw_cluster *cluster,
			   const struct lxfw_cluster_set *set)
{
	for (int32_t i = 0; i < cluster->gres.count; i++) {
		if (is_gpu(cluster->gres.names[i]) && has_light_type(cluster, set, i))
			return true;
	}
	return false;
}

static void note_gpus(struct lxfw_checking *check)
{
	const char *name = find_partition(check->cluster, has_light_gpus);

	if (!name)
		return;
	lxfw_noted(check, "uneven-gpus", line_of(check->conf, name),
		   "nodes of partition %s differ in their number of GPUs, and those with more "
		   "have no larger Weight: %s; "
		   "with a larger Weight for the nodes with more GPUs, jobs of few GPUs "
		   "leave these to larger jobs, see OPERATION in sched_lxfw(8)",
		   name, check->params->placement == LXFW_PLACEMENT_GPUS ?
		   "lxfw_placement=gpus uses those with few free GPUs first, but jobs that are "
		   "passed to Slurm use any" :
		   "jobs of one GPU may use any");
}

/* Defaults, see slurm.conf(5). */
#define RESUME_TIMEOUT_USUAL 60

static void note_sleeping_nodes(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *program =
		lxfw_conf_get(check->conf, "SuspendProgram");
	const char *timeout = lxfw_conf_value(check->conf, "ResumeTimeout", "");
	const char *time = lxfw_conf_value(check->conf, "SuspendTime", "INFINITE");
	int64_t seconds = RESUME_TIMEOUT_USUAL;

	if (!program || strcasecmp(time, "INFINITE") == 0 || strcmp(time, "-1") == 0)
		return;
	lxfw_text_integer(timeout, strlen(timeout), 0, INT32_MAX, &seconds);
	lxfw_noted(check, "sleeping-nodes", program,
		   "nodes that are up are used before those that are powered down, and a job "
		   "on the latter is expected to start %lld s later (ResumeTimeout), see "
		   "OPERATION in sched_lxfw(8)", (long long)seconds);
}

static void note_gres(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *types = lxfw_conf_get(check->conf, "GresTypes");
	bool mps = lxfw_conf_lists(check->conf, "GresTypes", "mps");
	bool shard = lxfw_conf_lists(check->conf, "GresTypes", "shard");

	if (!mps && !shard)
		return;
	lxfw_noted(check, "shared-gres", types,
		   "jobs that request %s are passed to Slurm's own node selection, see JOBS "
		   "PASSED TO SLURM in sched_lxfw(8)",
		   mps && shard ? "mps or shard" : mps ? "mps" : "shard");
}

static void note_licenses(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *parameters =
		lxfw_conf_get(check->conf, "PreemptParameters");

	if (!parameters || !lxfw_conf_lists(check->conf, "PreemptParameters", "reclaim_licenses"))
		return;
	lxfw_noted(check, "licenses", parameters,
		   "reclaim_licenses has no effect: jobs are not preempted for licenses, a job "
		   "waits for them with a reservation, see Licenses in sched_lxfw(8)");
}

void lxfw_check_notes(struct lxfw_checking *check)
{
	note_heterogeneous_jobs(check);
	note_preemption(check);
	note_selection(check);
	note_nodes(check);
	note_gpus(check);
	note_sleeping_nodes(check);
	note_gres(check);
	note_licenses(check);
}
