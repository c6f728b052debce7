/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the resources that nodes and partitions provide, and other mechanisms that
   interrupt jobs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/keys.h"
#include "common/params/params.h"
#include "common/params/policy.h"
#include "sim-frontend/conf/check.h"
#include "sim-frontend/trace/cluster.h"
#include "sim-frontend/util/text.h"

/* Defaults, see slurm.conf(5). */
#define RESUME_TIMEOUT_USUAL 60
#define MEMORY_PER_CPU_USUAL 2000

static bool has_memory(const char *select_parameters)
{
	return strcasestr(select_parameters, "Memory");
}

static void check_select(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *type =
		lxfw_conf_get(check->conf, "SelectType");
	struct lxfw_finding *found;

	if (!type || strcasecmp(type->value, "select/cons_tres") == 0 ||
	    strcasecmp(type->value, "select/cons_tres_lxfw") == 0)
		return;
	found = lxfw_found(check, "select", true, type);
	lxfw_found_text(check, found, "with %s, jobs get no quantum and are "
			"not resized, which require select/cons_tres", type->value);
	lxfw_found_mend(check, found, "SelectType=select/cons_tres");
}

static void check_memory(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *of =
		lxfw_conf_get(check->conf, "SelectTypeParameters");
	struct lxfw_finding *found;

	if (of && has_memory(of->value))
		return;
	found = lxfw_found(check, "memory", false, of);
	lxfw_found_text(check, found, "memory is not a consumable resource: "
			"jobs on a node may request more memory than it has, "
			"and the policy cannot consider it");
	lxfw_found_mend(check, found, "SelectTypeParameters=CR_Core_Memory");
}

/* Returns the minimum memory per processor of all nodes, in MB. Values of 100 and more
   are rounded down to hundreds. Returns the default if the memory is unknown. */
static int64_t memory_per_cpu(const char *path)
{
	struct lxfw_cluster cluster = { 0 };
	int64_t least = 0;

	if (lxfw_cluster_read_slurm(&cluster, path, NULL)) {
		lxfw_cluster_clear(&cluster);
		return MEMORY_PER_CPU_USUAL;
	}
	for (int32_t i = 0; i < cluster.count; i++) {
		const struct lxfw_resources *total = &cluster.hosts[i].total;
		int64_t share = total->memory_mb / total->procs;

		if (share > 1 && (!least || share < least))
			least = share;
	}
	lxfw_cluster_clear(&cluster);
	return least >= 100 ? least / 100 * 100 :
	       least > 0 ? least : MEMORY_PER_CPU_USUAL;
}

static bool partition_has_default(const struct lxfw_conf *conf, size_t record)
{
	return lxfw_conf_record_get(conf, record, "DefMemPerCPU") ||
	       lxfw_conf_record_get(conf, record, "DefMemPerNode") ||
	       lxfw_conf_record_get(conf, record, "DefMemPerGPU");
}

static void check_default_memory(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;
	struct lxfw_finding *found;
	bool lacking = false;

	if (!has_memory(lxfw_conf_value(conf, "SelectTypeParameters", "")) ||
	    lxfw_conf_get(conf, "DefMemPerCPU") ||
	    lxfw_conf_get(conf, "DefMemPerNode"))
		return;
	for (size_t i = 0; i < conf->record_count; i++)
		lacking |= conf->records[i].partition &&
			   !lxfw_conf_record_is_default(conf, i) &&
			   !partition_has_default(conf, i);
	if (!lacking)
		return;
	found = lxfw_found(check, "default-memory", false, NULL);
	lxfw_found_text(check, found, "without DefMemPerCPU a job that "
			"requests no memory is allocated all memory of its "
			"nodes, so no other job can run there");
	lxfw_found_mend(check, found, "DefMemPerCPU=%lld",
			(long long)memory_per_cpu(check->options->path));
}

/* Returns whether a job without GPUs prefers no node without them in this partition. */
static bool fills_gpus(const struct lxfw_cluster *cluster, const struct lxfw_cluster_set *set)
{
	int64_t lightest = INT64_MAX, heaviest = INT64_MIN;

	for (int32_t i = 0; i < set->count; i++) {
		const struct lxfw_cluster_host *host = &cluster->hosts[set->hosts[i]];

		if (host->gres.count > 0 && host->weight < lightest)
			lightest = host->weight;
		if (host->gres.count == 0 && host->weight > heaviest)
			heaviest = host->weight;
	}
	return lightest != INT64_MAX && heaviest != INT64_MIN && lightest <= heaviest;
}

