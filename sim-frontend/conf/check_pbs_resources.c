/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Resources that lxfw-pbsd does not model: jobs that request one wait forever. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/model/resources.h"
#include "sim-frontend/conf/check_pbs.h"

/* Those of the site that are counted; ngpus is counted besides. */
#define COUNTED_MAX (LXFW_EXTRAS_MAX - 1)

static const char *value_of(const struct lxfw_pbs_checking *check, const char *resource,
			    const char *attribute, const char *otherwise)
{
	const struct lxfw_pbs_setting *item =
		lxfw_pbs_conf_get(check->conf, LXFW_QMGR_RESOURCE, resource, attribute);

	return item ? item->setting.value : otherwise;
}

/* Why jobs that request a resource are not scheduled, and what corrects that. */
struct fault {
	const char *text, *mend;	/* `mend` follows "set resource NAME " */
};

static const struct fault together = { "it is counted for all hosts together", NULL };
static const struct fault first_host = {
	"it is counted on the first host of a job only", "flag = nh",
};
static const struct fault is_float = { "it is a float", "type = long" };
static const struct fault fifth = {
	"more than four resources are counted on hosts; with the flag h it is compared, but "
	"not counted", "flag = h",
};

/* Returns the fault of a resource, or NULL. */
static const struct fault *fault_of(const char *type, const char *flags, int *counted)
{
	if (!strchr(flags, 'h'))
		return strchr(flags, 'q') ? &together : NULL;
	if (strchr(flags, 'f'))
		return &first_host;
	if (strcasecmp(type, "float") == 0)
		return &is_float;
	if (!strchr(flags, 'n'))
		return NULL;
	return ++*counted > COUNTED_MAX ? &fifth : NULL;
}

/* A resource of all hosts together can be limited by max_run_res instead. The server refuses
   to change the flag while it has an amount of the resource. */
static void find_together(struct lxfw_pbs_checking *check,
			  const struct lxfw_pbs_setting *item, struct lxfw_finding *found)
{
	const struct lxfw_pbs_setting *amount;
	char *key = NULL;

	if (asprintf(&key, "resources_available.%s", item->name) < 0) {
		check->base.findings->failed = true;
		return;
	}
	amount = lxfw_pbs_conf_get(check->conf, LXFW_QMGR_SERVER, "", key);
	lxfw_found_text(&check->base, found, "jobs that request %s wait forever: %s; "
			"without the flag, the same limit is 'set server max_run_res.%s = "
			"[o:PBS_ALL=%s]'%s%s%s", item->name, together.text, item->name,
			amount ? amount->setting.value : "AMOUNT",
			amount ? "; 'unset server " : "", amount ? key : "",
			amount ? "' comes first" : "");
	lxfw_found_mend(&check->base, found, "unset resource %s flag", item->name);
	free(key);
}

static void find_resource(struct lxfw_pbs_checking *check,
			  const struct lxfw_pbs_setting *item,
			  const struct fault *fault)
{
	struct lxfw_finding *found = lxfw_found(&check->base, "resources", true, &item->setting);

	if (fault == &together) {
		find_together(check, item, found);
		return;
	}
	lxfw_found_text(&check->base, found, "jobs that request %s wait forever: %s",
			item->name, fault->text);
	lxfw_found_mend(&check->base, found, "set resource %s %s", item->name, fault->mend);
}

/* pbs_sched ignores resources that its option `resources` does not list, unless they are
   booleans. */
static void check_listed(struct lxfw_pbs_checking *check, const struct lxfw_pbs_setting *item,
			 const char *type, const char *flags)
{
	const struct lxfw_pbs_setting *list =
		lxfw_pbs_conf_file_get(check->conf, LXFW_PBS_SCHED_CONFIG, "resources");
	size_t length = strlen(item->name);

	if (!list || !strchr(flags, 'h') || strcasecmp(type, "boolean") == 0)
		return;
	for (const char *at = list->setting.value; *at; ) {
		size_t word;

		at += strspn(at, ", \t");
		word = strcspn(at, ", \t");
		if (word == length && strncmp(at, item->name, word) == 0)
			return;
		at += word;
	}
	lxfw_noted(&check->base, "unlisted-resources", &list->setting,
		   "pbs_sched ignores %s, which is not in this list; lxfw-pbsd does not, see "
		   "JOBS in lxfw-pbsd(8)", item->name);
}

static void check_own(struct lxfw_pbs_checking *check)
{
	int counted = 0;

	for (size_t i = 0; i < check->conf->count; i++) {
		const struct lxfw_pbs_setting *item = &check->conf->items[i];
		const struct fault *fault;
		const char *flags, *type;

		if (item->source != LXFW_PBS_QMGR || item->object != LXFW_QMGR_RESOURCE ||
		    *item->setting.key != '\0')
			continue;
		flags = value_of(check, item->name, "flag", "");
		type = value_of(check, item->name, "type", "string");
		fault = fault_of(type, flags, &counted);
		if (fault)
			find_resource(check, item, fault);
		else
			check_listed(check, item, type, flags);
	}
}

/* Resources that every server has, and that no job can request of lxfw-pbsd. */
static void check_built_in(struct lxfw_pbs_checking *check)
{
	static const char *const names[] = {
		"aoe", "eoe", "hbmem", "naccelerators", "accelerator_memory",
	};
	bool found_one[sizeof(names) / sizeof(*names)] = { false };

	for (size_t i = 0; i < check->conf->count; i++) {
		const struct lxfw_pbs_setting *item = &check->conf->items[i];
		const char *key = item->setting.key;
		struct lxfw_finding *found;

		if (item->source != LXFW_PBS_QMGR || item->object != LXFW_QMGR_NODE ||
		    strncmp(key, "resources_available.", 20) != 0)
			continue;
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++) {
			if (found_one[k] || strcmp(key + 20, names[k]) != 0 ||
			    strspn(item->setting.value, "0kmgtb") ==
				    strlen(item->setting.value))
				continue;
			found_one[k] = true;
			found = lxfw_found(&check->base, "resources", true, &item->setting);
			lxfw_found_text(&check->base, found, "jobs that request %s wait "
					"forever: it is not modelled", names[k]);
			lxfw_found_mend(&check->base, found,
					"unset node @default resources_available.%s", names[k]);
		}
	}
}

/* Defaults with which every job requests place=group. */
static void check_place(struct lxfw_pbs_checking *check)
{
	for (size_t i = 0; i < check->conf->count; i++) {
		const struct lxfw_pbs_setting *item = &check->conf->items[i];
		struct lxfw_finding *found;

		if (item->source != LXFW_PBS_QMGR ||
		    strcmp(item->setting.key, "resources_default.place") != 0 ||
		    !strstr(item->setting.value, "group="))
			continue;
		found = lxfw_found(&check->base, "place-group", true, &item->setting);
		lxfw_found_text(&check->base, found, "jobs without a place of their own request "
				"%s and wait forever: place=group is not modelled",
				item->setting.value);
		lxfw_found_mend(&check->base, found, "unset %s%s%s resources_default.place",
				lxfw_qmgr_word(item->object), *item->name ? " " : "",
				item->name);
	}
}

void lxfw_check_pbs_resources(struct lxfw_pbs_checking *check)
{
	check_own(check);
	check_built_in(check);
	check_place(check);
}
