/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Kinds of hosts: hosts that are up and cannot be told from each other by what they have,
 * now and later, belong to one kind. A query then examines one host of each kind and not
 * all hosts: all empty hosts are one kind, and so are those of a job that has whole hosts.
 *
 * Two hosts are of the same kind if their keys are equal. A key is a sum of hashes, of the
 * totals, of the releases of running claims, of the holds, and of a tag, which stands for
 * what a query may also depend on, such as the membership in host sets. A hash is a
 * linear function of the amount, so that parts of an interval sum up to the whole.
 *
 * Changes are recorded, and hosts change their kind when the kinds are settled. The
 * members of a kind are in a tree by index, and all kinds are in the order of placement.
 * With a single host there are no kinds.
 */
#ifndef LXFW_PROFILE_KINDS_H
#define LXFW_PROFILE_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/model/resources.h"

struct lxfw_profile;

struct lxfw_kind {
	uint64_t key;
	int64_t memory_mb;	/* free now on each host */
	int32_t procs;
	bool overbooked;	/* less is left than is held at some time */
	int32_t count;		/* of hosts; 0: unused */
	int32_t root;		/* of the tree of its hosts */
	int32_t next;		/* in the hash chain, or in the list of unused ones */
	/* Private to lxfw_profile_order(): the first kind that has as much free, and the
	   place of its next host. */
	int32_t level, place;
};

/* What the kinds record of a host. */
struct lxfw_kind_host {
	uint64_t claims;	/* hash of its releases and holds */
	uint64_t tag;
	int32_t kind;		/* -1: down */
	int32_t left, right;	/* in the tree of its kind */
	bool changed;		/* in `changed` below */
};

struct lxfw_kinds {
	struct lxfw_kind *list;
	size_t size, used;
	int32_t unused;
	int32_t *order;		/* by free processors, then free memory, then number */
	size_t order_size;
	int32_t count;
	int32_t overbooked;	/* number of kinds that have less than is held at a time */
	struct lxfw_kind_host *hosts;
	size_t hosts_size;
	int32_t *changed;
	size_t changed_size;
	int32_t changed_count;
	int32_t *chains;	/* of a hash table by key */
	size_t chain_count;	/* a power of two */
};

void lxfw_kinds_clear(struct lxfw_kinds *kinds);

/* Allocate what HOSTS hosts need, so that nothing below can fail. Returns 0, or -1 with
   errno ENOMEM. */
int lxfw_kinds_ready(struct lxfw_kinds *kinds, int32_t hosts);

/* Record that a host has changed. */
static inline void lxfw_kinds_touch(struct lxfw_kinds *kinds, int32_t host)
{
	if (kinds->hosts[host].changed)
		return;
	kinds->hosts[host].changed = true;
	kinds->changed[kinds->changed_count++] = host;
}

/* Record a running claim on a host that ends at END, or that it is gone (SIGN -1). */
void lxfw_kinds_release(struct lxfw_kinds *kinds, int32_t host, int64_t end,
			const struct lxfw_resources *amount, int sign);

/* Record a hold on a host in [FROM, UNTIL), or that it is gone. */
void lxfw_kinds_hold(struct lxfw_kinds *kinds, int32_t host, int64_t from, int64_t until,
		     const struct lxfw_resources *amount, int sign);

/* The hash of such a hold; and record a hold with that hash. */
uint64_t lxfw_kinds_hash_of_hold(int64_t from, int64_t until,
				 const struct lxfw_resources *amount);
static inline void lxfw_kinds_hold_hash(struct lxfw_kinds *kinds, int32_t host,
					uint64_t hash, int sign)
{
	kinds->hosts[host].claims += sign > 0 ? hash : 0 - hash;
	lxfw_kinds_touch(kinds, host);
}

/* Add TAG to the tag of a host, or subtract it by its negative. */
void lxfw_kinds_tag(struct lxfw_kinds *kinds, int32_t host, uint64_t tag);

/* Assign all hosts that have changed to their kinds. */
void lxfw_kinds_settle(struct lxfw_profile *profile);

/* Index in `order` of the first kind with PROCS or more free processors. */
int32_t lxfw_kinds_from(const struct lxfw_kinds *kinds, int64_t procs);

/* The lowest host of a kind. */
int32_t lxfw_kind_first(const struct lxfw_kinds *kinds, int32_t kind);

/* Write the lowest MOST hosts of a kind to HOSTS, ascending, or the highest ones,
   descending. Returns their number. */
int32_t lxfw_kind_lowest(const struct lxfw_kinds *kinds, int32_t kind, int32_t most,
			 int32_t *hosts);
int32_t lxfw_kind_highest(const struct lxfw_kinds *kinds, int32_t kind, int32_t most,
			  int32_t *hosts);

/* A hash of a number. */
static inline uint64_t lxfw_kinds_hash(uint64_t number)
{
	number += UINT64_C(0x9e3779b97f4a7c15);
	number = (number ^ number >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	number = (number ^ number >> 27) * UINT64_C(0x94d049bb133111eb);
	return number ^ number >> 31;
}

#endif
