/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hosts of several vnodes that differ: lxfw-pbsd uses a host for a job only if all its vnodes
 * with processors serve the job's queue and have the properties that the job requires.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/util/grow.h"
#include "sim-frontend/conf/check_pbs.h"

#define HOST "resources_available.host"
#define PROCS "resources_available.ncpus"

struct vnode {
	const char *name, *host;
	bool used;		/* it has processors */
	const struct lxfw_pbs_setting *item;	/* of the attribute that is compared */
};

struct nodes {
	struct vnode *vnodes;	/* by name */
	size_t count, size;
	const struct vnode **by_host;
};

static bool is_node(const struct lxfw_pbs_setting *item)
{
	return item->source == LXFW_PBS_QMGR && item->object == LXFW_QMGR_NODE &&
	       *item->name != '@';
}

static int by_name(const void *left, const void *right)
{
	const struct vnode *a = left, *b = right;

	return strcmp(a->name, b->name);
}

static int by_host(const void *left, const void *right)
{
	const struct vnode *a = *(const struct vnode *const *)left;
	const struct vnode *b = *(const struct vnode *const *)right;
	int hosts = strcmp(a->host, b->host);

	return hosts ? hosts : strcmp(a->name, b->name);
}

static struct vnode *find(const struct nodes *nodes, const char *name)
{
	const struct vnode wanted = { .name = name };

	return nodes->count ? bsearch(&wanted, nodes->vnodes, nodes->count,
				      sizeof(*nodes->vnodes), by_name) : NULL;
}

/* Returns -1 if memory ran out. */
static int collect(const struct lxfw_pbs_conf *conf, struct nodes *nodes)
{
	for (size_t i = 0; i < conf->count; i++) {
		const struct lxfw_pbs_setting *item = &conf->items[i];

		if (!is_node(item) || strcasecmp(item->setting.key, PROCS) != 0)
			continue;
		if (LXFW_GROW(nodes->vnodes, nodes->size, nodes->count + 1))
			return -1;
		nodes->vnodes[nodes->count++] = (struct vnode) {
			.name = item->name, .host = item->name,
			.used = strcmp(item->setting.value, "0") != 0,
		};
	}
	nodes->by_host = calloc(nodes->count + 1, sizeof(*nodes->by_host));
	if (!nodes->by_host)
		return -1;
	if (nodes->count > 1)
		qsort(nodes->vnodes, nodes->count, sizeof(*nodes->vnodes), by_name);
	for (size_t i = 0; i < conf->count; i++) {
		const struct lxfw_pbs_setting *item = &conf->items[i];
		struct vnode *vnode = is_node(item) && strcasecmp(item->setting.key, HOST) == 0 ?
				      find(nodes, item->name) : NULL;

		if (vnode)
			vnode->host = item->setting.value;
	}
	for (size_t i = 0; i < nodes->count; i++)
		nodes->by_host[i] = &nodes->vnodes[i];
	if (nodes->count > 1)
		qsort(nodes->by_host, nodes->count, sizeof(*nodes->by_host), by_host);
	return 0;
}

/* Sets `item` of all vnodes to their setting of KEY. */
static void take_values(const struct lxfw_pbs_conf *conf, struct nodes *nodes, const char *key)
{
	for (size_t i = 0; i < nodes->count; i++)
		nodes->vnodes[i].item = NULL;
	for (size_t i = 0; i < conf->count; i++) {
		const struct lxfw_pbs_setting *item = &conf->items[i];
		struct vnode *vnode = is_node(item) && strcasecmp(item->setting.key, key) == 0 ?
				      find(nodes, item->name) : NULL;

		if (vnode)
			vnode->item = item;
	}
}

static bool differ(const struct vnode *a, const struct vnode *b)
{
	if (!a->item || !b->item)
		return a->item != b->item;
	return strcmp(a->item->setting.value, b->item->setting.value) != 0;
}

/* Finds the hosts whose vnodes have different values of KEY; one finding is for all. */
static void check_key(struct lxfw_pbs_checking *check, struct nodes *nodes, const char *key)
{
	const struct vnode *with = NULL, *other = NULL, *last = NULL, *counted = NULL;
	struct lxfw_finding *found;
	size_t hosts = 0;
	char more[40] = "";
	bool queue = strcmp(key, "queue") == 0;

	take_values(check->conf, nodes, key);
	for (size_t i = 0; i < nodes->count; i++) {
		const struct vnode *vnode = nodes->by_host[i];

		if (!vnode->used)
			continue;
		if (last && strcmp(last->host, vnode->host) == 0 && differ(last, vnode) &&
		    (!counted || strcmp(counted->host, vnode->host) != 0)) {
			hosts++;
			counted = vnode;
			if (!with) {
				with = last->item ? last : vnode;
				other = last->item ? vnode : last;
			}
		}
		last = vnode;
	}
	if (!with)
		return;
	if (hosts > 1)
		snprintf(more, sizeof(more), " and %zu other%s", hosts - 1, hosts > 2 ? "s" : "");
	found = lxfw_found(&check->base, "mixed-hosts", queue, &with->item->setting);
	lxfw_found_text(&check->base, found, "vnodes %s and %s of host %s%s differ in %s: %s",
			with->name, other->name, with->host, more, key,
			queue ? "no job starts there" : "a job that requires it does not start "
			"there");
	lxfw_found_mend(&check->base, found, "set node %s %s = %s", other->name, key,
			with->item->setting.value);
}

/* Whether a resource of the site is a property: of hosts, and not counted. */
static bool is_property(const struct lxfw_pbs_checking *check, const char *name)
{
	const struct lxfw_pbs_setting *flags =
		lxfw_pbs_conf_get(check->conf, LXFW_QMGR_RESOURCE, name, "flag");

	return flags && strchr(flags->setting.value, 'h') &&
	       !strpbrk(flags->setting.value, "nf");
}

void lxfw_check_pbs_nodes(struct lxfw_pbs_checking *check)
{
	const struct lxfw_pbs_conf *conf = check->conf;
	struct nodes nodes = { 0 };

	if (collect(conf, &nodes)) {
		check->base.findings->failed = true;
	} else {
		check_key(check, &nodes, "queue");
		for (size_t i = 0; i < conf->count; i++) {
			const struct lxfw_pbs_setting *item = &conf->items[i];
			char *key;

			if (item->source != LXFW_PBS_QMGR ||
			    item->object != LXFW_QMGR_RESOURCE ||
			    *item->setting.key != '\0' || !is_property(check, item->name))
				continue;
			if (asprintf(&key, "resources_available.%s", item->name) < 0) {
				check->base.findings->failed = true;
				break;
			}
			check_key(check, &nodes, key);
			free(key);
		}
	}
	free(nodes.vnodes);
	free(nodes.by_host);
}
