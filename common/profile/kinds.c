/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "common/model/sockets.h"
#include "common/profile/profile.h"
#include "common/util/grow.h"

void lxfw_kinds_clear(struct lxfw_kinds *kinds)
{
	free(kinds->list);
	free(kinds->order);
	free(kinds->hosts);
	free(kinds->changed);
	free(kinds->chains);
	*kinds = (struct lxfw_kinds){ .unused = -1 };
}

/* --- keys ------------------------------------------------------------------ */

static uint64_t hash_of(const struct lxfw_resources *amount)
{
	uint64_t hash = (uint64_t)amount->procs * UINT64_C(0x9fb21c651e98df25) +
			(uint64_t)amount->memory_mb * UINT64_C(0xd6e8feb86659fd93);

	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		hash += (uint64_t)amount->extras[i] *
			(UINT64_C(0xa0761d6478bd642f) + (uint64_t)i * 0x3c6ef372fe94f82aU);
	return hash;
}

void lxfw_kinds_release(struct lxfw_kinds *kinds, int32_t host, int64_t end,
			const struct lxfw_resources *amount, int sign)
{
	uint64_t hash = hash_of(amount) * (lxfw_kinds_hash((uint64_t)end) | 1);

	kinds->hosts[host].claims += sign > 0 ? hash : 0 - hash;
	lxfw_kinds_touch(kinds, host);
}

static uint64_t hash_of_boundary(int64_t time)
{
	return lxfw_kinds_hash(~(uint64_t)time) * UINT64_C(0xe7037ed1a0b428db);
}

uint64_t lxfw_kinds_hash_of_hold(int64_t from, int64_t until,
				 const struct lxfw_resources *amount)
{
	return hash_of(amount) * (hash_of_boundary(from) - hash_of_boundary(until));
}

void lxfw_kinds_hold(struct lxfw_kinds *kinds, int32_t host, int64_t from, int64_t until,
		     const struct lxfw_resources *amount, int sign)
{
	lxfw_kinds_hold_hash(kinds, host, lxfw_kinds_hash_of_hold(from, until, amount), sign);
}

void lxfw_kinds_tag(struct lxfw_kinds *kinds, int32_t host, uint64_t tag)
{
	kinds->hosts[host].tag += tag;
	lxfw_kinds_touch(kinds, host);
}

/* Placement depends on how many GPUs are free on sockets, and not on the sockets. */
static uint64_t hash_of_sockets(const struct lxfw_host *host)
{
	return lxfw_kinds_hash(UINT64_C(1) << 32 | lxfw_sockets_sorted(host->sockets_free));
}

static uint64_t key_of(const struct lxfw_profile *profile, int32_t index)
{
	const struct lxfw_host *host = &profile->hosts[index];
	const struct lxfw_kind_host *own = &profile->kinds.hosts[index];

	return own->claims + own->tag + (host->sockets ? hash_of_sockets(host) : 0) +
	       lxfw_kinds_hash(hash_of(&host->total)) +
	       (uint64_t)host->running * UINT64_C(0x8ebc6af09c88c6e3) +
	       (uint64_t)host->kept * UINT64_C(0x589965cc75374cc3);
}

/* --- the tree of the hosts of a kind ----------------------------------------------- */

/* A treap as that of release.c. */

static uint32_t weight(int32_t host)
{
	uint32_t hash = (uint32_t)host * 2654435761u;

	hash ^= hash >> 15;
	return hash * 2246822519u;
}

static void tree_split(struct lxfw_kind_host *hosts, int32_t at, int32_t host,
		       int32_t *left, int32_t *right)
{
	while (at >= 0) {
		if (at < host) {
			*left = at;
			left = &hosts[at].right;
			at = *left;
		} else {
			*right = at;
			right = &hosts[at].left;
			at = *right;
		}
	}
	*left = *right = -1;
}

static void tree_insert(struct lxfw_kind_host *hosts, int32_t *root, int32_t host)
{
	uint32_t own = weight(host);

	while (*root >= 0 && weight(*root) > own)
		root = *root < host ? &hosts[*root].right : &hosts[*root].left;
	tree_split(hosts, *root, host, &hosts[host].left, &hosts[host].right);
	*root = host;
}

