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

/* Returns whether a job without GPUs prefers no node without them in this partition. Of nodes of
   equal weight, lxfw_placement=gpus prefers those. */
static bool fills_gpus(const struct lxfw_cluster *cluster, const struct lxfw_cluster_set *set,
		       enum lxfw_placement placement)
{
	int64_t lightest = INT64_MAX, heaviest = INT64_MIN;

	for (int32_t i = 0; i < set->count; i++) {
		const struct lxfw_cluster_host *host = &cluster->hosts[set->hosts[i]];

		if (host->gres.count > 0 && host->weight < lightest)
			lightest = host->weight;
		if (host->gres.count == 0 && host->weight > heaviest)
			heaviest = host->weight;
	}
	return lightest != INT64_MAX && heaviest != INT64_MIN &&
	       lightest - (placement == LXFW_PLACEMENT_PAPER) < heaviest;
}

bool lxfw_check_gpus(struct lxfw_checking *check, const struct lxfw_params *params)
{
	const struct lxfw_key *key =
		lxfw_key_find("lxfw_spare_gpus", strlen("lxfw_spare_gpus"));
	const struct lxfw_cluster *cluster = check->cluster;
	const char *name = NULL;
	struct lxfw_finding *found;

	if (params->spare_gpus == LXFW_SPARE_GPUS_ON ||
	    !lxfw_key_means(key, params->policy, NULL))
		return false;
	for (int32_t i = 0; i < cluster->set_count && !name; i++) {
		if (fills_gpus(cluster, &cluster->sets[i], params->placement))
			name = cluster->sets[i].name;
	}
	if (name) {
		found = lxfw_found(check, "gpus", false,
				   lxfw_conf_get(check->conf, "SchedulerParameters"));
		lxfw_found_text(check, found, "jobs without GPUs may use the nodes of "
				"partition %s that have GPUs or other GRES while other "
				"nodes are idle; lxfw_spare_gpus=on or the Weight of "
				"nodes prevents this", name);
	}
	return name;
}

/* Whether a PreemptType preempts jobs. */
static bool preempts(const struct lxfw_conf_setting *type)
{
	return type && strcasecmp(type->value, "preempt/none") != 0;
}

/*
 * A site that preempts by suspension keeps it, if only quanta are ruled out. slurmctld does not
 * start with PreemptMode=OFF and a PreemptType.
 */
static void check_gang(struct lxfw_checking *check, const struct lxfw_conf_setting *mode,
		       const struct lxfw_conf_setting *type)
{
	bool suspends = lxfw_params_has(check->params, LXFW_TRAIT_SUSPENDS);
	struct lxfw_finding *found = lxfw_found(check, "gang", true, mode);
	bool kept = preempts(type) && lxfw_params_serve(check->params) &&
		    lxfw_check_without_quantum(check, found);

	lxfw_found_text(check, found, "gang scheduling suspends and resumes jobs: %s%s",
			suspends ? "no job is suspended for another one" : "jobs get no quantum",
			kept ? ", and Slurm's preemption needs it" :
			preempts(type) ? "; without it Slurm preempts no jobs" : "");
	if (kept)
		return;
	lxfw_found_set(check, found, mode, NULL, "OFF");
	if (preempts(type))
		lxfw_found_set(check, found, type, NULL, "preempt/none");
}

static bool is_slurms(const struct lxfw_conf_setting *type)
{
	return type && (strcmp(type->value, "preempt/qos") == 0 ||
			strcmp(type->value, "preempt/partition_prio") == 0);
}

/* Whether a PreemptMode has an item by which jobs are preempted. */
static bool names_mode(const struct lxfw_conf_setting *mode)
{
	const char *at = mode ? mode->value : "";

	while (*at) {
		size_t length = strcspn(at, ",");

		if (!(length == 3 && strncasecmp(at, "OFF", 3) == 0) &&
		    !(length == 4 && strncasecmp(at, "GANG", 4) == 0) &&
		    !(length == 6 && strncasecmp(at, "WITHIN", 6) == 0))
			return true;
		at += length + (at[length] == ',');
	}
	return false;
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
		check_gang(check, mode, type);
	} else if (names_mode(mode) && !preempts(type)) {
		found = lxfw_found_level(check, "preempt-mode", LXFW_FINDING_STOPS, mode);
		lxfw_found_text(check, found, "PreemptMode=%s requires a PreemptType, which is "
				"not set: slurmctld does not start", mode->value);
		lxfw_found_set(check, found, mode, NULL, "OFF");
	} else if (mode && strcasecmp(mode->value, "SUSPEND") == 0) {
		found = lxfw_found_level(check, "preempt-mode", LXFW_FINDING_STOPS, mode);
		lxfw_found_text(check, found, "PreemptMode=SUSPEND requires GANG, too: slurmctld "
				"does not start");
		lxfw_found_set(check, found, mode, NULL, "SUSPEND,GANG");
	} else if (!names_mode(mode) && is_slurms(type)) {
		found = lxfw_found_level(check, "preempt-mode", LXFW_FINDING_STOPS, type);
		lxfw_found_text(check, found, "PreemptType=%s requires a PreemptMode other than "
				"OFF and GANG, such as REQUEUE: slurmctld does not start; "
				"without it no job is preempted", type->value);
		lxfw_found_set(check, found, type, NULL, "preempt/none");
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
	lxfw_found_text(check, found, "only jobs with --requeue can be requeued and get a "
			"quantum; with JobRequeue=1 the others are requeued, too, also when their "
			"node fails, unless they are submitted with --no-requeue");
	lxfw_found_set(check, found, requeue, NULL, "1");
}

