/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/check.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/params.h"
#include "common/params/policy.h"
#include "sim-frontend/conf/plugin_dirs.h"
#include "sim-frontend/conf/plugin_file.h"
#include "sim-frontend/conf/programs.h"

/* Under its stock name, the plugin gets heterogeneous jobs, too. */
static void set_stock_name(struct lxfw_checking *check, struct lxfw_finding *found,
			   const struct lxfw_conf_setting *type, const char *plugin_dirs)
{
	lxfw_found_text(check, found, "SchedulerType is %s, so sched/lxfw does not run; under the "
			"name sched/backfill, it runs heterogeneous jobs, too; every machine that "
			"reads this file must have the directory %.*s, which may be empty on nodes "
			"and clients, see THE NAME SCHED/BACKFILL in sched_lxfw(8)",
			type ? type->value : "sched/backfill (default), which is Slurm's",
			(int)strcspn(plugin_dirs, ":"), plugin_dirs);
	lxfw_found_set(check, found, lxfw_conf_get(check->conf, "PluginDir"), "PluginDir",
		       plugin_dirs);
	if (type && strcmp(type->value, "sched/backfill") != 0)
		lxfw_found_set(check, found, type, "SchedulerType", "sched/backfill");
}

static void check_scheduler(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *type =
		lxfw_conf_get(check->conf, "SchedulerType");
	struct lxfw_finding *found;
	char *plugin_dirs;

	/* The name of a file. */
	if ((type && strcmp(type->value, "sched/lxfw") == 0) ||
	    lxfw_plugin_has_stock_name(check))
		return;
	found = lxfw_found(check, "scheduler", true, type);
	plugin_dirs = lxfw_plugin_dirs_for_stock_name(check);
	if (plugin_dirs) {
		set_stock_name(check, found, type, plugin_dirs);
	} else {
		lxfw_found_text(check, found, "SchedulerType is %s, so sched/lxfw "
					      "does not run; for heterogeneous jobs "
					      "see THE NAME SCHED/BACKFILL in "
					      "sched_lxfw(8)",
				type ? type->value : "sched/backfill (default)");
		lxfw_found_set(check, found, type, "SchedulerType", "sched/lxfw");
	}
	free(plugin_dirs);
}

/* Slurm uses the last of several settings and logs the fact. */
static void check_twice(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;

	for (size_t i = 0; i < conf->global_count; i++) {
		const struct lxfw_conf_setting *setting =
			&conf->settings[conf->globals[i]];
		const struct lxfw_conf_setting *last =
			lxfw_conf_get(conf, setting->key);
		struct lxfw_finding *found;

		if (last == setting ||
		    strcasecmp(setting->key, "SlurmctldHost") == 0 ||
		    strcmp(last->value, setting->value) == 0)
			continue;
		found = lxfw_found(check, "twice", false, setting);
		lxfw_found_text(check, found, "%s is overridden on line "
				"%ld%s%s", setting->key,
				last->line, strcmp(last->path, setting->path) ?
				" of " : "", strcmp(last->path, setting->path) ?
				last->path : "");
		lxfw_found_drop(check, found, setting);
	}
}

