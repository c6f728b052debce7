/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds of hosts: hosts that cannot be told from each other by what they have, now and
 * later, belong to one kind and share its line (line.h). A query then examines one line of
 * each kind and not all hosts, and a change is made once for all hosts of a kind: all empty
 * hosts are one kind, and so are those of a job that has whole hosts.
 *
 * Two hosts are of the same kind if their keys are equal. A key is a sum of hashes, of the
 * totals, of whether the host is up, of the running claims, of the holds, and of a tag, which
 * stands for what a query may also depend on, such as the membership in host sets. A change
 * adds the same to the keys of all hosts that it is for.
 *
 * Kinds whose hosts are up are in the order of placement. With a single host there is one
 * kind, which has no place in that order.
 */
#ifndef LXFW_PROFILE_KINDS_H
#define LXFW_PROFILE_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"
#include "common/profile/line.h"
#include "common/profile/members.h"

struct lxfw_hold;
struct lxfw_profile;

struct lxfw_kind {
	uint64_t key;
	struct lxfw_line line;
	bool up;
	bool overbooked;	/* less is left than is held at some time */
	int32_t count;		/* of hosts; 0: unused */
	int32_t root;		/* of the tree of its hosts */
	int32_t next;		/* in the hash chain, or in the list of unused ones */
	/* Private to lxfw_kinds_apply(): the number of its hosts that change, the lowest, the
	   one after it and the highest of them, and the kind that they become, -1 for this
	   one, changed. */
	int32_t selected, low, second, high, target;
	bool one_by_one;
	/* Private to lxfw_profile_order(): the first kind that has as much free, and the
	   place of its next host. */
	int32_t level, place;
};

struct lxfw_kinds {
	struct lxfw_kind *list;
	size_t size, used;
	int32_t unused;
	int32_t *order;		/* by free processors, then free memory, then number */
	size_t order_size;
	int32_t count;		/* of kinds in `order` */
	int32_t overbooked;	/* number of those that have less than is held at a time */
	int32_t *of;		/* the kind of each host */
	size_t of_size;
	struct lxfw_member *members;
	size_t members_size;
	int32_t *chosen;	/* scratch: hosts that change */
	size_t chosen_size;
	int32_t *touched;	/* scratch: kinds that change */
	size_t touched_size;
	int32_t *chains;	/* of a hash table by key */
	size_t chain_count;	/* a power of two */
};

/* A change of the lines of hosts. */
struct lxfw_kinds_change {
	uint64_t key;		/* is added to the keys */
	/* Changes a kind, except for its key and hosts. NULL: only the key changes. */
	void (*apply)(struct lxfw_profile *profile, struct lxfw_kind *kind,
		      const struct lxfw_kinds_change *change);
	bool moves;		/* what is free, or `up`, changes */
	bool up;
	int sign;
	bool kept;
	int64_t from, until;
	const struct lxfw_resources *amount;
	struct lxfw_resources other;
	const struct lxfw_hold *hold;
};

void lxfw_kinds_clear(struct lxfw_profile *profile);

/* Allocate what HOSTS hosts need, so that nothing below can fail. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_kinds_ready(struct lxfw_kinds *kinds, int32_t hosts);

/* A host without resources, which is down, is added with the next index. */
void lxfw_kinds_add_host(struct lxfw_profile *profile, int32_t host);

/* Change the lines of COUNT hosts, each named once. */
void lxfw_kinds_apply(struct lxfw_profile *profile, const int32_t *hosts, int32_t count,
		      const struct lxfw_kinds_change *change);

/* The part of a key that stands for a host's totals and state, for a running claim until
   END, for a hold in [FROM, UNTIL), and for a hold that is not counted. */
uint64_t lxfw_key_of_host(const struct lxfw_resources *total, bool up);
uint64_t lxfw_key_of_run(int64_t end, const struct lxfw_resources *amount);
uint64_t lxfw_key_of_hold(int64_t from, int64_t until, const struct lxfw_resources *amount);
uint64_t lxfw_key_of_boundaries(int64_t from, int64_t until);

/* Add TAG to the tag of a host, or subtract it by its negative. */
void lxfw_kinds_tag(struct lxfw_profile *profile, int32_t host, uint64_t tag);

/* Index in `order` of the first kind with PROCS or more free processors. */
int32_t lxfw_kinds_from(const struct lxfw_kinds *kinds, int64_t procs);

/* The lowest host of a kind. */
static inline int32_t lxfw_kind_first(const struct lxfw_kinds *kinds, int32_t kind)
{
	return lxfw_members_first(kinds->members, kinds->list[kind].root);
}

/* Write the lowest MOST hosts of a kind to HOSTS, ascending, or the highest ones,
   descending. Returns their number. */
static inline int32_t lxfw_kind_lowest(const struct lxfw_kinds *kinds, int32_t kind,
				       int32_t most, int32_t *hosts)
{
	return lxfw_members_lowest(kinds->members, kinds->list[kind].root, most, hosts);
}

static inline int32_t lxfw_kind_highest(const struct lxfw_kinds *kinds, int32_t kind,
					int32_t most, int32_t *hosts)
{
	return lxfw_members_highest(kinds->members, kinds->list[kind].root, most, hosts);
}

/* A hash of a number. */
static inline uint64_t lxfw_kinds_hash(uint64_t number)
{
	number += UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

#endif
