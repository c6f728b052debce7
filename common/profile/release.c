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

/* A copy of a tree has the times of the original, but other nodes. */
static uint32_t weight(const struct lxfw_release_pool *pool, int32_t node)
{
	const struct lxfw_release *at = &pool->nodes[node];
	uint64_t time = (uint64_t)at->time;
	uint32_t hash = at->uses > 0 ? (uint32_t)(time ^ time >> 32) : (uint32_t)node;

	hash *= 2654435761u;

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
	if (weight(pool, left) > weight(pool, right)) {
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

	while (*root >= 0 && weight(pool, *root) > weight(pool, node)) {
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

static int32_t find(const struct lxfw_release_pool *pool, int32_t root, int64_t time)
{
	while (root >= 0 && pool->nodes[root].time != time)
		root = time < pool->nodes[root].time ? pool->nodes[root].left :
						       pool->nodes[root].right;
	return root;
}

/* Add AMOUNT to the sums from ROOT down to NODE, or subtract it (SIGN -1). */
static void change_sums(struct lxfw_release_pool *pool, int32_t root, int32_t node,
			const struct lxfw_resources *amount, int sign)
{
	int64_t time = pool->nodes[node].time;

	for (;;) {
		struct lxfw_release *at = &pool->nodes[root];

		if (sign > 0)
			lxfw_resources_add(&at->sum, amount);
		else
			lxfw_resources_subtract(&at->sum, amount);
		if (root == node)
			return;
		root = time < at->time ? at->left : at->right;
	}
}

void lxfw_release_add(struct lxfw_release_pool *pool, int32_t *root, int64_t time,
		      const struct lxfw_resources *amount)
{
	int32_t node = find(pool, *root, time);

	if (node >= 0) {
		change_sums(pool, *root, node, amount, 1);
		lxfw_resources_add(&pool->nodes[node].amount, amount);
		pool->nodes[node].uses++;
		return;
	}
	node = lxfw_release_take(pool);
	pool->nodes[node] = (struct lxfw_release){
		.time = time, .amount = *amount, .host = -1, .next = -1, .uses = 1,
	};
	lxfw_release_insert(pool, root, node);
}

void lxfw_release_subtract(struct lxfw_release_pool *pool, int32_t *root, int64_t time,
			   const struct lxfw_resources *amount)
{
	int32_t node = find(pool, *root, time);

	if (--pool->nodes[node].uses == 0) {
		lxfw_release_remove(pool, root, node);
		lxfw_release_give(pool, node);
		return;
	}
	change_sums(pool, *root, node, amount, -1);
	lxfw_resources_subtract(&pool->nodes[node].amount, amount);
}

int32_t lxfw_release_copy(struct lxfw_release_pool *pool, int32_t root)
{
	int32_t copies = -1, left, right;

	if (root < 0)
		return -1;
	copies = lxfw_release_take(pool);
	left = lxfw_release_copy(pool, pool->nodes[root].left);
	right = lxfw_release_copy(pool, pool->nodes[root].right);
	pool->nodes[copies] = pool->nodes[root];
	pool->nodes[copies].left = left;
	pool->nodes[copies].right = right;
	return copies;
}

void lxfw_release_give_all(struct lxfw_release_pool *pool, int32_t root)
{
	while (root >= 0) {
		int32_t next = pool->nodes[root].right;

		lxfw_release_give_all(pool, pool->nodes[root].left);
		lxfw_release_give(pool, root);
		root = next;
	}
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

int64_t lxfw_release_when_procs(const struct lxfw_release_pool *pool, int32_t root,
				int64_t procs)
{
	const struct lxfw_release *nodes = pool->nodes;
	int64_t found = LXFW_NEVER, sum = 0;

	while (root >= 0) {
		const struct lxfw_release *at = &nodes[root];
		int64_t with = sum + at->amount.procs;

		if (at->left >= 0)
			with += nodes[at->left].sum.procs;
		if (with >= procs) {
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
