/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "common/profile/members.h"

static uint32_t weight(int32_t host)
{
	uint32_t hash = (uint32_t)host * 2654435761u;

	hash ^= hash >> 15;
	return hash * 2246822519u;
}

/* Split the tree AT into the members before HOST and the others. */
static void split(struct lxfw_member *members, int32_t at, int32_t host, int32_t *left,
		  int32_t *right)
{
	while (at >= 0) {
		if (at < host) {
			*left = at;
			left = &members[at].right;
			at = *left;
		} else {
			*right = at;
			right = &members[at].left;
			at = *right;
		}
	}
	*left = *right = -1;
}

void lxfw_members_insert(struct lxfw_member *members, int32_t *root, int32_t host)
{
	uint32_t own = weight(host);

	while (*root >= 0 && weight(*root) > own)
		root = *root < host ? &members[*root].right : &members[*root].left;
	split(members, *root, host, &members[host].left, &members[host].right);
	*root = host;
}

void lxfw_members_remove(struct lxfw_member *members, int32_t *root, int32_t host)
{
	int32_t left = members[host].left, right = members[host].right;

	while (*root != host)
		root = *root < host ? &members[*root].right : &members[*root].left;
	while (left >= 0 && right >= 0) {
		if (weight(left) > weight(right)) {
			*root = left;
			root = &members[left].right;
			left = *root;
		} else {
			*root = right;
			root = &members[right].left;
			right = *root;
		}
	}
	*root = left >= 0 ? left : right;
}

/* Join two trees, all members of the first of which come before those of the second. */
static int32_t join(struct lxfw_member *members, int32_t left, int32_t right)
{
	int32_t merged, *link = &merged;

	while (left >= 0 && right >= 0) {
		if (weight(left) > weight(right)) {
			*link = left;
			link = &members[left].right;
			left = *link;
		} else {
			*link = right;
			link = &members[right].left;
			right = *link;
		}
	}
	*link = left >= 0 ? left : right;
	return merged;
}

/* Number of members of a tree, or any number above MOST if there are more. */
static int32_t count_of(const struct lxfw_member *members, int32_t root, int32_t most)
{
	int32_t count = 0;

	for (; root >= 0 && count <= most; root = members[root].right)
		count += 1 + count_of(members, members[root].left, most - count);
	return count;
}

int32_t lxfw_members_unite(struct lxfw_member *members, int32_t one, int32_t other)
{
	int32_t root = one, left, right;

	if (one < 0 || other < 0)
		return one < 0 ? other : one;
	if (weight(one) < weight(other)) {
		root = other;
		other = one;
	}
	split(members, other, root, &left, &right);
	members[root].left = lxfw_members_unite(members, members[root].left, left);
	members[root].right = lxfw_members_unite(members, members[root].right, right);
	return root;
}

bool lxfw_members_move(struct lxfw_member *members, int32_t *from, int32_t *to, int32_t low,
		       int32_t high, int32_t count)
{
	int32_t before, moved, after;
	bool all;

	split(members, *from, low, &before, &after);
	split(members, after, high + 1, &moved, &after);
	all = count_of(members, moved, count) == count;
	*from = join(members, before, all ? after : join(members, moved, after));
	if (all)
		*to = lxfw_members_unite(members, *to, moved);
	return all;
}

int32_t lxfw_members_first(const struct lxfw_member *members, int32_t root)
{
	while (members[root].left >= 0)
		root = members[root].left;
	return root;
}

int32_t lxfw_members_lowest(const struct lxfw_member *members, int32_t root, int32_t most,
			    int32_t *found)
{
	int32_t count = 0;

	while (root >= 0 && count < most) {
		count += lxfw_members_lowest(members, members[root].left, most - count,
					     found + count);
		if (count < most)
			found[count++] = root;
		root = members[root].right;
	}
	return count;
}

int32_t lxfw_members_highest(const struct lxfw_member *members, int32_t root, int32_t most,
			     int32_t *found)
{
	int32_t count = 0;

	while (root >= 0 && count < most) {
		count += lxfw_members_highest(members, members[root].right, most - count,
					      found + count);
		if (count < most)
			found[count++] = root;
		root = members[root].left;
	}
	return count;
}

