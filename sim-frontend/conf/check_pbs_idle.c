/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What lxfw-pbsd does with each attribute that pbs_sched reads, and with each option of
 * sched_config. The server itself uses the other attributes; they have the same effect with
 * either scheduler.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/conf/check_pbs.h"

/* Bits of the objects of a row. */
#define OF(object) (1u << (object))
#define SERVER OF(LXFW_QMGR_SERVER)
#define QUEUE OF(LXFW_QMGR_QUEUE)
#define NODE OF(LXFW_QMGR_NODE)
#define SCHED OF(LXFW_QMGR_SCHED)

struct attribute {
	const char *name;	/* without the resource */
	unsigned objects;
	const char *usual;	/* the value that needs no finding; NULL: none */
	const char *finding;	/* NULL: lxfw-pbsd respects it */
	const char *text;	/* after the name and "has no effect: " */
};

#define IDLE "idle-attributes"

static const struct attribute attributes[] = {
	{ "max_run", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_run_res", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_running", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_user_run", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_group_run", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_user_res", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_group_res", SERVER | QUEUE, NULL, NULL, NULL },
	{ "Priority", QUEUE, NULL, NULL, NULL },
	{ "started", QUEUE, NULL, NULL, NULL },
	{ "partition", QUEUE | NODE | SCHED, NULL, NULL, NULL },
	{ "queue", NODE, NULL, NULL, NULL },
	{ "sharing", NODE, NULL, NULL, NULL },
	{ "resources_available", NODE, NULL, NULL, NULL },
	{ "max_run_soft", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_run_res_soft", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_user_run_soft", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_group_run_soft", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_user_res_soft", SERVER | QUEUE, NULL, NULL, NULL },
	{ "max_group_res_soft", SERVER | QUEUE, NULL, NULL, NULL },
	{ "job_sort_formula", SERVER | SCHED, NULL, NULL, NULL },	/* a note besides */
	{ "job_sort_formula_threshold", SCHED, NULL, NULL, NULL },
	{ "eligible_time_enable", SERVER, NULL, NULL, NULL },
	{ "preempt_prio", SCHED, NULL, NULL, NULL },
	{ "preempt_queue_prio", SCHED, NULL, NULL, NULL },
	{ "node_group_enable", SERVER, NULL, NULL, NULL },
	{ "node_group_key", SERVER | QUEUE, NULL, NULL, NULL },
	{ "do_not_span_psets", SCHED, NULL, NULL, NULL },
	{ "only_explicit_psets", SCHED, NULL, NULL, NULL },
	{ "resources_available", SERVER | QUEUE, NULL, NULL, NULL },
	{ "backfill_depth", SERVER | QUEUE, NULL, "backfill-depth",
	  "the number of reservations is lxfw_reservations" },
	{ "opt_backfill_fuzzy", SCHED, NULL, IDLE, "expected starts are exact" },
	{ "restrict_res_to_release_on_suspend", SERVER, NULL, IDLE,
	  "a suspended job releases its processors and keeps everything else" },
	{ "max_running", NODE, NULL, "node-limits", "limits of a vnode are not read" },
	{ "max_user_run", NODE, NULL, "node-limits", "limits of a vnode are not read" },
	{ "max_group_run", NODE, NULL, "node-limits", "limits of a vnode are not read" },
	{ "no_multinode_jobs", NODE, "False", "node-limits",
	  "jobs of several hosts use the vnode too" },
	{ "Priority", NODE, "0", "node-order", "hosts are chosen by lxfw's placement rule" },
	{ "provision_enable", NODE, "False", "provisioning", "no node is provisioned" },
	{ "sched_preempt_enforce_resumption", SCHED, "False", IDLE,
	  "jobs are preempted only for quanta and by policies that preempt" },
	{ "preempt_targets_enable", SCHED, "True", IDLE,
	  "jobs are preempted only for quanta and by policies that preempt" },
	{ "preempt_sort", SCHED, "min_time_since_start", IDLE,
	  "the keys lxfw_victim_* select the jobs that are preempted" },
	{ "preempt_order", SCHED, "SCR", IDLE, "jobs are suspended" },
	{ "throughput_mode", SCHED, "True", IDLE, "the daemon awaits each start" },
	{ "sched_cycle_length", SCHED, "00:20:00", IDLE,
	  "a pass considers all jobs" },
	{ "attr_update_period", SCHED, NULL, IDLE, "comments are written when they change" },
};

