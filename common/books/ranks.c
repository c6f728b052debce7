/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/books/ranks.h"

#include "common/util/grow.h"

int lxfw_ranks_ready(struct lxfw_ranks *ranks, size_t count)
{
	if (LXFW_GROW(ranks->nodes, ranks->size, count))
		return -1;
	return 0;
}

void lxfw_ranks_begin(struct lxfw_ranks *ranks)
{
	for (size_t i = 0; i < ranks->size; i++)
		ranks->nodes[i].in = false;
	ranks->families[0] = (struct lxfw_family){ .root = -1 };
	ranks->family_count = 1;
	ranks->used = true;
}

void lxfw_ranks_end(struct lxfw_ranks *ranks)
{
	ranks->used = false;
}

static uint32_t weight(int32_t node)
{
	uint32_t hash = (uint32_t)node * 2654435761u;

	hash ^= hash >> 15;
	return hash * 2246822519u;
}

static void lower_all(int32_t *least, const int32_t *other)
{
	for (int i = 0; i < LXFW_ROOM_SPANS; i++)
		least[i] = other[i] < least[i] ? other[i] : least[i];
}

static void lower(struct lxfw_rank *node, const struct lxfw_rank *child)
{
	lower_all(node->least, child->least);
	lower_all(node->least_piece, child->least_piece);
}

static void sum_up(struct lxfw_rank *nodes, int32_t at)
{
	struct lxfw_rank *node = &nodes[at];

	for (int i = 0; i < LXFW_ROOM_SPANS; i++)
		node->least[i] = node->least_piece[i] = INT32_MAX;
	node->least[node->span] = node->procs;
	node->least_piece[node->span] = node->piece;
	if (node->left >= 0)
		lower(node, &nodes[node->left]);
	if (node->right >= 0)
		lower(node, &nodes[node->right]);
}

/* Split the tree AT into the nodes before KEY and those after it. */
static void split(struct lxfw_rank *nodes, int32_t at,
		  const struct lxfw_candidate *key, int32_t *left, int32_t *right)
{
	if (at < 0) {
		*left = *right = -1;
		return;
	}
	if (lxfw_candidate_before(&nodes[at].key, key)) {
		split(nodes, nodes[at].right, key, &nodes[at].right, right);
		*left = at;
	} else {
		split(nodes, nodes[at].left, key, left, &nodes[at].left);
		*right = at;
	}
	sum_up(nodes, at);
}

static int32_t merge(struct lxfw_rank *nodes, int32_t left, int32_t right)
{
	if (left < 0)
		return right;
	if (right < 0)
		return left;
	if (weight(left) > weight(right)) {
		nodes[left].right = merge(nodes, nodes[left].right, right);
		sum_up(nodes, left);
		return left;
	}
	nodes[right].left = merge(nodes, left, nodes[right].left);
	sum_up(nodes, right);
	return right;
}

/* The index of the family KEY, which may be new, or 0 if there are too many. */
static int32_t family_of(struct lxfw_ranks *ranks, uint64_t key)
{
	int32_t unused = 0;

	for (int32_t i = 1; i < ranks->family_count && key; i++) {
		if (ranks->families[i].key == key)
			return i;
		if (ranks->families[i].count == 0)
			unused = i;
	}
	if (key && unused == 0 && ranks->family_count < LXFW_FAMILIES)
		unused = ranks->family_count++;
	if (unused > 0)
		ranks->families[unused] = (struct lxfw_family){ .key = key, .root = -1 };
	return unused;
}

void lxfw_ranks_set(struct lxfw_ranks *ranks, const struct lxfw_candidate *key,
		    int32_t procs, int32_t piece, int64_t estimate, uint64_t family)
{
	struct lxfw_rank *nodes = ranks->nodes, *new = &nodes[key->class];
	struct lxfw_family *of;
	int32_t *root;

	lxfw_ranks_remove(ranks, key->class);
	ranks->changes++;
	*new = (struct lxfw_rank){
		.key = *key, .estimate = estimate, .procs = procs, .piece = piece,
		.span = lxfw_room_span(estimate), .family = family_of(ranks, family),
		.in = true,
	};
	of = &ranks->families[new->family];
	of->count++;
	root = &of->root;
	while (*root >= 0 && weight(*root) > weight(key->class)) {
		struct lxfw_rank *at = &nodes[*root];

		if (procs < at->least[new->span])
			at->least[new->span] = procs;
		if (piece < at->least_piece[new->span])
			at->least_piece[new->span] = piece;
		root = lxfw_candidate_before(&at->key, key) ? &at->right :
							      &at->left;
	}
	split(nodes, *root, key, &new->left, &new->right);
	sum_up(nodes, key->class);
	*root = key->class;
}

