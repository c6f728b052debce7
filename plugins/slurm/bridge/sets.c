/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "plugins/slurm/bridge/sets.h"

#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"
#include "plugins/agent/mirror.h"
#include "plugins/slurm/bridge/bridge.h"

#define FNV_BASIS UINT64_C(0xcbf29ce484222325)
#define FNV_PRIME UINT64_C(0x100000001b3)

#define CHAINS ((size_t)1 << 15)
#define COLLECT_LEAST 1024

/* Keys of jobs that have left are kept up to this number. */
#define KEYS_MAX 10000

static size_t chain_of(uint64_t hash)
{
	return (size_t)(hash >> 20) & (CHAINS - 1);
}

static bool make_chains(struct lxfw_host_sets *sets)
{
	if (sets->set_chains)
		return true;
	sets->set_chains = malloc(CHAINS * sizeof(*sets->set_chains));
	sets->key_chains = malloc(CHAINS * sizeof(*sets->key_chains));
	if (!sets->set_chains || !sets->key_chains) {
		free(sets->set_chains);
		free(sets->key_chains);
		sets->set_chains = sets->key_chains = NULL;
		return false;
	}
	memset(sets->set_chains, 0xff, CHAINS * sizeof(*sets->set_chains));
	memset(sets->key_chains, 0xff, CHAINS * sizeof(*sets->key_chains));
	sets->free = -1;
	sets->collect_at = COLLECT_LEAST;
	return true;
}

/* --- node requirements of jobs ---------------------------------------------------- */

/* The fields of struct lxfw_set_key. The strings belong to Slurm. */
struct said {
	const char *part, *features, *excluded, *required;
	uint64_t memory_mb;
	uint32_t tmp_disk_mb;
	uint64_t kinds;
	uint64_t hash;
};

static uint64_t hash_text(uint64_t hash, const char *text)
{
	for (; text && *text; text++)
		hash = (hash ^ (unsigned char)*text) * FNV_PRIME;
	return (hash ^ 0xff) * FNV_PRIME;
}

static void read_said(const struct lxfw_bridge *bridge, const job_record_t *job,
		      struct said *said)
{
	const lxfw_slurm_details *details = job->details;

	said->part = job->part_ptr->name;
	said->features = details->features_use;
	said->excluded = details->exc_nodes;
	said->required = details->req_nodes;
	said->memory_mb = 0;
	if (!bridge->hosts.memory_counts &&
	    !(details->pn_min_memory & MEM_PER_CPU))
		said->memory_mb = details->pn_min_memory;
	said->tmp_disk_mb = details->pn_min_tmp_disk;
	said->kinds = lxfw_extras_asked(&bridge->hosts.extras, job);
	said->hash = hash_text(FNV_BASIS, said->part);
	said->hash = hash_text(said->hash, said->features);
	said->hash = hash_text(said->hash, said->excluded);
	said->hash = hash_text(said->hash, said->required);
	said->hash = (said->hash ^ said->memory_mb) * FNV_PRIME;
	said->hash = (said->hash ^ said->tmp_disk_mb) * FNV_PRIME;
	said->hash = (said->hash ^ said->kinds) * FNV_PRIME;
}

static bool same_text(const char *one, const char *other)
{
	if (!one || !other)
		return one == other;
	return strcmp(one, other) == 0;
}

static bool is_of(const struct lxfw_set_key *key, const struct said *said)
{
	return key->hash == said->hash && key->memory_mb == said->memory_mb &&
	       key->tmp_disk_mb == said->tmp_disk_mb && key->kinds == said->kinds &&
	       same_text(key->part, said->part) &&
	       same_text(key->features, said->features) &&
	       same_text(key->excluded, said->excluded) &&
	       same_text(key->required, said->required);
}

static bool copy_text(char **copy, const char *text)
{
	*copy = text ? strdup(text) : NULL;
	return !text || *copy;
}

static void clear_key(struct lxfw_set_key *key)
{
	free(key->part);
	free(key->features);
	free(key->excluded);
	free(key->required);
}

