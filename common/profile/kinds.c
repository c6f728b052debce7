/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "common/profile/boundary.h"
#include "common/profile/profile.h"
#include "common/util/grow.h"

void lxfw_kinds_clear(struct lxfw_profile *profile)
{
	struct lxfw_kinds *kinds = &profile->kinds;

	free(kinds->list);
	free(kinds->order);
	free(kinds->of);
	free(kinds->members);
	free(kinds->chosen);
	free(kinds->touched);
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

uint64_t lxfw_key_of_host(const struct lxfw_resources *total, bool up)
{
	return lxfw_kinds_hash(hash_of(total)) + up * UINT64_C(0x2545f4914f6cdd1d);
}

uint64_t lxfw_key_of_run(int64_t end, const struct lxfw_resources *amount)
{
	uint64_t hash = lxfw_kinds_hash((uint64_t)end);

	return hash_of(amount) * (hash | 1) + (hash ^ hash >> 29) * UINT64_C(0x8ebc6af09c88c6e3);
}

uint64_t lxfw_key_of_boundaries(int64_t from, int64_t until)
{
	return lxfw_kinds_hash(lxfw_kinds_hash(~(uint64_t)from) + (uint64_t)until);
}

uint64_t lxfw_key_of_hold(int64_t from, int64_t until, const struct lxfw_resources *amount)
{
	if (from >= until)
		return 0;
	return hash_of(amount) * (lxfw_key_of_boundaries(from, until) *
				  UINT64_C(0xe7037ed1a0b428db) | 1);
}

/* --- the hash table of kinds ----------------------------------------------- */

static int32_t *chain_of(struct lxfw_kinds *kinds, uint64_t key)
{
	return &kinds->chains[(key >> 20) & (kinds->chain_count - 1)];
}

static void enter_chain(struct lxfw_kinds *kinds, int32_t kind)
{
	int32_t *chain = chain_of(kinds, kinds->list[kind].key);

	kinds->list[kind].next = *chain;
	*chain = kind;
}

static void leave_chain(struct lxfw_kinds *kinds, int32_t kind)
{
	int32_t *link = chain_of(kinds, kinds->list[kind].key);

	while (*link != kind)
		link = &kinds->list[*link].next;
	*link = kinds->list[kind].next;
}

static int32_t find(struct lxfw_kinds *kinds, uint64_t key)
{
	int32_t kind = *chain_of(kinds, key);

	while (kind >= 0 && kinds->list[kind].key != key)
		kind = kinds->list[kind].next;
	return kind;
}

int lxfw_kinds_ready(struct lxfw_kinds *kinds, int32_t hosts)
{
	/* One more than hosts: while a change is made, the kind of which a part becomes a
	   new one still has all its hosts. */
	size_t count = (size_t)hosts + 1, chains = 16;
	int32_t *grown;

	if (LXFW_GROW(kinds->list, kinds->size, count) ||
	    LXFW_GROW(kinds->order, kinds->order_size, count) ||
	    LXFW_GROW(kinds->of, kinds->of_size, count) ||
	    LXFW_GROW(kinds->members, kinds->members_size, count) ||
	    LXFW_GROW(kinds->chosen, kinds->chosen_size, count) ||
	    LXFW_GROW(kinds->touched, kinds->touched_size, count))
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
	for (size_t i = 0; i < kinds->used; i++) {
		if (kinds->list[i].count > 0)
			enter_chain(kinds, (int32_t)i);
	}
	return 0;
}

/* --- the order of kinds ----------------------------------------------------- */

static bool kind_before(const struct lxfw_kinds *kinds, int32_t a, int32_t b)
{
	const struct lxfw_resources *x = &kinds->list[a].line.free;
	const struct lxfw_resources *y = &kinds->list[b].line.free;

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

		if (kinds->list[kinds->order[middle]].line.free.procs < procs)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void enter_order(struct lxfw_kinds *kinds, int32_t kind)
{
	int32_t at;

	if (!kinds->list[kind].up)
		return;
	at = position_of(kinds, kind);
	memmove(&kinds->order[at + 1], &kinds->order[at],
		(size_t)(kinds->count - at) * sizeof(*kinds->order));
	kinds->order[at] = kind;
	kinds->count++;
}

static void leave_order(struct lxfw_kinds *kinds, int32_t kind)
{
	int32_t at;

	if (!kinds->list[kind].up)
		return;
	at = position_of(kinds, kind);
	kinds->count--;
	memmove(&kinds->order[at], &kinds->order[at + 1],
		(size_t)(kinds->count - at) * sizeof(*kinds->order));
}

/* --- kinds ------------------------------------------------------------------- */

/* A kind without hosts, a key, or a place in the chains and in the order. */
static int32_t new_kind(struct lxfw_kinds *kinds)
{
	int32_t kind = kinds->unused;

	if (kind >= 0)
		kinds->unused = kinds->list[kind].next;
	else
		kind = (int32_t)kinds->used++;
	kinds->list[kind] = (struct lxfw_kind){
		.root = -1, .target = -1, .line.releases = -1,
		.line.first_release = LXFW_NEVER,
	};
	return kind;
}

static void end_kind(struct lxfw_profile *profile, int32_t kind)
{
	struct lxfw_kinds *kinds = &profile->kinds;

	lxfw_line_clear(profile, &kinds->list[kind].line);
	kinds->list[kind].count = 0;
	kinds->list[kind].next = kinds->unused;
	kinds->unused = kind;
}

/* Count an overbooked kind (SIGN 1), or no longer. */
static void count_overbooked(struct lxfw_kinds *kinds, const struct lxfw_kind *kind, int sign)
{
	if (kind->up && kind->overbooked)
		kinds->overbooked += sign;
}

/* Add what COUNT hosts of a kind have free to the sum of the profile, or subtract it if COUNT
   is negative. Negative amounts count as 0, so that they do not reduce what other hosts
   have. */
static void count_free(struct lxfw_profile *profile, const struct lxfw_kind *kind,
		       int32_t count)
{
	const struct lxfw_resources *free = &kind->line.free;
	struct lxfw_resources *sum = &profile->free;

	if (!kind->up)
		return;
	sum->procs += count * (free->procs > 0 ? free->procs : 0);
	sum->memory_mb += count * lxfw_counted_memory(free->memory_mb);
	for (int i = 0; i < LXFW_EXTRAS_MAX; i++)
		sum->extras[i] += count * (free->extras[i] > 0 ? free->extras[i] : 0);
}

/* A kind with another key that is otherwise as KIND, but has no hosts. */
static int32_t copy_kind(struct lxfw_profile *profile, int32_t kind, uint64_t key)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	int32_t copied = new_kind(kinds);
	struct lxfw_kind *copy = &kinds->list[copied];

	copy->key = key;
	copy->up = kinds->list[kind].up;
	copy->overbooked = kinds->list[kind].overbooked;
	lxfw_line_copy(profile, &copy->line, &kinds->list[kind].line);
	return copied;
}

static void apply(struct lxfw_profile *profile, int32_t kind,
		  const struct lxfw_kinds_change *change)
{
	struct lxfw_kind *changed = &profile->kinds.list[kind];

	if (!change->apply)
		return;
	change->apply(profile, changed, change);
	changed->overbooked = lxfw_line_overbooked(&changed->line);
}

/* All hosts of a kind change: it has its new key, but is not in the chains. */
static void change_whole(struct lxfw_profile *profile, int32_t kind,
			 const struct lxfw_kinds_change *change)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	struct lxfw_kind *changed = &kinds->list[kind];

	leave_chain(kinds, kind);
	count_overbooked(kinds, changed, -1);
	if (change->moves) {
		count_free(profile, changed, -changed->count);
		leave_order(kinds, kind);
	}
	apply(profile, kind, change);
	changed->key += change->key;
	if (change->moves) {
		enter_order(kinds, kind);
		count_free(profile, changed, changed->count);
	}
	count_overbooked(kinds, changed, 1);
}