struct option {
	const char *name;
	const char *usual;	/* values that need no finding, "a|b"; NULL: none, "*": any */
	const char *finding;
	const char *text;
};

#define FAIR "jobs are not ordered by the usage of their users"

static const struct option config_options[] = {
	{ "round_robin", "false", "order", "jobs are ordered by lxfw_policy" },
	{ "by_queue", "*", NULL, NULL },	/* check_pbs_queues.c */
	{ "strict_ordering", "false", "order",
	  "other jobs start beside the reservations of the first ones; "
	  "lxfw_policy=fcfs starts jobs in order" },
	{ "strict_fifo", "false", "order", "lxfw_policy=fcfs starts jobs in order" },
	{ "job_sort_key", NULL, "order", "jobs are ordered by lxfw_policy" },
	{ "fair_share", "false", "fair-share", FAIR },
	{ "fairshare_enforce_no_shares", "false", "fair-share", FAIR },
	{ "unknown_shares", "*", NULL, NULL }, { "fairshare_usage_res", "*", NULL, NULL },
	{ "fairshare_entity", "*", NULL, NULL },
	{ "fairshare_decay_time", "*", NULL, NULL },
	{ "fairshare_decay_factor", "*", NULL, NULL }, { "half_life", "*", NULL, NULL },
	{ "help_starving_jobs", "false", "order",
	  "waiting jobs gain priority by lxfw_ww and lxfw_wx" },
	{ "max_starve", "*", NULL, NULL },
	{ "sort_queues", "*", NULL, NULL }, { "log_filter", "*", NULL, NULL },
	{ "backfill", "true", "idle-options", "lxfw_policy decides whether jobs overtake" },
	{ "backfill_prime", "*", NULL, NULL },
	{ "prime_spill", "*", NULL, NULL },
	{ "prime_exempt_anytime_queues", "*", NULL, NULL },
	{ "primetime_prefix", "*", NULL, NULL },
	{ "nonprimetime_prefix", "*", NULL, NULL }, { "dedicated_prefix", "*", NULL, NULL },
	{ "node_sort_key", "sort_priority HIGH", "node-order",
	  "hosts are chosen by lxfw's placement rule" },
	{ "sort_nodes", "*", NULL, NULL },
	{ "smp_cluster_dist", "pack", "node-order",
	  "hosts are chosen by lxfw's placement rule" },
	{ "provision_policy", "*", NULL, NULL },
	{ "resources", "*", NULL, NULL },	/* check_pbs_resources.c */
	{ "mom_resources", NULL, "dynamic-resources",
	  "amounts that moms measure are not counted" },
	{ "server_dyn_res", "*", NULL, NULL },
	{ "resource_unset_infinite", NULL, "idle-options",
	  "a resource that is unset on a vnode counts as 0, or as false" },
	{ "peer_queue", NULL, "idle-options", "no jobs are fetched from other servers" },
	{ "peer_translation", NULL, "idle-options", "no jobs are fetched from other servers" },
	{ "preemptive_sched", "*", NULL, NULL },	/* check_pbs_queues.c */
	{ "preempt_queue_prio", "*", NULL, NULL }, { "preempt_prio", "*", NULL, NULL },
	{ "preempt_order", "*", NULL, NULL }, { "preempt_sort", "*", NULL, NULL },
	{ "preempt_suspend", "*", NULL, NULL }, { "preempt_checkpoint", "*", NULL, NULL },
	{ "preempt_requeue", "*", NULL, NULL }, { "preempt_attempts", "*", NULL, NULL },
	{ "susp_threshold", "*", NULL, NULL },
	{ "node_group_key", NULL, "placement-sets",
	  "the chunks of a job are not kept within a group of vnodes" },
	{ "max_job_check", "ALL_JOBS", "idle-options", "a pass considers all jobs" },
	{ "update_comments", "true", "idle-options",
	  "the option --silent of lxfw-pbsd turns comments off" },
	{ "resv_confirm_ignore", "*", NULL, NULL }, { "allow_aoe_calendar", "*", NULL, NULL },
	{ "load_balancing", "*", NULL, NULL }, { "load_balancing_rr", "*", NULL, NULL },
	{ "cpus_per_ssinode", "*", NULL, NULL }, { "mem_per_ssinode", "*", NULL, NULL },
	{ "sync_time", "*", NULL, NULL }, { "sort_by", "*", NULL, NULL },
};

