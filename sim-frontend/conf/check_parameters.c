/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SchedulerParameters: items separated by commas. Slurm searches for known items and
 * ignores others. The plugin reads lxfw_* and rejects all of them if one is invalid. A
 * finding proposes one line that corrects all items.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "sim-frontend/conf/check.h"
#include "sim-frontend/util/text.h"

#define ITEMS_MAX 256

struct item {
	const char *at;
	size_t length;		/* without surrounding blanks */
	size_t key;		/* length up to '=' */
	bool gone;		/* omitted from the corrected line */
};

struct parameters {
	struct lxfw_checking *check;
	const struct lxfw_conf_setting *setting;
	struct item items[ITEMS_MAX];
	size_t count;
	size_t first_finding;
	char *good;		/* valid lxfw_* items that are compatible */
	size_t good_length;
};

/* Items known to Slurm 22.05 to 26.05, except those of sched/backfill, which begin
   with bf_. */
static const char *const known[] = {
	"allow_zero_lic", "assoc_limit_stop", "batch_sched_delay",
	"bb_array_stage_cnt", "build_queue_timeout",
	"correspond_after_task_cnt", "default_queue_depth",
	"defer", "defer_batch", "delay_boot", "disable_hetjob_steps",
	"disable_job_shrink", "enable_hetjob_steps", "enable_job_state_cache",
	"enable_user_top", "extra_constraints", "Ignore_NUMA",
	"ignore_constraint_validation", "ignore_prefer_validation",
	"max_array_tasks", "max_rpc_cnt",
	"max_sched_time", "max_script_size", "max_submit_line_size",
	"max_switch_wait", "no_backup_scheduling", "no_env_cache",
	"nohold_on_prolog_fail", "pack_serial_at_end", "partition_job_depth",
	"permit_job_expansion", "preempt_reorder_count",
	"preempt_send_user_signal", "preempt_strict_order",
	"preempt_youngest_first",
	"reduce_completing_frag", "requeue_delay",
	"requeue_setup_env_fail", "salloc_wait_nodes", "sbatch_wait_nodes",
	"sched_interval", "sched_max_job_start", "sched_min_interval",
	"spec_cores_first", "step_retry_count", "step_retry_time",
	"time_min_as_soft_limit", "use_interactive_step", "user_resv_delete",
	"whole_hetjob", "whole_pack",
};

static bool key_is(const struct item *item, const char *key)
{
	return strlen(key) == item->key &&
	       strncasecmp(item->at, key, item->key) == 0;
}

static bool item_is(const struct item *item, const char *text)
{
	return strlen(text) == item->length &&
	       strncasecmp(item->at, text, item->length) == 0;
}

static bool key_begins(const struct item *item, const char *text)
{
	return item->key >= strlen(text) &&
	       strncasecmp(item->at, text, strlen(text)) == 0;
}

static void split(struct parameters *of, const char *text)
{
	while (*text && of->count < ITEMS_MAX) {
		size_t next = strcspn(text, ","), length = next;
		const char *at = text, *equals;

		while (length > 0 && (*at == ' ' || *at == '\t'))
			at++, length--;
		while (length > 0 && (at[length - 1] == ' ' ||
				      at[length - 1] == '\t'))
			length--;
		equals = memchr(at, '=', length);
		if (length > 0)
			of->items[of->count++] = (struct item) {
				.at = at, .length = length,
				.key = equals ? (size_t)(equals - at) : length,
			};
		text += next + (text[next] == ',');
	}
}

static struct lxfw_finding *found(struct parameters *of, const char *name,
				  bool broken)
{
	return lxfw_found(of->check, name, broken, of->setting);
}

/* --- items ---------------------------------------------------------------------- */

/* Returns whether ITEM is valid together with the plugin's previous valid items. */
static bool try_item(struct parameters *of, const struct item *item,
		     struct lxfw_params *params, struct lxfw_error *why)
{
	size_t before = of->good_length;

	if (before > 0)
		of->good[of->good_length++] = ',';
	memcpy(of->good + of->good_length, item->at, item->length);
	of->good_length += item->length;
	of->good[of->good_length] = '\0';
	lxfw_params_default(params);
	if (lxfw_params_parse(params, of->good, NULL, NULL, why) == 0)
		return true;
	of->good_length = before;
	of->good[before] = '\0';
	return false;
}

/* The plugin accepts all items or none. The policy is checked first, since it
   determines which other items are valid. */
static void check_ours(struct parameters *of, struct lxfw_params *params)
{
	struct lxfw_error why;

	for (int policy = 1; policy >= 0; policy--) {
		for (size_t i = 0; i < of->count; i++) {
			struct item *item = &of->items[i];
			struct lxfw_finding *finding;

			if (!key_begins(item, "lxfw") ||
			    key_is(item, "lxfw_policy") != policy ||
			    try_item(of, item, params, &why))
				continue;
			finding = found(of, "parameters", true);
			lxfw_found_text(of->check, finding, "%s; sched/lxfw keeps "
				"its previous parameters, or its defaults",
				why.text);
			item->gone = true;
		}
	}
	lxfw_params_default(params);
	lxfw_params_parse(params, of->good, NULL, NULL, &why);
}

