/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the items of SelectTypeParameters: slurmctld does not start with one that is unknown,
   or with two that name what is allocated. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sim-frontend/conf/check.h"
#include "sim-frontend/conf/keys.h"
#include "sim-frontend/util/text.h"

#define KEY "SelectTypeParameters"

/* The items of all releases. */
static const struct item {
	const char *name;
	const char *kind;	/* what is allocated; "" for memory alone; NULL: it is an
				   option */
	bool memory;
	uint16_t first, last;	/* releases, as in keys.h */
} items[] = {
	{ "CR_CPU", "CR_CPU", false, 0, 0 },
	{ "CR_CPU_Memory", "CR_CPU", true, 0, 0 },
	{ "CR_Core", "CR_Core", false, 0, 0 },
	{ "CR_Core_Memory", "CR_Core", true, 0, 0 },
	{ "CR_Memory", "", true, 0, 0 },
	{ "CR_Socket", "CR_Socket", false, 0, 0 },
	{ "CR_Socket_Memory", "CR_Socket", true, 0, 0 },
	{ "CR_ALLOCATE_FULL_SOCKET", NULL, false, 0, 0x1605 },
	{ "CR_CORE_DEFAULT_DIST_BLOCK", NULL, false, 0, 0 },
	{ "CR_LLN", NULL, false, 0, 0 },
	{ "CR_NO_DIST_TOPO_BLOCK", NULL, false, 0x1a05, 0 },
	{ "CR_ONE_TASK_PER_CORE", NULL, false, 0, 0 },
	{ "CR_PACK_NODES", NULL, false, 0, 0 },
	{ "ENFORCE_BINDING_GRES", NULL, false, 0x170b, 0 },
	{ "LL_SHARED_GRES", NULL, false, 0x170b, 0 },
	{ "MULTIPLE_SHARING_GRES_PJ", NULL, false, 0x170b, 0 },
	{ "ONE_TASK_PER_SHARING_GRES", NULL, false, 0x170b, 0 },
	{ "other_cons_res", NULL, false, 0, 0x170b },
	{ "other_cons_tres", NULL, false, 0, 0x170b },
};

static const struct item *find(const struct lxfw_checking *check, const char *at, size_t length)
{
	for (size_t i = 0; i < sizeof(items) / sizeof(*items); i++) {
		const struct lxfw_conf_key row = { .first = items[i].first,
						   .last = items[i].last };

		if (strlen(items[i].name) == length &&
		    strncasecmp(items[i].name, at, length) == 0)
			return check->release == 0 || lxfw_conf_key_in(&row, check->release) ?
			       &items[i] : NULL;
	}
	return NULL;
}

/* What the items of a line are. */
struct line {
	int unknown;		/* their number */
	const char *kind;	/* of the first item that names what is allocated, or NULL */
	bool memory;
	int kinds;
	bool one_task;		/* CR_ONE_TASK_PER_CORE */
};

static struct line read_line(const struct lxfw_checking *check, const char *at)
{
	struct line line = { 0 };

	while (*at) {
		size_t length = strcspn(at, ",");
		const struct item *item = find(check, at, length);

		line.unknown += !item && length > 0;
		if (item && item->kind) {
			line.kinds++;
			line.memory |= item->memory;
			if (!line.kind || !*line.kind)
				line.kind = item->kind;
		}
		line.one_task |= item && strcasecmp(item->name, "CR_ONE_TASK_PER_CORE") == 0;
		at += length + (at[length] == ',');
	}
	return line;
}

/* Finds the unknown items, all of which the correction removes. */
static void found_unknown(struct lxfw_checking *check, struct lxfw_finding *found, const char *at,
			  int count)
{
	char *names = NULL, quoted[60];
	size_t size;
	FILE *out = open_memstream(&names, &size);

	while (out && *at) {
		size_t length = strcspn(at, ",");

		if (length > 0 && !find(check, at, length))
			fprintf(out, "%s'%s'", ftell(out) > 0 ? ", " : "",
				lxfw_text_quote(quoted, sizeof(quoted), at, length));
		at += length + (at[length] == ',');
	}
	if (!out || fclose(out))
		check->findings->failed = true;
	else
		lxfw_found_text(check, found, "Slurm has no item%s %s of " KEY
				": slurmctld does not start", count > 1 ? "s" : "", names);
	free(names);
}