/* The kind that those hosts of KIND become that change, which are not all: one that has
   their key, or a new one. */
static int32_t find_target(struct lxfw_profile *profile, int32_t kind,
			   const struct lxfw_kinds_change *change)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	uint64_t key = kinds->list[kind].key + change->key;
	int32_t target = find(kinds, key);

	if (target >= 0)
		return target;
	target = copy_kind(profile, kind, key);
	apply(profile, target, change);
	enter_chain(kinds, target);
	enter_order(kinds, target);
	count_overbooked(kinds, &kinds->list[target], 1);
	return target;
}

/* Set the target of a kind of which some hosts change. */
static void change_part(struct lxfw_profile *profile, int32_t kind,
			const struct lxfw_kinds_change *change)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	struct lxfw_kind *changed = &kinds->list[kind];

	changed->target = find_target(profile, kind, change);
	if (!change->moves)
		return;
	count_free(profile, changed, -changed->selected);
	count_free(profile, &kinds->list[changed->target], changed->selected);
}

/* The hosts of KIND become those of INTO, which has the same key and line. */
static void merge(struct lxfw_profile *profile, int32_t kind, int32_t into)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	int32_t count = kinds->list[kind].count;

	lxfw_members_lowest(kinds->members, kinds->list[kind].root, count, kinds->chosen);
	for (int32_t i = 0; i < count; i++)
		kinds->of[kinds->chosen[i]] = into;
	kinds->list[into].root = lxfw_members_unite(kinds->members, kinds->list[into].root,
						    kinds->list[kind].root);
	kinds->list[into].count += count;
	count_overbooked(kinds, &kinds->list[kind], -1);
	leave_order(kinds, kind);
	end_kind(profile, kind);
}

