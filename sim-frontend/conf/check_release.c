/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that the release of Slurm has the keys and plugins that the file names: its daemons
   and commands do not start otherwise. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/conf/check.h"
#include "sim-frontend/conf/keys.h"

#define RELEASE_SIZE 16

/* Formats a release of the tables, 0x170b as "23.11". */
static const char *named(uint32_t release, char *out)
{
	snprintf(out, RELEASE_SIZE, "%u.%02u", release >> 8 & 0xffu, release & 0xffu);
	return out;
}

/* Formats the releases from FIRST to LAST. */
static void range(uint16_t first, uint16_t last, char *out, size_t size)
{
	char from[RELEASE_SIZE], to[RELEASE_SIZE];

	if (first && last)
		snprintf(out, size, "%s to %s", named(first, from), named(last, to));
	else if (first)
		snprintf(out, size, "%s and later", named(first, from));
	else
		snprintf(out, size, "releases up to %s", named(last, to));
}

/* --- keys ----------------------------------------------------------------------------- */

static bool is_known(const struct lxfw_checking *check, const struct lxfw_conf_key *row)
{
	return row && (check->release == 0 || check->release > LXFW_CONF_NEWEST ||
		       lxfw_conf_key_in(row, check->release));
}

static struct lxfw_finding *found_key(struct lxfw_checking *check,
				      const struct lxfw_conf_setting *setting, const char *kind,
				      const struct lxfw_conf_key *row)
{
	struct lxfw_finding *found = lxfw_found_level(check, "unknown-keys", LXFW_FINDING_STOPS,
						      setting);
	char release[RELEASE_SIZE], only[48] = "";

	if (row) {
		range(row->first, row->last, only, sizeof(only));
		lxfw_found_text(check, found, "Slurm %s has no key %s%s%s, which %s have: "
				"daemons and commands do not start",
				named(check->release >> 8, release), setting->key,
				*kind ? " of " : "", kind, only);
	} else {
		lxfw_found_text(check, found, "Slurm has no key %s%s%s: daemons and commands do "
				"not start", setting->key, *kind ? " of " : "", kind);
	}
	return found;
}

/* Moves SETTING, of the cluster, to a line of its own. RECORD is that of its line, or -1. */
static void found_beside(struct lxfw_checking *check, const struct lxfw_conf_setting *setting,
			 long record)
{
	struct lxfw_finding *found = lxfw_found_level(check, "several-keys", LXFW_FINDING_STOPS,
						      setting);

	lxfw_found_text(check, found, "%s is not the first key of its line%s: daemons and commands "
			"do not start", setting->key, record < 0 ?
			", or a blank precedes it in a value without quotation marks" :
			", and does not belong to it");
	if (record < 0)
		lxfw_found_drop_all(check, found, setting);
	else
		lxfw_found_record(check, found, (size_t)record, setting->key, NULL);
	lxfw_found_set(check, found, NULL, setting->key, setting->value);
	lxfw_found_mend(check, found, "%s=%s", setting->key, setting->value);
}

/* "Licenses=": Slurm cannot parse the line. As another key would be the value, it is the last
   one of the line. */
static void found_lacking(struct lxfw_checking *check, const struct lxfw_conf_setting *setting)
{
	struct lxfw_finding *found = lxfw_found_level(check, "no-value", LXFW_FINDING_STOPS,
						      setting);

	lxfw_found_text(check, found, "%s has no value, expected one or \"\": daemons and commands "
			"do not start", setting->key);
	lxfw_found_drop(check, found, setting);
}

/* Whether SETTING is on the line of the one before it. */
static bool is_beside(const struct lxfw_conf *conf, size_t at)
{
	return at > 0 && conf->settings[at].line == conf->settings[at - 1].line &&
	       strcmp(conf->settings[at].path, conf->settings[at - 1].path) == 0;
}

/* A line has one key, unless it describes an object. */
static void check_general_keys(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;

	for (size_t i = 0; i < conf->global_count; i++) {
		const struct lxfw_conf_setting *setting = &conf->settings[conf->globals[i]];
		const struct lxfw_conf_key *row = lxfw_conf_key_find("", setting->key);

		if (!is_known(check, row))
			lxfw_found_drop_all(check, found_key(check, setting, "", row), setting);
		else if (setting->lacking)
			found_lacking(check, setting);
		else if (is_beside(conf, conf->globals[i]))
			found_beside(check, setting, -1);
	}
}