/* Remove CLASS from the tree AT, which contains it. Returns the new root. */
static int32_t without(struct lxfw_rank *nodes, int32_t at, int32_t class)
{
	if (at == class)
		return merge(nodes, nodes[at].left, nodes[at].right);
	if (lxfw_candidate_before(&nodes[at].key, &nodes[class].key))
		nodes[at].right = without(nodes, nodes[at].right, class);
	else
		nodes[at].left = without(nodes, nodes[at].left, class);
	sum_up(nodes, at);
	return at;
}

void lxfw_ranks_remove(struct lxfw_ranks *ranks, int32_t class)
{
	struct lxfw_family *of;

	if (!ranks->nodes[class].in)
		return;
	of = &ranks->families[ranks->nodes[class].family];
	of->root = without(ranks->nodes, of->root, class);
	of->count--;
	ranks->nodes[class].in = false;
	ranks->changes++;
}

/* Whether there may be room for a class of the subtree of NODE. */
static bool has_room(const struct lxfw_room *room, const struct lxfw_rank *node)
{
	int fitting = 0;

	for (int i = 0; i < LXFW_ROOM_SPANS; i++)
		fitting |= (node->least[i] <= room->spans[i]) &
			   (node->least_piece[i] <= room->widest[i]);
	return fitting;
}

static int32_t next(const struct lxfw_rank *nodes, int32_t at,
		    const struct lxfw_candidate *after, const struct lxfw_room *room)
{
	int32_t found;

	for (; at >= 0; at = nodes[at].right) {
		const struct lxfw_rank *node = &nodes[at];

		if (room && !has_room(room, node))
			return -1;
		if (after && !lxfw_candidate_before(after, &node->key))
			continue;
		found = next(nodes, node->left, after, room);
		if (found >= 0)
			return found;
		if (!room || lxfw_room_has_in(room, node->procs, node->piece, node->estimate,
					      node->span))
			return at;
		after = NULL;	/* all further nodes are after it */
	}
	return -1;
}

int32_t lxfw_ranks_next(const struct lxfw_ranks *ranks,
			const struct lxfw_candidate *after,
			const struct lxfw_room *room)
{
	const struct lxfw_rank *nodes = ranks->nodes;
	int32_t best = -1;

	for (int32_t i = 0; i < ranks->family_count; i++) {
		int32_t found = next(nodes, ranks->families[i].root, after, room);

		if (best < 0 || (found >= 0 &&
				 lxfw_candidate_before(&nodes[found].key, &nodes[best].key)))
			best = found;
	}
	return best;
}

/* --- walks ----------------------------------------------------------------------- */

void lxfw_ranks_walk_begin(struct lxfw_ranks_walk *walk, const struct lxfw_ranks *ranks,
			   const struct lxfw_room *room)
{
	walk->ranks = ranks;
	walk->families = ranks->family_count;
	walk->all = !room;
	if (room)
		walk->room = *room;
	walk->last.job = -1;
	walk->changes = ranks->changes;
	walk->only = -1;
	for (int32_t i = 0; i < walk->families; i++) {
		walk->of[i].stale = true;
		walk->of[i].fails = false;
	}
}

void lxfw_ranks_walk_in(struct lxfw_ranks_walk *walk, const struct lxfw_room *room)
{
	walk->room = *room;
	walk->only = -1;
	for (int32_t i = 0; i < walk->families; i++)
		walk->of[i].stale = true;
}

/* The class after the last one, of FAMILY, if that is seen at once, or -1. */
static int32_t next_below(const struct lxfw_ranks_walk *walk, int32_t family)
{
	const struct lxfw_rank *nodes = walk->ranks->nodes, *last;
	int32_t at;

	if (walk->last.job < 0)
		return -1;
	last = &nodes[walk->last.class];
	if (!last->in || last->key.id != walk->last.id || last->family != family)
		return -1;
	at = last->right;
	while (at >= 0 && nodes[at].left >= 0)
		at = nodes[at].left;
	return at;
}