/* Prints the known items, with one that names what is allocated. */
static void print(const struct lxfw_checking *check, const char *at, const struct line *line,
		  FILE *out)
{
	bool named = false;

	while (*at) {
		size_t length = strcspn(at, ",");
		const struct item *item = find(check, at, length);
		const char *comma = ftell(out) > 0 ? "," : "";

		if (item && !item->kind)
			fprintf(out, "%s%.*s", comma, (int)length, at);
		else if (item && !named && line->kind && *line->kind)
			fprintf(out, "%s%s%s", comma, line->kind, line->memory ? "_Memory" : "");
		else if (item && !named)
			fprintf(out, "%sCR_Memory", comma);
		named |= item && item->kind;
		at += length + (at[length] == ',');
	}
}

static void set(struct lxfw_checking *check, struct lxfw_finding *found,
		const struct lxfw_conf_setting *setting, const struct line *line)
{
	char *value = NULL;
	size_t size;
	FILE *out = open_memstream(&value, &size);

	if (out)
		print(check, setting->value, line, out);
	if (!out || fclose(out))
		check->findings->failed = true;
	else if (*value)
		lxfw_found_set(check, found, setting, NULL, value);
	else
		lxfw_found_drop_all(check, found, setting);
	free(value);
}

static bool check_items(struct lxfw_checking *check)
{
	const struct lxfw_conf_setting *setting = lxfw_conf_get(check->conf, KEY);
	struct line line = read_line(check, setting ? setting->value : "");
	bool one_task = line.one_task && line.kind && strcmp(line.kind, "CR_CPU") == 0;
	struct lxfw_finding *found;

	if (!line.unknown && line.kinds < 2 && !one_task)
		return true;
	found = lxfw_found_level(check, "select-parameters", LXFW_FINDING_STOPS, setting);
	if (line.unknown)
		found_unknown(check, found, setting->value, line.unknown);
	else if (line.kinds > 1)
		lxfw_found_text(check, found, KEY " has %d items that name what is allocated, "
				"of which one is possible, such as CR_Core_Memory for cores and "
				"memory: slurmctld does not start", line.kinds);
	else
		lxfw_found_text(check, found, "CR_ONE_TASK_PER_CORE requires CR_Core or "
				"CR_Core_Memory: slurmctld does not start");
	if (one_task)
		line.kind = "CR_Core";
	set(check, found, setting, &line);
	return false;
}

/* Partitions have fewer values. */
static void check_partition(struct lxfw_checking *check, size_t record)
{
	const struct lxfw_conf_setting *setting =
		lxfw_conf_record_get(check->conf, record, KEY);
	struct lxfw_finding *found;

	if (!setting || strncasecmp(setting->value, "CR_Core", 7) == 0 ||
	    strncasecmp(setting->value, "CR_Socket", 9) == 0)
		return;
	found = lxfw_found_level(check, "select-parameters", LXFW_FINDING_STOPS, setting);
	lxfw_found_text(check, found, "partition %s has " KEY "=%s, expected CR_Core, CR_Socket "
			"or these with _Memory: slurmctld does not start",
			lxfw_conf_record_name(check->conf, record), setting->value);
	lxfw_found_record(check, found, record, KEY, NULL);
}

bool lxfw_check_select_items(struct lxfw_checking *check)
{
	bool right = check_items(check);

	for (size_t i = 0; i < check->conf->record_count; i++) {
		if (check->conf->records[i].partition && lxfw_conf_record_own(check->conf, i, KEY))
			check_partition(check, i);
	}
	return right;
}