/* A line whose first key is unknown is made a comment: its other keys belong to it. */
static void check_line_keys(struct lxfw_checking *check, size_t record)
{
	const struct lxfw_conf *conf = check->conf;
	const struct lxfw_conf_record *of = &conf->records[record];
	const struct lxfw_conf_setting *name = &conf->settings[of->first];
	const struct lxfw_conf_key *row = lxfw_conf_key_find("", name->key);

	if (!is_known(check, row)) {
		lxfw_found_comment(check, found_key(check, name, "", row), name);
		return;
	}
	if (name->lacking)
		found_lacking(check, name);
	for (size_t i = of->first + 1; i < of->first + of->count; i++) {
		const struct lxfw_conf_setting *setting = &conf->settings[i];

		row = lxfw_conf_key_find(name->key, setting->key);
		if (!row && is_known(check, lxfw_conf_key_find("", setting->key)))
			found_beside(check, setting, (long)record);
		else if (!is_known(check, row))
			lxfw_found_record(check, found_key(check, setting, name->key, row), record,
					  setting->key, NULL);
		else if (setting->lacking)
			found_lacking(check, setting);
	}
}

/* Editors of other systems write the mark, which Slurm takes for a part of the first key. */
static void check_marks(struct lxfw_checking *check)
{
	const struct lxfw_slurm_files *files = &check->conf->files;

	for (size_t i = 0; i < files->count; i++) {
		const struct lxfw_slurm_text *text = &files->items[i].now;
		const struct lxfw_conf_setting first = {
			.path = files->items[i].path, .line = 1, .key = "the mark", .value = "",
		};
		struct lxfw_finding *found;

		if (lxfw_slurm_mark(text) == 0)
			continue;
		found = lxfw_found_level(check, "mark", LXFW_FINDING_STOPS, &first);
		lxfw_found_text(check, found, "the file begins with a byte order mark, which Slurm "
				"cannot parse: daemons and commands do not start");
		lxfw_found_mend(check, found, "# tail -c +4 %s > NEW", first.path);
		lxfw_found_unmark(check, found, &first);
	}
}

/* --- keys that are read and then refused ------------------------------------------------ */

/* Adds ITEM to the list KEY. */
static void add_item(struct lxfw_checking *check, struct lxfw_finding *found, const char *key,
		     const char *item)
{
	const struct lxfw_conf_setting *there = lxfw_conf_get(check->conf, key);
	char *value;

	if (lxfw_conf_lists(check->conf, key, item))
		return;
	if (asprintf(&value, "%s%s%s", there ? there->value : "",
		     there && *there->value ? "," : "", item) < 0) {
		check->findings->failed = true;
		return;
	}
	lxfw_found_set(check, found, there, key, value);
	free(value);
}

static bool is_yes(const char *value)
{
	return strcasecmp(value, "YES") == 0 || strcasecmp(value, "TRUE") == 0 ||
	       strcasecmp(value, "UP") == 0 || strcmp(value, "1") == 0;
}

static void check_refused(struct lxfw_checking *check)
{
	static const struct {
		const char *key, *fine;		/* a value that is ignored, or NULL */
		const char *other, *item;	/* what replaces it, or NULL */
	} refused[] = {
		{ "FastSchedule", "1", "SlurmdParameters", "config_overrides" },
		{ "AccountingStorageLoc", NULL, NULL, NULL },
		{ "AccountingStoreJobComment", NULL, "AccountingStoreFlags", "job_comment" },
		{ "SallocDefaultCommand", NULL, "LaunchParameters", "use_interactive_step" },
	};

	for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
		const struct lxfw_conf_setting *setting =
			lxfw_conf_get(check->conf, refused[i].key);
		struct lxfw_finding *found;
		bool similar;

		if (!setting || !is_known(check, lxfw_conf_key_find("", refused[i].key)) ||
		    (refused[i].fine && strcmp(setting->value, refused[i].fine) == 0))
			continue;
		found = lxfw_found_level(check, "removed-keys", LXFW_FINDING_STOPS, setting);
		/* FastSchedule=0 has no successor. */
		similar = refused[i].other && (i > 0 || strcmp(setting->value, "2") == 0);
		lxfw_found_text(check, found, "%s was removed from Slurm: slurmctld does not start%s%s%s%s",
				setting->key, similar ? "; similar: " : "",
				similar ? refused[i].other : "", similar ? "=" : "",
				similar ? refused[i].item : "");
		lxfw_found_drop_all(check, found, setting);
		/* Only what had this meaning gets the new key. */
		if ((i == 0 && strcmp(setting->value, "2") == 0) || (i == 2 && is_yes(setting->value)))
			add_item(check, found, refused[i].other, refused[i].item);
	}
}

/* --- plugins ---------------------------------------------------------------------------- */

/* The last release of a plugin that no release of the tables has. */
#define OLDER 1

