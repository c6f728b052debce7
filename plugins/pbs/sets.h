/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of hosts on which jobs may run: those of the job's queue that have what its chunks
 * require. Equal requirements share a set. The sets of a family (psets.h) differ in the value of
 * a resource. "!=NUMBER" requires a host that is not in a list of barred ones.
 *
 * Users choose requirements, so that the number of sets is bounded. A requirement that no host
 * meets has no set. Sets that no job needs any more are made vacant and used again, and a user
 * has a part of all at most.
 */
#ifndef LXFW_PBS_SETS_H
#define LXFW_PBS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/pbs/site.h"

/* Name of the requirement "@=3,17": a host with one of these numbers. No resource has it. */
#define LXFW_PBS_ONLY "@"

/* Longest such list, in bytes. */
#define LXFW_PBS_ONLY_MOST 400

struct lxfw_agent;

struct lxfw_pbs_set {
	char *key;		/* QUEUE|WANTED; of a family: RESOURCE=VALUE; "": vacant */
	uint64_t owner;		/* lxfw_pbs_sets_owner() of the user who needed it first */
	bool of_family;
	bool needed;		/* for lxfw_pbs_sets_evict() */
	int32_t *hosts;		/* ascending */
	int32_t count;
	bool told;		/* the library has it */
};

/* Placement sets of the same jobs. */
struct lxfw_pbs_family {
	char *queue, *wanted, *keys;
	uint64_t owner;
	int32_t first, count;	/* its sets */
	int32_t all;		/* the set of all its hosts; -1: there are none */
};

struct lxfw_pbs_sets {
	struct lxfw_pbs_set *set;	/* the index is the id */
	size_t count, size;
	struct lxfw_pbs_family *family;
	size_t family_count, family_size;
};

/* Bound of the number of sets. */
#define LXFW_PBS_SETS_MAX 4000

/* Bound of those of a user. A family may exceed it, and is then the last one. */
#define LXFW_PBS_SETS_OF_USER (LXFW_PBS_SETS_MAX / 4)

/* Number of sets from which it is worth to find those that are not needed. */
#define LXFW_PBS_SETS_MANY 500

/* Returns a number for the user, or for NULL. */
uint64_t lxfw_pbs_sets_owner(const char *user);

/* Returns the set for jobs of QUEUE that want the properties WANTED ("arch=linux:..."), which
   is made for OWNER if necessary; -1 with errno set: ENOMEM; ENOENT if no host is in it; ENOSPC if
   there are too many, or OWNER has too many. */
int32_t lxfw_pbs_set(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site,
		     const struct lxfw_pbs_queue *queue, const char *wanted, uint64_t owner);

/* Returns true if OWNER may have another set. */
bool lxfw_pbs_sets_allow(const struct lxfw_pbs_sets *sets, uint64_t owner);

/* Marks COUNT sets from FIRST on as needed. */
void lxfw_pbs_sets_need(struct lxfw_pbs_sets *sets, int32_t first, int32_t count);
/* Makes all sets vacant that are not marked, and removes the marks. */
void lxfw_pbs_sets_evict(struct lxfw_pbs_sets *sets);
/* Makes a set vacant. The library keeps its hosts until it is used again. */
void lxfw_pbs_set_vacate(struct lxfw_pbs_set *set);

static inline bool lxfw_pbs_set_is_vacant(const struct lxfw_pbs_set *set)
{
	return !*set->key;
}

/* Computes the hosts of all sets again. Returns false if memory ran out. */
bool lxfw_pbs_sets_update(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site);

/* Gives set ID these hosts, which it owns then. */
void lxfw_pbs_set_hosts(struct lxfw_pbs_sets *sets, int32_t id, int32_t *hosts, int32_t count);

/* Returns the value of a property of the vnode, or NULL. */
const char *lxfw_pbs_property(const struct lxfw_pbs_vnode *vnode, const char *name);
/* Returns true if the vnode has the value WANTED of the resource NAME, as one of several
   strings, for example. */
bool lxfw_pbs_has_value(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
			const char *name, const char *wanted);

/* Marks all sets as unknown to the library. */
void lxfw_pbs_sets_forget(struct lxfw_pbs_sets *sets);
void lxfw_pbs_sets_clear(struct lxfw_pbs_sets *sets);

/* Returns true if chunks of jobs of QUEUE that want these properties may be on the vnode. */
bool lxfw_pbs_serves(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
		     const struct lxfw_pbs_queue *queue, const char *wanted);

/* Returns true if that holds for one of the vnodes of the host that can be used; the library does
   not distinguish them. */
bool lxfw_pbs_suits(const struct lxfw_pbs_site *site, const struct lxfw_pbs_host *host,
		    const struct lxfw_pbs_queue *queue, const char *wanted);

/* What the vnodes of the host have on which such chunks may be. */
struct lxfw_resources lxfw_pbs_total_for(const struct lxfw_pbs_site *site,
					 const struct lxfw_pbs_host *host,
					 const struct lxfw_pbs_queue *queue,
					 const char *wanted);

/* Returns true if the vnode has the properties WANTED. */
bool lxfw_pbs_has(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
		  const char *wanted);

#endif