static struct lxfw_set_key *key_of(struct lxfw_host_sets *sets,
				   const struct said *said)
{
	int32_t *chain = &sets->key_chains[chain_of(said->hash)];
	struct lxfw_set_key *key;

	for (int32_t i = *chain; i >= 0; i = sets->key[i].next) {
		if (is_of(&sets->key[i], said))
			return &sets->key[i];
	}
	if (LXFW_GROW(sets->key, sets->key_size, (size_t)sets->key_count + 1))
		return NULL;
	key = &sets->key[sets->key_count];
	*key = (struct lxfw_set_key){
		.memory_mb = said->memory_mb,
		.tmp_disk_mb = said->tmp_disk_mb,
		.kinds = said->kinds,
		.hash = said->hash,
		.set = -1,
	};
	if (!copy_text(&key->part, said->part) ||
	    !copy_text(&key->features, said->features) ||
	    !copy_text(&key->excluded, said->excluded) ||
	    !copy_text(&key->required, said->required)) {
		clear_key(key);
		return NULL;
	}
	key->next = *chain;
	*chain = sets->key_count++;
	return key;
}

/* Removes keys that no job of this pass uses and keys of unused sets. */
static void drop_keys(struct lxfw_host_sets *sets, uint32_t pass)
{
	int32_t kept = 0;

	memset(sets->key_chains, 0xff, CHAINS * sizeof(*sets->key_chains));
	for (int32_t i = 0; i < sets->key_count; i++) {
		struct lxfw_set_key *key = &sets->key[i];
		int32_t *chain = &sets->key_chains[chain_of(key->hash)];

		if (key->checked != pass ||
		    (key->set >= 0 && !sets->set[key->set].nodes)) {
			clear_key(key);
			continue;
		}
		key->next = *chain;
		*chain = kept;
		sets->key[kept++] = *key;
	}
	sets->key_count = kept;
}

/*
 * Returns true if the features do not define a plain set of nodes. Only Slurm can
 * evaluate counts of nodes per feature, and choices such as [a|b] of which all nodes
 * must share one.
 */
static bool features_are_vague(job_record_t *job, bool has_choice)
{
	lxfw_slurm_iterator each;
	job_feature_t *feature;
	bool vague = has_choice;

	if (!job->details->feature_list_use)
		return false;
	each = list_iterator_create(job->details->feature_list_use);
	while ((feature = list_next(each)) != NULL)
		vague |= feature->count != 0;
	list_iterator_destroy(each);
	return vague;
}

static void drop_small_nodes(const struct lxfw_set_key *key, bitstr_t *nodes)
{
	if (!key->memory_mb && !key->tmp_disk_mb)
		return;
	for (int32_t i = 0; i < node_record_count; i++) {
		const node_record_t *node = node_record_table_ptr[i];

		if (node && bit_test(nodes, i) &&
		    (node->real_memory < key->memory_mb ||
		     node->tmp_disk < key->tmp_disk_mb))
			bit_clear(nodes, i);
	}
}

/* Returns the nodes on which JOB may run in its present partition. Sets *VAGUE if its
   features cannot be represented by a set of nodes. */
static bitstr_t *read_nodes(const struct lxfw_bridge *bridge,
			    const struct lxfw_set_key *key, job_record_t *job, bool *vague)
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
	if (details->features_use) {
		if (valid_feature_counts(job, false, nodes, &has_choice) !=
		    SLURM_SUCCESS)
			bit_clear_all(nodes);
		*vague = features_are_vague(job, has_choice);
	}
	drop_small_nodes(key, nodes);
	lxfw_extras_keep_nodes(&bridge->hosts.extras, key->kinds, nodes);
	return nodes;
}

/* --- sets of nodes ---------------------------------------------------------------- */

static uint64_t hash_nodes(const bitstr_t *nodes)
{
	bitstr_t *bits = (bitstr_t *)nodes;
	int64_t last = bit_fls(bits);
	uint64_t hash = FNV_BASIS;

	for (int64_t i = bit_ffs(bits); i >= 0 && i <= last; i++) {
		if (bit_test(bits, i))
			hash = (hash ^ (uint64_t)i) * FNV_PRIME;
	}
	return hash ^ hash >> 29;
}

static bool reserve_members(struct lxfw_bridge *bridge)
{
	struct lxfw_host_sets *sets = &bridge->sets;
	size_t size = (size_t)bridge->hosts.count + 1;

	return LXFW_GROW(sets->members, sets->members_size, size) == 0;
}

/* Updates the set's figures from the current hosts. Leaves the set's hosts in
   sets->members. */