/* Plugins that not all releases have. Names that end in "/none" stay valid. */
static const struct {
	const char *key, *plugin;
	uint16_t first, last;
} plugins[] = {
	{ "AccountingStorageType", "accounting_storage/filetxt", 0, OLDER },
	{ "AuthType", "auth/slurm", 0x170b, 0 },
	{ "JobContainerType", "job_container/cncu", 0, 0x170b },
	{ "JobSubmitPlugins", "cray_aries", 0, 0x170b },
	{ "JobSubmitPlugins", "job_submit/cray_aries", 0, 0x170b },
	{ "NodeFeaturesPlugins", "node_features/knl_cray", 0, 0x170b },
	{ "NodeFeaturesPlugins", "node_features/knl_generic", 0, 0x1905 },
	{ "PowerPlugin", "power/cray_aries", 0, 0x170b },
	{ "ProctrackType", "proctrack/cray_aries", 0, 0x170b },
	{ "SwitchType", "switch/cray_aries", 0, 0x170b },
	{ "SwitchType", "switch/nvidia_imex", 0x1805, 0 },
	{ "TaskPlugin", "cray_aries", 0, 0x170b },
	{ "TaskPlugin", "task/cray_aries", 0, 0x170b },
	{ "TopologyPlugin", "topology/3d_torus", 0, 0x180b },
	{ "TopologyPlugin", "topology/block", 0x170b, 0 },
	{ "TopologyPlugin", "topology/default", 0x170b, 0 },
	{ "TopologyPlugin", "topology/flat", 0x1905, 0 },
	{ "TopologyPlugin", "topology/hypercube", 0, 0x1702 },
	{ "TopologyPlugin", "topology/ring", 0x1a05, 0 },
	{ "TopologyPlugin", "topology/torus3d", 0x1a05, 0 },
};

/* Returns LIST without ITEM, which the caller frees, or NULL if memory runs out. */
static char *without(const char *list, const char *item)
{
	char *value = calloc(strlen(list) + 1, 1), *to = value;

	while (value && *list) {
		size_t length = strcspn(list, ",");

		if (length != strlen(item) || strncasecmp(list, item, length) != 0) {
			if (to > value)
				*to++ = ',';
			to = mempcpy(to, list, length);
		}
		list += length + (list[length] == ',');
	}
	return value;
}

static void check_plugins(struct lxfw_checking *check)
{
	for (size_t i = 0; i < sizeof(plugins) / sizeof(*plugins); i++) {
		const struct lxfw_conf_setting *setting =
			lxfw_conf_get(check->conf, plugins[i].key);
		const struct lxfw_conf_key row = { .first = plugins[i].first,
						   .last = plugins[i].last };
		char release[RELEASE_SIZE], only[48], *rest;
		bool gone = row.last == OLDER;
		struct lxfw_finding *found;

		if (!setting || (is_known(check, &row) && !gone) ||
		    !lxfw_conf_lists(check->conf, plugins[i].key, plugins[i].plugin))
			continue;
		range(row.first, row.last, only, sizeof(only));
		found = lxfw_found_level(check, "unknown-plugins", LXFW_FINDING_STOPS, setting);
		if (gone)
			lxfw_found_text(check, found, "Slurm has no plugin %s any more: what loads "
					"it does not start", plugins[i].plugin);
		else
			lxfw_found_text(check, found, "Slurm %s has no plugin %s, which %s have: "
					"what loads it does not start",
					named(check->release >> 8, release), plugins[i].plugin,
					only);
		rest = without(setting->value, plugins[i].plugin);
		check->findings->failed |= !rest;
		if (rest && *rest)
			lxfw_found_set(check, found, setting, NULL, rest);
		else
			lxfw_found_drop(check, found, setting);
		free(rest);
	}
}

/* The name of a plugin begins with its kind: "jobcop/none" is no plugin. */
static void check_kinds(struct lxfw_checking *check)
{
	static const struct {
		const char *key, *kind;
	} kinds[] = {
		{ "AccountingStorageType", "accounting_storage/" },
		{ "AuthType", "auth/" },
		{ "JobAcctGatherType", "jobacct_gather/" },
		{ "JobCompType", "jobcomp/" },
		{ "PreemptType", "preempt/" },
		{ "PriorityType", "priority/" },
		{ "ProctrackType", "proctrack/" },
		{ "SwitchType", "switch/" },
		{ "TopologyPlugin", "topology/" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const struct lxfw_conf_setting *setting = lxfw_conf_get(check->conf, kinds[i].key);
		struct lxfw_finding *found;

		if (!setting || !strchr(setting->value, '/') ||
		    strncasecmp(setting->value, kinds[i].kind, strlen(kinds[i].kind)) == 0)
			continue;
		found = lxfw_found_level(check, "unknown-plugins", LXFW_FINDING_STOPS, setting);
		lxfw_found_text(check, found, "%s=%s is no plugin of this kind, expected %s...: "
				"what loads it does not start", setting->key, setting->value,
				kinds[i].kind);
		lxfw_found_drop(check, found, setting);
	}
}

void lxfw_check_release(struct lxfw_checking *check)
{
	check_marks(check);
	check_general_keys(check);
	for (size_t i = 0; i < check->conf->record_count; i++)
		check_line_keys(check, i);
	check_refused(check);
	check_plugins(check);
	check_kinds(check);
}
