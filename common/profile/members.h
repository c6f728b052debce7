/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of hosts, none of which is in two sets: trees by index that share one array with an
 * entry for each host. A set is the index of the root of its tree, -1 if it is empty.
 *
 * The structure is a treap whose heap order is a hash of the index of the host. The shape
 * depends on the members alone.
 */
#ifndef LXFW_PROFILE_MEMBERS_H
#define LXFW_PROFILE_MEMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct lxfw_member {
	int32_t left, right;
};

/* Add a host that is in no set, and remove one that is in the set. */
void lxfw_members_insert(struct lxfw_member *members, int32_t *root, int32_t host);
void lxfw_members_remove(struct lxfw_member *members, int32_t *root, int32_t host);

/* Move all members from LOW to HIGH of the set *FROM to *TO. There must be COUNT of them.
   Returns false, with nothing changed, if this is not so. */
bool lxfw_members_move(struct lxfw_member *members, int32_t *from, int32_t *to, int32_t low,
		       int32_t high, int32_t count);

/* The union of two sets. */
int32_t lxfw_members_unite(struct lxfw_member *members, int32_t one, int32_t other);

/* The lowest member of a set that is not empty. */
int32_t lxfw_members_first(const struct lxfw_member *members, int32_t root);

/* Write the lowest MOST members to FOUND, ascending, or the highest ones, descending.
   Returns their number. */
int32_t lxfw_members_lowest(const struct lxfw_member *members, int32_t root, int32_t most,
			    int32_t *found);
int32_t lxfw_members_highest(const struct lxfw_member *members, int32_t root, int32_t most,
			     int32_t *found);

#endif