static void summarise(struct lxfw_bridge *bridge, struct lxfw_known_set *set)
{
	struct lxfw_host_sets *sets = &bridge->sets;

	set->most_procs = 0;
	set->least_procs = INT32_MAX;
	set->least_memory = INT64_MAX;
	set->first = -1;
	set->count = 0;
	set->hosts_change = bridge->agent.hosts.changes;
	for (int32_t i = 0; i < bridge->hosts.count; i++) {
		const struct lxfw_known_host *host = &bridge->agent.hosts.host[i];

		if (!bit_test(set->nodes, i))
			continue;
		sets->members[set->count++] = i;
		if (set->first < 0)
			set->first = i;
		if (host->total.procs > set->most_procs)
			set->most_procs = host->total.procs;
		if (host->total.procs < set->least_procs)
			set->least_procs = host->total.procs;
		if (host->total.memory_mb < set->least_memory)
			set->least_memory = host->total.memory_mb;
	}
	if (set->count == 0)
		set->least_memory = set->least_procs = 0;
}

/* Returns the index of a free entry, -1 if too many sets are in use, or -2 when memory
   runs out. The set of a whole partition always gets an entry, so that jobs without
   node requirements remain in the model. */
static int32_t take_entry(struct lxfw_host_sets *sets, bool whole_partition)
{
	int32_t index = sets->free;

	if (index >= 0) {
		sets->free = sets->set[index].next;
		sets->free_count--;
		return index;
	}
	if (sets->count >= LXFW_SETS_MAX && !whole_partition)
		return -1;
	if (LXFW_GROW(sets->set, sets->size, (size_t)sets->count + 1))
		return -2;
	return sets->count++;
}

/* Finds or adds the set of NODES. Takes ownership of NODES. Sets *INDEX, to -1 if too
   many sets are in use. Returns false when memory runs out. */
static bool intern(struct lxfw_bridge *bridge, bitstr_t *nodes,
		   bool whole_partition, int32_t *index)
{
	struct lxfw_host_sets *sets = &bridge->sets;
	uint64_t hash = hash_nodes(nodes);
	int32_t *chain = &sets->set_chains[chain_of(hash)];
	struct lxfw_known_set *set;

	for (*index = *chain; *index >= 0; *index = sets->set[*index].next) {
		set = &sets->set[*index];
		if (set->hash == hash && bit_equal(nodes, set->nodes)) {
			FREE_NULL_BITMAP(nodes);
			return true;
		}
	}
	*index = take_entry(sets, whole_partition);
	if (*index < 0) {
		FREE_NULL_BITMAP(nodes);
		return *index == -1;
	}
	set = &sets->set[*index];
	*set = (struct lxfw_known_set){
		.nodes = nodes,
		.hash = hash,
		.next = *chain,
	};
	*chain = *index;
	summarise(bridge, set);
	lxfw_mirror_set(&bridge->agent, *index, sets->members, set->count);
	return true;
}

static void say_full(struct lxfw_host_sets *sets)
{
	if (!sets->full)
		error("sched/lxfw: jobs wait for more than %d different sets "
		      "of nodes; further ones are passed to Slurm's own node "
		      "selection",
		      LXFW_SETS_MAX);
	sets->full = true;
}

static bool asks_nothing(const struct lxfw_set_key *key)
{
	return !key->features && !key->excluded && !key->required &&
	       key->memory_mb == 0 && key->tmp_disk_mb == 0 && key->kinds == 0;
}

/* Evaluates the nodes of a key, once per pass. Returns false when memory runs out. */
static bool bring_up_to_date(struct lxfw_bridge *bridge,
			     struct lxfw_set_key *key, job_record_t *job)
{
	struct lxfw_host_sets *sets = &bridge->sets;
	struct lxfw_known_set *set;
	bitstr_t *nodes;

	if (key->checked == bridge->agent.pass)
		return true;
	nodes = read_nodes(bridge, key, job, &key->vague);
	set = key->set >= 0 ? &sets->set[key->set] : NULL;
	if (set && bit_equal(nodes, set->nodes)) {
		FREE_NULL_BITMAP(nodes);
		if (set->hosts_change != bridge->agent.hosts.changes)
			summarise(bridge, set);
	} else if (!intern(bridge, nodes, asks_nothing(key), &key->set)) {
		return false;
	}
	key->checked = bridge->agent.pass;
	return true;
}

int lxfw_sets_find(struct lxfw_bridge *bridge, job_record_t *job,
		   struct lxfw_job_nodes *nodes)
{
	struct lxfw_host_sets *sets = &bridge->sets;
	struct lxfw_set_key *key;
	struct said said;

