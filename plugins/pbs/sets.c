/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/pbs/sets.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/pbs/hash.h"
#include "plugins/pbs/psets.h"
#include "plugins/pbs/select.h"
#include "plugins/pbs/text.h"

const char *lxfw_pbs_property(const struct lxfw_pbs_vnode *vnode, const char *name)
{
	for (size_t i = 0; i < vnode->property_count; i++) {
		if (strcmp(vnode->property[i].name, name) == 0)
			return vnode->property[i].value;
	}
	return NULL;
}

/* An unset boolean is false. */
static bool truth_of(const char *value)
{
	bool truth = false;

	if (value)
		(void)lxfw_pbs_truth(value, &truth);
	return truth;
}

/* Whether NUMBER is in a list "3,17". */
static bool is_listed(const char *list, int32_t number)
{
	while (*list) {
		char *end;

		if (strtol(list, &end, 10) == number)
			return true;
		list = end + (*end == ',');
	}
	return false;
}

bool lxfw_pbs_has_value(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
			const char *name, const char *wanted)
{
	const struct lxfw_pbs_kind *kind = lxfw_pbs_kind(&site->kinds, name);
	const char *value = lxfw_pbs_property(vnode, name);
	int64_t has, wants;

	if (strcmp(name, "vnode") == 0)
		return strcmp(vnode->name, wanted) == 0;
	if (strcmp(name, LXFW_PBS_BARRED) == 0)
		return lxfw_pbs_number(wanted, &wants) &&
		       !lxfw_pbs_bars_have(&site->bars, wants, vnode->in);
	if (strcmp(name, LXFW_PBS_ONLY) == 0)
		return is_listed(wanted, vnode->in);
	if (kind && kind->type == LXFW_PBS_BOOLEAN)
		return truth_of(value) == truth_of(wanted);
	if (!kind || !value)
		return false;
	switch (kind->type) {
	case LXFW_PBS_STRING:
		return strcmp(value, wanted) == 0;
	case LXFW_PBS_STRINGS:
		return lxfw_pbs_listed(value, wanted);
	case LXFW_PBS_LONG:
		return lxfw_pbs_number(value, &has) && lxfw_pbs_number(wanted, &wants) &&
		       has >= wants;
	case LXFW_PBS_SIZE:
		return lxfw_pbs_size(value, &has) && lxfw_pbs_size(wanted, &wants) &&
		       has >= wants;
	default:
		return false;
	}
}

bool lxfw_pbs_has(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
		  const char *wanted)
{
	char name[512], value[512];
	int rc;

	while ((rc = lxfw_pbs_item(&wanted, name, value, sizeof(name))) == 1) {
		if (!lxfw_pbs_has_value(site, vnode, name, value))
			return false;
	}
	return rc == 0;
}

/* Vnodes of a queue take its jobs only; a queue with vnodes uses no others. */
static bool is_of_queue(const struct lxfw_pbs_vnode *vnode,
			const struct lxfw_pbs_queue *queue)
{
	if (vnode->queue && *vnode->queue)
		return strcmp(vnode->queue, queue->name) == 0;
	return !queue->has_nodes;
}

bool lxfw_pbs_serves(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
		     const struct lxfw_pbs_queue *queue, const char *wanted)
{
	return is_of_queue(vnode, queue) && lxfw_pbs_has(site, vnode, wanted);
}

/* A host that is down stays in its sets. */
bool lxfw_pbs_suits(const struct lxfw_pbs_site *site, const struct lxfw_pbs_host *host,
		    const struct lxfw_pbs_queue *queue, const char *wanted)
{
	bool any_up = false, suits = false;

	for (int32_t i = 0; i < host->count; i++) {
		const struct lxfw_pbs_vnode *vnode =
			&site->vnode[site->by_host[host->first + i]];
		bool serves = lxfw_pbs_serves(site, vnode, queue, wanted);

		if (vnode->up && vnode->total.procs > 0) {
			if (serves)
				return true;
			any_up = true;
		}
		suits |= serves;
	}
	return suits && !any_up;
}

struct lxfw_resources lxfw_pbs_total_for(const struct lxfw_pbs_site *site,
					 const struct lxfw_pbs_host *host,
					 const struct lxfw_pbs_queue *queue,
					 const char *wanted)
{
	struct lxfw_resources total = { 0 };

	/* Most jobs want nothing, and there are many. */
	if (!*wanted && !site->binds_vnodes && !queue->has_nodes)
		return host->total;
	for (int32_t i = 0; i < host->count; i++) {
		const struct lxfw_pbs_vnode *vnode =
			&site->vnode[site->by_host[host->first + i]];

		if (lxfw_pbs_serves(site, vnode, queue, wanted))
			lxfw_pbs_add_vnode(&total, &vnode->total);
	}
	return total;
}

void lxfw_pbs_set_hosts(struct lxfw_pbs_sets *sets, int32_t id, int32_t *hosts, int32_t count)
{
	struct lxfw_pbs_set *set = &sets->set[id];

	if (set->hosts && count == set->count &&
	    memcmp(hosts, set->hosts, (size_t)count * sizeof(*hosts)) == 0) {
		free(hosts);
		return;
	}
	free(set->hosts);
	set->hosts = hosts;
	set->count = count;
	set->told = false;
}

/* Returns the hosts, which the caller frees, or NULL if memory ran out. */
static int32_t *compute(const struct lxfw_pbs_site *site, const struct lxfw_pbs_queue *queue,
			const char *wanted, int32_t *count)
{
	int32_t *hosts = calloc((size_t)site->host_count + 1, sizeof(*hosts));

	*count = 0;
	for (int32_t i = 0; hosts && queue && i < site->host_count; i++) {
		if (lxfw_pbs_suits(site, &site->host[i], queue, wanted))
			hosts[(*count)++] = i;
	}
	return hosts;
}

