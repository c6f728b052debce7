/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Placement sets: the hosts of a job have the same value of a resource. The resource is that of
 * place=group=RESOURCE; otherwise those of node_group_key of the job's queue or the server, if
 * node_group_enable of the server is set. The hosts without a value are a set too, unless
 * only_explicit_psets of the scheduler is set.
 *
 * Each value is a set of hosts (sets.h) that suits the job. They have consecutive numbers, the
 * smallest first, so that the library tries them all (more_sets in model/request.h). A host is
 * in the set of a value if all its vnodes that can be used have it.
 */
#ifndef LXFW_PBS_PSETS_H
#define LXFW_PBS_PSETS_H

#include <stdbool.h>
#include <stdint.h>

#include "plugins/pbs/sets.h"
#include "plugins/pbs/site.h"

/* The names of the resources, separated by commas, of a job of QUEUE whose place has GROUP, or
   NULL; "" if its hosts need not have anything in common. */
const char *lxfw_pbs_psets_keys(const struct lxfw_pbs_site *site,
				const struct lxfw_pbs_queue *queue, const char *group);

/*
 * Finds the sets for jobs of QUEUE that want the properties WANTED and have the resources KEYS in
 * common, which are made for OWNER if necessary. Returns the number of the first one and sets *COUNT;
 * -1 with errno set: ENOMEM; ENOSPC if there are too many; EINVAL if a key is no resource that
 * hosts have a value of.
 */
int32_t lxfw_pbs_psets(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site,
		       const struct lxfw_pbs_queue *queue, const char *wanted,
		       const char *keys, uint64_t owner, int32_t *count);

/* Removes the families none of whose sets is marked as needed. */
void lxfw_pbs_psets_evict(struct lxfw_pbs_sets *sets);

/* Finds the hosts of the sets of all families again. Returns false if memory ran out. */
bool lxfw_pbs_psets_update(struct lxfw_pbs_sets *sets, const struct lxfw_pbs_site *site);

#endif
