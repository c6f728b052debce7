/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/sets.h"

#include <stdlib.h>
#include <string.h>

#include "plugins/slurm/bridge/bridge.h"

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

/* What makes a job's set; the strings are Slurm's. */
struct key {
	const char *part, *features, *excluded, *required;
	uint64_t memory_mb;
	uint32_t tmp_disk_mb;
	uint64_t hash;
};

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
	return (hash ^ 0xff) * FNV_PRIME;
}

static void make_key(const struct lxfw_bridge *bridge, const job_record_t *job,
		     struct key *key)
{
	const lxfw_slurm_details *details = job->details;

	key->part = job->part_ptr->name;
	key->features = details->features;
	key->excluded = details->exc_nodes;
	key->required = details->req_nodes;
	key->memory_mb = 0;
	if (!bridge->hosts.memory_counts &&
	    !(details->pn_min_memory & MEM_PER_CPU))
		key->memory_mb = details->pn_min_memory;
	key->tmp_disk_mb = details->pn_min_tmp_disk;
	key->hash = hash_text(FNV_BASIS, key->part);
	key->hash = hash_text(key->hash, key->features);
	key->hash = hash_text(key->hash, key->excluded);
	key->hash = hash_text(key->hash, key->required);
	key->hash = (key->hash ^ key->memory_mb) * FNV_PRIME;
	key->hash = (key->hash ^ key->tmp_disk_mb) * FNV_PRIME;
}

static bool same_text(const char *one, const char *other)
{
	if (!one || !other)
		return one == other;
	return strcmp(one, other) == 0;
}

static bool is_of(const struct lxfw_known_set *set, const struct key *key)
{
	return set->hash == key->hash && set->memory_mb == key->memory_mb &&
	       set->tmp_disk_mb == key->tmp_disk_mb &&
	       same_text(set->part, key->part) &&
	       same_text(set->features, key->features) &&
	       same_text(set->excluded, key->excluded) &&
	       same_text(set->required, key->required);
}

static size_t slot_of(const struct lxfw_host_sets *sets, const struct key *key)
{
	size_t slot = (size_t)(key->hash >> 20) & (sets->slot_count - 1);

	while (sets->slots[slot] &&
	       !is_of(&sets->set[sets->slots[slot] - 1], key))
		slot = (slot + 1) & (sets->slot_count - 1);
	return slot;
}

static int grow(struct lxfw_host_sets *sets)
{
	size_t size = sets->size ? 2 * sets->size : 64;
	uint32_t *slots = calloc(4 * size, sizeof(*slots));
	void *set = realloc(sets->set, size * sizeof(*sets->set));

	if (set) {
		sets->set = set;
		sets->size = size;
	}
	if (!slots || !set) {
		free(slots);
		return -1;
	}
	free(sets->slots);
	sets->slots = slots;
	sets->slot_count = 4 * size;
	for (size_t i = 0; i < sets->count; i++) {
		size_t slot = (size_t)(sets->set[i].hash >> 20) &
			      (sets->slot_count - 1);

		while (slots[slot])
			slot = (slot + 1) & (sets->slot_count - 1);
		slots[slot] = (uint32_t)i + 1;
	}
	return 0;
}

static bool copy_text(char **copy, const char *text)
{
	*copy = text ? strdup(text) : NULL;
	return !text || *copy;
}

static void clear_set(struct lxfw_known_set *set)
{
	free(set->part);
	free(set->features);
	free(set->excluded);
	free(set->required);
	FREE_NULL_BITMAP(set->nodes);
}

static struct lxfw_known_set *enter(struct lxfw_host_sets *sets,
				   const struct key *key)
{
	struct lxfw_known_set *set;

	if (sets->count == sets->size && grow(sets) < 0)
		return NULL;
	set = &sets->set[sets->count];
	memset(set, 0, sizeof(*set));
	if (!copy_text(&set->part, key->part) ||
	    !copy_text(&set->features, key->features) ||
	    !copy_text(&set->excluded, key->excluded) ||
	    !copy_text(&set->required, key->required)) {
		clear_set(set);
		return NULL;
	}
	set->hash = key->hash;
	set->memory_mb = key->memory_mb;
	set->tmp_disk_mb = key->tmp_disk_mb;
	sets->slots[slot_of(sets, key)] = (uint32_t)++sets->count;
	return set;
}

/* Are these features such that any of the nodes found will do? Numbers of
   nodes, and choices such as [a|b] of which all nodes must share one, are
   Slurm's to judge. */
static bool features_are_vague(job_record_t *job, bool has_choice)
{
	lxfw_slurm_iterator each;
	job_feature_t *feature;
	bool vague = has_choice;

	if (!job->details->feature_list)
		return false;
	each = list_iterator_create(job->details->feature_list);
	while ((feature = list_next(each)) != NULL)
		vague |= feature->count != 0;
	list_iterator_destroy(each);
	return vague;
}