/* A kind with a new key enters the chains, or becomes a part of the kind that has it. */
static void settle(struct lxfw_profile *profile, int32_t kind)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	int32_t same = find(kinds, kinds->list[kind].key);

	if (same < 0) {
		enter_chain(kinds, kind);
	} else if (kinds->list[same].count >= kinds->list[kind].count) {
		merge(profile, kind, same);
	} else {
		leave_chain(kinds, same);
		enter_chain(kinds, kind);
		merge(profile, same, kind);
	}
}

/* --- changes of hosts -------------------------------------------------------- */

/* Find the kinds of the hosts, and which hosts of each change. Returns the number of
   kinds. */
static int32_t touch(struct lxfw_kinds *kinds, const int32_t *hosts, int32_t count)
{
	int32_t touched = 0;

	for (int32_t i = 0; i < count; i++) {
		struct lxfw_kind *kind = &kinds->list[kinds->of[hosts[i]]];

		if (kind->selected++ == 0) {
			kinds->touched[touched++] = kinds->of[hosts[i]];
			kind->low = kind->high = hosts[i];
			kind->second = INT32_MAX;
		} else if (hosts[i] < kind->low) {
			kind->second = kind->low;
			kind->low = hosts[i];
		} else {
			kind->second = hosts[i] < kind->second ? hosts[i] : kind->second;
			kind->high = hosts[i] > kind->high ? hosts[i] : kind->high;
		}
	}
	return touched;
}

/* The hosts of a kind that change become those of its target. Often they are neighbours,
   perhaps but for the lowest one, and their sets change with few steps; otherwise the hosts
   are to be moved one by one. */
static void move_range(struct lxfw_kinds *kinds, struct lxfw_kind *kind)
{
	struct lxfw_kind *target = &kinds->list[kind->target];

	kind->one_by_one = !lxfw_members_move(kinds->members, &kind->root, &target->root,
					      kind->low, kind->high, kind->selected);
	if (kind->one_by_one && kind->selected > 2 &&
	    lxfw_members_move(kinds->members, &kind->root, &target->root, kind->second,
			      kind->high, kind->selected - 1)) {
		lxfw_members_remove(kinds->members, &kind->root, kind->low);
		lxfw_members_insert(kinds->members, &target->root, kind->low);
		kind->one_by_one = false;
	}
	kind->count -= kind->selected;
	target->count += kind->selected;
}

