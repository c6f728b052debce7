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
	ranks->root = -1;
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

static void lower(struct lxfw_rank *node, const struct lxfw_rank *child)
{
	for (int i = 0; i < LXFW_ROOM_SPANS; i++)
		node->least[i] = child->least[i] < node->least[i] ? child->least[i] :
								    node->least[i];
}

static void sum_up(struct lxfw_rank *nodes, int32_t at)
{
	struct lxfw_rank *node = &nodes[at];

	for (int i = 0; i < LXFW_ROOM_SPANS; i++)
		node->least[i] = INT32_MAX;
	node->least[node->span] = node->procs;
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

void lxfw_ranks_set(struct lxfw_ranks *ranks, const struct lxfw_candidate *key,
		    int32_t procs, int64_t estimate)
{
	struct lxfw_rank *nodes = ranks->nodes, *new = &nodes[key->class];
	int32_t *root = &ranks->root;

	lxfw_ranks_remove(ranks, key->class);
	*new = (struct lxfw_rank){
		.key = *key, .estimate = estimate, .procs = procs,
		.span = lxfw_room_span(estimate), .in = true,
	};
	while (*root >= 0 && weight(*root) > weight(key->class)) {
		struct lxfw_rank *at = &nodes[*root];

		if (procs < at->least[new->span])
			at->least[new->span] = procs;
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
	if (!ranks->nodes[class].in)
		return;
	ranks->root = without(ranks->nodes, ranks->root, class);
	ranks->nodes[class].in = false;
}

/* Whether there may be room for a class of the subtree of NODE. */
static bool has_room(const struct lxfw_room *room, const struct lxfw_rank *node)
{
	int fitting = 0;

	for (int i = 0; i < LXFW_ROOM_SPANS; i++)
		fitting |= node->least[i] <= room->spans[i];
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
		if (!room || lxfw_room_has_in(room, node->procs, node->estimate, node->span))
			return at;
		after = NULL;	/* all further nodes are after it */
	}
	return -1;
}

int32_t lxfw_ranks_next(const struct lxfw_ranks *ranks,
			const struct lxfw_candidate *after,
			const struct lxfw_room *room)
{
	return next(ranks->nodes, ranks->root, after, room);
}
