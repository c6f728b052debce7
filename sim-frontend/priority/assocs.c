/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sim-frontend/priority/assocs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "common/util/grow.h"

#define NO_PARTITION ((struct lxfw_slice) { "", 0 })

/* Returns the index in of_key of these names, or -1 with errno ENOMEM. */
static int32_t key_of(struct lxfw_assocs *assocs, struct lxfw_slice account,
		      struct lxfw_slice user, struct lxfw_slice partition)
{
	const struct lxfw_slice parts[] = { account, user, partition };
	size_t length = account.length + user.length + partition.length + 2;
	char *text = malloc(length), *at = text;
	int32_t *larger;
	int32_t key;
	size_t before = assocs->of_key_size;

	if (!text)
		return -1;
	for (int i = 0; i < 3; i++) {
		if (i > 0)
			*at++ = '|';
		if (parts[i].length > 0)
			memcpy(at, parts[i].at, parts[i].length);
		at += parts[i].length;
	}
	key = lxfw_names_add(&assocs->keys, text, length);
	free(text);
	if (key < 0)
		return -1;
	if (LXFW_GROW(assocs->of_key, assocs->of_key_size, (size_t)key + 1))
		return -1;
	larger = assocs->of_key;
	for (size_t i = before; i < assocs->of_key_size; i++)
		larger[i] = -1;
	return key;
}

static int32_t append(struct lxfw_assocs *assocs, int32_t parent,
		      struct lxfw_slice account, struct lxfw_slice user,
		      struct lxfw_slice partition)
{
	struct lxfw_assoc *items, *item;

	if (assocs->count == INT32_MAX) {
		errno = ENOMEM;
		return -1;
	}
	if (LXFW_GROW(assocs->items, assocs->size, assocs->count + 1))
		return -1;
	items = assocs->items;
	item = &items[assocs->count];
	*item = (struct lxfw_assoc) {
		.account = strndup(account.at, account.length),
		.user = strndup(user.length ? user.at : "", user.length),
		.partition = strndup(partition.length ? partition.at : "",
				     partition.length),
		.parent = parent, .shares = 1, .share_parent = -1,
		.first_child = -1, .next_child = -1,
	};
	if (!item->account || !item->user || !item->partition) {
		free(item->account);
		free(item->user);
		free(item->partition);
		errno = ENOMEM;
		return -1;
	}
	assocs->users += user.length > 0;
	return (int32_t)assocs->count++;
}

int lxfw_assocs_begin(struct lxfw_assocs *assocs)
{
	const struct lxfw_slice root = { "root", 4 };

	*assocs = (struct lxfw_assocs) { 0 };
	return lxfw_assocs_add(assocs, -1, root, NO_PARTITION, NO_PARTITION) < 0 ? -1 : 0;
}

void lxfw_assocs_clear(struct lxfw_assocs *assocs)
{
	int saved = errno;

	for (size_t i = 0; i < assocs->count; i++) {
		free(assocs->items[i].account);
		free(assocs->items[i].user);
		free(assocs->items[i].partition);
	}
	free(assocs->items);
	free(assocs->of_key);
	lxfw_names_clear(&assocs->keys);
	*assocs = (struct lxfw_assocs) { 0 };
	errno = saved;
}

int32_t lxfw_assocs_find(struct lxfw_assocs *assocs, struct lxfw_slice account,
			 struct lxfw_slice user, struct lxfw_slice partition)
{
	int32_t key = key_of(assocs, account, user, partition);

	return key < 0 ? -1 : assocs->of_key[key];
}

int32_t lxfw_assocs_of_job(struct lxfw_assocs *assocs, struct lxfw_slice account,
			   struct lxfw_slice user, struct lxfw_slice partition)
{
	int32_t found = lxfw_assocs_find(assocs, account, user, partition);

	return found >= 0 ? found :
	       lxfw_assocs_find(assocs, account, user, NO_PARTITION);
}

int32_t lxfw_assocs_add(struct lxfw_assocs *assocs, int32_t parent,
			struct lxfw_slice account, struct lxfw_slice user,
			struct lxfw_slice partition)
{
	int32_t key = key_of(assocs, account, user, partition);

	if (key < 0)
		return -1;
	if (assocs->of_key[key] < 0)
		assocs->of_key[key] = append(assocs, parent, account, user, partition);
	return assocs->of_key[key];
}

static bool takes_parents_shares(const struct lxfw_assoc *item)
{
	return item->shares == LXFW_SHARES_PARENT;
}

/* Links the accounts and users that compete for the same shares. The children of an
   account with Fairshare=parent belong to the account above. */
static void link_children(struct lxfw_assocs *assocs)
{
	struct lxfw_assoc *items = assocs->items;
	int32_t *last = NULL;

	for (size_t i = 0; i < assocs->count; i++) {
		items[i].first_child = items[i].next_child = -1;
		items[i].level_shares = 0;
	}
	for (size_t i = 1; i < assocs->count; i++) {
		int32_t above = items[i].parent;

		while (above > 0 && takes_parents_shares(&items[above]))
			above = items[above].parent;
		items[i].share_parent = above;
	}
	/* in reverse order, so that lists are in order of addition */
	for (size_t i = assocs->count - 1; i > 0; i--) {
		struct lxfw_assoc *above = &items[items[i].share_parent];

		last = &above->first_child;
		items[i].next_child = *last;
		*last = (int32_t)i;
	}
}

static void sum_shares(struct lxfw_assocs *assocs)
{
	struct lxfw_assoc *items = assocs->items;

	for (size_t i = 0; i < assocs->count; i++) {
		uint32_t sum = 0;	/* 32 bits, as in Slurm */

		for (int32_t c = items[i].first_child; c >= 0; c = items[c].next_child)
			sum += takes_parents_shares(&items[c]) ? 0 : items[c].shares;
		for (int32_t c = items[i].first_child; c >= 0; c = items[c].next_child)
			items[c].level_shares = sum;
	}
	items[0].level_shares = UINT32_MAX - 1;	/* Slurm's NO_VAL */
}

static double fraction(const struct lxfw_assoc *item)
{
	return item->level_shares ?
	       (double)item->shares / (double)item->level_shares : 0;
}

/* Classic fair share: the product of the fractions of shares at all levels. */
static double classic_shares(const struct lxfw_assoc *items, const struct lxfw_assoc *item)
{
	double norm = 1;

	for (; item->parent >= 0; item = &items[item->parent]) {
		if (!takes_parents_shares(item))
			norm *= fraction(item);
	}
	return norm;
}

void lxfw_assocs_finish(struct lxfw_assocs *assocs, bool fair_tree)
{
	struct lxfw_assoc *items = assocs->items;
	uint32_t highest = 0;

	link_children(assocs);
	sum_shares(assocs);
	for (size_t i = 0; i < assocs->count; i++) {
		const struct lxfw_assoc *own = takes_parents_shares(&items[i]) && i > 0 ?
			&items[items[i].share_parent] : &items[i];

		items[i].shares_norm = fair_tree ? fraction(own) :
						   classic_shares(items, own);
		if (items[i].priority > highest)
			highest = items[i].priority;
	}
	for (size_t i = 0; i < assocs->count; i++)
		items[i].priority_norm = highest ?
			(double)items[i].priority / (double)highest : 0;
}