/* Checks the weights of Slurm's priority factors under parameters that ignore them. */
static void check_priority(struct lxfw_checking *check)
{
	static const char *const keys[] = {
		"PriorityWeightAge", "PriorityWeightAssoc",
		"PriorityWeightFairshare", "PriorityWeightJobSize",
		"PriorityWeightPartition", "PriorityWeightQOS",
		"PriorityWeightTRES",
	};
	const struct lxfw_conf_setting *first = NULL;
	/* The default since 23.11 is priority/multifactor. */
	const char *usual = check->release && check->release < 0x170b00 ? "priority/basic" : "";
	struct lxfw_finding *found;
	char others[32] = "";
	int count = 0;

	if (lxfw_params_site(check->params) != 0 ||
	    strcasecmp(lxfw_conf_value(check->conf, "PriorityType", usual), "priority/basic") == 0)
		return;
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const struct lxfw_conf_setting *setting =
			lxfw_conf_get(check->conf, keys[i]);

		if (!setting || strcmp(setting->value, "0") == 0)
			continue;
		first = first ? first : setting;
		count++;
	}
	if (!first)
		return;
	if (count > 1)
		snprintf(others, sizeof(others), " and %d other weight%s", count - 1,
			 count > 2 ? "s" : "");
	if (lxfw_conf_lists_key(check->conf, "SchedulerParameters", "lxfw_policy") ||
	    lxfw_conf_lists_key(check->conf, "SchedulerParameters", "lxfw_wsite")) {
		lxfw_noted(check, "priority", first, "%s%s %s no effect under lxfw_policy=%s; "
			   "lxfw_policy=site starts jobs in the order of Slurm's priorities, "
			   "and lxfw_wsite makes them a weight of lxfw_policy=lxfw; sprio and "
			   "squeue -S -p still show them, the order of starts is that of "
			   "'squeue --start -S S', see POLICIES THAT PREEMPT in sched_lxfw(8)",
			   first->key, others, count > 1 ? "have" : "has",
			   lxfw_policy_name(check->params->policy));
		return;
	}
	found = lxfw_found(check, "priority", false, first);
	lxfw_found_text(check, found, "%s%s %s no effect under the policy %s, the default; "
			"lxfw_policy=site,lxfw_reservations=all starts jobs in the order of "
			"Slurm's priorities and plans a start for each, as sched/backfill; with "
			"another policy, which 'lxfw tune' may recommend, sprio "
			"and squeue -S -p still show them, and the order of starts is that of "
			"'squeue --start -S S'", first->key, others, count > 1 ? "have" : "has",
			lxfw_policy_name(check->params->policy));
	if (!lxfw_check_with_site(check, found))
		lxfw_found_mend(check, found, "# lxfw_policy=site,lxfw_reservations=all "
				"in SchedulerParameters");
}

/* The release that was given, or that of Slurm on this machine; 0 if it is not known. */
static uint32_t release_of(const struct lxfw_checking *check)
{
	uint32_t version = 0;
	char text[16], *path;

	if (check->options->release || check->options->no_files)
		return check->options->release;
	path = lxfw_plugin_find_slurms(check, "sched_backfill.so");
	if (path && lxfw_plugin_version(path, &version, NULL) == 0) {
		free(path);
		return version;
	}
	free(path);
	path = lxfw_slurm_controller(check);
	if (path && !lxfw_slurm_version(path, text, &version))
		version = 0;
	free(path);
	return version;
}

int lxfw_check(struct lxfw_conf *conf,
	       const struct lxfw_check_options *options,
	       struct lxfw_findings *findings)
{
	struct lxfw_params params;
	/* A state is temporary, the corrected file is for longer. */
	struct lxfw_cluster cluster = { .with_down = true };
	struct lxfw_checking check = {
		.conf = conf, .options = options, .findings = findings, .params = &params,
		.cluster = &cluster,
	};

	*findings = (struct lxfw_findings) { 0 };
	if (lxfw_cluster_read_slurm_in(&cluster, &conf->files, options->path, NULL)) {
		lxfw_cluster_clear(&cluster);
		cluster = (struct lxfw_cluster) { 0 };
	}
	check.release = release_of(&check);
	lxfw_check_release(&check);
	check_scheduler(&check);
	lxfw_check_parameters(&check, &params);
	lxfw_check_resources(&check);
	lxfw_check_partitions(&check);
	check_priority(&check);
	check_twice(&check);
	lxfw_check_notes(&check);
	if (!options->no_files)
		lxfw_check_files(&check);
	lxfw_findings_sort(findings);
	lxfw_cluster_clear(&cluster);
	errno = findings->failed ? ENOMEM : 0;
	return findings->failed ? -1 : 0;
}