/* A node that must be resumed first delays a job, possibly for its whole quantum. */
static void check_power_saving(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *program =
		lxfw_conf_get(check->conf, "SuspendProgram");
	const char *timeout = lxfw_conf_value(check->conf, "ResumeTimeout",
					      "");
	int64_t seconds = RESUME_TIMEOUT_USUAL;

	lxfw_text_integer(timeout, strlen(timeout), 0, INT32_MAX, &seconds);
	if (!program || !lxfw_params_serve(check->params) ||
	    check->params->quantum > seconds)
		return;
	lxfw_noted(check, "power-saving", program, "a node that is powered down may take "
		   "%lld s to resume (ResumeTimeout), the whole quantum of %lld s; a longer "
		   "lxfw_quantum outlasts it, and so do nodes that stay up "
		   "(SuspendExcNodes, SuspendTime), at the price of their power, see OPERATION "
		   "in sched_lxfw(8)", (long long)seconds, (long long)check->params->quantum);
}

/* Requests to slurmrestd carry a token signed with the cluster's key. */
static void check_tokens(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *key =
		lxfw_conf_get(check->conf, "AuthAltParameters");

	if (!key || !strcasestr(key->value, "jwt_key=") ||
	    lxfw_conf_lists(check->conf, "AuthAltTypes", "auth/jwt"))
		return;
	lxfw_noted(check, "tokens", key, "jwt_key without AuthAltTypes=auth/jwt: slurmrestd "
		   "accepts no JSON web tokens, so lxfw import --slurm-rest is refused, see "
		   "lxfw-import(1)");
}

/* --- GPUs in the accounting ----------------------------------------------------------- */

static bool has_gpus(const struct lxfw_conf *conf)
{
	for (size_t i = 0; i < conf->record_count; i++) {
		const struct lxfw_conf_setting *gres = conf->records[i].partition ? NULL :
			lxfw_conf_record_get(conf, i, "Gres");

		if (gres && strncasecmp(gres->value, "gpu", 3) == 0)
			return true;
		if (gres && strcasestr(gres->value, ",gpu"))
			return true;
	}
	return false;
}

/* Returns whether a word of the list KEY begins with WORD: "gres/gpu:a100". */
static bool lists_begin(const struct lxfw_conf *conf, const char *key, const char *word)
{
	const char *at = lxfw_conf_value(conf, key, "");

	while (*at) {
		if (strncasecmp(at, word, strlen(word)) == 0)
			return true;
		at += strcspn(at, ",");
		at += *at == ',';
	}
	return false;
}

/* By default Slurm's accounting does not contain the GPUs of jobs. */
static void check_accounting(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *of = lxfw_conf_get(check->conf, "AccountingStorageTRES");
	const char *type = lxfw_conf_value(check->conf, "AccountingStorageType", "");
	struct lxfw_finding *found;
	char *value;

	if (!has_gpus(check->conf) || !lxfw_conf_lists(check->conf, "GresTypes", "gpu") ||
	    lists_begin(check->conf, "AccountingStorageTRES", "gres/gpu"))
		return;
	if (!strcasestr(type, "slurmdbd")) {
		lxfw_noted(check, "gpu-accounting", of, "with slurmdbd and "
			   "AccountingStorageTRES=gres/gpu, which requires it, the "
			   "accounting contains the GPUs of jobs, without which lxfw simulate "
			   "and lxfw compare cannot consider them, see lxfw-import(1)");
		return;
	}
	if (asprintf(&value, "%s%sgres/gpu", of ? of->value : "", of && *of->value ? "," : "") < 0) {
		check->findings->failed = true;
		return;
	}
	found = lxfw_found(check, "gpu-accounting", false, of);
	lxfw_found_text(check, found, "the accounting does not contain the GPUs of jobs, without "
			"which lxfw simulate and lxfw compare cannot consider them");
	lxfw_found_set(check, found, of, "AccountingStorageTRES", value);
	free(value);
}

void lxfw_check_resources(struct lxfw_checking *check)
{
	lxfw_check_memory(check);
	check_preemption(check);
	check_quantum(check);
	check_power_saving(check);
	check_tokens(check);
	check_accounting(check);
}