static void tree_remove(struct lxfw_kind_host *hosts, int32_t *root, int32_t host)
{
	int32_t left = hosts[host].left, right = hosts[host].right;

	while (*root != host)
		root = *root < host ? &hosts[*root].right : &hosts[*root].left;
	while (left >= 0 && right >= 0) {
		if (weight(left) > weight(right)) {
			*root = left;
			root = &hosts[left].right;
			left = *root;
		} else {
			*root = right;
			root = &hosts[right].left;
			right = *root;
		}
	}
	*root = left >= 0 ? left : right;
}

static int32_t tree_merge(struct lxfw_kind_host *hosts, int32_t left, int32_t right)
{
	int32_t merged, *link = &merged;

	while (left >= 0 && right >= 0) {
		if (weight(left) > weight(right)) {
			*link = left;
			link = &hosts[left].right;
			left = *link;
		} else {
			*link = right;
			link = &hosts[right].left;
			right = *link;
		}
	}
	*link = left >= 0 ? left : right;
	return merged;
}

/* Number of hosts of a tree, or any number above MOST if there are more. */
static int32_t tree_size(const struct lxfw_kind_host *hosts, int32_t root, int32_t most)
{
	int32_t count = 0;

	for (; root >= 0 && count <= most; root = hosts[root].right)
		count += 1 + tree_size(hosts, hosts[root].left, most - count);
	return count;
}

int32_t lxfw_kind_first(const struct lxfw_kinds *kinds, int32_t kind)
{
	int32_t host = kinds->list[kind].root;

	while (kinds->hosts[host].left >= 0)
		host = kinds->hosts[host].left;
	return host;
}

static int32_t lowest(const struct lxfw_kind_host *hosts, int32_t root, int32_t most,
		      int32_t *found)
{
	int32_t count = 0;

	while (root >= 0 && count < most) {
		count += lowest(hosts, hosts[root].left, most - count, found + count);
		if (count < most)
			found[count++] = root;
		root = hosts[root].right;
	}
	return count;
}

static int32_t highest(const struct lxfw_kind_host *hosts, int32_t root, int32_t most,
		       int32_t *found)
{
	int32_t count = 0;

	while (root >= 0 && count < most) {
		count += highest(hosts, hosts[root].right, most - count, found + count);
		if (count < most)
			found[count++] = root;
		root = hosts[root].left;
	}
	return count;
}

int32_t lxfw_kind_lowest(const struct lxfw_kinds *kinds, int32_t kind, int32_t most,
			 int32_t *hosts)
{
	return lowest(kinds->hosts, kinds->list[kind].root, most, hosts);
}

int32_t lxfw_kind_highest(const struct lxfw_kinds *kinds, int32_t kind, int32_t most,
			  int32_t *hosts)
{
	return highest(kinds->hosts, kinds->list[kind].root, most, hosts);
}

/* --- the order of kinds ----------------------------------------------------- */

static bool kind_before(const struct lxfw_kinds *kinds, int32_t a, int32_t b)
{
	const struct lxfw_kind *x = &kinds->list[a], *y = &kinds->list[b];

	if (x->procs != y->procs)
		return x->procs < y->procs;
	if (x->memory_mb != y->memory_mb)
		return x->memory_mb < y->memory_mb;
	return a < b;
}