bool lxfw_check_gpus(struct lxfw_checking *check, const struct lxfw_params *params)
{
	const struct lxfw_key *key =
		lxfw_key_find("lxfw_spare_gpus", strlen("lxfw_spare_gpus"));
	struct lxfw_cluster cluster = { 0 };
	const char *name = NULL;
	struct lxfw_finding *found;

	if (params->spare_gpus == LXFW_SPARE_GPUS_ON ||
	    !lxfw_key_means(key, params->policy, NULL))
		return false;
	if (lxfw_cluster_read_slurm(&cluster, check->options->path, NULL) == 0) {
		for (int32_t i = 0; i < cluster.set_count && !name; i++) {
			if (fills_gpus(&cluster, &cluster.sets[i]))
				name = cluster.sets[i].name;
		}
	}
	if (name) {
		found = lxfw_found(check, "gpus", false,
				   lxfw_conf_get(check->conf, "SchedulerParameters"));
		lxfw_found_text(check, found, "jobs without GPUs may use the nodes of "
				"partition %s that have GPUs or other GRES while other "
				"nodes are idle; lxfw_spare_gpus=on or the Weight of "
				"nodes prevents this", name);
	}
	lxfw_cluster_clear(&cluster);
	return name;
}

static void check_preemption(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *mode =
		lxfw_conf_get(check->conf, "PreemptMode");
	const struct lxfw_conf_setting *type =
		lxfw_conf_get(check->conf, "PreemptType");
	struct lxfw_finding *found;

	if (mode && strcasestr(mode->value, "GANG") &&
	    lxfw_params_interrupt(check->params)) {
		found = lxfw_found(check, "gang", true, mode);
		lxfw_found_text(check, found, "gang scheduling suspends and "
				"resumes jobs: %s",
				lxfw_params_has(check->params,
						LXFW_TRAIT_SUSPENDS) ?
				"no job is suspended for another one" :
				"jobs get no quantum");
		lxfw_found_mend(check, found, "PreemptMode=OFF");
	}
	if (mode && strcasecmp(mode->value, "OFF") != 0 &&
	    !strcasestr(mode->value, "GANG") &&
	    (!type || strcasecmp(type->value, "preempt/none") == 0)) {
		found = lxfw_found(check, "preempt-mode", false, mode);
		lxfw_found_text(check, found, "PreemptMode=%s requires a "
				"PreemptType, which is not set", mode->value);
		lxfw_found_mend(check, found, "PreemptMode=OFF");
	}
}

static void check_quantum(struct lxfw_checking *check)
{
	const struct lxfw_params *params = check->params;
	const struct lxfw_conf_setting *requeue =
		lxfw_conf_get(check->conf, "JobRequeue");
	struct lxfw_finding *found;

	if (!lxfw_params_serve(params) || !requeue ||
	    strcmp(requeue->value, "0") != 0 ||
	    params->quantum_end != LXFW_QUANTUM_REQUEUE)
		return;
	found = lxfw_found(check, "requeue", true, requeue);
	lxfw_found_text(check, found, "only jobs with --requeue can be "
			"requeued and get a quantum");
	lxfw_found_mend(check, found, "JobRequeue=1");
}

/* A node that must be resumed first delays a job, possibly for its whole quantum. */
static void check_power_saving(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *program =
		lxfw_conf_get(check->conf, "SuspendProgram");
	const char *timeout = lxfw_conf_value(check->conf, "ResumeTimeout",
					      "");
	int64_t seconds = RESUME_TIMEOUT_USUAL;
	struct lxfw_finding *found;

	lxfw_text_integer(timeout, strlen(timeout), 0, INT32_MAX, &seconds);
	if (!program || !lxfw_params_serve(check->params) ||
	    check->params->quantum > seconds)
		return;
	found = lxfw_found(check, "power-saving", false, program);
	lxfw_found_text(check, found, "a node that is powered down may take "
			"%lld s to resume (ResumeTimeout), the whole quantum "
			"of %lld s", (long long)seconds,
			(long long)check->params->quantum);
	lxfw_found_mend(check, found, "SuspendTime=INFINITE");
}

