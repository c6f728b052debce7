/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * SchedulerParameters: items separated by commas. Slurm searches for known items and
 * ignores others. The plugin reads lxfw_* and rejects all of them if one is invalid. A
 * finding proposes one line that corrects all items.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/params/keys.h"
#include "common/params/policy.h"
#include "plugins/slurm/parameters/parameters.h"
#include "sim-frontend/conf/check.h"
#include "sim-frontend/conf/keys.h"
#include "sim-frontend/util/text.h"

#define KEY "SchedulerParameters"
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
	bool shadow;		/* Slurm's own scheduler starts the jobs */
	bool meant_shadow;	/* by an invalid lxfw_shadow; it is added to the corrected
				   line, which must not turn a trial into decisions */
	bool spare_gpus;	/* lxfw_spare_gpus=on is added to the corrected line */
	char *good;		/* valid lxfw_* items that are compatible */
	size_t good_length;
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

/* "SchedulerParameters==defer": Slurm searches the text for items and finds them all the
   same. */
static void skip_equals(struct item *item)
{
	while (item->length > 0 && *item->at == '=') {
		const char *equals;

		item->at++;
		item->length--;
		equals = memchr(item->at, '=', item->length);
		item->key = equals ? (size_t)(equals - item->at) : item->length;
	}
}

static void split(struct parameters *of, const char *text)
{
	struct lxfw_parameter_item item;

	while (of->count < ITEMS_MAX && lxfw_parameters_next(&text, &item))
		of->items[of->count++] = (struct item) {
			.at = item.at, .length = item.length, .key = item.name,
		};
	for (size_t i = 0; i < of->count; i++)
		skip_equals(&of->items[i]);
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
			of->meant_shadow |= key_is(item, "lxfw_shadow");
		}
	}
	lxfw_params_default(params);
	lxfw_params_parse(params, of->good, NULL, NULL, &why);
}

/* The value of KEY is refused by the plugin. */
static void refuse_value(struct parameters *of, struct lxfw_finding *finding,
			 const struct lxfw_key *key)
{
	struct lxfw_error good;

	if (key->live_min > 0) {
		lxfw_found_text(of->check, finding,
			"%s of less than %lld %s: sched/lxfw refuses it",
			key->name, (long long)key->live_min, key->unit);
		return;
	}
	lxfw_error_set(&good, "");
	lxfw_key_live(key, &good);
	lxfw_found_text(of->check, finding,
		"%s: only %s is possible with Slurm, sched/lxfw refuses other values",
		key->name, good.text);
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
		/* The corrected line must not turn a trial into decisions. */
		if (key_is(item, "lxfw_policy") && params->shadow == LXFW_SHADOW_ON &&
		    lxfw_params_has(params, LXFW_TRAIT_INTERRUPTS)) {
			finding = found(of, "parameters", true);
			lxfw_found_text(of->check, finding, "lxfw_shadow=on with policy "
				"%s, which interrupts jobs: sched/lxfw refuses it",
				lxfw_policy_name(params->policy));
			item->gone = true;
		}
		if (key_is(item, "lxfw_preempt_tiers") && params->preempt_tiers > 0) {
			finding = found(of, "parameters", true);
			lxfw_found_text(of->check, finding, "lxfw_preempt_tiers is for "
				"other workload managers: sched/lxfw refuses it");
			item->gone = true;
		}
		key = lxfw_key_find(item->at, item->key);
		if (key && lxfw_key_not_live(key, params)) {
			finding = found(of, "parameters", true);
			refuse_value(of, finding, key);
			item->gone = true;
		}
	}
}

/* --- Slurm's items -------------------------------------------------------------- */

/* Why an item of Slurm's is left out of the corrected line. */
enum fault {
	FAULT_NONE,
	FAULT_IDLE,
	FAULT_UNKNOWN,
	FAULT_SHADOWED,
	FAULT_MOVED,
	FAULTS,
};

/* A finding for each fault, with all items that have it. */
static const struct {
	const char *name, *text;
} faults[FAULTS] = {
	[FAULT_IDLE] = { "idle-parameters", "without effect on sched/lxfw" },
	[FAULT_UNKNOWN] = { "unknown-parameters",
			    "neither parameters of Slurm nor of sched/lxfw" },
	[FAULT_SHADOWED] = { "shadowed-parameters",
			     "ignored because the same parameter is given before" },
	[FAULT_MOVED] = { "moved-parameters", "Slurm reads these from another key" },
};

