/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/conf/check.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/params.h"

static void check_scheduler(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *type =
		lxfw_conf_get(check->conf, "SchedulerType");
	struct lxfw_finding *found;

	if (type && strcasecmp(type->value, "sched/lxfw") == 0)
		return;
	found = lxfw_found(check, "scheduler", true, type);
	lxfw_found_text(check, found, "SchedulerType is %s, so sched/lxfw "
				      "does not run",
			type ? type->value : "sched/backfill (default)");
	lxfw_found_mend(check, found, "SchedulerType=sched/lxfw");
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
		lxfw_found_mend(check, found, "#%s=%s", setting->key,
				setting->value);
	}
}

/* Checks the weights of Slurm's priority factors. */
static void check_priority(struct lxfw_checking *check)
{
	static const char *const keys[] = {
		"PriorityWeightAge", "PriorityWeightAssoc",
		"PriorityWeightFairshare", "PriorityWeightJobSize",
		"PriorityWeightPartition", "PriorityWeightQOS",
		"PriorityWeightTRES",
	};

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const struct lxfw_conf_setting *setting =
			lxfw_conf_get(check->conf, keys[i]);
		struct lxfw_finding *found;

		if (!setting || strcmp(setting->value, "0") == 0)
			continue;
		found = lxfw_found(check, "priority", false, setting);
		lxfw_found_text(check, found, "%s has no effect under "
				"sched/lxfw, which has its own priority%s",
				setting->key,
				strcasecmp(keys[i], "PriorityWeightFairshare") ?
				"" : "; limit accounts and users, or order "
				"partitions by PriorityTier");
		lxfw_found_mend(check, found, "#%s=%s", setting->key,
				setting->value);
	}
}

static int by_place(const void *left, const void *right)
{
	const struct lxfw_finding *a = left, *b = right;

	if (a->broken != b->broken)
		return a->broken ? -1 : 1;
	if (a->path && b->path && strcmp(a->path, b->path) != 0)
		return strcmp(a->path, b->path);
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

int lxfw_check(const struct lxfw_conf *conf,
	       const struct lxfw_check_options *options,
	       struct lxfw_findings *findings)
{
	struct lxfw_params params;
	struct lxfw_checking check = { conf, options, findings, &params };

	*findings = (struct lxfw_findings) { 0 };
	check_scheduler(&check);
	lxfw_check_parameters(&check, &params);
	lxfw_check_resources(&check);
	lxfw_check_partitions(&check);
	check_priority(&check);
	check_twice(&check);
	if (!options->no_files)
		lxfw_check_files(&check);
	if (findings->count > 1)
		qsort(findings->items, findings->count,
		      sizeof(*findings->items), by_place);
	errno = findings->failed ? ENOMEM : 0;
	return findings->failed ? -1 : 0;
}