#define COUNT(list) (sizeof(list) / sizeof(*(list)))

/* The length of an attribute without its resource. */
static size_t base_length(const char *key)
{
	return strcspn(key, ".");
}

static const struct attribute *find_attribute(const struct lxfw_pbs_setting *item)
{
	const char *key = item->setting.key;

	for (size_t i = 0; i < COUNT(attributes); i++) {
		const struct attribute *row = &attributes[i];

		if (row->objects & OF(item->object) &&
		    strlen(row->name) == base_length(key) &&
		    strncasecmp(row->name, key, base_length(key)) == 0)
			return row;
	}
	return NULL;
}

/* Whether this is the last setting of the attribute, for one finding each. */
static bool is_last(const struct lxfw_pbs_checking *check, const struct lxfw_pbs_setting *item)
{
	return lxfw_pbs_conf_get(check->conf, item->object, item->name,
				 item->setting.key) == item;
}

/* The name of an object after the word for it. */
static const char *name_of(const struct lxfw_pbs_setting *item)
{
	return item->object == LXFW_QMGR_SCHED && *item->name == '\0' ? "default" : item->name;
}

static const char *space(const struct lxfw_pbs_setting *item)
{
	return *name_of(item) ? " " : "";
}

static void check_attribute(struct lxfw_pbs_checking *check,
			    const struct lxfw_pbs_setting *item)
{
	const struct attribute *row = find_attribute(item);
	const char *key = item->setting.key, *word = lxfw_qmgr_word(item->object);
	struct lxfw_finding *found;

	if (!row || !row->finding || item->object == LXFW_QMGR_NODE ||
	    !is_last(check, item) || (row->usual && strcasecmp(row->usual, item->setting.value) == 0))
		return;
	found = lxfw_found(&check->base, row->finding, false, &item->setting);
	if (strcmp(row->finding, "backfill-depth") == 0)
		lxfw_found_text(&check->base, found, "%s of %s%s%s has no effect: %s; "
				"lxfw_reservations=%s in the parameters of lxfw-pbsd is similar",
				key, word, space(item), name_of(item), row->text,
				item->setting.value);
	else
		lxfw_found_text(&check->base, found, "%s of %s%s%s has no effect: %s", key,
				word, space(item), name_of(item), row->text);
	lxfw_found_mend(&check->base, found, "unset %s%s%s %s", word, space(item),
			name_of(item), key);
}

/* There can be tens of thousands of nodes: one finding is for all of them. */
static void check_nodes(struct lxfw_pbs_checking *check, const struct attribute *row)
{
	const struct lxfw_pbs_conf *conf = check->conf;
	const struct lxfw_pbs_setting *first = NULL;
	struct lxfw_finding *found;
	size_t others = 0;
	char more[40] = "";

	for (size_t i = 0; i < conf->count; i++) {
		const struct lxfw_pbs_setting *item = &conf->items[i];

		if (item->source != LXFW_PBS_QMGR || item->object != LXFW_QMGR_NODE ||
		    strcasecmp(item->setting.key, row->name) != 0 ||
		    (row->usual && strcasecmp(row->usual, item->setting.value) == 0))
			continue;
		others += first != NULL;
		first = first ? first : item;
	}
	if (!first)
		return;
	if (others > 0)
		snprintf(more, sizeof(more), " and %zu other%s", others,
			 others > 1 ? "s" : "");
	found = lxfw_found(&check->base, row->finding, false, &first->setting);
	lxfw_found_text(&check->base, found, "%s of node %s%s has no effect: %s", row->name,
			first->name, more, row->text);
	lxfw_found_mend(&check->base, found, "unset node @default %s", row->name);
}

