/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/release.h"

#include <stdbool.h>

#include "common/model/event.h"
#include "common/util/grow.h"

int lxfw_release_ready(struct lxfw_release_pool *pool, size_t count)
{
	void *grown;

	if (pool->free_count + (pool->size - pool->used) >= count)
		return 0;
	grown = lxfw_grow(pool->nodes, &pool->size,
			  pool->used + count - pool->free_count,
			  sizeof(*pool->nodes));
	if (!grown)
		return -1;
	pool->nodes = grown;
	return 0;
}

int32_t lxfw_release_take(struct lxfw_release_pool *pool)
{
	int32_t node = pool->free;

	if (pool->free_count == 0)
		return (int32_t)pool->used++;
	pool->free = pool->nodes[node].next;
	pool->free_count--;
	return node;
}

void lxfw_release_give(struct lxfw_release_pool *pool, int32_t node)
{
	pool->nodes[node].next = pool->free;
	pool->free = node;
	pool->free_count++;
}

static uint32_t weight(int32_t node)
{
	uint32_t hash = (uint32_t)node * 2654435761u;

	hash ^= hash >> 15;
	return hash * 2246822519u;
}

static bool before(const struct lxfw_release_pool *pool, int32_t a, int32_t b)
{
	const struct lxfw_release *x = &pool->nodes[a], *y = &pool->nodes[b];

	return x->time < y->time || (x->time == y->time && a < b);
}

static void sum_up(struct lxfw_release_pool *pool, int32_t at)
{
	struct lxfw_release *node = &pool->nodes[at];

	node->sum = node->amount;
	if (node->left >= 0)
		lxfw_resources_add(&node->sum, &pool->nodes[node->left].sum);
	if (node->right >= 0)
		lxfw_resources_add(&node->sum, &pool->nodes[node->right].sum);
}

/* Split the tree AT into the nodes before NODE and those after it. */
static void split(struct lxfw_release_pool *pool, int32_t at, int32_t node,
		  int32_t *left, int32_t *right)
{
	if (at < 0) {
		*left = *right = -1;
		return;
	}
	if (before(pool, at, node)) {
		split(pool, pool->nodes[at].right, node,
		      &pool->nodes[at].right, right);
		*left = at;
	} else {
		split(pool, pool->nodes[at].left, node,
		      left, &pool->nodes[at].left);
		*right = at;
	}
	sum_up(pool, at);
}

static int32_t merge(struct lxfw_release_pool *pool, int32_t left, int32_t right)
{
	if (left < 0)
		return right;
	if (right < 0)
		return left;
	if (weight(left) > weight(right)) {
		pool->nodes[left].right =
			merge(pool, pool->nodes[left].right, right);
		sum_up(pool, left);
		return left;
	}
	pool->nodes[right].left = merge(pool, left, pool->nodes[right].left);
	sum_up(pool, right);
	return right;
}

void lxfw_release_insert(struct lxfw_release_pool *pool, int32_t *root,
			 int32_t node)
{
	struct lxfw_release *new = &pool->nodes[node];

	while (*root >= 0 && weight(*root) > weight(node)) {
		struct lxfw_release *at = &pool->nodes[*root];

		lxfw_resources_add(&at->sum, &new->amount);
		root = before(pool, *root, node) ? &at->right : &at->left;
	}
	split(pool, *root, node, &new->left, &new->right);
	sum_up(pool, node);
	*root = node;
}

void lxfw_release_remove(struct lxfw_release_pool *pool, int32_t *root,
			 int32_t node)
{
	while (*root != node) {
		struct lxfw_release *at = &pool->nodes[*root];

		lxfw_resources_subtract(&at->sum, &pool->nodes[node].amount);
		root = before(pool, *root, node) ? &at->right : &at->left;
	}
	*root = merge(pool, pool->nodes[node].left, pool->nodes[node].right);
}

void lxfw_release_until(const struct lxfw_release_pool *pool, int32_t root,
			int64_t time, struct lxfw_resources *sum)
{
	while (root >= 0) {
		const struct lxfw_release *at = &pool->nodes[root];

		if (at->time > time) {
			root = at->left;
			continue;
		}
		lxfw_resources_add(sum, &at->amount);
		if (at->left >= 0)
			lxfw_resources_add(sum, &pool->nodes[at->left].sum);
		root = at->right;
	}
}

int64_t lxfw_release_when(const struct lxfw_release_pool *pool, int32_t root,
			  const struct lxfw_resources *free,
			  const struct lxfw_resources *need)
{
	struct lxfw_resources sum = *free;
	int64_t found = LXFW_NEVER;

	/* Sums in the order of the tree are monotone, since releases only add. The first
	   sum that is sufficient is therefore found by descending from the root. */
	while (root >= 0) {
		const struct lxfw_release *at = &pool->nodes[root];
		struct lxfw_resources with = sum;

		if (at->left >= 0)
			lxfw_resources_add(&with, &pool->nodes[at->left].sum);
		lxfw_resources_add(&with, &at->amount);
		if (lxfw_resources_fit(need, &with)) {
			found = at->time;
			root = at->left;
		} else {
			sum = with;
			root = at->right;
		}
	}
	return found;
}

int64_t lxfw_release_after(const struct lxfw_release_pool *pool, int32_t root,
			   int64_t time)
{
	int64_t found = LXFW_NEVER;

	while (root >= 0) {
		const struct lxfw_release *at = &pool->nodes[root];

		if (at->time > time) {
			found = at->time;
			root = at->left;
		} else {
			root = at->right;
		}
	}
	return found;
}