/* The key from which Slurm reads ITEM, or NULL. */
static const char *moved_to(const struct item *item)
{
	return lxfw_parameter_elsewhere(item->at, item->key);
}

static bool is_shadowed(const struct parameters *of, const struct item *item)
{
	for (const struct item *before = of->items; before < item; before++) {
		if (before->key == item->key &&
		    strncasecmp(before->at, item->at, item->key) == 0)
			return true;
	}
	return false;
}

/* Prints the reasons of an item without effect to TO. */
static void put_reason(const struct lxfw_parameter *row, const char *why, FILE *to)
{
	bool similar = row->use == LXFW_PARAMETER_NONE && row->key;

	fprintf(to, " (%s%s%s)", why, similar ? "; similar: " : "",
		similar ? row->key : "");
}

/* Determines the fault of ITEM, and prints the item to the text of that fault. */
static void judge(const struct parameters *of, const char *text, struct item *item,
		  FILE *const *to)
{
	const struct lxfw_parameter_item given = {
		.at = item->at, .length = item->length, .name = item->key,
	};
	const struct lxfw_parameter *row = lxfw_parameter_find(item->at, item->key);
	const char *why = row ? lxfw_parameter_idle(text, &given, row) : NULL;
	const char *other = row ? NULL : moved_to(item);
	enum fault fault = other ? FAULT_MOVED : !row ? FAULT_UNKNOWN : why ? FAULT_IDLE :
			   is_shadowed(of, item) ? FAULT_SHADOWED : FAULT_NONE;
	char quoted[60];

	if (fault == FAULT_NONE)
		return;
	lxfw_text_quote(quoted, sizeof(quoted), item->at, item->length);
	fprintf(to[fault], "%s%s", ftell(to[fault]) > 0 ? ", " : "", quoted);
	if (fault == FAULT_IDLE)
		put_reason(row, why, to[fault]);
	if (fault == FAULT_MOVED)
		fprintf(to[fault], " (%s)", other);
	if (fault == FAULT_UNKNOWN && lxfw_parameter_nearest(item->at, item->key))
		fprintf(to[fault], " (did you mean %s?)",
			lxfw_parameter_nearest(item->at, item->key));
	item->gone = true;
}

static bool lists_item(const char *text, const struct item *item)
{
	struct lxfw_parameter_item of;

	while (lxfw_parameters_next(&text, &of)) {
		if (of.name == item->key && strncasecmp(of.at, item->at, of.name) == 0)
			return true;
	}
	return false;
}

/* Adds the items for the key KEY to that key. */
static void move_items(struct parameters *of, struct lxfw_finding *finding, const char *key)
{
	const struct lxfw_conf_setting *there = lxfw_conf_get(of->check->conf, key);
	const char *before = there ? there->value : "";
	char *value = NULL;
	size_t size;
	FILE *out = open_memstream(&value, &size);
	bool added = false;

	for (size_t i = 0; i < of->count && out; i++) {
		const struct item *item = &of->items[i];
		const char *to = moved_to(item);

		if (!to || strcmp(to, key) != 0 || !item->gone || lists_item(before, item))
			continue;
		fprintf(out, "%s%s%.*s", added ? "" : before, added || *before ? "," : "",
			(int)item->length, item->at);
		added = true;
	}
	if (!out || fclose(out))
		of->check->findings->failed = true;
	else if (added)
		lxfw_found_set(of->check, finding, there, key, value);
	free(value);
}

static void move_all(struct parameters *of, struct lxfw_finding *finding)
{
	static const char *const keys[] = {
		"DependencyParameters", "LaunchParameters", "PreemptParameters",
		"SlurmctldParameters",
	};

	/* PreemptParameters exists since 23.02: its items have no effect before. */
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (lxfw_conf_key_in(lxfw_conf_key_find("", keys[i]), of->check->release) ||
		    lxfw_conf_get(of->check->conf, keys[i]))
			move_items(of, finding, keys[i]);
	}
}