static void drop_small_nodes(const struct lxfw_known_set *set, bitstr_t *nodes)
{
	if (!set->memory_mb && !set->tmp_disk_mb)
		return;
	for (int32_t i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(nodes, i) &&
		    (node->real_memory < set->memory_mb ||
		     node->tmp_disk < set->tmp_disk_mb))
			bit_clear(nodes, i);
	}
}

/* The nodes on which JOB may run in its present partition, and whether there
   is more to its features than that. */
static bitstr_t *read_nodes(const struct lxfw_known_set *set, job_record_t *job,
			    bool *vague)
{
	lxfw_slurm_details *details = job->details;
	bool has_choice = false;
	bitstr_t *nodes;

	if (job->part_ptr->node_bitmap)
		nodes = bit_copy(job->part_ptr->node_bitmap);
	else
		nodes = bit_alloc(node_record_count);
	if (details->exc_node_bitmap)
		bit_and_not(nodes, details->exc_node_bitmap);
	if (details->req_node_bitmap)
		bit_and(nodes, details->req_node_bitmap);
	*vague = false;
	if (details->features) {
		details->features_use = details->features;
		details->feature_list_use = details->feature_list;
		if (valid_feature_counts(job, false, nodes, &has_choice) !=
		    SLURM_SUCCESS)
			bit_clear_all(nodes);
		*vague = features_are_vague(job, has_choice);
	}
	drop_small_nodes(set, nodes);
	return nodes;
}

static void summarise(struct lxfw_bridge *bridge, struct lxfw_known_set *set)
{
	struct lxfw_host_sets *sets = &bridge->sets;

	set->most_procs = 0;
	set->least_memory = INT64_MAX;
	set->first = -1;
	set->count = 0;
	set->hosts_change = bridge->hosts.changes;
	for (int32_t i = 0; i < bridge->hosts.count; i++) {
		const struct lxfw_known_host *host = &bridge->hosts.host[i];

		if (!bit_test(set->nodes, i))
			continue;
		sets->members[set->count++] = i;
		if (set->first < 0)
			set->first = i;
		if (host->total.procs > set->most_procs)
			set->most_procs = host->total.procs;
		if (host->total.memory_mb < set->least_memory)
			set->least_memory = host->total.memory_mb;
	}
	if (set->count == 0)
		set->least_memory = 0;
}

static bool bring_up_to_date(struct lxfw_bridge *bridge,
			     struct lxfw_known_set *set, job_record_t *job,
			     int32_t id)
{
	struct lxfw_host_sets *sets = &bridge->sets;
	bitstr_t *nodes;

	if (set->nodes && set->checked == bridge->pass)
		return true;
	if (sets->members_size < (size_t)bridge->hosts.count) {
		size_t size = (size_t)bridge->hosts.count;
		void *members = realloc(sets->members,
					size * sizeof(*sets->members));

		if (!members)
			return false;
		sets->members = members;
		sets->members_size = size;
	}
	set->checked = bridge->pass;
	nodes = read_nodes(set, job, &set->vague);
	if (set->nodes && bit_equal(nodes, set->nodes)) {
		FREE_NULL_BITMAP(nodes);
		if (set->hosts_change != bridge->hosts.changes)
			summarise(bridge, set);
		return true;
	}
	FREE_NULL_BITMAP(set->nodes);
	set->nodes = nodes;
	summarise(bridge, set);
	lxfw_events_host_set(&bridge->events, id, sets->members, set->count);
	return true;
}

const struct lxfw_known_set *lxfw_sets_find(struct lxfw_bridge *bridge,
					   job_record_t *job, int32_t *id)
{
	struct lxfw_host_sets *sets = &bridge->sets;
	struct lxfw_known_set *set;
	struct key key;

	if (sets->slot_count == 0 && grow(sets) < 0)
		return NULL;
	make_key(bridge, job, &key);
	*id = (int32_t)sets->slots[slot_of(sets, &key)] - 1;
	if (*id >= 0)
		set = &sets->set[*id];
	else
		set = enter(sets, &key);
	if (!set)
		return NULL;
	*id = (int32_t)(set - sets->set);
	return bring_up_to_date(bridge, set, job, *id) ? set : NULL;
}

void lxfw_sets_destroy(struct lxfw_host_sets *sets)
{
	for (size_t i = 0; i < sets->count; i++)
		clear_set(&sets->set[i]);
	free(sets->set);
	free(sets->slots);
	free(sets->members);
	memset(sets, 0, sizeof(*sets));
}
