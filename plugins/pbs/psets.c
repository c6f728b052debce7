/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/psets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

/* The hosts with a value of a resource. */
struct group {
	char *name;		/* RESOURCE=VALUE */
	int32_t *hosts;
	size_t size;
	int32_t count;
	int64_t procs, memory_mb;
};

struct groups {
	struct group *group;
	size_t count, size;
};

const char *lxfw_pbs_psets_keys(const struct lxfw_pbs_site *site,
				const struct lxfw_pbs_queue *queue, const char *group)
{
	const char *keys = NULL;

	if (group && *group)
		return group;
	if (site->node_group_enable)
		keys = queue && queue->node_group_key ? queue->node_group_key :
							site->node_group_key;
	return keys ? keys : "";
}

/* --- the hosts of each value -------------------------------------------------------------- */

static void clear_groups(struct groups *groups)
{
	for (size_t i = 0; i < groups->count; i++) {
		free(groups->group[i].name);
		free(groups->group[i].hosts);
	}
	free(groups->group);
}

static int add_host(struct groups *groups, const struct lxfw_pbs_site *site, const char *key,
		    const char *value, int32_t host)
{
	struct group *group = NULL;
	char *name;

	if (asprintf(&name, "%s=%s", key, value) < 0)
		return -1;
	for (size_t i = groups->count; i > 0 && !group; i--) {
		if (strcmp(groups->group[i - 1].name, name) == 0)
			group = &groups->group[i - 1];
	}
	if (group) {
		free(name);
	} else {
		if (LXFW_GROW(groups->group, groups->size, groups->count + 1)) {
			free(name);
			return -1;
		}
		group = &groups->group[groups->count++];
		*group = (struct group){ .name = name };
	}
	/* A value may be listed twice. */
	if (group->count && group->hosts[group->count - 1] == host)
		return 0;
	if (LXFW_GROW(group->hosts, group->size, (size_t)group->count + 1))
		return -1;
	group->hosts[group->count++] = host;
	group->procs += site->host[host].total.procs;
	group->memory_mb += site->host[host].total.memory_mb;
	return 0;
}

static const struct lxfw_pbs_vnode *vnode_of(const struct lxfw_pbs_site *site, int32_t host,
					     int32_t i)
{
	return &site->vnode[site->by_host[site->host[host].first + i]];
}

/* Whether jobs may use the vnode; all of a host that is down count. */
static bool counts(const struct lxfw_pbs_vnode *vnode, bool any_up)
{
	return !any_up || (vnode->up && vnode->total.procs > 0);
}

static bool is_any_up(const struct lxfw_pbs_site *site, int32_t host)
{
	for (int32_t i = 0; i < site->host[host].count; i++) {
		if (counts(vnode_of(site, host, i), true))
			return true;
	}
	return false;
}

/* Whether all vnodes of the host have VALUE; "": none of them has any. */
static bool all_have(const struct lxfw_pbs_site *site, int32_t host, const char *key,
		     const char *value)
{
	bool any_up = is_any_up(site, host);

	for (int32_t i = 0; i < site->host[host].count; i++) {
		const struct lxfw_pbs_vnode *vnode = vnode_of(site, host, i);

		if (!counts(vnode, any_up))
			continue;
		if (*value ? !lxfw_pbs_has_value(site, vnode, key, value) :
			     lxfw_pbs_property(vnode, key) != NULL)
			return false;
	}
	return true;
}

/* Adds the host to the groups of its values of KEY, which are those of one of its vnodes. */
static int add_values(struct groups *groups, const struct lxfw_pbs_site *site,
		      const struct lxfw_pbs_kind *kind, int32_t host)
{
	bool any_up = is_any_up(site, host);
	const char *values = NULL;
	char *copy, *rest, *value;
	int32_t first = 0;
	int rc = 0;

	while (first < site->host[host].count - 1 &&
	       !counts(vnode_of(site, host, first), any_up))
		first++;
	values = lxfw_pbs_property(vnode_of(site, host, first), kind->name);
	if (!values || !*values) {
		if (site->sched.only_explicit_psets || !all_have(site, host, kind->name, ""))
			return 0;
		return add_host(groups, site, kind->name, "", host);
	}
	copy = rest = strdup(values);
	if (!copy)
		return -1;
	while (rc == 0 && (value = strsep(&rest, kind->type == LXFW_PBS_STRINGS ? "," : ""))) {
		value += strspn(value, " ");
		if (*value && all_have(site, host, kind->name, value))
			rc = add_host(groups, site, kind->name, value, host);
	}
	free(copy);
	return rc;
}