/* --- sched_config -------------------------------------------------------------------------- */

static const struct option *find_option(const char *name)
{
	for (size_t i = 0; i < COUNT(config_options); i++) {
		if (strcmp(config_options[i].name, name) == 0)
			return &config_options[i];
	}
	return NULL;
}

static bool is_usual(const struct option *row, const char *value)
{
	return row->usual && (strcmp(row->usual, "*") == 0 ||
			      strcasecmp(row->usual, value) == 0 ||
			      (strcmp(row->usual, "false") == 0 && strcmp(value, "0") == 0) ||
			      (strcmp(row->usual, "true") == 0 && strcmp(value, "1") == 0));
}

static void check_option(struct lxfw_pbs_checking *check, const struct lxfw_pbs_setting *item)
{
	const char *key = item->setting.key, *value = item->setting.value;
	const struct option *row = find_option(key);
	bool quoted = strpbrk(value, " \t") != NULL;
	struct lxfw_finding *found;

	if (row && is_usual(row, value))
		return;
	found = lxfw_found(&check->base, row ? row->finding : "unknown-options", false,
			   &item->setting);
	if (row)
		lxfw_found_text(&check->base, found, "%s has no effect: %s", key, row->text);
	else
		lxfw_found_text(&check->base, found, "%s is no option of pbs_sched", key);
	lxfw_found_mend(&check->base, found, "#%s: %s%s%s%s%s", key, quoted ? "\"" : "", value,
			quoted ? "\"" : "", *item->when ? " " : "", item->when);
}

/* --- what is respected --------------------------------------------------------------------- */

/* Whether the same attribute of an earlier object was listed. */
static bool is_listed(const struct lxfw_pbs_checking *check, size_t at)
{
	const struct lxfw_pbs_setting *item = &check->conf->items[at];

	for (size_t i = 0; i < at; i++) {
		const struct lxfw_pbs_setting *before = &check->conf->items[i];

		if (before->source == LXFW_PBS_QMGR && before->object == item->object &&
		    strcasecmp(before->setting.key, item->setting.key) == 0)
			return true;
	}
	return false;
}

/* Nodes have many settings, and each kind is listed once. */
static void note_respected(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_conf *conf = check->conf;
	const struct lxfw_pbs_setting *first = NULL;
	char *list = NULL;
	size_t length;
	FILE *to = open_memstream(&list, &length);

	for (size_t i = 0; i < conf->count && to; i++) {
		const struct lxfw_pbs_setting *item = &conf->items[i];
		const struct attribute *row =
			item->source == LXFW_PBS_QMGR ? find_attribute(item) : NULL;

		if (!row || row->finding || item->object == LXFW_QMGR_NODE ||
		    is_listed(check, i))
			continue;
		fprintf(to, "%s%s of %s", first ? ", " : "", item->setting.key,
			lxfw_qmgr_word(item->object));
		if (!first)
			first = item;
	}
	if (!to || fclose(to))
		check->base.findings->failed = true;
	else if (first)
		lxfw_noted(&check->base, "respected", &first->setting,
			   "lxfw-pbsd respects %s, see JOBS in lxfw-pbsd(8)", list);
	free(list);
}

void lxfw_check_pbs_idle(struct lxfw_pbs_checking *check)
{
	for (size_t i = 0; i < check->conf->count; i++) {
		const struct lxfw_pbs_setting *item = &check->conf->items[i];

		if (item->source == LXFW_PBS_QMGR)
			check_attribute(check, item);
		else if (item->source == LXFW_PBS_SCHED_CONFIG)
			check_option(check, item);
	}
	for (size_t i = 0; i < COUNT(attributes); i++) {
		if (attributes[i].objects & NODE && attributes[i].finding)
			check_nodes(check, &attributes[i]);
	}
	note_respected(check);
}