/* Checks Slurm's items: those without effect, unknown ones, and duplicates. */
static void check_theirs(struct parameters *of, const char *text)
{
	char *texts[FAULTS] = { NULL };
	FILE *to[FAULTS] = { NULL };
	size_t sizes[FAULTS];
	bool opened = true;

	for (int i = FAULT_IDLE; i < FAULTS; i++) {
		to[i] = open_memstream(&texts[i], &sizes[i]);
		opened &= to[i] != NULL;
	}
	for (size_t i = 0; i < of->count && opened; i++) {
		if (!key_begins(&of->items[i], "lxfw"))
			judge(of, text, &of->items[i], to);
	}
	for (int i = FAULT_IDLE; i < FAULTS; i++) {
		bool closed = to[i] && fclose(to[i]) == 0;

		of->check->findings->failed |= !closed;
		if (closed && sizes[i] > 0) {
			struct lxfw_finding *finding = found(of, faults[i].name, false);

			lxfw_found_text(of->check, finding, "%s: %s", faults[i].text, texts[i]);
			if (i == FAULT_MOVED)
				move_all(of, finding);
		}
		free(texts[i]);
	}
}

/* --- the main scheduler --------------------------------------------------------- */

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

/* In shadow mode it schedules as before, with its items. */
static void check_shadow(struct parameters *of)
{
	for (size_t i = 0; i < of->count; i++) {
		struct item *item = &of->items[i];

		if (!item_is(item, "sched_interval=-1"))
			continue;
		lxfw_found_text(of->check, found(of, "shadow", false),
				"with lxfw_shadow=on, Slurm's scheduler starts the jobs, and "
				"sched_interval=-1 turns a part of it off");
		item->gone = true;
	}
}

/* --- the corrected line ----------------------------------------------------------- */

static char *mended(const struct parameters *of)
{
	size_t size = 128;
	char *line, *to;

	for (size_t i = 0; i < of->count; i++)
		size += of->items[i].length + 1;
	line = malloc(size);
	if (!line)
		return NULL;
	to = stpcpy(line, of->shadow ? "" : "defer,sched_interval=-1");
	for (size_t i = 0; i < of->count; i++) {
		const struct item *item = &of->items[i];

		if (item->gone || (!of->shadow && item_is(item, "defer")) ||
		    (of->spare_gpus && key_is(item, "lxfw_spare_gpus")) ||
		    item_is(item, "sched_interval=-1"))
			continue;
		if (to > line)
			*to++ = ',';
		to = mempcpy(to, item->at, item->length);
	}
	if (of->meant_shadow)
		to = stpcpy(to, to > line ? ",lxfw_shadow=on" : "lxfw_shadow=on");
	strcpy(to, !of->spare_gpus ? "" : to > line ? ",lxfw_spare_gpus=on" :
						      "lxfw_spare_gpus=on");
	return line;
}

void lxfw_check_parameters(struct lxfw_checking *check,
			   struct lxfw_params *params)
{
	const char *text = lxfw_conf_value(check->conf, KEY, "");
	struct parameters of = {
		.check = check,
		.setting = lxfw_conf_get(check->conf, KEY),
		.first_finding = check->findings->count,
		.good = calloc(strlen(text) + 2, 1),
	};
	char *line;

	lxfw_params_default(params);
	split(&of, text);
	if (text[strspn(text, " \t")] == '=')
		lxfw_found_text(check, found(&of, "double-equals", false), "the value begins "
				"with '='");
	if (of.good) {
		check_ours(&of, params);
		check_plugin(&of, params);
	}
	of.meant_shadow &= params->shadow == LXFW_SHADOW_OFF;
	of.shadow = of.meant_shadow || params->shadow == LXFW_SHADOW_ON;
	if (of.shadow) {
		check_shadow(&of);
	} else {
		check_theirs(&of, text);
		check_main_scheduler(&of);
	}
	of.spare_gpus = lxfw_check_gpus(check, params);
	line = mended(&of);
	for (size_t i = of.first_finding; i < check->findings->count && line; i++) {
		lxfw_found_mend(check, &check->findings->items[i], KEY "=%s", line);
		lxfw_found_set(check, &check->findings->items[i], of.setting, KEY, line);
	}
	check->findings->failed |= !line || !of.good;
	free(line);
	free(of.good);
}