/* The same for all kinds that have a target, which may be one of these kinds itself. */
static void move(struct lxfw_kinds *kinds, int32_t touched, const int32_t *hosts,
		 int32_t count)
{
	for (int32_t i = 0; i < touched; i++) {
		if (kinds->list[kinds->touched[i]].target >= 0)
			move_range(kinds, &kinds->list[kinds->touched[i]]);
	}
	for (int32_t i = 0; i < count; i++) {
		struct lxfw_kind *kind = &kinds->list[kinds->of[hosts[i]]];
		int32_t target = kind->target;

		if (target < 0)
			continue;
		if (kind->one_by_one) {
			lxfw_members_remove(kinds->members, &kind->root, hosts[i]);
			lxfw_members_insert(kinds->members, &kinds->list[target].root,
					    hosts[i]);
		}
		kinds->of[hosts[i]] = target;
	}
}

/* The only host changes. */
static void change_single(struct lxfw_profile *profile, const struct lxfw_kinds_change *change)
{
	struct lxfw_kind *kind = &profile->kinds.list[0];

	if (change->moves)
		count_free(profile, kind, -1);
	if (change->apply)
		change->apply(profile, kind, change);
	kind->key += change->key;
	if (change->moves)
		count_free(profile, kind, 1);
}

void lxfw_kinds_apply(struct lxfw_profile *profile, const int32_t *hosts, int32_t count,
		      const struct lxfw_kinds_change *change)
{
	struct lxfw_kinds *kinds = &profile->kinds;
	int32_t touched, parts = 0;

	if (!lxfw_has_kinds(profile)) {
		if (count > 0)
			change_single(profile, change);
		return;
	}
	if (change->key == 0)	/* nothing changes */
		return;
	touched = touch(kinds, hosts, count);
	for (int32_t i = 0; i < touched; i++) {
		struct lxfw_kind *kind = &kinds->list[kinds->touched[i]];

		if (kind->selected == kind->count)
			change_whole(profile, kinds->touched[i], change);
		else
			parts++;
	}
	for (int32_t i = 0; i < touched && parts > 0; i++) {
		struct lxfw_kind *kind = &kinds->list[kinds->touched[i]];

		if (kind->selected < kind->count)
			change_part(profile, kinds->touched[i], change);
	}
	if (parts > 0)
		move(kinds, touched, hosts, count);
	for (int32_t i = 0; i < touched; i++) {
		struct lxfw_kind *kind = &kinds->list[kinds->touched[i]];
		bool whole = kind->target < 0;

		kind->selected = 0;
		kind->target = -1;
		if (whole)
			settle(profile, kinds->touched[i]);
	}
}

void lxfw_kinds_tag(struct lxfw_profile *profile, int32_t host, uint64_t tag)
{
	const struct lxfw_kinds_change change = { .key = tag };

	lxfw_kinds_apply(profile, &host, 1, &change);
}

/* There has been one host until now: its kind enters the chains and the order. */
static void begin(struct lxfw_kinds *kinds)
{
	struct lxfw_kind *first = &kinds->list[0];

	first->overbooked = lxfw_line_overbooked(&first->line);
	enter_chain(kinds, 0);
	enter_order(kinds, 0);
	count_overbooked(kinds, first, 1);
}

void lxfw_kinds_add_host(struct lxfw_profile *profile, int32_t host)
{
	static const struct lxfw_resources nothing;
	struct lxfw_kinds *kinds = &profile->kinds;
	uint64_t key = lxfw_key_of_host(&nothing, false);
	int32_t kind = -1;

	if (host == 1)
		begin(kinds);
	if (host > 0)
		kind = find(kinds, key);
	if (kind < 0) {
		kind = new_kind(kinds);
		kinds->list[kind].key = key;
		if (host > 0)
			enter_chain(kinds, kind);
	}
	lxfw_members_insert(kinds->members, &kinds->list[kind].root, host);
	kinds->list[kind].count++;
	kinds->of[host] = kind;
}