	if (!make_chains(sets) || !reserve_members(bridge))
		return -1;
	read_said(bridge, job, &said);
	key = key_of(sets, &said);
	if (!key || !bring_up_to_date(bridge, key, job))
		return -1;
	if (key->set < 0) {
		say_full(sets);
		return 0;
	}
	nodes->set = &sets->set[key->set];
	nodes->id = key->set;
	nodes->vague = key->vague;
	return 1;
}

/* --- runs --------------------------------------------------------------------------- */

/* Builds the list of unused entries again, after some of them have been taken. */
static void list_free(struct lxfw_host_sets *sets)
{
	sets->free = -1;
	sets->free_count = 0;
	for (int32_t i = sets->count - 1; i >= 0; i--) {
		if (sets->set[i].nodes)
			continue;
		sets->set[i].next = sets->free;
		sets->free = i;
		sets->free_count++;
	}
}

/* Returns the first of COUNT unused entries one after the other, or -1 if there are none. */
static int32_t unused_entries(const struct lxfw_host_sets *sets, int32_t count)
{
	int32_t found = 0;

	for (int32_t i = 0; i < sets->count && count <= sets->free_count; i++) {
		found = sets->set[i].nodes ? 0 : found + 1;
		if (found == count)
			return i - count + 1;
	}
	return -1;
}

/* The same, or new ones. Returns -1 if too many sets are in use, or -2 when memory runs out. */
static int32_t take_entries(struct lxfw_host_sets *sets, int32_t count)
{
	int32_t first = unused_entries(sets, count);

	if (first >= 0)
		return first;
	if (count > LXFW_SETS_MAX - sets->count)
		return -1;
	if (LXFW_GROW(sets->set, sets->size, (size_t)sets->count + (size_t)count))
		return -2;
	first = sets->count;
	sets->count += count;
	return first;
}

/* Copies the COUNT sets IDS to entries one after the other, and reports them. Returns the
   first, -1 if too many sets are in use, or -2 when memory runs out. */
static int32_t copy_sets(struct lxfw_bridge *bridge, const int32_t *ids, int32_t count)
{
	struct lxfw_host_sets *sets = &bridge->sets;
	int32_t first = take_entries(sets, count);

	for (int32_t i = 0; first >= 0 && i < count; i++) {
		const struct lxfw_known_set *from = &sets->set[ids[i]];
		struct lxfw_known_set *set = &sets->set[first + i];

		*set = (struct lxfw_known_set){
			.nodes = bit_copy(from->nodes), .hash = from->hash, .next = -1,
		};
		summarise(bridge, set);
		lxfw_mirror_set(&bridge->agent, first + i, sets->members, set->count);
	}
	if (first >= 0)
		list_free(sets);
	return first;
}

/* Returns as copy_sets(). */
static int32_t find_run(struct lxfw_bridge *bridge, const int32_t *ids, int32_t count)
{
	int32_t first = lxfw_set_runs_find(&bridge->sets.runs, ids, count);

	if (first >= 0)
		return first;
	first = copy_sets(bridge, ids, count);
	/* The copies of a run that is not known are freed with other sets that no job uses. */
	if (first >= 0 && !lxfw_set_runs_add(&bridge->sets.runs, ids, count, first))
		return -2;
	return first;
}

int lxfw_sets_of_places(struct lxfw_bridge *bridge, const struct lxfw_places *places,
			struct lxfw_request *request)
{
	const int32_t last = LXFW_HOST_SETS_MAX - 1, beyond = places->count - last;
	int32_t *ids, first;

	request->more_sets = 0;
	request->host_set_count = beyond > 1 ? LXFW_HOST_SETS_MAX : (uint8_t)places->count;
	for (int i = 0; i < request->host_set_count; i++)
		request->host_sets[i] = lxfw_place(places, i)->set;
	if (beyond <= 1)
		return 1;
	ids = malloc((size_t)beyond * sizeof(*ids));
	if (!ids)
		return -1;
	for (int32_t i = 0; i < beyond; i++)
		ids[i] = lxfw_place(places, last + i)->set;
	first = find_run(bridge, ids, beyond);
	free(ids);
	if (first < 0) {
		if (first == -1)
			say_full(&bridge->sets);
		return first + 1;
	}
	request->host_sets[last] = first;
	request->more_sets = beyond - 1;
	return 1;
}