static int32_t position_of(const struct lxfw_kinds *kinds, int32_t kind)
{
	int32_t low = 0, high = kinds->count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (kind_before(kinds, kinds->order[middle], kind))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int32_t lxfw_kinds_from(const struct lxfw_kinds *kinds, int64_t procs)
{
	int32_t low = 0, high = kinds->count;

	while (low < high) {
		int32_t middle = low + (high - low) / 2;

		if (kinds->list[kinds->order[middle]].procs < procs)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* --- hosts in their kinds ------------------------------------------------------ */

static int32_t *chain_of(struct lxfw_kinds *kinds, uint64_t key)
{
	return &kinds->chains[(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) &
			      (kinds->chain_count - 1)];
}

static void enter_chain(struct lxfw_kinds *kinds, int32_t kind)
{
	int32_t *chain = chain_of(kinds, kinds->list[kind].key);

	kinds->list[kind].next = *chain;
	*chain = kind;
}

static bool is_overbooked(const struct lxfw_host *host)
{
	int32_t i = 0;

	while (i < host->boundary_count && host->boundaries[i].left.procs >= 0)
		i++;
	return i < host->boundary_count;
}

static int32_t new_kind(struct lxfw_kinds *kinds, uint64_t key,
			const struct lxfw_host *host)
{
	const struct lxfw_resources *free = &host->free;
	int32_t kind = kinds->unused, at;

	if (kind >= 0)
		kinds->unused = kinds->list[kind].next;
	else
		kind = (int32_t)kinds->used++;
	kinds->list[kind] = (struct lxfw_kind){
		.key = key, .procs = free->procs, .memory_mb = free->memory_mb,
		.root = -1, .overbooked = is_overbooked(host),
	};
	kinds->overbooked += kinds->list[kind].overbooked;
	enter_chain(kinds, kind);
	at = position_of(kinds, kind);
	memmove(&kinds->order[at + 1], &kinds->order[at],
		(size_t)(kinds->count - at) * sizeof(*kinds->order));
	kinds->order[at] = kind;
	kinds->count++;
	return kind;
}

static void end_kind(struct lxfw_kinds *kinds, int32_t kind)
{
	int32_t *link = chain_of(kinds, kinds->list[kind].key);
	int32_t at = position_of(kinds, kind);

	while (*link != kind)
		link = &kinds->list[*link].next;
	*link = kinds->list[kind].next;
	kinds->overbooked -= kinds->list[kind].overbooked;
	kinds->count--;
	memmove(&kinds->order[at], &kinds->order[at + 1],
		(size_t)(kinds->count - at) * sizeof(*kinds->order));
	kinds->list[kind].next = kinds->unused;
	kinds->unused = kind;
}

static bool is_kind(const struct lxfw_kind *kind, uint64_t key,
		    const struct lxfw_resources *free)
{
	return kind->key == key && kind->procs == free->procs &&
	       kind->memory_mb == free->memory_mb;
}

static int32_t find_kind(struct lxfw_kinds *kinds, uint64_t key,
			 const struct lxfw_resources *free)
{
	int32_t kind = *chain_of(kinds, key);

	while (kind >= 0 && !is_kind(&kinds->list[kind], key, free))
		kind = kinds->list[kind].next;
	return kind;
}

static void leave(struct lxfw_kinds *kinds, int32_t host)
{
	int32_t kind = kinds->hosts[host].kind;

	if (kind < 0)
		return;
	tree_remove(kinds->hosts, &kinds->list[kind].root, host);
	kinds->hosts[host].kind = -1;
	if (--kinds->list[kind].count == 0)
		end_kind(kinds, kind);
}

static void enter(struct lxfw_kinds *kinds, int32_t host, int32_t kind)
{
	tree_insert(kinds->hosts, &kinds->list[kind].root, host);
	kinds->list[kind].count++;
	kinds->hosts[host].kind = kind;
}

/* Whether a host changes from kind OLD to the kind NEW, as the one before it does. */
static bool changes_alike(const struct lxfw_profile *profile, int32_t index, int32_t old,
			  int32_t new)
{
	const struct lxfw_kinds *kinds = &profile->kinds;
	const struct lxfw_host *host = &profile->hosts[index];

	return kinds->hosts[index].kind == old && host->up &&
	       is_kind(&kinds->list[new], key_of(profile, index), &host->free);
}

/* The number of hosts in `changed` from AT on, the first one included, that change from kind
   OLD to the kind NEW and are in ascending or in descending order. */
static int32_t run_length(const struct lxfw_profile *profile, int32_t at, int32_t old,
			  int32_t new)
{
	const struct lxfw_kinds *kinds = &profile->kinds;
	const int32_t *changed = kinds->changed;
	int32_t i = at + 1;
	bool up = i < kinds->changed_count && changed[i] > changed[at];

	while (i < kinds->changed_count && (changed[i] > changed[i - 1]) == up &&
	       changes_alike(profile, changed[i], old, new))
		i++;
	return i - at;
}

/* Move all hosts from LOW to HIGH of a kind to another one that has none there. There must
   be COUNT of them. Returns false, with nothing changed, if this is not so. */
static bool move_range(struct lxfw_kinds *kinds, int32_t old, int32_t new, int32_t low,
		       int32_t high, int32_t count)
{
	struct lxfw_kind_host *hosts = kinds->hosts;
	int32_t *from = &kinds->list[old].root, *to = &kinds->list[new].root;
	int32_t before, moved, after, to_before, between, to_after;
	bool possible;

	tree_split(hosts, *from, low, &before, &after);
	tree_split(hosts, after, high + 1, &moved, &after);
	tree_split(hosts, *to, low, &to_before, &to_after);
	tree_split(hosts, to_after, high + 1, &between, &to_after);
	possible = between < 0 && tree_size(hosts, moved, count) == count;
	if (possible) {
		between = moved;
		moved = -1;
	}
	*from = tree_merge(hosts, tree_merge(hosts, before, moved), after);
	*to = tree_merge(hosts, tree_merge(hosts, to_before, between), to_after);
	return possible;
}

/* Hosts that change together, such as those of a job, are moved with few steps. */
#define RUN_LEAST 4

/* Move the hosts in `changed` from AT on that change alike from a kind to another. Returns
   their number. */
static int32_t move_run(struct lxfw_profile *profile, int32_t at, int32_t old, int32_t new)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	const int32_t *changed = kinds->changed + at;
	int32_t count = run_length(profile, at, old, new), last = changed[count - 1];
	int32_t low = changed[0] < last ? changed[0] : last;
	int32_t high = changed[0] < last ? last : changed[0];
	bool moved = count >= RUN_LEAST && move_range(kinds, old, new, low, high, count);

	for (int32_t i = 0; i < count; i++) {
		kinds->hosts[changed[i]].changed = false;
		if (!moved) {
			leave(kinds, changed[i]);
			enter(kinds, changed[i], new);
		}
		kinds->hosts[changed[i]].kind = new;
	}
	if (!moved)
		return count;
	kinds->list[new].count += count;
	kinds->list[old].count -= count;
	if (kinds->list[old].count == 0)
		end_kind(kinds, old);
	return count;
}

void lxfw_kinds_settle(struct lxfw_profile *profile)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	int32_t last = -1;

	for (int32_t i = 0; i < kinds->changed_count; i++) {
		int32_t index = kinds->changed[i], old = kinds->hosts[index].kind;
		const struct lxfw_host *host = &profile->hosts[index];
		uint64_t key = key_of(profile, index);

		kinds->hosts[index].changed = false;
		if (!host->up) {
			leave(kinds, index);
			last = -1;
			continue;
		}
		if (old >= 0 && is_kind(&kinds->list[old], key, &host->free))
			continue;
		/* Often several hosts change in the same way. */
		if (last < 0 || kinds->list[last].count == 0 ||
		    !is_kind(&kinds->list[last], key, &host->free))
			last = find_kind(kinds, key, &host->free);
		if (last < 0)
			last = new_kind(kinds, key, host);
		if (old >= 0)
			i += move_run(profile, i, old, last) - 1;
		else
			enter(kinds, index, last);
	}
	kinds->changed_count = 0;
}

int lxfw_kinds_ready(struct lxfw_kinds *kinds, int32_t hosts)
{
	size_t count = (size_t)hosts, chains = 16;
	int32_t *grown;

	/* A host enters its new kind before it leaves the old one. */
	if (LXFW_GROW(kinds->list, kinds->size, count + 1) ||
	    LXFW_GROW(kinds->order, kinds->order_size, count + 1) ||
	    LXFW_GROW(kinds->hosts, kinds->hosts_size, count) ||
	    LXFW_GROW(kinds->changed, kinds->changed_size, count))
		return -1;
	if (kinds->chain_count >= count)
		return 0;
	while (chains < 2 * count)
		chains *= 2;
	grown = malloc(chains * sizeof(*grown));
	if (!grown)
		return -1;
	memset(grown, 0xff, chains * sizeof(*grown));
	free(kinds->chains);
	kinds->chains = grown;
	kinds->chain_count = chains;
	for (int32_t i = 0; i < kinds->count; i++)
		enter_chain(kinds, kinds->order[i]);
	return 0;
}