/* --- places for sets ---------------------------------------------------------------------- */

uint64_t lxfw_pbs_sets_owner(const char *user)
{
	return lxfw_pbs_hash_text(LXFW_PBS_HASH, user ? user : "");
}

bool lxfw_pbs_sets_allow(const struct lxfw_pbs_sets *sets, uint64_t owner)
{
	int32_t owned = 0;

	for (size_t i = 0; i < sets->count; i++)
		owned += !lxfw_pbs_set_is_vacant(&sets->set[i]) && sets->set[i].owner == owner;
	return owned < LXFW_PBS_SETS_OF_USER;
}

void lxfw_pbs_set_vacate(struct lxfw_pbs_set *set)
{
	*set->key = '\0';
	free(set->hosts);
	set->hosts = NULL;
	set->count = 0;
	set->of_family = false;
}

void lxfw_pbs_sets_need(struct lxfw_pbs_sets *sets, int32_t first, int32_t count)
{
	for (int32_t i = first; i < first + count && (size_t)i < sets->count; i++)
		sets->set[i].needed = true;
}

void lxfw_pbs_sets_evict(struct lxfw_pbs_sets *sets)
{
	lxfw_pbs_psets_evict(sets);
	for (size_t i = 0; i < sets->count; i++) {
		struct lxfw_pbs_set *set = &sets->set[i];

		if (!set->needed && !set->of_family)
			lxfw_pbs_set_vacate(set);
		set->needed = false;
	}
}

/* Returns a vacant set, or -1 with errno set. */
static int32_t find_place(struct lxfw_pbs_sets *sets, uint64_t owner)
{
	if (!lxfw_pbs_sets_allow(sets, owner)) {
		errno = ENOSPC;
		return -1;
	}
	for (size_t i = 0; i < sets->count; i++) {
		if (lxfw_pbs_set_is_vacant(&sets->set[i]))
			return (int32_t)i;
	}
	if (sets->count >= LXFW_PBS_SETS_MAX ||
	    LXFW_GROW(sets->set, sets->size, sets->count + 1)) {
		errno = sets->count >= LXFW_PBS_SETS_MAX ? ENOSPC : ENOMEM;
		return -1;
	}
	sets->set[sets->count] = (struct lxfw_pbs_set){ .key = strdup("") };
	if (!sets->set[sets->count].key)
		return -1;
	return (int32_t)sets->count++;
}

/* Makes the set, which takes KEY and HOSTS. */
static int32_t make_set(struct lxfw_pbs_sets *sets, char *key, uint64_t owner, int32_t *hosts,
			int32_t count)
{
	int32_t id = find_place(sets, owner);

	if (id < 0)
		return -1;
	free(sets->set[id].key);
	sets->set[id] = (struct lxfw_pbs_set){
		.key = key, .owner = owner, .hosts = hosts, .count = count,
	};
	return id;
}

int32_t lxfw_pbs_set(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site,
		     const struct lxfw_pbs_queue *queue, const char *wanted, uint64_t owner)
{
	int32_t *hosts, count, id = -1;
	char *key;

	if (asprintf(&key, "%s|%s", queue->name, wanted) < 0) {
		errno = ENOMEM;
		return -1;
	}
	for (size_t i = 0; i < sets->count; i++) {
		if (!sets->set[i].of_family && strcmp(sets->set[i].key, key) == 0) {
			free(key);
			return (int32_t)i;
		}
	}
	hosts = compute(site, queue, wanted, &count);
	errno = hosts ? ENOENT : ENOMEM;
	if (count > 0)
		id = make_set(sets, key, owner, hosts, count);
	if (id < 0) {
		int error = errno;

		free(key);
		free(hosts);
		errno = error;
	}
	return id;
}

/* Computes the hosts of a set again. */
static bool update(struct lxfw_pbs_sets *sets, int32_t id, const struct lxfw_pbs_site *site)
{
	char *name = strdup(sets->set[id].key), *bar = name ? strchr(name, '|') : NULL;
	int32_t *hosts = NULL, count;

	if (bar) {
		*bar = '\0';
		hosts = compute(site, lxfw_pbs_site_find_queue(site, name), bar + 1, &count);
	}
	free(name);
	if (!hosts)
		return false;
	lxfw_pbs_set_hosts(sets, id, hosts, count);
	return true;
}

bool lxfw_pbs_sets_update(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site)
{
	for (size_t i = 0; i < sets->count; i++) {
		if (!sets->set[i].of_family && !lxfw_pbs_set_is_vacant(&sets->set[i]) &&
		    !update(sets, (int32_t)i, site))
			return false;
	}
	return lxfw_pbs_psets_update(sets, site);
}

void lxfw_pbs_sets_forget(struct lxfw_pbs_sets *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		sets->set[i].told = false;
}

void lxfw_pbs_sets_clear(struct lxfw_pbs_sets *sets)
{
	for (size_t i = 0; i < sets->count; i++) {
		free(sets->set[i].key);
		free(sets->set[i].hosts);
	}
	for (size_t i = 0; i < sets->family_count; i++) {
		free(sets->family[i].queue);
		free(sets->family[i].wanted);
		free(sets->family[i].keys);
	}
	free(sets->set);
	free(sets->family);
	memset(sets, 0, sizeof(*sets));
}