/* Checks items that the library accepts and the plugin rejects. */
static void check_plugin(struct parameters *of,
			 const struct lxfw_params *params)
{
	struct lxfw_finding *finding;

	for (size_t i = 0; i < of->count; i++) {
		struct item *item = &of->items[i];
		const struct lxfw_key *key;

		if (key_is(item, "lxfw_policy") &&
		    lxfw_policy_has(params->policy, LXFW_TRAIT_OFFLINE)) {
			finding = found(of, "parameters", true);
			lxfw_found_text(of->check, finding, "lxfw_policy=%s "
				"is for simulations: sched/lxfw refuses it",
				lxfw_policy_name(params->policy));
			item->gone = true;
		}
		key = lxfw_key_find(item->at, item->key);
		if (key && lxfw_key_too_small(key, params)) {
			finding = found(of, "parameters", true);
			lxfw_found_text(of->check, finding, "%s of less than "
				"%lld %s: sched/lxfw refuses it", key->name,
				(long long)key->live_min, key->unit);
			item->gone = true;
		}
	}
}

/* Checks Slurm's items: those of another scheduler, unknown ones, and duplicates. */
static void check_theirs(struct parameters *of)
{
	char quoted[60];

	for (size_t i = 0; i < of->count; i++) {
		struct item *item = &of->items[i];
		struct lxfw_finding *finding;
		bool is_known = false, shadowed = false;

		if (key_begins(item, "lxfw"))
			continue;
		lxfw_text_quote(quoted, sizeof(quoted), item->at, item->length);
		for (size_t j = 0; j < sizeof(known) / sizeof(*known); j++)
			is_known |= key_is(item, known[j]);
		for (size_t j = 0; j < i; j++)
			shadowed |= of->items[j].key == item->key &&
				strncasecmp(of->items[j].at, item->at,
					    item->key) == 0;
		if (key_begins(item, "bf_")) {
			finding = found(of, "backfill-parameters", false);
			lxfw_found_text(of->check, finding, "%s is a parameter of "
				"sched/backfill and has no effect on "
				"sched/lxfw", quoted);
		} else if (!is_known) {
			finding = found(of, "unknown-parameters", false);
			lxfw_found_text(of->check, finding, "%s is not a parameter "
				"of Slurm or sched/lxfw", quoted);
		} else if (shadowed) {
			finding = found(of, "shadowed-parameters", false);
			lxfw_found_text(of->check, finding, "%s is ignored because "
				"the same parameter is given before",
				quoted);
		} else {
			continue;
		}
		item->gone = true;
	}
}

/* Slurm's main scheduler starts jobs in addition to any scheduler plugin. */
static void check_main_scheduler(struct parameters *of)
{
	bool defer = false, never = false;
	struct lxfw_finding *finding;

	for (size_t i = 0; i < of->count; i++) {
		struct item *item = &of->items[i];

		defer |= item_is(item, "defer");
		if (!key_is(item, "sched_interval") || item->gone)
			continue;
		never |= item_is(item, "sched_interval=-1");
		item->gone |= !item_is(item, "sched_interval=-1");
	}
	if (defer && never)
		return;
	finding = found(of, "main-scheduler", true);
	lxfw_found_text(of->check, finding, "without %s Slurm's main "
		"scheduler also starts jobs, by its own priorities and into "
		"reservations of sched/lxfw",
		!defer && !never ? "defer,sched_interval=-1" :
		!defer ? "defer" : "sched_interval=-1");
}

/* --- the corrected line ----------------------------------------------------------- */

static char *mended(const struct parameters *of)
{
	size_t size = 64;
	char *line, *to;

	for (size_t i = 0; i < of->count; i++)
		size += of->items[i].length + 1;
	line = malloc(size);
	if (!line)
		return NULL;
	to = stpcpy(line, "defer,sched_interval=-1");
	for (size_t i = 0; i < of->count; i++) {
		const struct item *item = &of->items[i];

		if (item->gone || item_is(item, "defer") ||
		    item_is(item, "sched_interval=-1"))
			continue;
		*to++ = ',';
		to = mempcpy(to, item->at, item->length);
	}
	*to = '\0';
	return line;
}

void lxfw_check_parameters(struct lxfw_checking *check,
			   struct lxfw_params *params)
{
	const char *text = lxfw_conf_value(check->conf, "SchedulerParameters",
					   "");
	struct parameters of = {
		.check = check,
		.setting = lxfw_conf_get(check->conf, "SchedulerParameters"),
		.first_finding = check->findings->count,
		.good = calloc(strlen(text) + 2, 1),
	};
	char *line;

	lxfw_params_default(params);
	split(&of, text);
	if (of.good) {
		check_ours(&of, params);
		check_plugin(&of, params);
	}
	check_theirs(&of);
	check_main_scheduler(&of);
	line = mended(&of);
	for (size_t i = of.first_finding; i < check->findings->count; i++)
		lxfw_found_mend(check, &check->findings->items[i],
				"SchedulerParameters=%s", line ? line : "");
	check->findings->failed |= !line || !of.good;
	free(line);
	free(of.good);
}
