/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets of hosts on which jobs may run: those of the job's queue that have what its chunks
 * require. Equal requirements share a set. The sets of a family (psets.h) differ in the value of
 * a resource.
 */
#ifndef LXFW_PBS_SETS_H
#define LXFW_PBS_SETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plugins/pbs/site.h"

struct lxfw_agent;

struct lxfw_pbs_set {
	char *key;		/* QUEUE|WANTED; of a family: RESOURCE=VALUE */
	bool of_family;
	int32_t *hosts;		/* ascending */
	int32_t count;
	bool told;		/* the library has it */
};

/* Placement sets of the same jobs. */
struct lxfw_pbs_family {
	char *queue, *wanted, *keys;
	int32_t first, count;	/* its sets */
};

struct lxfw_pbs_sets {
	struct lxfw_pbs_set *set;	/* the index is the id */
	size_t count, size;
	struct lxfw_pbs_family *family;
	size_t family_count, family_size;
};

/* Bound of the number of sets. Users choose requirements. */
#define LXFW_PBS_SETS_MAX 4000

/* Returns the set for jobs of QUEUE that want the properties WANTED ("arch=linux:..."), which
   is made if necessary; -1 with errno set: ENOMEM, ENOSPC if there are too many. */
int32_t lxfw_pbs_set(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site,
		     const struct lxfw_pbs_queue *queue, const char *wanted);

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

/* Returns true if jobs of QUEUE that want these properties may run on the host. */
bool lxfw_pbs_suits(const struct lxfw_pbs_site *site, const struct lxfw_pbs_host *host,
		    const struct lxfw_pbs_queue *queue, const char *wanted);

/* Returns true if the vnode has the properties WANTED. */
bool lxfw_pbs_has(const struct lxfw_pbs_site *site, const struct lxfw_pbs_vnode *vnode,
		  const char *wanted);

#endif
