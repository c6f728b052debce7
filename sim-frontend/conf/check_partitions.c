/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks the partitions: their nodes, limits and shares. */
#include <stdio.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/conf/check.h"
#include "sim-frontend/trace/hostlist.h"

static const struct lxfw_conf_setting *name_of(const struct lxfw_conf *conf, size_t record)
{
	return &conf->settings[conf->records[record].first];
}

/* --- nodes ---------------------------------------------------------------------------- */

/* The names that a partition may list, in ascending order. */
struct known {
	char **names;
	size_t count, size;
	bool nodes;		/* there is a NodeName line */
};

static int add_name(void *context, const char *name)
{
	struct known *known = context;

	if (LXFW_GROW(known->names, known->size, known->count + 1))
		return -1;
	known->names[known->count] = strdup(name);
	return known->names[known->count++] ? 0 : -1;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Collects the names of nodes and node sets. */
static int collect(struct known *known, const struct lxfw_conf *conf)
{
	for (size_t i = 0; i < conf->record_count; i++) {
		const struct lxfw_conf_setting *name = name_of(conf, i);
		struct lxfw_error why;

		if (lxfw_conf_record_is_default(conf, i))
			continue;
		if (strcasecmp(name->key, "NodeName") == 0) {
			known->nodes = true;
			if (lxfw_hostlist_expand(name->value, strlen(name->value), add_name,
						 known, &why))
				return -1;
		} else if (strcasecmp(name->key, "NodeSet") == 0 &&
			   add_name(known, name->value)) {
			return -1;
		}
	}
	if (known->count > 1)
		qsort(known->names, known->count, sizeof(*known->names), by_name);
	return 0;
}

static void clear(struct known *known)
{
	for (size_t i = 0; i < known->count; i++)
		free(known->names[i]);
	free(known->names);
}

/* The names of one partition. */
struct members {
	const struct known *known;
	struct known found;	/* those that are known */
	char unknown[LXFW_HOST_NAME_SIZE];
	size_t unknown_count;
};

static int add_member(void *context, const char *name)
{
	struct members *members = context;

	if (strcasecmp(name, "ALL") == 0 ||
	    (members->known->count > 0 &&
	     bsearch(&name, members->known->names, members->known->count,
		     sizeof(*members->known->names), by_name)))
		return add_name(&members->found, name);
	if (members->unknown_count++ == 0)
		snprintf(members->unknown, sizeof(members->unknown), "%s", name);
	return 0;
}

/* The value of Nodes for no nodes: without the key, a partition has those of a DEFAULT line
   before it. */
static const char *without_nodes(const struct lxfw_conf *conf, size_t record)
{
	for (size_t i = 0; i < record; i++) {
		if (conf->records[i].partition && lxfw_conf_record_is_default(conf, i) &&
		    lxfw_conf_record_own(conf, i, "Nodes"))
			return "";
	}
	return NULL;
}

/* slurmctld does not start if a partition names a node that does not exist. */
static void check_nodes(struct lxfw_checking *check, const struct known *known, size_t record)
{
	const struct lxfw_conf_setting *nodes =
		lxfw_conf_record_own(check->conf, record, "Nodes");
	struct members members = { .known = known };
	struct lxfw_finding *found;
	struct lxfw_error why;
	char *list = NULL, more[40] = "";

	if (nodes && lxfw_hostlist_expand(nodes->value, strlen(nodes->value), add_member,
					  &members, &why) == 0 && members.unknown_count > 0) {
		if (members.found.count > 0)
			list = lxfw_hostlist_compress((const char *const *)members.found.names,
						      members.found.count);
		if (members.unknown_count > 1)
			snprintf(more, sizeof(more), " and %zu other node%s",
				 members.unknown_count - 1,
				 members.unknown_count > 2 ? "s" : "");
		found = lxfw_found_level(check, "unknown-nodes", LXFW_FINDING_STOPS, nodes);
		lxfw_found_text(check, found, "partition %s has node %s%s, which no NodeName line "
				"describes: slurmctld does not start",
				lxfw_conf_record_name(check->conf, record), members.unknown, more);
		lxfw_found_record(check, found, record, "Nodes",
				  list ? list : without_nodes(check->conf, record));
	}
	free(list);
	clear(&members.found);
}

static void check_all_nodes(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;
	struct known known = { 0 };

	if (collect(&known, conf) == 0 && known.nodes) {
		for (size_t i = 0; i < conf->record_count; i++) {
			if (conf->records[i].partition)
				check_nodes(check, &known, i);
		}
	}
	clear(&known);
}

/* --- descriptions that occur twice ------------------------------------------------------- */

static void found_twice(struct lxfw_checking *check, const struct lxfw_conf_setting *setting,
			const char *kind, const char *name)
{
	struct lxfw_finding *found = lxfw_found_level(check, "described-twice",
						      LXFW_FINDING_STOPS, setting);

	lxfw_found_text(check, found, "%s %s is described twice: slurmctld does not start", kind,
			name);
	lxfw_found_mend(check, found, "# remove one of the descriptions");
}

/* The nodes of all NodeName lines. */
struct described {
	struct described_node {
		char *name;
		size_t record;
	} *nodes;
	size_t count, size;
	size_t record;		/* that is read */
};

static int add_described(void *context, const char *name)
{
	struct described *all = context;

	if (LXFW_GROW(all->nodes, all->size, all->count + 1))
		return -1;
	all->nodes[all->count] = (struct described_node) { strdup(name), all->record };
	return all->nodes[all->count].name ? (all->count++, 0) : -1;
}

static int by_name_and_record(const void *left, const void *right)
{
	const struct described_node *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	return order ? order : (a->record > b->record) - (a->record < b->record);
}

/* One finding for the first node of a line that an earlier line has, too. */
static void check_nodes_twice(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;
	struct described all = { 0 };
	bool *found = calloc(conf->record_count + 1, sizeof(*found));
	struct lxfw_error why;

	check->findings->failed |= !found;
	for (size_t i = 0; i < conf->record_count; i++) {
		const struct lxfw_conf_setting *name = name_of(conf, i);

		all.record = i;
		/* A list that is not valid is reported when the nodes are read. */
		errno = 0;
		if (strcasecmp(name->key, "NodeName") == 0 &&
		    !lxfw_conf_record_is_default(conf, i) &&
		    lxfw_hostlist_expand(name->value, strlen(name->value), add_described, &all,
					 &why) && errno == ENOMEM)
			check->findings->failed = true;
	}
	if (all.count > 1)
		qsort(all.nodes, all.count, sizeof(*all.nodes), by_name_and_record);
	for (size_t i = 1; i < all.count && found; i++) {
		size_t record = all.nodes[i].record;

		if (found[record] || strcmp(all.nodes[i].name, all.nodes[i - 1].name) != 0)
			continue;
		found[record] = true;
		found_twice(check, name_of(conf, record), "node", all.nodes[i].name);
	}
	for (size_t i = 0; i < all.count; i++)
		free(all.nodes[i].name);
	free(all.nodes);
	free(found);
}

static void check_partitions_twice(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;

	for (size_t i = 0; i < conf->record_count; i++) {
		bool twice = false;

		if (!conf->records[i].partition || lxfw_conf_record_is_default(conf, i))
			continue;
		for (size_t j = 0; j < i && !twice; j++)
			twice = conf->records[j].partition &&
				strcmp(lxfw_conf_record_name(conf, i),
				       lxfw_conf_record_name(conf, j)) == 0;
		if (twice)
			found_twice(check, name_of(conf, i), "partition",
				    lxfw_conf_record_name(conf, i));
	}
}

/* --- limits and shares ------------------------------------------------------------------ */

static bool is_infinite(const struct lxfw_conf_setting *limit)
{
	return !limit || strcasecmp(limit->value, "INFINITE") == 0 ||
	       strcasecmp(limit->value, "UNLIMITED") == 0 ||
	       strcmp(limit->value, "-1") == 0;
}

/* A default limit ends the jobs of users who rely on none: the site decides. */
static void check_limits(struct lxfw_checking *check, size_t record)
{
	const struct lxfw_conf *conf = check->conf;
	const struct lxfw_conf_setting *name = name_of(conf, record);

	if (!is_infinite(lxfw_conf_record_get(conf, record, "DefaultTime")) ||
	    !is_infinite(lxfw_conf_record_get(conf, record, "MaxTime")))
		return;
	lxfw_noted(check, "default-time", name, "partition %s has no finite DefaultTime "
		   "or MaxTime: a job without --time is scheduled as if its limit were a year, so "
		   "it fills no gap before a reservation; with DefaultTime=1-0, jobs without "
		   "--time are planned for a day, and end then: users must be told first, see "
		   "OPERATION in sched_lxfw(8)", name->value);
}

static void check_sharing(struct lxfw_checking *check, size_t record)
{
	const struct lxfw_conf *conf = check->conf;
	const struct lxfw_conf_setting *sharing =
		lxfw_conf_record_get(conf, record, "OverSubscribe");

	if (!sharing)
		sharing = lxfw_conf_record_get(conf, record, "Shared");
	if (!sharing || strncasecmp(sharing->value, "FORCE", 5) != 0 ||
	    strcmp(sharing->value + 5, ":1") == 0)
		return;
	lxfw_noted(check, "oversubscribe", sharing, "jobs of partition %s share processors: "
		   "they are placed by Slurm's own node selection and have no reservation, see "
		   "JOBS PASSED TO SLURM in sched_lxfw(8)", name_of(conf, record)->value);
}

/* --- quanta ----------------------------------------------------------------------------- */

/* A job that has whole nodes is not suspended for another one there. */
static void check_exclusive(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;
	const struct lxfw_conf_setting *first = NULL;
	struct lxfw_finding *found;

	if (!lxfw_params_serve(check->params))
		return;
	for (size_t i = 0; i < conf->record_count; i++) {
		if (!conf->records[i].partition || lxfw_conf_record_is_default(conf, i))
			continue;
		if (!lxfw_conf_is_exclusive(conf, i))
			return;
		first = first ? first : name_of(conf, i);
	}
	if (!first)
		return;
	found = lxfw_found(check, "exclusive-quantum", false, first);
	lxfw_found_text(check, found, "all partitions allocate whole nodes: no job is "
			"suspended for another one, so a quantum is only possible on idle nodes");
	if (!lxfw_check_without_quantum(check, found))
		lxfw_found_mend(check, found, "# lxfw_quantum=0 in SchedulerParameters");
}

void lxfw_check_partitions(struct lxfw_checking *check)
{
	const struct lxfw_conf *conf = check->conf;

	check_all_nodes(check);
	check_nodes_twice(check);
	check_partitions_twice(check);
	for (size_t i = 0; i < conf->record_count; i++) {
		if (!conf->records[i].partition ||
		    lxfw_conf_record_is_default(conf, i))
			continue;
		check_limits(check, i);
		check_sharing(check, i);
	}
	check_exclusive(check);
}
