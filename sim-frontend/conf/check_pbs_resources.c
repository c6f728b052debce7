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

static const struct fault is_float = { "it is a float that is not counted", "flag = nh" };
static const struct fault fifth = {
	"more than four resources are counted on hosts; with the flag h it is compared, but "
	"not counted", "flag = h",
};

/* Returns the fault of a resource, or NULL. */
static const struct fault *fault_of(const char *type, const char *flags, int *counted)
{
	if (!strchr(flags, 'h'))
		return NULL;
	if (!strpbrk(flags, "nf"))
		return strcasecmp(type, "float") == 0 ? &is_float : NULL;
	return ++*counted > COUNTED_MAX ? &fifth : NULL;
}

static void find_resource(struct lxfw_pbs_checking *check,
			  const struct lxfw_pbs_setting *item,
			  const struct fault *fault)
{
	struct lxfw_finding *found = lxfw_found(&check->base, "resources", true, &item->setting);

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

void lxfw_check_pbs_resources(struct lxfw_pbs_checking *check)
{
	check_own(check);
	check_built_in(check);
}