/* The next class of a family. */
static int32_t next_of(const struct lxfw_ranks_walk *walk, int32_t family)
{
	const struct lxfw_family_walk *of = &walk->of[family];
	const struct lxfw_rank *nodes = walk->ranks->nodes;
	const struct lxfw_candidate *after = walk->last.job < 0 ? NULL : &walk->last;
	struct lxfw_room room;
	int32_t at;

	at = walk->all ? next_below(walk, family) : -1;
	if (at >= 0)
		return at;
	if (walk->all || !of->fails)
		return next(nodes, walk->ranks->families[family].root, after,
			    walk->all ? NULL : &walk->room);
	room = walk->room;
	for (int i = 0; i < LXFW_ROOM_SPANS; i++)
		room.spans[i] = of->spans[i] < room.spans[i] ? of->spans[i] : room.spans[i];
	do {
		at = next(nodes, walk->ranks->families[family].root, after, &room);
		after = at < 0 ? NULL : &nodes[at].key;
	} while (at >= 0 && nodes[at].procs >= of->procs[nodes[at].span] &&
		 nodes[at].estimate >= of->estimates[nodes[at].span]);
	return at;
}

/* Whether the next class of family I has become another one. */
static bool has_changed(const struct lxfw_ranks_walk *walk, int32_t i)
{
	const struct lxfw_rank *nodes = walk->ranks->nodes;
	int32_t class = walk->of[i].next;

	return class >= 0 && (!nodes[class].in || nodes[class].key.id != walk->keys[i].id);
}

/* Finds the next class of family I if it is not known. */
static void renew(struct lxfw_ranks_walk *walk, int32_t i, bool changed)
{
	struct lxfw_family_walk *of = &walk->of[i];

	if (of->stale || (changed && has_changed(walk, i))) {
		of->next = next_of(walk, i);
		of->stale = true;
	}
	if (of->next >= 0 && (of->stale || changed))
		walk->keys[i] = walk->ranks->nodes[of->next].key;
	of->stale = false;
}

/* Whether the next class of family I comes before that of family OTHER; -1: there is none. */
static bool is_sooner(const struct lxfw_ranks_walk *walk, int32_t i, int32_t other)
{
	return walk->of[i].next >= 0 &&
	       (other < 0 || lxfw_candidate_before(&walk->keys[i], &walk->keys[other]));
}

/* The family that has the next class, or -1. */
static int32_t next_family(struct lxfw_ranks_walk *walk)
{
	bool changed = walk->changes != walk->ranks->changes;
	int32_t best = walk->only;

	walk->changes = walk->ranks->changes;
	if (best >= 0 && !changed) {
		renew(walk, best, false);
		if (is_sooner(walk, best, walk->second))
			return best;
	}
	best = walk->second = -1;
	for (int32_t i = 0; i < walk->families; i++) {
		renew(walk, i, changed);
		if (is_sooner(walk, i, best)) {
			walk->second = best;
			best = i;
		} else if (is_sooner(walk, i, walk->second)) {
			walk->second = i;
		}
	}
	return best;
}

int32_t lxfw_ranks_walk_next(struct lxfw_ranks_walk *walk)
{
	int32_t best = next_family(walk);

	walk->only = best;
	if (best < 0)
		return -1;
	walk->last = walk->keys[best];
	walk->of[best].stale = true;
	return walk->of[best].next;
}

void lxfw_ranks_walk_fails(struct lxfw_ranks_walk *walk, int32_t class)
{
	const struct lxfw_rank *node = &walk->ranks->nodes[class];
	struct lxfw_family_walk *of = &walk->of[node->family];

	if (node->family == 0)
		return;
	for (int i = 0; i < LXFW_ROOM_SPANS && !of->fails; i++)
		of->spans[i] = of->procs[i] = INT32_MAX;
	of->fails = true;
	if (node->procs <= of->procs[node->span]) {
		of->procs[node->span] = node->procs;
		of->estimates[node->span] = node->estimate;
	}
	for (int i = node->span + 1; i < LXFW_ROOM_SPANS; i++) {
		if (of->spans[i] >= node->procs)
			of->spans[i] = node->procs - 1;
	}
	of->stale = true;
	if (walk->only != node->family)
		walk->only = -1;
}