static int by_size(const void *one, const void *other)
{
	const struct group *a = one, *b = other;

	if (a->procs != b->procs)
		return a->procs < b->procs ? -1 : 1;
	if (a->memory_mb != b->memory_mb)
		return a->memory_mb < b->memory_mb ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Finds the groups of all KEYS on these hosts, the smallest first. Returns 0, or -1 with errno
   set: ENOMEM, or EINVAL if a key cannot be used. */
static int find_groups(struct groups *groups, const struct lxfw_pbs_site *site,
		       const int32_t *hosts, int32_t count, const char *keys)
{
	char *copy = strdup(keys), *rest = copy, *key;
	int rc = copy ? 0 : -1;

	while (rc == 0 && (key = strsep(&rest, ", \"")) != NULL) {
		const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(&site->kinds, key);

		if (!*key)
			continue;
		if (!kind || kind->place != LXFW_PBS_UNCOUNTED) {
			free(copy);
			errno = EINVAL;
			return -1;
		}
		for (int32_t i = 0; i < count && rc == 0; i++)
			rc = add_values(groups, site, kind, hosts[i]);
	}
	free(copy);
	if (rc < 0)
		errno = ENOMEM;
	else if (groups->count > 1)
		qsort(groups->group, groups->count, sizeof(*groups->group), by_size);
	return rc;
}

/* --- families ----------------------------------------------------------------------------- */

/* Whether the sets of the family are of these values, in this order. */
static bool are_same(const struct lxfw_pbs_sets *sets, const struct lxfw_pbs_family *family,
		     const struct groups *groups)
{
	if ((size_t)family->count != groups->count)
		return false;
	for (size_t i = 0; i < groups->count; i++) {
		if (strcmp(sets->set[(size_t)family->first + i].key, groups->group[i].name) != 0)
			return false;
	}
	return true;
}

/* Makes the sets of the family vacant: no job uses them any more. */
static void vacate(struct lxfw_pbs_sets *sets, struct lxfw_pbs_family *family)
{
	for (int32_t i = 0; i < family->count; i++)
		lxfw_pbs_set_vacate(&sets->set[family->first + i]);
	family->count = 0;
}

/* Finds COUNT vacant sets beside each other, of which the last ones may be new. Returns the first
   one, or -1 with errno set. */
static int32_t find_row(struct lxfw_pbs_sets *sets, size_t count)
{
	size_t first = 0;

	for (size_t i = 0; i < sets->count && i < first + count; i++) {
		if (!lxfw_pbs_set_is_vacant(&sets->set[i]))
			first = i + 1;
	}
	if (first + count > LXFW_PBS_SETS_MAX) {
		errno = ENOSPC;
		return -1;
	}
	if (LXFW_GROW(sets->set, sets->size, first + count + 1)) {
		errno = ENOMEM;
		return -1;
	}
	while (sets->count < first + count) {
		sets->set[sets->count] = (struct lxfw_pbs_set){ .key = strdup("") };
		if (!sets->set[sets->count].key)
			return -1;
		sets->count++;
	}
	return (int32_t)first;
}

/* Gives the family new sets. Their numbers are others than before: a job that is known with the old
   ones changes. */
static int renew(struct lxfw_pbs_sets *sets, struct lxfw_pbs_family *family,
		 const struct groups *groups)
{
	int32_t first;

	if (family->count == 0 && !lxfw_pbs_sets_allow(sets, family->owner)) {
		errno = ENOSPC;
		return -1;
	}
	first = find_row(sets, groups->count);
	if (first < 0)
		return -1;
	vacate(sets, family);
	family->first = first;
	for (size_t i = 0; i < groups->count; i++) {
		struct lxfw_pbs_set *set = &sets->set[(size_t)first + i];
		char *key = strdup(groups->group[i].name);

		if (!key) {
			errno = ENOMEM;
			return -1;
		}
		free(set->key);
		*set = (struct lxfw_pbs_set){
			.key = key, .owner = family->owner, .of_family = true,
		};
		family->count++;
	}
	return 0;
}

static int refresh(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site, size_t index)
{
	struct lxfw_pbs_family *family = &sets->family[index];
	const struct lxfw_pbs_queue *queue = lxfw_pbs_site_find_queue(site, family->queue);
	struct groups groups = { 0 };
	int32_t all = queue ? lxfw_pbs_set(sets, site, queue, family->wanted, family->owner) : -1;
	int rc = all < 0 && queue && errno != ENOENT ? -1 : 0;

	family->all = all;
	if (rc == 0 && all >= 0)
		rc = find_groups(&groups, site, sets->set[all].hosts, sets->set[all].count,
				 family->keys);
	if (rc == 0 && !are_same(sets, family, &groups))
		rc = renew(sets, family, &groups);
	for (size_t i = 0; rc == 0 && i < groups.count; i++) {
		lxfw_pbs_set_hosts(sets, family->first + (int32_t)i, groups.group[i].hosts,
				   groups.group[i].count);
		groups.group[i].hosts = NULL;
	}
	clear_groups(&groups);
	return rc;
}

static int add_family(struct lxfw_pbs_sets *sets, const char *queue, const char *wanted,
		      const char *keys, uint64_t owner)
{
	struct lxfw_pbs_family family = {
		.owner = owner,
		.queue = strdup(queue), .wanted = strdup(wanted), .keys = strdup(keys),
	};

	if (!family.queue || !family.wanted || !family.keys ||
	    LXFW_GROW(sets->family, sets->family_size, sets->family_count + 1)) {
		free(family.queue);
		free(family.wanted);
		free(family.keys);
		errno = ENOMEM;
		return -1;
	}
	sets->family[sets->family_count++] = family;
	return 0;
}

/* The last family takes its place. */
static void drop_family(struct lxfw_pbs_sets *sets, size_t index)
{
	struct lxfw_pbs_family *family = &sets->family[index];

	vacate(sets, family);
	free(family->queue);
	free(family->wanted);
	free(family->keys);
	*family = sets->family[--sets->family_count];
}

static bool is_needed(const struct lxfw_pbs_sets *sets, const struct lxfw_pbs_family *family)
{
	for (int32_t i = 0; i < family->count; i++) {
		if (sets->set[family->first + i].needed)
			return true;
	}
	return false;
}

void lxfw_pbs_psets_evict(struct lxfw_pbs_sets *sets)
{
	for (size_t i = 0; i < sets->family_count;) {
		if (!is_needed(sets, &sets->family[i])) {
			drop_family(sets, i);
			continue;
		}
		lxfw_pbs_sets_need(sets, sets->family[i].all, sets->family[i].all >= 0);
		i++;
	}
}

int32_t lxfw_pbs_psets(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site,
		       const struct lxfw_pbs_queue *queue, const char *wanted,
		       const char *keys, uint64_t owner, int32_t *count)
{
	size_t i;

	for (i = 0; i < sets->family_count; i++) {
		const struct lxfw_pbs_family *family = &sets->family[i];

		if (strcmp(family->queue, queue->name) == 0 &&
		    strcmp(family->wanted, wanted) == 0 && strcmp(family->keys, keys) == 0)
			break;
	}
	if (i == sets->family_count) {
		if (add_family(sets, queue->name, wanted, keys, owner) < 0)
			return -1;
		if (refresh(sets, site, i) < 0) {
			int error = errno;

			drop_family(sets, i);
			errno = error;
			return -1;
		}
	}
	*count = sets->family[i].count;
	return sets->family[i].first;
}

bool lxfw_pbs_psets_update(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < sets->family_count;) {
		if (refresh(sets, site, i) == 0) {
			i++;
			continue;
		}
		if (errno == ENOMEM)
			return false;
		/* Its resource is gone, or there are too many sets: its jobs cannot be
		   represented any more. */
		drop_family(sets, i);
	}
	return true;
}