const char *lxfw_sets_part(struct lxfw_host_sets *sets, const char *name)
{
	uint32_t *cached = &sets->part_cache[(uintptr_t)name >> 4 & 255];
	char *copy;

	if (*cached < sets->part_count &&
	    strcmp(sets->parts[*cached], name) == 0)
		return sets->parts[*cached];
	for (size_t i = 0; i < sets->part_count; i++) {
		if (strcmp(sets->parts[i], name) != 0)
			continue;
		*cached = (uint32_t)i;
		return sets->parts[i];
	}
	if (LXFW_GROW(sets->parts, sets->parts_size, sets->part_count + 1))
		return NULL;
	copy = strdup(name);
	if (!copy)
		return NULL;
	sets->parts[sets->part_count++] = copy;
	return copy;
}

/* --- unused sets ------------------------------------------------------------------ */

static void mark_used(struct lxfw_bridge *bridge)
{
	struct lxfw_host_sets *sets = &bridge->sets;

	for (int32_t i = 0; i < sets->count; i++)
		sets->set[i].used = false;
	for (size_t i = 0; i < bridge->agent.jobs.count; i++) {
		const struct lxfw_known_job *known = bridge->agent.jobs.jobs[i];
		const struct lxfw_request *request = &known->request;

		if (known->state == LXFW_KNOWN_NOT)
			continue;
		for (int j = 0; j < request->host_set_count; j++)
			sets->set[request->host_sets[j]].used = true;
		for (int32_t j = 1; j <= request->more_sets; j++)
			sets->set[request->host_sets[LXFW_HOST_SETS_MAX - 1] + j].used = true;
	}
}

/* Forgets the runs that no job uses, and keeps the sets that the others were copied from. */
static void drop_runs(struct lxfw_host_sets *sets)
{
	for (int32_t i = sets->runs.count - 1; i >= 0; i--) {
		const struct lxfw_set_run *run = &sets->runs.run[i];
		bool used = true;

		for (int32_t j = 0; j < run->count; j++)
			used &= sets->set[run->first + j].used;
		if (!used) {
			lxfw_set_runs_remove(&sets->runs, i);
			continue;
		}
		for (int32_t j = 0; j < run->count; j++)
			sets->set[run->ids[j]].used = true;
	}
}

static void free_unused(struct lxfw_host_sets *sets)
{
	memset(sets->set_chains, 0xff, CHAINS * sizeof(*sets->set_chains));
	sets->free = -1;
	sets->free_count = 0;
	for (int32_t i = sets->count - 1; i >= 0; i--) {
		struct lxfw_known_set *set = &sets->set[i];
		int32_t *list = &sets->free;

		if (set->used) {
			list = &sets->set_chains[chain_of(set->hash)];
		} else {
			FREE_NULL_BITMAP(set->nodes);
			sets->free_count++;
		}
		set->next = *list;
		*list = i;
	}
}

void lxfw_sets_collect(struct lxfw_bridge *bridge)
{
	struct lxfw_host_sets *sets = &bridge->sets;
	bool many = sets->count - sets->free_count >= sets->collect_at;

	if (!sets->set_chains || (!many && sets->key_count <= KEYS_MAX))
		return;
	if (many) {
		mark_used(bridge);
		drop_runs(sets);
		free_unused(sets);
		sets->collect_at = 2 * (sets->count - sets->free_count);
		if (sets->collect_at < COLLECT_LEAST)
			sets->collect_at = COLLECT_LEAST;
		if (sets->collect_at > LXFW_SETS_MAX)
			sets->collect_at = LXFW_SETS_MAX;
	}
	drop_keys(sets, bridge->agent.pass);
}

void lxfw_sets_forget(struct lxfw_host_sets *sets)
{
	for (int32_t i = 0; i < sets->key_count; i++)
		clear_key(&sets->key[i]);
	for (int32_t i = 0; i < sets->count; i++)
		FREE_NULL_BITMAP(sets->set[i].nodes);
	free(sets->set);
	free(sets->key);
	free(sets->set_chains);
	free(sets->key_chains);
	free(sets->members);
	lxfw_set_runs_clear(&sets->runs);
	*sets = (struct lxfw_host_sets){
		.parts = sets->parts,
		.part_count = sets->part_count,
		.parts_size = sets->parts_size,
		.full = sets->full,
	};
}

void lxfw_sets_destroy(struct lxfw_host_sets *sets)
{
	lxfw_sets_forget(sets);
	for (size_t i = 0; i < sets->part_count; i++)
		free(sets->parts[i]);
	free(sets->parts);
	memset(sets, 0, sizeof(*sets));
}