/* Requests to slurmrestd carry a token signed with the cluster's key. */
static void check_tokens(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *key =
		lxfw_conf_get(check->conf, "AuthAltParameters");
	struct lxfw_finding *found;

	if (!key || !strcasestr(key->value, "jwt_key=") ||
	    lxfw_conf_lists(check->conf, "AuthAltTypes", "auth/jwt"))
		return;
	found = lxfw_found(check, "tokens", false, key);
	lxfw_found_text(check, found, "jwt_key without auth/jwt: slurmrestd "
			"accepts no JSON web tokens, so lxfw import "
			"--slurm-rest is refused");
	lxfw_found_mend(check, found, "AuthAltTypes=auth/jwt");
}

void lxfw_check_resources(struct lxfw_checking *check)
{
	check_select(check);
	check_memory(check);
	check_default_memory(check);
	check_preemption(check);
	check_quantum(check);
	check_power_saving(check);
	check_tokens(check);
}

/* --- partitions ----------------------------------------------------------------- */

/* Returns the line of a partition with KEY=VALUE replaced; the caller frees it. */
static char *mended_line(const struct lxfw_conf *conf, size_t record,
			 const char *key, const char *value)
{
	const struct lxfw_conf_record *of = &conf->records[record];
	char *line = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&line, &length);

	if (!out)
		return NULL;
	for (size_t i = of->first; i < of->first + of->count; i++) {
		const struct lxfw_conf_setting *setting = &conf->settings[i];
		const char *quote = strpbrk(setting->value, " \t") ? "\"" : "";

		if (strcasecmp(setting->key, key) != 0)
			fprintf(out, "%s%s=%s%s%s", i > of->first ? " " : "",
				setting->key, quote, setting->value, quote);
	}
	fprintf(out, " %s=%s", key, value);
	if (fclose(out)) {
		free(line);
		return NULL;
	}
	return line;
}

static void mend_partition(struct lxfw_checking *check, size_t record,
			   struct lxfw_finding *found, const char *key,
			   const char *value)
{
	char *line = mended_line(check->conf, record, key, value);

	lxfw_found_mend(check, found, "%s", line ? line : "");
	check->findings->failed |= !line;
	free(line);
}

static bool is_infinite(const struct lxfw_conf_setting *limit)
{
	return !limit || strcasecmp(limit->value, "INFINITE") == 0 ||
	       strcasecmp(limit->value, "UNLIMITED") == 0 ||
	       strcmp(limit->value, "-1") == 0;
}

static void check_limits(struct lxfw_checking *check, size_t record)
{
	const struct lxfw_conf *conf = check->conf;
	const struct lxfw_conf_setting *name =
		&conf->settings[conf->records[record].first];
	struct lxfw_finding *found;

	if (!is_infinite(lxfw_conf_record_get(conf, record, "DefaultTime")) ||
	    !is_infinite(lxfw_conf_record_get(conf, record, "MaxTime")))
		return;
	found = lxfw_found(check, "default-time", false, name);
	lxfw_found_text(check, found, "partition %s has no finite DefaultTime "
			"or MaxTime: a job without a limit is scheduled as if "
			"its limit were a year", name->value);
	mend_partition(check, record, found, "DefaultTime", "01:00:00");
}

static void check_sharing(struct lxfw_checking *check, size_t record)
{
	const struct lxfw_conf *conf = check->conf;
	const struct lxfw_conf_setting *name =
		&conf->settings[conf->records[record].first];
	const struct lxfw_conf_setting *sharing =
		lxfw_conf_record_get(conf, record, "OverSubscribe");
	struct lxfw_finding *found;

	if (!sharing)
		sharing = lxfw_conf_record_get(conf, record, "Shared");
	if (!sharing || strncasecmp(sharing->value, "FORCE", 5) != 0 ||
	    strcmp(sharing->value + 5, ":1") == 0)
		return;
	found = lxfw_found(check, "oversubscribe", true, sharing);
	lxfw_found_text(check, found, "jobs of partition %s share processors, "
			"which the model of sched/lxfw does not represent: "
			"they are placed by Slurm's own node selection", name->value);
	mend_partition(check, record, found, sharing->key, "NO");
}

void lxfw_check_partitions(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;

	for (size_t i = 0; i < conf->record_count; i++) {
		if (!conf->records[i].partition ||
		    lxfw_conf_record_is_default(conf, i))
			continue;
		check_limits(check, i);
		check_sharing(check, i);
	}
}
